/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets, one exchange after the other:
 *   POINTERS  READs of the records that the map has for the code of the key, and of the bucket
 *   LOOKUP    lookups by bucket, one for each record of another key with the same hash
 *
 * A record that came is believed if it has the place, generation and version of the entry, the key,
 * and a good checksum; on the path `auto` the bucket's link must be the one that the entry has,
 * too. That link was read before the lookup that found the record, or it leads to the record
 * itself.  As no link comes back to a bucket, nothing was set in between.
 */
#include <string.h>

#include <tern/read.h>

#include "cache.h"

enum { AT_BUCKET = CACHE_CANDIDATES, AT_FOUND };

static struct cache_get *get_of(struct tern_steps *steps)
{
    return (struct cache_get *)(void *)steps;
}

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/* ---- posting */

/*
 * Each READ goes through the window of its own doorbell: for two at one doorbell the NIC would read
 * the descriptors from the host's memory.  Many gets at once have one doorbell (TERN_MORE).
 */
static int post_pointers(struct cache_get *get)
{
    struct tern_cache *cache = get->cache;
    const struct cache_part *part = get->part;
    bool bucket = cache->config.path == TERN_CACHE_AUTO;
    unsigned flags = TERN_DFLAG_SIGNAL | get->flags;
    int status = 0;

    for (unsigned i = 0; !status && i < get->candidates; i++) {
        struct cache_known *known = get->candidate[i];

        get->was[i] = *known;
        status =
            tern_read(cache->sq,
                      tern_rptr_add(part->table.pointer.start, (uint64_t)known->place * CACHE_NODE),
                      cache->region, get->landing->record[i], (uint32_t)known->nodes * CACHE_NODE,
                      flags, i);
        cache->counts.record_reads++;
    }
    if (!status && bucket) {
        status = tern_read(cache->sq, tern_table_bucket(&part->table.pointer, get->hash),
                           cache->region, get->landing->bucket, CACHE_NODE, flags, AT_BUCKET);
        cache->counts.bucket_reads++;
    }
    return status ? status : (int)(get->candidates + bucket);
}

static int post_lookup(struct cache_get *get)
{
    struct tern_cache *cache = get->cache;
    const uint32_t room = get->whole ? get->part->room : cache_need(get->part, get->key[0]);
    const struct tern_table_lookup lookup = {.table = get->part->table.pointer,
                                             .hash = get->hash,
                                             .region = cache->region,
                                             .to = get->landing->found,
                                             .room = room,
                                             .next = get->next};
    int status;

    get->room = room;
    if (get->phase == GET_BEGIN)
        get->began = cache_now_ms();
    status = tern_table_lookup(cache->sq, &lookup, TERN_DFLAG_SIGNAL | get->flags, AT_FOUND);
    if (status)
        return status;
    cache->counts.lookups++;
    get->looking = get->asked = true;
    get->phase = GET_LOOKUP;
    return 1;
}

/* The READs, and with them the lookup if the client wants it. */
static int begin(struct cache_get *get)
{
    struct tern_cache *cache = get->cache;
    int posted;

    if (!tern_sq_room(cache->sq, CACHE_CANDIDATES + 2))
        return -TERN_ST_AGAIN;
    get->began = cache_now_ms();
    get->candidates = get->fresh || cache->config.path == TERN_CACHE_LOOKUP
                          ? 0
                          : cache_map_find(&cache->map, get->code, get->part->number, get->began,
                                           get->candidate, &cache->counts.over);
    if (get->candidates == 0)
        return post_lookup(get);
    posted = post_pointers(get);
    get->asked = posted > 0;
    if (posted > 0 && cache->config.together && post_lookup(get) == 1)
        posted++;
    get->phase = GET_POINTERS;
    return posted;
}

/* ---- judging */

static const uint32_t *words(const uint8_t *record)
{
    return (const uint32_t *)(const void *)record;
}

/* The head of a value whose record is whole. */
static bool value_of(const struct cache_get *get, struct cache_value *value)
{
    const struct tern_table_record *body = &get->body;

    if (body->value_bytes < sizeof(*value))
        return false;
    memcpy(value, body->value, sizeof(*value));
    return body->value_bytes == sizeof(*value) + cache_gap(value, get->key_bytes) +
                                    (value->part_bytes ? 0 : value->bytes);
}

struct cache_value cache_get_value(const struct cache_get *get)
{
    struct cache_value value = {0};

    (void)value_of(get, &value);
    return value;
}

uint64_t cache_get_word(const struct cache_get *get)
{
    uint64_t word;

    memcpy(&word, get->record + cache_word_at(get->key_bytes), sizeof(word));
    return word;
}

/* Tells whether a member is updating a record of this key, whose checksum is wrong. */
static bool is_busy(const struct cache_get *get, const uint8_t *record, size_t bytes)
{
    uint32_t at = cache_word_at(get->key_bytes);
    struct cache_value value;
    uint64_t word;

    if (bytes < at + sizeof(word))
        return false;
    memcpy(&value, record + CACHE_NODE + get->key_bytes, sizeof(value));
    memcpy(&word, record + at, sizeof(word));
    return value.kind == CACHE_FIXED && word & CACHE_BUSY;
}

