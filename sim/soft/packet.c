/* SPDX-License-Identifier: Apache-2.0 */
/* Packets as bytes, with the layout of pkt.def. */
#include <string.h>

#include "inside.h"
#include "wire.h"

size_t soft_packet_bytes(uint32_t payload)
{
    return TERN_PKT_HEADER_BYTES + ((payload + 7) & ~(size_t)7) + TERN_PKT_TRAILER_BYTES;
}

/* Computes the end-to-end CRC. Of the first two header words only a single destination counts. */
uint32_t soft_packet_crc(const uint8_t *packet, size_t bytes)
{
    uint32_t words[SOFT_HEADER_WORDS];
    uint32_t crc;

    memcpy(words, packet, sizeof words);
    words[TERN_PKT_dst_WORD] &= TERN_GET(PKT, deposit, words) ? 0 : TERN_V(PKT, dst, UINT32_MAX);
    words[TERN_PKT_hcrc_WORD] = 0;
    crc = tern_wire_crc32c(UINT32_MAX, (const uint8_t *)words, sizeof words);
    return ~tern_wire_crc32c(crc, packet + TERN_PKT_HEADER_BYTES,
                             bytes - TERN_PKT_HEADER_BYTES - TERN_PKT_TRAILER_BYTES);
}
