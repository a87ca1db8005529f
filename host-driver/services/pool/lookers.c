/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks of the services, a grace period apart: an operation that begins after the end of a period
 * sees all changes that were made before it began.  The members' numbers are in their lease pages.
 */
#define _GNU_SOURCE
#include "server.h"

#include <stdlib.h>

/*
 * Returns the member in a seat. A dead member stays until it has been fenced and drained; then its
 * seat is free.
 */
static struct tern_pace pace(void *of, unsigned place)
{
    struct tern_pool *pool = of;
    const struct pool_seat *seat = pool_seat_of(pool, place);

    if (seat->state == SEAT_FREE)
        return (struct tern_pace){.number = 0};
    return (struct tern_pace){
        .holder = {(uint16_t)(place + 1), seat->epoch},
        .number = __atomic_load_n(&pool_lease_of(pool->ground, place)->number, __ATOMIC_ACQUIRE)};
}

int pool_looks_open(struct tern_pool *pool)
{
    pool->grace.progress = (struct tern_progress){pool->ground->members, pace, NULL, pool};
    pool->grace.marks = calloc(pool->ground->members, sizeof(*pool->grace.marks));
    return pool->grace.marks ? 0 : -TERN_ST_NO_MEMORY;
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
    bool over = tern_grace_is_over(&pool->grace);
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
        tern_grace_begin(&pool->grace);
        pool->counts.looks++;
    }
    return 0;
}

struct tern_device *tern_pool_device(struct tern_pool *pool)
{
    return pool->device;
}

struct tern_cq *tern_pool_events(struct tern_pool *pool)
{
    return pool->cq;
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
