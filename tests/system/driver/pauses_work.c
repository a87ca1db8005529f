/* SPDX-License-Identifier: Apache-2.0 */
/* Clients of a run of pauses: how each opens, what it holds, and what it checks of it. */
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>

#include "pauses_work.h"

/* ---- opened and closed */

static const struct tern_heap_config heap_configs[PAUSE_KINDS] = {
    [WITH_FAST] = {.path = TERN_ALLOC_FAST},
    [WITH_LITERAL] = {.path = TERN_ALLOC_LITERAL},
    [WITH_STOCK] = {.path = TERN_ALLOC_FAST, .stock = 32},
};

static int open_member(struct pause_worker *w)
{
    int status = tern_member_join(w->device, tern_node(POOL_NODE, 0, 0), POOL_TEST_NAME,
                                  TERN_POOL_WRITE, &w->member);

    if (status)
        return status;
    w->me = tern_member_holder(w->member);
    w->life = pauses_had();
    atomic_store(&w->board->client[w->client->number], pause_name(w->me));
    return 0;
}

static void open_slabs(struct pause_worker *w)
{
    w->slabs = (struct tern_allocator){.blocks = w->board->blocks, .holder = w->me, .cq = w->cq,
                                       .sq = w->sq, .timeout_ms = POOL_WAIT_MS};
}

/* The table, as the server has made it in memory of its own. */
static int open_table(struct pause_worker *w)
{
    struct tern_table_shared *table = &w->writer.table;
    void *like = aligned_alloc(PAUSE_UNIT, PAUSE_TABLE_BYTES);
    int status = like ? tern_table_shared_init(table, like, PAUSE_TABLE_BYTES, &w->board->shape)
                      : -TERN_ST_NO_MEMORY;

    free(like);
    w->writer.holder = w->me;
    w->writer.cq = w->cq;
    w->writer.sq = w->sq;
    w->writer.timeout_ms = POOL_WAIT_MS;
    w->writer.region = w->region;
    w->writer.scratch = w->scratch;
    return status;
}

static int open_all(struct pause_worker *w)
{
    enum pause_kind kind = w->client->kind;
    int status = tern_cq_create(w->device, 6, 0, &w->cq);

    if (!status)
        status = tern_sq_create(w->cq, 4, &w->sq);
    if (!status)
        status = tern_register(w->device, w, sizeof(*w),
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &w->region);
    if (!status)
        status = open_member(w);
    if (status)
        return status;
    if (kind == WITH_SLABS)
        open_slabs(w);
    if (kind == WITH_TABLE)
        return open_table(w);
    return kind < WITH_SLABS
               ? tern_heap_open(&w->member, 1, "heap", &heap_configs[kind], &w->heap)
               : 0;
}

/* Keeps its lease, for longer than one, between two steps of an operation. */
static void linger(void *of)
{
    struct pause_worker *w = of;
    uint32_t lease = tern_member_lease(w->member);

    for (unsigned i = 0; i < 24; i++) {
        (void)tern_member_renew(w->member);
        pool_rig_pause(lease / 16);
    }
}

struct pause_worker *pauses_worker_open(const struct pause_client *client, int *status)
{
    struct pause_worker *w = calloc(1, sizeof(*w));

    gives(w != NULL, true, "memory");
    w->client = client;
    w->board = client->board;
    w->random = client->seed + pauses_messages();
    w->device = rig_open(client->rig, client->number % POOL_RING);
    *status = open_all(w);
    pauses_linger = linger;
    pauses_linger_of = w;
    return w;
}

void pauses_worker_close(struct pause_worker *w)
{
    tern_heap_close(w->heap);
    tern_member_quit(w->member);
    tern_close(w->device);
    free(w);
}

int pauses_work(struct pause_worker *w)
{
    atomic_fetch_add(&w->board->calls, 1);
    if (w->client->kind < WITH_SLABS)
        return work_with_heap(w);
    return w->client->kind == WITH_SLABS ? work_with_slabs(w) : work_with_table(w);
}

/* ---- what is held */

bool work_is_buried(const struct pause_worker *w)
{
    return pauses_had() != w->life;
}

int work_end(struct pause_worker *w, unsigned entered, int posted)
{
    int status = posted;

    if (!status)
        status = -(int)next_completion(w->cq, POOL_WAIT_MS).status;
    tern_member_leave(w->member, entered, status);
    return status;
}

/* A pattern of the holder, the place and the generation. */
static unsigned seed_of(const struct pause_worker *w, const struct work_slab *slab)
{
    return pause_name(w->me) * 7919u + slab->place * 31u + slab->at.generation +
           slab->slab.generation;
}

/* Asks the server whether `name` is a member: 1, 0, or how this member fails itself. */
static int has(struct pause_worker *w, uint32_t name)
{
    struct pause_question q = {.magic = PAUSE_MAGIC, .holder = pause_holder(name)};
    int status = tern_member_ask(w->member, &q, sizeof(q));

    return status ? status : (int)q.has;
}

/* Another one is in the map: one of the two must have been buried. */
static int dispute(struct pause_worker *w, uint32_t other)
{
    int there = has(w, other), here;

    if (there <= 0)
        return there;
    here = has(w, pause_name(w->me));
    if (here < 0)
        return here;
    if (here == 0)
        return -TERN_ST_LEASE_OVER;
    pause_fault(w->board, TWO_HOLDERS);
    return 0;
}

static int enter(struct pause_worker *w, uint32_t place)
{
    _Atomic uint32_t *holder = &w->board->holder[place];
    uint32_t other = 0;

    while (!atomic_compare_exchange_strong(holder, &other, pause_name(w->me))) {
        int status = dispute(w, other);

        if (status)
            return status;
    }
    return 0;
}

int work_claim(struct pause_worker *w, struct tern_rptr at, const struct work_slab *slab)
{
    bool buried = work_is_buried(w);
    unsigned entered = tern_member_enter(w->member);
    int status;

    rig_fill(w->out, slab->bytes, seed_of(w, slab));
    status = work_end(w, entered,
                      tern_put(w->sq, at, w->region, w->out, slab->bytes, TERN_DFLAG_SIGNAL, 0));
    if (status)
        return status;
    if (buried)
        pause_fault(w->board, LATE);
    atomic_fetch_add(&w->board->checks, 1);
    return enter(w, slab->place);
}

int work_yield(struct pause_worker *w, struct tern_rptr at, const struct work_slab *slab)
{
    unsigned entered = tern_member_enter(w->member);
    uint32_t name = pause_name(w->me);
    bool intact;
    int status = work_end(w, entered, tern_read(w->sq, at, w->region, w->in, slab->bytes,
                                                TERN_DFLAG_SIGNAL, 0));

    if (status)
        return status;
    intact = rig_holds(w->in, slab->bytes, seed_of(w, slab));
    if (!intact)
        pause_fault(w->board, TORN);
    if (!atomic_compare_exchange_strong(&w->board->holder[slab->place], &name, 0) &&
        !work_is_buried(w))
        pause_fault(w->board, TWO_HOLDERS);
    return 0;
}
