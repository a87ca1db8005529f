/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program on the core bench and follows it: its parts by the core's own counters (count.h),
 * and by the bench's count of the same cycles.
 */
#ifndef TERN_BENCH_RUN_H
#define TERN_BENCH_RUN_H

#include "tally.h"

enum { RUN_PARTS = 12 };

struct run_part {
    char name[16];
    uint32_t cycles, instructions, checksum; /* as the program reports them */
    struct tally tally;                      /* as the bench saw them */
};

struct run {
    struct run_part part[RUN_PARTS];
    unsigned parts;
};

/*
 * Runs `elf` with grants and answers withheld in `stall` of 16 cases.  What the bench says
 * cycle by cycle goes through the file `flow`, which is removed.  Ends the process with a
 * message when the program does not pass or when the two accounts differ.
 */
struct run run_program(const char *elf, const char *flow, unsigned stall);

/* The part of that name, or the end of the process. */
const struct run_part *run_part(const struct run *run, const char *name);

#endif
