/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles packets from the peer of a connected queue pair: messages for receive requests, and those
 * between the two libraries. A message without a request waits here, and the library tells the
 * sender that the receiver is not ready.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* A large message that the library is reading from the sender's memory. */
struct verbs_receipt {
    struct envelope envelope;
    struct envelope_piece pieces[VERBS_SGE];
    uint32_t piece, piece_done;   /* of the sender: next one to read */
    uint32_t sge, sge_done;       /* of the request: destination */
    uint32_t done;                /* requested bytes */
    unsigned parts;               /* reads in flight */
    unsigned wc_status;
};

/* ---- envelopes to the peer */

void envelope_begun(struct verbs_qp *qp)
{
    qp->envelopes++;
    atomic_fetch_add(&qp->nic->envelopes, 1);
}

bool control_send(struct verbs_qp *qp, enum purpose purpose, const struct envelope *envelope)
{
    uint16_t slot;

    if (qp->link == LINK_NONE || qp->link == LINK_AGAIN ||
        tern_pair_state(qp->pair) != TERN_PAIR_RTS)
        return true; /* the peer gets no more envelopes */
    slot = slot_take(qp->nic, qp);
    if (!slot)
        return false;
    memcpy(slot_at(qp->nic, slot), envelope, sizeof(*envelope));
    if (tern_pair_send(qp->pair, qp->nic->staging_region, slot_at(qp->nic, slot), sizeof(*envelope),
                       0, TERN_DFLAG_SIGNAL, context_make(purpose, 0, slot))) {
        slot_release(qp->nic, slot);
        return false;
    }
    envelope_begun(qp);
    return true;
}

static void say(struct verbs_qp *qp, enum envelope_type type, uint32_t sequence, uint32_t value)
{
    struct envelope envelope = {
        .type = (uint8_t)type, .sequence = sequence, .acked = qp->received, .value = value};

    if (control_send(qp, FOR_CONTROL, &envelope))
        qp->told_received = qp->received;
    else
        qp_busy(qp);
}

/* ---- receive requests */

static struct verbs_ring *requests(struct verbs_qp *qp)
{
    return qp->srq ? &qp->srq->ring : &qp->rq;
}

struct rxe_recv_wqe *request_peek(struct verbs_qp *qp)
{
    struct verbs_ring *ring = requests(qp);
    uint32_t at = ring_consumer(ring);

    return at == ring_producer(ring) ? NULL : ring_at(ring, at);
}

static void look_at_limit(struct verbs_srq *srq)
{
    if (!srq->limit || ring_filled(&srq->ring) >= srq->limit)
        return;
    srq->limit = 0;
    channel_raise(srq->context->async, srq->user_handle, EVENT_SRQ_LIMIT, &srq->async_events, srq);
}

void request_taken(struct verbs_qp *qp)
{
    struct verbs_ring *ring = requests(qp);

    ring_consume(ring, ring_next(ring, ring_consumer(ring)));
    if (qp->srq)
        look_at_limit(qp->srq);
}

static uint32_t request_length(const struct rxe_recv_wqe *request)
{
    uint64_t length = 0;

    for (uint32_t at = 0; at < request->dma.num_sge && at < VERBS_SGE; at++)
        length += request->dma.sge[at].length;
    return length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
}

/* A shared queue's memory belongs to its own domain. */
static const struct verbs_pd *domain(const struct verbs_qp *qp)
{
    return qp->srq ? qp->srq->pd : qp->pd;
}

unsigned request_fill(struct verbs_qp *qp, const struct rxe_recv_wqe *request, uint32_t skip,
                      const void *from, uint32_t bytes)
{
    const uint8_t *next = from;

    for (uint32_t at = 0; at < request->dma.num_sge && at < VERBS_SGE && bytes; at++) {
        const struct rxe_sge *sge = &request->dma.sge[at];
        uint32_t part;

        if (skip >= sge->length) {
            skip -= sge->length;
            continue;
        }
        part = sge->length - skip < bytes ? sge->length - skip : bytes;
        if (!mr_find(qp->nic, domain(qp), sge->lkey, sge->addr + skip, part, true))
            return WC_LOC_PROT;
        memcpy((void *)(uintptr_t)(sge->addr + skip), next, part);
        next += part;
        bytes -= part;
        skip = 0;
    }
    return bytes ? WC_LOC_LEN : WC_SUCCESS;
}

