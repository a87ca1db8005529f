/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hardware access of hal/target as plain functions, for firmware compiled natively. hal.c
 * forwards them to a table of functions (access.h); a test or proof may define them itself instead.
 */
#ifndef FW_HAL_H
#define FW_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

/* The registers are those of a model. */
#define HAL_MODELLED 1u

uint32_t rd32(uint32_t offset);
void wr32(uint32_t offset, uint32_t value);
uintptr_t mmio_block(uint32_t offset);
uint32_t rd32_in(uintptr_t block, uint32_t offset);
void wr32_in(uintptr_t block, uint32_t offset, uint32_t value);
bool wfi(void);
bool timer_due(void);
void wake_sources_enable(void);

#endif
