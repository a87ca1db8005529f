/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grace periods: an operation that begins after the end of one sees all changes that were made
 * before it began.
 *
 * A member publishes a number after all operations begun before its last number have ended. A
 * number that is on its way may belong to a time before the look, and the one after it to
 * operations that began while the first was on its way.  So a period ends when each member that was
 * alive at the look has advanced by three (decision 0053, tests/models).
 */
#define _GNU_SOURCE
#include "server.h"

enum { ADVANCE = 3 };

static uint32_t number_of(struct tern_pool *pool, uint32_t seat)
{
    return __atomic_load_n(&pool_lease_of(pool->ground, seat)->number, __ATOMIC_ACQUIRE);
}

/* A member that died since has been fenced and drained when its seat is free. */
static bool has_advanced(struct tern_pool *pool, uint32_t seat)
{
    const struct pool_watch *watch = &pool->watch[seat];
    const struct pool_seat *now = pool_seat_of(pool, seat);

    if (watch->epoch == 0 || now->state == SEAT_FREE || now->epoch != watch->epoch)
        return true;
    return number_of(pool, seat) - watch->number >= ADVANCE;
}

static bool is_over(struct tern_pool *pool)
{
    for (uint32_t seat = 0; seat < pool->ground->members; seat++)
        if (!has_advanced(pool, seat))
            return false;
    return true;
}

/* The words have been read: now the numbers. */
static void begin(struct tern_pool *pool)
{
    for (uint32_t seat = 0; seat < pool->ground->members; seat++) {
        const struct pool_seat *now = pool_seat_of(pool, seat);

        pool->watch[seat].epoch = now->state == SEAT_FREE ? 0 : now->epoch;
        pool->watch[seat].number = number_of(pool, seat);
    }
}

static int let_look(struct tern_pool *pool)
{
    for (struct tern_pool_service *s = pool->services; s; s = s->next) {
        int status = s->look ? s->look(s, pool->period - s->since) : 0;

        if (status < 0)
            return status;
    }
    return 0;
}

int pool_look(struct tern_pool *pool)
{
    bool over = is_over(pool);
    int status;

    if (!over && !pool->look_again)
        return 0;
    pool->period += over;
    status = let_look(pool);
    pool->look_again = status != 0;
    if (status) {
        pool->period -= over;
        return status;
    }
    if (over) {
        begin(pool);
        pool->counts.looks++;
    }
    return 0;
}

struct tern_sq *tern_pool_queue(struct tern_pool *pool)
{
    return pool->sq;
}

struct tern_rptr tern_pool_rptr(struct tern_pool *pool, uint64_t offset)
{
    return tern_region_pointer(pool->region, pool->ground->objects + offset);
}

bool tern_pool_has(struct tern_pool *pool, struct tern_holder holder)
{
    const struct pool_seat *seat;

    if (holder.owner == 0 || holder.owner > pool->ground->members)
        return false;
    seat = pool_seat_of(pool, holder.owner - 1u);
    return seat->state != SEAT_FREE && seat->epoch == holder.epoch;
}

void tern_pool_attach(struct tern_pool *pool, struct tern_pool_service *service)
{
    pthread_mutex_lock(&pool->lock);
    service->since = pool->period;
    service->next = pool->services;
    pool->services = service;
    pool->look_again = true;
    pthread_mutex_unlock(&pool->lock);
}
