/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the core with the golden model, one instruction and access after the other,
 * and moves interrupt lines and stalls at random.
 */
#include "lockstep.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LIMIT_INSTRUCTIONS = 3000,
    LIMIT_TRAPS_IN_ROW = 40,
    LIMIT_IDLE = 4000,    /* cycles without an instruction */
    WAKE_LATEST = 2000,   /* cycles asleep after which all lines are raised */
    OVERDUE = 2,          /* instructions that may retire while an interrupt waits */
    HART = 0x7e57,
};

static void differ(struct lockstep *l, const char *format, ...)
{
    va_list arguments;

    if (l->ending != RUNNING) return;
    l->ending = ENDED_DIFFERENT;
    va_start(arguments, format);
    vsnprintf(l->difference, sizeof l->difference, format, arguments);
    va_end(arguments);
}

/* ---- the memory of the golden model ---- */
static bool in_ram(uint32_t address)
{
    return address - RAM_BASE < RAM_BYTES;
}

static bool golden_fetch(void *context, uint32_t address, uint32_t *half)
{
    struct lockstep *l = context;
    uint32_t offset = address - RAM_BASE;

    if (!in_ram(address)) return false;
    if (l->stale[offset / 2u]) l->met_stale = true;
    *half = l->golden_memory[offset / 4u] >> 8u * (offset & 2u) & 0xffffu;
    return true;
}

static bool golden_read(void *context, uint32_t address, uint32_t *word)
{
    struct lockstep *l = context;

    if (!in_ram(address)) return false;
    *word = l->golden_memory[(address - RAM_BASE) / 4u];
    return true;
}

static uint32_t lane_bits(unsigned lanes)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++)
        if ((lanes >> i & 1u) != 0) bits |= 0xffu << 8u * i;
    return bits;
}

static void merge(uint32_t *word, unsigned lanes, uint32_t value)
{
    *word = (*word & ~lane_bits(lanes)) | (value & lane_bits(lanes));
}

static bool golden_write(void *context, uint32_t address, unsigned lanes, uint32_t word)
{
    struct lockstep *l = context;
    uint32_t index = (address - RAM_BASE) / 4u;

    if (!in_ram(address)) return false;
    merge(&l->golden_memory[index], lanes, word);
    if ((lanes & 3u) != 0) l->stale[2u * index] = true;
    if ((lanes & 12u) != 0) l->stale[2u * index + 1u] = true;
    return true;
}

static void golden_fence_i(void *context)
{
    struct lockstep *l = context;

    memset(l->stale, 0, sizeof l->stale);
}

/* ---- the memory of the core ---- */
/* The data of a refused fetch must have no effect, so it is random. */
uint64_t lockstep_core_fetch(struct lockstep *l, uint32_t address)
{
    if (!in_ram(address)) return (uint64_t)1 << 32 | (~address & UINT32_MAX);
    return l->core_memory[(address - RAM_BASE) / 4u];
}

uint64_t lockstep_core_data(struct lockstep *l, unsigned lanes, bool is_write,
                            uint32_t address, uint32_t word)
{
    uint32_t *place = &l->core_memory[(address - RAM_BASE) / 4u % (RAM_BYTES / 4)];
    uint32_t old = *place;

    if (l->ending == RUNNING && l->bus.pending)
        differ(l, "an access to %08" PRIx32 " that no instruction made", l->bus.address);
    l->bus = (struct bus_access){true, lanes, is_write, address, word};
    if (!in_ram(address)) return (uint64_t)1 << 32;
    if (is_write) merge(place, lanes, word);
    return old;
}

/* ---- comparing ---- */
static void compare(struct lockstep *l, const char *what, uint32_t core, uint32_t golden)
{
    if (core != golden)
        differ(l, "%s: core %08" PRIx32 ", golden %08" PRIx32, what, core, golden);
}

static void compare_bus(struct lockstep *l, const struct golden_step *s)
{
    unsigned lanes = s->read_mask | s->write_mask;

    compare(l, "bus access", l->bus.pending, lanes != 0);
    if (l->bus.pending && lanes != 0) {
        compare(l, "bus address", l->bus.address, s->address);
        compare(l, "bus lanes", l->bus.lanes, lanes);
        compare(l, "bus write", l->bus.is_write, s->write_mask != 0);
        compare(l, "bus data", l->bus.word & lane_bits(s->write_mask),
                s->write_data & lane_bits(s->write_mask));
    }
    l->bus.pending = false;
}

