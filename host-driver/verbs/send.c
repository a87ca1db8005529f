/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work requests of send queues. They start in order, while there is place, and complete in order.
 *
 * The NIC does writes, reads and atomic operations: no software runs at the other side. A short
 * message follows its envelope. For a longer one the envelope gives its address, and the receiver
 * reads it. A message completes when the receiver has acknowledged it.
 */
#include <errno.h>
#include <string.h>

#include "inside.h"

/* The outcome of an attempt to start a request. */
enum outcome { STARTED, NO_PLACE, REFUSED };

static struct rxe_send_wqe *wqe_at(const struct verbs_qp *qp, uint32_t place)
{
    return ring_at(&qp->sq, place);
}

unsigned wc_status_of(const struct tern_completion *done)
{
    bool is_remote = done->fault == 2;

    switch (done->status) {
    case TERN_ST_OK:
        return WC_SUCCESS;
    case TERN_ST_BAD_KEY:
    case TERN_ST_BAD_RANGE:
    case TERN_ST_BAD_RIGHTS:
    case TERN_ST_NOT_OWNER:
        return is_remote ? WC_REM_ACCESS : WC_LOC_PROT;
    case TERN_ST_HOST_FAULT:
        return is_remote ? WC_REM_OP : WC_LOC_PROT;
    case TERN_ST_BAD_ALIGN:
    case TERN_ST_MSG_TOO_LONG:
        return WC_REM_INV_REQ;
    case TERN_ST_BAD_LENGTH:
        return WC_LOC_LEN;
    case TERN_ST_FLUSHED:
    case TERN_ST_CANCELLED:
        return WC_FLUSH;
    case TERN_ST_DISCONNECTED:
        return WC_FATAL;
    case TERN_ST_RNR:
    case TERN_ST_BAD_NODE:
    case TERN_ST_LINK_DOWN:
    case TERN_ST_TIMEOUT:
    case TERN_ST_BAD_QUEUE:
    case TERN_ST_BAD_TYPE:
    case TERN_ST_STALE_NODE:
    case TERN_ST_BAD_STATE:
    case TERN_ST_NOT_PEER:
    case TERN_ST_EARLY:
        return WC_RETRY;
    default:
        return WC_LOC_QP_OP;
    }
}

/* ---- pieces of memory */

static inline struct tern_rptr remote_pointer(const struct verbs_qp *qp, uint64_t addr,
                                              uint32_t key)
{
    struct tern_rptr pointer = {{0}};

    TERN_SET(RPTR, addr, pointer.w, addr);
    TERN_SET(RPTR, key, pointer.w, key);
    TERN_SET(RPTR, node, pointer.w, qp->peer_node);
    TERN_SET(RPTR, incarnation, pointer.w, qp->peer_incarnation);
    return pointer;
}

static uint32_t total_length(const struct rxe_send_wqe *wqe)
{
    uint64_t length = 0;

    if (wqe->wr.send_flags & SEND_INLINE || wqe->wr.opcode == WR_ATOMIC_WRITE)
        return wqe->dma.length;
    for (uint32_t at = 0; at < wqe->dma.num_sge && at < VERBS_SGE; at++)
        length += wqe->dma.sge[at].length;
    return length > VERBS_MESSAGE ? VERBS_MESSAGE + 1 : (uint32_t)length;
}

bool send_gather(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint8_t *to)
{
    if (wqe->wr.send_flags & SEND_INLINE) {
        memcpy(to, wqe->dma.inline_data, wqe->dma.length);
        return true;
    }
    for (uint32_t at = 0; at < wqe->dma.num_sge; at++) {
        const struct rxe_sge *sge = &wqe->dma.sge[at];

        if (!sge->length)
            continue;
        if (!mr_find(qp->nic, qp->pd, sge->lkey, sge->addr, sge->length, false))
            return false;
        memcpy(to, (const void *)(uintptr_t)sge->addr, sge->length);
        to += sge->length;
    }
    return true;
}

