/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver's end of the memory in which it posts BAR writes without a system call.
 *
 * Threads take entries in turn; the simulator empties them in that order, and all of them before
 * any message that was sent later.  A server that does not know this memory refuses it, and posted
 * writes are messages then.
 */
#ifndef TERN_BELLS_H
#define TERN_BELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vfu_bells {
    uint8_t *base; /* NULL: there is none */
};

/* Makes the memory.  Returns its descriptor, to be sent and closed, or -1. */
int vfu_bells_make(struct vfu_bells *bells);

void vfu_bells_free(struct vfu_bells *bells);

/* Posts a write of at most TERN_DESC_BYTES; false while no entry is free. */
bool vfu_bells_post(struct vfu_bells *bells, uint32_t offset, const void *data, uint32_t bytes);

/* The simulator sleeps though an entry is full: true for one caller a sleep. */
bool vfu_bells_should_wake(struct vfu_bells *bells);

#endif
