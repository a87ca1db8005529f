/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC-32C: by the processor's instruction if it has one, which the code checks at run time; else by
 * a table, 16 bytes a step. Both give the same result for all bytes.
 */
#include <string.h>

#include "crc.h"

uint32_t tern_crc_by_table(uint32_t crc, const void *from, size_t bytes)
{
    static const uint32_t steps[16] = {
        0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362,
            0x7198540d,
        0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a,
            0xf36e6f75,
    };

    for (const uint8_t *at = from, *end = at + bytes; at < end; at++) {
        crc = crc >> 4 ^ steps[(crc ^ *at) & 15];
        crc = crc >> 4 ^ steps[(crc ^ *at >> 4) & 15];
    }
    return crc;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

bool tern_crc_has_instruction(void)
{
    return __builtin_cpu_supports("sse4.2");
}

__attribute__((target("sse4.2"))) uint32_t tern_crc_by_instruction(uint32_t crc, const void *from,
                                                                   size_t bytes)
{
    const uint8_t *at = from;
    uint64_t sum = crc, word;

    for (; bytes >= sizeof(word); bytes -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        sum = _mm_crc32_u64(sum, word);
    }
    crc = (uint32_t)sum;
    for (; bytes; bytes--)
        crc = _mm_crc32_u8(crc, *at++);
    return crc;
}

#elif defined(__aarch64__)

#include <asm/hwcap.h>
#include <sys/auxv.h>

bool tern_crc_has_instruction(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0;
}

/* Inline assembly, because the compiler may target a processor without the instruction. */
uint32_t tern_crc_by_instruction(uint32_t crc, const void *from, size_t bytes)
{
    const uint8_t *at = from;
    uint64_t word;

    for (; bytes >= sizeof(word); bytes -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
    }
    for (; bytes; bytes--)
        __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"((uint32_t)*at++));
    return crc;
}

#else

bool tern_crc_has_instruction(void)
{
    return false;
}

uint32_t tern_crc_by_instruction(uint32_t crc, const void *from, size_t bytes)
{
    return tern_crc_by_table(crc, from, bytes);
}

#endif

uint32_t tern_crc_add(uint32_t crc, const void *from, size_t bytes)
{
    return tern_crc_has_instruction() ? tern_crc_by_instruction(crc, from, bytes)
                                      : tern_crc_by_table(crc, from, bytes);
}
