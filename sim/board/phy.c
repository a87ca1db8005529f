/* SPDX-License-Identifier: Apache-2.0 */
/* See phy.h. */
#include "phy.h"

#include <string.h>

enum { PREAMBLE = 0x55, START = 0xd5, PREAMBLE_BYTES = 8, GAP = 12, LEAST = 64 };

void board_phy_init(struct board_phy *phy, struct board_wire *down, struct board_wire *up)
{
    memset(phy, 0, sizeof *phy);
    phy->down = down;
    phy->up = up;
    phy->quiet = GAP;
}

/* ---- to the board ---- */

/* Chooses the byte of the next cycle; false: none. */
static bool next_byte(struct board_phy *phy)
{
    if (phy->in_gap) {
        phy->in_gap = ++phy->send_at < GAP;
        return false;
    }
    if (!phy->sending) {
        phy->sending = board_wire_take(phy->down, &phy->to);
        phy->send_at = 0;
    }
    if (!phy->sending)
        return false;
    if (phy->send_at == PREAMBLE_BYTES + phy->to.count) {
        phy->sent += phy->send_at + GAP;
        phy->sending = false;
        phy->in_gap = true;
        phy->send_at = 1;
        return false;
    }
    if (phy->send_at < PREAMBLE_BYTES)
        phy->send_byte = phy->send_at < PREAMBLE_BYTES - 1 ? PREAMBLE : START;
    else
        phy->send_byte = phy->to.bytes[phy->send_at - PREAMBLE_BYTES];
    phy->send_at++;
    return true;
}

unsigned board_phy_send(struct board_phy *phy, bool *clock)
{
    phy->clock = !phy->clock;
    *clock = phy->clock;
    if (phy->clock) {
        phy->half = next_byte(phy);
        return phy->half ? BOARD_PHY_CTL | (phy->send_byte & 15u) : 0;
    }
    return phy->half ? BOARD_PHY_CTL | phy->send_byte >> 4 : 0;
}

/* ---- from the board ---- */

static bool end_frame(struct board_phy *phy)
{
    static const uint8_t head[PREAMBLE_BYTES] = {PREAMBLE, PREAMBLE, PREAMBLE, PREAMBLE,
                                                 PREAMBLE, PREAMBLE, PREAMBLE, START};
    struct board_frame *from = &phy->from;
    bool good = from->count >= PREAMBLE_BYTES + LEAST &&
                memcmp(from->bytes, head, sizeof head) == 0 &&
                board_fcs_holds(from->bytes + PREAMBLE_BYTES, from->count - PREAMBLE_BYTES);

    phy->received += from->count + GAP;
    phy->frames++;
    phy->wrong += !good;
    if (good && board_wire_room(phy->up) > 0)
        board_wire_put(phy->up, from->bytes + PREAMBLE_BYTES, from->count - PREAMBLE_BYTES);
    from->count = 0;
    return true;
}

static bool take_byte(struct board_phy *phy, bool valid, uint8_t byte)
{
    bool ended = phy->receiving && !valid;

    if (valid) {
        phy->wrong += !phy->receiving && phy->quiet < GAP;
        if (phy->from.count < sizeof phy->from.bytes)
            phy->from.bytes[phy->from.count++] = byte;
    }
    phy->quiet = valid ? 0 : phy->quiet + 1;
    phy->receiving = valid;
    return ended && end_frame(phy);
}

bool board_phy_receive(struct board_phy *phy, bool clock, unsigned pins)
{
    bool changed = clock != phy->from_clock, second = changed && !clock;

    phy->from_clock = clock;
    if (changed && clock)
        phy->low = (uint8_t)pins;
    return second && take_byte(phy, (pins & BOARD_PHY_CTL) != 0,
                               (uint8_t)((phy->low & 15u) | pins << 4));
}
