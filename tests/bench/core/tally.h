/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the core's activity: the kinds of retired instructions, and the use of each cycle. A
 * bench of the core alone, or a node, feeds it cycle by cycle.
 */
#ifndef TERN_BENCH_TALLY_H
#define TERN_BENCH_TALLY_H

#include <stddef.h>
#include <stdint.h>

enum tally_cause {
#define CAUSE(name, text, colour) CAUSE_##name,
#include "lost.def"
#undef CAUSE
    CAUSES
};

enum tally_kind {
#define KIND(name, text) KIND_##name,
#include "kinds.def"
#undef KIND
    KINDS
};

struct tally {
    uint64_t cycles;            /* all, awake or asleep */
    uint64_t cause[CAUSES];     /* cause[CAUSE_NONE]: instructions */
    uint64_t kind[KINDS];
    uint64_t across;            /* jumps to a 32-bit instruction across two words */
};

const char *tally_cause_text(enum tally_cause cause);
const char *tally_cause_colour(enum tally_cause cause);
const char *tally_kind_text(enum tally_kind kind);

/* Returns the cycles in which the core was awake. */
uint64_t tally_busy(const struct tally *tally);
double tally_cpi(const struct tally *tally);

/* a - b, and a + b */
struct tally tally_less(const struct tally *a, const struct tally *b);
struct tally tally_plus(const struct tally *a, const struct tally *b);

/* Returns a message when the sums of instructions, causes and kinds do not agree; else NULL. */
const char *tally_fault(const struct tally *tally);

/* A core being observed; its code is at [base, base + code_bytes). */
struct follow {
    const uint8_t *code;
    uint32_t base;
    size_t code_bytes;
    struct tally tally;
    uint32_t last_pc, last_code; /* of the previous instruction; the next one shows whether */
    unsigned last_bytes;         /* it jumped; 0 at the beginning */
    void (*marked)(void *ctx, const struct tally *tally); /* called after a read of mcycle; may be
                                                           * NULL */
    void *ctx;
};

void follow_retire(struct follow *follow, uint32_t pc);
void follow_lost(struct follow *follow, unsigned cause);

#endif