static enum outcome judge(int status, unsigned *wc_status)
{
    if (!status)
        return STARTED;
    if (status == -TERN_ST_AGAIN)
        return NO_PLACE;
    if (status == -TERN_ST_BAD_STATE) /* the NIC has broken the pair */
        *wc_status = WC_RETRY;
    else
        *wc_status = status == -TERN_ST_DISCONNECTED ? WC_FATAL : WC_LOC_QP_OP;
    return REFUSED;
}

static unsigned fence(const struct rxe_send_wqe *wqe)
{
    return TERN_DFLAG_SIGNAL | (wqe->wr.send_flags & SEND_FENCE ? TERN_DFLAG_FENCE : 0);
}

/* ---- writes and reads: an operation for each piece */

static enum outcome write_inline(struct verbs_qp *qp, const struct rxe_send_wqe *wqe,
                                 uint32_t place, struct verbs_work *work, unsigned *wc_status)
{
    struct tern_rptr to = remote_pointer(qp, wqe->wr.wr.rdma.remote_addr, wqe->wr.wr.rdma.rkey);
    uint16_t slot = 0;
    int status;

    if (wqe->dma.length <= TERN_INLINE_BYTES_MAX) {
        status = tern_pair_put(qp->pair, to, NULL, wqe->dma.inline_data, wqe->dma.length,
                               fence(wqe), context_make(FOR_WORK, place, 0));
    } else {
        slot = slot_take(qp->nic, qp);
        if (!slot)
            return NO_PLACE;
        memcpy(slot_at(qp->nic, slot), wqe->dma.inline_data, wqe->dma.length);
        status = tern_pair_put(qp->pair, to, qp->nic->staging_region, slot_at(qp->nic, slot),
                               wqe->dma.length, fence(wqe), context_make(FOR_WORK, place, slot));
        if (status)
            slot_release(qp->nic, slot);
    }
    if (!status)
        work->parts++;
    return judge(status, wc_status);
}

/* Continues where there was no place before. */
static enum outcome move(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint32_t place,
                         struct verbs_work *work, unsigned *wc_status)
{
    const bool is_read = wqe->wr.opcode == IB_UVERBS_WR_RDMA_READ;
    uint64_t remote = wqe->wr.wr.rdma.remote_addr;

    if (wqe->wr.send_flags & SEND_INLINE)
        return wqe->dma.length && !work->piece ? write_inline(qp, wqe, place, work, wc_status)
                                               : STARTED;
    for (uint32_t at = 0; at < wqe->dma.num_sge; at++) {
        const struct rxe_sge *sge = &wqe->dma.sge[at];
        void *local = (void *)(uintptr_t)sge->addr;
        struct tern_rptr pointer = remote_pointer(qp, remote, wqe->wr.wr.rdma.rkey);
        struct verbs_mr *mr;
        int status;

        remote += sge->length;
        if (at < work->piece || !sge->length)
            continue;
        mr = mr_find(qp->nic, qp->pd, sge->lkey, sge->addr, sge->length, is_read);
        if (!mr) {
            *wc_status = WC_LOC_PROT;
            return REFUSED;
        }
        if (is_read)
            status = tern_pair_read(qp->pair, pointer, mr->local, local, sge->length, fence(wqe),
                                    context_make(FOR_WORK, place, 0));
        else
            status = tern_pair_put(qp->pair, pointer, mr->local, local, sge->length, fence(wqe),
                                   context_make(FOR_WORK, place, 0));
        if (status)
            return judge(status, wc_status);
        work->piece = (uint16_t)(at + 1);
        work->parts++;
    }
    return STARTED;
}

/* ---- atomic operations */

static enum outcome change(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint32_t place,
                           struct verbs_work *work, unsigned *wc_status)
{
    const bool is_swap = wqe->wr.opcode == IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;
    const struct rxe_sge *sge = &wqe->dma.sge[0];
    struct tern_rptr at = remote_pointer(qp, wqe->wr.wr.atomic.remote_addr, wqe->wr.wr.atomic.rkey);
    uint64_t context = context_make(FOR_WORK, place, 0);
    int status;

