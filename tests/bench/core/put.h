/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware's loop of puts on a whole node, observed cycle by cycle.
 */
#ifndef TERN_BENCH_PUT_H
#define TERN_BENCH_PUT_H

#include "tally.h"

struct put_load {
    const char *name;
    unsigned queues;
    unsigned flags; /* of every descriptor */
};

struct put_run {
    unsigned puts, steady_puts;
    /* from idle to idle: the chip's counters read through the BAR, and the observed values */
    uint64_t busy, instructions;
    struct tally whole;
    struct tally steady; /* from an early to a late deposit of the same stream */
};

/*
 * Streams 64-byte puts from one node to another. Ends the process with a message when something
 * fails, or when the chip's counters and the observed values differ.
 */
struct put_run put_run(const struct put_load *load);

#endif
