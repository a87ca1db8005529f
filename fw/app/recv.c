/* SPDX-License-Identifier: Apache-2.0 */
#include "recv.h"

#include "area.h"
#include "arena.h"
#include "cq.h"
#include "get.h"
#include "log.h"
#include "lookup.h"
#include "pair.h"
#include "queue_hw.h"
#include "read.h"
#include "relay.h"
#include "ring.h"

uint32_t fw_rq_status(const struct fw_queue *rq)
{
    if (rq->type == TERN_QTYPE_NONE)
        return TERN_ST_BAD_QUEUE;
    if (rq->type != TERN_QTYPE_RQ)
        return TERN_ST_BAD_TYPE;
    return rq->flags & (QUEUE_CLOSING | QUEUE_DYING) ? TERN_ST_BAD_QUEUE : TERN_ST_OK;
}

uint32_t fw_rq_room(struct fw *fw, uint32_t number)
{
    struct fw_queue *rq = &fw->queue[number];

    if (rq->room == 0 && !fw_rq_refill(fw, number))
        return TERN_ST_RNR;
    return fw_cq_ready(fw, rq->cq) ? TERN_ST_OK : TERN_ST_RNR;
}

void fw_recv_place(struct fw *fw, uint32_t slot, uint32_t number, uint32_t entry, uint32_t at, uint32_t bytes)
{
    struct fw_queue *rq = &fw->queue[number];
    struct hwr_place to = {.fn = rq->fn};

    rq->users++;
    fw_cq_reserve(&fw->queue[rq->cq]);
    fw->rx_index[slot] = (uint16_t)entry;
    to.addr = queue_hw_base(number) +
              ring_offset(entry, rq->log2_entries, 1u << rq->log2_bytes) + at;
    to.key = rd32(TERN_MMIO_Q_KEY);
    if (bytes != 0) {
        hwr_payload(&fw->hwr, &to, slot, bytes, slot);
    } else {
        /* Nothing to write, but the message must not overtake those before it. */
        const uint32_t zero = 0;

        hwr_data(&fw->hwr, &to, &zero, sizeof(zero), slot, true);
    }
}

/* A message of one packet. */
static uint32_t take_message(struct fw *fw, uint32_t slot, uint32_t number)
{
    struct fw_queue *rq = &fw->queue[number];
    uint32_t bytes = TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD));
    uint32_t status = fw_rq_status(rq);

    if (status != TERN_ST_OK)
        return status;
    if (rq->flags & QUEUE_REMOTE)
        return TERN_ST_BAD_TYPE;
    if (bytes > 1u << rq->log2_bytes)
        return TERN_ST_MSG_TOO_LONG;
    status = fw_rq_room(fw, number);
    if (status != TERN_ST_OK)
        return status;
    rq->room--;
    fw_recv_place(fw, slot, number, rq->producer++, 0, bytes);
    return FW_LATER;
}

static uint32_t take_send(struct fw *fw, uint32_t slot)
{
    uint32_t number = rx_header(slot, TERN_PKT_addr_WORD + 1) & 0xffff;

    if (number >= fw->id.queues)
        return TERN_ST_BAD_QUEUE;
    if (fw_recv_is_stale(fw, slot))
        return TERN_ST_STALE_NODE;
    fw->rx_queue[slot] = (uint16_t)number;
    return fw->queue[number].type == TERN_QTYPE_PAIR ? fw_pair_take(fw, slot)
                                                     : take_message(fw, slot, number);
}

/* Check-ins, remote gets and requests that are passed on. */
static uint32_t take_message_to_firmware(struct fw *fw, uint32_t slot, uint32_t type)
{
    if (fw_recv_is_stale(fw, slot))
        return TERN_ST_STALE_NODE;
    if (type == TERN_PTYPE_CHECKIN)
        return fw_area_checkin(fw, slot);
    return type == TERN_PTYPE_GET ? fw_get_take(fw, slot) : fw_relay_take(fw, slot);
}

/* What it is answered with, or FW_LATER. */
static uint32_t take(struct fw *fw, uint32_t slot, uint32_t type)
{
    if (type == TERN_PTYPE_SEND)
        return take_send(fw, slot);
    if (type == TERN_PTYPE_CHECKIN || type == TERN_PTYPE_GET || type == TERN_PTYPE_RELAY)
        return take_message_to_firmware(fw, slot, type);
    LOG(RX_UNKNOWN, type, TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)));
    return TERN_ST_BAD_OPCODE;
}

