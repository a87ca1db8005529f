/* SPDX-License-Identifier: Apache-2.0 */
/* Links and hardware statistics. */
#ifndef FW_DRV_LINK_H
#define FW_DRV_LINK_H

#include "hal.h"

static inline bool link_is_up(unsigned port)
{
    return rd32(TERN_MMIO_LINK + port * TERN_MMIO_LINK_STRIDE) & 1;
}

static inline uint32_t stat_read(unsigned index)
{
    return rd32(TERN_MMIO_STAT + index * TERN_MMIO_STAT_STRIDE);
}

#endif