    if (wqe->dma.num_sge != 1 || sge->length < TERN_ATOMIC_BYTES) {
        *wc_status = WC_LOC_LEN;
        return REFUSED;
    }
    if (!mr_find(qp->nic, qp->pd, sge->lkey, sge->addr, TERN_ATOMIC_BYTES, true)) {
        *wc_status = WC_LOC_PROT;
        return REFUSED;
    }
    if (is_swap)
        status = tern_pair_compare_swap(qp->pair, at, wqe->wr.wr.atomic.compare_add,
                                        wqe->wr.wr.atomic.swap, fence(wqe), context);
    else
        status =
            tern_pair_fetch_add(qp->pair, at, wqe->wr.wr.atomic.compare_add, fence(wqe), context);
    if (status == -TERN_ST_BAD_ALIGN) {
        *wc_status = WC_REM_INV_REQ;
        return REFUSED;
    }
    if (status)
        return judge(status, wc_status);
    work->result = (uint64_t *)(uintptr_t)sge->addr;
    work->parts++;
    return STARTED;
}

/* ---- messages */

static uint32_t announce(struct verbs_qp *qp, const struct rxe_send_wqe *wqe,
                         struct envelope *envelope)
{
    struct envelope_piece *piece = (struct envelope_piece *)(envelope + 1);

    envelope->type = ENVELOPE_ANNOUNCE;
    for (uint32_t at = 0; at < wqe->dma.num_sge; at++) {
        const struct rxe_sge *sge = &wqe->dma.sge[at];
        const struct verbs_mr *mr;

        if (!sge->length)
            continue;
        mr = mr_find(qp->nic, qp->pd, sge->lkey, sge->addr, sge->length, false);
        if (!mr)
            return 0;
        piece[envelope->pieces++] =
            (struct envelope_piece){sge->addr, tern_region_key(mr->local), sge->length};
    }
    return (uint32_t)(sizeof(*envelope) + envelope->pieces * sizeof(*piece));
}

static enum outcome send_message(struct verbs_qp *qp, const struct rxe_send_wqe *wqe,
                                 uint32_t place, struct verbs_work *work, unsigned *wc_status)
{
    const bool is_write = wqe->wr.opcode == IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
    const bool has_imm = is_write || wqe->wr.opcode == IB_UVERBS_WR_SEND_WITH_IMM;
    uint16_t slot = qp->sent - qp->acked < VERBS_WINDOW ? slot_take(qp->nic, qp) : 0;
    uint32_t bytes = sizeof(struct envelope);
    struct envelope *envelope;
    bool is_ours = true;
    int status;

    if (!slot)
        return NO_PLACE;
    envelope = (struct envelope *)slot_at(qp->nic, slot);
    *envelope = (struct envelope){.type = is_write ? ENVELOPE_WRITTEN : ENVELOPE_DATA,
                                  .length = work->length,
                                  .sequence = qp->sent,
                                  .acked = qp->received};
    envelope->flags = (uint8_t)((has_imm ? ENVELOPE_IMM : 0) |
                                (wqe->wr.send_flags & SEND_SOLICITED ? ENVELOPE_SOLICITED : 0));
    if (has_imm)
        envelope->imm = wqe->wr.ex.imm_data;
    if (!is_write && work->length > VERBS_EAGER) {
        bytes = announce(qp, wqe, envelope);
        is_ours = bytes != 0;
    } else if (!is_write) {
        is_ours = send_gather(qp, wqe, (uint8_t *)(envelope + 1));
        bytes += work->length;
    }
    if (!is_ours) {
        slot_release(qp->nic, slot);
        *wc_status = WC_LOC_PROT;
        return REFUSED;
    }
    status = tern_pair_send(qp->pair, qp->nic->staging_region, envelope, bytes, 0, fence(wqe),
                            context_make(FOR_WORK, place, slot));
    if (status) {
        slot_release(qp->nic, slot);
        return judge(status, wc_status);
    }
    envelope_begun(qp);
    qp->told_received = qp->received;
    work->sequence = qp->sent++;
    work->parts++;
    if (!qp->heard)
        qp->heard = now_ms();
    return STARTED;
}

