/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator's end of the memory in which a client posts BAR writes without a system call.
 *
 * The client's threads fill entries in turn, the simulator empties them in the same order, so the
 * writes keep the order that they have on a host bus.  The client may write anything at any time:
 * each entry is copied before it is checked.  One thread.
 */
#ifndef TERN_SIM_BELLS_H
#define TERN_SIM_BELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

struct tern_bells {
    uint8_t *base; /* NULL: the client posts by messages alone */
    uint32_t next; /* the entry to look at, free-running */
};

/* A posted write, copied out of its entry. */
struct tern_bell {
    uint32_t offset, bytes;
    uint8_t data[TERN_DESC_BYTES];
};

/* Maps the memory behind `fd`, which remains the caller's.  0 or an errno: EPERM when the file may
 * shrink, EINVAL when it is too small, EBUSY when there is memory already. */
int tern_bells_map(struct tern_bells *bells, int fd);

void tern_bells_unmap(struct tern_bells *bells);

/* An entry is full.  Costs one load. */
bool tern_bells_rung(const struct tern_bells *bells);

/* Copies the next write out and frees its entry; only after tern_bells_rung() said yes. */
void tern_bells_take(struct tern_bells *bells, struct tern_bell *bell);

/* Says whether the simulator sleeps: a client that waits for an answer then sends a message. */
void tern_bells_sleep(const struct tern_bells *bells, bool asleep);

#endif
