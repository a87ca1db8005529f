/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups.  They begin and end at their origin as reads do.  At the target the chip's atomic unit walks from node to
 * node, so many at a time that others have their turn; what it finds is read as if the node had been asked for.
 */
#ifndef FW_APP_LOOKUP_H
#define FW_APP_LOOKUP_H

#include "fw.h"

/* Whether the event, EV_RX, is of a lookup: one that came, or one that the atomic unit is done with for now. */
static inline bool fw_lookup_is(uint32_t event)
{
    return event & TERN_V(EV, walked, 1) || TERN_F(EV, pkttype, event) == TERN_PTYPE_LOOKUP;
}

/* EV_RX of a lookup of another node: looks further, begins to send what was found, refuses it, or has it wait. */
void fw_lookup_asked(struct fw *fw, uint32_t event);

#endif
