/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that a debugger runs on a core, encoded. */
#ifndef TERN_SIM_INSN_H
#define TERN_SIM_INSN_H

#include <stdint.h>

enum {
    TERN_INSN_EBREAK = 0x00100073,
    TERN_INSN_C_EBREAK = 0x9002
};

/* Encodes addi with the low 12 bits of `value`. */
static inline uint32_t tern_insn_addi(unsigned rd, unsigned rs, uint32_t value)
{
    return value << 20 | rs << 15 | rd << 7 | 0x13;
}

/* Encodes lui with the upper bits of `value`, so that an addi of its low bits completes it. */
static inline uint32_t tern_insn_lui(unsigned rd, uint32_t value)
{
    return ((value + 0x800) & 0xfffff000) | rd << 7 | 0x37;
}

/* Encodes a load of 4, 2 or 1 bytes, unsigned. */
static inline uint32_t tern_insn_load(unsigned bytes, unsigned rd, unsigned base,
                                      uint32_t offset)
{
    uint32_t kind = bytes == 4 ? 2 : bytes == 2 ? 5 : 4;

    return offset << 20 | base << 15 | kind << 12 | rd << 7 | 0x03;
}

static inline uint32_t tern_insn_store(unsigned bytes, unsigned data, unsigned base,
                                       uint32_t offset)
{
    uint32_t kind = bytes == 4 ? 2 : bytes == 2 ? 1 : 0;

    return (offset >> 5 & 0x7f) << 25 | data << 20 | base << 15 | kind << 12 |
           (offset & 31) << 7 | 0x23;
}

static inline uint32_t tern_insn_csrr(unsigned rd, unsigned csr)
{
    return (uint32_t)csr << 20 | 2 << 12 | rd << 7 | 0x73;
}

static inline uint32_t tern_insn_csrw(unsigned csr, unsigned rs)
{
    return (uint32_t)csr << 20 | rs << 15 | 1 << 12 | 0x73;
}

/* Encodes a jump without link, up to a mebibyte either way. */
static inline uint32_t tern_insn_jal(uint32_t distance)
{
    return (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3ff) << 21 |
           (distance >> 11 & 1) << 20 | (distance >> 12 & 0xff) << 12 | 0x6f;
}

static inline uint32_t tern_insn_word(const uint8_t bytes[4])
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

#endif