static bool is_message(const struct verbs_work *work)
{
    return work->opcode == IB_UVERBS_WR_SEND || work->opcode == IB_UVERBS_WR_SEND_WITH_IMM ||
           work->opcode == IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
}

static enum outcome write_and_tell(struct verbs_qp *qp, const struct rxe_send_wqe *wqe,
                                   uint32_t place, struct verbs_work *work, unsigned *wc_status)
{
    enum outcome outcome = move(qp, wqe, place, work, wc_status);

    if (outcome != STARTED)
        return outcome;
    work->piece = VERBS_SGE; /* the bytes are posted */
    return send_message(qp, wqe, place, work, wc_status);
}

/* ---- starting */

/* Returns the access right that the request needs at the target. */
static inline uint32_t needed_access(unsigned opcode)
{
    switch (opcode) {
    case IB_UVERBS_WR_RDMA_WRITE:
    case IB_UVERBS_WR_RDMA_WRITE_WITH_IMM:
    case WR_ATOMIC_WRITE:
        return ACCESS_REMOTE_WRITE;
    case IB_UVERBS_WR_RDMA_READ:
        return ACCESS_REMOTE_READ;
    case IB_UVERBS_WR_ATOMIC_CMP_AND_SWP:
    case IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD:
        return ACCESS_REMOTE_ATOMIC;
    default:
        return 0;
    }
}

static inline bool peer_allows(const struct verbs_qp *qp, unsigned opcode)
{
    return !(needed_access(opcode) & ~qp->peer_access);
}

static uint32_t remote_key(const struct rxe_send_wqe *wqe)
{
    bool is_atomic = needed_access(wqe->wr.opcode) == ACCESS_REMOTE_ATOMIC;

    return is_atomic ? wqe->wr.wr.atomic.rkey : wqe->wr.wr.rdma.rkey;
}

static void begin(const struct rxe_send_wqe *wqe, struct verbs_work *work)
{
    *work = (struct verbs_work){.state = WORK_STARTED,
                                .opcode = (uint8_t)wqe->wr.opcode,
                                .length = total_length(wqe)};
}

static enum outcome start(struct verbs_qp *qp, uint32_t place, unsigned *wc_status)
{
    const struct rxe_send_wqe *wqe = wqe_at(qp, place);
    struct verbs_work *work = &qp->work[place];

    if (work->state == WORK_FREE)
        begin(wqe, work);
    if (work->length > VERBS_MESSAGE || wqe->dma.num_sge > VERBS_SGE) {
        *wc_status = WC_LOC_LEN;
        return REFUSED;
    }
    if (qp->type == QPT_UD) {
        int started = datagram_send(qp, wqe, place, work, wc_status);

        return started > 0 ? STARTED : started ? REFUSED : NO_PLACE;
    }
    if (qp->lost) {
        *wc_status = qp->lost;
        return REFUSED;
    }
    if (!peer_allows(qp, work->opcode)) {
        *wc_status = WC_REM_ACCESS;
        return REFUSED;
    }
    if (qp->peer_domains && work->length && needed_access(work->opcode)) {
        enum domain_answer answer = domain_allows(qp, remote_key(wqe));

        *wc_status = WC_REM_ACCESS;
        if (answer != DOMAIN_ALLOWS)
            return answer == DOMAIN_UNKNOWN ? NO_PLACE : REFUSED;
        *wc_status = WC_SUCCESS;
    }
    switch (work->opcode) {
    case IB_UVERBS_WR_RDMA_WRITE:
        return move(qp, wqe, place, work, wc_status);
    case WR_ATOMIC_WRITE:
        if (qp->type == QPT_RC && wqe->dma.length == TERN_ATOMIC_BYTES)
            return write_inline(qp, wqe, place, work, wc_status);
        break;
    case IB_UVERBS_WR_RDMA_READ:
        if (qp->type == QPT_RC)
            return move(qp, wqe, place, work, wc_status);
        break;
    case IB_UVERBS_WR_ATOMIC_CMP_AND_SWP:
    case IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD:
        if (qp->type == QPT_RC)
            return change(qp, wqe, place, work, wc_status);
        break;
    case IB_UVERBS_WR_SEND:
    case IB_UVERBS_WR_SEND_WITH_IMM:
        return send_message(qp, wqe, place, work, wc_status);
    case IB_UVERBS_WR_RDMA_WRITE_WITH_IMM:
        return write_and_tell(qp, wqe, place, work, wc_status);
    default:
        break;
    }
    *wc_status = WC_LOC_QP_OP;
    return REFUSED;
}

