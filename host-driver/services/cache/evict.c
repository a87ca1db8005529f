/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eviction changes the link of the record's bucket, so that every change that had found the record
 * begins anew, and the key never seems to have the value again.  A record that is alone in its
 * bucket is evicted by emptying the bucket, as the sweep of the table does: the link gets a count
 * that no other had.  Any other is evicted as a client would delete it, by a record that says so,
 * on condition that it is still the newest of its key.
 */
#include <stdlib.h>
#include <time.h>

#include <tern/atomic.h>

#include "server.h"

enum {
    LOOK_MAX = 512,     /* records taken out in one look */
    ASK_MAX = 16,       /* because of one request */
    AT_A_TIME = 4,      /* an eviction takes one in so many slabs of a size, at most */
    LOST = 3,           /* grace periods */
    TAKEN_OUT = 0x8000, /* in a generation */
};

/* 1: done; 0: the record is not alone any more. */
static int empty_bucket(struct cache_owner *o, const struct cache_live *live, uint16_t generation)
{
    uint64_t offset =
        (uint64_t)((const uint8_t *)(live->bucket + TERN_NOD_less_WORD) - o->table_memory);
    uint64_t link = tern_link((uintptr_t)live->record, generation);
    uint64_t count = TERN_GET(NOD, user, live->bucket) + 1;
    struct tern_completion done;
    struct tern_once once;
    int status;

    TERN_SET(NOD, user, live->bucket, count);
    tern_once_begin(&once, o->sq, &done);
    status = tern_compare_swap(o->sq, tern_rptr_add(o->table.pointer.start, offset), link,
                               count << 32, TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, o->allocator.timeout_ms);
    if (status || done.status != TERN_ST_OK)
        return status ? status : -(int)done.status;
    if (done.value != link)
        return 0;
    tern_linked_set_generation(live->record, generation | TAKEN_OUT);
    return 1;
}

int cache_take_out(struct cache_owner *o, const struct cache_live *live)
{
    const struct tern_table_seen seen = {.place = cache_place_of(o, live->record),
                                         .generation =
                                             (uint16_t)TERN_GET(REC, generation, live->record)};
    int status;

    if (seen.generation & TAKEN_OUT)
        return 0; /* another record is taking its place at this moment */
    if (live->bucket && (status = empty_bucket(o, live, seen.generation)) != 0)
        return status;
    status = tern_table_shared_remove_wait(&o->writer, (const uint8_t *)live->record + CACHE_NODE,
                                           TERN_GET(REC, klen, live->record), &seen);
    return status == -TERN_ST_UNLIKE || status == -TERN_ST_NOT_FOUND || status == -TERN_ST_CONTENDED
               ? 0
           : status == 0 ? 1
                         : status;
}

/*
 * Takes a record out; 0, also where that takes a slab and all are taken: `*full` is set then.
 * Records that are alone in their bucket take none, so they make room for the others.
 */
static int take_out_if_room(struct cache_owner *o, struct cache_live *live, bool *full)
{
    int status;

    if (*full && !live->bucket)
        return 0;
    status = cache_take_out(o, live);
    if (status == -TERN_ST_FULL) {
        *full = true;
        return 0;
    }
    if (status < 0)
        return status;
    o->sizes[live->size].going++;
    live->size = UINT16_MAX; /* it is passed over from now on */
    return status;
}

/* ---- parts of values that are gone */

static int by_version(const void *a, const void *b)
{
    const struct cache_live *x = a, *y = b;

    if (x->version != y->version)
        return x->version < y->version ? -1 : 1;
    return (int)x->part - (int)y->part;
}

/* The name of the member that set it. */
static uint32_t setter(uint64_t version)
{
    return (uint32_t)(version >> 32);
}

static bool is_member(const struct cache_owner *o, uint64_t version)
{
    return tern_pool_has(o->pool, cache_setter(version));
}

/*
 * Tells whether a part without a value will get none: who set it has set something else since, as
 * each member sets one value at a time, or is no member any more.
 */
static bool is_lost(struct cache_owner *o, const struct cache_live *live, uint64_t greatest)
{
    struct cache_rank *rank = &o->ranks[cache_place_of(o, live->record)];

    if (!live->part || live->in_parts ||
        (greatest <= live->version && is_member(o, live->version))) {
        rank->lost = 0;
        return false;
    }
    rank->lost += o->fresh;
    return rank->lost >= LOST;
}

