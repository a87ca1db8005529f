/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of several steps: see tern/work.h. */
#include <string.h>

#include "queue.h"

static const struct tern_work_calls steps_calls;

static struct tern_steps *steps_of(const struct tern_work *work)
{
    return (struct tern_steps *)(void *)
        ((uint8_t *)(uintptr_t)work - offsetof(struct tern_steps, work));
}

/* Posts the next step; the send queue attributes all descriptors posted in it to the operation. */
static int post_next(struct tern_steps *steps)
{
    struct tern_work *before = tern_sq_serve(steps->sq, &steps->work);
    int status = steps->next(steps);

    (void)tern_sq_serve(steps->sq, before);
    return status;
}

/*
 * Adds the work, so that tern_work_remove() finds its operations. It is otherwise added only while
 * it waits for room.
 */
static void add(struct tern_steps *steps)
{
    if (!steps->work.cq)
        tern_work_add(steps->sq->cq, &steps->work, &steps_calls);
}

/* Gives up an operation, of which some descriptors may be in flight. */
static void forget(struct tern_steps *steps)
{
    add(steps);
    tern_work_remove(&steps->work);
}

/*
 * Ends the operation. `out` has the last completion, or is all zero. Returns whether the
 * application gets it.
 */
static bool finish(struct tern_steps *steps, int status, struct tern_completion *out)
{
    if (status)
        forget(steps);
    else
        tern_work_leave(&steps->work, NULL);
    steps->over = true;
    steps->status = status;
    if (steps->waited)
        return false;
    steps->sq->cq->ended = steps;
    out->status = (enum tern_status)-status;
    out->opcode = steps->opcode;
    out->queue = steps->sq->number;
    out->context = steps->context;
    return true;
}

static void stall(struct tern_steps *steps)
{
    add(steps);
    tern_work_wake(&steps->work);
}

static bool go_on(struct tern_steps *steps, struct tern_completion *out)
{
    int status = post_next(steps);

    if (status > 0) {
        steps->out = (unsigned)status;
        return false;
    }
    if (status != -TERN_ST_AGAIN)
        return finish(steps, status, out);
    stall(steps);
    return false;
}

/*
 * Takes a completion. Without TERN_DFLAG_SIGNAL, steps of chains report only failures, which end
 * the chain.
 */
static bool steps_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct tern_steps *steps = steps_of(work);

    if (!wanted && completion->status == TERN_ST_OK)
        return false;
    if (!steps->heard(steps, completion))
        return false;
    return --steps->out == 0 && go_on(steps, completion);
}

static bool steps_step(struct tern_work *work, struct tern_completion *out)
{
    struct tern_steps *steps = steps_of(work);
    int status;

    if (!out)
        return false; /* the operation may have ended */
    status = steps->over ? steps->status : post_next(steps);
    if (status == -TERN_ST_AGAIN)
        return false;
    if (status <= 0)
        return finish(steps, status, out);
    steps->out = (unsigned)status;
    tern_work_leave(&steps->work, &steps->work);
    return false;
}

static bool steps_ready(const struct tern_work *work)
{
    const struct tern_steps *steps = steps_of(work);

    return steps->over || (tern_sq_room(steps->sq, 1) && !steps->sq->chain.steps);
}

static bool steps_lost(struct tern_work *work, struct tern_completion *out)
{
    return steps_of(work)->work.awake && finish(steps_of(work), -TERN_ST_DISCONNECTED, out);
}

static const struct tern_work_calls steps_calls = {
    .ended = steps_ended, .step = steps_step, .ready = steps_ready, .lost = steps_lost};

static void prepare(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                    tern_steps_heard_fn *heard)
{
    if (sq->cq->kept.count)
        tern_kept_disown(sq->cq, steps);
    *steps = (struct tern_steps){
        .work.calls = &steps_calls, .sq = sq, .next = next, .heard = heard};
}

/* Posts for the first time; an operation that ends at once completes in the next poll. */
static int start(struct tern_steps *steps)
{
    int status = post_next(steps);

    if (status > 0)
        steps->out = (unsigned)status;
    if (status < 0 && status != -TERN_ST_AGAIN)
        forget(steps);
    steps->over = status == 0;
    if (status == 0)
        stall(steps);
    return status < 0 ? status : 0;
}

int tern_steps_start(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                     tern_steps_heard_fn *heard,
                     uint8_t opcode, uint64_t context)
{
    prepare(steps, sq, next, heard);
    steps->context = context;
    steps->opcode = opcode;
    return start(steps);
}

/* Keeps all completions that come meanwhile for the next poll. */
static int keep_some(struct tern_cq *cq)
{
    struct tern_completion other;
    int count;

    while ((count = tern_cq_take(cq, &other)) > 0) {
        int status = tern_kept_add(cq, &other);

        if (status)
            return status;
    }
    return count;
}

static int wait_on(struct tern_steps *steps, int timeout_ms)
{
    struct tern_cq *cq = steps->sq->cq;
    int64_t end = tern_now_ms() + timeout_ms;

    for (;;) {
        int status = keep_some(cq);
        int64_t left = end - tern_now_ms();

        if (steps->over)
            return steps->status;
        if (!status)
            status = tern_cq_sleep(cq, timeout_ms < 0 ? -1 : left > 0 ? (int)left : 0);
        if (status)
            return status;
    }
}

int tern_steps_wait(struct tern_steps *steps, int timeout_ms)
{
    int status;

    steps->waited = true;
    if (steps->over) {
        tern_work_leave(&steps->work, NULL);
        tern_kept_drop(steps->sq->cq, steps);
        return steps->status;
    }
    status = wait_on(steps, timeout_ms);
    if (!steps->over)
        forget(steps);
    steps->over = true;
    tern_kept_tell(steps->sq->cq);
    return status;
}

int tern_steps_run(struct tern_steps *steps, struct tern_sq *sq, tern_steps_next_fn *next,
                   tern_steps_heard_fn *heard,
                   int timeout_ms)
{
    int status;

    prepare(steps, sq, next, heard);
    status = start(steps);
    if (status == -TERN_ST_AGAIN)
        stall(steps);
    else if (status)
        return status;
    return tern_steps_wait(steps, timeout_ms);
}

/* ---- waiting for one operation */

static int nothing_more(struct tern_steps *steps)
{
    (void)steps;
    return 0;
}

static bool once_heard(struct tern_steps *steps, const struct tern_completion *completion)
{
    struct tern_once *once =
        (struct tern_once *)(void *)((uint8_t *)steps - offsetof(struct tern_once, steps));

    tern_completion_copy(once->done, completion, once->size);
    return true;
}

void tern_once_begin_sized(struct tern_once *once, struct tern_sq *sq, void *done, size_t size)
{
    once->done = done;
    once->size = size;
    prepare(&once->steps, sq, nothing_more, once_heard);
    once->steps.out = 1;
    once->before = tern_sq_serve(sq, &once->steps.work);
}

int tern_once_end(struct tern_once *once, int posted, int timeout_ms)
{
    (void)tern_sq_serve(once->steps.sq, once->before);
    if (posted < 0) {
        forget(&once->steps);
        return posted;
    }
    return tern_steps_wait(&once->steps, timeout_ms);
}
