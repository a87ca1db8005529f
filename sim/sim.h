/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a simulation, for the parts of the simulator alone. */
#ifndef TERN_SIM_INSIDE_H
#define TERN_SIM_INSIDE_H

#include "crew.h"
#include "node.h"
#include "scenario.h"
#include "server.h"
#include "span.h"
#include "tern_sim.h"

enum { TERN_SIM_SINKS = 4 };

/* How rtl nodes run: by one thread or all threads, as a short trial or until the next one. */
enum tern_pace_mode { TERN_PACE_TRY_ONE, TERN_PACE_ONE, TERN_PACE_TRY_ALL, TERN_PACE_ALL };

struct tern_pace {
    enum tern_pace_mode mode;
    bool fixed;      /* by all, always */
    unsigned blocks; /* in this mode */
    uint64_t one_ns, all_ns;
};

struct tern_sim {
    enum tern_tier tier;
    const struct tern_model_shape *shape; /* rtl */
    struct tern_timing timing;
    struct tern_torus torus;
    unsigned nodes, block; /* cycles of a block */
    uint64_t cycle;
    uint64_t limit; /* soft: the clock does not go beyond it; at first it has none */
    bool quiet;     /* soft: no node had work in the last turns */
    uint32_t *flash; /* one image for all */
    struct tern_node *node;
    struct tern_net *net;
    struct tern_server *server;
    struct tern_scenario *scenario;
    struct tern_span *span; /* NULL: all nodes are in this simulator */
    unsigned threads; /* of rtl nodes: each runs its share of them (shares.h) */
    struct tern_crew *crew; /* NULL: one */
    struct tern_pace pace;
    bool apart;             /* no memory is in reach of two shares, when ... */
    uint64_t memory_mark;   /* ... the marks of the NICs were this */
    bool dumping;           /* some node writes a waveform */
    bool idle;              /* rtl: this simulator has nothing to do; its peer wants to know */
    struct tern_trace_sink sinks[TERN_SIM_SINKS];
    unsigned sink_count;
};

/* Serves the sockets, after waiting at most `timeout_ms` for bytes; true if any came. */
bool tern_sim_serve(struct tern_sim *sim, int timeout_ms);

/* Runs one block of every node; on soft, turns of all nodes until no node has work left, and
 * the clock then to the next timer, but not beyond `end`. */
void tern_sim_block(struct tern_sim *sim, uint64_t end);

/* The last cycle in which something other than the core's own ticking happened. */
uint64_t tern_sim_active(const struct tern_sim *sim);

/* A reset, a register access or a transfer is under way. */
bool tern_sim_busy(const struct tern_sim *sim);

/* The peer simulator has nothing to do either, or there is none. */
bool tern_sim_peer_idle(const struct tern_sim *sim);

#endif
