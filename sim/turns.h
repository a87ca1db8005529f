/* SPDX-License-Identifier: Apache-2.0 */
/* Time on the soft tier: nodes have turns instead of clocks. */
#ifndef TERN_SIM_TURNS_H
#define TERN_SIM_TURNS_H

#include "sim.h"

/*
 * Runs rounds of turns until no node has work for a while, or up to `end`; each takes the time of
 * the node with most work. Then no event can come before the next timer, and the clock advances to
 * it, at most to `end`.
 */
void tern_turns(struct tern_sim *sim, uint64_t end);

/* Returns the cycle of the next timer of any node. */
uint64_t tern_turns_timer(const struct tern_sim *sim);

#endif
