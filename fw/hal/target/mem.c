/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memcpy and memset, which the compiler calls for structures, word by word. picolibc's small
 * versions copy bytes; its fast ones take more memory than the time saved is worth.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static int words(uintptr_t both, size_t n)
{
    return ((both | n) & 3) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    if (words((uintptr_t)to | (uintptr_t)from, n)) {
        for (size_t i = 0; i < n; i += 4)
            *(uint32_t *)(void *)(t + i) = *(const uint32_t *)(const void *)(f + i);
        return to;
    }
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    unsigned char *t = to;
    uint32_t all = (unsigned char)value * 0x01010101u;

    if (words((uintptr_t)to, n)) {
        for (size_t i = 0; i < n; i += 4)
            *(uint32_t *)(void *)(t + i) = all;
        return to;
    }
    for (size_t i = 0; i < n; i++)
        t[i] = (unsigned char)value;
    return to;
}
