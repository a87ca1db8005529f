/* SPDX-License-Identifier: Apache-2.0 */
/* Transmit commands, descriptor slots, and the operations that were started from them. */
#ifndef FW_DRV_TX_H
#define FW_DRV_TX_H

#include "hal.h"

struct tx {
    uint32_t room; /* commands that surely fit */
};

/* Register offset of the words of descriptor slot `slot`. */
static inline uint32_t tx_slot(uint32_t slot)
{
    return TERN_MMIO_SLOT + slot * TERN_MMIO_SLOT_STRIDE;
}

/* Word `word` of the descriptor in the slot. */
static inline uint32_t tx_slot_word(uint32_t slot, unsigned word)
{
    return rd32(tx_slot(slot) + 4 * word);
}

static inline void tx_slot_free(uint32_t slot)
{
    wr32(TERN_MMIO_SLOT_FREE, slot);
}

/* Whether a command may be started now. */
static inline bool tx_ready(struct tx *tx)
{
    if (tx->room == 0)
        tx->room = rd32(TERN_MMIO_TX_SPACE);
    return tx->room != 0;
}

/* Starts a message: TXC fields.  Only after tx_ready. */
static inline void tx_start(struct tx *tx, uint32_t command)
{
    tx->room--;
    wr32(TERN_MMIO_TX_CMD, command);
}

/* How many answers the broadcast in the slot awaits.  Before its tx_start. */
static inline void tx_op_members(uint32_t slot, uint32_t members)
{
    wr32(TERN_MMIO_OP_MEMBERS, slot | members << 16);
}

/* Ends the operation of the slot, if it has one that has not ended. */
static inline void tx_op_kill(uint32_t slot, uint32_t status)
{
    wr32(TERN_MMIO_OP_KILL, slot | status << 8);
}

/* Slots whose operation has not ended, or whose OP event waits, a bit each. */
static inline uint32_t tx_ops_busy(void)
{
    return rd32(TERN_MMIO_OP_BUSY);
}

/* Slots whose operation has sent a packet since it began, a bit each. */
static inline uint32_t tx_ops_sent(void)
{
    return rd32(TERN_MMIO_OP_SENT);
}

static inline bool tx_op_sent(uint32_t slot)
{
    return (tx_ops_sent() >> slot) & 1;
}

/* The queue whose descriptor the slot holds. */
static inline uint32_t tx_slot_queue(uint32_t slot)
{
    return rd32(TERN_MMIO_OWNER + slot * TERN_MMIO_OWNER_STRIDE);
}

/* Slots whose operation began or moved since this was last asked, a bit each. */
static inline uint32_t tx_progress_take(void)
{
    return rd32(TERN_MMIO_OP_PROGRESS);
}

#endif