static void tell(struct verbs_qp *qp, uint64_t wr_id, const struct envelope *envelope,
                 unsigned wc_status)
{
    struct ib_uverbs_wc wc = {.wr_id = wr_id,
                              .status = wc_status,
                              .opcode =
                                  envelope->type == ENVELOPE_WRITTEN ? WC_RECV_WITH_IMM : WC_RECV,
                              .byte_len = envelope->length,
                              .qp_num = qp->number,
                              .src_qp = qp->attr.dest_qp_num};

    if (envelope->flags & ENVELOPE_IMM) {
        wc.wc_flags = WC_FLAG_IMM;
        wc.ex.imm_data = envelope->imm;
    }
    cq_push(qp->recv_cq, &wc, (envelope->flags & ENVELOPE_SOLICITED) != 0);
}

/* Refuses the message: reports the reason to the sender, and both sides break. */
static void refuse(struct verbs_qp *qp, const struct envelope *envelope, unsigned local,
                   unsigned remote)
{
    struct rxe_recv_wqe *request = request_peek(qp);
    uint64_t wr_id = request->wr_id;

    request_taken(qp);
    tell(qp, wr_id, envelope, local);
    if (qp->type == QPT_RC)
        say(qp, ENVELOPE_REFUSED, envelope->sequence, remote);
    qp_break(qp, WC_FLUSH);
}

static void accept_message(struct verbs_qp *qp, const struct envelope *envelope)
{
    uint64_t wr_id = request_peek(qp)->wr_id;

    request_taken(qp);
    qp->received++;
    tell(qp, wr_id, envelope, WC_SUCCESS);
    qp_busy(qp); /* an acknowledgement is due */
}

/* ---- large messages */

static unsigned read_piece(struct verbs_qp *qp, struct verbs_receipt *receipt,
                           const struct rxe_recv_wqe *request, bool *has_place)
{
    const struct envelope_piece *piece = &receipt->pieces[receipt->piece];
    const struct rxe_sge *sge = &request->dma.sge[receipt->sge];
    uint32_t part = piece->length - receipt->piece_done;
    struct tern_rptr from = {{0}};
    struct verbs_mr *mr;
    int status;

    if (part > sge->length - receipt->sge_done)
        part = sge->length - receipt->sge_done;
    if (part) {
        uint64_t to = sge->addr + receipt->sge_done;

        mr = mr_find(qp->nic, domain(qp), sge->lkey, to, part, true);
        if (!mr)
            return WC_LOC_PROT;
        TERN_SET(RPTR, addr, from.w, piece->addr + receipt->piece_done);
        TERN_SET(RPTR, key, from.w, piece->key);
        TERN_SET(RPTR, node, from.w, qp->peer_node);
        TERN_SET(RPTR, incarnation, from.w, qp->peer_incarnation);
        status = tern_pair_read(qp->pair, from, mr->local, (void *)(uintptr_t)to, part,
                                TERN_DFLAG_SIGNAL, context_make(FOR_RECEIPT, 0, 0));
        if (status == -TERN_ST_AGAIN)
            *has_place = false;
        if (status)
            return status == -TERN_ST_AGAIN ? WC_SUCCESS : WC_LOC_QP_OP;
        receipt->parts++;
    }
    receipt->done += part;
    receipt->piece_done += part;
    receipt->sge_done += part;
    if (receipt->piece_done == piece->length) {
        receipt->piece++;
        receipt->piece_done = 0;
    }
    if (receipt->sge_done == sge->length) {
        receipt->sge++;
        receipt->sge_done = 0;
    }
    return WC_SUCCESS;
}

static void end_receipt(struct verbs_qp *qp)
{
    struct verbs_receipt *receipt = qp->receipt;

    qp->receipt = NULL;
    if (receipt->wc_status == WC_RETRY) {
        receive_forget(qp); /* the sender is gone; the request waits for another message */
        qp_lose(qp, WC_RETRY);
    } else if (receipt->wc_status)
        refuse(qp, &receipt->envelope, receipt->wc_status, WC_REM_OP);
    else
        accept_message(qp, &receipt->envelope);
    free(receipt);
}