/* Marks parts that a value has, by `in_parts`: in the order, a value comes before its parts. */
static void mark_parts(struct cache_owner *o)
{
    uint64_t version = 0;

    if (o->live_count)
        qsort(o->live, o->live_count, sizeof(*o->live), by_version);
    for (size_t i = 0; i < o->live_count; i++) {
        if (o->live[i].in_parts)
            version = o->live[i].version;
        else if (o->live[i].part)
            o->live[i].in_parts = o->live[i].version == version;
    }
}

int cache_drop_lost(struct cache_owner *o)
{
    uint64_t greatest = 0;
    unsigned left = LOOK_MAX;
    bool full = false;

    mark_parts(o);
    for (size_t i = o->live_count; i-- > 0 && left;) {
        struct cache_live *live = &o->live[i];
        int status;

        if (setter(greatest) != setter(live->version))
            greatest = live->version;
        if (!is_lost(o, live, greatest))
            continue;
        status = take_out_if_room(o, live, &full);
        if (status < 0)
            return status;
        left -= status > 0;
    }
    return 0;
}

/* ---- records that nobody can read */

int cache_drop_stuck(struct cache_owner *o)
{
    bool full = false;

    for (size_t i = 0; i < o->live_count; i++) {
        int status = o->live[i].stuck ? take_out_if_room(o, &o->live[i], &full) : 0;

        if (status < 0)
            return status;
        o->counts.evicted += (uint64_t)status;
    }
    return 0;
}

/* ---- buckets that begin with a record that says deleted */

/* The same value in another slab: the bucket begins with that, and the sweep takes the rest off. */
static int set_anew(struct cache_owner *o, const struct cache_live *live)
{
    const uint8_t *key = (const uint8_t *)live->record + CACHE_NODE;
    const struct tern_table_seen seen = {.place = cache_place_of(o, live->record),
                                         .generation =
                                             (uint16_t)TERN_GET(REC, generation, live->record)};
    uint32_t key_bytes = (uint32_t)TERN_GET(REC, klen, live->record);
    struct tern_table_record body;
    int status;

    if (seen.generation & TAKEN_OUT ||
        tern_table_record_read(live->record, o->table.blocks[live->size].slab_bytes, key,
                               key_bytes, &body) != 0)
        return 0;
    status = tern_table_shared_set_wait(&o->writer, key, key_bytes, body.value, body.value_bytes,
                                        &seen);
    return status == -TERN_ST_UNLIKE || status == -TERN_ST_CONTENDED ? 0 : status;
}

int cache_free_deletions(struct cache_owner *o)
{
    unsigned left = LOOK_MAX;

    for (size_t i = 0; i < o->live_count && left; i++) {
        int status;

        if (!o->live[i].held || o->live[i].fixed || o->live[i].size > o->table.sizes)
            continue; /* a copy of a value could miss an update in place */
        status = set_anew(o, &o->live[i]);
        if (status)
            return status == -TERN_ST_FULL ? 0 : status;
        o->live[i].size = UINT16_MAX; /* a new record has its place */
        left--;
    }
    return 0;
}

/* ---- in which order */

static int by_use(const void *a, const void *b)
{
    const struct cache_live *x = a, *y = b;

    if (x->uses != y->uses)
        return x->uses < y->uses ? -1 : 1;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return by_version(a, b);
}

static int by_time(const void *a, const void *b)
{
    const struct cache_live *x = a, *y = b;

    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return by_version(a, b);
}

/* Returns the end of the records of one value, which follow each other. */
static size_t end_of_value(const struct cache_owner *o, size_t first)
{
    size_t end = first + 1;

    while (end < o->live_count && o->live[end].version == o->live[first].version)
        end++;
    return end;
}

/* A value and its parts are used as often as any of them. */
static void join_parts(struct cache_owner *o)
{
    for (size_t i = 0, end; i < o->live_count; i = end) {
        uint32_t uses = 0;
        uint64_t since = 0;

        end = end_of_value(o, i);
        for (size_t j = i; j < end; j++) {
            uses = o->live[j].uses > uses ? o->live[j].uses : uses;
            since = o->live[j].since > since ? o->live[j].since : since;
        }
        for (size_t j = i; j < end; j++) {
            o->live[j].uses = uses;
            o->live[j].since = since;
        }
    }
}

/* The parts of a value come right after it. */
static void order(struct cache_owner *o)
{
    mark_parts(o);
    join_parts(o);
    if (o->live_count)
        qsort(o->live, o->live_count, sizeof(*o->live),
              o->head->eviction == TERN_EVICT_LRU ? by_time : by_use);
}

/* ---- what expired */

