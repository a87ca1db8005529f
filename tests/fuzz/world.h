/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world of the fuzz targets: a ring of two soft nodes, their hosts' memory, and the invariants.
 *
 * It is made once: every node gets three functions with the same queues and regions at the same
 * addresses.  Every execution begins in that state.  Function 2 is the bystander, which no input
 * names; it has to be served whatever happens to the others.
 *
 * All that a NIC does to memory is judged when it does it: a write has to lie in a region that is
 * registered and may be written, a read in one that may be read.  Nothing else changes host memory.
 */
#ifndef TERN_FUZZ_WORLD_H
#define TERN_FUZZ_WORLD_H

#include "inside.h"

#include "fuzz.h"
#include "fw.h"

enum {
    WORLD_NODES = 2,
    WORLD_FUNCTIONS = 3,
    WORLD_FUZZED = 2, /* functions that inputs act for */
    WORLD_BYSTANDER = 2,
    WORLD_BYTES = 0x8000, /* memory of a function */
    WORLD_REGIONS_MAX = 64,
    WORLD_CQES_MAX = 1024,
    WORLD_LINKED = 64, /* nodes that lookups find in the data of a function, with keys from 1 on */
    WORLD_INDICES = 256, /* descriptors of a queue and an execution */
};

#define WORLD_BASE UINT64_C(0x4ffffc000) /* where that memory stands; 4 GiB end inside it */

/* Places in the memory of a function. */
enum {
    AT_ADMIN = 0, /* ring, then its CQ */
    ADMIN_LOG2 = 4,
    ADMIN_CQ_LOG2 = 5,
    AT_SQ = 0x1000,
    SQ_LOG2 = 4,
    AT_CQ = 0x1400,
    CQ_LOG2 = 4,
    AT_RQ = 0x1800,
    RQ_LOG2 = 2,
    RQ_ENTRY_LOG2 = 6,
    AT_SPARE = 0x1c00, /* in the region of the rings, for queues made later */
    AT_DATA = 0x2000,
    DATA_BYTES = 0x2800,
    AT_SOURCE = 0x5000, /* may be read only */
    SOURCE_BYTES = 0x800,
    AT_GONE = 0x6000, /* registered, then released */
    GONE_BYTES = 0x400,
    AT_COUNTED = 0x6800, /* deposits are counted */
    COUNTED_BYTES = 0x400,
};

enum world_key { KEY_DATA, KEY_SOURCE, KEY_GONE, KEY_COUNTED, KEY_RINGS, KEY_ADMIN, WORLD_KEYS };

struct world_region {
    uint8_t node, fn, rights;
    bool live, was_live; /* was: when this execution began */
    bool admin;
    uint32_t key;
    uint64_t base, bytes;
};

/* A completion that was written. */
struct world_cqe {
    uint8_t node;
    uint16_t cq;
    uint32_t w[TERN_CQE_BYTES / 4];
};

struct world_function {
    uint8_t *memory;
    uint32_t keys[WORLD_KEYS];
    uint16_t sq, cq, rq;
    uint32_t posted, admin_posted; /* descriptors and commands so far */
};

struct world {
    struct tern_net *net;
    uint64_t cycle;
    struct soft_node *node[WORLD_NODES];
    struct world_function fn[WORLD_NODES][WORLD_FUNCTIONS];
    struct world_region region[WORLD_REGIONS_MAX];
    unsigned regions;
    struct world_cqe cqe[WORLD_CQES_MAX];
    unsigned cqes;
    uint32_t laps[WORLD_NODES][SOFT_QUEUES]; /* completions of each CQ so far */
    unsigned long injected;                  /* packets that no node has sent */
    uint64_t answer;                         /* of the last register read */
    /* Commands by the low bits of their index, for those who want to know what was asked. */
    uint32_t asked[WORLD_NODES][WORLD_FUNCTIONS][64][SOFT_DESC_WORDS];
};

/* The world as every execution finds it. */
struct world *world_begin(void);

static inline struct fw *world_fw(const struct world *world, unsigned node)
{
    return (struct fw *)world->node[node]->firmware;
}

/* ---- what a host does ---- */

void world_write32(struct world *world, unsigned node, unsigned fn, uint32_t address,
                   uint32_t value);
uint32_t world_read32(struct world *world, unsigned node, unsigned fn, uint32_t address);

/* The 64 bytes of a descriptor into a doorbell window. */
void world_window(struct world *world, unsigned node, unsigned fn, unsigned queue,
                  const uint32_t *words);
void world_bell(struct world *world, unsigned node, unsigned fn, unsigned queue, uint32_t index);

/*
 * Puts a command into the admin ring; `words` get version and index.  Makes room first.  Returns
 * its index.
 */
uint32_t world_ask(struct world *world, unsigned node, unsigned fn, uint32_t *words);

/* Runs all nodes until none has work left; time does not advance. */
void world_work(struct world *world);

/* Consumes completions and lets time go by until everything has ended; it must. */
void world_settle(struct world *world);

/* ---- what must hold when everything has ended ---- */

/* Tables are as empty as before, counters add up, the bystander is served. */
void world_judge(struct world *world);

/* How many completions a queue's descriptor got in this execution. */
unsigned world_completions(const struct world *world, unsigned node, unsigned queue,
                           uint32_t index, unsigned *errors);

#endif
