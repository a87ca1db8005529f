/* SPDX-License-Identifier: Apache-2.0 */
#include "send.h"

#include "cq.h"
#include "desc.h"
#include "get.h"
#include "op.h"
#include "pair.h"
#include "read.h"
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

static uint32_t send_opcode(uint32_t slot)
{
    return TERN_F(DESC, opcode, slot_word(slot, 0));
}

/* All but one are messages to the firmware there. */
uint32_t fw_send_type(uint32_t opcode)
{
    static const uint8_t types[16] = {[TERN_OP_SEND] = TERN_PTYPE_SEND,
                                      [TERN_OP_CHECKIN] = TERN_PTYPE_CHECKIN,
                                      [TERN_OP_GET] = TERN_PTYPE_GET,
                                      [TERN_OP_RELAY] = TERN_PTYPE_RELAY,
                                      [TERN_OP_READ] = TERN_PTYPE_READ,
                                      [TERN_OP_LOOKUP] = TERN_PTYPE_LOOKUP};

    return types[opcode % sizeof(types)];
}

/* What ends by a check-in with an area of this node. */
static bool is_told(uint32_t slot)
{
    uint32_t opcode = send_opcode(slot);

    return opcode == TERN_OP_GET || opcode == TERN_OP_RELAY;
}

/*
 * Starts the message in `slot`; OK, or what stands in its way.  Its completion place is
 * the caller's.
 */
static uint32_t start(struct fw *fw, uint32_t slot, uint32_t attempts)
{
    uint32_t flags = TERN_F(DESC, flags, slot_word(slot, 0));
    uint32_t node = TERN_F(DESC, dst_node, slot_word(slot, TERN_DESC_dst_node_WORD));
    uint32_t status = fw_node_status(fw, node), opcode = send_opcode(slot);

    if (status != TERN_ST_OK)
        return status;
    if (!tx_ready(&fw->tx))
        return FW_HOLD;
    fw_op_mark(fw, slot, OP_SEND);
    fw->op[slot].idle = 0;
    fw->op[slot].attempts = (uint8_t)attempts;
    if (opcode == TERN_OP_READ)
        fw_read_expect(fw, slot);
    tx_start(&fw->tx, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_REQUEST) |
                          TERN_V(TXC, type, fw_send_type(opcode)) |
                          TERN_V(TXC, inl, (flags & TERN_DFLAG_INLINE) != 0) |
                          TERN_V(TXC, notify, 1) | TERN_V(TXC, msg, !fw_opcode_reads(opcode)));
    fw_tick_hurry(fw);
    return TERN_ST_OK;
}

static uint32_t check(struct fw *fw, struct fw_queue *q, uint32_t slot)
{
    uint32_t frame = slot_word(slot, 0);
    uint32_t flags = TERN_F(DESC, flags, frame);
    uint32_t bytes_max =
        flags & TERN_DFLAG_INLINE ? TERN_INLINE_BYTES_MAX : fw->id.payload_max;

    if (send_bytes(slot, frame) > bytes_max)
        return TERN_ST_BAD_LENGTH;
    if (fw_op_counter_status(fw, q, slot) != TERN_ST_OK)
        return TERN_ST_BAD_COUNTER;
    /* Messages keep their slots until answered for good; puts must still find some. */
    if (fw->sends >= fw->id.slots / 2)
        return FW_STALL;
    return is_told(slot) ? fw_get_check(fw, q, slot) : TERN_ST_OK;
}

void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t result = check(fw, q, slot);

    if (result == TERN_ST_OK)
        result = start(fw, slot, 0);
    if (result != TERN_ST_OK) {
        if (is_told(slot) && result < FW_HOLD)
            fw_get_failed(fw, slot, result);
        fw_desc_not_started(fw, q, event, result);
        return;
    }
    if (is_told(slot))
        fw_get_begun(fw, slot);
    q->producer++;
    fw->sends++;
    fw_cq_reserve(&fw->queue[q->cq]);
    FW_COUNT(fw, sends);
}

