/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator as a library: a torus of NICs in this process; the caller advances its time.
 *
 * A NIC is reached only through a connection: tern_sim_connect() returns a socket for vfio-user,
 * served by the same code as the daemon's sockets. The host's memory is what the connection maps.
 *
 * Same configuration, same calls at the same cycles and same bytes on the connections give the same
 * result, whatever the number of threads. One thread calls; objects are independent.
 */
#ifndef TERN_SIM_H
#define TERN_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"
#include "nic.h"
#include "span.h"
#include "stand_in.h"
#include "tier.h"
#include "timing.h"
#include "wire.h"

struct tern_sim;

struct tern_sim_config {
    enum tern_tier tier;     /* kind of the NICs; default rtl */
    const char
        *model; /* rtl: the configuration of the chip, "sim", "board" or "tree"; NULL: the build's
                   first that fits */
    unsigned dims[3];        /* nodes along x, y, z: 1 to 32 each, 512 in all */
    bool tree;               /* with the tree network; its ranks are the numbers of the nodes */
    bool mesh;               /* without links from the last node of a row to the first */
    const void *firmware;    /* ELF file or flash image; NULL: blank flash */
    size_t firmware_bytes;
    struct tern_timing timing;
    const char *scenario;    /* text of a scenario, or NULL */
    uint64_t seed;           /* of random faults */
    unsigned threads;        /* for rtl nodes, 1 to 16 (0 is 1), used as long as they gain time */
    uint64_t reset_limit;    /* time-out of a function's reset, in cycles; 0: default */
    uint64_t dma_limit;      /* time-out of a client's answer to a DMA message, in cycles; 0:
                                default */
    bool every_clock; /* also computes idle rtl nodes: slower, with the same result */
};

enum { TERN_SIM_NODES_MAX = TERN_TORUS_NODES_MAX, TERN_SIM_ERROR_BYTES = 256 };

/* Returns the defaults: 4 x 1 x 1, no firmware. */
struct tern_sim_config tern_sim_config_default(void);

/*
 * Creates the NICs and powers them on. NULL on failure: `error` has the reason, *status the
 * matching status (BAD_FIRMWARE, BAD_ARGUMENT, NO_MEMORY). `config` need not outlive the call.
 */
struct tern_sim *tern_sim_create(const struct tern_sim_config *config,
                                 char error[TERN_SIM_ERROR_BYTES], int *status);
void tern_sim_destroy(struct tern_sim *sim);

unsigned tern_sim_nodes(const struct tern_sim *sim);
uint64_t tern_sim_cycle(const struct tern_sim *sim);
uint64_t tern_sim_node_cycles(const struct tern_sim *sim);

/* Returns how many of those clocks were skipped, because the node was idle. */
uint64_t tern_sim_rested(const struct tern_sim *sim);

/*
 * Runs at least `cycles` clocks of every node, in whole blocks of 8 (or of the link latency, if
 * that is less). On the soft tier: runs turns while there is work, then advances the clock
 * (turns.h).
 */
void tern_sim_run(struct tern_sim *sim, uint64_t cycles);

/*
 * Runs until `done`, which is called before each block, returns true; false after `limit` cycles.
 */
bool tern_sim_run_until(struct tern_sim *sim, bool (*done)(void *arg), void *arg,
                        uint64_t limit);

/*
 * Returns a new connection to the NIC of `node`; the caller owns the descriptor. -1 and errno on
 * failure.
 */
int tern_sim_connect(struct tern_sim *sim, unsigned node);

/* Calls `event` for every pulse of a trace lane (trace.def) of every node; soft nodes have none. */
void tern_sim_on_event(struct tern_sim *sim,
                       void (*event)(void *ctx, unsigned node, uint64_t cycle,
                                     unsigned lane, unsigned id),
                       void *ctx);

/* Returns the counts of connections, resets and refusals of one node's NIC. */
const struct tern_nic_counts *tern_sim_counts(const struct tern_sim *sim, unsigned node);

/* Returns the instructions that the soft core of `node` has retired; 0 on the soft tier. */
uint64_t tern_sim_retired(const struct tern_sim *sim, unsigned node);

/* Returns the wires, for faults and statistics. */
struct tern_net *tern_sim_net(struct tern_sim *sim);

/*
 * Connects the caller's `stand_in` to the wires of `node`, in place of its NIC, which stops. Call
 * before the simulation runs; otherwise the neighbours' links remember the NIC.
 */
void tern_sim_stand_in(struct tern_sim *sim, unsigned node, const struct tern_stand_in *stand_in);

/*
 * Leaves the other half of the nodes to another simulator and connects to it (span.h). Call before
 * the first block. False and the reason if no such peer was found.
 */
bool tern_sim_span(struct tern_sim *sim, const struct tern_span_config *config,
                   char error[TERN_SIM_ERROR_BYTES]);

/* Tells whether the node is in this simulator and not in its peer. */
bool tern_sim_has(const struct tern_sim *sim, unsigned node);

/* Returns the reason why the peer is dead; NULL: it lives, or there is none. */
const char *tern_sim_peer_dead(const struct tern_sim *sim);

/* Makes the host of `node` never answer the next `count` reads of its NIC. Only on rtl. */
void tern_sim_lose_reads(struct tern_sim *sim, unsigned node, unsigned count);

/*
 * Makes the host of `node` execute the next `count` writes of its NIC without answering them.
 * Interrupts do not count, nor, on soft, do words of atomic operations.
 */
void tern_sim_lose_writes(struct tern_sim *sim, unsigned node, unsigned count);

/*
 * Switches the power of `node` off for `cycles`. The chip then starts from its unchanged flash; its
 * clients stay connected, and all their functions are off. False if memory is short.
 */
bool tern_sim_power_cycle(struct tern_sim *sim, unsigned node, uint64_t cycles);

/* Writes a waveform of `node` from now on; false in the fast build. */
bool tern_sim_dump(struct tern_sim *sim, unsigned node, const char *path);

#endif
