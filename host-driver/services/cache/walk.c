/* SPDX-License-Identifier: Apache-2.0 */
/* The server's view of its cache: records that are live, slabs by size, what clients use. */
#include <stdlib.h>
#include <string.h>

#include "server.h"

enum {
    TAKEN_OUT = 0x8000, /* in a generation */
    AGEING = 8,         /* uses of each live record, on average, after which counts are halved */
};

uint32_t cache_place_of(const struct cache_owner *o, const uint32_t *record)
{
    return (uint32_t)(((const uint8_t *)record - o->table_memory) / CACHE_NODE);
}

static uint32_t *next_of(const uint32_t *node)
{
    uint64_t link = __atomic_load_n((const uint64_t *)(const void *)(node + TERN_NOD_less_WORD),
                                    __ATOMIC_ACQUIRE);

    return (uint32_t)link == 0 ? NULL : (uint32_t *)(uintptr_t)tern_link_addr(link);
}

/* The size of the slab around a record, or of the reserve. */
static unsigned size_of(const struct cache_owner *o, const uint32_t *record)
{
    uint64_t offset = (uint64_t)((const uint8_t *)record - o->table_memory);
    unsigned size = o->table.sizes;

    for (unsigned i = 0; i <= o->table.sizes; i++) {
        uint64_t start = TERN_GET(RPTR, addr, o->table.blocks[i].start.w) -
                         TERN_GET(RPTR, addr, o->table.pointer.start.w);

        if (offset >= start && offset - start < o->table.blocks[i].bytes)
            size = i;
    }
    return size;
}

/* ---- live records */

static bool same_key(const uint32_t *a, const uint32_t *b)
{
    uint32_t bytes = (uint32_t)TERN_GET(REC, klen, a);

    return TERN_GET(REC, hash, a) == TERN_GET(REC, hash, b) && bytes == TERN_GET(REC, klen, b) &&
           memcmp((const uint8_t *)a + CACHE_NODE, (const uint8_t *)b + CACHE_NODE, bytes) == 0;
}

/* Returns the newest record of the same key, which may be the record itself. */
static const uint32_t *newest(const uint32_t *first, const uint32_t *record)
{
    const uint32_t *at = first;

    while (at != record && !same_key(at, record))
        at = next_of(at);
    return at;
}

static struct cache_live *append(struct cache_owner *o)
{
    if (o->live_count == o->live_room) {
        size_t room = o->live_room ? 2 * o->live_room : 256;
        struct cache_live *live = realloc(o->live, room * sizeof(*live));

        if (!live)
            return NULL;
        o->live = live;
        o->live_room = room;
    }
    return &o->live[o->live_count++];
}

static int read_record(const struct cache_owner *o, const uint32_t *record,
                       struct tern_table_record *body)
{
    uint32_t bytes = o->table.blocks[size_of(o, record)].slab_bytes;

    return tern_table_record_read(record, bytes, (const uint8_t *)record + CACHE_NODE,
                                  TERN_GET(REC, klen, record), body);
}

/*
 * Tells whether a bucket begins with a record that says deleted, and has no record of that key any
 * more.  The sweep leaves it there as long as others follow.
 */
static bool begins_in_vain(const struct cache_owner *o, const uint32_t *first)
{
    struct tern_table_record body;

    if (!first || !next_of(first) || read_record(o, first, &body) != -TERN_ST_NOT_FOUND)
        return false; /* only such a record has no value by its own key */
    for (const uint32_t *at = next_of(first); at; at = next_of(at))
        if (same_key(first, at))
            return false;
    return true;
}

/* Of the use of a new record nothing is known yet. */
static void begin_rank(struct cache_owner *o, const uint32_t *record)
{
    struct cache_rank *rank = &o->ranks[cache_place_of(o, record)];
    uint16_t generation = (uint16_t)TERN_GET(REC, generation, record);

    if (rank->generation != generation)
        *rank = (struct cache_rank){.generation = generation, .since = o->looks};
}

/* Tells whether the rank at the place of a record is the record's, taken out or not. */
static bool has_rank(const struct cache_owner *o, const uint32_t *record)
{
    uint64_t unlike = o->ranks[cache_place_of(o, record)].generation ^
                      TERN_GET(REC, generation, record);

    return (unlike & ~(uint64_t)TAKEN_OUT) == 0;
}

/* The use of a record that was replaced is that of the record in its place, unless that is none. */
static void hand_rank_on(struct cache_owner *o, const uint32_t *from, const uint32_t *to)
{
    struct cache_rank *old = &o->ranks[cache_place_of(o, from)];

    if (!has_rank(o, from) || !has_rank(o, to))
        return;
    o->ranks[cache_place_of(o, to)].uses += old->uses;
    old->uses = 0;
}

