/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a simulation, for the simulator only. */
#ifndef TERN_SIM_INSIDE_H
#define TERN_SIM_INSIDE_H

#include "crew.h"
#include "node.h"
#include "scenario.h"
#include "server.h"
#include "span.h"
#include "tern_sim.h"

enum { TERN_SIM_SINKS = 4 };

/* Mode of rtl nodes: one thread or all threads, as a short trial or until the next trial. */
enum tern_pace_mode { TERN_PACE_TRY_ONE, TERN_PACE_ONE, TERN_PACE_TRY_ALL, TERN_PACE_ALL };

struct tern_pace {
    enum tern_pace_mode mode;
    bool fixed;      /* always all threads */
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
    uint64_t limit; /* soft: the clock stops here; initially without limit */
    bool quiet;     /* soft: no node had work in the last turns */
    uint32_t *flash; /* one image for all nodes */
    struct tern_node *node;
    struct tern_net *net;
    struct tern_server *server;
    struct tern_scenario *scenario;
    struct tern_span *span; /* NULL: all nodes are in this simulator */
    unsigned threads; /* for rtl nodes: each runs its share of them (shares.h) */
    struct tern_crew *crew; /* NULL: one thread */
    struct tern_pace pace;
    bool apart;             /* no memory is reachable from two shares, as of ... */
    uint64_t memory_mark;   /* ... these marks of the NICs */
    bool dumping;           /* a node writes a waveform */
    bool idle;              /* rtl: this simulator has nothing to do; its peer wants to know */
    struct tern_trace_sink sinks[TERN_SIM_SINKS];
    unsigned sink_count;
};

/* Serves the sockets, after waiting at most `timeout_ms` for bytes; true if any came. */
bool tern_sim_serve(struct tern_sim *sim, int timeout_ms);

/*
 * Runs one block of every node. On soft: runs turns of all nodes until none has work left, then
 * advances the clock to the next timer, at most to `end`.
 */
void tern_sim_block(struct tern_sim *sim, uint64_t end);

/* Returns the last cycle with activity, apart from the core's timer ticks. */
uint64_t tern_sim_active(const struct tern_sim *sim);

/* Tells whether a reset, a register access or a transfer is in flight. */
bool tern_sim_busy(const struct tern_sim *sim);

/* The peer simulator has nothing to do either, or there is none. */
bool tern_sim_peer_idle(const struct tern_sim *sim);

#endif
