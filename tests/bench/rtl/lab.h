/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drivers of two processes on a simulator in this process, for the benchmarks.
 *
 * Host software takes no simulated time: the simulator advances only while the driver waits.  A
 * failure to set up ends the program.
 */
#ifndef TERN_LAB_H
#define TERN_LAB_H

#include <tern/tern.h>

#include "measure.h"

enum { LAB_BYTES = 8 << 20, LAB_QUEUES_MAX = 16 };

struct lab_end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq[LAB_QUEUES_MAX];
    struct tern_region *region;
    uint8_t *buffer; /* LAB_BYTES */
};

/* Events of the chip's trace port since lab_watch(). */
struct lab_watch {
    unsigned origin, target;
    uint64_t first_deposit, last_deposit; /* cycles of the last beats of deposits at the target */
    uint64_t deposits;
    uint64_t sleep_cycles, slept_at; /* of the origin's core */
    bool asleep;
};

struct lab {
    struct tern_sim *sim;
    struct tern_measure *measure;
    struct lab_end origin, target; /* nodes 0 and 1 */
    struct lab_watch watch;
};

/* Opens a ring of `nodes`; each write of the host bus takes `posted` cycles. */
void lab_open(struct lab *lab, unsigned nodes, unsigned posted);

/* Opens a ring on a tier. On soft it watches nothing, and cycles have no meaning. */
void lab_open_tier(struct lab *lab, enum tern_tier tier, unsigned nodes, unsigned posted);
void lab_close(struct lab *lab);

/* Opens `queues` send queues at the origin. */
void lab_queues(struct lab *lab, unsigned queues);

/* Resets the watch, and starts it. */
void lab_watch(struct lab *lab);

/* Runs until `count` packets were deposited at the target. */
void lab_run_until_deposits(struct lab *lab, uint64_t count);

/* Runs until nothing can be in flight any more. */
void lab_settle(struct lab *lab);

/* Takes `count` completions, which must be OK; returns the last. */
struct tern_completion lab_complete(struct lab_end *end, unsigned count);

/* Ends the program with a message when `status` is negative. */
void lab_must(int status, const char *what);

#endif