/* The number of the last update, which its NIC may be changing. */
static uint64_t update_of(const uint32_t *record)
{
    const uint8_t *word = (const uint8_t *)record + cache_word_at(TERN_GET(REC, klen, record));

    return __atomic_load_n((const uint64_t *)(const void *)word, __ATOMIC_ACQUIRE);
}

/*
 * Reads the head of a live record's value.  While a member updates the value, the checksum is
 * wrong, and the head is good.
 */
static bool read_value(const struct cache_owner *o, const uint32_t *record,
                       struct cache_value *value)
{
    const uint8_t *head = (const uint8_t *)record + CACHE_NODE + TERN_GET(REC, klen, record);
    uint32_t bytes = o->table.blocks[size_of(o, record)].slab_bytes;
    struct tern_table_record body;
    int status = read_record(o, record, &body);

    if (status && status != -TERN_ST_BAD_LINK)
        return false;
    if (status ? TERN_GET(REC, klen, record) + CACHE_NODE + sizeof(*value) > bytes
               : body.value_bytes < sizeof(*value))
        return false;
    memcpy(value, head, sizeof(*value));
    return status == 0 || (value->kind == CACHE_FIXED &&
                           cache_word_at(TERN_GET(REC, klen, record)) + CACHE_WORD <= bytes);
}

static int look_at_record(struct cache_owner *o, uint32_t *bucket, const uint32_t *first,
                          uint32_t *record)
{
    unsigned size = size_of(o, record);
    const uint32_t *top = newest(first, record);
    struct cache_value value;
    struct cache_live *live;
    uint64_t update;

    if (top != record) {
        hand_rank_on(o, record, top);
        return 0;
    }
    if (!read_value(o, record, &value))
        return 0;
    update = value.kind == CACHE_FIXED ? update_of(record) : 0;
    begin_rank(o, record);
    live = append(o);
    if (!live)
        return -TERN_ST_NO_MEMORY;
    *live = (struct cache_live){.record = record,
                                .bucket = record == first && !next_of(record) ? bucket : NULL,
                                .expires = value.expires,
                                .size = (uint16_t)size,
                                .version = value.version,
                                .part = *((const uint8_t *)record + CACHE_NODE) == CACHE_KEY_PART,
                                .in_parts = value.part_bytes != 0,
                                .fixed = value.kind == CACHE_FIXED,
                                .stuck = update & CACHE_BUSY &&
                                         !tern_pool_has(o->pool, cache_setter(update))};
    o->sizes[size].live++;
    if (live->part)
        o->item_bytes += value.bytes;
    else
        o->item_bytes += TERN_GET(REC, klen, record) - 1 + (live->in_parts ? 0 : value.bytes);
    return 0;
}

/*
 * Counts slabs that are free, and those that will be: the table's own that have no live record.
 * Slabs of clients, for records that they are about to set, are neither.
 */
static void count_slabs(struct cache_owner *o, unsigned size)
{
    const struct tern_blocks *blocks = &o->table.blocks[size];
    const uint8_t *maps = o->table_memory + (TERN_GET(RPTR, addr, blocks->start.w) -
                                             TERN_GET(RPTR, addr, o->table.pointer.start.w));
    const uint32_t *owners =
        (const uint32_t *)(const void *)(maps + (size_t)tern_blocks_words(blocks) *
                                                    TERN_ATOMIC_BYTES);
    uint32_t taken = 0, own = 0;

    for (uint32_t i = 0; i < blocks->slabs; i++) {
        const uint32_t *word = (const uint32_t *)(const void *)maps + i / 32 * 2;
        uint32_t bit = __atomic_load_n(word, __ATOMIC_RELAXED) >> i % 32 & 1;

        taken += bit;
        own += bit && TERN_GET(OWN, owner, owners + 2 * (size_t)i) == CACHE_OWNER_TABLE;
    }
    o->sizes[size].free = blocks->slabs - taken;
    o->sizes[size].going = own > o->sizes[size].live ? own - o->sizes[size].live : 0;
}

int cache_walk(struct cache_owner *o)
{
    size_t buckets = (size_t)1 << o->table.pointer.log2_buckets;
    int status = 0;

    memset(o->sizes, 0, sizeof(o->sizes));
    o->live_count = 0;
    o->item_bytes = 0;
    for (size_t i = 0; i < buckets && !status; i++) {
        uint32_t *bucket = (uint32_t *)(void *)(o->table_memory + i * CACHE_NODE);
        uint32_t *first = next_of(bucket);
        size_t before = o->live_count;

        for (uint32_t *at = first; at && !status; at = next_of(at))
            status = look_at_record(o, bucket, first, at);
        if (o->live_count > before)
            o->live[before].held = begins_in_vain(o, first);
    }
    for (unsigned size = 0; size <= o->table.sizes; size++)
        count_slabs(o, size);
    return status;
}

