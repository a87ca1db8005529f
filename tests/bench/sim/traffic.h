/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of busy NICs, to measure the simulator's speed and memory, and to compare runs with
 * different threads.
 *
 * Each node puts to the next one, small and long puts alternating, as many as its queue holds. In
 * this process the run is deterministic: same calls, same bytes, same cycles. A failure to set up
 * ends the program.
 */
#ifndef TERN_TRAFFIC_H
#define TERN_TRAFFIC_H

#include <tern/tern.h>

#include "tern_sim.h"

enum {
    TRAFFIC_NODES_MAX = 8,
    TRAFFIC_BYTES = 1 << 20, /* of the memory of each node */
    TRAFFIC_SMALL = 64,
    TRAFFIC_LONG = 4096
};

struct traffic_end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *buffer; /* first half: source of its puts; second half: destination of others' */
    unsigned posted;
};

struct traffic {
    struct tern_sim *sim; /* NULL: in another process */
    unsigned nodes;
    bool shared; /* all nodes share one buffer */
    struct traffic_end end[TRAFFIC_NODES_MAX];
};

/* Reads the firmware of the build into `config`, for the life of the process. */
void traffic_firmware(struct tern_sim_config *config);

/*
 * Makes a ring in this process, booted and without traffic. Its nodes share a buffer if `shared`.
 */
void traffic_open(struct traffic *traffic, const struct tern_sim_config *config, bool shared);

/* Uses the simulator whose sockets are in `dir` instead. */
void traffic_attach(struct traffic *traffic, unsigned nodes, const char *dir);
void traffic_close(struct traffic *traffic);

/* Takes completions and posts until every queue is full. */
void traffic_post(struct traffic *traffic);

/* Puts and runs `cycles` clocks, in this process. */
void traffic_run(struct traffic *traffic, uint64_t cycles);

#endif
