/* SPDX-License-Identifier: Apache-2.0
 *
 * One program on the core and on the golden model at once.
 */
#ifndef TERN_LOCKSTEP_H
#define TERN_LOCKSTEP_H

#include "golden.h"
#include "program.h"

/* An instruction as the core reported it. */
struct retired {
    uint32_t cycle, mip, mip_before;
    bool trap, after_trap;
    uint32_t insn, pc, next_pc, rd, rd_value, address, read_mask, write_mask, write_data;
};

struct bus_access {
    bool pending;
    unsigned lanes;
    bool is_write;
    uint32_t address, word;
};

enum ending { RUNNING, ENDED_TOHOST, ENDED_LIMIT, ENDED_ASLEEP, ENDED_STALE,
              ENDED_DIFFERENT };
enum { ENDINGS = ENDED_DIFFERENT + 1 };

enum { HISTORY = 12, MAX_OPS = 64, MAX_FORMS = 32 };

struct history_line {
    uint32_t pc;
    struct golden_insn insn;
    bool trap;
    uint32_t cause;
};

/* What has been met, over all programs. */
struct coverage {
    uint64_t instructions, traps, interrupts;
    uint64_t op[MAX_OPS], form[MAX_FORMS], exception[16], interrupt[16], end[ENDINGS];
    uint64_t csr_read[4096], csr_written[4096];
    uint64_t vectored, stalled_programs;
};

struct lockstep {
    struct golden golden;
    uint32_t core_memory[RAM_BYTES / 4], golden_memory[RAM_BYTES / 4];
    bool stale[RAM_BYTES / 2]; /* half-words written since the last fence.i */
    bool met_stale;
    enum ending ending;
    unsigned retired, traps_in_row, idle_cycles, overdue;
    bool was_trap;             /* the last thing was a trap or an interrupt */
    struct bus_access bus;
    struct history_line history[HISTORY];
    char difference[512];
    struct coverage *coverage;
    /* the levers */
    struct random levers;
    uint32_t stall, irq_period, lines;
};

void lockstep_start(struct lockstep *l, struct program *p, struct coverage *coverage);
void lockstep_compare(struct lockstep *l, const struct retired *r);
void lockstep_take_interrupt(struct lockstep *l, uint32_t mip);
uint64_t lockstep_core_fetch(struct lockstep *l, uint32_t address);
uint64_t lockstep_core_data(struct lockstep *l, unsigned lanes, bool is_write,
                            uint32_t address, uint32_t word);

/* One cycle: {hold danswer, dgrant, ianswer, igrant, external, software, timer}. */
uint32_t lockstep_levers(struct lockstep *l, bool sleeping);

#endif
