/* SPDX-License-Identifier: Apache-2.0 */
/* Byte counters. */
#ifndef FW_DRV_CTR_H
#define FW_DRV_CTR_H

#include "hal.h"

static inline void ctr_set(uint32_t counter, uint32_t bytes)
{
    wr32(TERN_MMIO_CTR_SEL, counter);
    wr32(TERN_MMIO_CTR_VALUE, bytes);
}

static inline void ctr_take(uint32_t counter, uint32_t bytes)
{
    wr32(TERN_MMIO_CTR_SEL, counter);
    wr32(TERN_MMIO_CTR_TAKE, bytes);
}

static inline uint32_t ctr_get(uint32_t counter)
{
    wr32(TERN_MMIO_CTR_SEL, counter);
    return rd32(TERN_MMIO_CTR_VALUE);
}

#endif
