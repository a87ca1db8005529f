/* SPDX-License-Identifier: Apache-2.0 */
/* Transmit commands, descriptor slots and the operation table. */
#ifndef FW_DRV_TX_H
#define FW_DRV_TX_H

#include "hal.h"

#define TX_OP_NONE_FREE (1u << 31)

struct tx {
    uint32_t room; /* commands that surely fit */
};

/* Register offset of the words of descriptor slot `slot`. */
static inline uint32_t tx_slot(uint32_t slot)
{
    return TERN_MMIO_SLOT + slot * TERN_MMIO_SLOT_STRIDE;
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

/* A free operation entry, or a value with TX_OP_NONE_FREE set. */
static inline uint32_t tx_op_alloc(void)
{
    return rd32(TERN_MMIO_OP_ALLOC);
}

static inline void tx_op_free(uint32_t op)
{
    wr32(TERN_MMIO_OP_FREE, op);
}

static inline void tx_op_kill(uint32_t op, uint32_t status)
{
    wr32(TERN_MMIO_OP_KILL, op | status << 8);
}

/* Operation entries in use, 32 a word. */
static inline uint32_t tx_ops_busy(unsigned word)
{
    return rd32(word == 0 ? TERN_MMIO_OP_BUSY0 : TERN_MMIO_OP_BUSY1);
}

/* Entries that moved since this was last asked, 32 a word. */
static inline uint32_t tx_progress_take(unsigned word)
{
    return rd32(word == 0 ? TERN_MMIO_OP_PROGRESS0 : TERN_MMIO_OP_PROGRESS1);
}

#endif
