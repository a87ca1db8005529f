/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A torus of NICs in this process, with a driver for each, for the benchmarks of the network.
 *
 * Host software takes no simulated time.  A failure to set up ends the program.
 */
#ifndef TERN_YARD_H
#define TERN_YARD_H

#include <pthread.h>

#include <tern/tern.h>

#include "tern_sim.h"

enum { YARD_NODES_MAX = 512, YARD_PACKET = 512 };

struct yard_end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *buffer; /* yard.bytes long */
    uint16_t node;   /* coordinates */
    int fd;          /* connection to the NIC, for the device */
    uint64_t stats[TERN_STAT_COUNT];
};

/* Threads of yard_each(), and how many of them wait for time to pass. */
struct yard_turn {
    pthread_mutex_t lock;
    pthread_cond_t next;
    bool on; /* between the begin and the end of yard_each() */
    unsigned actors, waiting;
    uint64_t number;
};

/* Events of the trace ports since yard_watch(). */
struct yard_watch {
    uint64_t since;           /* cycle */
    uint64_t started, landed; /* packets that entered the network; packets deposited */
    uint64_t on_way;          /* packets in the network now */
    double packet_cycles;     /* the sum of on_way over cycles */
    uint64_t changed;         /* end of that sum */
    uint64_t rung;            /* cycle of the first doorbell of any node; 0: none */
    uint64_t *rings;          /* doorbells of each node */
    uint64_t left;            /* cycle in which the first packet entered the network; 0: none */
    uint64_t first, last;     /* cycles of the first and the last deposit */
    uint64_t *last_at;        /* cycle of the last deposit, by node */
    uint64_t *landed_at;      /* deposits, by node */
    uint64_t *told_at;        /* cycle of the last completion, by node; 0: none */
    /* cycle in which the firmware started its last message, by node; 0: none */
    uint64_t *sent_at;
};

struct yard {
    struct tern_sim *sim;
    unsigned dims[3], nodes;
    bool still;   /* polling does not advance time */
    size_t bytes; /* of each node's buffer */
    struct yard_end *end;
    struct yard_turn turn;
    struct yard_watch watch;
    /* gets all events, too; or NULL */
    void (*also)(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id);
    void *also_ctx;
};

/*
 * Opens a torus of NICs for `config`, but with the firmware of this build; registers `bytes` of
 * memory at each node.
 */
void yard_open_as(struct yard *yard, const struct tern_sim_config *config, size_t bytes);

/* Opens a torus on rtl, with the defaults for all else. */
void yard_open(struct yard *yard, const unsigned dims[3], size_t bytes);
void yard_close(struct yard *yard);

/*
 * Calls `what` for every node, each in a thread of its own. Simulated time advances while all
 * threads wait for it, so the nodes work at the same simulated time.
 */
void yard_each(struct yard *yard, void (*what)(struct yard *yard, unsigned n));

/* Returns the number of the node at these coordinates. */
unsigned yard_at(const struct yard *yard, unsigned x, unsigned y, unsigned z);

/* Returns the number of links on the shortest route between two nodes. */
unsigned yard_distance(const struct yard *yard, unsigned from, unsigned to);

/* Resets the watch, and starts it. */
void yard_watch(struct yard *yard);

/* Returns the mean number of packets in the network since yard_watch(). */
double yard_on_way(struct yard *yard);

/* Runs until all `count` packets since yard_watch() are deposited, all nodes together. */
void yard_run_until_landed(struct yard *yard, uint64_t count);

/* Takes all completions and returns their number; a failed one ends the program. */
unsigned yard_complete(struct yard_end *end);

/* Takes a completion if there is one; does not advance time. */
bool yard_poll(struct yard *yard, struct yard_end *end, struct tern_completion *got);

/*
 * Advances time until a completion comes, and returns it; after `bound` cycles returns one with the
 * status WAIT_EXPIRED.
 */
struct tern_completion yard_next(struct yard *yard, struct yard_end *end, uint64_t bound);

/* Runs until `end` has completed `count` operations. */
void yard_run_until_complete(struct yard *yard, struct yard_end *end, unsigned count);

/* Runs until no packet can be in flight any more. */
void yard_settle(struct yard *yard);

/*
 * Reads the statistics of all nodes into their `stats`, and returns the sum of statistic `index`
 * (TERN_STAT_*).
 */
uint64_t yard_stat(struct yard *yard, unsigned index);

void yard_must(int status, const char *what);

#endif
