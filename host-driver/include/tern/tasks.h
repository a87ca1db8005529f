/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues in the memory of one node: every node pushes tasks there and takes them away, one or
 * half of them at once, and says when they are done.  All of it is atomic operations, puts and
 * reads that the NIC there carries out; its host takes no part.
 *
 * A queue has places for tasks, in groups of TERN_BLOCK_SLABS, which are called words here as each
 * has a map word that says which places are free, and one that says which tasks are ready.  A
 * priority has words of its own; 0 is looked at first.
 *
 * A task is a record of a fixed size, which the queue does not look into.  It is ready, or a worker
 * runs it: one bit of a word. So one operation takes any number of tasks, it never fails because
 * others were quicker, and no two workers take the same task.
 * A worker that takes a task makes an attempt at it; the attempt has a number.
 *
 * At most one attempt is the one that did the task: tern_tdone() compares the attempt and changes
 * it in one operation.  A worker writes its result where only this attempt writes, and publishes it
 * after tern_tdone_done() has returned 0.
 *
 * Dead workers: their tasks are found by the claim words (tern_tasks_recover()), or by their not
 * being renewed for a lease (tern_tasks_sweep()); they become ready again, for another attempt.  A
 * late tern_tdone() of the attempt before is refused, however late it comes.  So a task is done
 * once, and run at least once.  Places without a task, and tasks that are neither ready nor
 * claimed, are freed or made ready by the progress of the living (tern/grace.h): a client may pause
 * in the middle of a push, a pop or a tern_tdone() for any time.
 *
 * The node whose memory it is: when it dies its tasks are gone.
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
    struct tern_rptr start; /* tern_region_pointer(region, 0) of who has it */
    uint32_t priorities;
    uint32_t places;        /* of each priority */
    uint32_t record_bytes;
    uint8_t life;
};

/* ---- who has the memory ---------------------------------------------------------------------- */

/*
 * Makes an empty queue, as `tasks` says but for its start, of the `bytes` at `memory`, a multiple
 * of 64.  The caller registers them as one region and fills in `tasks->start`.  Whenever the caller
 * formats the same memory again, it raises `tasks->life` by 1.  BAD_ALIGN; BAD_SIZE when records
 * are no multiple of 8, or a place is larger than TERN_TASK_BYTES_MAX; BAD_ARGUMENT without places
 * or priorities; NO_MEMORY when the queue does not fit.
 */
int tern_tasks_format(void *memory, size_t bytes, const struct tern_tasks *tasks);

/*
 * Bytes of it all; of a place, which are those of a record and 8; words of each priority, and of
 * all.
 */
size_t tern_tasks_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_place_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_words(const struct tern_tasks *tasks);

/*
 * ---- pushing ----------------------------------------------------------------------------------
 */

/*
 * Pushes tasks into places of one word.  The caller fills in the first part, the library the
 * others; the structure, and what it points to, stays as it is until the operation has completed.
 */
struct tern_tpush {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    uint32_t word;
    /* bits of the word: those of them that are free; none: the lowest that is free */
    uint32_t wanted;
    const struct tern_region *region; /* around `places`; may be read */
    void *places;    /* one for each place wanted: 8 bytes of the library's, then the record */

    unsigned pushed; /* what came of it: tasks */

    uint8_t step; /* library */
    uint64_t map;
    enum tern_status answer, failed;
};

/*
 * Posts it.  Returns AGAIN like tern_put(), BAD_RANGE when there is no such word.  Completes once,
 * as TERN_OP_ADD with `context`: OK, and `pushed` tasks are ready, fewer than wanted when not so
 * many places were free; FULL: no place was; STALE_POINTER: the queue is of another life; or how an
 * operation failed: then places may be taken for no task, which tern_tasks_sweep() frees.  Two
 * round trips.  The send queue has room for an operation for each task and one more.
 */
int tern_tpush(struct tern_sq *sq, struct tern_tpush *push, uint64_t context);

/*
 * ---- taking -----------------------------------------------------------------------------------
 */

struct tern_task {
    uint32_t index, generation;
    uint16_t attempt;
    uint8_t renewals;
    const void *record; /* where it was brought */
};

/*
 * Takes tasks of one word.  As above.  The hint is the map word of ready tasks as it was seen last,
 * whenever and however that was; all ones if never.  When it is right the records are read along
 * with the taking, in one round trip; else after it, in two.
 */
struct tern_tpop {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    struct tern_holder holder;
    uint32_t word;
    uint32_t wanted; /* bits: those of them that are ready; none: the lowest that is */
    uint64_t hint;   /* afterwards: as it is now */
    const struct tern_region *region; /* may be written from afar */
    void *landing;   /* room for TERN_BLOCK_SLABS places of tern_tasks_place_bytes() */

    uint32_t got; /* what came of it, as bits: the tasks, for tern_tpop_next() */
    bool reread;  /* the hint was wrong */

    uint32_t guess; /* library */
    int status;
    uint8_t missing;
    bool begun;
};

/*
 * Posts it.  Returns AGAIN like tern_put(), BAD_RANGE when there is no such word, BAD_ARGUMENT
 * without an owner.  Completes once, as TERN_OP_TAKE with `context`: OK: the tasks `got` are the
 * holder's; NOT_FOUND: none of them was ready; STALE_POINTER: the queue is of another life; or how
 * an operation failed.  The puts that say whose they are are not waited for: tern_sq_strays(), and
 * a lease makes it good.
 */
