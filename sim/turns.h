/* SPDX-License-Identifier: Apache-2.0 */
/* Time on the soft tier: nodes have turns instead of clocks. */
#ifndef TERN_SIM_TURNS_H
#define TERN_SIM_TURNS_H

#include "sim.h"

/*
 * Rounds of turns until no node has anything to do, for a while, or up to `end`; each takes the
 * time of the node that had most to do.  Then nothing can happen before the next timer, and the
 * clock goes there, but not beyond `end`.
 */
void tern_turns(struct tern_sim *sim, uint64_t end);

/* The cycle of the next timer of any node. */
uint64_t tern_turns_timer(const struct tern_sim *sim);

#endif