/* ---- what clients use */

static const struct cache_page *page_of(const struct cache_owner *o, uint32_t client)
{
    return (const struct cache_page *)(const void *)((const uint8_t *)o->head + o->head->pages) +
           client;
}

static void count_use(struct cache_owner *o, struct cache_use use)
{
    struct cache_rank *rank;

    if (use.uses == 0 || use.place >= o->head->table_bytes / CACHE_NODE)
        return;
    begin_rank(o, (const uint32_t *)(const void *)(o->table_memory +
                                                   (size_t)use.place * CACHE_NODE));
    rank = &o->ranks[use.place];
    rank->uses = rank->uses + use.uses < rank->uses ? UINT32_MAX : rank->uses + use.uses;
    rank->since = o->looks;
    o->uses += use.uses;
    o->counts.uses += use.uses;
}

/* Use of long ago counts less. */
static void age(struct cache_owner *o)
{
    if (o->uses < AGEING * (o->live_count + 1))
        return;
    o->uses = 0;
    for (uint64_t i = 0; i < o->head->table_bytes / CACHE_NODE; i++)
        o->ranks[i].uses /= 2;
}

/* The NIC may write a page at this moment; counts of use are no more than hints. */
void cache_hear_pages(struct cache_owner *o)
{
    for (uint32_t i = 0; i < o->head->clients; i++) {
        const struct cache_page *page = page_of(o, i);
        uint64_t count = __atomic_load_n(&page->count, __ATOMIC_ACQUIRE);

        if (count == o->told[i])
            continue;
        o->told[i] = count;
        for (unsigned j = 0; j < CACHE_USES; j++)
            count_use(o, page->use[j]);
    }
}

/*
 * Tells whether a get read the record at a place: a set, or a sweep, reads no more than the key.
 * Another record may be at the place by now, whose key is longer or shorter. Such a mistake is as
 * rare as the use of a record that is gone.
 */
static bool is_get(const struct cache_owner *o, struct cache_sample sample)
{
    const uint32_t *record =
        (const uint32_t *)(const void *)(o->table_memory + (size_t)sample.place * CACHE_NODE);

    return size_of(o, record) < o->table.sizes &&
           sample.bytes >= CACHE_NODE + TERN_GET(REC, klen, record) + sizeof(struct cache_value);
}

void cache_hear_samples(struct cache_owner *o)
{
    struct cache_sample samples[CACHE_SAMPLES];
    unsigned count = cache_samples_take(&o->samples, samples);

    for (unsigned i = 0; i < count; i++)
        if (is_get(o, samples[i]))
            count_use(o, (struct cache_use){samples[i].place,
                                            UINT32_C(1) << (o->head->sample_log2 - 1)});
    o->counts.samples += count;
}

void cache_hear_uses(struct cache_owner *o)
{
    cache_hear_pages(o);
    cache_hear_samples(o);
    for (size_t i = 0; i < o->live_count; i++) {
        const struct cache_rank *rank = &o->ranks[cache_place_of(o, o->live[i].record)];

        o->live[i].uses = rank->uses;
        o->live[i].since = rank->since;
    }
    age(o);
}

/* ---- the map that clients read */

void cache_write_map(struct cache_owner *o)
{
    struct cache_entry *map = (struct cache_entry *)(void *)((uint8_t *)o->head + o->head->map);
    uint32_t at = 0;

    for (size_t i = 0; i < o->live_count && at < o->head->map_entries; i++) {
        const struct cache_live *live = &o->live[i];
        uint16_t generation = (uint16_t)TERN_GET(REC, generation, live->record);

        if (generation >> 15)
            continue;
        map[at++] = (struct cache_entry){.code = cache_code(TERN_GET(REC, hash, live->record)),
                                         .place = cache_place_of(o, live->record),
                                         .generation = generation,
                                         .version = (uint16_t)(live->version >> 1),
                                         .expires = live->expires};
    }
    memset(map + at, 0, (o->head->map_entries - at) * sizeof(*map));
}

void cache_write_figures(struct cache_owner *o)
{
    o->counts.free = o->counts.slabs = 0;
    for (unsigned size = 0; size <= o->table.sizes; size++) {
        o->counts.free += o->sizes[size].free;
        o->counts.slabs += o->table.blocks[size].slabs;
    }
    o->counts.bytes = o->object.bytes;
    o->counts.items = o->live_count;
    o->counts.item_bytes = o->item_bytes;
    o->head->served = o->counts;
}
