/* SPDX-License-Identifier: Apache-2.0 */
#include "packets.h"

#include <stddef.h>

#include "area.h"
#include "arena.h"
#include "combine.h"
#include "get.h"
#include "log.h"
#include "lookup.h"
#include "messages_in.h"
#include "pair.h"
#include "read.h"
#include "relay.h"
#include "tree.h"

/* Takes a message of one packet. */
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
    fw->rx_queue[slot] = (uint16_t)number;
    return fw->queue[number].type == TERN_QTYPE_PAIR ? fw_pair_take(fw, slot)
                                                     : take_message(fw, slot, number);
}

static uint32_t take_checkin(struct fw *fw, uint32_t slot)
{
    FW_COUNT(fw, checkins);
    return TERN_F(CHK, area, rx_header(slot, TERN_PKT_addr_WORD)) >= TERN_CHECKIN_TREE
               ? fw_tree_checkin(fw, slot)
               : fw_area_checkin(fw, slot);
}

/* Handles a packet; returns the status of its answer, or FW_LATER. */
typedef uint32_t (*packet_handler)(struct fw *fw, uint32_t slot);

/*
 * The handler of each packet type that goes to the firmware and is answered by an ack. A new packet
 * type is a handler and a row here; a type without a row is refused.
 */
#define ROW(type) ((type) - TERN_PKT_TYPE_FW_FIRST)
#define ROWS (ROW(TERN_PKT_TYPE_FW_LAST) + 1)

static const packet_handler handlers[ROWS] = {
    [ROW(TERN_PTYPE_SEND)] = take_send,
    [ROW(TERN_PTYPE_CHECKIN)] = take_checkin,
    [ROW(TERN_PTYPE_GET)] = fw_get_take,
    [ROW(TERN_PTYPE_RELAY)] = fw_relay_take,
#ifndef TERN_NO_COMBINE
    [ROW(TERN_PTYPE_TREE_FORWARD)] = fw_forward_take,
#endif
};

/* Handles the packet; returns the status of its answer, or FW_LATER. */
static uint32_t take(struct fw *fw, uint32_t slot, uint32_t type)
{
    packet_handler handler = ROW(type) < ROWS ? handlers[ROW(type)] : NULL;

    if (handler == NULL) {
        LOG(RX_UNKNOWN, type, TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)));
        return TERN_ST_BAD_OPCODE;
    }
    return fw_recv_is_stale(fw, slot) ? TERN_ST_STALE_NODE : handler(fw, slot);
}

/* Serves reads, lookups and atomic operations that were held; the quick path takes most of them. */
static bool is_quick(struct fw *fw, uint32_t event, uint32_t type)
{
    if (type < TERN_PTYPE_CAS && !TERN_F(EV, walked, event))
        return false;
    if (fw_read_is(event))
        fw_read_asked(fw, event);
    else if (fw_lookup_is(event))
        fw_lookup_asked(fw, event);
    else if (type == TERN_PTYPE_CAS || type == TERN_PTYPE_ADD || type == TERN_PTYPE_TAKE)
        rx_atomic(event);
    else
        return false;
    return true;
}

void fw_on_rx(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, rxslot, event);
    uint32_t type = TERN_F(EV, pkttype, event), status;

    if (is_quick(fw, event, type))
        return;
    /* A refusal needs room for an ack; without it this packet and all later ones wait. */
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

static uint32_t finish_message(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_queue *rq = &fw->queue[fw->rx_queue[slot] % FW_QUEUES];

    if (rq->type == TERN_QTYPE_PAIR)
        return fw_pair_written(fw, slot, status);
    rq->users--;
    if (rq->flags & QUEUE_DYING)
        return TERN_ST_FLUSHED;
    return fw_recv_tell(fw, slot, rq->cq,
                        TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)), status);
}

/* Inlines the path of most messages, except in the lean configuration, which must be small. */
#ifdef __OPTIMIZE_SIZE__
#define SWIFT static
#else
#define SWIFT static inline __attribute__((always_inline))
#endif

/* Ends the packet in `slot`, written to host memory; returns the status of its answer. */
SWIFT uint32_t finish_packet(struct fw *fw, uint32_t slot)
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

void fw_recv_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    if (fw->rx_first != fw->rx_last || !hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT) ||
        !rx_ack_ready(&fw->rx)) {
        fw_recv_written(fw, slot, status);
        return;
    }
    if (status != TERN_ST_OK)
        fw->rx_failed |= 1u << slot;
    rx_answer(&fw->rx, slot, finish_packet(fw, slot));
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
