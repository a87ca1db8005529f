/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chips' events as a file for a trace viewer: Chrome trace JSON with a process for each node, a
 * thread for each lane of trace.def, and a microsecond for each cycle.
 */
#ifndef TERN_SIM_EVENTS_H
#define TERN_SIM_EVENTS_H

#include <stdbool.h>

#include "tern_sim.h"

struct tern_events;

/* Starts to write; NULL and errno when the file cannot be created. */
struct tern_events *tern_events_new(struct tern_sim *sim, const char *path);

/* Completes the file; false when it is incomplete. The simulation must not run any more. */
bool tern_events_free(struct tern_events *events);

#endif
