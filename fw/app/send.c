/* SPDX-License-Identifier: Apache-2.0 */
#include "send.h"

#include "cq.h"
#include "desc.h"
#include "op.h"
#include "retry.h"
#include "tick.h"

static uint32_t slot_word(uint32_t slot, unsigned word)
{
    return rd32(tx_slot(slot) + 4 * word);
}

static uint32_t send_bytes(uint32_t slot, uint32_t frame)
{
    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE)
        return TERN_F(DESC, inline_len, frame);
    return slot_word(slot, TERN_DESC_length_WORD);
}

/*
 * Starts the message in `slot`; OK, or what stands in its way.  Its completion place is
 * the caller's.
 */
static uint32_t start(struct fw *fw, uint32_t slot, uint32_t queue, uint32_t index,
                      uint32_t attempts)
{
    uint32_t frame = slot_word(slot, 0);
    uint32_t flags = TERN_F(DESC, flags, frame);
    uint32_t node = TERN_F(DESC, dst_node, slot_word(slot, TERN_DESC_dst_node_WORD));
    uint32_t status = fw_node_status(fw, node);
    uint32_t entry;

    if (status != TERN_ST_OK)
        return status;
    if (!tx_ready(&fw->tx))
        return FW_HOLD;
    entry = tx_op_alloc();
    if (entry & TX_OP_NONE_FREE)
        return FW_HOLD;
    fw->op[entry] = (struct fw_op){
        .queue = (uint16_t)queue,
        .index = (uint16_t)index,
        .node = (uint16_t)node,
        .opcode = TERN_OP_SEND,
        .flags = flags & TERN_DFLAG_SIGNAL ? OP_SIGNAL : 0,
        .length = send_bytes(slot, frame),
        .slot = (uint8_t)slot,
        .attempts = (uint8_t)attempts,
    };
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_REQUEST) |
                          TERN_V(TXC, type, TERN_PTYPE_SEND) | TERN_V(TXC, op, entry) |
                          TERN_V(TXC, inl, (flags & TERN_DFLAG_INLINE) != 0) |
                          TERN_V(TXC, ack, 1) | TERN_V(TXC, notify, 1) |
                          TERN_V(TXC, msg, 1));
    fw_tick_hurry(fw);
    return TERN_ST_OK;
}

static uint32_t check(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t frame = slot_word(slot, 0);
    uint32_t flags = TERN_F(DESC, flags, frame);
    uint32_t bytes_max =
        flags & TERN_DFLAG_INLINE ? TERN_INLINE_BYTES_MAX : fw->id.payload_max;

    if (send_bytes(slot, frame) > bytes_max)
        return TERN_ST_BAD_LENGTH;
    /* Messages keep their slots until answered; puts must still find some. */
    if (fw->sends >= fw->id.slots / 2)
        return FW_STALL;
    return flags & TERN_DFLAG_FENCE ? fw_desc_fence(fw, q, event) : TERN_ST_OK;
}

void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t result = check(fw, q, event);

    if (result == TERN_ST_OK)
        result = start(fw, slot, TERN_F(EV, queue, event), q->producer, 0);
    if (result != TERN_ST_OK) {
        fw_desc_not_started(fw, q, event, result);
        return;
    }
    q->producer++;
    fw->sends++;
    fw_cq_reserve(&fw->queue[q->cq]);
    FW_COUNT(fw, sends);
}

void fw_send_release(struct fw *fw, uint32_t slot)
{
    fw->sends--;
    fw->send[slot].wait = 0;
    tx_slot_free(slot);
}

/* The message is over; `op` names it. */
static void finish(struct fw *fw, const struct fw_op *op, uint32_t status, bool sent)
{
    fw_send_release(fw, op->slot);
    fw_op_finish(fw, op, status, sent);
}

void fw_send_ended(struct fw *fw, const struct fw_op *op, uint32_t status, bool sent)
{
    struct fw_send *send = &fw->send[op->slot];

    if (status != TERN_ST_RNR || op->attempts >= RETRY_MAX) {
        finish(fw, op, status, sent);
        return;
    }
    send->queue = op->queue;
    send->index = op->index;
    send->attempts = (uint8_t)(op->attempts + 1);
    send->wait = retry_wait(send->attempts);
}

bool fw_sends_of_queue(const struct fw *fw, uint32_t queue)
{
    for (unsigned slot = 0; slot < fw->id.slots; slot++)
        if (fw->send[slot].wait != 0 && fw->send[slot].queue == queue)
            return true;
    return false;
}

void fw_sends_sweep(struct fw *fw)
{
    for (unsigned slot = 0; slot < fw->id.slots; slot++)
        if (fw->send[slot].wait != 0 &&
            fw_fn_sweeping(fw, fw->queue[fw->send[slot].queue].fn))
            fw_send_release(fw, slot);
}

/* A message whose wait is over. */
static void repeat(struct fw *fw, uint32_t slot)
{
    struct fw_send *send = &fw->send[slot];
    struct fw_op op = {.queue = send->queue,
                       .index = send->index,
                       .opcode = TERN_OP_SEND,
                       .slot = (uint8_t)slot};
    uint32_t status = TERN_ST_FLUSHED;

    if (!(fw->queue[send->queue].flags & QUEUE_CLOSING))
        status = start(fw, slot, send->queue, send->index, send->attempts);
    if (status == TERN_ST_OK) {
        FW_COUNT(fw, rnr_retries);
    } else if (status == FW_HOLD || !hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT)) {
        send->wait = 1; /* no place now: the next tick sees to it */
    } else {
        op.node =
            (uint16_t)TERN_F(DESC, dst_node, slot_word(slot, TERN_DESC_dst_node_WORD));
        finish(fw, &op, status, false);
    }
}

void fw_sends_tick(struct fw *fw)
{
    if (fw->sends == 0)
        return;
    for (unsigned slot = 0; slot < fw->id.slots; slot++)
        if (fw->send[slot].wait != 0 && --fw->send[slot].wait == 0)
            repeat(fw, slot);
}
