/* SPDX-License-Identifier: Apache-2.0 */
/* Hash tables for lookups by NICs: builds them, and parses the records that lookups return. */
#include <string.h>

#include <tern/table.h>

#include "crc.h"
#include "record.h"

enum { KEY_BYTES_MAX = UINT16_MAX, BUCKETS_LOG2_MAX = 31 };

/* ---- hash and checksum */

uint64_t tern_table_hash(const void *key, size_t bytes)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (const uint8_t *at = key, *end = at + bytes; at < end; at++)
        hash = (hash ^ *at) * 0x100000001b3;
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccd;
    hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53;
    hash ^= hash >> 33;
    return hash == 0 ? 1 : hash;
}

uint64_t tern_hash_under(const struct tern_table_secret *secret, const void *key, size_t bytes)
{
    if (secret->key[0] == 0 && secret->key[1] == 0 && secret->bits == 0)
        return tern_table_hash(key, bytes);
    return tern_table_hash_keyed(secret, key, bytes);
}

/* Returns the CRC of a record of `bytes` bytes whose first words are `header`. */
static uint32_t record_crc(const uint32_t *header, const uint8_t *record, size_t bytes)
{
    uint32_t words[RECORD_BYTES / 4];

    memcpy(words, header, sizeof(words));
    TERN_SET(REC, next, words, 0);
    TERN_SET(REC, generation, words, TERN_GET(REC, generation, words) & GENERATION_MAX);
    TERN_SET(REC, crc, words, 0);
    return ~tern_crc_add(tern_crc_add(UINT32_MAX, words, sizeof(words)), record + RECORD_BYTES,
                    bytes - RECORD_BYTES);
}

uint32_t tern_table_record_sum(const void *record)
{
    uint32_t header[RECORD_BYTES / 4];

    memcpy(header, record, sizeof(header));
    return record_crc(header, record, (size_t)tern_record_bytes(header));
}

/* ---- nodes: buckets, followed by records */

static uint32_t *node_at(const struct tern_table *table, uint32_t place)
{
    return (uint32_t *)(void *)(table->memory + (size_t)place * TERN_NODE_BYTES);
}

static uint32_t bucket_of(unsigned log2_buckets, uint64_t hash)
{
    return (uint32_t)hash & ((UINT32_C(1) << log2_buckets) - 1);
}

static uint64_t link_to(const uint32_t *record)
{
    return tern_link((uintptr_t)record, (uint16_t)TERN_GET(REC, generation, record));
}

static uint32_t *next_of(const uint32_t *node)
{
    return (uint32_t *)(uintptr_t)tern_link_addr(tern_linked_less(node));
}

/* The record of a key, or NULL, and the node whose link leads to it or to the end of the list. */
struct spot {
    uint32_t *before, *record;
};

static struct spot find(const struct tern_table *table, uint64_t hash, const void *key,
                        size_t key_bytes)
{
    struct spot spot = {.before = node_at(table, bucket_of(table->log2_buckets, hash))};

    while ((spot.record = next_of(spot.before)) != NULL &&
           (TERN_GET(REC, hash, spot.record) != hash ||
            !tern_record_is_key(spot.record, key, key_bytes)))
        spot.before = spot.record;
    return spot;
}

/* ---- records */

bool tern_record_is_deletion(const uint32_t *header)
{
    return TERN_GET(REC, vlen, header) == RECORD_DELETION;
}

uint64_t tern_record_bytes(const uint32_t *header)
{
    return RECORD_BYTES + TERN_GET(REC, klen, header) + (tern_record_is_deletion(header)
                                                         ? 0 : TERN_GET(REC, vlen, header));
}

bool tern_record_is_key(const uint32_t *record, const void *key, size_t key_bytes)
{
    return TERN_GET(REC, klen, record) == key_bytes &&
           memcmp((const uint8_t *)record + RECORD_BYTES, key, key_bytes) == 0;
}

bool tern_record_same_key(const uint32_t *a, const uint32_t *b)
{
    return TERN_GET(REC, hash, a) == TERN_GET(REC, hash, b) &&
           tern_record_is_key(a, (const uint8_t *)b + RECORD_BYTES, TERN_GET(REC, klen, b));
}

static uint64_t nodes_of(uint64_t bytes)
{
    return (bytes + TERN_NODE_BYTES - 1) / TERN_NODE_BYTES;
}

/* Skips an address whose low 32 bits are 0, since a link to it would mean the end of a list. */
static void pass_over(struct tern_table *table)
{
    if (table->used < table->nodes && (uint32_t)(uintptr_t)node_at(table, table->used) == 0)
        table->used++;
}

/* Lookups copy `room` bytes from a record on, even if the record is shorter. */
static bool has_room(const struct tern_table *table, uint64_t nodes)
{
    return (nodes > table->reach ? nodes : table->reach) <= table->nodes - table->used;
}

static uint16_t next_generation(struct tern_table *table)
{
    uint16_t generation = table->generation;

    table->generation = generation == GENERATION_MAX ? 1 : (uint16_t)(generation + 1);
    return generation;
}

