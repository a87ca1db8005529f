/* SPDX-License-Identifier: Apache-2.0 */
/* The register words that a function shares with its host, under their BAR names. */
#ifndef FW_DRV_FNREG_H
#define FW_DRV_FNREG_H

#include "hal.h"

static inline uint32_t fnreg_offset(uint32_t fn, enum tern_bar_reg reg)
{
    return TERN_MMIO_FN + fn * TERN_MMIO_FN_STRIDE + (uint32_t)reg - TERN_BAR_FN_REGS;
}

static inline uint32_t fnreg_read(uint32_t fn, enum tern_bar_reg reg)
{
    return rd32(fnreg_offset(fn, reg));
}

static inline void fnreg_write(uint32_t fn, enum tern_bar_reg reg, uint32_t value)
{
    wr32(fnreg_offset(fn, reg), value);
}

#endif
