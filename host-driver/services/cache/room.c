/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for room for a record; and the end of all records. */
#include "cache.h"

int cache_pause(struct tern_cache *cache, int ms)
{
    int status = cache_hear(cache, ms);

    return status < 0 ? status : tern_cache_renew(cache);
}

/* ---- room for a record */

enum {
    ROOM_LEASES = 16, /* of the pool: so long a set waits for room */
    ROOM_PARTS = 16,  /* of a lease between two tries */
};

int64_t cache_room_end(const struct cache_part *part)
{
    return cache_now_ms() + ROOM_LEASES * (int64_t)tern_member_lease(part->member);
}

int cache_room_pause(struct tern_cache *cache, const struct cache_part *part)
{
    return cache_pause(cache, (int)tern_member_lease(part->member) / ROOM_PARTS + 1);
}

/* The server shall know what is used before it chooses. */
static int tell_now(struct tern_cache *cache, struct cache_part *part)
{
    int status;

    part->tell_at = 0;
    status = tern_cache_renew(cache);
    if (!status && part->telling)
        (void)cache_await(cache, &part->told);
    return status;
}

int cache_wait_for_room(struct tern_cache *cache, struct cache_part *part, uint32_t bytes,
                        int64_t end)
{
    struct cache_ask ask = {.kind = CACHE_ASK_ROOM, .bytes = bytes};
    int status = tell_now(cache, part);

    if (!status)
        status = cache_ask_server(cache, part, &ask);
    if (status)
        return status;
    return cache_now_ms() < end ? cache_room_pause(cache, part) : -TERN_ST_FULL;
}

/* ---- the end of all records */

/* The server needs slabs for it, which come back grace period by grace period. */
static int flush_part(struct tern_cache *cache, struct cache_part *part)
{
    int64_t end = cache_now_ms() + 16 * (int64_t)tern_member_lease(part->member);
    int count = 0;

    while (cache_now_ms() < end) {
        struct cache_ask ask = {.kind = CACHE_ASK_FLUSH};
        int status = cache_ask_server(cache, part, &ask);

        count += (int)ask.count;
        if (status == 0)
            return count;
        if (status != -TERN_ST_FULL)
            return status;
        status = cache_pause(cache, (int)tern_member_lease(part->member) / 4 + 1);
        if (status)
            return status;
    }
    return -TERN_ST_FULL;
}

int tern_cache_flush(struct tern_cache *cache)
{
    int count = 0;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    for (unsigned i = 0; i < cache->count; i++) {
        int one = flush_part(cache, &cache->parts[i]);

        if (one < 0)
            return one;
        count += one;
    }
    return count;
}
