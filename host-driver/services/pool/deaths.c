/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deaths. If a member's page has not changed for a lease by the server's clock, the server releases
 * its key, then waits until no operation under that key can change the memory. Then it frees the
 * seat, and the services free the member's objects.
 */
#define _GNU_SOURCE
#include "server.h"

static uint32_t alive_of(struct tern_pool *pool, uint32_t seat)
{
    return __atomic_load_n(&pool_lease_of(pool->ground, seat)->alive, __ATOMIC_ACQUIRE);
}

void pool_watch_begin(struct tern_pool *pool, uint32_t seat)
{
    pool->watch[seat].alive = alive_of(pool, seat);
    pool->watch[seat].since = pool_now_ms();
}

/*
 * Tells whether the lease of a seat is over. It compares the page's present value, so that a server
 * that was paused sees renewals made meanwhile.
 */
static bool is_dead(struct tern_pool *pool, uint32_t number)
{
    struct pool_watch *watch = &pool->watch[number];
    uint32_t alive = alive_of(pool, number);
    int64_t now = pool_now_ms();

    if (alive != watch->alive) {
        watch->alive = alive;
        watch->since = now;
    }
    return now - watch->since >= (int64_t)pool->ground->lease_ms;
}

int pool_bury(struct tern_pool *pool, uint32_t number)
{
    struct pool_seat *seat = pool_seat_of(pool, number);
    int status;

    seat->state = SEAT_DYING;
    status = pool_keys_release(pool, number);
    if (!status)
        status = pool_keys_drain(pool);
    if (status)
        return status;
    __atomic_store_n(&seat->state, SEAT_FREE, __ATOMIC_RELEASE);
    pool->counts.live--;
    pool->look_again = true;
    return 0;
}

int pool_deaths(struct tern_pool *pool)
{
    int count = 0;

    if (pool->moving)
        return 0; /* the old server's keys cannot be released one by one */
    for (uint32_t number = 0; number < pool->ground->members; number++) {
        struct pool_seat *seat = pool_seat_of(pool, number);
        bool dead = seat->state == SEAT_LIVE && !seat->left && is_dead(pool, number);
        int status;

        if (seat->state == SEAT_FREE || (seat->state == SEAT_LIVE && !seat->left && !dead))
            continue;
        pool->counts.deaths += dead;
        status = pool_bury(pool, number);
        if (status)
            return status;
        count++;
    }
    return count;
}