enum belief { BELIEVED, OTHER_KEY, BAD };

static enum belief judge_record(struct cache_get *get, unsigned i)
{
    const struct cache_known *was = &get->was[i];
    const uint8_t *record = get->landing->record[i];
    struct tern_cache_counts *counts = &get->cache->counts;
    struct cache_value value;
    int status;

    if (get->read[i] != TERN_ST_OK || TERN_GET(REC, place, words(record)) != was->place ||
        TERN_GET(REC, generation, words(record)) != was->generation)
        return BAD;
    status = tern_table_record_read(record, (size_t)was->nodes * CACHE_NODE, get->key,
                                    get->key_bytes, &get->body);
    counts->torn += status == -TERN_ST_BAD_LINK;
    if (status == -TERN_ST_NOT_FOUND && TERN_GET(REC, hash, words(record)) != 0 &&
        cache_code(TERN_GET(REC, hash, words(record))) == was->code)
        return OTHER_KEY;
    if (status || !get->body.whole || !value_of(get, &value) ||
        (uint16_t)(value.version >> 1) != was->version)
        return BAD;
    return BELIEVED;
}

/* Tells whether the bucket is as it was when the entry was learnt. */
static bool is_settled(const struct cache_get *get, unsigned i)
{
    return get->cache->config.path != TERN_CACHE_AUTO ||
           (get->bucket == TERN_ST_OK &&
            TERN_GET(NOD, less, get->landing->bucket) == get->was[i].link);
}

/* Restarts the lease of a pointer that led to the right record. */
static void used(struct cache_get *get, struct cache_known *known, const struct cache_known *was)
{
    if (known->place != was->place || known->generation != was->generation)
        return;
    known->until = get->began + get->part->head.lease_ms;
    known->uses++;
    known->recent = true;
}

/* Returns 1: a lookup is needed. */
static int judge_pointers(struct cache_get *get)
{
    struct tern_cache_counts *counts = &get->cache->counts;

    for (unsigned i = 0; i < get->candidates; i++) {
        enum belief belief = judge_record(get, i);
        struct cache_known *known = get->candidate[i];

        if (get->read[i] != TERN_ST_OK && get->read[i] != TERN_ST_BAD_KEY)
            return -(int)get->read[i];
        if (belief == BELIEVED && is_settled(get, i)) {
            get->record = get->landing->record[i];
            counts->by_pointer++;
            used(get, known, &get->was[i]);
            return 0;
        }
        counts->collisions += belief == OTHER_KEY;
        counts->stale += belief != OTHER_KEY;
        if (belief == BAD && known->place == get->was[i].place)
            cache_map_forget(known);
    }
    if (get->bucket == TERN_ST_OK && get->cache->config.path == TERN_CACHE_AUTO)
        get->link = TERN_GET(NOD, less, get->landing->bucket);
    return 1;
}

/* Bytes of the record that was found, as its head says. */
static uint64_t record_bytes(const struct cache_get *get)
{
    return (uint64_t)CACHE_NODE + get->key_bytes + get->body.value_bytes;
}

/* A record found by a lookup goes into the map. */
static void learn(struct cache_get *get)
{
    const struct cache_part *part = get->part;
    struct tern_table_seen at = get->body.at;
    struct cache_value value = cache_get_value(get);
    struct cache_known known = {.link = get->link,
                                .until = get->began + part->head.lease_ms,
                                .code = get->code,
                                .place = at.place,
                                .generation = at.generation,
                                .version = (uint16_t)(value.version >> 1),
                                .part = part->number,
                                .expires = value.expires};
    bool full;

    if (at.generation == 0)
        return;
    if (get->link == 0)
        known.link = tern_link(addr_of(part->table.pointer.start) + (uint64_t)at.place * CACHE_NODE,
                               at.generation);
    known.nodes = (uint16_t)((record_bytes(get) + CACHE_NODE - 1) / CACHE_NODE);
    cache_map_learn(&get->cache->map, &known, get->began, &full)->uses++;
    get->cache->counts.learnt++;
    get->cache->counts.map_full += full;
}

/* An update takes two exchanges, and the server ends that of a member which died. */
static bool is_patient(struct cache_get *get, bool busy)
{
    if (!busy)
        return ++get->tries < CACHE_TRIES;
    if (get->busy_until == 0)
        get->busy_until = cache_busy_end(get->part, get->began);
    return !get->hasty && get->began < get->busy_until;
}

/* The answer proves nothing, because records were replaced meanwhile: from the bucket once more. */
static int again(struct cache_get *get, bool busy)
{
    get->next = 0;
    get->looking = false;
    get->cache->counts.retries++;
    get->began = cache_now_ms();
    get->link = 0;
    /* grace periods may end: the server takes nothing out before */
    tern_member_leave(get->part->member, get->entered, 0);
    get->entered = tern_member_enter(get->part->member);
    return is_patient(get, busy) ? 1 : -TERN_ST_CONTENDED;
}

