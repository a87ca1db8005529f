/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task queue in the memory of one host, and two workers of this process, for the tests of task
 * queues.
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
    PLACES = 40, /* of each priority: a word of 32 and one of 8 */
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

/* The simulator, the process with the queue's memory, the queue, and two workers. */
extern struct child keeper;
extern struct tern_tasks queue;
extern struct end here, there;

void tasks_start(struct rig *rig);
void tasks_stop(struct rig *rig);

/* The whole queue as last read, in memory of here.device; and the state of the sweeps. */
extern uint64_t copy[BYTES / 8], seen[2 * PRIORITIES * PLACES];
extern struct tern_region *copy_region;

/* Each reads the queue, after all operations posted here have ended. */
unsigned ready_now(void);
unsigned taken_now(void);
uint32_t freed_so_far(void);

/*
 * Sweeps, after the numbers of all members, or of all but one, have risen; the first after
 * sweep_anew() has no earlier look.
 */
enum { HERE, THERE };
void sweep_anew(void);
int sweep(void);
int sweep_but(unsigned stopped);
int recovered(uint16_t name, uint16_t epoch);

/* Pushes tasks numbered from `first` on. */
int push_to(struct end *end, uint32_t priority, uint32_t first, unsigned count);

/* Pops one task; tells whether it is task `id`. */
bool pop_is(struct end *end, uint32_t id, struct tern_task *task);

/* Waits until all posted operations have ended, including those without a completion. */
void settle(struct end *end);
int done_by(struct end *end, const struct tern_task *task);

#endif
