/* SPDX-License-Identifier: Apache-2.0 */
/* Where an instruction of the soft core (RV32IMC) can lead. */
#ifndef TERN_PROFILE_INSN_H
#define TERN_PROFILE_INSN_H

#include <stdbool.h>
#include <stdint.h>

enum insn_kind {
    INSN_NEXT,     /* to the next one */
    INSN_WFI,      /* to the next one, after sleep */
    INSN_BRANCH,   /* to the next one or to the target */
    INSN_JUMP,     /* to the target */
    INSN_CALL,     /* to the target; the link register holds what is next */
    INSN_JUMP_REG, /* anywhere */
    INSN_CALL_REG, /* anywhere; the link register holds what is next */
    INSN_RETURN,   /* to where a link register says */
    INSN_MRET      /* to where a trap was taken */
};

struct insn {
    uint8_t kind;    /* enum insn_kind */
    uint8_t bytes;   /* 2 or 4 */
    uint32_t target; /* of BRANCH, JUMP, CALL */
};

/* `code` is the 32 bits at `pc`; of a compressed instruction the lower half counts. */
struct insn insn_decode(uint32_t code, uint32_t pc);

/* Whether the instruction at `pc` can be followed by the one at `next` without a trap. */
bool insn_may_lead(const struct insn *insn, uint32_t pc, uint32_t next);

static inline bool insn_is_call(const struct insn *insn)
{
    return insn->kind == INSN_CALL || insn->kind == INSN_CALL_REG;
}

#endif
