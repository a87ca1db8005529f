/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work: operations of several steps, on queues that serve other operations meanwhile.
 *
 * An operation that needs several descriptors, one after the other, is a work of a completion
 * queue. Its descriptors report to that queue, and tern_cq_poll() advances it: it needs no thread,
 * no queue of its own and no callback of the application. Slabs, shared tables and task queues of
 * this library use it, and so do services built on the library.
 *
 * There are two interfaces:
 *   struct tern_steps  an operation with an end: posts, takes the completions, posts again, and
 *                      completes once.  Enough for most purposes.
 *   struct tern_work   anything that stays with a completion queue for a longer time.
 *
 * Memory: both structures belong to the caller and must not move until tern_work_remove() has
 * returned, or the operation has completed. The library fills in their fields.
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
     * TERN_DFLAG_SIGNAL. The completion has the context of that post; the function may change it.
     * Returns whether the application gets it. Operations without TERN_DFLAG_SIGNAL always report
     * failures, and sometimes success. NULL: the application gets the completions as it would
     * without a work.
     */
    bool (*ended)(struct tern_work *work, struct tern_completion *completion, bool wanted);
    /*
     * Advances the work without waiting; every poll calls it while the work is awake. Writes at
     * most one completion for the application to `out` and returns whether it did; if so it is
     * called again. `out` is all zero; NULL: there is no room for a completion now.
     */
    bool (*step)(struct tern_work *work, struct tern_completion *out);
    /*
     * Tells whether step() has something to do now: then tern_cq_wait() does not sleep. NULL: no.
     */
    bool (*ready)(const struct tern_work *work);
    /*
     * Tells in how many milliseconds step() has to be called even if nothing ends before;
     * negative: there is no such time. Only asked while the work is awake. tern_cq_wait() sleeps
     * no longer. NULL: there is none.
     */
    int (*due)(const struct tern_work *work);
    /*
     * The connection is lost and all operations of the queue have ended. Completes what is still
     * open, one completion per call, as step() does; `out` is never NULL.
     */
    bool (*lost)(struct tern_work *work, struct tern_completion *out);
    /* tern_close() has freed the completion queue. The work is removed already. */
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

/* Makes every poll call step() from now on, or stops that. */
void tern_work_wake(struct tern_work *work);
void tern_work_sleep(struct tern_work *work);

/*
 * Directs posts: all later posts to `sq`, until the next call, report to `work`; NULL: to the
 * application. Returns the previous work, for the caller to restore. The work need not be added.
 */
struct tern_work *tern_sq_serve(struct tern_sq *sq, struct tern_work *work);

/*
 * Directs messages that arrive in `rq` to `ended` of `work`, which returns whether the application
 * gets them and may release them; NULL: to the application. The work must exist until the queue
 * serves another one or is destroyed.
 */
void tern_rq_serve(struct tern_rq *rq, struct tern_work *work);

/*
 * Returns the work for operations that no step waits for: only tern_sq_strays() reports their
 * failures. It belongs to `sq` and lives as long.
 */
struct tern_work *tern_sq_stray(struct tern_sq *sq);

/*
 * Returns the negated status of the first operation for tern_sq_stray() that failed since the last
 * call, or 0.
 */
int tern_sq_strays(struct tern_sq *sq);

/*
 * ---- an operation of several steps -------------------------------------------------------------
 */

struct tern_steps;

/*
 * Posts the next step. Returns how many completions it will bring (one for each operation with
 * TERN_DFLAG_SIGNAL, and for each chain); 0: the operation succeeded; a negated status: it failed.
 * -TERN_ST_AGAIN: there was no room and nothing was posted; the library calls it again when there
 * is. tern_sq_room() tells beforehand.
 */
typedef int tern_steps_next_fn(struct tern_steps *steps);

/*
 * Takes the completion of one of the operations that `next` posted. Returns whether it is one that
 * `next` counted. An operation without TERN_DFLAG_SIGNAL that failed was not counted, unless it is
 * a step of a chain.
 */
typedef bool tern_steps_heard_fn(struct tern_steps *steps,
                                 const struct tern_completion *completion);

/* Embed it as the first member of the structure of the operation. The caller only reads it. */
struct tern_steps {
    struct tern_work work;
    struct tern_sq *sq;
    tern_steps_next_fn *next;
    tern_steps_heard_fn *heard;
    uint64_t context;
    unsigned out;   /* completions still missing before the next step */
    int status;     /* at the end: 0, or a negated status */
    uint8_t opcode;
    bool over, waited;
};

/*
 * Starts the operation: calls `next` for the first time, and directs its posts to the operation.
 * Returns 0: the operation completes once, with `opcode` and `context`, in tern_cq_poll(). Returns
 * the error of `next` if that failed; then nothing was started. If `next` returns 0 at once, the
 * operation completes in the next poll.
 */
int tern_steps_start(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                     tern_steps_heard_fn *heard, uint8_t opcode, uint64_t context);

/*
 * Polls the completion queue until a started operation is over; the operation then does not
 * complete in tern_cq_poll(). Keeps all other completions for tern_cq_poll(), in order. Returns its
 * status. WAIT_EXPIRED after `timeout_ms` (-1: no limit): the operation is abandoned, its
 * descriptors end unreported, and memory that they name stays in use until its queue is destroyed.
 */
int tern_steps_wait(struct tern_steps *steps, int timeout_ms);

/*
 * Starts and waits, as tern_steps_start() and tern_steps_wait(), but also waits for room where the
 * first returns AGAIN.
 */
int tern_steps_run(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                   tern_steps_heard_fn *heard, int timeout_ms);

/*
 * ---- waiting for one operation ----------------------------------------------------------
 */

struct tern_once {
    struct tern_steps steps;
    struct tern_work *before;
    void *done;
    size_t size;
};

/*
 * Wait for one operation, with TERN_DFLAG_SIGNAL, that the caller posts to `sq` between the two
 * calls; the second keeps other completions of the queue for tern_cq_poll(). `posted`: the result
 * of the posting function; an error is returned at once, without waiting. Returns 0 with the
 * completion in `*done`, whatever its status; otherwise as tern_steps_wait().
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
