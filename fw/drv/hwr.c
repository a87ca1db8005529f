/* SPDX-License-Identifier: Apache-2.0 */
#include "hwr.h"

static void place(const struct hwr_place *to)
{
    wr32(TERN_MMIO_HW_ADDR_LO, (uint32_t)to->addr);
    wr32(TERN_MMIO_HW_ADDR_HI, (uint32_t)(to->addr >> 32));
    wr32(TERN_MMIO_HW_KEY, to->key);
    wr32(TERN_MMIO_HW_FN, to->fn);
}

static void go(struct hwr *hwr, uint32_t command)
{
    hwr->room--;
    wr32(TERN_MMIO_HW_GO, command);
}

void hwr_data(struct hwr *hwr, const struct hwr_place *to, const uint32_t *words,
              uint32_t bytes, uint32_t tag, bool notify)
{
    place(to);
    for (uint32_t i = 0; 4 * i < bytes; i++)
        wr32(TERN_MMIO_HW_DATA + i * TERN_MMIO_HW_DATA_STRIDE, words[i]);
    go(hwr, TERN_V(HWG, bytes, bytes) | TERN_V(HWG, kind, HWR_KIND_DATA) |
                TERN_V(HWG, tag, tag) | TERN_V(HWG, notify, notify));
}

void hwr_interrupt(struct hwr *hwr, uint32_t fn, uint32_t vector, uint32_t tag)
{
    wr32(TERN_MMIO_HW_KEY, vector);
    wr32(TERN_MMIO_HW_FN, fn);
    go(hwr,
       TERN_V(HWG, bytes, 1) | TERN_V(HWG, kind, HWR_KIND_INTERRUPT) | TERN_V(HWG, tag, tag));
}