void fw_on_rx(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, rxslot, event);
    uint32_t type = TERN_F(EV, pkttype, event), status;

    if (fw_read_is(event)) {
        fw_read_asked(fw, event);
        return;
    }
    if (fw_lookup_is(event)) {
        fw_lookup_asked(fw, event);
        return;
    }
    if (type == TERN_PTYPE_CAS || type == TERN_PTYPE_ADD || type == TERN_PTYPE_TAKE) {
        rx_atomic(event);
        return;
    }
    /* Refusing takes an ack place; without one the packet, and those behind it, wait. */
    if (!rx_ack_ready(&fw->rx)) {
        fw->rx_held = event;
        fw->work |= WORK_RX_HELD;
        return;
    }
    if (type == TERN_PTYPE_RTS) {
        fw_arena_request(fw, slot);
        return;
    }
    status = take(fw, slot, type);
    if (status == FW_LATER)
        return;
    if (status == TERN_ST_RNR)
        FW_COUNT(fw, rnr_sent);
    rx_answer(&fw->rx, slot, status);
}

void fw_recv_written(struct fw *fw, uint32_t slot, uint32_t status)
{
    fw->rx_order[fw->rx_last++ % FW_RX_SLOTS] = (uint8_t)slot;
    if (status != TERN_ST_OK)
        fw->rx_failed |= 1u << slot;
    fw->work |= WORK_RX_DONE;
}

void fw_recv_refuse(struct fw *fw, uint32_t slot, uint32_t status)
{
    fw->rx_queue[slot] = FW_QUEUE_NIL;
    fw->rx_index[slot] = (uint16_t)status;
    fw_recv_written(fw, slot, TERN_ST_OK);
}

uint32_t fw_recv_tell(struct fw *fw, uint32_t slot, uint32_t cq, uint32_t bytes, uint32_t status)
{
    uint32_t flags = TERN_F(PKT, flags, rx_header(slot, TERN_PKT_flags_WORD));
    struct done done = {
        .status = status,
        .opcode = TERN_OP_RECV,
        .queue = fw->rx_queue[slot],
        .index = fw->rx_index[slot],
        .node = TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)),
        .length = bytes,
        .imm = rx_header(slot, TERN_PKT_addr_WORD),
        .value = rx_header(slot, TERN_PKT_addr_WORD + 1) >> 16,
        .fault = done_fault_side(status, true),
    };

    if (flags & TERN_PFLAG_IMM)
        done.flags |= TERN_DFLAG_IMM;
    if (flags & TERN_PFLAG_SOLICITED)
        done.flags |= TERN_DFLAG_SOLICITED;
    fw_cq_complete(fw, cq, &done);
    FW_COUNT(fw, recvs);
    return status;
}

static uint32_t finish_message(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_queue *rq = &fw->queue[fw->rx_queue[slot] % FW_QUEUES];

    if (rq->type == TERN_QTYPE_PAIR)
        return fw_pair_written(fw, slot, status);
    rq->users--;
    if (rq->flags & QUEUE_DYING)
        return TERN_ST_FLUSHED;
    return fw_recv_tell(fw, slot, rq->cq, TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)), status);
}

/* The packet in `slot` is written: what it is answered with. */
static uint32_t finish_packet(struct fw *fw, uint32_t slot)
{
    uint32_t status = (fw->rx_failed >> slot) & 1 ? TERN_ST_HOST_FAULT : TERN_ST_OK;

    fw->rx_failed &= ~(1u << slot);
    if (fw->placing >> slot & 1)
        return fw_relay_has(fw, slot) ? fw_relay_stored(fw, slot, status)
                                      : fw_get_placed(fw, slot, status);
    if (fw->rx_queue[slot] == FW_QUEUE_NIL)
        return fw->rx_index[slot];
    return finish_message(fw, slot, status);
}

void fw_recv_work(struct fw *fw)
{
    uint32_t slot;

    while (fw->rx_first != fw->rx_last) {
        if (!hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT) || !rx_ack_ready(&fw->rx))
            return;
        slot = fw->rx_order[fw->rx_first++ % FW_RX_SLOTS];
        rx_answer(&fw->rx, slot, finish_packet(fw, slot));
    }
    fw->work &= ~(uint32_t)WORK_RX_DONE;
    if (fw->work & WORK_RX_HELD && hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT)) {
        fw->work &= ~(uint32_t)WORK_RX_HELD;
        fw_on_rx(fw, fw->rx_held);
    }
}
