/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator as a library: a torus of NICs in this process, whose time the caller advances.
 *
 * A NIC is reached through a connection and nothing else: tern_sim_connect() hands out a
 * socket that speaks vfio-user, served by the code that serves the daemon's sockets.  The
 * host's memory, too, is what the connection maps.
 *
 * Same configuration, same calls at the same cycles, same bytes on the connections: same
 * result, whatever the number of threads.  The caller is one thread; objects are independent.
 */
#ifndef TERN_SIM_H
#define TERN_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"
#include "nic.h"
#include "stand_in.h"
#include "tier.h"
#include "timing.h"
#include "wire.h"

struct tern_sim;

struct tern_sim_config {
    enum tern_tier tier;     /* what the NICs are; default rtl */
    const char
        *model; /* rtl: the configuration of the chip, "sim" or "board"; NULL: the build's first */
    unsigned dims[3];        /* nodes along x, y, z: 1 to 32 each, 512 in all */
    bool mesh;               /* without links from the last node of a row to the first */
    const void *firmware;    /* ELF file or flash image; NULL: blank flash */
    size_t firmware_bytes;
    struct tern_timing timing;
    const char *scenario;    /* text of a scenario, or NULL */
    uint64_t seed;           /* of random faults */
    unsigned threads;        /* for rtl nodes, 1 to 16 (0 is 1), used as long as they gain time */
    uint64_t reset_limit;    /* cycles the firmware has to reset a function; 0: default */
    uint64_t dma_limit;      /* cycles a client has to answer a DMA message; 0: default */
    bool every_clock; /* rtl nodes with nothing to do are computed all the same: slower, the same
                         outcome */
};

enum { TERN_SIM_NODES_MAX = TERN_TORUS_NODES_MAX, TERN_SIM_ERROR_BYTES = 256 };

/* Defaults: 4 x 1 x 1, no firmware. */
struct tern_sim_config tern_sim_config_default(void);

/*
 * Powers the NICs on.  NULL when it cannot be; then `error` says why and *status is the status
 * that fits (BAD_FIRMWARE, BAD_ARGUMENT, NO_MEMORY).  Nothing of `config` is kept.
 */
struct tern_sim *tern_sim_create(const struct tern_sim_config *config,
                                 char error[TERN_SIM_ERROR_BYTES], int *status);
void tern_sim_destroy(struct tern_sim *sim);

unsigned tern_sim_nodes(const struct tern_sim *sim);
uint64_t tern_sim_cycle(const struct tern_sim *sim);
uint64_t tern_sim_node_cycles(const struct tern_sim *sim);

/* How many of them were not computed, since the node had nothing to do. */
uint64_t tern_sim_rested(const struct tern_sim *sim);

/*
 * Runs at least `cycles` clocks of every node: whole blocks of 8 (or of the link latency,
 * when that is less).  On the soft tier as many turns as there is something to do, and then the
 * clock goes on: see turns.h.
 */
void tern_sim_run(struct tern_sim *sim, uint64_t cycles);

/* Runs until `done` says so, asked before each block; false when `limit` cycles went by. */
bool tern_sim_run_until(struct tern_sim *sim, bool (*done)(void *arg), void *arg,
                        uint64_t limit);

/*
 * A new connection to the NIC of `node`; the caller owns the descriptor.  -1 and errno when
 * there is none to be had.
 */
int tern_sim_connect(struct tern_sim *sim, unsigned node);

/* Calls `event` for every pulse of a trace lane (trace.def) of every node.  Soft nodes have none.
 */
void tern_sim_on_event(struct tern_sim *sim,
                       void (*event)(void *ctx, unsigned node, uint64_t cycle,
                                     unsigned lane, unsigned id),
                       void *ctx);

/* Connections, resets and refusals of one node's NIC. */
const struct tern_nic_counts *tern_sim_counts(const struct tern_sim *sim, unsigned node);

/* Instructions that the soft core of `node` has retired; 0 on the soft tier. */
uint64_t tern_sim_retired(const struct tern_sim *sim, unsigned node);

/* The wires, for faults and for what went over them. */
struct tern_net *tern_sim_net(struct tern_sim *sim);

/*
 * From now on something of the caller's has the wires of `node`; its NIC stands still.  To be said
 * before anything has run, or the far ends of the wires remember the NIC.
 */
void tern_sim_stand_in(struct tern_sim *sim, unsigned node, const struct tern_stand_in *stand_in);

/* The host of `node` never answers the next `count` reads of its NIC.  On rtl alone. */
void tern_sim_lose_reads(struct tern_sim *sim, unsigned node, unsigned count);

/*
 * The host of `node` carries out the next `count` writes of its NIC and never answers them.
 * Interrupts are no such writes, nor, on soft, are words of atomic operations.
 */
void tern_sim_lose_writes(struct tern_sim *sim, unsigned node, unsigned count);

/*
 * Takes the power of `node` away for `cycles`, and then gives it back.  The chip begins anew, with
 * the flash that it had; its clients stay connected, and all their functions are off.  False when
 * there is no memory.
 */
bool tern_sim_power_cycle(struct tern_sim *sim, unsigned node, uint64_t cycles);

/* Writes a waveform of `node` from now on; false in the fast build. */
bool tern_sim_dump(struct tern_sim *sim, unsigned node, const char *path);

#endif
