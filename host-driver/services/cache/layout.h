/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache in the memory of a pool, as server and clients see it.
 *
 *   head     where the rest is, and how the table is laid out
 *   pages    128 bytes for each client, which tells by a put what it used
 *   map      what the server hands out: an entry of 16 bytes for each live record
 *   table    buckets and slabs of records (tern/table_shared.h), the last of all
 *
 * A record's key is one byte of kind and the key of the caller; its value is a struct cache_value
 * and the value of the caller.  In a record that may be updated in place a word comes between
 * them, at a multiple of 8: the number of the last update, odd while a member writes.  The checksum
 * is that of the even number, so it is wrong meanwhile.  A value that no record has room for is in
 * parts, records of their own, which are set first; the record of the key then has the struct
 * cache_value alone.
 */
#ifndef TERN_CACHE_LAYOUT_H
#define TERN_CACHE_LAYOUT_H

#include <tern/cache.h>

#define CACHE_KIND 0x48434143u /* of the object, and of requests */

enum {
    CACHE_LAYOUT = 2,
    CACHE_ALIGN = 64,
    CACHE_NODE = TERN_NODE_BYTES,
    CACHE_ROOM_MAX = 512, /* bytes of a record: one lookup brings so many */
    CACHE_USES = 15,      /* of a page */
    CACHE_DELTAS = 30,    /* entries of a batch, which has 512 bytes with two spare */
    CACHE_BATCHES = 64,   /* of a ring */
    CACHE_SUBSCRIBERS = 64,
    CACHE_KEY = 1 + TERN_CACHE_KEY_MAX,
    CACHE_OWNER_TABLE = 0xfffe,
    CACHE_OWNER_SERVER = 0xfffd, /* in owner words; no members */
    CACHE_OWNER_GRACE = 0xfffc,
};

/* The first byte of a record's key. */
enum cache_key_kind { CACHE_KEY_ITEM = 1, CACHE_KEY_PART };

struct cache_head {
    uint64_t magic;
    uint32_t layout, lives;     /* lives: servers that had it, one after the other */
    uint64_t pages, map, table; /* from the start of the object */
    uint64_t table_bytes;
    uint32_t clients, map_entries;
    uint32_t lease_ms, eviction, free_percent, blind;
    uint64_t value_max;
    uint32_t group_key;              /* of the rings of clients that subscribed */
    uint32_t sample_log2;            /* the NIC samples one in 2^so many gets, less one; 0: none */
    struct tern_table_shared shared; /* its pointers are the server's */
    struct tern_cache_served served; /* as of the last look; words that the server alone writes */
};

struct cache_value {
    uint64_t version; /* even; another one for each set */
    uint32_t flags, expires;
    uint64_t bytes;
    uint32_t part_bytes; /* 0: the bytes follow; else they are in parts of so many bytes each */
    uint32_t kind;       /* 0, or CACHE_FIXED: it may be updated in place */
};

enum { CACHE_FIXED = 1, CACHE_WORD = 8, CACHE_BUSY = 1 };

/* Bytes between the head of a value and the value. */
static inline uint32_t cache_gap(const struct cache_value *value, size_t key_bytes)
{
    return value->kind == CACHE_FIXED ? CACHE_WORD + (uint32_t)(-key_bytes % CACHE_WORD) : 0;
}

/* Where the number of the last update is, from the start of a record; and what a number says. */
static inline uint32_t cache_word_at(size_t key_bytes)
{
    return (uint32_t)(CACHE_NODE + key_bytes + sizeof(struct cache_value) +
                      -key_bytes % CACHE_WORD);
}
static inline struct tern_holder cache_setter(uint64_t version)
{
    return (struct tern_holder){(uint16_t)(version >> 48), (uint16_t)(version >> 32)};
}

/* The key of a part: the version of the value names it, so no part is ever set twice. */
struct cache_part_key {
    uint8_t kind[4];
    uint32_t index;
    uint64_t version;
};

static inline struct cache_part_key cache_part_key(uint64_t version, uint32_t index)
{
    return (struct cache_part_key){.kind = {CACHE_KEY_PART}, .index = index, .version = version};
}

struct cache_use {
    uint32_t place, uses;
};

struct cache_page {
    uint64_t count; /* of puts */
    struct cache_use use[CACHE_USES];
};

/* An entry of the server's map. A reader may see words of two versions, so it checks the record. */
struct cache_entry {
    uint32_t code, place;
    uint16_t generation, version; /* generation 0: there is none */
    uint32_t expires;
};

/* A batch of changes, one packet: the entries of new records; of a deleted key, without a place. */
struct cache_batch {
    uint64_t sequence;
    uint32_t count, rest;
    struct cache_entry entry[CACHE_DELTAS];
    uint64_t end; /* the sequence again */
};

struct cache_ring {
    struct cache_batch batch[CACHE_BATCHES]; /* by sequence, modulo their number */
};

enum cache_ask_kind { CACHE_ASK_ROOM, CACHE_ASK_FLUSH, CACHE_ASK_SUBSCRIBE, CACHE_ASK_UNSUBSCRIBE };

/* A request of a member. */
struct cache_ask {
    uint32_t magic, kind;
    uint64_t cache; /* offset of the object */
    uint32_t bytes; /* ROOM: of the record; SUBSCRIBE: the node */
    uint32_t count; /* answer of FLUSH: records taken out */
    int32_t status;
    uint64_t sequence; /* answer of SUBSCRIBE: of the last batch */
};

_Static_assert(sizeof(struct cache_value) == 32, "a value's head has 32 bytes");
_Static_assert(sizeof(struct cache_page) == 128, "a client's page has 128 bytes");
_Static_assert(sizeof(struct cache_batch) <= CACHE_ROOM_MAX, "a batch is one packet");
_Static_assert(sizeof(struct cache_entry) == 16, "an entry of the map has 16 bytes");
_Static_assert(sizeof(struct cache_ask) <= TERN_POOL_ASK, "a request fits");

/* The code of a hash: all of its bits count, for tables that use few. */
static inline uint32_t cache_code(uint64_t hash)
{
    return (uint32_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

#endif
