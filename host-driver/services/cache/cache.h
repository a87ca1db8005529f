/* SPDX-License-Identifier: Apache-2.0 */
/* A cache where it is used, for the files of this folder. */
#ifndef TERN_CACHE_CACHE_H
#define TERN_CACHE_CACHE_H

#include "layout.h"

enum {
    CACHE_GETS = 32,      /* under way at a time */
    CACHE_CANDIDATES = 4, /* records of one code that are read at once */
    CACHE_WAYS = 8,       /* of the map */
    CACHE_TRIES = 64,
    CACHE_WINDOW = 512, /* entries of the server's map that one READ brings */

    CACHE_WRITERS = 9, /* the first for keys, the others for parts of large values */
    CACHE_SCRATCH = CACHE_WRITERS * 4 * CACHE_ROOM_MAX,
};

/* ---- the map: where the records of keys were */

struct cache_known {
    uint64_t link; /* of the bucket when the record was found */
    int64_t until; /* ms: end of the lease */
    uint32_t code, place;
    uint16_t generation, version;
    uint16_t part, nodes;   /* nodes: bytes of the record in CACHE_NODE */
    uint32_t expires, uses; /* uses: not told yet */
    bool recent;            /* used since the hand of the clock passed */
};

struct cache_map {
    struct cache_known *known;
    uint32_t sets; /* of CACHE_WAYS, a power of 2 */
    uint32_t hand;
};

/* ---- what ends: completions name one by their context */
struct cache_end {
    bool over;
    int status;
    uint64_t value; /* of an atomic operation: the word before it */
};

/* Memory that grows with the values. */
struct cache_buffer {
    uint8_t *at;
    size_t room;
};

/* Bytes that lookups ask for: of the largest slab in which one of the last records was. */
struct cache_need {
    uint32_t bytes, most, found; /* 0: all; `most` of `found` records since it was settled */
};

/* The cache of one pool. */
struct cache_part {
    struct tern_member *member;
    struct tern_pool_object object;
    struct cache_head head;
    struct tern_table_shared table; /* by this member's key */
    struct tern_rptr start;         /* of the object, by the key that `table` uses */
    struct tern_table_writer writer[CACHE_WRITERS];
    uint16_t number;
    uint32_t room; /* bytes of the largest record */
    struct cache_need need[2]; /* of keys, and of parts of large values */
    /* the page of the history */
    struct cache_end told;
    unsigned told_entered;
    bool telling;
    int64_t tell_at;
    /* what the server tells of changes */
    struct cache_ring *ring;
    struct tern_region *ring_region; /* NULL: it does not */
    uint64_t heard;                  /* number of the last batch */
};

enum cache_phase { GET_BEGIN, GET_POINTERS, GET_LOOKUP };

/* Memory of a get that its NIC writes. */
struct cache_landing {
    uint8_t record[CACHE_CANDIDATES][CACHE_ROOM_MAX];
    uint8_t found[CACHE_ROOM_MAX];
    uint32_t bucket[CACHE_NODE / 4];
};

struct cache_get {
    struct tern_steps steps; /* first */
    struct cache_end end;    /* the context of the steps */
    struct tern_cache *cache;
    struct cache_part *part;
    struct cache_landing *landing;
    struct tern_item *item;
    uint64_t hash, context;
    uint32_t code;
    uint8_t key[CACHE_KEY];
    uint16_t key_bytes;
    unsigned entered, flags;
    uint32_t room;            /* bytes that the lookup asked for */
    bool used, posted, fresh; /* fresh: the map is not asked */
    bool whole;               /* lookups ask for the largest record */
    bool hasty;               /* does not wait for an update to end: CONTENDED */
    enum cache_phase phase;
    int64_t began; /* ms, before the first post of the phase */

    struct cache_known *candidate[CACHE_CANDIDATES];
    struct cache_known was[CACHE_CANDIDATES]; /* as it was when its READ was posted */
    unsigned candidates;
    enum tern_status read[CACHE_CANDIDATES], bucket, found;
    bool looking;  /* the lookup was posted */
    bool asked;    /* answers have come that are not judged */
    uint64_t next; /* the walk goes on there */
    uint64_t link; /* of the bucket, read before the lookup; 0: unknown */
    unsigned tries;
    int64_t busy_until; /* ms; 0: no update was met */

    /* with status 0: what was found, in `landing` */
    const uint8_t *record;
    struct tern_table_record body;
};

/* Memory of a cache that its NIC reads and writes; registered. */
struct cache_memory {
    struct cache_landing landing[CACHE_GETS];
    struct cache_page page;
    struct cache_entry entries[CACHE_WINDOW];
    struct cache_head head;
};

/* Of one that is closed all is zero, and nothing can be written any more. */
struct tern_cache {
    struct tern_cache_client config;
    struct cache_part *parts;
    unsigned count; /* of parts; 0: it is closed */
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region, *scratch_region;
    struct cache_memory *memory;
    uint8_t *scratch; /* of the writers */
    struct cache_map map;
    struct cache_get get[CACHE_GETS];
    struct cache_buffer write, found; /* of the change under way */
    struct tern_cache_counts counts;
};

static inline bool cache_is_closed(const struct tern_cache *cache)
{
    return cache->count == 0;
}

/* Milliseconds of a clock that only goes forward; seconds of the day. */
int64_t cache_now_ms(void);
uint32_t cache_now_s(void);

