/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include "key.h"

_Static_assert(FW_SLOTS <= 32, "a set of slots is a word");

/*
 * `waiter` of an area that no queue waits for; 0 is free for this, since queue 0 is an admin ring.
 */
#define NOBODY 0u

/* De Bruijn sequence: its top five bits, after a shift left by n, differ for each n. */
#define BIT_PATTERN 0x077cb531u

uint32_t fw_bit_number(uint32_t bit)
{
    static const uint8_t numbers[32] = {
        0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
        31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9,
    };

    return numbers[bit * BIT_PATTERN >> 27];
}

bool fw_slots_take(uint32_t *set, uint32_t *slot)
{
    if (*set == 0)
        return false;
    *slot = fw_bit_number(*set & -*set);
    *set &= *set - 1;
    return true;
}

struct fw_queue *fw_op_queue(struct fw *fw, uint32_t slot)
{
    return &fw->queue[tx_slot_queue(slot) % FW_QUEUES];
}

uint32_t fw_ops_busy(const struct fw *fw)
{
    return (tx_ops_busy() | fw_combining(fw)) & ((1u << fw->id.slots) - 1);
}

uint32_t fw_ops_of_cq(const struct fw *fw, uint32_t cq)
{
    uint32_t set = fw_ops_busy(fw);
    uint32_t count = 0, slot;

    while (fw_slots_take(&set, &slot))
        if (!(fw->op[slot].flags & (OP_SEND | OP_DEAD)))
            count += fw->queue[tx_slot_queue(slot) % FW_QUEUES].cq == cq;
    return count;
}

uint32_t fw_ops_in_flight(const struct fw *fw, uint32_t queue)
{
    uint32_t set = fw_ops_busy(fw), found = 0, slot;

    while (fw_slots_take(&set, &slot))
        if (!(fw->op[slot].flags & OP_DEAD) && tx_slot_queue(slot) == queue)
            found |= 1u << slot;
    return found;
}

bool fw_ops_of_queue(const struct fw *fw, uint32_t queue)
{
    return fw_ops_in_flight(fw, queue) != 0 ||
           (fw_sends_waiting(fw) != 0 && fw_sends_of_queue(fw, queue));
}

bool fw_ops_wait_here(const struct fw *fw)
{
    uint32_t set = fw_ops_busy(fw) & ~(tx_ops_sent() | fw_combining(fw)), slot;

    while (fw_slots_take(&set, &slot))
        if (fw_slot_node(slot) == fw->id.node && fw_slot_opcode(slot) != TERN_OP_PUT &&
            !fw_slot_by_tree(slot))
            return true;
    return false;
}

uint32_t fw_ops_used(const struct fw *fw)
{
    uint32_t set = fw_ops_busy(fw), count = 0, slot;

    while (fw_slots_take(&set, &slot))
        count++;
    return count;
}

uint32_t fw_area_awaited(const struct fw *fw, uint32_t queue)
{
    uint32_t id = 0;

    while (id < FW_AREAS && (fw->area[id].waiter != queue || queue == NOBODY))
        id++;
    return id;
}

void fw_area_forget(struct fw *fw, uint32_t queue)
{
    uint32_t id = fw_area_awaited(fw, queue);

    if (id < FW_AREAS)
        fw->area[id].waiter = NOBODY;
}

struct box fw_bcast_box(uint32_t slot)
{
    return (struct box){
        .low = (uint16_t)TERN_F(BOX, low, tx_slot_word(slot, TERN_BOX_low_WORD)),
        .high = (uint16_t)TERN_F(BOX, high, tx_slot_word(slot, TERN_BOX_high_WORD)),
    };
}

uint32_t fw_gets_into(const struct fw *fw, uint32_t queue)
{
    uint32_t count = 0;

    for (uint32_t slot = 0; fw->placing >> slot != 0; slot++)
        count += (fw->placing >> slot & 1) && fw->rx_queue[slot] == queue;
    return count;
}

void fw_own_give(struct fw *fw, uint32_t slot)
{
    fw->op[slot] = (struct fw_op){.flags = OP_OWN, .next = fw->own_free};
    fw->own_free = (uint8_t)slot;
}

void fw_read_expect(const struct fw *fw, uint32_t slot)
{
    uint32_t bytes = tx_slot_word(slot, TERN_RDR_length_WORD);

    if (bytes > fw->id.payload_max)
        tx_op_members(slot, (bytes - 1) / fw->id.payload_max);
}

bool fw_region_is_read(const struct fw *fw, uint32_t index)
{
    for (uint32_t slot = fw->id.slots; slot < fw->id.slots + fw->id.own_slots; slot++)
        if (fw->op[slot].flags & OP_SERVES &&
            KEY_INDEX(rd32(tx_slot(slot) + 4 * TERN_DESC_local_key_WORD)) == index)
            return true;
    return false;
}

bool fw_pair_is_behind(const struct fw *fw, uint32_t slot, uint32_t flag)
{
    uint32_t queue = tx_slot_queue(slot), index = rd32(tx_slot(slot) + 4 * TERN_DESC_index_WORD);

    uint32_t set = fw->marked & ((1u << fw->id.slots) - 1), other;

    while (fw_slots_take(&set, &other))
        if (fw->op[other].flags & flag && tx_slot_queue(other) == queue &&
            (int16_t)(rd32(tx_slot(other) + 4 * TERN_DESC_index_WORD) - index) < 0)
            return true;
    return false;
}

/* Returns the packet type; all but one are messages to the firmware there. */
uint32_t fw_send_type(uint32_t opcode)
{
    switch (opcode) {
    case TERN_OP_SEND:
        return TERN_PTYPE_SEND;
    case TERN_OP_CHECKIN:
        return TERN_PTYPE_CHECKIN;
    case TERN_OP_GET:
        return TERN_PTYPE_GET;
    case TERN_OP_RELAY:
        return TERN_PTYPE_RELAY;
    case TERN_OP_READ:
        return TERN_PTYPE_READ;
    case TERN_OP_LOOKUP:
        return TERN_PTYPE_LOOKUP;
#ifndef TERN_NO_COMBINE
    case TERN_OP_TREE_FORWARD:
        return TERN_PTYPE_TREE_FORWARD;
#endif
    default:
        return 0;
    }
}

bool fw_sends_of_queue(const struct fw *fw, uint32_t queue)
{
    uint32_t set = fw_sends_waiting(fw), slot;

    while (fw_slots_take(&set, &slot))
        if (tx_slot_queue(slot) == queue)
            return true;
    return false;
}
