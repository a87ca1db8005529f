/* SPDX-License-Identifier: Apache-2.0 */
/* Leases of members, the history of used records, and changes that servers tell. */
#include <string.h>

#include "cache.h"

/* Posts the page of what was used most since the last one, every quarter of a lease. */
static int tell(struct tern_cache *cache, struct cache_part *part, int64_t now)
{
    struct cache_page *page = &cache->memory->page;
    unsigned owner = tern_member_holder(part->member).owner, count;
    int status;

    if (owner == 0 || owner > part->head.clients || part->head.sample_log2 ||
        now < part->tell_at)
        return 0;
    for (unsigned i = 0; i < cache->count; i++)
        if (cache->parts[i].telling)
            return 0;
    memset(page->use, 0, sizeof(page->use));
    count = cache_map_uses(&cache->map, part->number, page->use, CACHE_USES);
    part->tell_at = now + part->head.lease_ms / 4;
    if (count == 0)
        return 0;
    page->count++;
    part->told.over = false;
    part->told_entered = tern_member_enter(part->member);
    status = tern_put(
        cache->sq,
        tern_rptr_add(part->start, part->head.pages + (owner - 1) * (uint64_t)sizeof(*page)),
        cache->region, page, sizeof(*page), TERN_DFLAG_SIGNAL, (uint64_t)(uintptr_t)&part->told);
    part->telling = status == 0;
    cache->counts.histories += status == 0;
    if (status)
        tern_member_leave(part->member, part->told_entered, 0);
    return status == -TERN_ST_AGAIN ? 0 : status;
}

int tern_cache_renew(struct tern_cache *cache)
{
    int64_t now = cache_now_ms();
    int status;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    status = cache_hear(cache, 0);
    status = status < 0 ? status : 0;
    for (unsigned i = 0; i < cache->count; i++) {
        struct cache_part *part = &cache->parts[i];
        int one = cache_part_ready(part);

        if (part->telling && part->told.over) {
            part->telling = false;
            tern_member_leave(part->member, part->told_entered, part->told.status);
        }
        if (!one)
            one = cache_ring_hear(cache, part);
        if (!one)
            one = tell(cache, part, now);
        status = status ? status : one;
    }
    return status;
}
