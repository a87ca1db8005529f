/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work: how an operation of several steps goes on, on queues that serve other things meanwhile.
 *
 * An operation that needs more than one descriptor, one after the other, is a work of a completion
 * queue.  Operations posted for it report to it, and tern_cq_poll() carries it on: no thread, no
 * queue of its own, no callback of the application.  Slabs, shared tables and task queues of this
 * library are made of it, and so are services above it.
 *
 * There are two floors:
 *   struct tern_steps  an operation that ends: post, hear the answers, post again, and complete
 *   once.  Enough for most.
 *   struct tern_work   anything that hangs on a completion queue for a longer time.
 *
 * Memory: both structures belong to the caller and stay where they are until tern_work_remove()
 * returned, or the operation completed.  The library fills in their fields.
 *
 * Threads: a work belongs to the thread of its completion queue.  All its functions are called by
 * tern_cq_poll(), by a function that waits, by the first post, or by tern_close().  They must not
 * poll or wait.
 *
 * Errors, units: as tern.h says.
 */
#ifndef TERN_WORK_H
#define TERN_WORK_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- work ------------------------------------------------------------------------------------ */

struct tern_work;

/* The functions of a kind of work; any of them may be NULL. */
struct tern_work_calls {
    /*
     * An operation that was posted for the work ended; `wanted`: it was posted with
     * TERN_DFLAG_SIGNAL.  The context is the one it was posted with.  May change the completion.
     * Returns whether the application gets it.  Operations without TERN_DFLAG_SIGNAL are heard of
     * when they fail, and now and then when they do not.  NULL: the application gets what it would
     * get without a work.
     */
    bool (*ended)(struct tern_work *work, struct tern_completion *completion, bool wanted);
    /*
     * Goes on without waiting; called by every poll while the work is awake.  Writes at most one
     * completion for the application to `out` and returns whether it did; it is called again then.
     * `out` is all zero, or NULL: there is no place for a completion now.
     */
    bool (*step)(struct tern_work *work, struct tern_completion *out);
    /*
     * Tells whether step() would do something now: then tern_cq_wait() does not sleep.  NULL: no.
     */
    bool (*ready)(const struct tern_work *work);
    /*
     * The connection is lost and all operations of the queue have ended.  Completes what is still
     * open, one a call, as step() does; `out` is never NULL.
     */
    bool (*lost)(struct tern_work *work, struct tern_completion *out);
    /* tern_close() took the completion queue away.  The work is removed already. */
    void (*free)(struct tern_work *work);
};

struct tern_work {
    const struct tern_work_calls *calls;
    struct tern_cq *cq; /* NULL: not added */
    struct tern_work *next, **link;
    bool awake;
};

/*
 * Adds `work`, which must not be added yet, to the works of `cq`, asleep.  `calls` stays valid as
 * long as the work.
 */
void tern_work_add(struct tern_cq *cq, struct tern_work *work, const struct tern_work_calls *calls);

/*
 * Removes the work.  Operations still in flight for it end without a call of the work and without a
 * completion.  Does nothing if the work was not added.
 */
void tern_work_remove(struct tern_work *work);

/* Makes every poll call step() from now on, or no longer. */
void tern_work_wake(struct tern_work *work);
void tern_work_sleep(struct tern_work *work);

/*
 * Posts for `work` from here on: all that is posted to `sq` until the next call reports to `work`;
 * NULL: to the application.  Returns what it was before, to be set again.  The work need not be
 * added.
 */
struct tern_work *tern_sq_serve(struct tern_sq *sq, struct tern_work *work);

/*
 * The work to post for when no step waits for an operation: its end counts in tern_sq_strays()
 * alone.  It belongs to `sq` and lives as long.
 */
struct tern_work *tern_sq_stray(struct tern_sq *sq);

/*
 * Returns how the first of the operations posted for tern_sq_stray() failed since the last call, as
 * a negated status, or 0.
 */
int tern_sq_strays(struct tern_sq *sq);

/*
 * ---- an operation of several steps -------------------------------------------------------------
 */

struct tern_steps;

/*
 * Posts what comes next.  Returns how many completions it brings (each operation with
 * TERN_DFLAG_SIGNAL, and each chain, brings one); 0: the operation ended well; a negated status: it
 * failed.  -TERN_ST_AGAIN: there was no room and nothing was posted: the library calls again when
 * there is.  tern_sq_room() tells beforehand.
 */
typedef int tern_steps_next_fn(struct tern_steps *steps);

/*
 * Takes an answer: the completion of one of the operations that `next` posted.  Returns whether it
 * is one of those that `next` counted: an operation without TERN_DFLAG_SIGNAL that failed is none,
 * unless it is a step of a chain.
 */
typedef bool tern_steps_heard_fn(struct tern_steps *steps,
                                 const struct tern_completion *completion);

/* Embedded as the first member of what describes the operation.  Only read by the caller. */
struct tern_steps {
    struct tern_work work;
    struct tern_sq *sq;
    tern_steps_next_fn *next;
    tern_steps_heard_fn *heard;
    uint64_t context;
    unsigned out;   /* completions to come before the next step */
    int status;     /* when it is over: 0, or a negated status */
    uint8_t opcode;
    bool over, waited;
};

/*
 * Starts: calls `next` for the first time, with all that it posts posted for the operation.
 * Returns 0: it completes once, with `opcode` and `context`, by tern_cq_poll().  Returns what
 * `next` did if that failed; then nothing was started.  If `next` returns 0 at once, the operation
 * completes by the next poll.
 */
int tern_steps_start(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                     tern_steps_heard_fn *heard, uint8_t opcode, uint64_t context);

/*
 * Waits for an operation that was started and has not been polled: polls its completion queue until
 * it is over.  It does not complete by tern_cq_poll() then; all other completions are kept for
 * that, in order.  Returns its status; WAIT_EXPIRED after `timeout_ms` (-1: no limit): then it is
 * given up, its operations end unheard, and memory that they name stays in use until its queue is
 * destroyed.
 */
int tern_steps_wait(struct tern_steps *steps, int timeout_ms);

/*
 * Starts and waits: as tern_steps_start() and tern_steps_wait(), but waits for room, too, where the
 * first returns AGAIN.
 */
int tern_steps_run(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                   tern_steps_heard_fn *heard, int timeout_ms);

/*
 * ---- one operation that is waited for ----------------------------------------------------------
 */

struct tern_once {
    struct tern_steps steps;
    struct tern_work *before;
    void *done;
    size_t size;
};

/*
 * An operation posted to `sq` between the two calls, one operation with TERN_DFLAG_SIGNAL, is
 * waited for by the second, while other completions of the queue are kept for tern_cq_poll().
 * `posted`: the result of the posting function; an error is returned at once, without waiting.
 * Returns 0 with the completion in `*done`, whatever its status; otherwise as tern_steps_wait().
 *
 *     tern_once_begin(&once, sq, &done);
 *     status = tern_once_end(&once, tern_read(sq, from, region, to, 8, TERN_DFLAG_SIGNAL, 0),
 *     1000);
 */
void tern_once_begin_sized(struct tern_once *once, struct tern_sq *sq, void *done, size_t size);
int tern_once_end(struct tern_once *once, int posted, int timeout_ms);

static inline void tern_once_begin(struct tern_once *once, struct tern_sq *sq,
                                   struct tern_completion *done)
{
    tern_once_begin_sized(once, sq, done, sizeof(*done));
}

#ifdef __cplusplus
}
#endif

#endif
