/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of keys.  A change without a condition is one change of the table.  Any other looks the
 * key up, and changes the table on condition that the record is still the one that was found; if it
 * is not, it begins anew.  A record whose time is over counts as none.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"

enum { DIGITS = 20 };

/* ---- one change of the table */

struct change {
    struct tern_cache *cache;
    struct cache_part *part;
    uint8_t key[CACHE_KEY];
    size_t key_bytes;
    struct cache_value head;
    /* of the record that was found */
    bool exists, expired;
    bool keeps; /* the version: it is the same value */
    struct tern_table_seen at;
    struct cache_value was;
};

uint64_t cache_next_version(const struct cache_part *part)
{
    static _Atomic uint32_t number;
    struct tern_holder holder = tern_member_holder(part->member);

    return (uint64_t)holder.owner << 48 | (uint64_t)holder.epoch << 32 |
           (uint32_t)(atomic_fetch_add(&number, 1) + 1) << 1;
}

static int begin(struct change *c, struct tern_cache *cache, const void *key, size_t key_bytes)
{
    if (cache_is_closed(cache))
        return -TERN_ST_BAD_STATE;
    if (!key || key_bytes == 0 || key_bytes > TERN_CACHE_KEY_MAX)
        return -TERN_ST_BAD_LENGTH;
    c->cache = cache;
    c->part = cache_part_of(cache, key, key_bytes);
    c->key[0] = CACHE_KEY_ITEM;
    memcpy(c->key + 1, key, key_bytes);
    c->key_bytes = key_bytes + 1;
    return 0;
}

/* Bytes of the record's value. */
static size_t value_bytes(const struct change *c)
{
    return sizeof(c->head) + cache_gap(&c->head, c->key_bytes) +
           (c->head.part_bytes ? 0 : c->head.bytes);
}

static int post(struct change *c, const struct tern_table_seen *expected, bool removes,
                const struct cache_end *end)
{
    struct tern_table_writer *w = &c->part->writer[0];
    uint64_t context = (uint64_t)(uintptr_t)end;

    if (removes)
        return tern_table_shared_remove(w, c->key, c->key_bytes, expected, context);
    return tern_table_shared_set(w, c->key, c->key_bytes, c->cache->write.at, value_bytes(c),
                                 expected, context);
}

/* Carries out one change of the table. */
static int run(struct change *c, const struct tern_table_seen *expected, bool removes)
{
    struct cache_end end = {0};
    int status = cache_part_ready(c->part);
    unsigned entered;

    if (status)
        return status;
    entered = tern_member_enter(c->part->member);
    while ((status = post(c, expected, removes, &end)) == -TERN_ST_AGAIN)
        if ((status = cache_hear(c->cache, 1)) < 0)
            break;
    if (!status)
        status = cache_await(c->cache, &end);
    tern_member_leave(c->part->member, entered, status);
    return cache_told(c->part, status);
}

static uint32_t record_bytes(const struct change *c)
{
    return (uint32_t)(CACHE_NODE + c->key_bytes + value_bytes(c));
}

/* Takes note of where the new record is: it is the first of its bucket. */
static void learn(const struct change *c)
{
    const struct cache_part *part = c->part;
    struct tern_table_seen at = part->writer[0].written;
    uint64_t start = TERN_GET(RPTR, addr, part->table.pointer.start.w);
    int64_t now = cache_now_ms();
    const struct cache_known known = {
        .link = tern_link(start + (uint64_t)at.place * CACHE_NODE, at.generation),
        .until = now + part->head.lease_ms,
        .code = cache_code(tern_table_shared_hash(&part->table, c->key, c->key_bytes)),
        .place = at.place,
        .generation = at.generation,
        .version = (uint16_t)(c->head.version >> 1),
        .part = part->number,
        .nodes = (uint16_t)((record_bytes(c) + CACHE_NODE - 1) / CACHE_NODE),
        .expires = c->head.expires};
    bool full;

    (void)cache_map_learn(&c->cache->map, &known, now, &full);
    c->cache->counts.learnt++;
    c->cache->counts.map_full += full;
}