static void release(struct fw *fw, uint32_t slot)
{
    fw->sends--;
    fw_op_release(fw, slot);
}

/* The message is over. */
static void finish_put(struct fw *fw, uint32_t slot, uint32_t status, bool sent)
{
    struct fw_queue *cq = &fw->queue[fw_op_queue(fw, slot)->cq];
    uint32_t flags = TERN_F(DESC, flags, slot_word(slot, 0));

    if (status == TERN_ST_OK)
        fw_op_count(slot);
    else if (is_told(slot))
        fw_get_failed(fw, slot, status);
    if (status == TERN_ST_OK && !(flags & TERN_DFLAG_SIGNAL)) {
        fw_cq_return(cq);
    } else {
        cq->reserved--;
        fw_op_finish(fw, slot, status, sent);
    }
    release(fw, slot);
}

/* Reads wait for others' bytes to leave, which takes longer than a host takes to receive a message. */
static uint32_t attempts_max(uint32_t slot)
{
    return fw_opcode_reads(send_opcode(slot)) ? RETRY_READ_MAX : RETRY_MAX;
}

void fw_send_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_op *op = &fw->op[slot];
    bool again = status == TERN_ST_RNR && op->attempts < attempts_max(slot);

    if (status == TERN_ST_EARLY) {
        again = fw_pair_is_behind(fw, slot, OP_SEND);
        op->attempts = 0;
    }
    if (!again) {
        finish_put(fw, slot, status, tx_op_sent(slot));
        return;
    }
    fw->late &= ~(1u << slot);
    fw_op_mark(fw, slot, op->flags | OP_WAITS);
    op->wait = 1;
    if (status == TERN_ST_RNR)
        op->wait = retry_wait(++op->attempts);
}

/* Its completion place becomes one of a message. */
void fw_read_again(struct fw *fw, uint32_t slot)
{
    fw->queue[fw_op_queue(fw, slot)->cq].reserved++;
    fw->sends++;
    fw->op[slot].attempts = 0;
    fw_op_mark(fw, slot, OP_SEND);
    fw_send_ended(fw, slot, TERN_ST_RNR);
}

bool fw_sends_of_queue(const struct fw *fw, uint32_t queue)
{
    for (unsigned slot = 0; fw->sends != 0 && slot < fw->id.slots; slot++)
        if (fw->op[slot].flags & OP_WAITS && tx_slot_queue(slot) == queue)
            return true;
    return false;
}

void fw_sends_sweep(struct fw *fw)
{
    for (unsigned slot = 0; slot < fw->id.slots; slot++)
        if (fw->op[slot].flags & OP_WAITS &&
            fw_fn_sweeping(fw, fw_op_queue(fw, slot)->fn))
            release(fw, slot);
}

/* Starts it anew, unless its queue is at its end for it, or one of its pair before it has to go first. */
static uint32_t try_again(struct fw *fw, uint32_t slot)
{
    uint32_t flags = fw->queue[tx_slot_queue(slot) % FW_QUEUES].flags;

    if (flags & QUEUE_CLOSING || (flags & QUEUE_CUT && TERN_F(DESC, linked, slot_word(slot, 0))))
        return TERN_ST_FLUSHED;
    if (fw->op[slot].attempts == 0 && fw_pair_is_behind(fw, slot, OP_WAITS))
        return FW_HOLD;
    return start(fw, slot, fw->op[slot].attempts);
}

/* A message whose wait is over. */
static void repeat(struct fw *fw, uint32_t slot)
{
    uint32_t status = try_again(fw, slot);

    if (status == TERN_ST_OK)
        FW_COUNT(fw, rnr_retries);
    else if (status == FW_HOLD || !hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
        fw->op[slot].wait = 1; /* no place now: the next tick sees to it */
    else
        finish_put(fw, slot, status, false);
}

void fw_sends_tick(struct fw *fw)
{
    for (unsigned slot = 0; slot < fw->id.slots; slot++)
        if (fw->op[slot].flags & OP_WAITS && --fw->op[slot].wait == 0)
            repeat(fw, slot);
}
