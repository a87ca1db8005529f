/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool with a heap, its server and its members in one process with the simulator, on a ring of
 * three: time passes only while one of them waits, so each figure is the same in each run.
 */
#ifndef TERN_HEAP_YARD_H
#define TERN_HEAP_YARD_H

#include <tern/alloc.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum { YARD_NODES = 3, YARD_SERVER = 2, YARD_MEMBERS = 64 };

struct heap_yard {
    struct tern_device *device[YARD_NODES]; /* of members; the server has one of its own */
    struct tern_device *server;
    struct tern_pool *pool;
    struct tern_device *second_server; /* on node 0; or NULL */
    struct tern_pool *second;
    uint8_t *memory;        /* of the pool's objects */
    bool served;            /* the server serves while others wait */
    uint64_t turns;         /* times that it was let do so */
    uint64_t steps;         /* of time, without those in which it was at work */
    unsigned step;          /* cycles of each of them, a multiple of 8; 0: 64 */
    unsigned pause;         /* steps between two turns */
    uint64_t owner_messages; /* of the server's host to its NIC */
    uint32_t lease_ms;      /* 0: ten minutes */
    size_t room;            /* bytes of the pool beside the heap */
    /* before each message to a NIC, with its opcode, or NOP: not 0: the message is not sent */
    int (*gap)(struct tern_device *device, unsigned opcode);
    struct tern_member *member[YARD_MEMBERS];
    struct tern_heap *heap[YARD_MEMBERS];
    unsigned count;
};

extern struct heap_yard yard;

/* Makes a pool with a heap of so many blocks. */
void yard_open(unsigned blocks);
/* Makes a second pool with a heap of the same size, on node 0. */
void yard_open_second(unsigned blocks);
/* Joins the pool of a node from `device`, or ends the program. */
struct tern_member *yard_member(unsigned device, unsigned node);
/* Members 0 to count - 1, one node after the other, each with the heap opened. */
void yard_join(unsigned count, const struct tern_heap_config *config);
/* They leave, and the server sees it. */
void yard_quit(void);
void yard_close(void);

/* The bytes of the pool where `at` leads. */
uint8_t *yard_bytes(struct tern_ptr at);
/* Slabs taken, and bytes of all blocks that have a class. */
unsigned yard_taken(uint64_t *block_bytes);
/* Lets time pass. */
void yard_run(unsigned cycles);

#endif
