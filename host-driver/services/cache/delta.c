/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server tells clients what changed in its map: it compares the links of all buckets with a
 * copy of its own, and broadcasts the entries of the records that are new, a packet for a batch, to
 * the rings of all clients that subscribed.  A batch has a number; a client that misses one reads
 * the whole map.
 */
#include <stdlib.h>
#include <string.h>

#include "server.h"

#include <tern/group.h>

enum { OPEN_TRIES = 4 };

struct cache_sharing {
    uint64_t *links; /* of all buckets, as they were told */
    uint16_t nodes[CACHE_SUBSCRIBERS];
    struct tern_holder holders[CACHE_SUBSCRIBERS];
    unsigned count;
    struct tern_group *group; /* of these; NULL: to be made */
    struct tern_region *region;
    struct cache_batch *batch;
    uint64_t sequence;
    bool self; /* the server's own node subscribed */
};

/* ---- who subscribed */

static void ungroup(struct cache_sharing *s)
{
    if (s->group && tern_group_destroy(s->group) == 0)
        s->group = NULL;
}

static void leave_out(struct cache_sharing *s, unsigned i)
{
    ungroup(s);
    s->count--;
    s->nodes[i] = s->nodes[s->count];
    s->holders[i] = s->holders[s->count];
}

static struct cache_sharing *sharing_of(struct cache_owner *o)
{
    size_t buckets = (size_t)1 << o->table.pointer.log2_buckets;
    struct cache_sharing *s = o->sharing;

    if (s)
        return s;
    s = calloc(1, sizeof(*s));
    if (s)
        s->links = calloc(buckets, sizeof(*s->links));
    if (s)
        s->batch = aligned_alloc(CACHE_ALIGN,
                                 (sizeof(*s->batch) + CACHE_ALIGN - 1) / CACHE_ALIGN * CACHE_ALIGN);
    if (s && s->batch)
        memset(s->batch, 0, sizeof(*s->batch));
    if (s && s->links && s->batch &&
        tern_register(tern_pool_device(o->pool), s->batch, sizeof(*s->batch), TERN_RIGHT_LOCAL_READ,
                      &s->region) == 0)
        return o->sharing = s;
    if (s) {
        free(s->links);
        free(s->batch);
    }
    free(s);
    return NULL;
}

int cache_subscribe(struct cache_owner *o, struct tern_holder holder, uint16_t node, bool ends,
                    uint64_t *sequence)
{
    struct cache_sharing *s = sharing_of(o);

    if (!s)
        return -TERN_ST_NO_MEMORY;
    for (unsigned i = 0; i < s->count; i++)
        if (s->nodes[i] == node)
            leave_out(s, i);
    *sequence = s->sequence;
    if (ends)
        return 0;
    if (s->count == CACHE_SUBSCRIBERS)
        return -TERN_ST_NO_RESOURCE;
    ungroup(s);
    s->nodes[s->count] = node;
    s->holders[s->count++] = holder;
    return 0;
}

/* Without the dead, and without one that has closed its ring. */
static int make_group(struct cache_owner *o, struct cache_sharing *s)
{
    int status = -TERN_ST_NOT_FOUND;
    struct tern_info info = {0};

    for (unsigned i = s->count; i-- > 0;)
        if (!tern_pool_has(o->pool, s->holders[i]))
            leave_out(s, i);
    for (unsigned tries = 0; s->count && !s->group && tries < OPEN_TRIES; tries++) {
        uint16_t node = 0;

        status = tern_group_create_list(o->cq, s->nodes, s->count, o->head->group_key,
                                        sizeof(struct cache_ring), &s->group);
        if (!status)
            status = tern_group_open(s->group, &node);
        if (!status)
            break;
        for (unsigned i = s->count; i-- > 0;)
            if (s->nodes[i] == node)
                leave_out(s, i);
        ungroup(s);
    }
    if (!status)
        status = tern_query(tern_pool_device(o->pool), &info);
    s->self = false;
    for (unsigned i = 0; !status && i < s->count; i++)
        s->self |= s->nodes[i] == info.node;
    return s->group ? 0 : status;
}

/* ---- batches */

