/* SPDX-License-Identifier: Apache-2.0 */
#include "send.h"

#include "clock.h"
#include "cq.h"
#include "desc.h"
#include "op.h"
#include "retry.h"
#include "slots.h"

static uint32_t send_bytes(uint32_t slot, uint32_t frame)
{
    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE)
        return TERN_F(DESC, inline_len, frame);
    return tx_slot_word(slot, TERN_DESC_length_WORD);
}

/*
 * Starts the message in `slot`; OK, or the status that says why it cannot start.  The caller
 * accounts for its completion entry.
 */
static uint32_t start(struct fw *fw, uint32_t slot, uint32_t frame, uint32_t attempts)
{
    uint32_t opcode = TERN_F(DESC, opcode, frame), status = fw_node_status(fw, fw_slot_node(slot));

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
                          TERN_V(TXC, inl, (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE) != 0) |
                          TERN_V(TXC, notify, 1) | TERN_V(TXC, msg, !fw_opcode_reads(opcode)));
    fw_tick_hurry(fw);
    return TERN_ST_OK;
}

uint32_t fw_send_check(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame)
{
    uint32_t bytes_max =
        TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE ? TERN_INLINE_BYTES_MAX : fw->id.payload_max;

    if (send_bytes(slot, frame) > bytes_max)
        return TERN_ST_BAD_LENGTH;
    if (TERN_F(DESC, counted, frame) && fw_op_counter_status(fw, q, slot) != TERN_ST_OK)
        return TERN_ST_BAD_COUNTER;
    /* Messages keep their slots until the final answer; puts must still find some. */
    if (fw->sends >= fw->id.slots / 2)
        return FW_STALL;
    return TERN_ST_OK;
}

uint32_t fw_send_start(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame)
{
    uint32_t result = start(fw, slot, frame, 0);

    if (result != TERN_ST_OK)
        return result;
    q->producer++;
    fw->sends++;
    fw_cq_reserve(&fw->queue[q->cq]);
    FW_COUNT(fw, sends);
    return TERN_ST_OK;
}

void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0);
    uint32_t result = fw_send_check(fw, q, slot, frame);

    if (result == TERN_ST_OK)
        result = fw_send_start(fw, q, slot, frame);
    if (result != TERN_ST_OK)
        fw_desc_not_started(fw, q, event, result);
}

static void release(struct fw *fw, uint32_t slot)
{
    fw->sends--;
    fw_op_release(fw, slot, fw_op_queue(fw, slot));
}

void fw_send_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent)
{
    struct fw_queue *q = fw_op_queue(fw, slot), *cq = &fw->queue[q->cq];
    uint32_t frame = tx_slot_word(slot, 0);

    fw->sends--;
    if (status == TERN_ST_OK && TERN_F(DESC, counted, frame))
        fw_op_count(slot);
    if (status == TERN_ST_OK && !(TERN_F(DESC, flags, frame) & TERN_DFLAG_SIGNAL)) {
        fw_cq_return(cq);
    } else {
        cq->reserved--;
        if (status == TERN_ST_OK && fw_op_complete(fw, slot, frame, q))
            return;
        fw_op_finish(fw, slot, status, sent);
    }
    fw_op_release(fw, slot, q);
}

void fw_send_done(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    struct fw_queue *q = &fw->queue[TERN_F(EV, queue, event) % FW_QUEUES];
    uint32_t frame = tx_slot_word(slot, 0);

    if (!(TERN_F(DESC, flags, frame) & TERN_DFLAG_SIGNAL) || TERN_F(DESC, counted, frame) ||
        !fw_op_complete(fw, slot, frame, q)) {
        fw_send_finish(fw, slot, TERN_ST_OK, true);
        return;
    }
    fw->sends--;
    fw->queue[q->cq].reserved--;
}

/*
 * Returns the limit of attempts. A refused read waits for other reads' bytes to leave, which takes
 * longer than the receipt of a message.
 */
static uint32_t attempts_max(uint32_t slot)
{
    return fw_opcode_reads(fw_slot_opcode(slot)) ? RETRY_READ_MAX : RETRY_MAX;
}

bool fw_send_again(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_op *op = &fw->op[slot];
    bool again = status == TERN_ST_RNR && op->attempts < attempts_max(slot);

    if (status == TERN_ST_EARLY) {
        again = fw_pair_is_behind(fw, slot, OP_SEND);
        op->attempts = 0;
    }
    if (!again)
        return false;
    fw->late &= ~(1u << slot);
    fw_op_mark(fw, slot, op->flags | OP_WAITS);
    op->wait = 1;
    if (status == TERN_ST_RNR)
        op->wait = retry_wait(++op->attempts);
    return true;
}

/* Its completion entry now counts as reserved for a message. */
void fw_read_again(struct fw *fw, uint32_t slot)
{
    fw->queue[fw_op_queue(fw, slot)->cq].reserved++;
    fw->sends++;
    fw->op[slot].attempts = 0;
    fw_op_mark(fw, slot, OP_SEND);
    (void)fw_send_again(fw, slot, TERN_ST_RNR);
}

void fw_sends_sweep(struct fw *fw)
{
    uint32_t set = fw_sends_waiting(fw), slot;

    while (fw_slots_take(&set, &slot))
        if (fw_fn_sweeping(fw, fw_op_queue(fw, slot)->fn))
            release(fw, slot);
}

uint32_t fw_send_try_again(struct fw *fw, uint32_t slot)
{
    uint32_t flags = fw->queue[tx_slot_queue(slot) % FW_QUEUES].flags;

    if (flags & QUEUE_CLOSING || (flags & QUEUE_CUT && TERN_F(DESC, linked, tx_slot_word(slot, 0))))
        return TERN_ST_FLUSHED;
    if (fw->op[slot].attempts == 0 && fw_pair_is_behind(fw, slot, OP_WAITS))
        return FW_HOLD;
    return start(fw, slot, tx_slot_word(slot, 0), fw->op[slot].attempts);
}
