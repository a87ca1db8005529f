/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only access to hardware: registers by their MMIO offset, sleep, and the pending timer. These
 * are the functions for the chip; hal/native has the same ones for a model.
 */
#ifndef FW_HAL_H
#define FW_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

/* The registers are those of the chip. */
#define HAL_MODELLED 0u

static inline uint32_t rd32(uint32_t offset)
{
    return *(volatile uint32_t *)((uintptr_t)TERN_MEM_MMIO_BASE + offset);
}

static inline void wr32(uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)((uintptr_t)TERN_MEM_MMIO_BASE + offset) = value;
}

/* Returns the base of a block for several accesses at small offsets, to be kept in a register. */
static inline uintptr_t mmio_block(uint32_t offset)
{
    uintptr_t block = (uintptr_t)TERN_MEM_MMIO_BASE + offset;

    __asm__("" : "+r"(block));
    return block;
}

static inline uint32_t rd32_in(uintptr_t block, uint32_t offset)
{
    return *(volatile uint32_t *)(block + offset);
}

static inline void wr32_in(uintptr_t block, uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(block + offset) = value;
}

/* Writes a word of memory and reads it back from memory, not from a register of the compiler. */
static inline bool ram_holds(uint32_t *word, uint32_t value)
{
    volatile uint32_t *cell = word;

    *cell = value;
    return *cell == value;
}

static inline bool ram_still_holds(const uint32_t *word, uint32_t value)
{
    return *(const volatile uint32_t *)word == value;
}

/*
 * Sleeps until an event or the timer is pending; traps stay off. False: did not sleep, and the
 * caller must return.
 */
static inline bool wfi(void)
{
    __asm__ volatile("wfi" ::: "memory");
    return true;
}

/* Tells whether MTIME has reached MTIMECMP: bit MTIP of mip, which costs no register access. */
static inline bool timer_due(void)
{
    uint32_t pending;

    __asm__ volatile("csrr %0, mip" : "=r"(pending));
    return (pending >> 7) & 1;
}

/* Lets the timer and external interrupts end wfi: bits MTIE and MEIE of mie. */
static inline void wake_sources_enable(void)
{
    __asm__ volatile("csrw mie, %0" ::"r"((1u << 7) | (1u << 11)));
}

#endif
