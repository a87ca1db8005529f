/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of queue pairs. The attributes that a change needs and allows: ibv_modify_qp(3) and
 * InfiniBand Architecture Specification Volume 1, 11.2.5.2.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum {
    A_STATE = 1 << 0,
    A_CUR = 1 << 1,
    A_SQD_NOTIFY = 1 << 2,
    A_ACCESS = 1 << 3,
    A_PKEY = 1 << 4,
    A_PORT = 1 << 5,
    A_QKEY = 1 << 6,
    A_AV = 1 << 7,
    A_MTU = 1 << 8,
    A_TIMEOUT = 1 << 9,
    A_RETRY = 1 << 10,
    A_RNR_RETRY = 1 << 11,
    A_RQ_PSN = 1 << 12,
    A_RD_ATOMIC = 1 << 13,
    A_ALT = 1 << 14,
    A_RNR_TIMER = 1 << 15,
    A_SQ_PSN = 1 << 16,
    A_DEST_ATOMIC = 1 << 17,
    A_MIG = 1 << 18,
    A_CAP = 1 << 19,
    A_DEST = 1 << 20,
    A_CONNECTED = A_ACCESS | A_ALT | A_MIG
};

enum { SETTLE_MS = 2000 };

/* The attributes that a change of state needs, and those that it may set, for RC, UC and UD. */
static const struct {
    uint8_t from, to;
    struct {
        uint32_t needs, may;
    } of[3];
} changes[] = {
    {QPS_RESET,
     QPS_INIT,
     {{A_PKEY | A_PORT | A_ACCESS, 0},
      {A_PKEY | A_PORT | A_ACCESS, 0},
      {A_PKEY | A_PORT | A_QKEY, 0}}},
    {QPS_INIT,
     QPS_INIT,
     {{0, A_PKEY | A_PORT | A_ACCESS},
      {0, A_PKEY | A_PORT | A_ACCESS},
      {0, A_PKEY | A_PORT | A_QKEY}}},
    {QPS_INIT,
     QPS_RTR,
     {{A_AV | A_MTU | A_DEST | A_RQ_PSN | A_DEST_ATOMIC | A_RNR_TIMER, A_PKEY | A_ACCESS | A_ALT},
      {A_AV | A_MTU | A_DEST | A_RQ_PSN, A_PKEY | A_ACCESS | A_ALT},
      {0, A_PKEY | A_QKEY}}},
    {QPS_RTR,
     QPS_RTS,
     {{A_TIMEOUT | A_RETRY | A_RNR_RETRY | A_SQ_PSN | A_RD_ATOMIC,
       A_CUR | A_CONNECTED | A_RNR_TIMER},
      {A_SQ_PSN, A_CUR | A_CONNECTED},
      {A_SQ_PSN, A_CUR | A_QKEY}}},
    {QPS_RTS,
     QPS_RTS,
     {{0, A_CUR | A_CONNECTED | A_RNR_TIMER}, {0, A_CUR | A_CONNECTED}, {0, A_CUR | A_QKEY}}},
    {QPS_RTS, QPS_SQD, {{0, A_SQD_NOTIFY}, {0, A_SQD_NOTIFY}, {0, A_SQD_NOTIFY}}},
    {QPS_SQD,
     QPS_SQD,
     {{0, A_PKEY | A_PORT | A_AV | A_TIMEOUT | A_RETRY | A_RNR_RETRY | A_RD_ATOMIC | A_CONNECTED |
              A_RNR_TIMER | A_DEST_ATOMIC},
      {0, A_PKEY | A_AV | A_CONNECTED},
      {0, A_PKEY | A_QKEY}}},
    {QPS_SQD,
     QPS_RTS,
     {{0, A_CUR | A_CONNECTED | A_RNR_TIMER}, {0, A_CUR | A_CONNECTED}, {0, A_CUR | A_QKEY}}},
    {QPS_SQE, QPS_RTS, {{UINT32_MAX, 0}, {0, A_CUR | A_ACCESS}, {0, A_CUR | A_QKEY}}},
};

/* ---- addresses: 10.x.y.(z+1) as an IPv4 address in a GID */

void gid_of_node(uint16_t node, uint8_t *gid)
{
    memset(gid, 0, 16);
    gid[10] = gid[11] = 0xff;
    gid[12] = 10;
    gid[13] = node & 31;
    gid[14] = node >> 5 & 31;
    gid[15] = (uint8_t)((node >> 10 & 31) + 1);
}

static bool is_in_torus(const struct verbs_nic *nic, uint16_t node)
{
    for (unsigned shift = 0; shift < 15; shift += 5)
        if ((node >> shift & 31) > (nic->info.dims >> shift & 31))
            return false;
    return true;
}

