/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adoption of a pool by another server. The keys of the old server work as long as its keeper holds
 * the connection, and all end when the keeper exits. Until then members find new keys in their
 * pages and change to them; a member that has not done so after a lease counts as dead.
 */
#define _GNU_SOURCE
#include "server.h"

static void grant_anew(struct tern_pool *pool, uint32_t number)
{
    struct pool_lease *lease = pool_lease_of(pool->ground, number);
    struct pool_seat *seat = pool_seat_of(pool, number);

    seat->old_key = seat->key;
    seat->old_lease_key = seat->lease_key;
    if (seat->state == SEAT_LIVE && pool_keys_grant(pool, number))
        seat->state = SEAT_DYING;
    if (seat->state == SEAT_LIVE) {
        lease->key = seat->key;
        lease->lease_key = seat->lease_key;
        __atomic_store_n(&lease->adoption, pool->ground->adoption, __ATOMIC_RELEASE);
    }
    pool_watch_begin(pool, number);
    pool->counts.live++;
}

void pool_move_begin(struct tern_pool *pool)
{
    pool->ground->adoption++;
    for (uint32_t number = 0; number < pool->ground->members; number++)
        if (pool_seat_of(pool, number)->state != SEAT_FREE)
            grant_anew(pool, number);
    pool->moving = MOVING;
    pool->moving_since = pool_now_ms();
}

static bool has_moved(struct tern_pool *pool, uint32_t number)
{
    return __atomic_load_n(&pool_lease_of(pool->ground, number)->moved, __ATOMIC_ACQUIRE) ==
           pool->ground->adoption;
}

/* Tells whether a live member still uses its old key. */
static bool is_awaited(struct tern_pool *pool)
{
    for (uint32_t number = 0; number < pool->ground->members; number++)
        if (pool_seat_of(pool, number)->state == SEAT_LIVE && !has_moved(pool, number))
            return true;
    return false;
}

/* Ends the time for moving: declares every live member dead that still uses its old key. */
static void give_up_others(struct tern_pool *pool)
{
    for (uint32_t number = 0; number < pool->ground->members; number++) {
        struct pool_seat *seat = pool_seat_of(pool, number);

        if (seat->state == SEAT_LIVE && !has_moved(pool, number)) {
            seat->state = SEAT_DYING;
            pool->counts.deaths++;
        }
    }
}

/* Tells whether all keys of the server before are refused. */
static bool are_gone(struct tern_pool *pool)
{
    for (uint32_t number = 0; number < pool->ground->members; number++) {
        struct pool_seat *seat = pool_seat_of(pool, number);
        uint64_t page = pool->ground->leases + number * sizeof(struct pool_lease);

        if (seat->old_key != TERN_KEY_NONE &&
            !pool_keys_is_gone(pool, seat->old_key, pool->ground->objects))
            return false;
        seat->old_key = TERN_KEY_NONE;
        if (seat->old_lease_key != TERN_KEY_NONE &&
            !pool_keys_is_gone(pool, seat->old_lease_key, page))
            return false;
        seat->old_lease_key = TERN_KEY_NONE;
    }
    return true;
}

/* Starts the new server's own keeper in place of the old one. */
static int settle(struct tern_pool *pool)
{
    pool->moving = MOVED;
    return pool->ground->keep ? pool_keeper_start(tern_device_fd(pool->device), pool->file,
                                                  pool->address, &pool->keeper)
                              : 0;
}

int pool_move(struct tern_pool *pool)
{
    bool late = pool_now_ms() - pool->moving_since >= (int64_t)pool->ground->lease_ms;
    int status;

    if (pool->moving == MOVING && (late || !is_awaited(pool))) {
        give_up_others(pool);
        pool->moving = LEAVING_KEEPER;
    }
    if (pool->moving == LEAVING_KEEPER) {
        status = pool_keeper_dismiss(&pool->legacy);
        if (status)
            return status;
        pool->moving = AWAITING_KEYS;
    }
    if (pool->moving == AWAITING_KEYS && are_gone(pool))
        return settle(pool);
    return 0;
}
