/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the descriptor that a remote get (GET in the contract) describes. Pure.
 *
 * `w` has the words of the requesting descriptor, as the message brought them.
 */
#ifndef FW_PROTO_REMOTE_GET_H
#define FW_PROTO_REMOTE_GET_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

/* Tells whether it requests a broadcast, which an area may wait for, rather than a put. */
static inline bool remote_get_is_broadcast(const uint32_t w[TERN_DESC_BYTES / 4])
{
    return TERN_GET(GET, opcode, w) == TERN_OP_BCAST;
}

/* Checks the opcode of a remote get: OK, or BAD_OPCODE if no node may place it. */
static inline uint32_t remote_get_opcode_status(const uint32_t w[TERN_DESC_BYTES / 4])
{
    return TERN_GET(GET, opcode, w) == TERN_OP_PUT || remote_get_is_broadcast(w)
               ? TERN_ST_OK
               : TERN_ST_BAD_OPCODE;
}

/* Checks the length: OK, or BAD_LENGTH if a put cannot have it. */
static inline uint32_t remote_get_length_status(const uint32_t w[TERN_DESC_BYTES / 4])
{
    uint32_t length = w[TERN_GET_length_WORD];

    return length == 0 || length > TERN_PUT_BYTES_MAX ? TERN_ST_BAD_LENGTH : TERN_ST_OK;
}

_Static_assert(TERN_PULL_area_LSB == TERN_GET_area_LSB &&
                   TERN_PULL_epoch_LSB == TERN_GET_epoch_LSB &&
                   TERN_PULL_epoch_WORD == TERN_PULL_area_WORD &&
                   TERN_GET_epoch_WORD == TERN_GET_area_WORD,
               "area and epoch are one word in both");

/* Describes a put for node `source`; its end is reported there if `source` named an area. */
static inline void remote_get_describe_put(uint32_t source, const uint32_t *w, uint32_t *d)
{
    bool reports = TERN_GET(GET, area, w) != TERN_AREA_NONE;

    d[0] |= TERN_V(DESC, opcode, reports ? TERN_OP_PULL : TERN_OP_PUT);
    d[TERN_PULL_area_WORD] = w[TERN_GET_area_WORD]; /* epoch is in this word, too */
    d[TERN_PULL_node_WORD] = TERN_V(PULL, node, source);
    d[TERN_PULL_pass_WORD] = w[TERN_GET_pass_WORD];
}

static inline void remote_get_describe_broadcast(const uint32_t *w, uint32_t *d)
{
    d[0] |= TERN_V(DESC, opcode, TERN_OP_BCAST);
    d[TERN_BOX_low_WORD] |= TERN_V(BOX, low, TERN_GET(GBOX, low, w));
    d[TERN_BOX_members_WORD] = TERN_V(BOX, members, TERN_GET(GBOX, members, w));
}

/*
 * Encodes descriptor `index` of the ring, as node `source` requested it in `w`, in the words `d`,
 * which must be zero before.
 */
static inline void remote_get_describe(uint32_t source, uint32_t index,
                                       const uint32_t w[TERN_DESC_BYTES / 4],
                                       uint32_t d[TERN_DESC_BYTES / 4])
{
    uint32_t what = w[TERN_GET_opcode_WORD];

    d[0] = TERN_V(DESC, flags, TERN_F(GET, flags, what) & TERN_GET_FLAGS) |
           TERN_V(DESC, version, TERN_DESC_VERSION);
    d[TERN_DESC_index_WORD] = TERN_V(DESC, index, index);
    d[TERN_DESC_dst_node_WORD] = TERN_V(DESC, dst_node, TERN_F(GET, node, what));
    d[TERN_DESC_length_WORD] = w[TERN_GET_length_WORD];
    d[TERN_DESC_remote_addr_WORD] = w[TERN_GET_remote_addr_WORD];
    d[TERN_DESC_remote_addr_WORD + 1] = w[TERN_GET_remote_addr_WORD + 1];
    d[TERN_DESC_remote_key_WORD] = w[TERN_DESC_remote_key_WORD];
    d[TERN_DESC_local_addr_WORD] = w[TERN_GET_local_addr_WORD];
    d[TERN_DESC_local_addr_WORD + 1] = w[TERN_GET_local_addr_WORD + 1];
    d[TERN_DESC_local_key_WORD] = w[TERN_GET_local_key_WORD];
    if (remote_get_is_broadcast(w))
        remote_get_describe_broadcast(w, d);
    else
        remote_get_describe_put(source, w, d);
}

#endif
