/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of four with hosts in processes of their own (chaos.h): one keeps words in its memory and
 * otherwise sleeps; workers at all nodes change them.
 */
#ifndef TERN_KEEPER_H
#define TERN_KEEPER_H

#include "chaos.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    KEEPER_WORDS = 4,
    WAIT_MS = 60000, /* a net */
    LOCK_S = 120     /* another */
};

/* A NIC with its queues, and words that other nodes may read and change. */
struct host {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint64_t words[KEEPER_WORDS];
};

void host_open(struct host *host, const struct rig *rig, unsigned node);
void host_close(struct host *host);

struct tern_rptr word_at(struct tern_rptr words, unsigned which);

struct keeper {
    struct child child;
    struct tern_rptr words;
};

bool keeper_start(struct keeper *keeper, const struct rig *rig);

/* Reads the keeper's words. */
bool keeper_has(const struct keeper *keeper, uint64_t words[KEEPER_WORDS]);

/* Ends the keeper; returns whether it succeeded. */
bool keeper_end(struct keeper *keeper);

/* The parameters of a worker process. */
struct worker {
    const struct rig *rig;
    struct tern_rptr words;
    unsigned node;
};

struct workers {
    struct worker jobs[RING];
    struct child children[RING];
};

/* Starts one at each node; sends a command to all of them. */
void workers_start(struct workers *workers, child_fn *work, const struct rig *rig,
                   struct tern_rptr words);
bool workers_do(const struct workers *workers, char word);

/* Makes them quit and returns whether all succeeded; kills them if not `good`. */
bool workers_end(struct workers *workers, bool good);

#endif
