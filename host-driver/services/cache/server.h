/* SPDX-License-Identifier: Apache-2.0 */
/* A cache at its server, for the files of this folder; all is under the pool's lock. */
#ifndef TERN_CACHE_SERVER_H
#define TERN_CACHE_SERVER_H

#include <pthread.h>

#include "layout.h"

enum { CACHE_SERVER_SCRATCH = 4096 }; /* of the writer */

/* How much a record was used; for each CACHE_NODE of the table. */
struct cache_rank {
    uint16_t generation;
    uint32_t uses;
    uint64_t since; /* the look that saw the record first, or its last use */
    uint64_t lost;  /* of a part: grace periods in a row in which no value had it */
};

/* A live record, as a look found it. */
struct cache_live {
    uint32_t *record;
    uint32_t *bucket; /* that it is alone in, or NULL */
    uint32_t expires;
    uint16_t size;
    uint64_t version;
    uint32_t uses;
    bool part, in_parts; /* a part of a value; a value that has parts */
    bool held;           /* the bucket begins with a record that says deleted, in vain */
    bool fixed, stuck;   /* may be updated in place; by a member that died doing so */
    uint64_t since;
};

struct cache_sharing;

/* A READ or LOOKUP that the NIC answered. */
struct cache_sample {
    uint32_t place, bytes;
};

/* Samples of the NIC that are not counted yet. */
enum { CACHE_SAMPLES_LOG2 = 8, CACHE_SAMPLES = 1 << CACHE_SAMPLES_LOG2 };
struct cache_samples {
    struct cache_sampler *sampler; /* NULL: the NIC samples nothing for this cache */
    struct cache_samples *next;    /* of the same sampler */
    uint64_t start, bytes;         /* of the table, as addresses of READs */
    unsigned count;
    struct cache_sample sample[CACHE_SAMPLES];
};

struct cache_size {
    uint32_t free, live, going; /* slabs: going: they have no live record, and will be free */
};

struct cache_owner {
    struct tern_pool_service service; /* first */
    struct cache_owner *next;         /* of this process */
    pthread_mutex_t lock;             /* of all below */
    struct tern_pool *pool;
    struct tern_pool_object object;
    struct cache_head *head;
    uint8_t *table_memory;
    struct tern_table_shared table; /* by the pool's key */
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    void *scratch;
    struct tern_allocator allocator;
    struct tern_table_writer writer;
    struct tern_grace grace;
    struct tern_pace mark;
    uint64_t *seen; /* of sweeps */
    uint64_t period, looks;
    bool fresh;       /* a grace period has ended since the last look */
    int64_t swept_at; /* ms */
    struct cache_rank *ranks;
    uint64_t *told;          /* for each page, the count that was seen last */
    uint64_t uses;           /* since counts were halved */
    struct cache_live *live; /* of the last walk */
    size_t live_count, live_room;
    struct cache_sharing *sharing; /* NULL: no client has subscribed yet */
    struct cache_samples samples;
    struct cache_size sizes[TERN_TABLE_SIZES_MAX + 1];
    uint64_t item_bytes;
    struct tern_cache_served counts; /* with those of the servers before */
};

/* ---- walk.c */
/* Finds all live records, and counts slabs by size. */
int cache_walk(struct cache_owner *o);
/* The place of a record, in CACHE_NODE from the start of the table. */
uint32_t cache_place_of(const struct cache_owner *o, const uint32_t *record);
/* Takes what clients told of their use; each page of a client takes the place of the one before. */
void cache_hear_pages(struct cache_owner *o);
/* Takes what the NIC sampled. */
void cache_hear_samples(struct cache_owner *o);
/* The same, for the records of the last walk. */
void cache_hear_uses(struct cache_owner *o);
/* Writes the map, and the figures, that clients may read. */
void cache_write_map(struct cache_owner *o);
void cache_write_figures(struct cache_owner *o);

/* ---- samples.c: what the NIC says that was got */
/* Has the NIC sample one in 2^log2 gets of this table: as tern_read_sample(). */
int cache_samples_open(struct tern_device *device, struct cache_samples *samples, unsigned log2);
void cache_samples_close(struct cache_samples *samples);
/* Takes up to CACHE_SAMPLES samples of this table that came; returns how many. */
unsigned cache_samples_take(struct cache_samples *samples, struct cache_sample *out);

/* ---- delta.c */
/* A client begins or ends to be told of changes; `*sequence` is that of the last batch. */
int cache_subscribe(struct cache_owner *o, struct tern_holder holder, uint16_t node, bool ends,
                    uint64_t *sequence);
/* Tells what changed since the last time. */
int cache_share(struct cache_owner *o);
void cache_sharing_free(struct cache_owner *o);

/* ---- evict.c */
/* Takes a live record out, if it is still the newest of its key: 0, -FULL without a slab for that.
 */
int cache_take_out(struct cache_owner *o, const struct cache_live *live);
/* Takes out records that members were updating when they died: nobody can read them. */
int cache_drop_stuck(struct cache_owner *o);
/* Sets records anew that keep the sweep from taking a record that says deleted off their bucket. */
int cache_free_deletions(struct cache_owner *o);
/* Takes out what expired, then as many records of each size as it takes to have slabs free. */
int cache_evict(struct cache_owner *o);
/* The same for a record of `bytes` now: 0, or FULL: there is nothing to evict. */
int cache_make_room(struct cache_owner *o, uint32_t bytes);
/* Takes out parts that belonged to no value in three grace periods. */
int cache_drop_lost(struct cache_owner *o);
/* Takes out all records; `*count` gets how many.  FULL: not all. */
int cache_flush(struct cache_owner *o, uint32_t *count);

#endif