/*
 * Posts a write of one piece, the most frequent request. Returns false for another request, or if
 * it cannot be posted; start() then finds the reason. Inlined: each such request executes every
 * instruction here.
 */
static inline __attribute__((always_inline)) bool write_at_once(struct verbs_qp *qp, uint32_t place)
{
    const struct rxe_send_wqe *wqe = wqe_at(qp, place);
    const struct rxe_sge *sge = &wqe->dma.sge[0];
    const uint32_t bytes = sge->length;
    struct verbs_work *work = &qp->work[place];
    const struct verbs_mr *mr;

    if (wqe->wr.opcode != IB_UVERBS_WR_RDMA_WRITE || wqe->dma.num_sge != 1 ||
        wqe->wr.send_flags & (SEND_INLINE | SEND_FENCE) || bytes - 1 >= VERBS_MESSAGE ||
        !peer_allows(qp, IB_UVERBS_WR_RDMA_WRITE) || qp->lost || qp->peer_domains ||
        work->state != WORK_FREE)
        return false;
    mr = mr_find(qp->nic, qp->pd, sge->lkey, sge->addr, bytes, false);
    if (!mr || tern_pair_put(qp->pair,
                             remote_pointer(qp, wqe->wr.wr.rdma.remote_addr, wqe->wr.wr.rdma.rkey),
                             mr->local, (const void *)(uintptr_t)sge->addr, bytes,
                             TERN_DFLAG_SIGNAL, context_make(FOR_WORK, place, 0)))
        return false;
    /* A write reads none of the other fields. */
    work->state = WORK_POSTED;
    work->opcode = IB_UVERBS_WR_RDMA_WRITE;
    work->wc_status = WC_SUCCESS;
    work->parts = 1;
    work->piece = 0;
    work->length = bytes;
    return true;
}

/* Ends a request that cannot start, after those before it have ended. */
static void refuse(struct verbs_qp *qp, struct verbs_work *work, unsigned wc_status)
{
    work->state = WORK_POSTED;
    work->wc_status = (uint8_t)wc_status;
    qp->next = ring_next(&qp->sq, qp->next);
}

void send_step(struct verbs_qp *qp)
{
    const uint32_t end = ring_producer(&qp->sq);
    bool has_ends = false; /* requests with no operation in flight */

    if (qp->state != QPS_RTS || (qp->type != QPT_UD && qp->link != LINK_UP)) {
        if (qp->next != end && !qp->waiting_since)
            qp->waiting_since = now_ms();
        send_complete(qp);
        return;
    }
    while (qp->next != end) {
        unsigned wc_status = WC_SUCCESS;
        struct verbs_work *work = &qp->work[qp->next];
        enum outcome outcome = start(qp, qp->next, &wc_status);

        has_ends |= !work->parts || outcome == REFUSED;
        if (outcome == NO_PLACE) {
            qp_busy(qp);
            break;
        }
        if (outcome == REFUSED) {
            refuse(qp, work, wc_status);
            break;
        }
        work->state = WORK_POSTED;
        qp->next = ring_next(&qp->sq, qp->next);
    }
    if (has_ends)
        send_complete(qp);
}

int send_doorbell(struct verbs_qp *qp)
{
    if (qp->state == QPS_RTS && qp->link == LINK_UP && !qp->nic->dead) {
        const uint32_t end = ring_producer(&qp->sq);

        while (qp->next != end && write_at_once(qp, qp->next))
            qp->next = ring_next(&qp->sq, qp->next);
        if (qp->next == end)
            return 0;
    }
    if (qp->state < QPS_RTS) {
        ring_produce(&qp->sq, qp->next); /* the newly posted requests are not taken */
        return EINVAL;
    }
    if (qp->state == QPS_ERR || qp->nic->dead)
        send_flush(qp);
    else
        send_step(qp);
    return 0;
}

