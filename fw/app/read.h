/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads.  Their origin sends one packet and counts answers.  The target sends the bytes from one of its own
 * descriptor slots, and keeps the request in its receive slot until all have left, since what went wrong is answered
 * to it.  One own slot is left to messages, so at least one receive slot never waits for the transmit unit.
 */
#ifndef FW_APP_READ_H
#define FW_APP_READ_H

#include "recv.h"
#include "tick.h"

#define READ_COMMAND \
    (TERN_V(TXC, type, TERN_PTYPE_REPLY) | TERN_V(TXC, vn, TERN_VN_DATA) | TERN_V(TXC, notify, 1))

/* Bytes that the read in the descriptor slot asks for. */
static inline uint32_t fw_read_bytes(uint32_t slot)
{
    return rd32(tx_slot(slot) + 4 * TERN_RDR_length_WORD);
}

/* Before the command of the read in the slot: an answer more for each packet behind the first. */
void fw_read_expect(const struct fw *fw, uint32_t slot);

/*
 * Begins to send what the packet of the RX event asks for, which has been copied to the first free own slot; there is
 * room for a command, which the caller counts.  False: nothing has begun, because something is wrong.
 */
static inline bool fw_read_begin(struct fw *fw, uint32_t event)
{
    uint32_t from = TERN_F(EV, rxslot, event), slot = fw->own_free >> TERN_RXC_slot_LSB;
    struct fw_op *op = &fw->op[slot];

    if (fw_recv_is_stale(fw, from) ||
        TERN_F(PKT, length, rx_header(from, TERN_PKT_length_WORD)) != TERN_READ_BYTES)
        return false;
    wr32(TERN_MMIO_TX_CMD, READ_COMMAND | TERN_V(TXC, slot, slot));
    fw->own_free = TERN_V(RXC, slot, op->next);
    *op = (struct fw_op){.flags = OP_OWN | OP_SERVES, .from = (uint8_t)from};
    fw_tick_hurry(fw);
    return true;
}

/* The same when the copy was not made: FW_LATER, FW_HOLD when it has to wait, or why it is refused. */
uint32_t fw_read_take(struct fw *fw, uint32_t event);

/* What was sent from the own slot has ended. */
void fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* The own slot, which holds nothing any more, is the first free one. */
static inline void fw_own_give(struct fw *fw, uint32_t slot)
{
    fw->op[slot] = (struct fw_op){.flags = OP_OWN, .next = (uint8_t)(fw->own_free >> TERN_RXC_slot_LSB)};
    fw->own_free = TERN_V(RXC, slot, slot);
}

/* Whether bytes of the region are on their way to others. */
bool fw_region_is_read(const struct fw *fw, uint32_t index);

#endif
