/* SPDX-License-Identifier: Apache-2.0 */
/* See wire.h. */
#include "wire.h"

#include <string.h>

enum { WORST = 3 }; /* frames that one put may add: itself, its copy, the held one */

void board_wire_init(struct board_wire *wire, uint64_t seed, unsigned flip, unsigned lose,
                     unsigned repeat, unsigned swap)
{
    memset(wire, 0, sizeof *wire);
    wire->random = seed * 0x9e3779b97f4a7c15 + 1;
    wire->flip = flip;
    wire->lose = lose;
    wire->repeat = repeat;
    wire->swap = swap;
}

unsigned board_wire_room(const struct board_wire *wire)
{
    unsigned free = BOARD_WIRE_FRAMES - wire->count;

    return free < WORST ? 0 : free / WORST;
}

static unsigned draw(struct board_wire *wire, unsigned count)
{
    wire->random = wire->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((wire->random >> 33) % count);
}

static void add(struct board_wire *wire, const uint8_t *bytes, size_t count)
{
    struct board_frame *frame = &wire->frame[(wire->first + wire->count++) % BOARD_WIRE_FRAMES];

    memcpy(frame->bytes, bytes, count);
    frame->count = count;
}

static void add_damaged(struct board_wire *wire, const uint8_t *bytes, size_t count)
{
    uint8_t damaged[BOARD_FRAME_BYTES];

    memcpy(damaged, bytes, count);
    damaged[draw(wire, (unsigned)count)] ^= (uint8_t)(1u << draw(wire, 8));
    add(wire, damaged, count);
}

void board_wire_put(struct board_wire *wire, const uint8_t *bytes, size_t count)
{
    unsigned fate = draw(wire, 1000), lost = wire->flip + wire->lose;
    unsigned repeated = lost + wire->repeat;
    bool swaps = fate >= repeated && fate < repeated + wire->swap && wire->held.count == 0;

    wire->faults += fate < repeated || swaps;
    if (swaps) {
        memcpy(wire->held.bytes, bytes, count);
        wire->held.count = count;
        return;
    }
    if (fate < wire->flip)
        add_damaged(wire, bytes, count);
    else if (fate >= lost)
        add(wire, bytes, count);
    if (fate >= lost && fate < repeated)
        add(wire, bytes, count);
    if (wire->held.count > 0)
        add(wire, wire->held.bytes, wire->held.count);
    wire->held.count = 0;
}

bool board_wire_take(struct board_wire *wire, struct board_frame *frame)
{
    const struct board_frame *oldest = &wire->frame[wire->first];

    if (wire->count == 0)
        return false;
    memcpy(frame->bytes, oldest->bytes, oldest->count);
    frame->count = oldest->count;
    wire->first = (wire->first + 1) % BOARD_WIRE_FRAMES;
    wire->count--;
    return true;
}

/* ---- FCS ---- */

static uint32_t crc_of(const uint8_t *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

void board_fcs_add(uint8_t *bytes, size_t count)
{
    uint32_t crc = crc_of(bytes, count);

    for (unsigned i = 0; i < BOARD_FCS_BYTES; i++)
        bytes[count + i] = (uint8_t)(crc >> 8 * i);
}

bool board_fcs_holds(const uint8_t *bytes, size_t count)
{
    uint8_t whole[BOARD_FRAME_BYTES];

    if (count <= BOARD_FCS_BYTES || count > sizeof whole)
        return false;
    memcpy(whole, bytes, count);
    board_fcs_add(whole, count - BOARD_FCS_BYTES);
    return memcmp(whole, bytes, count) == 0;
}
