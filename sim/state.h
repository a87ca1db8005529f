/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of the state of all chips. */
#ifndef TERN_SIM_STATE_H
#define TERN_SIM_STATE_H

#include "tern_sim.h"

enum { TERN_SIM_STATE_BYTES = 32, TERN_SIM_STATE_TEXT = 2 * TERN_SIM_STATE_BYTES + 1 };

/*
 * Computes SHA-256 over every register and memory of every node, in order. Within one build, equal
 * states have equal hashes. False on the soft tier, or without memory.
 */
bool tern_sim_state(const struct tern_sim *sim, uint8_t hash[TERN_SIM_STATE_BYTES]);

/* The same in hexadecimal. */
bool tern_sim_state_text(const struct tern_sim *sim, char text[TERN_SIM_STATE_TEXT]);

#endif
