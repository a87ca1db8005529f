/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model: the table of the 16-bit forms and their 32-bit equivalents.
 */
#include "golden.h"

struct form {
    const char *name;
    uint32_t mask, match;
    uint32_t (*expand)(uint32_t c); /* 0: reserved */
};

static uint32_t bits(uint32_t c, unsigned high, unsigned low)
{
    return c >> low & ((2u << (high - low)) - 1u);
}

static uint32_t sign(uint32_t value, unsigned width)
{
    uint32_t top = 1u << (width - 1u);

    return (value ^ top) - top;
}

static uint32_t full_rd(uint32_t c) { return bits(c, 11, 7); }
static uint32_t full_rs2(uint32_t c) { return bits(c, 6, 2); }
static uint32_t short_low(uint32_t c) { return 8u + bits(c, 4, 2); }
static uint32_t short_high(uint32_t c) { return 8u + bits(c, 9, 7); }

/* Build the 32-bit formats from their fields. */
static uint32_t r_type(uint32_t f7, uint32_t rs2, uint32_t rs1, uint32_t f3, uint32_t rd)
{
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | 0x33u;
}

static uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t f3, uint32_t rd, uint32_t op)
{
    return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static uint32_t store_word(uint32_t imm, uint32_t rs2, uint32_t rs1)
{
    return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | 2u << 12 |
           bits(imm, 4, 0) << 7 | 0x23u;
}

static uint32_t branch_zero(uint32_t imm, uint32_t rs1, uint32_t f3)
{
    return bits(imm, 12, 12) << 31 | bits(imm, 10, 5) << 25 | rs1 << 15 | f3 << 12 |
           bits(imm, 4, 1) << 8 | bits(imm, 11, 11) << 7 | 0x63u;
}

static uint32_t jump(uint32_t imm, uint32_t rd)
{
    return bits(imm, 20, 20) << 31 | bits(imm, 10, 1) << 21 | bits(imm, 11, 11) << 20 |
           bits(imm, 19, 12) << 12 | rd << 7 | 0x6fu;
}

/* Immediates of the 16-bit forms. */
static uint32_t imm6(uint32_t c)
{
    return sign(bits(c, 12, 12) << 5 | bits(c, 6, 2), 6);
}

static uint32_t imm_word(uint32_t c)
{
    return bits(c, 5, 5) << 6 | bits(c, 12, 10) << 3 | bits(c, 6, 6) << 2;
}

static uint32_t imm_jump(uint32_t c)
{
    uint32_t imm = bits(c, 12, 12) << 11 | bits(c, 11, 11) << 4 | bits(c, 10, 9) << 8 |
                   bits(c, 8, 8) << 10 | bits(c, 7, 7) << 6 | bits(c, 6, 6) << 7 |
                   bits(c, 5, 3) << 1 | bits(c, 2, 2) << 5;
    return sign(imm, 12);
}

static uint32_t imm_branch(uint32_t c)
{
    uint32_t imm = bits(c, 12, 12) << 8 | bits(c, 11, 10) << 3 | bits(c, 6, 5) << 6 |
                   bits(c, 4, 3) << 1 | bits(c, 2, 2) << 5;
    return sign(imm, 9);
}

/* Quadrant 0. */
static uint32_t c_addi4spn(uint32_t c)
{
    uint32_t imm = bits(c, 12, 11) << 4 | bits(c, 10, 7) << 6 | bits(c, 6, 6) << 2 |
                   bits(c, 5, 5) << 3;
    return imm == 0 ? 0 : i_type(imm, 2, 0, short_low(c), 0x13);
}

static uint32_t c_lw(uint32_t c)
{
    return i_type(imm_word(c), short_high(c), 2, short_low(c), 0x03);
}

static uint32_t c_sw(uint32_t c)
{
    return store_word(imm_word(c), short_low(c), short_high(c));
}

/* Quadrant 1. */
static uint32_t c_addi(uint32_t c)
{
    return i_type(imm6(c), full_rd(c), 0, full_rd(c), 0x13);
}

static uint32_t c_li(uint32_t c) { return i_type(imm6(c), 0, 0, full_rd(c), 0x13); }
static uint32_t c_jal(uint32_t c) { return jump(imm_jump(c), 1); }
static uint32_t c_j(uint32_t c) { return jump(imm_jump(c), 0); }

static uint32_t c_addi16sp(uint32_t c)
{
    uint32_t imm = bits(c, 12, 12) << 9 | bits(c, 6, 6) << 4 | bits(c, 5, 5) << 6 |
                   bits(c, 4, 3) << 7 | bits(c, 2, 2) << 5;
    return imm == 0 ? 0 : i_type(sign(imm, 10), 2, 0, 2, 0x13);
}

static uint32_t c_lui(uint32_t c)
{
    return imm6(c) == 0 ? 0 : imm6(c) << 12 | full_rd(c) << 7 | 0x37u;
}

static uint32_t c_srli(uint32_t c)
{
    return i_type(bits(c, 6, 2), short_high(c), 5, short_high(c), 0x13);
}

static uint32_t c_srai(uint32_t c)
{
    return i_type(0x400u | bits(c, 6, 2), short_high(c), 5, short_high(c), 0x13);
}

static uint32_t c_andi(uint32_t c)
{
    return i_type(imm6(c), short_high(c), 7, short_high(c), 0x13);
}

static uint32_t two_short(uint32_t c, uint32_t funct7, uint32_t f3)
{
    return r_type(funct7, short_low(c), short_high(c), f3, short_high(c));
}

static uint32_t c_sub(uint32_t c) { return two_short(c, 0x20, 0); }
static uint32_t c_xor(uint32_t c) { return two_short(c, 0, 4); }
static uint32_t c_or(uint32_t c) { return two_short(c, 0, 6); }
static uint32_t c_and(uint32_t c) { return two_short(c, 0, 7); }
static uint32_t c_beqz(uint32_t c)
{
    return branch_zero(imm_branch(c), short_high(c), 0);
}

static uint32_t c_bnez(uint32_t c)
{
    return branch_zero(imm_branch(c), short_high(c), 1);
}


/* Quadrant 2. */
static uint32_t c_slli(uint32_t c)
{
    return i_type(bits(c, 6, 2), full_rd(c), 1, full_rd(c), 0x13);
}

static uint32_t c_lwsp(uint32_t c)
{
    uint32_t imm = bits(c, 12, 12) << 5 | bits(c, 6, 4) << 2 | bits(c, 3, 2) << 6;

    return full_rd(c) == 0 ? 0 : i_type(imm, 2, 2, full_rd(c), 0x03);
}

static uint32_t c_swsp(uint32_t c)
{
    return store_word(bits(c, 12, 9) << 2 | bits(c, 8, 7) << 6, full_rs2(c), 2);
}

static uint32_t c_jr(uint32_t c)
{
    return full_rd(c) == 0 ? 0 : i_type(0, full_rd(c), 0, 0, 0x67);
}

static uint32_t c_ebreak(uint32_t c) { return (void)c, 0x00100073u; }
static uint32_t c_jalr(uint32_t c) { return i_type(0, full_rd(c), 0, 1, 0x67); }
static uint32_t c_mv(uint32_t c) { return r_type(0, full_rs2(c), 0, 0, full_rd(c)); }
static uint32_t c_add(uint32_t c)
{
    return r_type(0, full_rs2(c), full_rd(c), 0, full_rd(c));
}


/* The first matching row counts. */
static const struct form forms[] = {
    {"c.addi4spn", 0xe003, 0x0000, c_addi4spn}, {"c.lw", 0xe003, 0x4000, c_lw},
    {"c.sw", 0xe003, 0xc000, c_sw},             {"c.addi", 0xe003, 0x0001, c_addi},
    {"c.jal", 0xe003, 0x2001, c_jal},           {"c.li", 0xe003, 0x4001, c_li},
    {"c.addi16sp", 0xef83, 0x6101, c_addi16sp}, {"c.lui", 0xe003, 0x6001, c_lui},
    {"c.srli", 0xfc03, 0x8001, c_srli},         {"c.srai", 0xfc03, 0x8401, c_srai},
    {"c.andi", 0xec03, 0x8801, c_andi},         {"c.sub", 0xfc63, 0x8c01, c_sub},
    {"c.xor", 0xfc63, 0x8c21, c_xor},           {"c.or", 0xfc63, 0x8c41, c_or},
    {"c.and", 0xfc63, 0x8c61, c_and},           {"c.j", 0xe003, 0xa001, c_j},
    {"c.beqz", 0xe003, 0xc001, c_beqz},         {"c.bnez", 0xe003, 0xe001, c_bnez},
    {"c.slli", 0xf003, 0x0002, c_slli},         {"c.lwsp", 0xe003, 0x4002, c_lwsp},
    {"c.jr", 0xf07f, 0x8002, c_jr},             {"c.mv", 0xf003, 0x8002, c_mv},
    {"c.ebreak", 0xffff, 0x9002, c_ebreak},     {"c.jalr", 0xf07f, 0x9002, c_jalr},
    {"c.add", 0xf003, 0x9002, c_add},           {"c.swsp", 0xe003, 0xc002, c_swsp},
};

enum { FORMS = sizeof forms / sizeof forms[0] };

uint32_t golden_expand(uint32_t half, int *row)
{
    for (int i = 0; i < FORMS; i++) {
        if ((half & forms[i].mask) != forms[i].match) continue;
        uint32_t code = forms[i].expand(half);
        *row = code == 0 ? -1 : i;
        return code;
    }
    *row = -1;
    return 0;
}

size_t golden_form_count(void)
{
    return FORMS;
}

const char *golden_form_name(size_t row)
{
    return forms[row].name;
}