void tern_record_write(uint32_t *record, uint64_t hash, const void *key, size_t key_bytes,
                       const void *value,
                       size_t value_bytes)
{
    uint8_t *bytes = (uint8_t *)record;

    TERN_SET(REC, hash, record, hash);
    TERN_SET(REC, vlen, record, value_bytes);
    TERN_SET(REC, klen, record, key_bytes);
    memcpy(bytes + RECORD_BYTES, key, key_bytes);
    if (value_bytes && !tern_record_is_deletion(record))
        memcpy(bytes + RECORD_BYTES + key_bytes, value, value_bytes);
    TERN_SET(REC, crc, record, record_crc(record, bytes, (size_t)tern_record_bytes(record)));
}

/* Changes the record's generation, so that clients that remember its place get STALE_POINTER. */
void tern_record_take_out(uint32_t *record)
{
    tern_linked_set_generation(record, (uint16_t)(TERN_GET(REC, generation, record) | TAKEN_OUT));
}

/* ---- the table */

int tern_table_init(struct tern_table *table, void *memory, size_t bytes, unsigned log2_buckets,
                    uint32_t room)
{
    uint64_t nodes = bytes / TERN_NODE_BYTES;

    if ((uintptr_t)memory % TERN_NODE_BYTES != 0)
        return -TERN_ST_BAD_ALIGN;
    if (log2_buckets > BUCKETS_LOG2_MAX || nodes < UINT64_C(1) << log2_buckets)
        return -TERN_ST_NO_MEMORY;
    *table = (struct tern_table){
        .memory = memory,
        .nodes = (uint32_t)(nodes < UINT32_MAX ? nodes : UINT32_MAX),
        .used = UINT32_C(1) << log2_buckets,
        .reach = (uint32_t)nodes_of(room),
        .generation = 1,
        .log2_buckets = (uint8_t)log2_buckets,
    };
    memset(memory, 0, (size_t)table->nodes * TERN_NODE_BYTES);
    return 0;
}

int tern_table_set(struct tern_table *table, const void *key, size_t key_bytes,
                   const void *value, size_t value_bytes)
{
    uint64_t hash = tern_hash_under(&table->secret, key, key_bytes), nodes;
    struct spot spot;
    uint32_t *record;

    if (key_bytes == 0 || key_bytes > KEY_BYTES_MAX || value_bytes >= RECORD_DELETION)
        return -TERN_ST_BAD_LENGTH;
    spot = find(table, hash, key, key_bytes);
    pass_over(table);
    record = node_at(table, table->used);
    nodes = nodes_of((uint64_t)RECORD_BYTES + key_bytes + value_bytes);
    if (!has_room(table, nodes))
        return -TERN_ST_NO_MEMORY;
    TERN_SET(REC, place, record, table->used);
    TERN_SET(REC, generation, record, next_generation(table));
    tern_record_write(record, hash, key, key_bytes, value, value_bytes);
    TERN_SET(REC, next, record, spot.record ? tern_linked_less(spot.record) : 0);
    table->used += (uint32_t)nodes;
    tern_linked_set_less(spot.before, link_to(record));
    if (spot.record)
        tern_record_take_out(spot.record);
    return 0;
}

int tern_table_remove(struct tern_table *table, const void *key, size_t key_bytes)
{
    struct spot spot = find(table, tern_hash_under(&table->secret, key, key_bytes), key, key_bytes);

    if (!spot.record)
        return -TERN_ST_NOT_FOUND;
    tern_linked_set_less(spot.before, tern_linked_less(spot.record));
    tern_record_take_out(spot.record);
    return 0;
}

/* ---- parsing records */

struct tern_rptr tern_table_bucket(const struct tern_table_pointer *table, uint64_t hash)
{
    return tern_rptr_add(table->start, (uint64_t)bucket_of(table->log2_buckets,
                                                           hash) * TERN_NODE_BYTES);
}

struct tern_table_seen tern_record_seen(const uint32_t *header)
{
    uint16_t generation = (uint16_t)TERN_GET(REC, generation, header);

    if (generation & TAKEN_OUT)
        return (struct tern_table_seen){0};
    return (struct tern_table_seen){(uint32_t)TERN_GET(REC, place, header), generation};
}

int tern_table_record_read(const void *from, size_t bytes, const void *key, size_t key_bytes,
                           struct tern_table_record *record)
{
    const uint8_t *at = from;
    uint32_t header[RECORD_BYTES / 4];
    uint64_t all;

    if (bytes < sizeof(header))
        return -TERN_ST_BAD_LENGTH;
    memcpy(header, at, sizeof(header));
    all = tern_record_bytes(header);
    record->next = TERN_GET(REC, next, header);
    if ((uint32_t)record->next == 0)
        record->next = 0;
    if (TERN_GET(REC, klen, header) != key_bytes)
        return -TERN_ST_NOT_FOUND;
    if (bytes < RECORD_BYTES + key_bytes)
        return -TERN_ST_BAD_LENGTH;
    if (memcmp(at + RECORD_BYTES, key, key_bytes) != 0)
        return -TERN_ST_NOT_FOUND;
    record->next = 0;
    if (bytes >= all && record_crc(header, at, (size_t)all) != TERN_GET(REC, crc, header))
        return -TERN_ST_BAD_LINK;
    if (tern_record_is_deletion(header))
        return -TERN_ST_NOT_FOUND;
    *record = (struct tern_table_record){
        .value = at + RECORD_BYTES + key_bytes,
        .value_bytes = (uint32_t)TERN_GET(REC, vlen, header),
        .whole = bytes >= all,
        .at = tern_record_seen(header),
    };
    return 0;
}
