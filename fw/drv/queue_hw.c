/* SPDX-License-Identifier: Apache-2.0 */
#include "queue_hw.h"

void queue_hw_start(uint32_t queue, uint64_t base, uint32_t key, uint32_t config)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    wr32(TERN_MMIO_Q_BASE_LO, (uint32_t)base);
    wr32(TERN_MMIO_Q_BASE_HI, (uint32_t)(base >> 32));
    wr32(TERN_MMIO_Q_KEY, key);
    wr32(TERN_MMIO_Q_HEAD, 0);
    wr32(TERN_MMIO_Q_DB, 0);
    wr32(TERN_MMIO_Q_CFG, config);
}

void queue_hw_resume(uint32_t queue, uint32_t head, uint32_t config)
{
    wr32(TERN_MMIO_Q_SEL, queue);
    wr32(TERN_MMIO_Q_HEAD, head);
    wr32(TERN_MMIO_Q_CFG, config);
}