static void step_receipt(struct verbs_qp *qp)
{
    struct verbs_receipt *receipt = qp->receipt;
    const struct rxe_recv_wqe *request = request_peek(qp);
    bool has_place = true;

    while (has_place && !receipt->wc_status && receipt->done < receipt->envelope.length)
        receipt->wc_status = read_piece(qp, receipt, request, &has_place);
    if (!has_place)
        qp_busy(qp);
    else if (!receipt->parts)
        end_receipt(qp);
}

static bool begin_receipt(struct verbs_qp *qp, const struct envelope *envelope, const void *pieces)
{
    struct verbs_receipt *receipt = calloc(1, sizeof(*receipt));

    if (!receipt)
        return false;
    receipt->envelope = *envelope;
    memcpy(receipt->pieces, pieces, envelope->pieces * sizeof(struct envelope_piece));
    qp->receipt = receipt;
    step_receipt(qp);
    return true;
}

void receive_ended(struct verbs_qp *qp, const struct tern_completion *done)
{
    struct verbs_receipt *receipt = qp->receipt;

    if (!receipt)
        return;
    receipt->parts--;
    if (done->status != TERN_ST_OK && !receipt->wc_status)
        receipt->wc_status = wc_status_of(done) == WC_LOC_PROT ? WC_LOC_PROT : WC_RETRY;
    if (qp->state == QPS_ERR)
        receive_flush(qp);
    else if (!receipt->parts)
        step_receipt(qp);
}

/* ---- messages */

/* Delivers a message to the next receive request; false when there is none now. */
static bool deliver(struct verbs_qp *qp, const struct envelope *envelope, uint32_t bytes)
{
    struct rxe_recv_wqe *request = request_peek(qp);
    unsigned wc_status;

    if (!request)
        return false;
    if (envelope->type == ENVELOPE_WRITTEN) {
        accept_message(qp, envelope);
        return true;
    }
    if (envelope->length > request_length(request)) {
        refuse(qp, envelope, WC_LOC_LEN, WC_REM_INV_REQ);
        return true;
    }
    if (envelope->type == ENVELOPE_ANNOUNCE)
        return begin_receipt(qp, envelope, envelope + 1);
    wc_status = request_fill(qp, request, 0, envelope + 1, bytes - (uint32_t)sizeof(*envelope));
    if (wc_status)
        refuse(qp, envelope, wc_status, WC_REM_OP);
    else
        accept_message(qp, envelope);
    return true;
}

static void stash(struct verbs_qp *qp, const void *data, uint32_t bytes)
{
    struct verbs_stashed *kept = malloc(sizeof(*kept) + bytes);

    if (!kept) {
        qp_break(qp, WC_FLUSH);
        return;
    }
    kept->next = NULL;
    kept->bytes = bytes;
    memcpy(kept->data, data, bytes);
    *qp->stash_end = kept;
    qp->stash_end = &kept->next;
    atomic_fetch_add(&qp->nic->waiting, 1);
    qp_busy(qp);
}

static void unstash(struct verbs_qp *qp)
{
    struct verbs_stashed *kept = qp->stash;

    qp->stash = kept->next;
    if (!qp->stash)
        qp->stash_end = &qp->stash;
    free(kept);
    atomic_fetch_sub(&qp->nic->waiting, 1);
}

static void message_came(struct verbs_qp *qp, const struct envelope *envelope, uint32_t bytes)
{
    if (qp->state < QPS_RTR || qp->state == QPS_ERR) {
        say(qp, ENVELOPE_REFUSED, envelope->sequence, WC_RETRY);
        return;
    }
    if (!qp->stash && !qp->receipt && deliver(qp, envelope, bytes))
        return;
    if (qp->type == QPT_UC && !qp->receipt && !qp->stash) {
        qp->received++; /* a message of an unreliable pair is lost if no request waits for it */
        qp_busy(qp);
        return;
    }
    stash(qp, envelope, bytes);
    if (!request_peek(qp) && !qp->told_rnr && !qp->receipt) {
        qp->told_rnr = true;
        say(qp, ENVELOPE_RNR, envelope->sequence, qp->attr.min_rnr_timer);
    }
}

void receive_step(struct verbs_qp *qp)
{
    if (qp->state == QPS_ERR)
        return;
    if (qp->receipt && !qp->receipt->parts)
        step_receipt(qp);
    while (qp->stash && !qp->receipt && qp->state != QPS_ERR) {
        struct verbs_stashed *kept = qp->stash;

        if (!deliver(qp, (const struct envelope *)kept->data, kept->bytes))
            break;
        qp->told_rnr = false;
        if (qp->stash == kept)
            unstash(qp);
    }
    if (qp->stash)
        qp_busy(qp);
    if (qp->received != qp->told_received)
        say(qp, ENVELOPE_ACK, 0, 0);
}

