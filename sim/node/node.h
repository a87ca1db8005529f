/* SPDX-License-Identifier: Apache-2.0 */
/* One node of a simulation: the chip in one tier, its host port, its NIC for clients. */
#ifndef TERN_SIM_NODE_H
#define TERN_SIM_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "hostport.h"
#include "net.h"
#include "nic.h"
#include "probe.h"
#include "rest.h"
#include "soft.h"
#include "stand_in.h"
#include "tern_model.h"
#include "tier.h"
#include "timing.h"

/* Receives the events of the trace port. */
struct tern_trace_sink {
    void *ctx;
    void (*event)(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id);
};

/* Receives the instructions that the core retires. */
struct tern_retire_sink {
    void *ctx;
    void (*retire)(void *ctx, uint64_t cycle, uint32_t pc);
};

enum { TERN_NODE_BLOCK_MAX = 8, TERN_NODE_LANES = 2 * TERN_MODEL_TRACE_WORDS };

struct tern_node_config {
    enum tern_tier tier;
    unsigned number;
    uint16_t coordinates; /* straps, in the format of NODE and DIMS in bar.def */
    uint16_t dims;
    unsigned ports; /* number of link ports */
    bool tree;      /* it has links of the tree network; on rtl as `shape` says */
    const struct tern_model_shape *shape; /* on rtl */
    struct tern_timing timing;
    const uint32_t *flash;
    size_t flash_words;
    struct tern_trace_sink trace;
    struct tern_retire_sink retired;
    uint64_t reset_limit, dma_limit;
    bool every_clock; /* computes every clock: the node never rests */
};

/* One pulse of a trace lane. */
struct tern_node_event {
    uint64_t cycle;
    uint16_t lane, id;
};

struct tern_node {
    struct tern_node_config config;
    struct tern_model *model; /* on rtl */
    struct soft_node *soft;   /* on soft */
    struct tern_hostport port;
    struct tern_nic *nic;
    struct tern_model_in in;
    struct tern_model_out out[2]; /* after the last clock, and after the previous one */
    unsigned last;
    uint64_t cycle;    /* clocks so far */
    uint64_t power_on; /* cycle of the power-on; no reset after it */
    uint64_t retired;  /* instructions of the core */
    struct tern_probe probe;
    struct tern_rest rest;
    struct tern_stand_in stand_in;
    bool elsewhere; /* another simulator runs it */
    unsigned events; /* pulses not yet passed to the sink */
    struct tern_node_event event[TERN_NODE_BLOCK_MAX * TERN_NODE_LANES];
};

enum { TERN_POWER_ON_CYCLES = 8 };

/* Initialises a node; false without memory. */
bool tern_node_init(struct tern_node *node, const struct tern_node_config *config);
void tern_node_fini(struct tern_node *node);

/*
 * Runs `cycles` clocks on `net`, only on rtl: at most TERN_NODE_BLOCK_MAX and the latency of the
 * wires. Nodes may do so in parallel; tern_node_tell() then passes the events to their trace sinks.
 */
void tern_node_run(struct tern_node *node, struct tern_net *net, unsigned cycles);

/*
 * Switches the power off for `cycles`: all state of the chip is lost except its flash. False if
 * memory is short.
 */
bool tern_node_power_cycle(struct tern_node *node, struct tern_net *net, uint64_t cycles);

/* Gives the model the state of this cycle, if the node rests; before anybody looks at it. */
void tern_node_rouse(struct tern_node *node);

/* Passes the events since the last call to the trace sink. */
void tern_node_tell(struct tern_node *node);

/* Runs a turn at `cycle`, only on soft: soft_node_turn(). */
unsigned tern_node_turn(struct tern_node *node, struct tern_net *net, uint64_t cycle);

/* Returns the cycle of the next timer, on soft. */
uint64_t tern_node_timer(const struct tern_node *node);

#endif