int tern_tpop(struct tern_sq *sq, struct tern_tpop *pop, uint64_t context);

/* Takes the task with the lowest bit off `got`.  Returns false when there is none. */
bool tern_tpop_next(const struct tern_tasks *tasks, struct tern_tpop *pop, struct tern_task *task);

/*
 * ---- running ----------------------------------------------------------------------------------
 */

/* Ends a task, or renews it.  As above. */
struct tern_tdone {
    struct tern_steps steps; /* library */
    const struct tern_tasks *tasks;
    struct tern_holder holder; /* of a renewal */
    struct tern_task task;
    unsigned flags;            /* TERN_DFLAG_FENCE: after all that was posted to the queue before */

    bool posted; /* library */
    uint64_t word;
    enum tern_status answer;
};

/*
 * Posts that the task is done.  Its results have to be there already, or come before it by
 * TERN_DFLAG_FENCE.  Returns AGAIN like tern_put(), BAD_RANGE when there is no such task.
 * Completes once, as TERN_OP_CAS with `context`: OK: this attempt has done the task, no other does;
 * NOT_OWNER: it was taken away for another attempt; NOT_TAKEN: it has been done; STALE_POINTER: the
 * place has another task, or never had this one; then nothing has changed.  Or how the operation
 * failed. The operation that frees the place is not waited for.
 */
int tern_tdone(struct tern_sq *sq, struct tern_tdone *done, uint64_t context);

/*
 * Posts that the task is still being run, more often than once a lease.  Completes as TERN_OP_CAS:
 * OK, and `task` counts the renewal; NOT_OWNER if another attempt runs it by now.
 */
int tern_trenew(struct tern_sq *sq, struct tern_tdone *renew, uint64_t context);

/*
 * ---- the same, waiting ------------------------------------------------------------------------
 */

/*
 * A client of a queue; it remembers the last value of each map word.  Its send queue needs room for
 * 64 operations, and the application may use it for other operations, too: a function that waits
 * keeps their completions for tern_cq_poll().
 */
struct tern_worker {
    struct tern_tasks tasks;
    struct tern_holder holder;
    struct tern_cq *cq; /* that `sq` reports to */
    struct tern_sq *sq;
    int timeout_ms; /* of each call, -1: no limit */
    const struct tern_region *region; /* may be read, and written from afar; holds the scratch */
    /* tern_worker_bytes() of the caller's, a multiple of 64, set up by tern_worker_init() */
    void *scratch;
    struct tern_worker_counts {
        uint32_t pops;    /* operations that took tasks, or found none */
        uint32_t tasks;   /* taken */
        uint32_t rereads; /* of these operations, those that had to read records after it */
        uint32_t looks;   /* at all words, when none was known to have a task */
    } counts;
};

size_t tern_worker_bytes(const struct tern_tasks *tasks);
void tern_worker_init(struct tern_worker *worker);

/*
 * Pushes `count` tasks of one priority, whose records follow each other.  Returns how many: fewer
 * when the queue is full. BAD_RANGE when there is no such priority; FULL: none; otherwise as
 * tern_tpush(); WAIT_EXPIRED.
 */
int tern_tpush_wait(struct tern_worker *worker, uint32_t priority, const void *records,
                    unsigned count);

/*
 * Takes a task, or with `most` above 1 half of those of a word, at most so many; of the first
 * priority that has some, as far as is known.  Returns how many.  Their records stay until the next
 * call.  NOT_FOUND: no task is ready; otherwise as tern_tpop(); WAIT_EXPIRED.
 */
int tern_tpop_wait(struct tern_worker *worker, struct tern_task *tasks, unsigned most);

/* As tern_tdone(), and as tern_trenew(); WAIT_EXPIRED. */
int tern_tdone_wait(struct tern_worker *worker, const struct tern_task *task);
int tern_trenew_wait(struct tern_worker *worker, struct tern_task *task);

/*
 * Both in one exchange: `task` is done, which ends as `*done` says, as with tern_tdone_wait(); and
 * is another one afterwards, if 1 is returned, as by tern_tpop_wait().
 */
int tern_tnext_wait(struct tern_worker *worker, struct tern_task *task, int *done);

/* ---- tasks without a worker ------------------------------------------------------------------ */

/*
 * Makes the tasks ready again that `dead` ran.  `memory` is all of the queue, in the owner's
 * memory, or a copy read from another node: tasks that have changed since are left alone.  Returns
 * how many.
 */
int tern_tasks_recover(struct tern_worker *worker, const void *memory, struct tern_holder dead);

/*
 * Makes the tasks ready again that a worker has claimed and not renewed since the last call with
 * the same `seen`; call it a lease apart.  If the period of `grace` is over the call is also a look
 * at places that no client has: one that has no task, or a task that is neither ready nor claimed,
 * and the same state, at three looks, each a grace period after the one before, becomes free, or
 * its task ready.  `memory` as with tern_tasks_recover(); a copy is read after
 * tern_grace_is_over(grace) had returned true.  `seen` has tern_tasks_seen() words, at first 0.
 * Returns how many of both.
 */
int tern_tasks_sweep(struct tern_worker *worker, const void *memory, struct tern_grace *grace,
                     uint64_t *seen);
size_t tern_tasks_seen(const struct tern_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
