/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups.  They begin and end at their origin as reads do.  At the target the chip's atomic unit
 * walks from node to node, so many at a time that others have their turn; the node that it finds is
 * read as in an OP_READ.
 */
#ifndef FW_OP_LOOKUP_H
#define FW_OP_LOOKUP_H

#include "fw.h"

/*
 * Whether the event, EV_RX, is of a lookup that has found nothing yet, when it is none of one that
 * has.
 */
static inline bool fw_lookup_is(uint32_t event)
{
    return TERN_F(EV, walked, event) || TERN_F(EV, pkttype, event) == TERN_PTYPE_LOOKUP;
}

/* EV_RX of such a lookup of another node: has the atomic unit look on, or refuses it. */
void fw_lookup_asked(struct fw *fw, uint32_t event);

#endif
