/* SPDX-License-Identifier: Apache-2.0 */
/* Completions and events as programs see them. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void cq_fire(struct verbs_cq *cq)
{
    cq->armed = CQ_UNARMED;
    atomic_fetch_sub(&cq->context->nic->armed, 1);
    if (cq->channel)
        channel_raise(cq->channel, cq->user_handle, 0, &cq->comp_events, cq);
}

void cq_overrun(struct verbs_cq *cq)
{
    if (cq->overrun)
        return;
    cq->overrun = true;
    channel_raise(cq->context->async, cq->user_handle, EVENT_CQ_ERR, &cq->async_events, cq);
}

void cq_push(struct verbs_cq *cq, const struct ib_uverbs_wc *wc, bool solicited)
{
    uint32_t next;
    struct ib_uverbs_wc *to = cq_place(cq, &next);

    if (!to) {
        cq_overrun(cq);
        return;
    }
    *to = *wc;
    cq_written(cq, next, solicited, wc->status);
}

/*
 * Arms the queue for one event: of a completion written from now on, as InfiniBand 11.4.2.2
 * requires.
 */
int cq_arm(struct verbs_cq *cq, bool solicited_only)
{
    if (cq->armed == CQ_UNARMED)
        atomic_fetch_add(&cq->context->nic->armed, 1);
    if (cq->armed != CQ_ARMED)
        cq->armed = solicited_only ? CQ_ARMED_SOLICITED : CQ_ARMED;
    nic_kick(cq->context->nic);
    return 0;
}

void qp_event(struct verbs_qp *qp, uint32_t type)
{
    channel_raise(qp->context->async, qp->user_handle, type, &qp->async_events, qp);
}
