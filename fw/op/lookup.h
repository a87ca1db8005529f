/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups. At the origin they begin and end like reads. At the target the chip's atomic unit walks
 * from linked node to linked node, one lot at a time, so that others get their turn. The node that
 * it finds is read as for OP_READ.
 */
#ifndef FW_OP_LOOKUP_H
#define FW_OP_LOOKUP_H

#include "fw.h"

/*
 * Tells whether the event, EV_RX, belongs to a lookup that has not yet found its node. Do not call
 * it for a lookup that has.
 */
static inline bool fw_lookup_is(uint32_t event)
{
    return TERN_F(EV, walked, event) || TERN_F(EV, pkttype, event) == TERN_PTYPE_LOOKUP;
}

/* Handles EV_RX of such a lookup of another node: continues the walk, or refuses. */
void fw_lookup_asked(struct fw *fw, uint32_t event);

#endif
