/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a simulation, for the parts of the simulator alone. */
#ifndef TERN_SIM_INSIDE_H
#define TERN_SIM_INSIDE_H

#include "node.h"
#include "scenario.h"
#include "server.h"
#include "tern_sim.h"

enum { TERN_SIM_SINKS = 4 };

struct tern_sim {
    enum tern_tier tier;
    struct tern_timing timing;
    unsigned nodes, block; /* cycles of a block */
    uint64_t cycle;
    uint64_t limit; /* soft: the clock does not go beyond it; at first it has none */
    bool quiet;     /* soft: in the last turns nobody had anything to do */
    uint32_t *flash; /* one image for all */
    struct tern_node *node;
    struct tern_net *net;
    struct tern_server *server;
    struct tern_scenario *scenario;
    struct tern_trace_sink sinks[TERN_SIM_SINKS];
    unsigned sink_count;
};

/* Serves the sockets, after waiting at most `timeout_ms` for bytes; true if any came. */
bool tern_sim_serve(struct tern_sim *sim, int timeout_ms);

/* Runs one block of every node; on soft, turns of all nodes until nobody has anything to do, and
 * the clock then to the next timer, but not beyond `end`. */
void tern_sim_block(struct tern_sim *sim, uint64_t end);

/* The last cycle in which something other than the core's own ticking happened. */
uint64_t tern_sim_active(const struct tern_sim *sim);

/* A reset, a register access or a transfer is under way. */
bool tern_sim_busy(const struct tern_sim *sim);

#endif
