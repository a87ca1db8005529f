/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment of the fuzz targets: a ring of two soft nodes, their hosts' memory, and the
 * invariants.
 *
 * It is made once: every node gets three functions with the same queues and regions at the same
 * addresses. Every execution starts in that state. Function 2 is the bystander, which no input
 * names; it must work whatever happens to the others.
 *
 * The world checks each access of a NIC to memory: a write must lie in a registered, writable
 * region, a read in a readable one. Nothing else changes host memory.
 */
#ifndef TERN_FUZZ_WORLD_H
#define TERN_FUZZ_WORLD_H

#include "inside.h"

#include "fuzz.h"
#include "fw.h"

enum {
    WORLD_NODES = 2,
    WORLD_FUNCTIONS = 3,
    WORLD_FUZZED = 2, /* functions used by inputs */
    WORLD_BYSTANDER = 2,
    WORLD_BYTES = 0x8000, /* memory per function */
    WORLD_REGIONS_MAX = 64,
    WORLD_CQES_MAX = 1024,
    WORLD_LINKED = 64, /* linked nodes in the data of a function, for lookups, with keys from 1
                        * on */
    WORLD_INDICES = 256, /* descriptors per queue and execution */
};

#define WORLD_BASE UINT64_C(0x4ffffc000) /* address of that memory, which crosses a multiple of 4
                                          * GiB */

/* Offsets in the memory of a function. */
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
    AT_SOURCE = 0x5000, /* read-only */
    SOURCE_BYTES = 0x800,
    AT_GONE = 0x6000, /* registered, then released */
    GONE_BYTES = 0x400,
    AT_COUNTED = 0x6800, /* deposits are counted */
    COUNTED_BYTES = 0x400,
};

enum world_key { KEY_DATA, KEY_SOURCE, KEY_GONE, KEY_COUNTED, KEY_RINGS, KEY_ADMIN, WORLD_KEYS };

struct world_region {
    uint8_t node, fn, rights;
    bool live, was_live; /* was: at the start of this execution */
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
    unsigned long injected;                  /* packets that no node sent */
    uint64_t answer;                         /* of the last register read */
    /* Commands by the low bits of their index, for later lookups. */
    uint32_t asked[WORLD_NODES][WORLD_FUNCTIONS][64][SOFT_DESC_WORDS];
};

/* Returns the world in its initial state. */
struct world *world_begin(void);

static inline struct fw *world_fw(const struct world *world, unsigned node)
{
    return (struct fw *)world->node[node]->firmware;
}

/* ---- actions of a host ---- */

void world_write32(struct world *world, unsigned node, unsigned fn, uint32_t address,
                   uint32_t value);
uint32_t world_read32(struct world *world, unsigned node, unsigned fn, uint32_t address);

/* Writes the 64 bytes of a descriptor to a doorbell window. */
void world_window(struct world *world, unsigned node, unsigned fn, unsigned queue,
                  const uint32_t *words);
void world_bell(struct world *world, unsigned node, unsigned fn, unsigned queue, uint32_t index);

/*
 * Adds a command to the admin ring, after making room; `words` get version and index. Returns its
 * index.
 */
uint32_t world_ask(struct world *world, unsigned node, unsigned fn, uint32_t *words);

/* Runs all nodes until none has work left; time does not advance. */
void world_work(struct world *world);

/* Consumes completions and advances time until everything has ended, which must happen. */
void world_settle(struct world *world);

/* ---- invariants after the end ---- */

/* Checks that tables are as empty as before, counters add up, and the bystander works. */
void world_judge(struct world *world);

/* Returns how many completions a queue's descriptor got in this execution. */
unsigned world_completions(const struct world *world, unsigned node, unsigned queue,
                           uint32_t index, unsigned *errors);

#endif