/* Sets the parts of a value that no record has room for. */
static int write_parts(struct change *c)
{
    uint64_t most = cache_inline_bytes(c->part, c->key_bytes);

    c->head.part_bytes = 0;
    if (c->head.bytes <= most)
        return 0; /* so are all that may be updated in place */
    c->head.part_bytes = cache_part_bytes(c->part);
    return cache_parts_set(c->cache, c->part, &c->head, c->cache->write.at + sizeof(c->head));
}

static int write_it(struct change *c, const struct tern_table_seen *expected)
{
    int64_t end = cache_room_end(c->part);
    int status;

    c->head.version = c->keeps ? c->was.version : cache_next_version(c->part);
    status = write_parts(c);
    memcpy(c->cache->write.at, &c->head, sizeof(c->head));
    if (c->head.kind == CACHE_FIXED)
        memcpy(c->cache->write.at + cache_word_at(c->key_bytes) - CACHE_NODE - c->key_bytes,
               &c->head.version, CACHE_WORD);
    while (!status && (status = run(c, expected, false)) == -TERN_ST_FULL)
        status = cache_wait_for_room(c->cache, c->part, record_bytes(c), end);
    if (status)
        return status;
    c->cache->counts.sets++;
    learn(c);
    return 0;
}

static int remove_it(struct change *c, const struct tern_table_seen *expected)
{
    int64_t end = cache_room_end(c->part);
    int status;

    while ((status = run(c, expected, true)) == -TERN_ST_FULL)
        if (cache_now_ms() >= end || (status = cache_room_pause(c->cache, c->part)) != 0)
            return status;
    c->cache->counts.deletes += status == 0;
    return status;
}

/* ---- what there is */

/* AGAIN: there is more room now. */
static int grow(struct cache_buffer *buffer, size_t bytes)
{
    uint8_t *at = bytes > buffer->room ? realloc(buffer->at, bytes) : buffer->at;

    if (!at)
        return -TERN_ST_NO_MEMORY;
    buffer->at = at;
    buffer->room = bytes > buffer->room ? bytes : buffer->room;
    return -TERN_ST_AGAIN;
}

static int look_once(struct change *c, bool fresh)
{
    struct cache_buffer *found = &c->cache->found;
    struct tern_item item = {.value = found->at, .room = found->room};
    struct cache_get *get;
    int status;

    while (!(get = cache_get_new(c->cache, c->part, c->key, c->key_bytes, &item)))
        if (cache_hear(c->cache, 1) < 0)
            return -TERN_ST_DISCONNECTED;
    get->fresh = fresh;
    while ((status = cache_get_start(get, 0)) == -TERN_ST_AGAIN)
        if (cache_hear(c->cache, 1) < 0)
            break;
    if (status) {
        get->used = false;
        return status;
    }
    (void)cache_await(c->cache, &get->end);
    c->exists = get->end.status == 0;
    if (c->exists) {
        c->at = get->body.at;
        c->was = cache_get_value(get);
    }
    status = cache_get_finish(get);
    c->expired = c->exists && status == -TERN_ST_NOT_FOUND;
    return status == -TERN_ST_BAD_SIZE ? grow(found, item.bytes) : status;
}

/* Looks the key up: 0, also where it has no value; how that failed. */
static int look(struct change *c, bool again)
{
    bool fresh = again || c->cache->config.path == TERN_CACHE_LITERAL;
    int status = 0;

    for (unsigned tries = 0; tries < CACHE_TRIES; tries++, fresh = true) {
        status = look_once(c, fresh);
        if (status == -TERN_ST_AGAIN)
            continue;
        if (status && status != -TERN_ST_NOT_FOUND)
            return status;
        if (!c->exists || c->at.generation != 0)
            return 0;
    }
    return -TERN_ST_CONTENDED;
}

static bool has_value(const struct change *c)
{
    return c->exists && !c->expired;
}

/*
 * An update in place may change the value between the look and the change, which would not notice:
 * no change may depend on such a value.
 */
static bool may_change(const struct change *c)
{
    return c->was.kind == CACHE_FIXED;
}

/* Returns why a change on condition leaves the record as it is; 0: it changes it. */
typedef int decide_fn(struct change *c, void *of);

