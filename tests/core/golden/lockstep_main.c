/* SPDX-License-Identifier: Apache-2.0
 *
 * The lock-step test: runs random programs until enough instructions agreed; shrinks and prints a
 * failing program. The bench calls its functions every cycle.
 */
#include "lockstep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_INSTRUCTIONS = 5000000,
    DEFAULT_GATE_PROGRAMS = 1000,
    RESET_CYCLES = 4,
    SHRINK_RUNS = 3000,
};

static struct lockstep run;
static struct program program;
static struct coverage coverage, scrap;
static uint64_t wanted;
static uint64_t cycles;           /* compared */
static bool beside_gate;          /* the netlist of the core runs, too */
static bool table;                /* print the coverage */
static bool whole;                /* do not shrink failing programs */
static uint32_t first_seed, programs, programs_wanted;
static unsigned reset_left;
static unsigned tests, failures;

/* The state of shrinking a failing program. */
static struct {
    bool on, last;
    size_t chunk, position;
    bool changed;
    unsigned runs;
    bool before[PROGRAM_ITEMS]; /* dropped items without those of the candidate */
} shrink;

void lockstep_begin(int64_t instructions, int seed, int count, int options);
int lockstep_tick(int state);
void lockstep_retire(int cycle, int mip, int mip_before, int flags, int insn, int pc,
                     int next_pc, int rd, int rd_value, int address, int masks, int data);
void lockstep_interrupt(int mip);
void lockstep_gate_differs(int ports);
int64_t lockstep_fetch(int address);
int64_t lockstep_data(int lanes, int address, int word);

/* ---- reporting ---- */
static void print_history(void)
{
    unsigned first = run.retired > HISTORY ? run.retired - HISTORY : 0;
    char line[128];

    for (unsigned i = first; i < run.retired; i++) {
        const struct history_line *h = &run.history[i % HISTORY];

        golden_print(line, sizeof line, h->pc, &h->insn);
        printf("#   %s", line);
        if (h->trap) printf("   trap %" PRIu32, h->cause);
        printf("\n");
    }
}

static void print_program(void)
{
    char line[128];
    struct golden_insn insn;
    uint32_t end = program.offset[program.count];

    for (uint32_t at = 0; at < end; at += insn.length) {
        uint32_t low = run.core_memory[at / 4] >> 8u * (at & 2u) & 0xffffu;
        uint32_t high = run.core_memory[(at + 2) / 4] >> 8u * ((at + 2) & 2u) & 0xffffu;

        golden_decode(high << 16 | low, &insn);
        golden_print(line, sizeof line, RAM_BASE + at, &insn);
        printf("#   %s\n", line);
    }
}

static void print_difference(const char *title)
{
    printf("# %s: seed %" PRIu64 ", %s\n# the last instructions:\n", title, program.seed,
           run.difference);
    print_history();
}

static void test(bool passed, const char *name)
{
    printf("%sok %u - %s\n", passed ? "" : "not ", ++tests, name);
    if (!passed) failures++;
}

static void report_crosses(void)
{
    struct cover_totals totals;
    bool all = cover_judge(&coverage, &totals);

    printf("# coverage: %u crosses required, %u met (the rarest %" PRIu64
           " times), %u not required\n",
           totals.required, totals.met, totals.least, totals.excepted);
    test(all, "every required cross of instruction, operands, stall and trap was met");
    if (all)
        printf("# evidence B3.1 crosses=%u instructions=%" PRIu64 "\n", totals.met,
               coverage.instructions);
}

static void report_coverage(void)
{
    printf("# programs %" PRIu32 " instructions %" PRIu64 " exceptions %" PRIu64
           " interrupts %" PRIu64 " (vectored %" PRIu64 ") stalled %" PRIu64 "\n",
           programs, coverage.instructions, coverage.traps, coverage.interrupts,
           coverage.vectored, coverage.stalled_programs);
    printf("# ends: tohost %" PRIu64 " limit %" PRIu64 " asleep %" PRIu64
           " stale %" PRIu64
           "\n", coverage.end[ENDED_TOHOST], coverage.end[ENDED_LIMIT],
           coverage.end[ENDED_ASLEEP], coverage.end[ENDED_STALE]);
    report_crosses();
    test(coverage.vectored != 0, "vectored interrupts were met");
    test(cover_judge_csrs(&coverage), "every CSR was met in every CSR instruction");
    test(coverage.end[ENDED_TOHOST] * 2 > programs, "most programs came to their end");
    if (table) cover_print(&coverage);
}

static void report_gate(bool agreed)
{
    test(agreed, "core netlist agrees with the RTL on random programs");
    if (agreed)
        printf("# evidence B3.4 programs=%" PRIu32 " instructions=%" PRIu64
               " cycles=%" PRIu64 " interrupts=%" PRIu64 " stalled_programs=%" PRIu64 "\n",
               programs, coverage.instructions, cycles, coverage.interrupts,
               coverage.stalled_programs);
}

static void finish(bool agreed)
{
    printf("# seeds %" PRIu32 "..%" PRIu32 "\n", first_seed, first_seed + programs - 1u);
    if (beside_gate)
        report_gate(agreed);
    else
        test(agreed, "random programs, the core and the golden model agree");
    if (agreed && programs_wanted == 0) report_coverage();
    printf("1..%u\n", tests);
    fflush(stdout);
    exit(failures == 0 ? 0 : 1);
}

