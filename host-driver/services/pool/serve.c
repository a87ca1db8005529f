/* SPDX-License-Identifier: Apache-2.0 */
/* The server's loop, called by an application or in a thread of its own. */
#define _GNU_SOURCE
#include "server.h"

enum { LOOKS_A_LEASE = 16 };

static void tell(struct tern_pool *pool, const struct tern_completion *done)
{
    for (struct tern_pool_service *s = pool->services; s; s = s->next)
        if (s->told)
            s->told(s, done);
}

static int hear(struct tern_pool *pool)
{
    struct tern_completion done;
    int joins = 0, count;

    while ((count = tern_cq_poll(pool->cq, &done, 1)) > 0)
        if (done.opcode == TERN_OP_RECV) {
            joins += pool_admit(pool, &done);
            (void)tern_rq_release(pool->rq, 1);
        } else {
            tell(pool, &done);
        }
    return count < 0 ? count : joins;
}

/* Does everything that is due. Returns how many joins and deaths. */
static int turn(struct tern_pool *pool)
{
    int joins = hear(pool), deaths, status = 0;

    if (joins < 0)
        return joins;
    if (pool->moving)
        status = pool_move(pool);
    deaths = status ? status : pool_deaths(pool);
    if (deaths < 0)
        return deaths;
    status = pool_look(pool);
    for (struct tern_pool_service *s = pool->services; s && !status; s = s->next)
        if (s->turn)
            s->turn(s);
    return status ? status : joins + deaths;
}

static int turn_locked(struct tern_pool *pool)
{
    int done;

    pthread_mutex_lock(&pool->lock);
    done = pool->stopping ? -TERN_ST_BAD_STATE : turn(pool);
    pthread_mutex_unlock(&pool->lock);
    return done;
}

static int serve(struct tern_pool *pool, int timeout_ms)
{
    int pause = (int)pool->ground->lease_ms / LOOKS_A_LEASE + 1;
    int64_t end = pool_now_ms() + timeout_ms;

    for (;;) {
        int done = turn_locked(pool);
        int64_t left = timeout_ms < 0 ? pause : end - pool_now_ms();

        if (done != 0 || left <= 0)
            return done;
        done = tern_cq_wait(pool->cq, left < pause ? (int)left : pause);
        if (done && done != -TERN_ST_WAIT_EXPIRED)
            return done;
    }
}

int tern_pool_serve(struct tern_pool *pool, int timeout_ms)
{
    return pool->threaded ? -TERN_ST_BAD_STATE : serve(pool, timeout_ms);
}

static void *serving(void *arg)
{
    struct tern_pool *pool = arg;
    int status = 0;

    while (status != -TERN_ST_BAD_STATE && status != -TERN_ST_DISCONNECTED)
        status = serve(pool, -1);
    return NULL;
}

int tern_pool_thread(struct tern_pool *pool)
{
    if (pool->threaded)
        return -TERN_ST_BAD_STATE;
    pool->threaded = pthread_create(&pool->thread, NULL, serving, pool) == 0;
    return pool->threaded ? 0 : -TERN_ST_SYSTEM;
}
