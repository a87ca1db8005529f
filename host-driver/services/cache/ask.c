/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of a client to the servers: room for a record, and the end of all records. */
#include <string.h>

#include "cache.h"

int cache_ask_server(struct tern_cache *cache, struct cache_part *part, struct cache_ask *ask)
{
    uint8_t request[TERN_POOL_ASK] = {0};
    int status;

    ask->magic = CACHE_KIND;
    ask->cache = part->object.offset;
    memcpy(request, ask, sizeof(*ask));
    cache->counts.asked++;
    status = tern_member_ask(part->member, request, sizeof(request));
    if (status)
        return cache_told(part, status);
    memcpy(ask, request, sizeof(*ask));
    return ask->status;
}

int cache_pause(struct tern_cache *cache, int ms)
{
    int status = cache_hear(cache, ms);

    return status < 0 ? status : tern_cache_renew(cache);
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

    for (unsigned i = 0; i < cache->count; i++) {
        int one = flush_part(cache, &cache->parts[i]);

        if (one < 0)
            return one;
        count += one;
    }
    return count;
}
