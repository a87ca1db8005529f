/* SPDX-License-Identifier: Apache-2.0 */
/* See faults.h. */
#include "faults.h"

#include <string.h>

#include "tern_abi.h"

void board_faults_init(struct board_faults *faults, uint64_t seed, unsigned flip, unsigned lose,
                       unsigned repeat)
{
    memset(faults, 0, sizeof *faults);
    faults->random = seed * 0x9e3779b97f4a7c15 + 1;
    faults->flip = flip;
    faults->lose = lose;
    faults->repeat = repeat;
}

static unsigned draw(struct board_faults *faults, unsigned count)
{
    faults->random = faults->random * 6364136223846793005u + 1442695040888963407u;
    return count ? (unsigned)((faults->random >> 33) % count) : 0;
}

static void emit(struct board_faults *faults)
{
    memcpy(faults->out + faults->out_bytes, faults->frame, faults->frame_bytes);
    faults->out_bytes += faults->frame_bytes;
    faults->out[faults->out_bytes++] = TERN_HLINK_FLAG;
}

/* Judges a frame, which is complete without the flag after it. */
static void frame_end(struct board_faults *faults)
{
    unsigned fate = faults->frame_bytes > 0 ? draw(faults, 1000) : 1000;
    unsigned lost = faults->flip + faults->lose, repeated = lost + faults->repeat;

    if (fate < repeated)
        faults->faults++;
    if (fate < faults->flip) {
        unsigned at = draw(faults, (unsigned)faults->frame_bytes);

        faults->frame[at] ^= (uint8_t)(1u << draw(faults, 8));
    }
    if (fate < faults->flip || fate >= lost)
        emit(faults);
    if (fate >= lost && fate < repeated)
        emit(faults);
    faults->frame_bytes = 0;
}

void board_faults_byte(struct board_faults *faults, uint8_t byte)
{
    if (byte == TERN_HLINK_FLAG)
        frame_end(faults);
    else if (faults->frame_bytes < sizeof faults->frame)
        faults->frame[faults->frame_bytes++] = byte;
}

size_t board_faults_room(const struct board_faults *faults)
{
    size_t used = faults->out_bytes + 2 * (faults->frame_bytes + 1);

    return used < sizeof faults->out ? (sizeof faults->out - used) / 3 : 0;
}

size_t board_faults_take(struct board_faults *faults, uint8_t *bytes, size_t room)
{
    size_t count = faults->out_bytes < room ? faults->out_bytes : room;

    memcpy(bytes, faults->out, count);
    faults->out_bytes -= count;
    memmove(faults->out, faults->out + count, faults->out_bytes);
    return count;
}
