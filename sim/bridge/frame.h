/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of the host link on a serial line: bytes between flags, with escapes (HLINK_* in
 * hw-model/abi/const.def). Words are little-endian; the last one is the CRC-32C of the others.
 */
#ifndef TERN_BRIDGE_FRAME_H
#define TERN_BRIDGE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern_abi.h"

enum {
    TERN_FRAME_WORDS = TERN_HLINK_UP_WORDS + 1, /* of the longest frame, with its CRC */
    TERN_FRAME_LINE_BYTES = 8 * TERN_FRAME_WORDS + 2 /* the same on the line, at most */
};

/* Collects the bytes of a frame. */
struct tern_unframe {
    uint32_t words[TERN_FRAME_WORDS];
    size_t bytes;
    bool escape, over; /* over: longer than any frame */
};

/* Takes a byte. Returns the words of a frame that ends with it, its CRC right and left out, else 0;
 * *bad: a frame ended that is damaged. */
size_t tern_unframe_byte(struct tern_unframe *frame, uint8_t byte, bool *bad);

/* Writes a frame of `count` words and its CRC as it is on the line. Returns its bytes. */
size_t tern_frame_line(const uint32_t *words, size_t count, uint8_t line[TERN_FRAME_LINE_BYTES]);

/* Returns the CRC-32C of words. */
uint32_t tern_frame_crc(const uint32_t *words, size_t count);

/* Returns a field of 8 bits, at one of the HLINK_* positions. */
static inline uint8_t tern_frame_field(uint32_t word, unsigned at)
{
    return (uint8_t)(word >> at);
}

static inline unsigned tern_frame_kind(uint32_t word)
{
    return word >> TERN_HLINK_KIND & 15;
}

#endif
