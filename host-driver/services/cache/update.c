/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates of values in place.  A record has a word with the number of its last update:
 *   LOOK    a get of the key: it brings the record and the number
 *   SEIZE   compare-and-swap of the number by an odd one: no other client can do that now, and the
 *           checksum of the record is wrong
 *   WRITE   puts of the value and of the checksum that it will have
 *   LEAVE   compare-and-swap by the even number, which makes the checksum right
 *
 * The client is inside of one grace period throughout, so the record's memory gets no other record
 * meanwhile.  A set of the key may come between: then the update took effect just before it.
 */
#include <string.h>

#include <tern/atomic.h>

#include "cache.h"

struct update {
    struct tern_cache *cache;
    struct cache_part *part;
    struct tern_item *item;
    uint8_t key[CACHE_KEY];
    size_t key_bytes;
    uint64_t before, number; /* of the last update, and of this one */
    uint8_t *record;         /* registered */
    struct tern_rptr at;
};

/* ---- LOOK */

static int wait_for_get(struct update *u, struct tern_item *item, struct cache_get **get)
{
    struct tern_cache *cache = u->cache;
    int status;

    while (!(*get = cache_get_new(cache, u->part, u->key, u->key_bytes, item)))
        if (cache_hear(cache, 1) < 0)
            return -TERN_ST_DISCONNECTED;
    (*get)->hasty = true;
    while ((status = cache_get_start(*get, 0)) == -TERN_ST_AGAIN)
        if (cache_hear(cache, 1) < 0)
            break;
    if (status) {
        (*get)->used = false;
        return status;
    }
    (void)cache_await(cache, &(*get)->end);
    return 0;
}

/* Takes the record that was found.  STALE_POINTER: it was taken out at this moment. */
static int take(struct update *u, const struct cache_get *get)
{
    struct cache_value value = cache_get_value(get);
    struct tern_table_seen seen = get->body.at;

    if (value.kind != CACHE_FIXED)
        return -TERN_ST_BAD_STATE;
    if (value.bytes != u->item->bytes)
        return -TERN_ST_BAD_LENGTH;
    u->before = cache_get_word(get);
    if (u->item->cas && u->item->cas != u->before)
        return -TERN_ST_UNLIKE;
    if (seen.generation == 0)
        return -TERN_ST_STALE_POINTER;
    u->at = tern_rptr_add(u->part->table.pointer.start, (uint64_t)seen.place * CACHE_NODE);
    memcpy(u->record, get->record, CACHE_NODE + get->key_bytes + get->body.value_bytes);
    return 0;
}

static int look(struct update *u)
{
    struct tern_item item = {0}; /* the end of the get tells of the value's time alone */
    struct cache_get *get = NULL;
    int status = wait_for_get(u, &item, &get), taken;

    if (status)
        return status;
    taken = get->end.status ? get->end.status : take(u, get);
    status = cache_get_finish(get);
    return status && status != -TERN_ST_BAD_SIZE ? status : taken;
}

/* ---- SEIZE, WRITE, LEAVE */

static int swap(struct update *u, uint64_t from, uint64_t to, uint64_t *found)
{
    struct tern_rptr word = tern_rptr_add(u->at, cache_word_at(u->key_bytes));
    struct cache_end end = {0};
    int status;

    while ((status = tern_compare_swap(u->cache->sq, word, from, to, TERN_DFLAG_SIGNAL,
                                       (uint64_t)(uintptr_t)&end)) == -TERN_ST_AGAIN)
        if (cache_hear(u->cache, 1) < 0)
            return -TERN_ST_DISCONNECTED;
    if (!status)
        status = cache_await(u->cache, &end);
    *found = end.value;
    return status;
}

/* Place and checksum share a word; the place stays. */
static uint64_t sum_word(const uint8_t *record)
{
    uint64_t word;

    memcpy(&word, record + (size_t)TERN_REC_place_WORD * 4, sizeof(word));
    return word;
}

static int write_it(struct update *u)
{
    struct tern_cache *cache = u->cache;
    uint32_t word = cache_word_at(u->key_bytes), value = word + CACHE_WORD;
    struct cache_end ends[2] = {{0}, {0}};
    uint64_t sum;
    int status;

    memcpy(u->record + word, &u->number, CACHE_WORD);
    if (u->item->bytes)
        memcpy(u->record + value, u->item->value, u->item->bytes);
    TERN_SET(REC, crc, (uint32_t *)(void *)u->record, tern_table_record_sum(u->record));
    sum = sum_word(u->record);
    while (!tern_sq_room(cache->sq, 2))
        if (cache_hear(cache, 1) < 0)
            return -TERN_ST_DISCONNECTED;
    ends[0].over = u->item->bytes == 0;
    status = ends[0].over ? 0
                          : tern_put(cache->sq, tern_rptr_add(u->at, value), cache->scratch_region,
                                     u->record + value, (uint32_t)u->item->bytes,
                                     TERN_DFLAG_SIGNAL | TERN_MORE, (uint64_t)(uintptr_t)&ends[0]);
    if (!status)
        status = tern_put_inline(cache->sq,
                                 tern_rptr_add(u->at, (uint64_t)TERN_REC_place_WORD * 4), &sum,
                                 sizeof(sum), TERN_DFLAG_SIGNAL, (uint64_t)(uintptr_t)&ends[1]);
    if (status)
        return status;
    status = cache_await(cache, &ends[0]);
    if (!status)
        status = cache_await(cache, &ends[1]);
    else
        (void)cache_await(cache, &ends[1]);
    return status;
}

/* AGAIN: another client was quicker, or is updating now. */
static int update(struct update *u)
{
    uint64_t found;
    int status = look(u);

    if (status == -TERN_ST_STALE_POINTER || status == -TERN_ST_CONTENDED)
        return -TERN_ST_AGAIN;
    if (status)
        return status;
    u->number = cache_next_version(u->part);
    status = swap(u, u->before, u->number | CACHE_BUSY, &found);
    if (!status && found != u->before)
        return -TERN_ST_AGAIN;
    if (!status)
        status = write_it(u);
    if (!status)
        status = swap(u, u->number | CACHE_BUSY, u->number, &found);
    return status;
}

int tern_cache_update(struct tern_cache *cache, const void *key, size_t key_bytes,
                      struct tern_item *item)
{
    struct update u = {.cache = cache, .item = item, .key = {CACHE_KEY_ITEM}};
    int status = -TERN_ST_AGAIN;
    int64_t until;

    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    if (!key || key_bytes == 0 || key_bytes > TERN_CACHE_KEY_MAX)
        return -TERN_ST_BAD_LENGTH;
    u.part = cache_part_of(cache, key, key_bytes);
    u.record = u.part->writer[0].scratch;
    memcpy(u.key + 1, key, key_bytes);
    u.key_bytes = key_bytes + 1;
    until = cache_busy_end(u.part, cache_now_ms());
    while (status == -TERN_ST_AGAIN && cache_now_ms() < until) {
        unsigned entered;

        status = tern_cache_renew(cache);
        if (status)
            return status;
        entered = tern_member_enter(u.part->member);
        status = update(&u);
        tern_member_leave(u.part->member, entered, status);
        cache->counts.retries += status == -TERN_ST_AGAIN;
    }
    if (status == -TERN_ST_AGAIN)
        return -TERN_ST_CONTENDED;
    if (!status) {
        item->cas = u.number;
        cache->counts.updates++;
    }
    return cache_told(u.part, status);
}
