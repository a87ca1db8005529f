/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

#include "area.h"
#include "arena.h"
#include "combine.h"
#include "cq.h"
#include "ctr.h"
#include "descriptors.h"
#include "get.h"
#include "messages_out.h"
#include "op.h"
#include "read.h"
#include "relay.h"
#include "retry.h"
#include "send.h"
#include "slots.h"

/*
 * `counter_cq` of a counter that is not armed; 0 is free for this, since queue 0 is an admin ring.
 */
#define NOBODY 0u

#define ATOMICS (1u << TERN_OP_CAS | 1u << TERN_OP_ADD | 1u << TERN_OP_TAKE)

/*
 * Tells whether an atomic operation of a chain changed nothing: compares the word with the
 * operands, which are still in the slot.
 */
static bool is_unlike(uint32_t slot, uint32_t frame)
{
    uint32_t unlike = 0;

    if (!TERN_F(DESC, strict, frame) || !(ATOMICS >> TERN_F(DESC, opcode, frame) % 32 & 1))
        return false;
    for (unsigned i = 0; i < TERN_ATOMIC_BYTES / 4; i++)
        unlike |= (tx_slot_word(slot, TERN_ATR_value_WORD + i) ^
                   tx_slot_word(slot, TERN_ATO_compare_WORD + i)) &
                  tx_slot_word(slot, TERN_ATO_compare_mask_WORD + i);
    return unlike != 0;
}

static void end_put(struct fw *fw, uint32_t event, uint32_t status, uint32_t flags)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0);
    struct fw_queue *q = &fw->queue[TERN_F(EV, queue, event) % FW_QUEUES];

    if (flags & OP_PULLED)
        fw_pull_ended(fw, slot, status);
    if (status == TERN_ST_OK && flags & OP_COUNTED && is_unlike(slot, frame))
        status = TERN_ST_UNLIKE;
    if (status == TERN_ST_OK && TERN_F(DESC, counted, frame))
        fw_op_count(slot);
    if (status == TERN_ST_OK && flags & (OP_COUNTED | OP_PULLED) &&
        !(TERN_F(DESC, flags, frame) & TERN_DFLAG_SIGNAL))
        fw->queue[q->cq].room++; /* no completion: its entry is free again */
    else if (status == TERN_ST_OK && fw_op_complete(fw, slot, frame, q))
        return;
    else
        fw_op_finish(fw, slot, status, tx_op_sent(slot));
    fw_op_release(fw, slot, q);
}

void fw_message_over(struct fw *fw, uint32_t slot, uint32_t status, bool sent)
{
    if (status != TERN_ST_OK && fw_get_is(slot))
        fw_get_failed(fw, slot, status);
    fw_send_finish(fw, slot, status, sent);
}

/*
 * Ends a message of the firmware itself. If the receiver was not ready, the message is sent again.
 * After the last failure, the time limit of the area ends.
 */
static void reply_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_op *op = &fw->op[slot];

    if (status == TERN_ST_RNR && op->attempts < RETRY_MAX) {
        fw_op_mark(fw, slot, OP_OWN | OP_WAITS);
        op->attempts++;
        op->wait = retry_wait(op->attempts);
        return;
    }
#ifndef TERN_NO_COMBINE
    if (fw_forward_is(slot))
        fw_forward_answered(fw, slot, status);
#endif
    if (status != TERN_ST_OK)
        fw_relay_failed(fw, slot, status);
    fw_own_ended(fw, slot);
}

static bool combine_over(struct fw *fw, uint32_t slot, uint32_t status)
{
#ifdef TERN_NO_COMBINE
    (void)fw;
    (void)slot;
    (void)status;
    return false;
#else
    return fw_combine_over(fw, slot, status);
#endif
}

void fw_on_op(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t status = TERN_F(EV, opstatus, event);
    uint32_t flags = fw->op[slot].flags;

    if (flags == OP_SEND && status == TERN_ST_OK) { /* the most frequent case here */
        fw_send_done(fw, event);
    } else if (flags == OP_COUNTED) {
        end_put(fw, event, status, flags);
    } else if (flags & OP_SERVES) {
        fw_read_ended(fw, slot, status);
    } else if (flags & OP_OWN) {
        reply_ended(fw, slot, status);
    } else if (flags & OP_DEAD) {
        if (flags & OP_SEND)
            fw->sends--;
        if (flags & OP_PULLED)
            fw_pull_ended(fw, slot, TERN_ST_FLUSHED);
        fw_op_release(fw, slot, fw_op_queue(fw, slot));
    } else if (flags & OP_SEND) {
        if (!combine_over(fw, slot, status) && !fw_send_again(fw, slot, status))
            fw_message_over(fw, slot, status, tx_op_sent(slot));
    } else if (status == TERN_ST_RNR && fw_slot_reads(slot)) {
        fw_read_again(fw, slot);
    } else {
        end_put(fw, event, status, flags);
    }
    fw_fence_ended(fw, TERN_F(EV, queue, event) % FW_QUEUES);
    if (fw->queue[TERN_F(EV, queue, event) % FW_QUEUES].flags & QUEUE_FENCED)
        fw_descs_turn(fw);
}

#ifndef TERN_NO_COMBINE
void fw_on_tree(struct fw *fw, uint32_t event)
{
    uint32_t number = tx_slot_queue(TERN_F(EV, slot, event)) % FW_QUEUES;

    fw_combine_ended(fw, event);
    fw_fence_ended(fw, number);
    if (fw->queue[number].flags & QUEUE_FENCED)
        fw_descs_turn(fw);
}
#endif

/*
 * Handles the end of a byte counter. The event may be from before the last setting; a counter above
 * zero will raise another one.
 */
void fw_on_counter(struct fw *fw, uint32_t event)
{
    uint32_t counter = TERN_F(EV, counter, event) % FW_COUNTERS;
    uint32_t cq = fw->counter_cq[counter];
    struct done done = {.opcode = TERN_OP_COUNTER,
                        .queue = cq,
                        .index = counter,
                        .node = fw->id.node};

    if (fw_arena_arrived(fw, counter) || cq == NOBODY || ctr_get(counter) != 0)
        return;
    fw->counter_cq[counter] = NOBODY;
    if (cq >= FW_QUEUES) {
        fw_area_end_now(fw, fw->counter_owner[counter], cq - FW_QUEUES, TERN_ST_OK);
        return;
    }
    fw->queue[cq].users--;
    fw_cq_complete(fw, cq, &done);
}