static void compare_step(struct lockstep *l, const struct retired *r,
                         const struct golden_step *s)
{
    compare(l, "pc", r->pc, s->pc);
    if (!(s->trap && s->cause == GOLDEN_FETCH_FAULT))
        compare(l, "instruction", r->insn, s->insn.raw);
    compare(l, "trap", r->trap, s->trap);
    compare(l, "rd", r->rd, s->rd);
    compare(l, "rd value", r->rd_value, s->rd == 0 ? 0 : s->rd_value);
    /* For a trap the interface reports the address of the exception handler. */
    compare(l, "next pc", r->next_pc, s->next_pc);
    compare(l, "read mask", r->read_mask, s->read_mask);
    compare(l, "write mask", r->write_mask, s->write_mask);
    compare(l, "memory address", r->address, s->address);
    compare(l, "write data", r->write_data & lane_bits(s->write_mask),
            s->write_data & lane_bits(s->write_mask));
    compare(l, "first of a handler", r->after_trap, l->was_trap);
    compare_bus(l, s);
}

/* Checks that an enabled interrupt is taken before too many further instructions. */
static void compare_overdue(struct lockstep *l, const struct retired *r)
{
    if (golden_irq_cause(&l->golden, r->mip & r->mip_before) == 0)
        l->overdue = 0;
    else if (++l->overdue > OVERDUE)
        differ(l, "interrupt not taken, mip %03" PRIx32, r->mip);
}

/* ---- coverage ---- */
static uint32_t peek_half(const struct lockstep *l, uint32_t address)
{
    uint32_t word = l->golden_memory[(address - RAM_BASE) / 4u % (RAM_BYTES / 4)];

    return word >> 8u * (address & 2u) & 0xffffu;
}

/* Reads the next instruction; its length is 0 where nothing can be fetched. */
static void peek(const struct lockstep *l, struct golden_insn *insn)
{
    uint32_t pc = l->golden.pc, low = peek_half(l, pc);

    golden_decode(peek_half(l, pc + 2u) << 16 | low, insn);
    if (!in_ram(pc) || !in_ram(pc + insn->length - 2u)) insn->length = 0;
}

/* Records the stalls that the next instruction saw. */
static void look_around(struct lockstep *l)
{
    bool waited = l->cycle - l->last_cycle > 1u;

    l->around.fetch_held = waited && l->fetch_held;
    l->around.data_held = waited && l->data_held;
    l->fetch_held = l->data_held = false;
    l->last_cycle = l->cycle;
}

static void remember_around(struct lockstep *l, const struct golden_step *s)
{
    bool is_muldiv = (s->insn.code & 0xfe00007fu) == 0x02000033u;

    l->around.before_data_held = l->around.data_held;
    l->around.before_muldiv = !s->trap && is_muldiv;
    l->around.before_loaded = s->read_mask != 0 ? s->rd : 0;
}

static void cover(struct lockstep *l, const struct golden_step *s)
{
    struct golden_insn next;

    look_around(l);
    peek(l, &next);
    l->around.split = next.length == 4 && (l->golden.pc & 2u) != 0;
    cover_step(l->coverage, s, &l->around);
    remember_around(l, s);
}

static void cover_taken(struct lockstep *l, uint32_t cause)
{
    struct golden_insn next;

    look_around(l);
    peek(l, &next);
    cover_interrupt(l->coverage, cause, &next, &l->around);
    if ((l->golden.tvec & 1u) != 0) l->coverage->vectored++;
    remember_around(l, &(struct golden_step){.trap = true});
}

static void remember(struct lockstep *l, const struct golden_step *s)
{
    l->history[l->retired++ % HISTORY] =
        (struct history_line){s->pc, s->insn, s->trap, s->cause};
}

static void find_end(struct lockstep *l, const struct golden_step *s)
{
    l->traps_in_row = s->trap ? l->traps_in_row + 1u : 0;
    if (l->ending != RUNNING) return;
    if (s->write_mask != 0 && !s->trap && s->address == RAM_BASE + TOHOST_AT)
        l->ending = ENDED_TOHOST;
    else if (l->retired >= LIMIT_INSTRUCTIONS || l->traps_in_row >= LIMIT_TRAPS_IN_ROW)
        l->ending = ENDED_LIMIT;
}

void lockstep_compare(struct lockstep *l, const struct retired *r)
{
    struct golden_at when = {r->cycle - 1u, r->mip_before};
    struct golden_step s;

    if (l->ending != RUNNING) return;
    l->idle_cycles = 0;
    golden_step(&l->golden, &when, &s);
    if (l->met_stale) {
        l->ending = ENDED_STALE; /* the contents of a stale fetch are undefined */
        return;
    }
    remember(l, &s);
    compare_step(l, r, &s);
    if (s.sleeps && (when.mip & l->golden.enabled) == 0) differ(l, "wfi woke by itself");
    l->was_trap = s.trap;
    compare_overdue(l, r);
    cover(l, &s);
    find_end(l, &s);
}