/* ---- map.c */
int cache_map_open(struct cache_map *map, unsigned entries);
/*
 * Finds up to CACHE_CANDIDATES entries of a code whose lease holds; forgets those whose lease is
 * over and counts them in `*over`.
 */
unsigned cache_map_find(struct cache_map *map, uint32_t code, uint16_t part, int64_t now,
                        struct cache_known **found, uint64_t *over);
/* The entry for a record; a new one takes the place of the least recent.  `*full`: of a good one.
 */
struct cache_known *cache_map_learn(struct cache_map *map, const struct cache_known *what,
                                    int64_t now, bool *full);
void cache_map_forget(struct cache_known *known);
/* Forgets all entries of a code. */
void cache_map_drop(struct cache_map *map, uint32_t code, uint16_t part);
/* Takes the most used entries of a part that are not told yet; how many. */
unsigned cache_map_uses(struct cache_map *map, uint16_t part, struct cache_use *use, unsigned max);

/* ---- wait.c */
/* Puts the member's present key into the part's pointers.  As tern_member_renew(). */
int cache_part_ready(struct cache_part *part);
/* Hears what ended; waits up to so many ms for something. */
int cache_hear(struct tern_cache *cache, int timeout_ms);
/* Waits for an end and keeps the leases meanwhile: its status, or why it cannot be waited for. */
int cache_await(struct tern_cache *cache, const struct cache_end *end);
/* When one that waits for an update of another member gives up. */
int64_t cache_busy_end(const struct cache_part *part, int64_t now);
/* Turns a status of the cache's own operations into the one that the caller gets. */
int cache_told(const struct cache_part *part, int status);
struct cache_part *cache_part_of(struct tern_cache *cache, const void *key, size_t key_bytes);

/* ---- load.c */
/* Reads `bytes` at the object's `offset`, and waits. */
int cache_read_part(struct tern_cache *cache, struct cache_part *part, uint64_t offset, void *to,
                    uint32_t bytes);
void cache_learn_entry(struct tern_cache *cache, const struct cache_part *part,
                       const struct cache_entry *entry, int64_t now);
/* Reads the server's map: how many entries. */
int cache_load_part(struct tern_cache *cache, struct cache_part *part);

/* ---- ring.c */
/* Subscribes.  QUEUE_BUSY: another process of this node does. */
int cache_ring_open(struct tern_cache *cache, struct cache_part *part);
void cache_ring_close(struct tern_cache *cache, struct cache_part *part);
/* Takes up what came. */
int cache_ring_hear(struct tern_cache *cache, struct cache_part *part);

/* ---- request.c */
/* Asks the server of a part: as tern_member_ask(), or the status of its answer. */
int cache_ask_server(struct tern_cache *cache, struct cache_part *part, struct cache_ask *ask);
/* ---- room.c */
/* When a change that waits for room gives up; a pause until it tries again. */
int64_t cache_room_end(const struct cache_part *part);
int cache_room_pause(struct tern_cache *cache, const struct cache_part *part);
/* Asks for room for a record, and waits for some of the time that it takes: 0: try again; FULL. */
int cache_wait_for_room(struct tern_cache *cache, struct cache_part *part, uint32_t bytes,
                        int64_t end);
/* Waits so many ms, keeps the leases meanwhile.  As tern_cache_renew(). */
int cache_pause(struct tern_cache *cache, int ms);

/* ---- get.c */
/* A get of a record by its own key, kind and all.  NULL: CACHE_GETS are under way. */
struct cache_get *cache_get_new(struct tern_cache *cache, struct cache_part *part, const void *key,
                                size_t key_bytes, struct tern_item *item);
/* Posts it; `flags`: TERN_MORE. */
int cache_get_start(struct cache_get *get, unsigned flags);
/* Ends one that is over and frees its place: the status that the caller gets. */
int cache_get_end(struct cache_get *get, struct cache_value *value);
/* The number of the last update of the value that was found, which may be updated in place. */
uint64_t cache_get_word(const struct cache_get *get);
/* The head of the value that was found. */
struct cache_value cache_get_value(const struct cache_get *get);

/* ---- need.c */
/* Bytes of a record that a lookup asks for; of a key that begins with `kind`. */
uint32_t cache_need(const struct cache_part *part, uint8_t kind);
/* Learns from a record of so many bytes. */
void cache_need_learn(struct cache_part *part, uint8_t kind, uint64_t bytes);
/* Bytes of the slab at a place. */
uint32_t cache_slab_bytes(const struct cache_part *part, uint32_t place);

/* ---- set.c */
/* Even, and no other set or update has it: the name of the member, and a number of this process. */
uint64_t cache_next_version(const struct cache_part *part);

/* ---- big.c: values in parts */
/* Bytes of a part, and of the largest value that needs none. */
uint32_t cache_part_bytes(const struct cache_part *part);
uint64_t cache_inline_bytes(const struct cache_part *part, size_t key_bytes);
/* Sets all parts of a value, several at a time.  FULL: those that are set are lost. */
int cache_parts_set(struct tern_cache *cache, struct cache_part *part,
                    const struct cache_value *head, const uint8_t *value);
/* Gets all parts of a value.  NOT_FOUND: one of them is gone. */
int cache_parts_get(struct tern_cache *cache, struct cache_part *part,
                    const struct cache_value *head, uint8_t *to);

/* ---- gets.c */
/* As cache_get_end(), for a get of a key: waits for the parts of its value. */
int cache_get_finish(struct cache_get *get);

#endif
