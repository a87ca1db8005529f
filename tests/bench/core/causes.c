/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One part for each way to lose a cycle; a test checks which cause the profile gives for it.
 *
 * Each part also loses a cycle in each of its two counter accesses.
 */
#include "count.h"

/* Assembly keeps the part's instructions between the reads, without any of the compiler's. */
#define PART(name, text, ...)                                                                  \
    do {                                                                                       \
        struct count begin, end;                                                               \
        __asm__ volatile(".p2align 2\n\t.option push\n\t.option norvc\n\t"                     \
                         "csrr %0, mcycle\n\tcsrr %1, minstret\n\t" text                       \
                         "\n\tcsrr %2, mcycle\n\tcsrr %3, minstret\n\t.option pop"             \
                         : "=&r"(begin.cycles), "=&r"(begin.instructions), "=&r"(end.cycles),  \
                           "=&r"(end.instructions)                                             \
                         : __VA_ARGS__                                                         \
                         : "t0", "t1", "memory");                                              \
        count_print(name, begin, end, 0);                                                      \
    } while (0)

/* Jumps to 1: by a register that was written long enough before. */
#define INDIRECT                                                                               \
    ".option push\n\t.option norvc\n\tla t1, 1f\n\tnop\n\tnop\n\tjr t1\n\t.option pop\n\t"

enum { LEVER_PAGE = 0x10000, TIMER_LINE = 1, TIMER_ENABLE = 1 << 7, SLEEP_CYCLES = 40 };

static uint32_t word = 5;

/* Makes the bench raise the given interrupt lines after so many cycles (docs/core.md). */
static void raise_later(uint32_t lines)
{
    volatile uint32_t *levers = (volatile uint32_t *)(LEVER_PAGE << 12);

    levers[2] = lines;
    levers[3] = SLEEP_CYCLES;
}

int main(void)
{
    PART("nothing", "addi t0, zero, 1\n\taddi t1, t0, 1\n\tsw t1, 0(%4)", "r"(&word));
    PART("taken", INDIRECT "nop\n1:", "r"(0));
    PART("wrong", "beqz zero, 1f\n\tnop\n1:", "r"(0));
    PART("unaligned",
         INDIRECT ".option push\n\t.option rvc\n\tc.nop\n\t.option pop\n"
         "1:\taddi t0, zero, 1\n\t.option push\n\t.option rvc\n\tc.nop\n\t.option pop",
         "r"(0));
    PART("load-use", "lw t0, 0(%4)\n\taddi t1, t0, 1", "r"(&word));
    PART("multiply", "mul t0, %4, %4\n\taddi t1, t0, 1", "r"(word));
    PART("divide", "div t0, %4, %4", "r"(word));
    PART("csr", "csrr t0, mscratch", "r"(0));
    __asm__ volatile("csrw mie, %0" : : "r"(TIMER_ENABLE));
    raise_later(TIMER_LINE);
    PART("asleep", "wfi", "r"(0));
    return 0;
}