/* ---- shrinking ---- */
static void save_items(void)
{
    for (size_t i = 0; i < program.count; i++)
        shrink.before[i] = program.items[i].dropped;
}

static void restore_items(void)
{
    for (size_t i = 0; i < program.count; i++)
        program.items[i].dropped = shrink.before[i];
}

/* Drops the next non-empty chunk; false at the end of the round. */
static bool drop_chunk(void)
{
    bool some = false;

    while (!some && shrink.position < program.count) {
        for (size_t i = 0; i < shrink.chunk && shrink.position < program.count; i++) {
            struct item *item = &program.items[shrink.position++];

            some = some || (!item->keep && !item->dropped);
            if (!item->keep) item->dropped = true;
        }
    }
    return some;
}

/* Chooses the next candidate; ends when a round of single items dropped nothing. */
static bool next_candidate(void)
{
    save_items();
    while (!drop_chunk()) {
        if (shrink.chunk == 1 && !shrink.changed) return false;
        if (shrink.chunk > 1) shrink.chunk /= 2;
        shrink.position = 0;
        shrink.changed = false;
    }
    return shrink.runs++ < SHRINK_RUNS;
}

static void begin_shrink(void)
{
    print_difference("first difference");
    printf("# instructions before it: %" PRIu64 "\n", coverage.instructions);
    printf("# again: +seed=%" PRIu64 " +programs=1\n", program.seed);
    if (whole) finish(false);
    shrink.on = true;
    shrink.chunk = program.count / 2;
}

static void step_shrink(bool failed)
{
    if (shrink.last) {
        print_difference("after shrinking");
        printf("# the program, %u runs to shrink it:\n", shrink.runs);
        print_program();
        finish(false);
    }
    if (failed)
        shrink.changed = true;
    else
        restore_items();
    if (!next_candidate()) {
        restore_items();
        shrink.last = true;
    }
}

/* ---- one program after another ---- */
static void start_program(void)
{
    lockstep_start(&run, &program, shrink.on ? &scrap : &coverage);
    reset_left = RESET_CYCLES;
}

static void next_program(void)
{
    program_generate(&program, first_seed + programs++);
    start_program();
}

static bool enough(void)
{
    return programs_wanted != 0 ? programs >= programs_wanted
                                : coverage.instructions >= wanted;
}

static void end_program(void)
{
    bool failed = run.ending == ENDED_DIFFERENT;

    if (shrink.on) {
        step_shrink(failed);
        start_program();
    } else if (failed) {
        begin_shrink();
        next_candidate();
        start_program();
    } else {
        coverage.end[run.ending]++;
        if (enough()) finish(true);
        next_program();
    }
}

/* ---- functions that the bench calls ---- */
void lockstep_begin(int64_t instructions, int seed, int count, int options)
{
    wanted = instructions > 0 ? (uint64_t)instructions : DEFAULT_INSTRUCTIONS;
    first_seed = (uint32_t)seed;
    programs_wanted = (uint32_t)count;
    beside_gate = (options & 1) != 0;
    table = (options & 2) != 0;
    whole = (options & 4) != 0;
    if (beside_gate && instructions == 0 && count == 0)
        programs_wanted = DEFAULT_GATE_PROGRAMS;
    next_program();
}

int lockstep_tick(int state)
{
    struct bus_state bus = {(state & 1) != 0, (state & 2) != 0, (state & 4) != 0,
                            (state & 8) != 0};

    if (reset_left > 0) {
        reset_left--;
        return 0x80;
    }
    if (run.ending != RUNNING) {
        end_program();
        return 0x80;
    }
    cycles++;
    return (int)lockstep_levers(&run, &bus);
}

void lockstep_retire(int cycle, int mip, int mip_before, int flags, int insn, int pc,
                     int next_pc, int rd, int rd_value, int address, int masks, int data)
{
    struct retired r = {
        .cycle = (uint32_t)cycle, .mip = (uint32_t)mip,
        .mip_before = (uint32_t)mip_before,
        .trap = (flags & 2) != 0, .after_trap = (flags & 4) != 0, .insn = (uint32_t)insn,
        .pc = (uint32_t)pc, .next_pc = (uint32_t)next_pc, .rd = (uint32_t)rd,
        .rd_value = (uint32_t)rd_value, .address = (uint32_t)address,
        .read_mask = (uint32_t)masks & 15u, .write_mask = (uint32_t)masks >> 4,
        .write_data = (uint32_t)data,
    };

    if (reset_left == 0) lockstep_compare(&run, &r);
}

void lockstep_interrupt(int mip)
{
    if (reset_left == 0) lockstep_take_interrupt(&run, (uint32_t)mip);
}

int64_t lockstep_fetch(int address)
{
    return (int64_t)lockstep_core_fetch(&run, (uint32_t)address);
}

int64_t lockstep_data(int lanes, int address, int word)
{
    return (int64_t)lockstep_core_data(&run, (unsigned)lanes & 15u, (lanes & 16) != 0,
                                       (uint32_t)address, (uint32_t)word);
}

/* Gets the ports on which the netlist differs from the core, one bit each. */
void lockstep_gate_differs(int ports)
{
    if (reset_left == 0) lockstep_gate(&run, (unsigned)ports);
}
