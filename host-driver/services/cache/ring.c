/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of the servers' maps: a client that subscribes has a ring for each server, to which the
 * server broadcasts batches.  The client takes them up whenever it is used. After a gap it reads
 * the whole map.
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

static int ask(struct tern_cache *cache, struct cache_part *part, bool ends)
{
    struct tern_info info;
    struct cache_ask ask = {.kind = ends ? CACHE_ASK_UNSUBSCRIBE : CACHE_ASK_SUBSCRIBE};
    int status = tern_query(cache->device, &info);

    ask.bytes = info.node;
    if (!status)
        status = cache_ask_server(cache, part, &ask);
    if (!status)
        part->heard = ask.sequence;
    return status;
}

int cache_ring_open(struct tern_cache *cache, struct cache_part *part)
{
    struct tern_region_attr attr = {.bytes = sizeof(struct cache_ring),
                                    .member = true,
                                    .keyed = true,
                                    .key = part->head.group_key};
    int status;

    part->ring = aligned_alloc(CACHE_ALIGN, (sizeof(struct cache_ring) + CACHE_ALIGN - 1) /
                                              CACHE_ALIGN * CACHE_ALIGN);
    if (!part->ring)
        return -TERN_ST_NO_MEMORY;
    memset(part->ring, 0, sizeof(*part->ring));
    attr.addr = part->ring;
    status = tern_register_with(cache->device, &attr, &part->ring_region);
    if (!status)
        status = ask(cache, part, false);
    return status;
}

void cache_ring_close(struct tern_cache *cache, struct cache_part *part)
{
    if (part->ring_region && tern_member_alive(part->member))
        (void)ask(cache, part, true);
    if (part->ring_region)
        (void)tern_release(part->ring_region);
    free(part->ring);
    part->ring = NULL;
    part->ring_region = NULL;
}

/* Reads a batch that its NIC may be writing: with its number at both ends, it is whole. */
static bool take(const struct cache_batch *from, uint64_t wanted, struct cache_batch *batch)
{
    if (__atomic_load_n(&from->end, __ATOMIC_ACQUIRE) != wanted ||
        __atomic_load_n(&from->sequence, __ATOMIC_ACQUIRE) != wanted)
        return false;
    *batch = *from;
    return batch->count <= CACHE_DELTAS;
}

static bool has_gap(const struct cache_part *part)
{
    for (unsigned i = 0; i < CACHE_BATCHES; i++)
        if (__atomic_load_n(&part->ring->batch[i].end, __ATOMIC_ACQUIRE) > part->heard + 1)
            return true;
    return false;
}

static uint64_t latest(const struct cache_part *part)
{
    uint64_t most = part->heard;

    for (unsigned i = 0; i < CACHE_BATCHES; i++) {
        uint64_t end = __atomic_load_n(&part->ring->batch[i].end, __ATOMIC_ACQUIRE);

        most = end > most ? end : most;
    }
    return most;
}

/* Takes up the batches that came; true: one is missing. */
static bool hear(struct tern_cache *cache, struct cache_part *part)
{
    struct cache_batch batch;
    int64_t now = cache_now_ms();

    while (take(&part->ring->batch[(part->heard + 1) % CACHE_BATCHES], part->heard + 1, &batch)) {
        part->heard++;
        cache->counts.batches++;
        for (uint32_t i = 0; i < batch.count; i++)
            cache_learn_entry(cache, part, &batch.entry[i], now);
    }
    return has_gap(part);
}

int cache_ring_hear(struct tern_cache *cache, struct cache_part *part)
{
    int status;

    if (!part->ring_region || !hear(cache, part))
        return 0;
    cache->counts.gaps++;
    part->heard = latest(part);
    status = cache_load_part(cache, part);
    return status < 0 ? status : 0;
}