/* ---- ending */

static unsigned wc_opcode(unsigned opcode)
{
    switch (opcode) {
    case IB_UVERBS_WR_RDMA_WRITE:
    case IB_UVERBS_WR_RDMA_WRITE_WITH_IMM:
        return IB_UVERBS_WC_RDMA_WRITE;
    case IB_UVERBS_WR_RDMA_READ:
        return IB_UVERBS_WC_RDMA_READ;
    case IB_UVERBS_WR_ATOMIC_CMP_AND_SWP:
        return IB_UVERBS_WC_COMP_SWAP;
    case IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD:
        return IB_UVERBS_WC_FETCH_ADD;
    case WR_ATOMIC_WRITE:
        return WC_ATOMIC_WRITE;
    default:
        return IB_UVERBS_WC_SEND;
    }
}

/*
 * Frees the place before the completion is visible: a polling program may post at once. Inlined:
 * each request executes every instruction here.
 */
static inline __attribute__((always_inline)) void finish_as(struct verbs_qp *qp, uint32_t place,
                                                            unsigned wc_status, unsigned opcode)
{
    const struct rxe_send_wqe *wqe = wqe_at(qp, place);
    struct verbs_work *work = &qp->work[place];
    bool is_told = qp->sq_sig_all || (wqe->wr.send_flags & SEND_SIGNALED) || wc_status;
    uint32_t next = 0;
    struct ib_uverbs_wc *wc = is_told ? cq_place(qp->send_cq, &next) : NULL;

    if (wc)
        *wc = (struct ib_uverbs_wc){.wr_id = wqe->wr.wr_id,
                                    .status = wc_status,
                                    .opcode = opcode,
                                    .byte_len = work->length,
                                    .qp_num = qp->number};
    work->state = WORK_FREE;
    qp->done = ring_next(&qp->sq, place);
    ring_consume(&qp->sq, qp->done);
    if (wc)
        cq_written(qp->send_cq, next, false, wc_status);
    else if (is_told)
        cq_overrun(qp->send_cq);
}

static __attribute__((noinline)) void finish(struct verbs_qp *qp, uint32_t place,
                                             unsigned wc_status)
{
    qp->told_error |= wc_status != WC_SUCCESS;
    finish_as(qp, place, wc_status, wc_opcode(wqe_at(qp, place)->wr.opcode));
}

/* Returns whether the request is a message that the peer's library has not acknowledged. */
static bool is_open(const struct verbs_qp *qp, const struct verbs_work *work)
{
    return qp->type != QPT_UD && is_message(work) && (int32_t)(qp->acked - work->sequence) <= 0;
}

static bool has_ended(const struct verbs_qp *qp, const struct verbs_work *work)
{
    if (work->state != WORK_POSTED || work->parts)
        return false;
    return work->wc_status || qp->lost || !is_open(qp, work);
}

/* Returns the status of a request that has ended. */
static unsigned status_of(const struct verbs_qp *qp, const struct verbs_work *work)
{
    /* No acknowledgement will come; an unreliable connection has none. */
    if (!work->wc_status && qp->type == QPT_RC && is_open(qp, work))
        return qp->lost;
    return work->wc_status;
}

void send_complete(struct verbs_qp *qp)
{
    while (qp->done != qp->next && has_ended(qp, &qp->work[qp->done])) {
        unsigned wc_status = status_of(qp, &qp->work[qp->done]);

        finish(qp, qp->done, wc_status);
        if (wc_status && qp->state != QPS_ERR) {
            qp_break(qp, WC_FLUSH);
            return;
        }
    }
    if (qp->draining && qp->done == qp->next) {
        qp->draining = false;
        if (qp->sqd_notify)
            qp_event(qp, EVENT_SQ_DRAINED);
    }
}

