/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of NICs of one tier in this process, with drivers on some of them, and a transcript of all
 * results. Two tiers that get the same steps must write the same transcript.
 */
#ifndef TERN_DIFFERENTIAL_WORLD_H
#define TERN_DIFFERENTIAL_WORLD_H

#include <stdint.h>
#include <stdio.h>

#include <tern/tern.h>

#include "tern_sim.h"

enum {
    WORLD_NODES = 4,       /* of the ring */
    WORLD_ENDS = 4,        /* 0, 1, 2: nodes of that number; 3: a second function of node 0 */
    WORLD_BYTES = 1 << 17, /* memory of an end */
    WORLD_QUEUE_LOG2 = 4,
    WORLD_FIFO_LOG2 = 3,
    WORLD_ENTRY_LOG2 = 6,
};

struct world_end {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    uint8_t *memory;
};

struct world {
    struct tern_sim *sim;
    struct world_end end[WORLD_ENDS];
    uint64_t before[WORLD_ENDS][TERN_STAT_COUNT];
    uint64_t deadline;
    uint32_t random; /* state of the random steps: $TIERS_SEED at first, or 1 */
    FILE *transcript;
};

/* Powers on a ring of `tier`; ends the program on failure. `transcript` stays the caller's. */
void world_open(struct world *world, enum tern_tier tier, FILE *transcript);
void world_close(struct world *world);

/* Returns the seed of the random steps: $TIERS_SEED, or 1. */
uint32_t world_seed(void);

/* Adds a line to the transcript. */
void world_say(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Waits for the next completion of an end and writes it to the transcript. Returns its status. */
enum tern_status world_completion(struct world *world, unsigned end);

/* Writes the returned status of a call. */
void world_status(struct world *world, const char *what, int status);

/* Writes a checksum of an end's memory. */
void world_memory(struct world *world, unsigned end);

/* Fills an end's memory with a pattern of `seed`. */
void world_fill(struct world *world, unsigned end, unsigned seed);

/* Which statistics must be equal. */
enum world_counts {
    WORLD_ALL,    /* for single operations: all except the firmware's clock */
    WORLD_TRAFFIC /* for many at once: messages, packets and bytes */
};

/* Records the statistics; later writes by how much they have increased. */
void world_counts_begin(struct world *world);
void world_counts_end(struct world *world, enum world_counts which);

/* Ends the process if `status` is an error: a call failed that must succeed in any transcript. */
void world_must(int status, const char *what);

/* Advances time until nothing can be in flight any more. */
void world_settle(struct world *world);

#endif
