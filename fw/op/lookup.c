/* SPDX-License-Identifier: Apache-2.0 */
#include "lookup.h"

#include "messages_in.h"

static bool form_is_good(const struct fw *fw, uint32_t from, uint32_t word)
{
    return TERN_F(PKT, length, rx_header(from, TERN_PKT_length_WORD)) == TERN_INLINE_BYTES_MAX &&
           TERN_F(LKP, length, word) - 1 < fw->id.payload_max;
}

/* Returns the fault of a lookup that has just arrived, or OK. */
static uint32_t fault(const struct fw *fw, uint32_t from, uint32_t word)
{
    if (fw_recv_is_stale(fw, from))
        return TERN_ST_STALE_NODE;
    return form_is_good(fw, from, word) ? TERN_ST_OK : TERN_ST_BAD_LENGTH;
}

/* Moves the bit "walked" of the event to its place in the command to the atomic unit. */
#define ON(event) ((event) >> (TERN_EV_walked_LSB - TERN_RXA_on_LSB) & TERN_V(RXA, on, 1))

/* Has the atomic unit visit the next nodes, at most a lot. */
static void walk(struct fw *fw, uint32_t event, uint32_t word, uint32_t left)
{
    uint32_t from = TERN_F(EV, rxslot, event),
             nodes = left < TERN_LOOKUP_LOT ? left : TERN_LOOKUP_LOT;

    if (left == 0) {
        fw_recv_refuse(fw, from, TERN_ST_TOO_FAR);
        return;
    }
    fw->nodes_left[from] = (uint8_t)(left - nodes);
    rx_walk(ON(event) | TERN_V(RXA, slot, from) | (nodes - 1) << TERN_RXA_nodes_LSB |
            TERN_V(RXA, tree, TERN_F(LKP, tree, word)));
}

void fw_lookup_asked(struct fw *fw, uint32_t event)
{
    uint32_t from = TERN_F(EV, rxslot, event), status;
    /* length, node limit, and list or tree */
    uint32_t word = rx_payload(from, TERN_LKP_length_WORD - TERN_INLINE_OFFSET / 4);
    uint32_t left = fw->nodes_left[from];

    if (!TERN_F(EV, walked, event)) {
        status = fault(fw, from, word);
        if (status != TERN_ST_OK) {
            fw_recv_refuse(fw, from, status);
            return;
        }
        left = TERN_F(LKP, nodes, word);
    }
    walk(fw, event, word, left);
}
