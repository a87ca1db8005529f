/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a pool that stop or are killed at a boundary of their messages, and the memory that
 * all processes of such a run share: a shadow map of the holders of all memory, and the last
 * change of each record.
 *
 * A message is anything that a driver writes to its NIC: a descriptor, or a doorbell.  A boundary
 * is the moment before or after one.
 */
#ifndef TERN_PAUSES_H
#define TERN_PAUSES_H

#include <stdatomic.h>

#include <tern/alloc.h>
#include <tern/table_shared.h>

#include "pool_rig.h"

/* The service that a client uses. */
enum pause_kind {
    WITH_FAST,
    WITH_LITERAL,
    WITH_STOCK,
    WITH_SLABS,
    WITH_TABLE,
    PAUSE_KINDS
};

enum {
    PAUSE_STOPPED = 6,       /* clients that stop; the others go on */
    PAUSE_CLIENTS = 11,
    PAUSE_HEAP = 24 << 16,
    PAUSE_UNIT = 64,         /* bytes of a place of the shadow map */
    PAUSE_SLABS_BYTES = 1 << 14,
    PAUSE_SLAB = 128,
    PAUSE_TABLE_BYTES = 1 << 16,
    PAUSE_RECORD = 192,      /* a slab of the table */
    PAUSE_KEYS = 12,
    PAUSE_PLACES = (PAUSE_HEAP + PAUSE_SLABS_BYTES) / PAUSE_UNIT + 256,
    PAUSE_LETTERS = 16,      /* places where memory is handed on */
};

/* Faults that no run may have. */
enum pause_fault {
    TWO_HOLDERS,     /* two members at a time */
    TORN,            /* bytes of a held slab, or of a record, changed */
    LOST,            /* a record that was set, or one that came back */
    REFUSED,         /* a living holder could not give back */
    LATE,            /* an operation of a buried member took effect */
    OTHER_STATUS,    /* a buried member got neither LEASE_OVER nor BAD_KEY */
    PAUSE_FAULTS
};

/* Memory that was handed on: for `to`, until it takes or drops it. */
struct pause_letter {
    _Atomic uint32_t to;
    struct tern_ptr at;
};

/* Shared memory of all processes. */
struct pause_board {
    _Atomic uint32_t holder[PAUSE_PLACES];    /* pause_name(); 0: none */
    _Atomic uint64_t begun[PAUSE_KEYS], done[PAUSE_KEYS]; /* changes of a key */
    _Atomic uint32_t client[PAUSE_CLIENTS];   /* who the client is now */
    struct pause_letter letter[PAUSE_LETTERS];
    _Atomic uint64_t faults[PAUSE_FAULTS];
    _Atomic uint64_t calls, messages, checks, rejoins, statuses[STATUSES];
    uint64_t heap_start;                      /* of the blocks, in the pool */
    struct tern_blocks blocks;                /* without `start` */
    struct tern_table_shape shape;
    uint64_t slabs_at, table_at;              /* objects of the pool */
    struct tern_table_shared table;           /* as it was made */
    uint64_t began;                           /* messages of the server until the pool served */
    struct tern_holder asked;                 /* by the parent, of the server */
    _Atomic bool ending;                      /* all clients are killed */
};

/* Asks the server whether `holder` is a member. */
enum { PAUSE_MAGIC = 0x73756170 };
struct pause_question {
    uint32_t magic, has;
    struct tern_holder holder;
};

/* When a client stops: after so many messages, before or after the next one. */
struct pause_order {
    uint32_t messages;
    bool after, kill;
    bool unowned; /* before the first put after a TAKE: a slab is taken and has no owner */
    bool lingers; /* some of the times it stays alive there, and goes on later */
};

struct pause_client {
    const struct rig *rig;
    struct pause_board *board;
    unsigned number;
    bool steady; /* nothing that only a server can do */
    enum pause_kind kind;
    uint64_t seed;
};

static inline uint32_t pause_name(struct tern_holder holder)
{
    return (uint32_t)holder.owner << 16 | holder.epoch;
}

static inline struct tern_holder pause_holder(uint32_t name)
{
    return (struct tern_holder){(uint16_t)(name >> 16), (uint16_t)name};
}

static inline void pause_fault(struct pause_board *board, enum pause_fault fault)
{
    atomic_fetch_add(&board->faults[fault], 1);
}

/* ---- pauses_server.c */
void pauses_begin(struct tern_pool *pool, bool adopted);
int pauses_word(struct tern_pool *pool, char word);
/* The board of the run, which the server and the services read. */
extern struct pause_board *pauses_board;

/* ---- pauses_hook.c: the boundaries */
void pauses_arm(const struct pause_order *order);
/* Called at a boundary where the client lingers. */
extern void (*pauses_linger)(void *of);
extern void *pauses_linger_of;
/* Pauses of this process so far. */
unsigned pauses_had(void);
/* Messages so far. */
uint64_t pauses_messages(void);

/* ---- pauses_client.c: a process.  Reads orders until the pipe ends, answers each with a byte. */
void pauses_client(const void *arg, int in, int out);

/* ---- pauses_work.c: one piece of work of a client; returns how it ended */
struct pause_worker;
struct pause_worker *pauses_worker_open(const struct pause_client *client, int *status);
int pauses_work(struct pause_worker *worker);
void pauses_worker_close(struct pause_worker *worker);

#endif
