/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the shared memory in which a client posts BAR writes without a system call.
 *
 * The client's threads fill entries in turn and the simulator empties them in the same order, so
 * the writes keep the order that they would have on a host bus. The client may change the memory at
 * any time, so each entry is copied before it is checked. Call from one thread only.
 */
#ifndef TERN_SIM_BELLS_H
#define TERN_SIM_BELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

struct tern_bells {
    uint8_t *base; /* NULL: the client shares no memory */
    uint32_t next; /* number of the next entry to take, free-running */
};

/* A posted write, copied out of its entry. */
struct tern_bell {
    uint32_t offset, bytes;
    uint8_t data[TERN_DESC_BYTES];
};

/* Maps the memory of `fd`, which the caller keeps. Returns 0 or an errno: EPERM if the file may
 * shrink, EINVAL if it is too small, EBUSY if memory is mapped already. */
int tern_bells_map(struct tern_bells *bells, int fd);

void tern_bells_unmap(struct tern_bells *bells);

/* Tells whether the next entry is full, at the cost of one load. */
bool tern_bells_rung(const struct tern_bells *bells);

/* Copies the next write out and frees its entry; only if tern_bells_rung() is true. */
void tern_bells_take(struct tern_bells *bells, struct tern_bell *bell);

/* Tells the client whether the simulator sleeps; while it does, a client that waits for an answer
 * sends a message to wake it. */
void tern_bells_sleep(const struct tern_bells *bells, bool asleep);

#endif
