/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a pool, for the files of this folder; the pool's lock protects all of it. */
#ifndef TERN_POOL_SERVER_H
#define TERN_POOL_SERVER_H

#include <pthread.h>
#include <tern/grace.h>
#include <tern/pool.h>

#include "ground.h"
#include "keeper.h"
#include "wire.h"

enum { POOL_ANSWER_MS = 10000 }; /* limit for one operation of the server, in case it never ends */

/* This server's own state for a seat, beside the shared memory of the pool. */
struct pool_watch {
    struct tern_region *region, *lease_region;
    uint32_t alive;   /* as last seen */
    int64_t since;    /* ms; `alive` has not changed since then */
};

/* The steps from the old server to this one. */
enum pool_moving { MOVED, MOVING, LEAVING_KEEPER, AWAITING_KEYS };

struct tern_pool {
    struct tern_device *device;
    struct tern_info info;
    struct pool_ground *ground;
    int file, address;
    struct pool_keeper keeper;
    struct pool_legacy legacy;
    enum pool_moving moving;
    int64_t moving_since;

    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region; /* the whole ground, for the server's own operations */
    struct tern_region *scratch_region;
    struct wire_answer scratch;

    struct pool_watch *watch;
    struct tern_pool_service *services;
    struct tern_grace grace; /* its places are the seats */
    uint64_t period;
    bool look_again;  /* call the services again in the same period */
    uint32_t cursor;  /* region index of the next key */
    struct tern_pool_counts counts;

    pthread_mutex_t lock;
    pthread_t thread;
    bool threaded, stopping;
};

static inline struct pool_seat *pool_seat_of(struct tern_pool *pool, uint32_t seat)
{
    return &pool->ground->seats[seat];
}

/* ---- keys.c */
/* Registers the memory for the server itself. */
int pool_keys_open(struct tern_pool *pool);
/*
 * Gives the seat new keys, with tags that their indices have not had recently. NO_RESOURCE, and no
 * key.
 */
int pool_keys_grant(struct tern_pool *pool, uint32_t seat);
/* Releases the keys that this server gave the seat. */
int pool_keys_release(struct tern_pool *pool, uint32_t seat);
/*
 * Adds 0 to a word of the pool through its own NIC: afterwards no operation under a key that was
 * released before can change the memory.
 */
int pool_keys_drain(struct tern_pool *pool);
/* Tells whether an operation by `key`, of an earlier server, is refused because the key is gone. */
bool pool_keys_is_gone(struct tern_pool *pool, uint32_t key, uint64_t offset);

/* ---- lookers.c: the services' looks, and grace periods */
/* Makes the places of grace periods, or returns NO_MEMORY. */
int pool_looks_open(struct tern_pool *pool);
/*
 * Ends the grace period, if every member that was alive at the look has advanced, and calls the
 * services.
 */
int pool_look(struct tern_pool *pool);

/* ---- deaths.c */
/* Starts the clock of a seat. */
void pool_watch_begin(struct tern_pool *pool, uint32_t seat);
/* Releases the keys of the seat, drains, frees the seat. */
int pool_bury(struct tern_pool *pool, uint32_t seat);
/*
 * Frees the seats of members whose lease is over or who left. Returns how many, or the status of a
 * failure.
 */
int pool_deaths(struct tern_pool *pool);

/* ---- move.c */
/* Gives all members new keys, and writes them to their pages. */
void pool_move_begin(struct tern_pool *pool);
/*
 * Next step of a move: ends the old keeper when all members have moved, then frees the seats of the
 * others.
 */
int pool_move(struct tern_pool *pool);

/* ---- admit.c */
/* Answers a message. Returns 1 for a new join, else 0. */
int pool_admit(struct tern_pool *pool, const struct tern_completion *message);

#endif
