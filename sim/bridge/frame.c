/* SPDX-License-Identifier: Apache-2.0 */
/* See frame.h. */
#include "frame.h"

uint32_t tern_frame_crc(const uint32_t *words, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        crc ^= words[i];
        for (unsigned bit = 0; bit < 32; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0); /* Castagnoli's polynomial, reflected */
    }
    return ~crc;
}

static size_t frame_end(struct tern_unframe *frame, bool *bad)
{
    size_t words = frame->bytes / 4;
    bool empty = frame->bytes == 0 && !frame->over;
    bool whole = !frame->over && frame->bytes % 4 == 0 && words > TERN_HLINK_HEAD_WORDS &&
                 tern_frame_field(frame->words[0], TERN_HLINK_WORDS) == words - 1 &&
                 tern_frame_crc(frame->words, words - 1) == frame->words[words - 1];

    *bad = !empty && !whole;
    frame->bytes = 0;
    frame->escape = frame->over = false;
    return whole ? words - 1 : 0;
}

size_t tern_unframe_byte(struct tern_unframe *frame, uint8_t byte, bool *bad)
{
    *bad = false;
    if (byte == TERN_HLINK_FLAG)
        return frame_end(frame, bad);
    if (byte == TERN_HLINK_ESCAPE) {
        frame->escape = true;
        return 0;
    }
    if (frame->escape)
        byte ^= TERN_HLINK_CHANGE;
    frame->escape = false;
    if (frame->bytes == sizeof frame->words) {
        frame->over = true;
        return 0;
    }
    if (frame->bytes % 4 == 0)
        frame->words[frame->bytes / 4] = 0;
    frame->words[frame->bytes / 4] |= (uint32_t)byte << frame->bytes % 4 * 8;
    frame->bytes++;
    return 0;
}

static uint8_t *line_word(uint8_t *at, uint32_t word)
{
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint8_t byte = (uint8_t)(word >> shift);

        if (byte == TERN_HLINK_FLAG || byte == TERN_HLINK_ESCAPE) {
            *at++ = TERN_HLINK_ESCAPE;
            byte ^= TERN_HLINK_CHANGE;
        }
        *at++ = byte;
    }
    return at;
}

size_t tern_frame_line(const uint32_t *words, size_t count, uint8_t line[TERN_FRAME_LINE_BYTES])
{
    uint8_t *at = line;

    *at++ = TERN_HLINK_FLAG;
    for (size_t i = 0; i < count; i++)
        at = line_word(at, words[i]);
    at = line_word(at, tern_frame_crc(words, count));
    *at++ = TERN_HLINK_FLAG;
    return (size_t)(at - line);
}
