/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues in the memory of one node: every node pushes tasks there, takes one task or half of a
 * word's tasks at once, and reports them done. All of this is atomic operations, puts and reads of
 * the NIC there; its host takes no part.
 *
 * A queue has places for tasks, in groups of TERN_BLOCK_SLABS. A group is called a word here, as it
 * has one map word for its free places and one for its ready tasks. Each priority has words of its
 * own; workers try priority 0 first.
 *
 * A task is a record of a fixed size, whose bytes the queue does not interpret. A task is either
 * ready or run by a worker, which one bit of a word tells. So one operation takes any number of
 * tasks, it never loses a race, and no two workers take the same task. A worker that takes a task
 * starts a numbered attempt at it.
 *
 * At most one attempt of a task succeeds in tern_tdone(), which compares the number of the attempt
 * and ends the task in one operation. A worker writes its result to memory of this attempt alone,
 * and publishes it after tern_tdone_done() has returned 0.
 *
 * Dead workers: tern_tasks_recover() finds their tasks by the claim words; tern_tasks_sweep() finds
 * tasks that were not renewed for a lease. These tasks become ready again, for another attempt. A
 * tern_tdone() of the earlier attempt is refused, however late it comes. So a task is done once,
 * and run at least once. Places without a task, and tasks that are neither ready nor claimed, are
 * freed or made ready by grace periods (tern/grace.h): a client may pause in the middle of a push,
 * a pop or a tern_tdone() for any time.
 *
 * When the node that has the memory dies, its tasks are lost.
 *
 * Errors, threads, ownership, units: as tern.h says.  The queue's region has
 * TERN_RIGHT_REMOTE_ATOMIC, TERN_RIGHT_REMOTE_WRITE and TERN_RIGHT_REMOTE_READ.
 */
#ifndef TERN_TASKS_H
#define TERN_TASKS_H

#include <tern/slabs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of a queue, the same for all its users. */
struct tern_tasks {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of the node that has the memory */
    uint32_t priorities;
    uint32_t places;        /* of each priority */
    uint32_t record_bytes;
    uint8_t life;
};

/* ---- the node that has the memory -------------------------------------------------- */

/*
 * Makes an empty queue, as `tasks` describes it except for its start, in the `bytes` at `memory`, a
 * multiple of 64. The caller registers the memory as one region and fills in `tasks->start`.
 * Whenever the caller formats the same memory again, it raises `tasks->life` by 1. BAD_ALIGN;
 * BAD_SIZE when records are no multiple of 8, or a place is larger than TERN_TASK_BYTES_MAX;
 * BAD_ARGUMENT without places or priorities; NO_MEMORY when the queue does not fit.
 */
int tern_tasks_format(void *memory, size_t bytes, const struct tern_tasks *tasks);

/*
 * Return the bytes of the whole queue; of a place, which is a record and 8 bytes; the words of each
 * priority, and of all.
 */
size_t tern_tasks_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_place_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_words(const struct tern_tasks *tasks);

/*
 * ---- pushing ----------------------------------------------------------------------------------
 */

/*
 * Pushes tasks into places of one word. The caller fills in the first part, the library the rest;
 * the structure, and all that it points to, must not change until the operation has completed.
 */
struct tern_tpush {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    uint32_t word;
    /* mask of places to use if they are free; 0: the lowest free one */
    uint32_t wanted;
    const struct tern_region *region; /* contains `places`; with the right to read */
    void *places;    /* one for each place wanted: 8 bytes for the library, then the record */

    unsigned pushed; /* out: number of tasks */

    uint8_t step; /* library */
    uint64_t map;
    enum tern_status answer, failed;
};

/*
 * Posts it. Returns AGAIN like tern_put(), BAD_RANGE when there is no such word. Completes once, as
 * TERN_OP_ADD with `context`: OK, and `pushed` tasks are ready, fewer than wanted when fewer places
 * were free; FULL: no place was free; STALE_POINTER: the queue is of another life; or the status of
 * a failed operation: then places may be taken without a task, until tern_tasks_sweep() frees them.
 * Takes two round trips. The send queue needs room for one operation per task and one more.
 */
int tern_tpush(struct tern_sq *sq, struct tern_tpush *push, uint64_t context);

/*
 * ---- taking -----------------------------------------------------------------------------------
 */

struct tern_task {
    uint32_t index, generation;
    uint16_t attempt;
    uint8_t renewals;
    const void *record; /* in the worker's memory */
};

/*
 * Takes tasks of one word; the structure is used as tern_tpush is. The hint is the word of ready
 * tasks as the caller last saw it; all ones if it never did. If the hint is right, the operation
 * reads the records along with the take, in one round trip; else after it, in two.
 */
struct tern_tpop {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    struct tern_holder holder;
    uint32_t word;
    uint32_t wanted; /* mask of tasks to take if they are ready; 0: the lowest ready one */
    uint64_t hint;   /* out: the word's present value */
    const struct tern_region *region; /* with the right to be written remotely */
    void *landing;   /* room for TERN_BLOCK_SLABS places of tern_tasks_place_bytes() */

    uint32_t got; /* out: mask of the tasks taken, for tern_tpop_next() */
    bool reread;  /* out: the hint was wrong */

    uint32_t guess; /* library */
    int status;
    uint8_t missing;
    bool begun;
};

