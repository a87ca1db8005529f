/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on task queues in steps. */
#include "tasks_steps.h"

enum { PLACES, READY, PUSHED };

/* ---- pushing */

static int push_next(struct tern_steps *steps)
{
    struct tern_tpush *p = (struct tern_tpush *)(void *)steps;
    const struct tern_completion done = {.opcode = p->wanted ? TERN_OP_CAS : TERN_OP_TAKE,
                                         .status = p->answer, .value = p->map};
    int status;

    if (p->step == PUSHED)
        return -(int)(p->failed != TERN_ST_OK ? p->failed : p->answer);
    if (p->step == PLACES)
        status = tern_tpush_post(steps->sq, p->tasks, p->word, p->wanted, 0, 0);
    else
        status = tern_tpush_done(steps->sq, p->tasks, p->word, p->wanted, &done, p->region,
                                 p->places, 0, 0);
    if (status < 0)
        return status;
    p->pushed = (unsigned)status;
    p->step++;
    return 1;
}

/* Takes a completion; that of a failed put comes before the last one. */
static bool push_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct tern_tpush *p = (struct tern_tpush *)(void *)steps;

    if (done->opcode == TERN_OP_PUT) {
        if (p->failed == TERN_ST_OK)
            p->failed = done->status;
        return false;
    }
    p->answer = done->status;
    if (p->step == READY && done->status == TERN_ST_OK)
        p->map = done->value;
    return true;
}

static int push_prepare(struct tern_tpush *p)
{
    p->pushed = 0;
    p->step = PLACES;
    p->failed = TERN_ST_OK;
    return p->tasks ? 0 : -TERN_ST_BAD_ARGUMENT;
}

int tern_tpush(struct tern_sq *sq, struct tern_tpush *p, uint64_t context)
{
    int status = push_prepare(p);

    return status ? status : tern_steps_start(&p->steps, sq, push_next, push_heard, TERN_OP_ADD,
                                              context);
}

int tern_tpush_run(struct tern_sq *sq, struct tern_tpush *p, int timeout_ms)
{
    int status = push_prepare(p);

    return status ? status : tern_steps_run(&p->steps, sq, push_next, push_heard, timeout_ms);
}

/* ---- taking */

/*
 * Posts what comes after the status of tern_tpop_done(); after AGAIN, handles the last completion
 * again.
 */
static int pop_next(struct tern_steps *steps)
{
    struct tern_tpop *p = (struct tern_tpop *)(void *)steps;
    const struct tern_completion again = {.opcode = TERN_OP_NOP};

    if (!p->begun) {
        int count = tern_tpop_post(steps->sq, p->tasks, p, 0);

        p->begun = count > 0;
        return count;
    }
    return tern_tpop_done(steps->sq, p->tasks, p->holder, p, &again, 0);
}

/* Stores the completion; pop_next() handles them when all have come. */
static bool pop_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct tern_tpop *p = (struct tern_tpop *)(void *)steps;

    tern_tpop_hear(p->tasks, p, done);
    return true;
}

int tern_tpop(struct tern_sq *sq, struct tern_tpop *p, uint64_t context)
{
    if (!p->tasks || p->holder.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    p->begun = false;
    return tern_steps_start(&p->steps, sq, pop_next, pop_heard, TERN_OP_TAKE, context);
}

/* ---- running */

/* Frees the place; the application gets no completion for that operation. */
static int free_place(struct tern_sq *sq, struct tern_tdone *d, const struct tern_completion *done)
{
    struct tern_work *before = tern_sq_serve(sq, tern_sq_stray(sq));
    int status = tern_tdone_done(sq, d->tasks, &d->task, done, 0, 0);

    (void)tern_sq_serve(sq, before);
    return status;
}

static int done_next(struct tern_steps *steps)
{
    struct tern_tdone *d = (struct tern_tdone *)(void *)steps;
    const struct tern_completion done = {.opcode = TERN_OP_CAS, .status = d->answer,
                                         .value = d->word};
    int status;

    if (d->posted)
        return free_place(steps->sq, d, &done);
    status = tern_tdone_post(steps->sq, d->tasks, &d->task, d->flags, 0);
    d->posted = !status;
    return status ? status : 1;
}

static int renew_next(struct tern_steps *steps)
{
    struct tern_tdone *d = (struct tern_tdone *)(void *)steps;
    const struct tern_completion done = {.opcode = TERN_OP_CAS, .status = d->answer,
                                         .value = d->word};
    int status;

    if (d->posted)
        return tern_trenew_done(d->holder, &d->task, &done);
    status = tern_trenew_post(steps->sq, d->tasks, d->holder, &d->task, d->flags, 0);
    d->posted = !status;
    return status ? status : 1;
}

static bool done_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct tern_tdone *d = (struct tern_tdone *)(void *)steps;

    d->answer = done->status;
    d->word = done->value;
    return true;
}

static int done_prepare(struct tern_tdone *d)
{
    d->posted = false;
    return d->tasks ? 0 : -TERN_ST_BAD_ARGUMENT;
}

int tern_tdone(struct tern_sq *sq, struct tern_tdone *d, uint64_t context)
{
    int status = done_prepare(d);

    return status ? status : tern_steps_start(&d->steps, sq, done_next, done_heard, TERN_OP_CAS,
                                              context);
}

int tern_trenew(struct tern_sq *sq, struct tern_tdone *d, uint64_t context)
{
    int status = done_prepare(d);

    return status ? status : tern_steps_start(&d->steps, sq, renew_next, done_heard,
                                              TERN_OP_CAS, context);
}

int tern_trenew_run(struct tern_sq *sq, struct tern_tdone *d, int timeout_ms)
{
    int status = done_prepare(d);

    return status ? status : tern_steps_run(&d->steps, sq, renew_next, done_heard, timeout_ms);
}
