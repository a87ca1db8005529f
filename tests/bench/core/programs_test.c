/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that the benchmark programs give the same results on the core as their source on the host,
 * and that every cycle is an instruction or has a cause. `make bench` measures their cycles. TAP on
 * stdout; run from the project root.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "mix.h"
#include "run.h"

static const char flow_path[] = "build/tests/bench/programs.flow";
static const char mix_path[] = "build/tests/bench/mix.elf";
static const char crc_path[] = "build/tests/bench/crc_1k.elf";
static const char causes_path[] = "build/tests/bench/causes.elf";

enum { STALL = 3 };

static int tests, failures;

static bool report(bool good, const char *name)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests, name);
    failures += !good;
    return good;
}

/* ---- results ---- */

struct expected {
    const char *name;
    uint32_t checksum;
};

static bool agree(const struct run *run, const struct expected *expected, unsigned count)
{
    bool good = run->parts == count;

    for (unsigned i = 0; i < count; i++) {
        uint32_t checksum = run_part(run, expected[i].name)->checksum;

        if (checksum == expected[i].checksum)
            continue;
        printf("# %s: %08x on the core, %08x here\n", expected[i].name, checksum,
               expected[i].checksum);
        good = false;
    }
    return good;
}

static void test_mix(void)
{
    const struct expected expected[] = {
#define PART(name, call) { #name, call(MIX_SEED) },
#include "mix.def"
    };
    const unsigned parts = sizeof(expected) / sizeof(expected[0]);
    struct run run = run_program(mix_path, flow_path, 0);
    struct run stalled = run_program(mix_path, flow_path, STALL);

    report(agree(&run, expected, parts), "the mix computes what the host computes");
    report(agree(&stalled, expected, parts), "the mix computes it with memory that waits");
}

static void test_crc(void)
{
    static uint8_t buffer[CRC_BYTES];
    const uint8_t digits[] = "123456789";
    struct expected expected[] = { { "fill", 0 }, { "branch", 0 }, { "mask", 0 } };
    struct run run = run_program(crc_path, flow_path, 0);

    report(crc_branch(digits, 9) == 0xcbf43926u && crc_mask(digits, 9) == 0xcbf43926u,
           "both forms of the CRC are CRC-32");
    crc_fill(buffer, CRC_BYTES, MIX_SEED);
    expected[0].checksum = buffer[CRC_BYTES - 1];
    expected[1].checksum = crc_branch(buffer, CRC_BYTES);
    expected[2].checksum = crc_mask(buffer, CRC_BYTES);
    report(agree(&run, expected, 3), "fill and CRC compute what the host computes");
}

/* ---- causes ---- */

struct charge {
    const char *part;
    enum tally_cause cause;   /* expected cause ... */
    unsigned at_least;        /* ... minimum cycles, with no other cause ... */
    enum tally_cause besides; /* ... except this one */
};

static const struct charge charges[] = {
    { "nothing", CAUSE_CSR_TRAP, 2, CAUSE_CSR_TRAP },
    { "taken", CAUSE_TAKEN, 1, CAUSE_TAKEN },
    { "wrong", CAUSE_WRONG, 2, CAUSE_WRONG },
    { "unaligned", CAUSE_UNALIGNED, 1, CAUSE_TAKEN },
    { "load-use", CAUSE_LOAD_USE, 1, CAUSE_LOAD_USE },
    { "multiply", CAUSE_MUL, 1, CAUSE_MUL },
    { "divide", CAUSE_DIV, 8, CAUSE_DIV },
    { "csr", CAUSE_CSR_TRAP, 3, CAUSE_CSR_TRAP },
    { "asleep", CAUSE_ASLEEP, 8, CAUSE_OTHER },
};

/* Every part reads counters, whose cycles count under CSRs. */
static bool charged(const struct charge *charge, const struct tally *tally)
{
    bool good = tally->cause[charge->cause] >= charge->at_least;

    for (enum tally_cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++)
        if (cause != charge->cause && cause != charge->besides && cause != CAUSE_CSR_TRAP)
            good = good && tally->cause[cause] == 0;
    for (enum tally_cause cause = 0; !good && cause < CAUSES; cause++)
        printf("# %s: %llu\n", tally_cause_text(cause), (unsigned long long)tally->cause[cause]);
    return good;
}

static const struct { const char *part; enum tally_kind kind; } kinds[] = {
    { "nothing", KIND_STORE }, { "taken", KIND_JALR }, { "unaligned", KIND_JALR },
    { "wrong", KIND_AHEAD_TAKEN },
    { "load-use", KIND_LOAD }, { "multiply", KIND_MUL },      { "divide", KIND_DIV },
};

/*
 * Each of these parts has one instruction of that kind; one target is a 32-bit instruction across
 * two words.
 */
static bool counted(const struct run *run)
{
    bool good = true;

    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        good = good && run_part(run, kinds[i].part)->tally.kind[kinds[i].kind] == 1;
    for (unsigned i = 0; i < run->parts; i++)
        good = good && run->part[i].tally.across == (strcmp(run->part[i].name, "unaligned") == 0);
    return good;
}

static void test_causes(void)
{
    struct run run = run_program(causes_path, flow_path, 0);
    char name[64];

    for (unsigned i = 0; i < sizeof(charges) / sizeof(charges[0]); i++) {
        snprintf(name, sizeof(name), "lost cycles have their cause (%s)", charges[i].part);
        report(charged(&charges[i], &run_part(&run, charges[i].part)->tally), name);
    }
    report(counted(&run), "instructions are counted by their kind");
}

/* Stalls have causes in both directions; run_program() has checked the sums. */
static void test_waiting(void)
{
    struct run run = run_program(mix_path, flow_path, 0);
    struct run stalled = run_program(mix_path, flow_path, STALL);
    uint64_t none = 0, fetch = 0, data = 0;

    for (unsigned i = 0; i < run.parts; i++) {
        none += run.part[i].tally.cause[CAUSE_FETCH] + run.part[i].tally.cause[CAUSE_DATA];
        fetch += stalled.part[i].tally.cause[CAUSE_FETCH];
        data += stalled.part[i].tally.cause[CAUSE_DATA];
    }
    report(none == 0, "memory without waiting loses no cycle");
    report(fetch > 0 && data > 0, "memory that waits is charged with it");
    if (failures == 0)
        printf("# evidence B3.2 parts=%u fetch=%llu data=%llu\n", run.parts,
               (unsigned long long)fetch, (unsigned long long)data);
}

int main(void)
{
    test_mix();
    test_crc();
    test_causes();
    test_waiting();
    printf("1..%d\n", tests);
    return failures != 0;
}