/* Tells whether the lookup asked for fewer bytes than the record has. */
static bool is_cut(const struct cache_get *get, int status)
{
    if (get->room >= get->part->room)
        return false;
    return status == -TERN_ST_BAD_LENGTH || (status == 0 && !get->body.whole);
}

static int judge_lookup(struct cache_get *get)
{
    struct tern_cache_counts *counts = &get->cache->counts;
    struct cache_value value;
    int status = -(int)get->found;

    get->looking = false;
    if (!status)
        status = tern_table_record_read(get->landing->found, get->room, get->key, get->key_bytes,
                                        &get->body);
    if (get->found == TERN_ST_OK && is_cut(get, status)) {
        get->whole = true;
        return 1;
    }
    counts->torn += get->found == TERN_ST_OK && status == -TERN_ST_BAD_LINK;
    if (status == -TERN_ST_STALE_POINTER || status == -TERN_ST_BAD_LINK)
        return again(get, status == -TERN_ST_BAD_LINK &&
                              is_busy(get, get->landing->found, get->room));
    if (!status && (!get->body.whole || !value_of(get, &value)))
        return -TERN_ST_NOT_FOUND;
    if (!status) {
        get->record = get->landing->found;
        cache_need_learn(get->part, get->key[0], record_bytes(get));
        learn(get);
        return 0;
    }
    if (get->found != TERN_ST_OK || status != -TERN_ST_NOT_FOUND || get->body.next == 0)
        return status;
    counts->collisions++;
    get->next = get->body.next;
    return 1;
}

static int judge(struct cache_get *get)
{
    int status;

    if (get->phase == GET_POINTERS) {
        status = judge_pointers(get);
        if (status != 1 || !get->looking)
            return status;
        get->phase = GET_LOOKUP;
        get->link = 0;
    }
    return judge_lookup(get);
}

/* ---- steps */

static int next(struct tern_steps *steps)
{
    struct cache_get *get = get_of(steps);
    int status;

    if (get->phase == GET_BEGIN)
        return begin(get);
    if (get->asked) {
        get->asked = false;
        status = judge(get);
        if (status != 1)
            return status;
    }
    get->flags = 0;
    return post_lookup(get);
}

static bool heard(struct tern_steps *steps, const struct tern_completion *done)
{
    struct cache_get *get = get_of(steps);

    if (done->context == AT_BUCKET)
        get->bucket = done->status;
    else if (done->context == AT_FOUND)
        get->found = done->status;
    else if (done->context < CACHE_CANDIDATES)
        get->read[done->context] = done->status;
    return true;
}

/* ---- begin and end */

struct cache_get *cache_get_new(struct tern_cache *cache, struct cache_part *part, const void *key,
                                size_t key_bytes, struct tern_item *item)
{
    for (unsigned i = 0; i < CACHE_GETS; i++) {
        struct cache_get *get = &cache->get[i];

        if (get->used)
            continue;
        *get = (struct cache_get){.cache = cache,
                                  .used = true,
                                  .item = item,
                                  .landing = &cache->memory->landing[i],
                                  .part = part,
                                  .key_bytes = (uint16_t)key_bytes};
        memcpy(get->key, key, key_bytes);
        get->hash = tern_table_shared_hash(&get->part->table, get->key, get->key_bytes);
        get->code = cache_code(get->hash);
        return get;
    }
    return NULL;
}

int cache_get_start(struct cache_get *get, unsigned flags)
{
    int status = cache_part_ready(get->part);

    if (status)
        return status;
    get->flags = flags;
    get->phase = GET_BEGIN;
    get->end = (struct cache_end){0};
    get->entered = tern_member_enter(get->part->member);
    status = tern_steps_start(&get->steps, get->cache->sq, next, heard, TERN_OP_READ,
                              (uint64_t)(uintptr_t)&get->end);
    if (status)
        tern_member_leave(get->part->member, get->entered, 0);
    return status;
}

static int take_out(struct cache_get *get, const struct cache_value *found)
{
    struct cache_value value = *found;
    struct tern_item *item = get->item;

    if (value.expires && value.expires <= cache_now_s()) {
        get->cache->counts.expired++;
        return -TERN_ST_NOT_FOUND;
    }
    item->bytes = value.bytes;
    item->fixed = value.kind == CACHE_FIXED;
    item->cas = item->fixed ? cache_get_word(get) : value.version;
    item->flags = value.flags;
    item->expires = value.expires;
    if (item->room < value.bytes)
        return -TERN_ST_BAD_SIZE;
    if (value.bytes && value.part_bytes == 0)
        memcpy(item->value,
               get->body.value + sizeof(value) + cache_gap(&value, get->key_bytes), value.bytes);
    return 0;
}

int cache_get_end(struct cache_get *get, struct cache_value *value)
{
    int status = get->end.status;

    *value = (struct cache_value){0};
    tern_member_leave(get->part->member, get->entered,
                      status == -TERN_ST_NOT_FOUND || status == -TERN_ST_CONTENDED ? 0 : status);
    if (!status) {
        *value = cache_get_value(get);
        status = take_out(get, value);
    }
    get->used = false;
    return cache_told(get->part, status);
}
