/* SPDX-License-Identifier: Apache-2.0 */
/* The state of all chips as one number. */
#ifndef TERN_SIM_STATE_H
#define TERN_SIM_STATE_H

#include "tern_sim.h"

enum { TERN_SIM_STATE_BYTES = 32, TERN_SIM_STATE_TEXT = 2 * TERN_SIM_STATE_BYTES + 1 };

/*
 * SHA-256 over every register and every memory of every node, in order; equal states have equal
 * hashes as long as the build is the same.  False on the soft tier, or when there is no memory.
 */
bool tern_sim_state(const struct tern_sim *sim, uint8_t hash[TERN_SIM_STATE_BYTES]);

/* The same in hexadecimal. */
bool tern_sim_state_text(const struct tern_sim *sim, char text[TERN_SIM_STATE_TEXT]);

#endif
