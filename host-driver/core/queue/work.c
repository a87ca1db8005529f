/* SPDX-License-Identifier: Apache-2.0 */
/* The works of a completion queue: see tern/work.h. */
#include "queue.h"

static bool orphan_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    (void)work;
    (void)completion;
    (void)wanted;
    return false;
}

/* Owns the operations of removed works. */
static const struct tern_work_calls orphan_calls = {.ended = orphan_ended};
static struct tern_work orphan = {.calls = &orphan_calls};

void tern_work_add(struct tern_cq *cq, struct tern_work *work, const struct tern_work_calls *calls)
{
    *work = (struct tern_work){.calls = calls, .cq = cq, .next = cq->works, .link = &cq->works};
    if (work->next)
        work->next->link = &work->next;
    cq->works = work;
}

static void unlink_work(struct tern_work *work)
{
    tern_work_sleep(work);
    *work->link = work->next;
    if (work->next)
        work->next->link = work->link;
    work->cq = NULL;
}

void tern_work_leave(struct tern_work *work, struct tern_work *heir)
{
    struct tern_sq *sq = work->cq ? work->cq->sqs : NULL;

    for (; sq; sq = sq->next) {
        tern_places_inherit(&sq->places, work, heir);
        if (sq->work == work)
            sq->work = NULL;
    }
    if (work->cq)
        unlink_work(work);
}

void tern_work_remove(struct tern_work *work)
{
    tern_work_leave(work, &orphan);
}

void tern_work_wake(struct tern_work *work)
{
    if (!work->awake)
        work->cq->awake++;
    work->awake = true;
}

void tern_work_sleep(struct tern_work *work)
{
    if (work->awake)
        work->cq->awake--;
    work->awake = false;
}

void tern_works_free(struct tern_cq *cq)
{
    while (cq->works) {
        struct tern_work *work = cq->works;

        unlink_work(work);
        if (work->calls->free)
            work->calls->free(work);
    }
}