bool gid_to_node(const struct verbs_nic *nic, const uint8_t *gid, uint16_t *node)
{
    uint8_t again[16];

    *node = (uint16_t)((gid[13] & 31) | (gid[14] & 31) << 5 | ((gid[15] - 1) & 31) << 10);
    gid_of_node(*node, again);
    /* The link-local form has the same bytes at its end. */
    if (gid[0] == 0xfe && gid[1] == 0x80)
        memcpy(again, gid, 12);
    return !memcmp(gid, again, 16) && is_in_torus(nic, *node);
}

/* ---- pending work */

void qp_busy(struct verbs_qp *qp)
{
    if (qp->busy)
        return;
    qp->busy = true;
    qp->next_busy = NULL;
    *qp->nic->busy_end = qp;
    qp->nic->busy_end = &qp->next_busy;
    if (!qp->nic->dead)
        tern_work_wake(&qp->nic->stepper);
}

static void not_busy(struct verbs_qp *qp)
{
    struct verbs_qp **link = &qp->nic->busy;

    while (*link && *link != qp)
        link = &(*link)->next_busy;
    if (*link)
        *link = qp->next_busy;
    for (link = &qp->nic->busy; *link; link = &(*link)->next_busy)
        ;
    qp->nic->busy_end = link;
    qp->busy = false;
}

/* ---- ends of the pair's operations */

static void envelope_ended(struct verbs_qp *qp)
{
    qp->envelopes--;
    atomic_fetch_sub(&qp->nic->envelopes, 1);
}

static struct verbs_qp *qp_of(struct tern_work *served)
{
    return (struct verbs_qp *)(void *)((uint8_t *)served - offsetof(struct verbs_qp, served));
}

static __attribute__((noinline)) bool other_ended(struct verbs_qp *qp, enum purpose purpose,
                                                  const struct tern_completion *done)
{
    bool is_bad = done->status != TERN_ST_OK;

    slot_release(qp->nic, (uint16_t)done->context); /* the slot may be used again */
    if (qp->type != QPT_UD && done->opcode == TERN_OP_SEND)
        envelope_ended(qp);
    if (purpose == FOR_WORK)
        return send_ended(qp, (uint32_t)(done->context >> 16), done);
    if (purpose == FOR_RECEIPT)
        receive_ended(qp, done);
    else if (purpose == FOR_HELLO && is_bad)
        link_failed(qp);
    else if (is_bad && qp->link == LINK_UP)
        qp_lose(qp, wc_status_of(done));
    return false;
}

static bool ended(struct tern_work *served, struct tern_completion *done, bool wanted)
{
    struct verbs_qp *qp = qp_of(served);
    enum purpose purpose = (enum purpose)(done->context >> 56);

    (void)wanted;
    if (purpose == FOR_WORK && !(uint16_t)done->context)
        return send_ended(qp, (uint32_t)(done->context >> 16), done);
    return other_ended(qp, purpose, done);
}

static const struct tern_work_calls served_calls = {.ended = ended};

void qp_serve(struct verbs_qp *qp)
{
    qp->served.calls = &served_calls;
    tern_pair_serve(qp->pair, &qp->served);
}

/* ---- errors */

static void set_state(struct verbs_qp *qp, unsigned state)
{
    if (state == QPS_ERR && qp->state != QPS_ERR)
        qp->nic->errored++;
    else if (state != QPS_ERR && qp->state == QPS_ERR)
        qp->nic->errored--;
    qp->state = (uint8_t)state;
}

static bool is_posted(const struct verbs_qp *qp)
{
    return qp->done != ring_producer(&qp->sq);
}

void qp_lose(struct verbs_qp *qp, unsigned wc_status)
{
    if (qp->state == QPS_ERR || qp->state == QPS_RESET)
        return;
    if (!qp->lost)
        qp->lost = wc_status == WC_FLUSH ? WC_RETRY : (uint8_t)wc_status;
    send_complete(qp);
    if (qp->next != ring_producer(&qp->sq))
        qp_busy(qp); /* what is posted is refused */
}

