/* SPDX-License-Identifier: Apache-2.0 */
/* Gets of keys, one or many, waited for or not. */
#include <string.h>

#include "cache.h"

int cache_get_finish(struct cache_get *get)
{
    struct tern_cache_counts *counts = &get->cache->counts;
    struct cache_value value;
    int status = cache_get_end(get, &value);

    if (!status && value.part_bytes)
        status = cache_parts_get(get->cache, get->part, &value, get->item->value);
    counts->gets++;
    counts->hits += status == 0 || status == -TERN_ST_BAD_SIZE;
    counts->misses += status == -TERN_ST_NOT_FOUND;
    return status;
}

/* ---- for the caller */

static bool is_key(const void *key, size_t key_bytes)
{
    return key && key_bytes >= 1 && key_bytes <= TERN_CACHE_KEY_MAX;
}

static struct cache_get *new_item(struct tern_cache *cache, const void *key, size_t key_bytes,
                                  struct tern_item *item)
{
    uint8_t whole[CACHE_KEY] = {CACHE_KEY_ITEM};

    memcpy(whole + 1, key, key_bytes);
    return cache_get_new(cache, cache_part_of(cache, key, key_bytes), whole, key_bytes + 1, item);
}

int tern_cache_post_get(struct tern_cache *cache, const void *key, size_t key_bytes,
                        struct tern_item *item, uint64_t context)
{
    struct cache_get *get;
    int status;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    if (!is_key(key, key_bytes))
        return -TERN_ST_BAD_LENGTH;
    get = new_item(cache, key, key_bytes, item);
    if (!get)
        return -TERN_ST_AGAIN;
    get->context = context;
    get->posted = true;
    status = cache_get_start(get, 0);
    if (status)
        get->used = false;
    return status;
}

int tern_cache_poll(struct tern_cache *cache, struct tern_cache_done *out, int max)
{
    int count = 0, status = tern_cache_renew(cache);

    for (unsigned i = 0; i < CACHE_GETS && count < max; i++) {
        struct cache_get *get = &cache->get[i];

        if (!get->used || !get->posted || !get->end.over)
            continue;
        out[count].context = get->context;
        out[count++].status = cache_get_finish(get);
    }
    return count || status == 0 ? count : status;
}

int tern_cache_get(struct tern_cache *cache, const void *key, size_t key_bytes,
                   struct tern_item *item)
{
    const struct tern_cache_key one = {key, key_bytes};
    int answer = 0, status = tern_cache_mget(cache, &one, item, &answer, 1);

    return status < 0 ? status : answer;
}

/* Starts gets from `*at` on until there is no room for more: how many; `*lost`: why no more. */
static unsigned start_some(struct tern_cache *cache, const struct tern_cache_key *keys,
                           struct tern_item *items, int *status, unsigned *at, unsigned count,
                           struct cache_get **under_way, int *lost)
{
    unsigned started = 0;

    for (; *at < count && started < CACHE_GETS && !*lost; ++*at) {
        struct cache_get *get;
        int begun;

        if (!is_key(keys[*at].bytes, keys[*at].length)) {
            status[*at] = -TERN_ST_BAD_LENGTH;
            continue;
        }
        get = new_item(cache, keys[*at].bytes, keys[*at].length, &items[*at]);
        if (!get)
            break;
        begun = cache_get_start(get, count > 1 ? TERN_MORE : 0);
        if (begun) {
            get->used = false;
            *lost = begun == -TERN_ST_AGAIN ? 0 : begun;
            break;
        }
        get->context = *at;
        under_way[started++] = get;
    }
    return started;
}

int tern_cache_mget(struct tern_cache *cache, const struct tern_cache_key *keys,
                    struct tern_item *items, int *status, unsigned count)
{
    int lost = tern_cache_renew(cache);
    unsigned at = 0;
    int found = 0;

    while (!lost && at < count) {
        struct cache_get *under_way[CACHE_GETS];
        unsigned started = start_some(cache, keys, items, status, &at, count, under_way, &lost);

        if (count > 1)
            (void)tern_sq_flush(cache->sq);
        if (started == 0 && at < count && !lost)
            lost = cache_hear(cache, 1) < 0 ? -TERN_ST_DISCONNECTED : 0;
        for (unsigned i = 0; i < started; i++)
            (void)cache_await(cache, &under_way[i]->end);
        for (unsigned i = 0; i < started; i++) {
            uint64_t which = under_way[i]->context;

            status[which] = cache_get_finish(under_way[i]);
            found += status[which] == 0;
        }
    }
    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    return lost ? cache_told(&cache->parts[0], lost) : found;
}
