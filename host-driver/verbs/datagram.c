/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Datagrams of a path MTU: each fragment is a packet with a header. A datagram with a lost
 * fragment, or without a receive request, is dropped. 40 bytes in the form of a GRH precede it in
 * its buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

enum { PACKET = 512, PARTIAL_MOST = 64 };

struct fragment {
    uint8_t flags; /* ENVELOPE_IMM, ENVELOPE_SOLICITED */
    uint8_t spare;
    uint16_t id;
    uint16_t length; /* of the datagram */
    uint16_t offset;
    uint32_t imm;
    uint32_t source; /* queue pair that sent it */
};

enum { FRAGMENT_BYTES = PACKET - sizeof(struct fragment) };

/* An incomplete datagram; a new one replaces the oldest. */
struct verbs_datagram {
    struct verbs_datagram *next;
    struct verbs_qp *qp;
    struct fragment head;
    uint16_t node;
    uint32_t got;
    uint8_t data[VERBS_DATAGRAM];
};

/* ---- sending */

/* A provider names an address handle, or, if it is old, writes the address into the request. */
static bool find_node(const struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint16_t *node)
{
    const struct verbs_ah *ah = table_get(&qp->nic->ahs, wqe->wr.wr.ud.ah_num);

    return gid_to_node(qp->nic, ah ? ah->attr.grh.dgid : wqe->wr.wr.ud.av.grh.dgid.raw, node);
}