void lockstep_take_interrupt(struct lockstep *l, uint32_t mip)
{
    uint32_t cause = golden_irq_cause(&l->golden, mip);

    if (l->ending != RUNNING) return;
    if (cause == 0) {
        differ(l, "interrupt taken that may not be, mip %03" PRIx32, mip);
        return;
    }
    cover_taken(l, cause);
    golden_interrupt(&l->golden, cause);
    l->was_trap = true;
    l->overdue = 0;
}

/* ---- levers ---- */
static bool next_is_wfi(struct lockstep *l)
{
    uint32_t low = 0, high = 0, pc = l->golden.pc;

    golden_read(l, pc & ~3u, &low);
    golden_read(l, (pc + 2u) & ~3u, &high);
    low = (pc & 2u) != 0 ? low >> 16 : low & 0xffffu;
    high = (pc & 2u) != 0 ? high & 0xffffu : high >> 16;
    return (high << 16 | low) == 0x10500073u;
}

static void watch_idle(struct lockstep *l, bool sleeping)
{
    if (l->ending != RUNNING) return;
    if (sleeping && !next_is_wfi(l)) differ(l, "asleep without wfi");
    if (++l->idle_cycles < LIMIT_IDLE) return;
    if (next_is_wfi(l) && l->golden.enabled == 0)
        l->ending = ENDED_ASLEEP;
    else
        differ(l, "no instruction for %d cycles", LIMIT_IDLE);
}

/*
 * Changes lines more often during sleep, and during data requests, so that the next instruction may
 * stall.
 */
static uint32_t line_period(const struct lockstep *l, const struct bus_state *bus)
{
    if (bus->sleeping) return 32;
    return bus->data_asked && l->irq_period > 16u ? 16u : l->irq_period;
}

static void move_lines(struct lockstep *l, const struct bus_state *bus)
{
    uint32_t period = line_period(l, bus);

    if (l->idle_cycles > WAKE_LATEST)
        l->lines = 7;
    else if (l->lines != 0 && random_below(&l->levers, 24) == 0)
        l->lines &= random_word(&l->levers);
    else if (period != 0 && random_below(&l->levers, period) == 0)
        l->lines |= 1u << random_below(&l->levers, 3);
}

/* Records how long an interrupt has been pending: one of less than a cycle need not be taken. */
static void watch_pending(struct lockstep *l)
{
    uint32_t mip = (l->lines & 1u) << 7 | (l->lines & 2u) << 2 | (l->lines & 4u) << 9;

    if (golden_irq_cause(&l->golden, mip) == 0) l->overdue = 0;
}

uint32_t lockstep_levers(struct lockstep *l, const struct bus_state *bus)
{
    uint32_t hold = 0, noise;

    l->cycle++;
    l->fetch_held = l->fetch_held || bus->fetch_held;
    l->data_held = l->data_held || bus->data_held;
    watch_idle(l, bus->sleeping);
    move_lines(l, bus);
    watch_pending(l);
    if (l->stall != 0) {
        noise = random_word(&l->levers);
        for (unsigned i = 0; i < 4; i++)
            if ((noise >> 4u * i & 15u) < l->stall) hold |= 1u << i;
    }
    return hold << 3 | l->lines;
}

void lockstep_start(struct lockstep *l, struct program *p, struct coverage *coverage)
{
    struct random levers = {p->seed ^ 0x6c65766572u};

    memset(l, 0, sizeof *l);
    l->coverage = coverage;
    program_layout(p, l->core_memory);
    memcpy(l->golden_memory, l->core_memory, sizeof l->golden_memory);
    l->golden.memory = (struct golden_memory){l, golden_fetch, golden_read, golden_write,
                                              golden_fence_i};
    golden_reset(&l->golden, RAM_BASE, HART);
    l->levers = levers;
    l->stall = random_below(&l->levers, 2) == 0 ? 0 : 1u + random_below(&l->levers, 10);
    if (random_below(&l->levers, 3) != 0)
        l->irq_period = 16u << random_below(&l->levers, 5);
    if (l->stall != 0) coverage->stalled_programs++;
}

void lockstep_gate(struct lockstep *l, unsigned ports)
{
    static const char *const names[] = {"imem_req", "imem_addr", "dmem_req, we or be",
                                        "dmem_addr", "dmem_wdata", "sleep", "retire",
                                        "retire_pc"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((ports >> i & 1u) != 0) differ(l, "the netlist differs from the core: %s", names[i]);
}
