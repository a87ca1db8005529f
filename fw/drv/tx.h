/* SPDX-License-Identifier: Apache-2.0 */
/* Transmit commands, descriptor slots, and the operations started from them. */
#ifndef FW_DRV_TX_H
#define FW_DRV_TX_H

#include "hal.h"

struct tx {
    uint32_t room; /* commands known to fit */
};

/* Returns the register offset of descriptor slot `slot`. */
static inline uint32_t tx_slot(uint32_t slot)
{
    return TERN_MMIO_SLOT + slot * TERN_MMIO_SLOT_STRIDE;
}

/* Returns word `word` of the descriptor in the slot. */
static inline uint32_t tx_slot_word(uint32_t slot, unsigned word)
{
    return rd32(tx_slot(slot) + 4 * word);
}

/* Writes word `word` of the descriptor in the slot. */
static inline void tx_slot_set(uint32_t slot, unsigned word, uint32_t value)
{
    wr32(tx_slot(slot) + 4 * word, value);
}

static inline void tx_slot_free(uint32_t slot)
{
    wr32(TERN_MMIO_SLOT_FREE, slot);
}

/* Tells whether a command may be issued now. */
static inline bool tx_ready(struct tx *tx)
{
    if (tx->room == 0)
        tx->room = rd32(TERN_MMIO_TX_SPACE);
    return tx->room != 0;
}

/* Starts a transmission; `command`: TXC fields. Call after tx_ready. */
static inline void tx_start(struct tx *tx, uint32_t command)
{
    tx->room--;
    wr32(TERN_MMIO_TX_CMD, command);
}

/* Sets the number of answers to the broadcast in the slot. Call before its tx_start. */
static inline void tx_op_members(uint32_t slot, uint32_t members)
{
    wr32(TERN_MMIO_OP_MEMBERS, slot | members << 16);
}

/* Ends the operation of the slot, if one is in flight. */
static inline void tx_op_kill(uint32_t slot, uint32_t status)
{
    wr32(TERN_MMIO_OP_KILL, slot | status << 8);
}

/* Returns a bit for each slot whose operation is in flight, or whose OP event waits. */
static inline uint32_t tx_ops_busy(void)
{
    return rd32(TERN_MMIO_OP_BUSY);
}

/* Returns a bit for each slot whose operation has sent a packet since it began. */
static inline uint32_t tx_ops_sent(void)
{
    return rd32(TERN_MMIO_OP_SENT);
}

static inline bool tx_op_sent(uint32_t slot)
{
    return (tx_ops_sent() >> slot) & 1;
}

/* Returns the queue whose descriptor is in the slot. */
static inline uint32_t tx_slot_queue(uint32_t slot)
{
    return rd32(TERN_MMIO_OWNER + slot * TERN_MMIO_OWNER_STRIDE);
}

/* Returns a bit for each slot whose operation began or progressed since the last call. */
static inline uint32_t tx_progress_take(void)
{
    return rd32(TERN_MMIO_OP_PROGRESS);
}

#endif