int datagram_send(struct verbs_qp *qp, const struct rxe_send_wqe *wqe, uint32_t place,
                  struct verbs_work *work, unsigned *wc_status)
{
    const bool has_imm = wqe->wr.opcode == IB_UVERBS_WR_SEND_WITH_IMM;
    uint32_t qkey =
        wqe->wr.wr.ud.remote_qkey & 0x80000000u ? qp->attr.qkey : wqe->wr.wr.ud.remote_qkey;
    uint32_t count = work->length ? (work->length + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES : 1;
    struct tern_pair_name to = {.number = (uint16_t)wqe->wr.wr.ud.remote_qpn};
    uint8_t data[VERBS_DATAGRAM];
    uint16_t slot;
    int status;

    if (work->length > VERBS_DATAGRAM || (wqe->wr.opcode != IB_UVERBS_WR_SEND && !has_imm)) {
        *wc_status = work->length > VERBS_DATAGRAM ? WC_LOC_LEN : WC_LOC_QP_OP;
        return -1;
    }
    if (!send_gather(qp, wqe, data)) {
        *wc_status = WC_LOC_PROT;
        return -1;
    }
    if (!find_node(qp, wqe, &to.node))
        return 1; /* no such node: lost on the way */
    if (work->piece == 0)
        qp->datagram_id++;
    slot = slot_take(qp->nic, qp);
    if (!slot)
        return 0;
    for (uint32_t at = work->piece; at < count; at++) {
        uint32_t offset = at * FRAGMENT_BYTES;
        uint32_t bytes =
            work->length - offset < FRAGMENT_BYTES ? work->length - offset : FRAGMENT_BYTES;
        uint8_t *from = slot_at(qp->nic, slot) + (size_t)at * PACKET;
        struct fragment fragment = {
            .flags = (uint8_t)((has_imm ? ENVELOPE_IMM : 0) |
                               (wqe->wr.send_flags & SEND_SOLICITED ? ENVELOPE_SOLICITED : 0)),
            .id = qp->datagram_id,
            .length = (uint16_t)work->length,
            .offset = (uint16_t)offset,
            .imm = has_imm ? wqe->wr.ex.imm_data : 0,
            .source = qp->number};

        memcpy(from, &fragment, sizeof(fragment));
        memcpy(from + sizeof(fragment), data + offset, bytes);
        status = tern_pair_send_to(qp->pair, to, qkey, qp->nic->staging_region, from,
                                   (uint32_t)sizeof(fragment) + bytes, 0, TERN_DFLAG_SIGNAL,
                                   context_make(FOR_WORK, place, slot));
        if (status) {
            slot_release(qp->nic, slot);
            work->piece = (uint16_t)at;
            *wc_status = status == -TERN_ST_DISCONNECTED ? WC_FATAL : WC_LOC_QP_OP;
            return status == -TERN_ST_AGAIN ? 0 : -1;
        }
        qp->nic->slots[slot].users++;
        work->parts++;
    }
    slot_release(qp->nic, slot);
    return 1;
}

/* ---- receiving */

static void write_grh(const struct verbs_qp *qp, const struct verbs_datagram *datagram,
                      uint8_t *grh)
{
    uint32_t payload = datagram->head.length + 8u;

    memset(grh, 0, VERBS_GRH);
    grh[0] = 0x60;
    grh[4] = (uint8_t)(payload >> 8);
    grh[5] = (uint8_t)payload;
    grh[6] = 17;
    grh[7] = 64;
    gid_of_node(datagram->node, grh + 8);
    gid_of_node(qp->nic->node, grh + 24);
}

static void deliver(struct verbs_qp *qp, const struct verbs_datagram *datagram)
{
    const struct fragment *head = &datagram->head;
    struct rxe_recv_wqe *request =
        qp->state >= QPS_RTR && qp->state != QPS_ERR ? request_peek(qp) : NULL;
    struct ib_uverbs_wc wc = {.opcode = WC_RECV,
                              .byte_len = head->length + (uint32_t)VERBS_GRH,
                              .qp_num = qp->number,
                              .src_qp = head->source,
                              .wc_flags =
                                  WC_FLAG_GRH | (head->flags & ENVELOPE_IMM ? WC_FLAG_IMM : 0),
                              .port_num = 1};
    uint8_t grh[VERBS_GRH];

    if (!request)
        return;
    wc.wr_id = request->wr_id;
    wc.ex.imm_data = head->imm;
    write_grh(qp, datagram, grh);
    wc.status = request_fill(qp, request, 0, grh, sizeof(grh));
    if (!wc.status)
        wc.status = request_fill(qp, request, VERBS_GRH, datagram->data, head->length);
    request_taken(qp);
    cq_push(qp->recv_cq, &wc, (head->flags & ENVELOPE_SOLICITED) != 0);
    if (wc.status)
        qp_break(qp, WC_FLUSH);
}

static struct verbs_datagram *find(struct verbs_nic *nic, struct verbs_qp *qp, uint16_t node,
                                   const struct fragment *fragment)
{
    struct verbs_datagram **link = &nic->partial, *datagram;
    unsigned count = 0;

    while ((datagram = *link)) {
        bool is_it = datagram->qp == qp && datagram->node == node &&
                     datagram->head.source == fragment->source &&
                     datagram->head.id == fragment->id && datagram->head.length == fragment->length;

        if (is_it || (!datagram->next && count >= PARTIAL_MOST)) {
            *link = datagram->next;
            if (!is_it)
                datagram->qp = NULL;
            break;
        }
        count++;
        link = &datagram->next;
    }
    if (!datagram) {
        datagram = malloc(sizeof(*datagram));
        if (!datagram)
            return NULL;
        datagram->qp = NULL;
    }
    if (!datagram->qp) {
        datagram->qp = qp;
        datagram->node = node;
        datagram->head = *fragment;
        datagram->got = 0;
    }
    return datagram;
}

void datagram_arrived(struct verbs_qp *qp, const struct tern_completion *done)
{
    struct verbs_nic *nic = qp->nic;
    struct verbs_datagram *datagram;
    struct fragment fragment;
    uint32_t bytes;

    if (done->length < sizeof(fragment))
        return;
    memcpy(&fragment, done->data, sizeof(fragment));
    bytes = done->length - (uint32_t)sizeof(fragment);
    if (fragment.length > VERBS_DATAGRAM || fragment.offset + bytes > fragment.length)
        return;
    datagram = find(nic, qp, done->node, &fragment);
    if (!datagram)
        return;
    memcpy(datagram->data + fragment.offset, (const uint8_t *)done->data + sizeof(fragment), bytes);
    datagram->got += bytes;
    if (datagram->got < fragment.length) {
        datagram->next = nic->partial;
        nic->partial = datagram;
        return;
    }
    deliver(qp, datagram);
    free(datagram);
}

void datagram_forget(struct verbs_nic *nic, const struct verbs_qp *qp)
{
    struct verbs_datagram **link = &nic->partial;

    while (*link) {
        struct verbs_datagram *datagram = *link;

        if (datagram->qp == qp) {
            *link = datagram->next;
            free(datagram);
        } else {
            link = &datagram->next;
        }
    }
}
