/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of a lock-step run: instruction x operand corner x stall, and instruction x stall x
 * trap. coverage.def lists the required cases.
 */
#ifndef TERN_COVERAGE_H
#define TERN_COVERAGE_H

#include "golden.h"

/* Corners of an instruction's operands; a is the value of rs1, b that of rs2 or the immediate. */
enum corner {
    CORNER_A_ZERO, CORNER_A_ONE, CORNER_A_ONES, CORNER_A_MIN, CORNER_A_MAX,
    CORNER_B_ZERO, CORNER_B_ONE, CORNER_B_ONES, CORNER_B_MIN, CORNER_B_MAX,
    CORNER_EQUAL,     /* a = b, both from registers */
    CORNER_RD_RS1, CORNER_RD_RS2, CORNER_RD_ZERO, CORNER_RS1_ZERO,
    CORNER_LEAST, CORNER_GREATEST,  /* immediates */
    CORNER_SHIFT_0, CORNER_SHIFT_31,
    CORNER_OVERFLOW,  /* the most negative number divided by -1 */
    CORNER_TAKEN, CORNER_NOT_TAKEN,
    CORNER_BACKWARD,  /* taken branch to a lower address */
    CORNER_SPLIT,     /* taken branch to a 32-bit instruction across two words */
    CORNER_ODD,       /* bit 0 of the target is set, and dropped */
    CORNER_LANE_0, CORNER_LANE_1, CORNER_LANE_2, CORNER_LANE_3,
    CORNER_PLUS, CORNER_MINUS,      /* sign of the loaded value */
    CORNERS
};

/* The reasons for which an instruction stalled, as far as the bench sees; there may be several. */
enum stall {
    STALL_NONE,
    STALL_FETCH,    /* a fetch was not granted, or not answered, at once */
    STALL_DATA,     /* the same for its data access, or that of the previous instruction */
    STALL_LOAD_USE, /* it uses the value that the previous instruction loaded */
    STALL_MULDIV,   /* the previous instruction multiplies or divides */
    STALLS
};

/* 0: none; exceptions by their cause; then interrupts */
enum { TRAP_NONE, TRAP_INTERRUPT = 12, TRAPS };
enum { INTERRUPTS = 3 };

enum { COVER_ROWS = 96, CSR_FUNCTS = 8, MAX_OPS = 64, MAX_FORMS = 32 };

enum ending { RUNNING, ENDED_TOHOST, ENDED_LIMIT, ENDED_ASLEEP, ENDED_STALE,
              ENDED_DIFFERENT };
enum { ENDINGS = ENDED_DIFFERENT + 1 };

/* Sums over all programs. */
struct coverage {
    uint64_t programs, stalled_programs, instructions, traps, interrupts, vectored;
    uint64_t end[ENDINGS];
    uint64_t corner[COVER_ROWS][CORNERS][STALLS];
    uint64_t trap[COVER_ROWS][TRAPS][STALLS];
    uint64_t interrupt[COVER_ROWS][INTERRUPTS];
    uint64_t csr[4096][CSR_FUNCTS], csr_written[4096];
};

/* The context of an instruction: its own stalls, and the previous instruction. */
struct cover_around {
    bool fetch_held, data_held; /* since the previous instruction */
    bool before_data_held, before_muldiv;
    unsigned before_loaded;     /* the loaded register; 0: none */
    bool split;                 /* the next instruction crosses a word boundary */
};

void cover_step(struct coverage *c, const struct golden_step *s,
                const struct cover_around *around);
void cover_interrupt(struct coverage *c, uint32_t cause, const struct golden_insn *next,
                     const struct cover_around *around);

/* The crosses of coverage.def: how many are required, and how many of these occurred. */
struct cover_totals {
    unsigned required, met, excepted;
    uint64_t least; /* occurrences of the rarest one */
};

/*
 * Prints crosses that are required but did not occur, or are excepted but did; true when there are
 * none.
 */
bool cover_judge(const struct coverage *c, struct cover_totals *totals);
bool cover_judge_csrs(const struct coverage *c);
void cover_print(const struct coverage *c);

#endif
