/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a buffer, and computes its bitwise CRC-32 by two common forms of the loop. */
#include "mix.h"

static const uint32_t polynomial = 0xedb88320u;

void crc_fill(uint8_t *buffer, uint32_t byte_len, uint32_t seed)
{
    for (uint32_t i = 0; i < byte_len; i++)
        buffer[i] = (uint8_t)(mix_random(&seed) >> 8);
}

uint32_t crc_branch(const uint8_t *data, uint32_t byte_len)
{
    uint32_t crc = ~0u;

    for (uint32_t i = 0; i < byte_len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 1)
                crc = crc >> 1 ^ polynomial;
            else
                crc >>= 1;
        }
    }
    return ~crc;
}

uint32_t crc_mask(const uint8_t *data, uint32_t byte_len)
{
    uint32_t crc = ~0u;

    for (uint32_t i = 0; i < byte_len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (polynomial & -(crc & 1));
    }
    return ~crc;
}
