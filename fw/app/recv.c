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

/* Whether the message in `slot` can be taken by its queue now. */
static uint32_t admit(struct fw *fw, uint32_t slot, const struct fw_letter *letter)
{
    const struct fw_queue *q = letter->q, *rq = letter->rq;

    if (fw_recv_is_stale(fw, slot))
        return TERN_ST_STALE_NODE;
    if (q->type == TERN_QTYPE_NONE)
        return TERN_ST_BAD_QUEUE;
    if (rq->type != TERN_QTYPE_RQ)
        return TERN_ST_BAD_TYPE;
    if (rq->fn != q->fn || (q->flags | rq->flags) & (QUEUE_CLOSING | QUEUE_DYING))
        return TERN_ST_BAD_QUEUE;
    if (fw_is_pair(letter)) {
        uint32_t status = fw_pair_admit(letter);

        if (status != TERN_ST_OK)
            return status;
    } else if (rq->flags & QUEUE_REMOTE) {
        return TERN_ST_BAD_TYPE;
    } else if (!letter->fits) {
        return TERN_ST_MSG_TOO_LONG;
    }
    if (!fw_pair_goes_on(q) && rq->room == 0 && !fw_rq_refill(fw, letter->number))
        return TERN_ST_RNR;
    return fw_cq_ready(fw, rq->cq) ? TERN_ST_OK : TERN_ST_RNR;
}

/* Takes the next entry of the queue, if the message has none yet, and has the payload written there. */
static void deliver(struct fw *fw, uint32_t slot, const struct fw_letter *letter)
{
    struct fw_queue *rq = letter->rq;
    uint32_t bytes = letter->fits ? letter->bytes : 0;
    uint32_t entry = letter->q->entry;
    struct hwr_place to = {.fn = rq->fn};

    if (!fw_pair_goes_on(letter->q)) {
        entry = rq->producer++;
        rq->room--;
    }
    rq->users++;
    fw_cq_reserve(&fw->queue[rq->cq]);
    fw->rx_index[slot] = (uint16_t)entry;
    to.addr = queue_hw_base(letter->number) +
              ring_offset(entry, rq->log2_entries, 1u << rq->log2_bytes);
    to.key = rd32(TERN_MMIO_Q_KEY);
    if (fw_is_pair(letter))
        fw_pair_begin(letter, entry);
    if (bytes != 0) {
        to.addr += letter->end - bytes;
        hwr_payload(&fw->hwr, &to, slot, bytes, slot);
    } else {
        /* Nothing to write, but the message must not overtake those before it. */
        const uint32_t zero = 0;

        hwr_data(&fw->hwr, &to, &zero, sizeof(zero), slot, true);
    }
}

static uint32_t take_send(struct fw *fw, uint32_t slot)
{
    uint32_t number = rx_header(slot, TERN_PKT_addr_WORD + 1) & 0xffff, status;
    struct fw_letter letter;

    if (number >= fw->id.queues)
        return TERN_ST_BAD_QUEUE;
    fw_letter_read(fw, slot, number, &letter);
    status = admit(fw, slot, &letter);
    if (status == TERN_ST_OK) {
        fw->rx_queue[slot] = (uint16_t)number;
        deliver(fw, slot, &letter);
        return FW_LATER;
    }
    if (status == TERN_ST_RNR && fw_pair_drops(letter.q)) {
        FW_COUNT(fw, rnr_sent);
        return TERN_ST_OK;
    }
    return status;
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

/* What the receiver is told about the message in `slot`. */
static void describe(struct fw *fw, uint32_t slot, uint32_t status, struct done *done)
{
    uint32_t flags = TERN_F(PKT, flags, rx_header(slot, TERN_PKT_flags_WORD));

    *done = (struct done){
        .status = status,
        .opcode = TERN_OP_RECV,
        .queue = fw->rx_queue[slot],
        .index = fw->rx_index[slot],
        .node = TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)),
        .imm = rx_header(slot, TERN_PKT_addr_WORD),
        .value = rx_header(slot, TERN_PKT_addr_WORD + 1) >> 16,
        .fault = done_fault_side(status, true),
    };
    if (flags & TERN_PFLAG_IMM)
        done->flags |= TERN_DFLAG_IMM;
    if (flags & TERN_PFLAG_SOLICITED)
        done->flags |= TERN_DFLAG_SOLICITED;
}

/* The message in `slot`, or a part of it, stands in its ring. */
static uint32_t finish_letter(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_letter letter;
    struct done done;
    bool told = true;

    fw_letter_read(fw, slot, fw->rx_queue[slot] % FW_QUEUES, &letter);
    letter.rq->users--;
    if (fw_is_pair(&letter))
        told = fw_pair_written(&letter, &status);
    if (letter.rq->flags & QUEUE_DYING)
        return TERN_ST_FLUSHED;
    if (told) {
        describe(fw, slot, status, &done);
        done.length = letter.end;
        fw_cq_complete(fw, letter.rq->cq, &done);
    } else {
        fw_cq_return(&fw->queue[letter.rq->cq]);
    }
    FW_COUNT(fw, recvs);
    return status;
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
    return finish_letter(fw, slot, status);
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
