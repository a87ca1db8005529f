/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction words from their fields, for the generator.
 */
#ifndef TERN_ENCODE_H
#define TERN_ENCODE_H

#include <stdint.h>

static inline uint32_t enc_r(uint32_t base, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return base | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t enc_i(uint32_t base, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return base | rd << 7 | rs1 << 15 | imm << 20;
}

static inline uint32_t enc_s(uint32_t base, uint32_t rs2, uint32_t rs1, uint32_t imm)
{
    return base | (imm & 31u) << 7 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 127u) << 25;
}

static inline uint32_t enc_b(uint32_t code, uint32_t offset)
{
    return code | (offset >> 11 & 1u) << 7 | (offset >> 1 & 15u) << 8 |
           (offset >> 5 & 63u) << 25 | (offset >> 12 & 1u) << 31;
}

static inline uint32_t enc_j(uint32_t code, uint32_t offset)
{
    return code | (offset & 0xff000u) | (offset >> 11 & 1u) << 20 |
           (offset >> 1 & 0x3ffu) << 21 | (offset >> 20 & 1u) << 31;
}

static inline uint32_t enc_cj(uint32_t code, uint32_t o)
{
    return code | (o >> 5 & 1u) << 2 | (o >> 1 & 7u) << 3 | (o >> 7 & 1u) << 6 |
           (o >> 6 & 1u) << 7 | (o >> 10 & 1u) << 8 | (o >> 8 & 3u) << 9 |
           (o >> 4 & 1u) << 11 | (o >> 11 & 1u) << 12;
}

static inline uint32_t enc_cb(uint32_t code, uint32_t o)
{
    return code | (o >> 5 & 1u) << 2 | (o >> 1 & 3u) << 3 | (o >> 6 & 3u) << 5 |
           (o >> 3 & 3u) << 10 | (o >> 8 & 1u) << 12;
}

#define LUI(rd, top) (0x37u | (uint32_t)(rd) << 7 | (uint32_t)(top) << 12)
#define AUIPC(rd, top) (0x17u | (uint32_t)(rd) << 7 | (uint32_t)(top) << 12)
#define ADDI(rd, rs1, imm) enc_i(0x13u, (rd), (rs1), (uint32_t)(imm))
#define CSRRW(rd, csr, rs1) enc_i(0x1073u, (rd), (rs1), (csr))
#define CSRRS(rd, csr, rs1) enc_i(0x2073u, (rd), (rs1), (csr))
#define LW(rd, imm, rs1) enc_i(0x2003u, (rd), (rs1), (uint32_t)(imm))
#define SW(rs2, imm, rs1) enc_s(0x2023u, (rs2), (rs1), (uint32_t)(imm))
#define MRET 0x30200073u
#define WFI 0x10500073u
#define FENCE_I 0x0000100fu

#endif