void qp_break(struct verbs_qp *qp, unsigned wc_status)
{
    struct envelope envelope = {.type = ENVELOPE_BYE, .acked = qp->received};

    if (qp->state == QPS_ERR)
        return;
    if (wc_status != WC_FLUSH && is_posted(qp)) {
        struct verbs_work *work = &qp->work[qp->done];

        if (work->state == WORK_FREE) {
            work->parts = 0;
            work->state = WORK_POSTED;
            work->wc_status = 0;
            if (qp->next == qp->done)
                qp->next = ring_next(&qp->sq, qp->next);
        }
        if (!work->wc_status)
            work->wc_status = (uint8_t)wc_status;
    }
    if (qp->link == LINK_UP && !qp->nic->dead)
        (void)control_send(qp, FOR_CONTROL, &envelope);
    set_state(qp, QPS_ERR);
    qp->rnr_until = qp->waiting_since = qp->heard = 0;
    send_flush(qp); /* reports the error, before the others are flushed */
    receive_flush(qp);
}

/* ---- changes */

static int find_change(const struct verbs_qp *qp, unsigned to, uint32_t mask)
{
    const unsigned kind = qp->type == QPT_RC ? 0 : qp->type == QPT_UC ? 1 : 2;

    mask &= ~(uint32_t)A_STATE;
    if (to == QPS_ERR && qp->state == QPS_RESET)
        return EINVAL;
    if (to == QPS_RESET || to == QPS_ERR)
        return mask & ~(uint32_t)A_CUR ? EINVAL : 0;
    for (size_t at = 0; at < sizeof(changes) / sizeof(changes[0]); at++) {
        if (changes[at].from != qp->state || changes[at].to != to)
            continue;
        if ((mask & changes[at].of[kind].needs) != changes[at].of[kind].needs ||
            (mask & ~(changes[at].of[kind].needs | changes[at].of[kind].may)))
            return EINVAL;
        return 0;
    }
    return EINVAL;
}

static int check_values(const struct verbs_qp *qp, const struct ib_uverbs_modify_qp *c)
{
    const uint32_t mask = c->attr_mask;
    uint16_t node;

    if ((mask & A_PORT && c->port_num != 1) || (mask & A_PKEY && c->pkey_index != 0) ||
        (mask & A_MTU && (c->path_mtu < 1 || c->path_mtu > 5)) ||
        (mask & A_RD_ATOMIC && c->max_rd_atomic > 16) ||
        (mask & A_DEST_ATOMIC && c->max_dest_rd_atomic > 16) ||
        (mask & A_RETRY && c->retry_cnt > 7) || (mask & A_RNR_RETRY && c->rnr_retry > 7) ||
        (mask & A_RNR_TIMER && c->min_rnr_timer > 31) || (mask & A_TIMEOUT && c->timeout > 31) ||
        (mask & (A_CAP | A_ALT)) || (mask & A_CUR && c->cur_qp_state != qp->state))
        return EINVAL;
    /* Without a global route the target node is unknown: this link layer has no LIDs. */
    if (mask & A_AV && (!c->dest.is_global || c->dest.port_num != 1 || c->dest.sgid_index > 1))
        return EINVAL;
    if (mask & A_AV && !gid_to_node(qp->nic, c->dest.dgid, &node))
        return ENETUNREACH;
    if (mask & A_DEST && (c->dest_qp_num == 0 || c->dest_qp_num > 0xffff))
        return EINVAL;
    return 0;
}

static void keep(struct verbs_qp *qp, const struct ib_uverbs_modify_qp *c)
{
    const uint32_t mask = c->attr_mask;
    struct ib_uverbs_modify_qp *a = &qp->attr;

#define KEEP(bit, field) \
    if (mask & (bit)) \
    a->field = c->field
    KEEP(A_ACCESS, qp_access_flags);
    KEEP(A_PKEY, pkey_index);
    KEEP(A_PORT, port_num);
    KEEP(A_QKEY, qkey);
    KEEP(A_AV, dest);
    KEEP(A_MTU, path_mtu);
    KEEP(A_TIMEOUT, timeout);
    KEEP(A_RETRY, retry_cnt);
    KEEP(A_RNR_RETRY, rnr_retry);
    KEEP(A_RQ_PSN, rq_psn);
    KEEP(A_RD_ATOMIC, max_rd_atomic);
    KEEP(A_RNR_TIMER, min_rnr_timer);
    KEEP(A_SQ_PSN, sq_psn);
    KEEP(A_DEST_ATOMIC, max_dest_rd_atomic);
    KEEP(A_DEST, dest_qp_num);
    KEEP(A_MIG, path_mig_state);
#undef KEEP
}

static void come_up(struct verbs_qp *qp)
{
    struct tern_pair_peer peer = {.key = qp->attr.qkey};

    if (qp->type == QPT_UD) {
        (void)tern_pair_connect(qp->pair, &peer);
        (void)tern_pair_start(qp->pair, 0, 0);
        return;
    }
    (void)gid_to_node(qp->nic, qp->attr.dest.dgid, &qp->peer_node);
    link_begin(qp);
}

