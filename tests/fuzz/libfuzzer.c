/* SPDX-License-Identifier: Apache-2.0 */
/* The targets under libFuzzer, alternating its mutations with our own. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { OTHER_MAX = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_one(data, size);
}

/* Mutates an input; may copy steps from an earlier input into it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static uint8_t other[OTHER_MAX];
    static size_t other_size;
    struct fuzz_random random = {seed * UINT64_C(0x9e3779b97f4a7c15) | 1};
    size_t room = fuzz_target.record * fuzz_target.most, result;

    if (seed % 4 == 0)
        return LLVMFuzzerMutate(data, size, most);
    room = room < most ? room : most;
    if (size > room)
        size = room;
    if (room < fuzz_target.record)
        return size;
    result = fuzz_mutate(&random, data, size, room, other, other_size);
    if (seed % 16 == 1 && result <= sizeof other) {
        memcpy(other, data, result);
        other_size = result;
    }
    return result;
}

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}
