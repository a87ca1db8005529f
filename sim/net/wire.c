/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of packets and link control words. */
#include "wire.h"

#include <string.h>

#include "tern_abi.h"

uint16_t tern_wire_crc16(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xffff;

    for (size_t i = 0; i < count; i++) {
        crc ^= (uint32_t)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1;
    }
    return (uint16_t)crc;
}

uint32_t tern_wire_crc32c(uint32_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
    }
    return crc;
}

uint8_t tern_wire_crc8(uint32_t word)
{
    uint32_t crc = 0xff;

    for (int bit = 23; bit >= 0; bit--) {
        uint32_t top = (crc >> 7 ^ word >> bit) & 1;

        crc = crc << 1 & 0xff;
        if (top)
            crc ^= 0x07;
    }
    return (uint8_t)crc;
}

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

/* The end-to-end CRC leaves out what changes from link to link: of the last two words of the
 * header only the counter counts. */
static uint32_t end_crc(const uint8_t *packet, size_t bytes)
{
    uint32_t words[8];
    uint32_t counter;
    uint32_t crc;

    memcpy(words, packet, sizeof words);
    counter = (uint32_t)TERN_GET(PKT, counter, words);
    words[6] = 0;
    words[7] = 0;
    TERN_SET(PKT, counter, words, counter);
    crc = tern_wire_crc32c(UINT32_MAX, (const uint8_t *)words, sizeof words);
    crc = tern_wire_crc32c(crc, packet + TERN_PKT_HEADER_BYTES,
                           bytes - TERN_PKT_HEADER_BYTES - TERN_PKT_TRAILER_BYTES);
    return ~crc;
}

void tern_wire_seal(uint8_t *packet, size_t bytes, unsigned what)
{
    size_t trailer = (bytes - TERN_PKT_TRAILER_BYTES) / 4;

    if (what & TERN_SEAL_HEADER) {
        uint32_t hcrc = tern_wire_crc16(packet, 30);
        uint32_t word = tern_wire_word(packet, 7) & 0xffff;

        tern_wire_set_word(packet, 7, word | hcrc << 16);
    }
    if (what & TERN_SEAL_END)
        tern_wire_set_word(packet, trailer, end_crc(packet, bytes));
    if (what & TERN_SEAL_LINK)
        tern_wire_set_word(packet, trailer + 1,
                           ~tern_wire_crc32c(UINT32_MAX, packet, bytes - 4));
}
