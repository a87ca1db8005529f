/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-16 bit by bit, CRC-32 by half-bytes. */
#include "mix.h"

enum { BYTES = 400, ROUNDS = 2 };

static uint8_t buffer[BYTES];

static uint16_t crc16(const uint8_t *data, uint32_t byte_len)
{
    uint16_t crc = 0xffff;

    while (byte_len-- != 0) {
        crc ^= *data++;
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0xa001u) : (uint16_t)(crc >> 1);
    }
    return crc;
}

static const uint32_t half_bytes[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t crc32(const uint8_t *data, uint32_t byte_len)
{
    uint32_t crc = ~0u;

    while (byte_len-- != 0) {
        crc ^= *data++;
        crc = crc >> 4 ^ half_bytes[crc & 15];
        crc = crc >> 4 ^ half_bytes[crc & 15];
    }
    return ~crc;
}

uint32_t mix_crc(uint32_t seed)
{
    uint32_t sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BYTES; i++)
            buffer[i] = (uint8_t)mix_random(&seed);
        sum = mix_into(sum, crc16(buffer, BYTES));
        for (int i = 0; i < 4; i++)
            sum = mix_into(sum, crc32(buffer, BYTES));
    }
    return sum;
}
