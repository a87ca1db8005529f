/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <err.h>
#include <stdbool.h>
#include <string.h>

#include "golden.h"

enum {
    MAJOR_LOAD = 0x03,
    MAJOR_STORE = 0x23,
    MAJOR_OP = 0x33,
    MAJOR_BRANCH = 0x63,
    MAJOR_JALR = 0x67,
    MAJOR_JAL = 0x6f,
    MAJOR_SYSTEM = 0x73,
    FUNCT7_MULDIV = 1,
    CSR_MCYCLE = 0xb00,
    REG_RA = 1,
};

struct row {
    const char *text, *colour;
};

static const struct row causes[CAUSES] = {
#define CAUSE(name, text, colour) { text, colour },
#include "lost.def"
#undef CAUSE
};

static const char *const kinds[KINDS] = {
#define KIND(name, text) text,
#include "kinds.def"
#undef KIND
};

const char *tally_cause_text(enum tally_cause cause)
{
    return causes[cause].text;
}

const char *tally_cause_colour(enum tally_cause cause)
{
    return causes[cause].colour;
}

const char *tally_kind_text(enum tally_kind kind)
{
    return kinds[kind];
}

uint64_t tally_busy(const struct tally *tally)
{
    return tally->cycles - tally->cause[CAUSE_ASLEEP];
}

double tally_cpi(const struct tally *tally)
{
    return (double)tally_busy(tally) / (double)tally->cause[CAUSE_NONE];
}

static struct tally combine(const struct tally *a, const struct tally *b, bool less)
{
    const uint64_t sign = less ? ~0ull : 1;
    struct tally sum = { .cycles = a->cycles + sign * b->cycles,
                         .across = a->across + sign * b->across };

    for (unsigned i = 0; i < CAUSES; i++)
        sum.cause[i] = a->cause[i] + sign * b->cause[i];
    for (unsigned i = 0; i < KINDS; i++)
        sum.kind[i] = a->kind[i] + sign * b->kind[i];
    return sum;
}

struct tally tally_less(const struct tally *a, const struct tally *b)
{
    return combine(a, b, true);
}

struct tally tally_plus(const struct tally *a, const struct tally *b)
{
    return combine(a, b, false);
}

const char *tally_fault(const struct tally *tally)
{
    uint64_t cycles = 0, instructions = 0;

    for (unsigned i = 0; i < CAUSES; i++)
        cycles += tally->cause[i];
    for (unsigned i = 0; i < KINDS; i++)
        instructions += tally->kind[i];
    if (cycles != tally->cycles)
        return "instructions and lost cycles are not all cycles";
    return instructions == tally->cause[CAUSE_NONE] ? NULL
                                                    : "the kinds are not all instructions";
}

/* ---- following ---- */

static uint32_t fetch(const struct follow *follow, uint32_t pc, struct golden_insn *insn)
{
    uint32_t raw = 0, at = pc - follow->base;
    size_t have = follow->code_bytes;

    if (at >= have)
        errx(1, "an instruction retired at %#x, outside the program", (unsigned)pc);
    memcpy(&raw, follow->code + at, have - at < sizeof(raw) ? have - at : sizeof(raw));
    golden_decode(raw, insn);
    return insn->code;
}

/*
 * Returns the kind of an instruction; that of a branch or jump depends on the next instruction's
 * address.
 */
static enum tally_kind kind_of(uint32_t code, bool jumped)
{
    const unsigned funct3 = code >> 12 & 7;

    switch (code & 0x7f) {
    case MAJOR_BRANCH:
        if (code >> 31)
            return jumped ? KIND_BACK_TAKEN : KIND_BACK_NOT;
        return jumped ? KIND_AHEAD_TAKEN : KIND_AHEAD_NOT;
    case MAJOR_JAL: return KIND_JAL;
    case MAJOR_JALR:
        return (code >> 7 & 31) == 0 && (code >> 15 & 31) == REG_RA ? KIND_RETURN : KIND_JALR;
    case MAJOR_LOAD: return KIND_LOAD;
    case MAJOR_STORE: return KIND_STORE;
    case MAJOR_OP:
        if (code >> 25 != FUNCT7_MULDIV)
            return KIND_REST;
        return funct3 < 4 ? KIND_MUL : KIND_DIV;
    case MAJOR_SYSTEM: return funct3 != 0 ? KIND_CSR : KIND_REST;
    default: return KIND_REST;
    }
}

static bool reads_mcycle(uint32_t code)
{
    return (code & 0x7f) == MAJOR_SYSTEM && (code >> 12 & 7) != 0 && code >> 20 == CSR_MCYCLE;
}

/*
 * Sets the kind of the previous instruction, which is now known. Until then it counts as "all
 * other", so that the sums are always right.
 */
static void settle(struct follow *follow, uint32_t pc, unsigned bytes)
{
    bool jumped = pc != follow->last_pc + follow->last_bytes;

    if (follow->last_bytes == 0)
        return;
    follow->tally.kind[KIND_REST]--;
    follow->tally.kind[kind_of(follow->last_code, jumped)]++;
    follow->tally.across += jumped && bytes == 4 && pc % 4 == 2;
}

void follow_retire(struct follow *follow, uint32_t pc)
{
    struct golden_insn insn;
    uint32_t code = fetch(follow, pc, &insn);

    settle(follow, pc, insn.length);
    follow->last_pc = pc;
    follow->last_code = code;
    follow->last_bytes = insn.length;
    follow->tally.cycles++;
    follow->tally.cause[CAUSE_NONE]++;
    follow->tally.kind[KIND_REST]++;
    if (reads_mcycle(code) && follow->marked)
        follow->marked(follow->ctx, &follow->tally);
}

void follow_lost(struct follow *follow, unsigned cause)
{
    if (cause == CAUSE_NONE || cause >= CAUSES)
        errx(1, "a cycle was lost for the unknown cause %u", cause);
    follow->tally.cycles++;
    follow->tally.cause[cause]++;
}