/* Whether the last operation of the oldest request ended well, the usual case. */
static bool ends_oldest(const struct verbs_qp *qp, uint32_t place,
                        const struct tern_completion *done)
{
    const struct verbs_work *work = &qp->work[place];

    return place == qp->done && done->opcode == TERN_OP_PUT && done->status == TERN_ST_OK &&
           work->parts == 1 && !work->wc_status && work->state == WORK_POSTED &&
           work->opcode == IB_UVERBS_WR_RDMA_WRITE && qp->state == QPS_RTS;
}

static __attribute__((noinline)) bool other_ended(struct verbs_qp *qp, uint32_t place,
                                                  const struct tern_completion *done)
{
    struct verbs_work *work = &qp->work[place];
    unsigned wc_status = wc_status_of(done);

    if (qp->type == QPT_UD && wc_status != WC_LOC_PROT && wc_status != WC_FATAL)
        wc_status = WC_SUCCESS; /* a datagram that is lost on the way counts as sent */
    if (work->parts)
        work->parts--;
    if (done->opcode == TERN_OP_CAS || done->opcode == TERN_OP_ADD) {
        if (!wc_status && work->result)
            *work->result = done->value;
    }
    /* The answer of the peer's NIC was lost, not the message. */
    if (wc_status && done->opcode == TERN_OP_SEND && qp->type != QPT_UD && !is_open(qp, work))
        wc_status = WC_SUCCESS;
    /* An envelope was the first operation that failed. */
    if (wc_status == WC_FLUSH && qp->lost)
        wc_status = qp->lost;
    if (wc_status && !work->wc_status)
        work->wc_status = (uint8_t)wc_status;
    if (qp->state == QPS_ERR) {
        send_flush(qp);
        return false;
    }
    if (wc_status == WC_RETRY && qp->type != QPT_UD)
        qp_lose(qp, WC_RETRY);
    /* The peer's NIC accepted the requests before it, but can no longer acknowledge them. */
    if (wc_status == WC_REM_ACCESS || wc_status == WC_REM_OP || wc_status == WC_LOC_PROT ||
        wc_status == WC_REM_INV_REQ)
        for (uint32_t at = qp->done; at != place; at = ring_next(&qp->sq, at))
            if (is_message(&qp->work[at]) && !qp->work[at].parts &&
                (int32_t)(qp->acked - qp->work[at].sequence) <= 0)
                qp->acked = qp->work[at].sequence + 1;
    send_complete(qp);
    if (qp->next != ring_producer(&qp->sq))
        qp_busy(qp);
    return false;
}

bool send_ended(struct verbs_qp *qp, uint32_t place, const struct tern_completion *done)
{
    if (!ends_oldest(qp, place, done))
        return other_ended(qp, place, done);
    qp->work[place].parts = 0;
    finish_as(qp, place, WC_SUCCESS, IB_UVERBS_WC_RDMA_WRITE);
    if (qp->done != qp->next)
        send_complete(qp);
    if (qp->next != ring_producer(&qp->sq))
        qp_busy(qp);
    return false;
}

void send_acked(struct verbs_qp *qp, uint32_t acked)
{
    if ((int32_t)(acked - qp->acked) <= 0)
        return;
    qp->acked = acked;
    qp->rnr_until = 0;
    qp->heard = qp->acked == qp->sent ? 0 : now_ms();
    send_complete(qp);
}

/* Ends the requests of a broken queue pair in order; stops at one that the NIC still works on. */
void send_flush(struct verbs_qp *qp)
{
    const uint32_t end = ring_producer(&qp->sq);

    while (qp->done != end) {
        struct verbs_work *work = &qp->work[qp->done];
        const struct rxe_send_wqe *wqe = wqe_at(qp, qp->done);
        unsigned wc_status = WC_FLUSH;

        if (work->state != WORK_FREE && work->wc_status && !qp->told_error)
            wc_status = work->wc_status;
        if (work->state != WORK_FREE && work->parts && !qp->nic->dead)
            return;
        if (work->state == WORK_FREE)
            work->length = total_length(wqe);
        finish(qp, qp->done, wc_status);
    }
    qp->next = qp->done;
}
