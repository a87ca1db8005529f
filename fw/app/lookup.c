/* SPDX-License-Identifier: Apache-2.0 */
#include "lookup.h"

#include "read.h"
#include "recv.h"

#define WALK (TERN_V(RXA, walk, 1) | TERN_V(RXA, add, 1))

/* The word that says how long, how far and where to go. */
static uint32_t asked(uint32_t from)
{
    return rx_payload(from, TERN_LKP_length_WORD - TERN_INLINE_OFFSET / 4);
}

static bool form_is_good(const struct fw *fw, uint32_t from, uint32_t word)
{
    return TERN_F(PKT, length, rx_header(from, TERN_PKT_length_WORD)) == TERN_INLINE_BYTES_MAX &&
           TERN_F(LKP, length, word) - 1 < fw->id.payload_max;
}

/* The next nodes, as many as may be looked at in one go; OK, or why not. */
static uint32_t walk(struct fw *fw, uint32_t from, uint32_t word, uint32_t on)
{
    uint32_t left = fw->nodes_left[from], nodes = left < TERN_LOOKUP_LOT ? left : TERN_LOOKUP_LOT;

    if (left == 0)
        return TERN_ST_TOO_FAR;
    fw->nodes_left[from] = (uint8_t)(left - nodes);
    wr32(TERN_MMIO_RX_ATOMIC, WALK | on | TERN_V(RXA, slot, from) | TERN_V(RXA, nodes, nodes - 1) |
                                  TERN_V(RXA, tree, TERN_F(LKP, tree, word)));
    return TERN_ST_OK;
}

static uint32_t begin(struct fw *fw, uint32_t from, uint32_t word)
{
    if (fw_recv_is_stale(fw, from))
        return TERN_ST_STALE_NODE;
    if (!form_is_good(fw, from, word))
        return TERN_ST_BAD_LENGTH;
    fw->nodes_left[from] = (uint8_t)TERN_F(LKP, nodes, word);
    return walk(fw, from, word, 0);
}

void fw_lookup_asked(struct fw *fw, uint32_t event)
{
    uint32_t from = TERN_F(EV, rxslot, event), word = asked(from), status;

    if (!TERN_F(EV, walked, event)) {
        status = begin(fw, from, word);
    } else if (TERN_F(EV, found, event)) {
        fw_read_found(fw, event);
        return;
    } else {
        status = walk(fw, from, word, TERN_V(RXA, on, 1));
    }
    if (status != TERN_ST_OK)
        fw_recv_refuse(fw, from, status);
}