/*
 * Waits until the peer's NIC has the acknowledgements of all messages, unless it takes too long:
 * without the pair they would be lost, and the peer's requests would fail.
 */
static void settle(struct verbs_qp *qp)
{
    const int64_t until = now_ms() + SETTLE_MS;

    if (qp->nic->gone || qp->nic->dead)
        return;
    /* A program that polls no longer still receives what has arrived. */
    while (qp->link == LINK_UP && nic_progress(qp->nic) > 0 && now_ms() < until)
        ;
    receive_settle(qp);
    while (qp->link == LINK_UP && qp->envelopes && !qp->lost && !qp->nic->dead && now_ms() < until)
        if (!nic_progress(qp->nic))
            sched_yield();
}

/* Waits until the NIC has ended all operations in flight; each of them has a time limit. */
static int reset(struct verbs_qp *qp)
{
    int status = 0;

    settle(qp);
    if (!qp->nic->dead) {
        while ((status = link_reset(qp)) == -TERN_ST_QUEUE_BUSY) {
            nic_progress(qp->nic);
            if (qp->nic->dead)
                break;
        }
    }
    set_state(qp, QPS_RESET);
    receive_forget(qp);
    not_busy(qp);
    memset(qp->work, 0, (ring_entries(&qp->sq) + 1) * sizeof(*qp->work));
    qp->next = qp->done = ring_producer(&qp->sq);
    ring_consume(&qp->sq, qp->done);
    if (!qp->srq)
        ring_consume(&qp->rq, ring_producer(&qp->rq));
    qp->sent = qp->acked = qp->received = qp->told_received = 0;
    qp->link = LINK_NONE;
    domain_forget(qp);
    qp->lost = 0;
    qp->told_error = qp->draining = qp->last_wqe_told = false;
    qp->rnr_until = qp->waiting_since = qp->heard = qp->pinged = 0;
    memset(&qp->attr, 0, sizeof(qp->attr));
    return status && status != -TERN_ST_QUEUE_BUSY ? EIO : 0;
}

static void drain(struct verbs_qp *qp, const struct ib_uverbs_modify_qp *c)
{
    qp->sqd_notify = (c->attr_mask & A_SQD_NOTIFY) && c->en_sqd_async_notify;
    qp->draining = true;
    send_complete(qp);
}

int qp_modify(struct verbs_qp *qp, const struct ib_uverbs_modify_qp *c)
{
    const unsigned to = c->attr_mask & A_STATE ? c->qp_state : qp->state;
    const unsigned from = qp->state;
    int error = to > QPS_ERR ? EINVAL : find_change(qp, to, c->attr_mask);

    if (!error && to != QPS_RESET && to != QPS_ERR)
        error = check_values(qp, c);
    if (error)
        return error;
    if (to == QPS_RESET)
        return reset(qp);
    if (to == QPS_ERR) {
        qp_break(qp, WC_FLUSH);
        return 0;
    }
    keep(qp, c);
    set_state(qp, to);
    if (from >= QPS_RTR && c->attr_mask & A_ACCESS && qp->type != QPT_UD)
        link_tell_access(qp);
    if (from == QPS_INIT && to == QPS_RTR)
        come_up(qp);
    else if (to == QPS_SQD && from != QPS_SQD)
        drain(qp, c);
    else if (to == QPS_RTS && from != QPS_RTS)
        qp_busy(qp);
    return 0;
}

int qp_destroy(struct verbs_qp *qp)
{
    struct verbs_nic *nic = qp->nic;

    settle(qp);
    not_busy(qp);
    while (qp->envelopes)
        envelope_ended(qp);
    if (qp->state == QPS_ERR)
        nic->errored--;
    receive_forget(qp);
    domain_forget(qp);
    datagram_forget(nic, qp);
    nic->by_number[qp->number] = NULL;
    table_remove(&nic->qps, qp->handle);
    channel_forget(qp->context->async, qp);
    if (qp->pair && !nic->gone) {
        tern_pair_serve(qp->pair, NULL);
        (void)tern_pair_destroy(qp->pair);
    }
    for (unsigned slot = 1; nic->slots && slot < 1024; slot++)
        while (nic->slots[slot].users && nic->slots[slot].qp == qp)
            slot_release(nic, (uint16_t)slot);
    ring_destroy(qp->context, &qp->sq);
    if (!qp->srq)
        ring_destroy(qp->context, &qp->rq);
    qp->send_cq->users--;
    qp->recv_cq->users--;
    qp->pd->users--;
    if (qp->srq)
        qp->srq->users--;
    free(qp->work);
    free(qp);
    return 0;
}
