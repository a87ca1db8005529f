/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one program on the core and on the golden model at the same time.
 */
#ifndef TERN_LOCKSTEP_H
#define TERN_LOCKSTEP_H

#include "coverage.h"
#include "golden.h"
#include "program.h"

/* An instruction reported by the core. */
struct retired {
    uint32_t cycle, mip, mip_before;
    bool trap, after_trap;
    uint32_t insn, pc, next_pc, rd, rd_value, address, read_mask, write_mask, write_data;
};

/* A cycle seen by the bench; held: a grant or an answer is delayed. */
struct bus_state {
    bool sleeping, fetch_held, data_held, data_asked;
};

struct bus_access {
    bool pending;
    unsigned lanes;
    bool is_write;
    uint32_t address, word;
};

enum { HISTORY = 12 };

struct history_line {
    uint32_t pc;
    struct golden_insn insn;
    bool trap;
    uint32_t cause;
};

struct lockstep {
    struct golden golden;
    uint32_t core_memory[RAM_BYTES / 4], golden_memory[RAM_BYTES / 4];
    bool stale[RAM_BYTES / 2]; /* half-words written since the last fence.i */
    bool met_stale;
    enum ending ending;
    unsigned retired, traps_in_row, idle_cycles, overdue;
    bool was_trap;             /* the last event was a trap or an interrupt */
    struct bus_access bus;
    struct history_line history[HISTORY];
    char difference[512];
    struct coverage *coverage;
    struct cover_around around;
    bool fetch_held, data_held; /* since the last retirement */
    uint32_t cycle, last_cycle; /* the present cycle, and that of the last retirement */
    /* random inputs */
    struct random levers;
    uint32_t stall, irq_period, lines;
};

void lockstep_start(struct lockstep *l, struct program *p, struct coverage *coverage);
void lockstep_compare(struct lockstep *l, const struct retired *r);
void lockstep_take_interrupt(struct lockstep *l, uint32_t mip);
void lockstep_gate(struct lockstep *l, unsigned ports);
uint64_t lockstep_core_fetch(struct lockstep *l, uint32_t address);
uint64_t lockstep_core_data(struct lockstep *l, unsigned lanes, bool is_write,
                            uint32_t address, uint32_t word);

/*
 * Returns the inputs of a cycle: {hold danswer, dgrant, ianswer, igrant, external, software,
 * timer}.
 */
uint32_t lockstep_levers(struct lockstep *l, const struct bus_state *bus);

#endif
