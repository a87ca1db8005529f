/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver's side of the memory through which it posts BAR writes without a system call.
 *
 * Threads take entries in turn; the simulator empties them in that order, and all of them before
 * any message sent later. A server that does not know this memory refuses it; then posted writes
 * are messages.
 */
#ifndef TERN_BELLS_H
#define TERN_BELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vfu_bells {
    uint8_t *base; /* NULL: no memory */
};

/* Creates the memory. Returns its descriptor, to be sent and closed, or -1. */
int vfu_bells_make(struct vfu_bells *bells);

void vfu_bells_free(struct vfu_bells *bells);

/* Posts a write of at most TERN_DESC_BYTES; false while no entry is free. */
bool vfu_bells_post(struct vfu_bells *bells, uint32_t offset, const void *data, uint32_t bytes);

/*
 * Whether the simulator sleeps although an entry is full; returns true to only one caller for each
 * sleep.
 */
bool vfu_bells_should_wake(struct vfu_bells *bells);

#endif