/* `*expected` of a key without a record is all zero. */
static int change_if(struct change *c, decide_fn *decide, void *of, bool removes)
{
    int status = 0;

    for (unsigned tries = 0; tries < CACHE_TRIES; tries++) {
        struct tern_table_seen expected = {0};

        status = look(c, tries > 0);
        if (!status)
            status = decide(c, of);
        if (status)
            return status;
        if (c->exists)
            expected = c->at;
        status = removes ? remove_it(c, &expected) : write_it(c, &expected);
        if (status != -TERN_ST_UNLIKE && !(removes && status == -TERN_ST_NOT_FOUND))
            return status;
        c->cache->counts.retries++;
    }
    return -TERN_ST_CONTENDED;
}

/* ---- set */

/* Makes room for a new value, after what was found: NULL. */
static uint8_t *room_for(struct change *c, uint64_t bytes)
{
    struct cache_buffer *write = &c->cache->write;
    uint64_t before = sizeof(c->head) + cache_gap(&c->head, c->key_bytes);

    return grow(write, before + bytes) == -TERN_ST_AGAIN ? write->at + before : NULL;
}

/* Tells whether the record may be updated in place: it must be one record. */
static bool fits(const struct change *c, uint64_t bytes)
{
    uint64_t gap = cache_gap(&c->head, c->key_bytes);

    return bytes <= c->part->head.value_max &&
           (gap == 0 || bytes + gap <= cache_inline_bytes(c->part, c->key_bytes));
}

static int take_item(struct change *c, const struct tern_item *item)
{
    uint8_t *to;

    c->head = (struct cache_value){.flags = item->flags,
                                   .expires = item->expires,
                                   .bytes = item->bytes,
                                   .kind = item->fixed ? CACHE_FIXED : 0};
    if (!fits(c, item->bytes))
        return -TERN_ST_BAD_LENGTH;
    to = room_for(c, item->bytes);
    if (!to)
        return -TERN_ST_NO_MEMORY;
    if (item->bytes)
        memcpy(to, item->value, item->bytes);
    return 0;
}

struct set_of {
    enum tern_cache_if when;
    uint64_t cas;
};

static int decide_set(struct change *c, void *of)
{
    const struct set_of *set = of;

    if (set->when == TERN_IF_ABSENT)
        return has_value(c) ? -TERN_ST_UNLIKE : 0;
    if (!has_value(c))
        return -TERN_ST_NOT_FOUND;
    if (set->when != TERN_IF_CAS)
        return 0;
    if (may_change(c))
        return -TERN_ST_BAD_STATE;
    return c->was.version != set->cas ? -TERN_ST_UNLIKE : 0;
}

/* A key that the table does not have at all needs no look, but where parts would be set in vain. */
static int add(struct change *c, struct set_of *set)
{
    const struct tern_table_seen none = {0};
    int status = -TERN_ST_UNLIKE;

    if (c->head.bytes <= cache_inline_bytes(c->part, c->key_bytes))
        status = write_it(c, &none);
    return status == -TERN_ST_UNLIKE ? change_if(c, decide_set, set, false) : status;
}

int tern_cache_set(struct tern_cache *cache, const void *key, size_t key_bytes,
                   struct tern_item *item, enum tern_cache_if when)
{
    struct set_of set = {when, item->cas};
    struct change c = {0};
    int status = begin(&c, cache, key, key_bytes);

    if (!status)
        status = take_item(&c, item);
    if (!status)
        status = tern_cache_renew(cache);
    if (status)
        return status;
    if (when == TERN_ALWAYS)
        status = write_it(&c, NULL);
    else if (when == TERN_IF_ABSENT)
        status = add(&c, &set);
    else
        status = change_if(&c, decide_set, &set, false);
    if (!status)
        item->cas = c.head.version;
    return status;
}

/* ---- delete */

static int decide_delete(struct change *c, void *of)
{
    const uint64_t *cas = of;

    if (!has_value(c))
        return -TERN_ST_NOT_FOUND;
    if (*cas && may_change(c))
        return -TERN_ST_BAD_STATE;
    return *cas && *cas != c->was.version ? -TERN_ST_UNLIKE : 0;
}