static int send_batch(struct cache_owner *o, struct cache_sharing *s)
{
    struct cache_batch *b = s->batch;
    struct tern_completion done;
    unsigned flags = TERN_DFLAG_SIGNAL | TERN_DFLAG_UNACKED | (s->self ? TERN_DFLAG_SELF : 0u);
    int status;

    b->sequence = b->end = ++s->sequence;
    status = tern_bcast(o->sq, s->group, s->region, 0, sizeof(*b),
                        (b->sequence % CACHE_BATCHES) * sizeof(*b), flags, 0);
    if (!status)
        status = tern_cq_next(o->cq, &done, o->allocator.timeout_ms);
    o->counts.deltas += b->count;
    b->count = 0;
    if (!status && done.status != TERN_ST_OK)
        status = -(int)done.status;
    if (status)
        ungroup(s);
    return status;
}

static int add(struct cache_owner *o, struct cache_sharing *s, const struct cache_entry *entry)
{
    s->batch->entry[s->batch->count++] = *entry;
    return s->batch->count == CACHE_DELTAS ? send_batch(o, s) : 0;
}

/* The entry of a record; of one that says deleted, one without a place. */
static struct cache_entry entry_of(const struct cache_owner *o, const uint32_t *record)
{
    struct cache_entry entry = {.code = cache_code(TERN_GET(REC, hash, record)),
                                .place = cache_place_of(o, record)};
    struct tern_table_record body;
    struct cache_value value;

    if (tern_table_record_read(record, CACHE_ROOM_MAX, (const uint8_t *)record + CACHE_NODE,
                               TERN_GET(REC, klen, record), &body) ||
        body.value_bytes < sizeof(value))
        return entry;
    memcpy(&value, body.value, sizeof(value));
    entry.generation = (uint16_t)TERN_GET(REC, generation, record);
    entry.version = (uint16_t)(value.version >> 1);
    entry.expires = value.expires;
    if (entry.generation >> 15)
        entry.generation = 0;
    return entry;
}

/* All records before the one that the link was to; the sweep may have unlinked that. */
static int tell_bucket(struct cache_owner *o, struct cache_sharing *s, uint64_t before,
                       uint64_t now)
{
    const uint32_t *old = (const uint32_t *)(uintptr_t)tern_link_addr(before);
    const uint32_t *at = (const uint32_t *)(uintptr_t)tern_link_addr(now);
    int status = 0;

    if ((uint32_t)now == 0)
        return 0;
    for (unsigned i = 0; i < CACHE_DELTAS && at && at != old && !status; i++) {
        struct cache_entry entry = entry_of(o, at);
        uint64_t next = tern_linked_less(at);

        status = add(o, s, &entry);
        at = (uint32_t)next == 0 ? NULL : (const uint32_t *)(uintptr_t)tern_link_addr(next);
    }
    return status;
}

int cache_share(struct cache_owner *o)
{
    size_t buckets = (size_t)1 << o->table.pointer.log2_buckets;
    struct cache_sharing *s = o->sharing;
    int status;

    if (!s || s->count == 0)
        return 0;
    status = s->group ? 0 : make_group(o, s);
    if (status)
        return status == -TERN_ST_NOT_FOUND || status == -TERN_ST_AGAIN ? 0 : status;
    for (size_t i = 0; i < buckets && !status; i++) {
        const uint32_t *bucket = (const uint32_t *)(const void *)(o->table_memory + i * CACHE_NODE);
        uint64_t link = __atomic_load_n(
            (const uint64_t *)(const void *)(bucket + TERN_NOD_less_WORD), __ATOMIC_ACQUIRE);

        if (link == s->links[i])
            continue;
        status = tell_bucket(o, s, s->links[i], link);
        s->links[i] = link;
    }
    if (!status && s->batch->count)
        status = send_batch(o, s);
    return status;
}

void cache_sharing_free(struct cache_owner *o)
{
    struct cache_sharing *s = o->sharing;

    if (!s)
        return;
    ungroup(s);
    if (s->region)
        (void)tern_release(s->region);
    free(s->links);
    free(s->batch);
    free(s);
    o->sharing = NULL;
}
