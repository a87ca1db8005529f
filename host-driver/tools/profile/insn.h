/* SPDX-License-Identifier: Apache-2.0 */
/* The possible successors of an instruction of the core (RV32IMC). */
#ifndef TERN_PROFILE_INSN_H
#define TERN_PROFILE_INSN_H

#include <stdbool.h>
#include <stdint.h>

enum insn_kind {
    INSN_NEXT,     /* the following instruction */
    INSN_WFI,      /* the following instruction, after sleep */
    INSN_BRANCH,   /* the following instruction, or the target */
    INSN_JUMP,     /* to the target */
    INSN_CALL,     /* the target; the link register gets the return address */
    INSN_JUMP_REG, /* anywhere */
    INSN_CALL_REG, /* any address; the link register gets the return address */
    INSN_RETURN,   /* the address in a link register */
    INSN_MRET      /* the address at which a trap was taken */
};

struct insn {
    uint8_t kind;    /* enum insn_kind */
    uint8_t bytes;   /* 2 or 4 */
    uint32_t target; /* of BRANCH, JUMP, CALL */
};

/*
 * Decodes an instruction. `code` is the 32 bits at `pc`; only the lower half of a compressed
 * instruction counts.
 */
struct insn insn_decode(uint32_t code, uint32_t pc);

/* Tells whether the instruction at `next` can follow the one at `pc` without a trap. */
bool insn_may_lead(const struct insn *insn, uint32_t pc, uint32_t next);

static inline bool insn_is_call(const struct insn *insn)
{
    return insn->kind == INSN_CALL || insn->kind == INSN_CALL_REG;
}

#endif
