/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets in their form on a wire: checksums and layout in bytes.
 *
 * Used for faults other than a flipped bit: the simulator changes a field in flight and corrects
 * the packet's checksums.
 */
#ifndef TERN_SIM_WIRE_H
#define TERN_SIM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERN_SEAL_HEADER = 1, /* header CRC-16 */
    TERN_SEAL_END = 2,    /* end-to-end CRC-32C */
    TERN_SEAL_LINK = 4,   /* link CRC-32C */
    TERN_SEAL_ALL = 7,
    TERN_WIRE_PACKET_MAX = 32 + 2048 + 8,
    TERN_WIRE_ROUTED = 6 /* bytes that the header CRC covers */
};

uint16_t tern_wire_crc16(const uint8_t *bytes, size_t count);

/* Updates a running CRC-32C, which begins as all ones and is inverted at the end. */
uint32_t tern_wire_crc32c(uint32_t crc, const uint8_t *bytes, size_t count);

/*
 * Corrects checksums of a whole packet: header, padded payload, trailer; `bytes` is a multiple of 8
 * and at least 40.
 */
void tern_wire_seal(uint8_t *packet, size_t bytes, unsigned what);

/*
 * Tells whether a link accepts the packet: header CRC, size and link CRC are right, or the link CRC
 * is the complement of the right one (damage on an earlier link).
 */
bool tern_wire_link_takes(const uint8_t *packet, size_t bytes);

/* Read and write a little-endian word of a packet. */
uint32_t tern_wire_word(const uint8_t *packet, size_t word);
void tern_wire_set_word(uint8_t *packet, size_t word, uint32_t value);

#endif
