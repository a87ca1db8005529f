/* SPDX-License-Identifier: Apache-2.0 */
/* The tree network: its groups, and contributions of this node. */
#ifndef FW_DRV_TREE_NET_H
#define FW_DRV_TREE_NET_H

#include "hal.h"

/* Returns the groups of the chip; 0: it has no tree network, and none of the others may be used. */
static inline uint32_t tree_groups(void)
{
    return rd32(TERN_MMIO_SIZES) >> 24;
}

/* Returns the state of a group, as TRG. */
static inline uint32_t tree_state(uint32_t group)
{
    return rd32(TERN_MMIO_TREE_STATE + group * TERN_MMIO_TREE_STATE_STRIDE);
}

/* Sets up a group, or gives it back; `what`: TRS, with the function; `ticks`: its patience. */
static inline void tree_set(uint32_t rank, uint32_t ticks, uint32_t what)
{
    wr32(TERN_MMIO_TREE_RANK, rank);
    wr32(TERN_MMIO_TREE_WAIT, ticks);
    wr32(TERN_MMIO_TREE_SET, what);
}

/*
 * Starts a contribution of 8 bytes at most. `what` has the fields TRO, with the descriptor slot in
 * place of the epoch. The group's `pending` must be below TREE_SLOTS.
 */
static inline void tree_go(uint32_t low, uint32_t high, uint32_t what)
{
    wr32(TERN_MMIO_TREE_LO, low);
    wr32(TERN_MMIO_TREE_HI, high);
    wr32(TERN_MMIO_TREE_GO, what);
}

/*
 * Makes the packets that the transmit unit sends to the group contributions like `what` (TRO, with
 * their number less one in place of `bytes`). Call before the command; no other contribution of the
 * group may be under way.
 */
static inline void tree_arm(uint32_t what)
{
    wr32(TERN_MMIO_TREE_GO, what | TERN_V(TRO, long, 1));
}

/* Returns why the group has failed, as TRW. */
static inline uint32_t tree_why(uint32_t group)
{
    return rd32(TERN_MMIO_TREE_WHY + group * TERN_MMIO_TREE_WHY_STRIDE);
}

/* Takes the combination of the last TREE event. Call once for each. */
static inline uint64_t tree_take(void)
{
    uint64_t low = rd32(TERN_MMIO_TREE_LO);

    return low | (uint64_t)rd32(TERN_MMIO_TREE_HI) << 32;
}

#endif
