/* SPDX-License-Identifier: Apache-2.0 */
/* READs of a server's head, of its figures, and of the map that it hands out. */
#include <tern/read.h>

#include "cache.h"

/* Reads `bytes` of the pool at the object's `offset`, and waits. */
int cache_read_part(struct tern_cache *cache, struct cache_part *part, uint64_t offset, void *to,
                    uint32_t bytes)
{
    struct cache_end end = {.over = false};
    unsigned entered = tern_member_enter(part->member);
    int status = tern_read(cache->sq, tern_member_at(part->member, part->object.offset + offset),
                           cache->region, to, bytes, TERN_DFLAG_SIGNAL, (uint64_t)(uintptr_t)&end);

    if (!status)
        status = cache_await(cache, &end);
    tern_member_leave(part->member, entered, status);
    return cache_told(part, status);
}

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/* ---- the server's map */

void cache_learn_entry(struct tern_cache *cache, const struct cache_part *part,
                       const struct cache_entry *entry, int64_t now)
{
    const struct cache_known known = {
        .link = tern_link(addr_of(part->table.pointer.start) + (uint64_t)entry->place * CACHE_NODE,
                          entry->generation),
        .until = now + part->head.lease_ms,
        .code = entry->code,
        .place = entry->place,
        .generation = entry->generation,
        .version = entry->version,
        .part = part->number,
        .nodes = (uint16_t)(cache_slab_bytes(part, entry->place) / CACHE_NODE),
        .expires = entry->expires};
    bool full;

    if (entry->generation == 0) {
        cache_map_drop(&cache->map, entry->code, part->number);
        return;
    }
    (void)cache_map_learn(&cache->map, &known, now, &full);
    cache->counts.learnt++;
    cache->counts.map_full += full;
}

int cache_load_part(struct tern_cache *cache, struct cache_part *part)
{
    const uint32_t window = sizeof(cache->memory->entries) / sizeof(cache->memory->entries[0]);
    int count = 0, status = cache_part_ready(part);

    for (uint32_t at = 0; !status && at < part->head.map_entries; at += window) {
        uint32_t entries =
            part->head.map_entries - at < window ? part->head.map_entries - at : window;
        int64_t now = cache_now_ms();

        status =
            cache_read_part(cache, part, part->head.map + at * sizeof(struct cache_entry),
                            cache->memory->entries, entries * (uint32_t)sizeof(struct cache_entry));
        for (uint32_t i = 0; !status && i < entries; i++)
            if (cache->memory->entries[i].generation) {
                cache_learn_entry(cache, part, &cache->memory->entries[i], now);
                count++;
            }
    }
    return status ? status : count;
}

int tern_cache_load(struct tern_cache *cache)
{
    int count = 0;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    for (unsigned i = 0; i < cache->count; i++) {
        int one = cache_load_part(cache, &cache->parts[i]);

        if (one < 0)
            return one;
        count += one;
    }
    return count;
}

int tern_cache_stat(struct tern_cache *cache, unsigned server, struct tern_cache_served *out)
{
    struct cache_part *part = &cache->parts[server];
    int status;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    status = server < cache->count ? cache_part_ready(part) : -TERN_ST_BAD_RANGE;
    if (!status)
        status = cache_read_part(cache, part, offsetof(struct cache_head, served),
                                 &cache->memory->head.served, sizeof(*out));
    if (!status)
        *out = cache->memory->head.served;
    return status;
}