int tern_cache_delete(struct tern_cache *cache, const void *key, size_t key_bytes, uint64_t cas)
{
    struct change c = {0};
    int status = begin(&c, cache, key, key_bytes);

    if (!status)
        status = tern_cache_renew(cache);
    return status ? status : change_if(&c, decide_delete, &cas, true);
}

/* ---- numbers */

struct sum {
    uint64_t by, value;
    bool down;
};

/* A number of decimal digits, which ends with the value or at a blank. */
static bool read_number(const uint8_t *text, uint64_t bytes, uint64_t *number)
{
    uint64_t i = 0;

    *number = 0;
    for (; i < bytes && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return i != 0 && (i == bytes || text[i] == ' ');
}

static int decide_sum(struct change *c, void *of)
{
    struct sum *sum = of;
    char text[DIGITS + 1];
    uint64_t before, bytes;
    uint8_t *to;

    if (!has_value(c))
        return -TERN_ST_NOT_FOUND;
    if (may_change(c) || !read_number(c->cache->found.at, c->was.bytes, &before))
        return -TERN_ST_BAD_STATE;
    sum->value = !sum->down ? before + sum->by : before > sum->by ? before - sum->by : 0;
    bytes = (uint64_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)sum->value);
    c->head = c->was;
    c->head.bytes = bytes > c->was.bytes ? bytes : c->was.bytes;
    to = room_for(c, c->head.bytes);
    if (!to)
        return -TERN_ST_NO_MEMORY;
    memset(to, ' ', c->head.bytes);
    memcpy(to, text, bytes);
    return 0;
}

int tern_cache_add(struct tern_cache *cache, const void *key, size_t key_bytes, uint64_t by,
                   bool down, uint64_t *value)
{
    struct sum sum = {.by = by, .down = down};
    struct change c = {0};
    int status = begin(&c, cache, key, key_bytes);

    if (!status)
        status = tern_cache_renew(cache);
    if (!status)
        status = change_if(&c, decide_sum, &sum, false);
    if (!status && value)
        *value = sum.value;
    return status;
}

/* ---- append, touch */

struct piece {
    const void *bytes;
    size_t length;
    bool before;
};

static int decide_append(struct change *c, void *of)
{
    const struct piece *piece = of;
    uint8_t *to;

    if (!has_value(c))
        return -TERN_ST_NOT_FOUND;
    if (may_change(c))
        return -TERN_ST_BAD_STATE;
    if (piece->length > UINT32_MAX || !fits(c, c->was.bytes + piece->length))
        return -TERN_ST_BAD_LENGTH;
    to = room_for(c, c->was.bytes + piece->length);
    if (!to)
        return -TERN_ST_NO_MEMORY;
    c->head = c->was;
    c->head.bytes += piece->length;
    if (c->was.bytes)
        memcpy(to + (piece->before ? piece->length : 0), c->cache->found.at, c->was.bytes);
    if (piece->length)
        memcpy(to + (piece->before ? 0 : c->was.bytes), piece->bytes, piece->length);
    return 0;
}

int tern_cache_append(struct tern_cache *cache, const void *key, size_t key_bytes,
                      const void *value, size_t bytes, bool before)
{
    struct piece piece = {value, bytes, before};
    struct change c = {0};
    int status = begin(&c, cache, key, key_bytes);

    if (!status)
        status = tern_cache_renew(cache);
    return status ? status : change_if(&c, decide_append, &piece, false);
}

static int decide_touch(struct change *c, void *of)
{
    const uint32_t *expires = of;
    uint8_t *to;

    if (!has_value(c))
        return -TERN_ST_NOT_FOUND;
    if (may_change(c))
        return -TERN_ST_BAD_STATE;
    to = room_for(c, c->was.bytes);
    if (!to)
        return -TERN_ST_NO_MEMORY;
    c->head = c->was;
    c->head.expires = *expires;
    c->keeps = true;
    if (c->was.bytes)
        memcpy(to, c->cache->found.at, c->was.bytes);
    return 0;
}

int tern_cache_touch(struct tern_cache *cache, const void *key, size_t key_bytes, uint32_t expires)
{
    struct change c = {0};
    int status = begin(&c, cache, key, key_bytes);

    if (!status)
        status = tern_cache_renew(cache);
    return status ? status : change_if(&c, decide_touch, &expires, false);
}