/*
 * Posts it. Returns AGAIN like tern_put(), BAD_RANGE when there is no such word, BAD_ARGUMENT
 * without an owner. Completes once, as TERN_OP_TAKE with `context`: OK: the tasks `got` are the
 * holder's; NOT_FOUND: none of them was ready; STALE_POINTER: the queue is of another life; or the
 * status of a failed operation. It completes without the puts of the claim words: if one fails,
 * tern_sq_strays() returns its status, and the task becomes ready again after a lease.
 */
int tern_tpop(struct tern_sq *sq, struct tern_tpop *pop, uint64_t context);

/* Removes the task with the lowest bit from `got` and returns it in `task`; false when there is
 * none. */
bool tern_tpop_next(const struct tern_tasks *tasks, struct tern_tpop *pop, struct tern_task *task);

/*
 * ---- running ----------------------------------------------------------------------------------
 */

/* Ends a task, or renews it; the structure is used as tern_tpush is. */
struct tern_tdone {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    struct tern_holder holder; /* for a renewal */
    struct tern_task task;
    unsigned flags;            /* TERN_DFLAG_FENCE: after all operations posted before */

    bool posted; /* library */
    uint64_t word;
    enum tern_status answer;
};

/*
 * Posts that the task is done. Its results must have arrived, or must be ordered before it by
 * TERN_DFLAG_FENCE. Returns AGAIN like tern_put(), BAD_RANGE when there is no such task. Completes
 * once, as TERN_OP_CAS with `context`: OK: this attempt has done the task, no other does;
 * NOT_OWNER: another attempt has the task; NOT_TAKEN: it was done before; STALE_POINTER: the place
 * has another task, or never had this one; in these cases nothing has changed. Or the status of the
 * failed operation. It completes without the operation that frees the place.
 */
int tern_tdone(struct tern_sq *sq, struct tern_tdone *done, uint64_t context);

/*
 * Posts a renewal: the worker still runs the task. Post one more often than once a lease. Completes
 * as TERN_OP_CAS: OK, and `task` counts the renewal; NOT_OWNER if another attempt has the task.
 */
int tern_trenew(struct tern_sq *sq, struct tern_tdone *renew, uint64_t context);

/*
 * ---- blocking calls ------------------------------------------------------------------------
 */

/*
 * A client of a queue; it remembers the last value of each map word as a hint. Its send queue needs
 * room for 64 operations, and the application may use it for other operations, too: a function that
 * waits keeps their completions for tern_cq_poll().
 */
struct tern_worker {
    struct tern_tasks tasks;
    struct tern_holder holder;
    struct tern_cq *cq; /* where `sq` reports */
    struct tern_sq *sq;
    int timeout_ms; /* of each call, -1: no limit */
    const struct tern_region *region; /* holds the scratch; with the rights to be read, and to be
                                       * written remotely */
    /* tern_worker_bytes() of the caller's memory, aligned to 64, set up by tern_worker_init() */
    void *scratch;
    struct tern_worker_counts {
        uint32_t pops;    /* operations that tried to take tasks */
        uint32_t tasks;   /* taken */
        uint32_t rereads; /* of `pops`, those that had to read records afterwards */
        uint32_t looks;   /* reads of all words, when no hint had a task */
    } counts;
};

size_t tern_worker_bytes(const struct tern_tasks *tasks);
void tern_worker_init(struct tern_worker *worker);

/*
 * Pushes `count` tasks of one priority, whose records follow each other. Returns how many it
 * pushed: fewer when the queue is full. BAD_RANGE when there is no such priority; FULL: it pushed
 * none; otherwise as tern_tpush(); WAIT_EXPIRED.
 */
int tern_tpush_wait(struct tern_worker *worker, uint32_t priority, const void *records,
                    unsigned count);

/*
 * Takes a task or, with `most` above 1, half of the tasks of a word, at most `most`; from the first
 * priority whose hints show any. Returns how many. Their records stay valid until the next call.
 * NOT_FOUND: no task is ready; otherwise as tern_tpop(); WAIT_EXPIRED.
 */
int tern_tpop_wait(struct tern_worker *worker, struct tern_task *tasks, unsigned most);

/* Block; as tern_tdone() and as tern_trenew(). WAIT_EXPIRED. */
int tern_tdone_wait(struct tern_worker *worker, const struct tern_task *task);
int tern_trenew_wait(struct tern_worker *worker, struct tern_task *task);

/*
 * Ends `task` and takes another in one round trip. `*done` is the result for the old task, as of
 * tern_tdone_wait(). Returns as tern_tpop_wait(): if 1, `task` is the new task.
 */
int tern_tnext_wait(struct tern_worker *worker, struct tern_task *task, int *done);

/* ---- tasks without a worker ------------------------------------------------------------------ */

/*
 * Makes the tasks ready again that `dead` ran. `memory` is the whole queue in the owner's memory,
 * or a copy read from another node: tasks that have changed since are left alone. Returns how many.
 */
int tern_tasks_recover(struct tern_worker *worker, const void *memory, struct tern_holder dead);

/*
 * Makes tasks ready again that a worker has claimed and not renewed since the last call with the
 * same `seen`; call it a lease apart. If the period of `grace` is over, the call also looks at
 * places that no client has: a place without a task, or a task that is neither ready nor claimed.
 * If three successive looks, a grace period apart, find the same state, the place becomes free, or
 * its task ready. `memory` as with tern_tasks_recover(); read a copy after
 * tern_grace_is_over(grace) has returned true. `seen` has tern_tasks_seen() words, initially 0.
 * Returns how many tasks and places it freed.
 */
int tern_tasks_sweep(struct tern_worker *worker, const void *memory, struct tern_grace *grace,
                     uint64_t *seen);
size_t tern_tasks_seen(const struct tern_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
