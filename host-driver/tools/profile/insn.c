/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes instructions that change the program counter, by the tables of the RISC-V manual. */
#include "insn.h"

enum { RA = 1, T0 = 5 }; /* the link registers: calls write them, returns read them */

enum {
    OP_BRANCH = 0x63,
    OP_JALR = 0x67,
    OP_JAL = 0x6f,
    CODE_MRET = 0x30200073,
    CODE_WFI = 0x10500073
};

static uint32_t bits(uint32_t code, unsigned high, unsigned low)
{
    return code >> low & ((2u << (high - low)) - 1);
}

/* Moves bits high..low of the code to bit `to` of an immediate. */
static uint32_t part(uint32_t code, unsigned high, unsigned low, unsigned to)
{
    return bits(code, high, low) << to;
}

/* Sign-extends an immediate from bit `sign`. */
static uint32_t extend(uint32_t value, unsigned sign)
{
    uint32_t top = UINT32_C(1) << sign;

    return (value ^ top) - top;
}

static bool is_link(uint32_t reg)
{
    return reg == RA || reg == T0;
}

static enum insn_kind register_jump(uint32_t rd, uint32_t rs1)
{
    if (is_link(rd))
        return INSN_CALL_REG;
    return is_link(rs1) ? INSN_RETURN : INSN_JUMP_REG;
}

static struct insn decode_long(uint32_t code, uint32_t pc)
{
    struct insn insn = {.kind = INSN_NEXT, .bytes = 4};

    switch (code & 0x7f) {
    case OP_JAL:
        insn.kind = is_link(bits(code, 11, 7)) ? INSN_CALL : INSN_JUMP;
        insn.target = pc + extend(part(code, 31, 31, 20) | part(code, 19, 12, 12) |
                                      part(code, 20, 20, 11) | part(code, 30, 21, 1),
                                  20);
        break;
    case OP_JALR:
        insn.kind = (uint8_t)register_jump(bits(code, 11, 7), bits(code, 19, 15));
        break;
    case OP_BRANCH:
        insn.kind = INSN_BRANCH;
        insn.target = pc + extend(part(code, 31, 31, 12) | part(code, 7, 7, 11) |
                                      part(code, 30, 25, 5) | part(code, 11, 8, 1),
                                  12);
        break;
    default:
        if (code == CODE_MRET)
            insn.kind = INSN_MRET;
        if (code == CODE_WFI)
            insn.kind = INSN_WFI;
        break;
    }
    return insn;
}

static uint32_t c_jump_offset(uint32_t code)
{
    return extend(part(code, 12, 12, 11) | part(code, 11, 11, 4) | part(code, 10, 9, 8) |
                      part(code, 8, 8, 10) | part(code, 7, 7, 6) | part(code, 6, 6, 7) |
                      part(code, 5, 3, 1) | part(code, 2, 2, 5),
                  11);
}

static uint32_t c_branch_offset(uint32_t code)
{
    return extend(part(code, 12, 12, 8) | part(code, 11, 10, 3) | part(code, 6, 5, 6) |
                      part(code, 4, 3, 1) | part(code, 2, 2, 5),
                  8);
}

/* Tells whether it is c.jr or c.jalr: no second register. */
static bool is_c_register_jump(uint32_t code)
{
    return (code & 0xe003) == 0x8002 && bits(code, 6, 2) == 0 && bits(code, 11, 7) != 0;
}

static struct insn decode_short(uint32_t code, uint32_t pc)
{
    struct insn insn = {.kind = INSN_NEXT, .bytes = 2};

    switch (code & 0xe003) {
    case 0x2001: /* c.jal */
        insn.kind = INSN_CALL;
        insn.target = pc + c_jump_offset(code);
        break;
    case 0xa001: /* c.j */
        insn.kind = INSN_JUMP;
        insn.target = pc + c_jump_offset(code);
        break;
    case 0xc001: /* c.beqz */
    case 0xe001: /* c.bnez */
        insn.kind = INSN_BRANCH;
        insn.target = pc + c_branch_offset(code);
        break;
    default:
        if (is_c_register_jump(code))
            insn.kind = (uint8_t)register_jump(bits(code, 12, 12), bits(code, 11, 7));
        break;
    }
    return insn;
}

struct insn insn_decode(uint32_t code, uint32_t pc)
{
    return (code & 3) == 3 ? decode_long(code, pc) : decode_short(code & 0xffff, pc);
}

bool insn_may_lead(const struct insn *insn, uint32_t pc, uint32_t next)
{
    switch (insn->kind) {
    case INSN_NEXT:
    case INSN_WFI:
        return next == pc + insn->bytes;
    case INSN_BRANCH:
        return next == pc + insn->bytes || next == insn->target;
    case INSN_JUMP:
    case INSN_CALL:
        return next == insn->target;
    default:
        return true;
    }
}
