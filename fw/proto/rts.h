/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to send (RTS in the contract), decoded by a member of the group. Pure. */
#ifndef FW_PROTO_RTS_H
#define FW_PROTO_RTS_H

#include <stdbool.h>
#include <stdint.h>

#include "node.h"
#include "tern_abi.h"

struct rts {
    uint32_t key, area, epoch, tag, pass, length, lease, reference;
    uint32_t origin, answers, limit;
    uint32_t room; /* least bytes of room: a relayed request is stored there first; 0: `length` */
    bool by_message, combined, delivered;
    struct box box;
};

/*
 * Decodes the words of the descriptor that node `origin` sent; the header brought the key and
 * `w[7]`.
 */
static inline void rts_decode(struct rts *r, uint32_t origin, const uint32_t w[TERN_DESC_BYTES / 4])
{
    *r = (struct rts){
        .key = (uint32_t)TERN_GET(DESC, remote_key, w),
        .area = (uint32_t)TERN_GET(RTS, area, w),
        .epoch = (uint32_t)TERN_GET(RTS, epoch, w),
        .tag = (uint32_t)TERN_GET(RTS, tag, w),
        .pass = (uint32_t)TERN_GET(RTS, pass, w),
        .length = (uint32_t)TERN_GET(RTS, length, w),
        .lease = (uint32_t)TERN_GET(RTS, lease, w),
        .reference = (uint32_t)TERN_GET(RTS, reference, w),
        .answers = (uint32_t)TERN_GET(RTS, answers, w),
        .limit = (uint32_t)TERN_GET(RTS, limit, w),
        .by_message = TERN_GET(RTS, by_message, w),
        .combined = TERN_GET(RTS, combined, w),
        .delivered = TERN_GET(RTS, delivered, w),
        .origin = origin,
        .box = {(uint16_t)TERN_GET(RTS, box_low, w), (uint16_t)TERN_GET(RTS, box_high, w)},
    };
}

/*
 * Checks the fields that no router checks: node `here` is in the box, and the origin's area has a
 * slot for its answer. An area has `slots_max` slots.
 */
static inline bool rts_is_sane(const struct rts *r, uint32_t here, uint32_t dims,
                               uint32_t slots_max)
{
    struct box_view view;

    return node_inside(r->origin, dims) && box_look(r->box, here, dims, &view) == BOX_HOLDS &&
           (r->combined ? r->origin != here && box_look(r->box, r->origin, dims, &view) == BOX_HOLDS
                        : view.nodes <= slots_max);
}

#endif
