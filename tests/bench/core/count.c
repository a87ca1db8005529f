/* SPDX-License-Identifier: Apache-2.0 */
#include "count.h"

void putchar_bench(char c);

static void print(const char *text)
{
    while (*text != '\0')
        putchar_bench(*text++);
}

static void print_number(uint32_t value)
{
    putchar_bench(' ');
    for (int shift = 28; shift >= 0; shift -= 4)
        putchar_bench("0123456789abcdef"[value >> shift & 15]);
}

void count_print(const char *name, struct count begin, struct count end, uint32_t checksum)
{
    print("part ");
    print(name);
    print_number(end.cycles - begin.cycles);
    print_number(end.instructions - begin.instructions);
    print_number(checksum);
    putchar_bench('\n');
}