static int expire(struct cache_owner *o, unsigned *left)
{
    uint32_t now = (uint32_t)time(NULL);
    bool full = false;

    for (size_t i = 0; i < o->live_count && *left; i++) {
        struct cache_live *live = &o->live[i];
        int status;

        if (live->expires == 0 || live->expires > now || live->size == UINT16_MAX)
            continue;
        status = take_out_if_room(o, live, &full);
        if (status < 0)
            return status;
        o->counts.expired += (uint64_t)status;
        *left -= status > 0;
    }
    return 0;
}

/* ---- what is used least */

/*
 * The memory of evicted records comes back grace periods later.  Without a limit, a small cache
 * that is full would be empty before its first slab is free.
 */
static uint32_t most_of(const struct cache_owner *o, unsigned size)
{
    uint32_t most = o->table.blocks[size].slabs / AT_A_TIME;

    return most ? most : 1;
}

/* Slabs of a size that should be free, or become free soon, and are not: as many as may go now. */
static uint32_t missing(const struct cache_owner *o, unsigned size, uint32_t want)
{
    const struct cache_size *s = &o->sizes[size];
    uint32_t most = most_of(o, size), coming = s->free + s->going;

    if (want == 0)
        want = 1;
    if (s->going >= most || coming >= want)
        return 0;
    return want - coming < most - s->going ? want - coming : most - s->going;
}

static uint32_t kept_free(const struct cache_owner *o, unsigned size)
{
    return (uint32_t)((uint64_t)o->table.blocks[size].slabs * o->head->free_percent / 100);
}

/* Tells whether a value has a record of a size of which slabs are missing. */
static bool is_wanted(const struct cache_owner *o, size_t first, size_t end,
                      const uint32_t *wanted)
{
    for (size_t i = first; i < end; i++)
        if (o->live[i].size <= o->table.sizes && wanted[o->live[i].size] != 0)
            return !o->live[first].part; /* a part alone: its value may be about to be set */
    return false;
}

/* Takes a value out, and then its parts. */
static int evict_value(struct cache_owner *o, size_t first, size_t end, uint32_t *wanted,
                       bool *full)
{
    for (size_t i = first; i < end; i++) {
        struct cache_live *live = &o->live[i];
        unsigned size = live->size;
        int status = size <= o->table.sizes ? take_out_if_room(o, live, full) : 0;

        if (status < 0 || (status == 0 && i == first))
            return status;
        if (status)
            wanted[size] -= wanted[size] != 0;
    }
    o->counts.evicted++;
    return 1;
}

/* Takes the first values, in order, of whose sizes slabs are missing. */
static int evict(struct cache_owner *o, uint32_t *wanted, unsigned left)
{
    bool full = false;

    for (size_t i = 0, end; i < o->live_count && left; i = end) {
        int status = 0;

        end = end_of_value(o, i);
        if (is_wanted(o, i, end, wanted))
            status = evict_value(o, i, end, wanted, &full);
        if (status < 0)
            return status;
        left -= status > 0;
    }
    return 0;
}

int cache_evict(struct cache_owner *o)
{
    uint32_t wanted[TERN_TABLE_SIZES_MAX + 1] = {0};
    unsigned left = LOOK_MAX;
    int status = expire(o, &left);

    if (status || o->head->eviction == TERN_EVICT_NONE)
        return status;
    for (unsigned size = 0; size < o->table.sizes; size++)
        wanted[size] = missing(o, size, kept_free(o, size));
    order(o);
    return evict(o, wanted, left);
}

int cache_make_room(struct cache_owner *o, uint32_t bytes)
{
    uint32_t wanted[TERN_TABLE_SIZES_MAX + 1] = {0};
    unsigned size = 0;
    int status;

    while (size < o->table.sizes && o->table.blocks[size].slab_bytes < bytes)
        size++;
    if (size == o->table.sizes)
        return -TERN_ST_BAD_LENGTH;
    status = cache_walk(o);
    if (status)
        return status;
    cache_hear_uses(o);
    if (o->head->eviction == TERN_EVICT_NONE)
        return o->sizes[size].free || o->sizes[size].going ? 0 : -TERN_ST_FULL;
    wanted[size] = missing(o, size, ASK_MAX);
    if (wanted[size] == 0)
        return 0;
    order(o);
    return evict(o, wanted, wanted[size]);
}

int cache_flush(struct cache_owner *o, uint32_t *count)
{
    int status = cache_walk(o);

    *count = 0;
    for (size_t i = 0; i < o->live_count && status >= 0; i++) {
        status = cache_take_out(o, &o->live[i]);
        *count += status > 0;
    }
    o->counts.flushed += *count;
    return status < 0 ? status : 0;
}