/* ---- envelopes from the peer */

/*
 * Converts a code of min_rnr_timer to microseconds: InfiniBand Architecture Specification Volume 1,
 * table 45.
 */
static uint32_t rnr_us(uint32_t code)
{
    static const uint32_t us[32] = {655360, 10,    20,    30,     40,     60,     80,     120,
                                    160,    240,   320,   480,    640,    960,    1280,   1920,
                                    2560,   3840,  5120,  7680,   10240,  15360,  20480,  30720,
                                    40960,  61440, 81920, 122880, 163840, 245760, 327680, 491520};

    return us[code & 31];
}

/*
 * Handles a receiver that has no receive request: the receiver keeps the message, and the sender
 * gives up after the time of its retries.
 */
static void not_ready(struct verbs_qp *qp, const struct envelope *envelope)
{
    if (qp->attr.rnr_retry == 7 || (int32_t)(qp->acked - envelope->sequence) > 0)
        return;
    qp->rnr_until = now_ms() + 1 + (int64_t)qp->attr.rnr_retry * rnr_us(envelope->value) / 1000;
}

static void refused(struct verbs_qp *qp, const struct envelope *envelope)
{
    send_acked(qp, envelope->sequence);
    if (qp->state != QPS_ERR)
        qp_break(qp, envelope->value);
}

void receive_message(struct verbs_qp *qp, const void *data, uint32_t bytes)
{
    const struct envelope *envelope = data;

    if (bytes < sizeof(*envelope) ||
        (envelope->type == ENVELOPE_ANNOUNCE &&
         (envelope->pieces > VERBS_SGE ||
          bytes < sizeof(*envelope) + envelope->pieces * sizeof(struct envelope_piece))))
        return;
    if (envelope->type != ENVELOPE_HELLO && envelope->type != ENVELOPE_WELCOME)
        send_acked(qp, envelope->acked);
    switch (envelope->type) {
    case ENVELOPE_DATA:
    case ENVELOPE_ANNOUNCE:
    case ENVELOPE_WRITTEN:
        message_came(qp, envelope, bytes);
        break;
    case ENVELOPE_RNR:
        not_ready(qp, envelope);
        break;
    case ENVELOPE_REFUSED:
        refused(qp, envelope);
        break;
    case ENVELOPE_HELLO:
    case ENVELOPE_WELCOME:
        link_heard(qp, envelope);
        break;
    case ENVELOPE_ACCESS:
        qp->peer_access = envelope->access;
        qp->peer_domains = envelope->domains != 0;
        break;
    case ENVELOPE_KEY:
        domain_asked(qp, envelope->value);
        break;
    case ENVELOPE_KEY_IS:
        domain_told(qp, envelope->value, (envelope->flags & ENVELOPE_ALLOWED) != 0);
        break;
    case ENVELOPE_BYE:
        qp_lose(qp, WC_RETRY);
        break;
    default:
        break;
    }
}

/* ---- ends */

void receive_settle(struct verbs_qp *qp)
{
    if (qp->link == LINK_UP && qp->received != qp->told_received)
        say(qp, ENVELOPE_ACK, 0, 0);
}

void receive_forget(struct verbs_qp *qp)
{
    while (qp->stash)
        unstash(qp);
    free(qp->receipt);
    qp->receipt = NULL;
    qp->told_rnr = false;
}

void receive_flush(struct verbs_qp *qp)
{
    struct rxe_recv_wqe *request;

    if (qp->receipt && qp->receipt->parts && !qp->nic->dead)
        return; /* the NIC still writes to the buffer */
    receive_forget(qp);
    if (qp->srq) {
        if (!qp->last_wqe_told)
            qp_event(qp, EVENT_QP_LAST_WQE);
        qp->last_wqe_told = true;
        return;
    }
    while ((request = request_peek(qp))) {
        struct ib_uverbs_wc wc = {
            .wr_id = request->wr_id, .status = WC_FLUSH, .opcode = WC_RECV, .qp_num = qp->number};

        request_taken(qp);
        cq_push(qp->recv_cq, &wc, false);
    }
}
