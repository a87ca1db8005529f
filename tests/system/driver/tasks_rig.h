/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task queue in the memory of one host, and two workers of this process, as the tests of task
 * queues use them.
 */
#ifndef TASKS_RIG_H
#define TASKS_RIG_H

#include <tern/tasks.h>

#include "chaos.h"
#include "paces.h"
#include "rig_tier.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    PRIORITIES = 2,
    PLACES = 40, /* of each: a word of 32 and one of 8 */
    WORDS = 4,
    RECORD = 56,
    PLACE = RECORD + 8,
    LIFE = 9,
    BYTES = 8192,
    SCRATCH = 8192,
    WAIT_MS = 60000, /* a net */
};

struct record {
    uint32_t id, check[RECORD / 4 - 1];
};

struct record record_of(uint32_t id);
bool is_record(const void *at, uint32_t id);

struct end {
    struct tern_device *device;
    struct tern_worker worker;
    uint64_t scratch[SCRATCH / 8] __attribute__((aligned(64)));
};

void open_end(struct end *end, const struct rig *rig, unsigned node, struct tern_holder holder);
struct tern_completion next(const struct tern_worker *worker);

/* A simulator, who keeps the queue, the queue, and two who use it. */
extern struct child keeper;
extern struct tern_tasks queue;
extern struct end here, there;

void tasks_start(struct rig *rig);
void tasks_stop(struct rig *rig);

/*
 * All of the queue as it was when it was looked at last, in memory of here.device; and what sweeps
 * have seen.
 */
extern uint64_t copy[BYTES / 8], seen[2 * PRIORITIES * PLACES];
extern struct tern_region *copy_region;

/* Each looks at the queue, as it is when what was posted here before has ended. */
unsigned ready_now(void);
unsigned taken_now(void);
uint32_t freed_so_far(void);

/*
 * Sweeps: all members have gone on since the one before, or all but one; the first after
 * sweep_anew() has seen nothing.
 */
enum { HERE, THERE };
void sweep_anew(void);
int sweep(void);
int sweep_but(unsigned stopped);
int recovered(uint16_t name, uint16_t epoch);

/* Tasks with numbers from `first` on. */
int push_to(struct end *end, uint32_t priority, uint32_t first, unsigned count);

/* One task, which has to be this one. */
bool pop_is(struct end *end, uint32_t id, struct tern_task *task);

/* Waits until all posted operations, also those without a completion, have ended. */
void settle(struct end *end);
int done_by(struct end *end, const struct tern_task *task);

#endif
