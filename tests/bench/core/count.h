/* SPDX-License-Identifier: Apache-2.0
 *
 * Times parts of a program on the core bench by the core's own counters.
 *
 * Every read of mcycle marks a part's begin or end for the program that analyses the run.
 */
#ifndef TERN_BENCH_COUNT_H
#define TERN_BENCH_COUNT_H

#include <stdint.h>

struct count {
    uint32_t cycles, instructions;
};

/*
 * Reads both counters in a fixed order, so that the number of cycles between the reads is constant.
 */
static inline struct count count_now(void)
{
    struct count now;

    __asm__ volatile("csrr %0, mcycle\n\tcsrr %1, minstret"
                     : "=r"(now.cycles), "=r"(now.instructions)
                     :
                     : "memory");
    return now;
}

/* Prints "part NAME CYCLES INSTRUCTIONS CHECKSUM", figures in hexadecimal. */
void count_print(const char *name, struct count begin, struct count end, uint32_t checksum);

#endif
