/* SPDX-License-Identifier: Apache-2.0 */
/* See packet.h. */
#include "packet.h"

#include <string.h>

enum { TO = 0, FROM = TERN_PACKET_ADDRESS, TYPE = 12, SESSION = 14 };

static uint32_t load(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

void tern_packet_board(uint8_t address[TERN_PACKET_ADDRESS])
{
    store(address, TERN_HLINK_ETHER_LOW);
    address[4] = (uint8_t)TERN_HLINK_ETHER_HIGH;
    address[5] = (uint8_t)(TERN_HLINK_ETHER_HIGH >> 8);
}

size_t tern_packet_bytes(const uint8_t *packet)
{
    size_t words = tern_frame_field(load(packet + TERN_PACKET_HEAD), TERN_HLINK_WORDS);
    size_t bytes = TERN_PACKET_HEAD + 4 * (words + 1);

    return bytes < TERN_PACKET_LEAST ? TERN_PACKET_LEAST : bytes;
}

size_t tern_packet_make(const uint32_t *words, size_t count, const uint8_t *host, uint32_t session,
                        uint8_t packet[TERN_PACKET_BYTES])
{
    memset(packet, 0, TERN_PACKET_LEAST);
    tern_packet_board(packet + TO);
    memcpy(packet + FROM, host, TERN_PACKET_ADDRESS);
    packet[TYPE] = TERN_HLINK_ETHER_TYPE >> 8;
    packet[TYPE + 1] = TERN_HLINK_ETHER_TYPE & 0xff;
    packet[SESSION] = (uint8_t)session;
    packet[SESSION + 1] = (uint8_t)(session >> 8);
    for (size_t i = 0; i < count; i++)
        store(packet + TERN_PACKET_HEAD + 4 * i, words[i]);
    store(packet + TERN_PACKET_HEAD + 4 * count, tern_frame_crc(words, count));
    return tern_packet_bytes(packet);
}

static bool is_ours(const uint8_t *packet, const uint8_t *host, uint32_t session)
{
    return memcmp(packet + TO, host, TERN_PACKET_ADDRESS) == 0 &&
           packet[TYPE] == TERN_HLINK_ETHER_TYPE >> 8 &&
           packet[TYPE + 1] == (TERN_HLINK_ETHER_TYPE & 0xff) &&
           packet[SESSION] == (uint8_t)session && packet[SESSION + 1] == (uint8_t)(session >> 8);
}

size_t tern_packet_words(const uint8_t *packet, size_t bytes, const uint8_t *host, uint32_t session,
                         uint32_t words[TERN_FRAME_WORDS], bool *bad)
{
    size_t count;

    *bad = false;
    if (bytes < TERN_PACKET_LEAST || !is_ours(packet, host, session))
        return 0;
    count = tern_frame_field(load(packet + TERN_PACKET_HEAD), TERN_HLINK_WORDS);
    *bad = true;
    if (count < TERN_HLINK_HEAD_WORDS || count > TERN_HLINK_UP_WORDS ||
        bytes < TERN_PACKET_HEAD + 4 * (count + 1))
        return 0;
    for (size_t i = 0; i <= count; i++)
        words[i] = load(packet + TERN_PACKET_HEAD + 4 * i);
    *bad = tern_frame_crc(words, count) != words[count];
    return *bad ? 0 : count;
}
