/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of packets. */
#include "wire.h"

#include <pthread.h>
#include <string.h>

#include "tern_abi.h"

/*
 * The effect of a byte on a CRC and, for CRC-16, its effect when one to three more bytes follow.
 * The tables are computed once, because bit-by-bit computation is slow.
 */
enum { STRIDE = 4 };
static uint16_t crc16_table[STRIDE][256];
static uint32_t crc32c_one[256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t high = byte << 8, low = byte;

        for (int bit = 0; bit < 8; bit++) {
            high = (high & 0x8000 ? high << 1 ^ 0x1021 : high << 1) & 0xffff;
            low = low & 1 ? low >> 1 ^ 0x82f63b78 : low >> 1;
        }
        crc16_table[0][byte] = (uint16_t)high;
        crc32c_one[byte] = low;
    }
    for (unsigned after = 1; after < STRIDE; after++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t before = crc16_table[after - 1][byte];

            crc16_table[after][byte] =
                (uint16_t)(crc16_table[0][before >> 8] ^ before << 8);
        }
}

uint16_t tern_wire_crc16(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xffff;
    size_t i = 0;

    pthread_once(&tables_once, make_tables);
    for (; i + STRIDE <= count; i += STRIDE)
        crc = (uint32_t)(crc16_table[3][crc >> 8 ^ bytes[i]] ^
                         crc16_table[2][(crc & 0xff) ^ bytes[i + 1]] ^
                         crc16_table[1][bytes[i + 2]] ^ crc16_table[0][bytes[i + 3]]);
    for (; i < count; i++)
        crc = (crc << 8 & 0xffff) ^ crc16_table[0][crc >> 8 ^ bytes[i]];
    return (uint16_t)crc;
}

static uint32_t crc32c_by_table(uint32_t crc, const uint8_t *bytes, size_t count)
{
    pthread_once(&tables_once, make_tables);
    for (size_t i = 0; i < count; i++)
        crc = crc >> 8 ^ crc32c_one[(crc ^ bytes[i]) & 0xff];
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
crc32c_by_instruction(uint32_t crc, const uint8_t *bytes, size_t count)
{
    uint64_t wide = crc, word;
    size_t i = 0;

    for (; i + sizeof word <= count; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (uint32_t)wide;
    for (; i < count; i++)
        crc = __builtin_ia32_crc32qi(crc, bytes[i]);
    return crc;
}

uint32_t tern_wire_crc32c(uint32_t crc, const uint8_t *bytes, size_t count)
{
    return __builtin_cpu_supports("sse4.2") ? crc32c_by_instruction(crc, bytes, count)
                                            : crc32c_by_table(crc, bytes, count);
}
#else
uint32_t tern_wire_crc32c(uint32_t crc, const uint8_t *bytes, size_t count)
{
    return crc32c_by_table(crc, bytes, count);
}
#endif

uint32_t tern_wire_word(const uint8_t *packet, size_t word)
{
    uint32_t value;

    memcpy(&value, packet + 4 * word, sizeof value);
    return value;
}

void tern_wire_set_word(uint8_t *packet, size_t word, uint32_t value)
{
    memcpy(packet + 4 * word, &value, sizeof value);
}

/*
 * Computes the end-to-end CRC, which omits what changes on each link: of the first two header words
 * only the destination counts, and only in a packet with a single one.
 */
static uint32_t end_crc(const uint8_t *packet, size_t bytes)
{
    uint32_t words[8];
    uint32_t dst;
    uint32_t crc;

    memcpy(words, packet, sizeof words);
    dst = TERN_GET(PKT, deposit, words) ? 0 : (uint32_t)TERN_GET(PKT, dst, words);
    words[0] = TERN_V(PKT, dst, dst);
    words[1] = 0;
    crc = tern_wire_crc32c(UINT32_MAX, (const uint8_t *)words, sizeof words);
    crc = tern_wire_crc32c(crc, packet + TERN_PKT_HEADER_BYTES,
                           bytes - TERN_PKT_HEADER_BYTES - TERN_PKT_TRAILER_BYTES);
    return ~crc;
}

void tern_wire_seal(uint8_t *packet, size_t bytes, unsigned what)
{
    size_t trailer = (bytes - TERN_PKT_TRAILER_BYTES) / 4;

    if (what & TERN_SEAL_HEADER) {
        uint32_t hcrc = tern_wire_crc16(packet, TERN_WIRE_ROUTED);
        uint32_t word = tern_wire_word(packet, TERN_PKT_hcrc_WORD);

        word = (word & ~TERN_V(PKT, hcrc, UINT32_MAX)) | TERN_V(PKT, hcrc, hcrc);
        tern_wire_set_word(packet, TERN_PKT_hcrc_WORD, word);
    }
    if (what & TERN_SEAL_END)
        tern_wire_set_word(packet, trailer, end_crc(packet, bytes));
    if (what & TERN_SEAL_LINK)
        tern_wire_set_word(packet, trailer + 1,
                           ~tern_wire_crc32c(UINT32_MAX, packet, bytes - 4));
}

bool tern_wire_link_takes(const uint8_t *packet, size_t bytes)
{
    uint32_t first = tern_wire_word(packet, TERN_PKT_words_WORD);
    uint32_t second = tern_wire_word(packet, TERN_PKT_hcrc_WORD);
    uint32_t crc = ~tern_wire_crc32c(UINT32_MAX, packet, bytes - 4);
    uint32_t has = tern_wire_word(packet, bytes / 4 - 1);

    return TERN_F(PKT, hcrc, second) == tern_wire_crc16(packet, TERN_WIRE_ROUTED) &&
           8 * (size_t)TERN_F(PKT, words, first) == bytes && (has == crc || has == ~crc);
}
