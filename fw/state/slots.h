/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of descriptor slots and receive slots: every scan over them is in this file.
 *
 * A set of slots is a word with a bit per slot. The slots from `fw->id.slots` on are own slots.
 */
#ifndef FW_STATE_SLOTS_H
#define FW_STATE_SLOTS_H

#include "fw.h"
#include "node.h"

/* Returns the number of the one bit that is set in `bit`. */
uint32_t fw_bit_number(uint32_t bit);

/* Takes the lowest slot out of the set; false when the set is empty. */
bool fw_slots_take(uint32_t *set, uint32_t *slot);

/* Return opcode and destination node of the descriptor in the slot. */
static inline uint32_t fw_slot_opcode(uint32_t slot)
{
    return TERN_F(DESC, opcode, tx_slot_word(slot, 0));
}

static inline uint32_t fw_slot_node(uint32_t slot)
{
    return TERN_F(DESC, dst_node, tx_slot_word(slot, TERN_DESC_dst_node_WORD));
}

/*
 * Tells whether the opcode fetches bytes of another node with an inline request. If its target has
 * no free slot, the request does not fail but is sent again.
 */
static inline bool fw_opcode_reads(uint32_t opcode)
{
    return opcode == TERN_OP_READ || opcode == TERN_OP_LOOKUP;
}

static inline bool fw_slot_reads(uint32_t slot)
{
    return fw_opcode_reads(fw_slot_opcode(slot));
}

/* Tells whether the opcode sends a put over the tree network. */
static inline bool fw_opcode_by_tree(uint32_t opcode)
{
#ifdef TERN_NO_COMBINE
    (void)opcode;
    return false;
#else
    return opcode == TERN_OP_TREE_PUT;
#endif
}

/* The same, for the descriptor in the slot. */
static inline bool fw_slot_by_tree(uint32_t slot)
{
#ifdef TERN_NO_COMBINE
    (void)slot;
    return false;
#else
    return fw_opcode_by_tree(fw_slot_opcode(slot));
#endif
}

/* Returns the box that the descriptor in the slot names. */
struct box fw_bcast_box(uint32_t slot);

/* Returns the packet type of the message that the opcode sends. */
uint32_t fw_send_type(uint32_t opcode);

/* ---- operations, by slot */

/*
 * Sets all flags of an operation. Besides this, only the quick path changes them, which checks the
 * set `marked`.
 */
static inline void fw_op_mark(struct fw *fw, uint32_t slot, uint32_t flags)
{
    uint32_t bit = 1u << slot;

    fw->op[slot].flags = (uint8_t)flags;
    fw->marked = (fw->marked & ~bit) | (flags != 0 ? bit : 0);
    fw->waiting = (fw->waiting & ~bit) | (flags & OP_WAITS ? bit : 0);
}

/* Returns the queue whose descriptor is in the slot. */
struct fw_queue *fw_op_queue(struct fw *fw, uint32_t slot);

/* Tells whether the slot's contribution to a group of the tree network comes from host memory. */
static inline bool fw_slot_combines(uint32_t slot)
{
#ifdef TERN_NO_COMBINE
    (void)slot;
    return false;
#else
    uint32_t frame = tx_slot_word(slot, 0);

    return TERN_F(DESC, opcode, frame) == TERN_OP_COMBINE &&
           !(TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE);
#endif
}

/* Returns the slots whose contributions are in the tree network. */
static inline uint32_t fw_combining(const struct fw *fw)
{
#ifdef TERN_NO_COMBINE
    (void)fw;
    return 0;
#else
    return fw->combines;
#endif
}

/* Returns the slots of queues whose operations are in flight. */
uint32_t fw_ops_busy(const struct fw *fw);

/* Counts the puts in flight that complete into `cq`, or would if they failed. */
uint32_t fw_ops_of_cq(const struct fw *fw, uint32_t cq);

/* Returns the slots of the queue whose operations are in flight. */
uint32_t fw_ops_in_flight(const struct fw *fw, uint32_t queue);

/* Tells whether an operation of the queue is in flight or waits to be sent again. */
bool fw_ops_of_queue(const struct fw *fw, uint32_t queue);

/* Returns the slots of queues whose messages wait to be sent again. */
static inline uint32_t fw_sends_waiting(const struct fw *fw)
{
    return fw->waiting & ((1u << fw->id.slots) - 1);
}

/* Tells whether a message of the queue waits to be sent again. */
bool fw_sends_of_queue(const struct fw *fw, uint32_t queue);

/*
 * Tells whether a request of a queue to this node itself has not left: it may wait for a receive
 * slot, and others after it.
 */
bool fw_ops_wait_here(const struct fw *fw);

/* Counts the operations of queues in flight. */
uint32_t fw_ops_used(const struct fw *fw);

/*
 * Tells whether an older message of the send queue of `slot` is still in flight (`flag` OP_SEND) or
 * waits (OP_WAITS): the message in `slot` must come after it.
 */
bool fw_pair_is_behind(const struct fw *fw, uint32_t slot, uint32_t flag);

/* ---- reads */

/*
 * Tells the chip to expect one more answer per packet after the first. Call before the command of
 * the read in the slot.
 */
void fw_read_expect(const struct fw *fw, uint32_t slot);

/* Frees an own slot, one of those that reads may take. */
void fw_own_give(struct fw *fw, uint32_t slot);

/* Tells whether bytes of the region are being sent to other nodes. */
bool fw_region_is_read(const struct fw *fw, uint32_t index);

/* ---- receive slots */

/* Counts the descriptors that are being written into the ring of `queue`. */
uint32_t fw_gets_into(const struct fw *fw, uint32_t queue);

/* ---- queues that wait for an area */

/* Returns the area that the queue waits for, or FW_AREAS. */
uint32_t fw_area_awaited(const struct fw *fw, uint32_t queue);

/* Call when the queue is deleted or no longer waits. */
void fw_area_forget(struct fw *fw, uint32_t queue);

#endif
