/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's own writes to host memory, and interrupts: one channel, in order. */
#ifndef FW_DRV_HWR_H
#define FW_DRV_HWR_H

#include "hal.h"

/* Bytes of one immediate write. */
#define HWR_DATA_BYTES (TERN_MMIO_HW_DATA_STRIDE * TERN_MMIO_HW_DATA_COUNT)

enum { HWR_KIND_DATA = 0, HWR_KIND_RX_SLOT = 1, HWR_KIND_INTERRUPT = 2 };

struct hwr {
    uint32_t room; /* writes known to fit */
};

/* Destination of a write: the region of `key` must belong to `fn`. */
struct hwr_place {
    uint64_t addr;
    uint32_t key;
    uint32_t fn;
};

/* Tells whether `count` writes fit now. */
static inline bool hwr_ready(struct hwr *hwr, uint32_t count)
{
    if (hwr->room < count)
        hwr->room = rd32(TERN_MMIO_HW_SPACE);
    return hwr->room >= count;
}

/*
 * Each starts one write; call after hwr_ready. A failure raises HWR with `tag`; with `notify`,
 * success does too. hwr_data writes 1 to HWR_DATA_BYTES of `words`.
 */
void hwr_data(struct hwr *hwr, const struct hwr_place *to, const uint32_t *words,
              uint32_t bytes, uint32_t tag, bool notify);
void hwr_interrupt(struct hwr *hwr, uint32_t fn, uint32_t vector, uint32_t tag);

/* Writes the payload of a receive slot, with notify. */
static inline void hwr_payload(struct hwr *hwr, const struct hwr_place *to, uint32_t rx_slot,
                               uint32_t bytes, uint32_t tag)
{
    uintptr_t block = mmio_block(TERN_MMIO_HW_ADDR_LO);

    wr32_in(block, 0, (uint32_t)to->addr);
    wr32_in(block, TERN_MMIO_HW_ADDR_HI - TERN_MMIO_HW_ADDR_LO, (uint32_t)(to->addr >> 32));
    wr32_in(block, TERN_MMIO_HW_KEY - TERN_MMIO_HW_ADDR_LO, to->key);
    wr32_in(block, TERN_MMIO_HW_FN - TERN_MMIO_HW_ADDR_LO, to->fn);
    hwr->room--;
    wr32_in(block, TERN_MMIO_HW_GO - TERN_MMIO_HW_ADDR_LO,
            TERN_V(HWG, bytes, bytes) | TERN_V(HWG, kind, HWR_KIND_RX_SLOT) |
                TERN_V(HWG, rxslot, rx_slot) | TERN_V(HWG, tag, tag) | TERN_V(HWG, notify, 1));
}

/* Writes HWR_DATA_BYTES of `words` to `addr`, like hwr_data without notify. */
static inline void hwr_line(struct hwr *hwr, uint64_t addr, uint32_t key, uint32_t fn,
                            const uint32_t *words, uint32_t tag)
{
    uintptr_t block = mmio_block(TERN_MMIO_HW_ADDR_LO);

/* The words of an array that a caller has just filled stay in registers then. */
#ifndef __OPTIMIZE_SIZE__
#pragma GCC unroll 16
#endif
    for (unsigned i = 0; i < TERN_MMIO_HW_DATA_COUNT; i++)
        wr32_in(block, TERN_MMIO_HW_DATA - TERN_MMIO_HW_ADDR_LO + i * TERN_MMIO_HW_DATA_STRIDE,
                words[i]);
    wr32_in(block, 0, (uint32_t)addr);
    wr32_in(block, TERN_MMIO_HW_ADDR_HI - TERN_MMIO_HW_ADDR_LO, (uint32_t)(addr >> 32));
    wr32_in(block, TERN_MMIO_HW_KEY - TERN_MMIO_HW_ADDR_LO, key);
    wr32_in(block, TERN_MMIO_HW_FN - TERN_MMIO_HW_ADDR_LO, fn);
    hwr->room--;
    wr32_in(block, TERN_MMIO_HW_GO - TERN_MMIO_HW_ADDR_LO,
            TERN_V(HWG, bytes, HWR_DATA_BYTES) | TERN_V(HWG, tag, tag));
}

/*
 * Has hardware write the completion of the operation in the slot that `event` names (Q_COMPLETE).
 */
static inline void hwr_complete(struct hwr *hwr, uint32_t event, uint32_t cq)
{
    hwr->room--;
    wr32(TERN_MMIO_Q_COMPLETE, event | TERN_V(QDN, cq, cq));
}

#endif
