/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program on the core bench and analyses it: its parts by the core's own counters (count.h),
 * and by the bench's count of the same cycles.
 */
#ifndef TERN_BENCH_RUN_H
#define TERN_BENCH_RUN_H

#include "tally.h"

enum { RUN_PARTS = 12 };

struct run_part {
    char name[16];
    uint32_t cycles, instructions, checksum; /* as reported by the program */
    struct tally tally;                      /* as counted by the bench */
};

struct run {
    struct run_part part[RUN_PARTS];
    unsigned parts;
};

/*
 * Runs `elf`; the bench delays grants and answers in `stall` of 16 cases. It writes its
 * cycle-by-cycle report to the file `flow`, which is removed afterwards. Ends the process with a
 * message when the program fails or the two accounts differ.
 */
struct run run_program(const char *elf, const char *flow, unsigned stall);

/* Returns the part of that name, or ends the process. */
const struct run_part *run_part(const struct run *run, const char *name);

#endif
