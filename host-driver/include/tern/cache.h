/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Caches: keys and values in the memory of one or more nodes, read and changed from everywhere
 * without the hosts of those nodes.
 *
 * A server makes a cache in its pool; clients that are members of the pool open it. Each client
 * keeps a map: for a key, where its record was, and in what state its bucket was then.  A get of a
 * key in the map is a plain READ of the record; the NIC of the server looks nothing up and its host
 * does nothing.  A get of another key, or of one whose record has been replaced, is a lookup by the
 * server's NIC.  Sets are steps of the client (tern/table_shared.h).  The server's host sweeps,
 * expires and evicts, a grace period at a time (tern/pool.h), and hands out its map.
 *
 * Three paths lead to the same records:
 *   auto     READ of the record and of its bucket, side by side: one round trip.  The record is
 *            believed if the bucket is as it was when the pointer was learnt, otherwise a lookup
 *            follows.  Gets are linearizable.
 *   literal  READ of the record alone, one message.  A get may still bring the value before a set
 *            that is under way when another client has seen that set; linearizable are the lookups.
 *   lookup   the server's NIC looks up each time.
 *
 * A value of more than some 400 bytes is in parts, each a record of its own; to get it takes one
 * exchange more, to set it one more for each eight parts.
 *
 * A set writes a new record and changes none; only an update in place does, of values that were set
 * for that.  So a get returns key, value and version of one set or update, or nothing.  A client
 * compares key, generation, version and checksum of each record that it reads.
 * A pointer is used for the lease of the cache, counted from the last moment at which it was found
 * good; the server uses a record's memory for no other sooner than that after it was taken out.
 *
 * Keys: 1 to TERN_CACHE_KEY_MAX bytes.  Values: up to what tern_cache_limits() returns.  Expiry is
 * in seconds of the clock of the day, as time() returns it; 0: never.  Several servers: each key
 * has its place on one of them, by rendezvous hashing; who loses a server, or gets one more, opens
 * the cache anew with the others and moves no other keys.
 *
 * Memory is what the server set aside.  When it runs short, the server evicts what expired, and
 * then what was used least, at most a quarter of the records of a size at a time.  Clients tell
 * what they used by a put of 128 bytes every quarter of a lease; or the server's NIC samples the
 * gets that it answers, and clients send nothing for it.
 *
 * Errors, units: as tern.h says.  Threads: a cache belongs to one thread at a time, with its
 * members.  A program that does nothing for a while calls tern_cache_renew() every quarter of a
 * lease.  Functions wait, unless they say otherwise. LEASE_OVER, NO_POOL: close, quit, join anew.
 *
 * Sources: US2015269116 and its family (the map at the client, remote pointers); leases after Gray
 * and Cheriton (SOSP 1989); rendezvous hashing after Thaler and Ravishankar (1998).
 */
#ifndef TERN_CACHE_H
#define TERN_CACHE_H

#include <tern/pool.h>
#include <tern/table_shared.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_cache;

#define TERN_CACHE_KEY_MAX 250u

/* ---- the server --------------------------------------------------------------------------------
 */

enum tern_cache_eviction {
    TERN_EVICT_LFU,  /* the least used, where use of long ago counts less */
    TERN_EVICT_LRU,  /* the longest unused */
    TERN_EVICT_NONE, /* sets are refused with FULL */
};

struct tern_cache_config {
    size_t bytes;          /* of all of it, in the pool */
    unsigned log2_buckets; /* 0: one for every 256 bytes */
    unsigned sizes; /* of slabs for records; 0: 128, 256 and 512 bytes, half of it the last */
    struct {
        uint32_t slab_bytes, share; /* as in tern_table_shape */
    } size[TERN_TABLE_SIZES_MAX];
    uint64_t value_bytes; /* of the largest value; 0: 1 MiB; at most an eighth of the memory */
    uint32_t lease_ms;    /* of pointers; 0: 500 */
    unsigned clients;     /* whose use is counted, at most; 0: 64 */
    enum tern_cache_eviction eviction;
    unsigned free_percent; /* of the slabs, kept free by eviction, up to 50; 0: 12 */
    /*
     * The server's NIC tells what is used: one in so many gets, rounded up to a power of 2, at most
     * 32768.  0: clients tell it.
     */
    unsigned sample;
    bool blind;        /* sets look for no earlier record: 3 exchanges, not 4; no literal path */
    uint8_t hash_bits; /* as tern_table_secret.bits: for tests of collisions; 0: 64 */
};

/*
 * Makes a cache in the pool, at the server.  After tern_pool_adopt(), call it again with the same
 * name: it serves the cache that is there.  BAD_ARGUMENT; BAD_SIZE: the bytes do not hold a record
 * of each size; NO_MEMORY: the pool has not so many; NO_RESOURCE; QUEUE_BUSY: the name belongs to
 * another object.
 */
int tern_cache_make(struct tern_pool *pool, const char *name,
                    const struct tern_cache_config *config);

/*
 * Tells clients that subscribed what changed since the last time: one broadcast for up to 30
 * changes, however many clients there are.  Sweeps do it, too; call as often as maps shall be true.
 * 0; NOT_FOUND; as tern_bcast().
 */
int tern_cache_share(struct tern_pool *pool, const char *name);

/* Figures of a cache at its server. */
struct tern_cache_served {
    uint64_t bytes, slabs;                /* all of the memory, all slabs */
    uint64_t free, items, item_bytes;     /* slabs; live records, parts of large values among them,
                                           * and bytes of keys and values */
    uint64_t evicted, expired, flushed;   /* records taken out, since the cache was made */
    uint64_t uses, sweeps, freed, deltas; /* uses told by clients, or for each sample of a get as
                                           * many as `sample`; slabs freed; map entries sent */
    uint64_t samples;                     /* of READs and LOOKUPs, by the NIC */
};
/* As of the last look.  NOT_FOUND: the pool serves no cache of that name. */
int tern_cache_served(struct tern_pool *pool, const char *name, struct tern_cache_served *out);

/* ---- clients -----------------------------------------------------------------------------------
 */

/* How a client gets: see above. */
enum tern_cache_path {
    TERN_CACHE_AUTO,
    TERN_CACHE_LITERAL,
    TERN_CACHE_LOOKUP,
};

struct tern_cache_client {
    enum tern_cache_path path;
    unsigned map_entries; /* room of the map, rounded up to a power of 2; 0: 4096 */
    /* with each READ by pointer, the lookup is posted too: one round trip when it was stale */
    bool together;
    /* the servers tell of changes (tern_cache_share()); one process of each node can have that */
    bool subscribe;
};

/*
 * Opens the caches `name` of all pools; `members` are of one device and stay the caller's.  A
 * member with the right to read alone can get and nothing else.  `config` may be NULL.  NOT_FOUND:
 * one of the pools has none; BAD_ARGUMENT, also the literal path where sets are blind; NO_MEMORY;
 * NO_RESOURCE; as tern_read().
 */
int tern_cache_open(struct tern_member *const *members, unsigned count, const char *name,
                    const struct tern_cache_client *config, struct tern_cache **cache);

/*
 * Ends all operations of the cache.  NULL is fine, and so is one that is closed.  Every other call
 * with a closed cache returns BAD_STATE, or figures of 0: its addresses, some 40 KiB and no memory,
 * are used for nothing else.
 */
void tern_cache_close(struct tern_cache *cache);

/* Keeps the leases; never waits.  0, or as tern_member_renew(). */
int tern_cache_renew(struct tern_cache *cache);

/* Fills the map from the servers' own, by READs of all of it.  Returns how many entries were read.
 */
int tern_cache_load(struct tern_cache *cache);

struct tern_item {
    void *value;    /* the caller's memory */
    uint64_t room;  /* bytes of it */
    uint64_t bytes; /* of the value */
    uint64_t cas;   /* another one for each set */
    uint32_t flags; /* the caller's */
    uint32_t expires;
    bool fixed; /* tern_cache_update() may change it; one record of at most some 400 bytes */
};

/*
 * Gets a value.  NOT_FOUND; BAD_SIZE: `room` was too small, and all but the value is there;
 * BAD_LENGTH of the key; CONTENDED: the record was replaced during each of many lookups;
 * LEASE_OVER, NO_POOL; or how an operation failed.
 */
int tern_cache_get(struct tern_cache *cache, const void *key, size_t key_bytes,
                   struct tern_item *item);

struct tern_cache_key {
    const void *bytes;
    size_t length;
};

/*
 * Gets `count` values; all READs are posted at one doorbell, up to 32 at a time.  `status` has one
 * for each, as tern_cache_get().  Returns how many were found; or LEASE_OVER, NO_POOL.
 */
int tern_cache_mget(struct tern_cache *cache, const struct tern_cache_key *keys,
                    struct tern_item *items, int *status, unsigned count);

enum tern_cache_if {
    TERN_ALWAYS,
    TERN_IF_ABSENT,  /* UNLIKE: the key has a value */
    TERN_IF_PRESENT, /* NOT_FOUND: it has none */
    TERN_IF_CAS,     /* NOT_FOUND; UNLIKE: the value is not the one of item->cas */
};

/*
 * Sets `item->bytes` bytes with flags and expiry; `item->cas` is the new one afterwards.  As above;
 * BAD_LENGTH: key or value too long; FULL: nothing can be evicted; CONTENDED: others were quicker
 * many times; BAD_RIGHTS: the member is a reader.
 */
int tern_cache_set(struct tern_cache *cache, const void *key, size_t key_bytes,
                   struct tern_item *item, enum tern_cache_if when);

/*
 * Writes `item->bytes` bytes over a value that was set `fixed`, by a put into its record: the
 * pointers of all clients stay good, flags and expiry stay. `item->cas` 0: whatever it is,
 * otherwise only that one; it is the new one afterwards.  NOT_FOUND; UNLIKE; BAD_STATE: the value
 * was not set so; BAD_LENGTH: it has another length; CONTENDED: others updated it many times;
 * BAD_RIGHTS.
 *
 * Gets wait while a client updates.  If it dies, the server takes the value out.  Changes that
 * depend on a value return BAD_STATE for such a one: cas, add, append, touch, delete of a version.
 */
int tern_cache_update(struct tern_cache *cache, const void *key, size_t key_bytes,
                      struct tern_item *item);

/* Deletes a key; `cas` 0: whatever it is.  NOT_FOUND, UNLIKE; as tern_cache_set(). */
int tern_cache_delete(struct tern_cache *cache, const void *key, size_t key_bytes, uint64_t cas);

/*
 * Adds `by` to the decimal number that the value is, modulo 2^64; `down`: subtracts, and stops at
 * 0. A value that gets shorter is filled up with blanks. NOT_FOUND; BAD_STATE: it is no number.
 */
int tern_cache_add(struct tern_cache *cache, const void *key, size_t key_bytes, uint64_t by,
                   bool down, uint64_t *value);

/* Puts bytes after the value, or before it, and keeps flags and expiry.  NOT_FOUND, BAD_LENGTH. */
int tern_cache_append(struct tern_cache *cache, const void *key, size_t key_bytes,
                      const void *value, size_t bytes, bool before);

/* Changes when the value expires; its `cas` stays.  NOT_FOUND. */
int tern_cache_touch(struct tern_cache *cache, const void *key, size_t key_bytes, uint32_t expires);

/* Deletes all keys that the servers know at this moment. Returns how many. */
int tern_cache_flush(struct tern_cache *cache);

/* ---- without waiting ---------------------------------------------------------------------------
 */

/*
 * Posts a get; it completes once by tern_cache_poll() with `context`.  Key, item and memory stay
 * the operation's until then.  AGAIN: 32 are under way.
 */
int tern_cache_post_get(struct tern_cache *cache, const void *key, size_t key_bytes,
                        struct tern_item *item, uint64_t context);

struct tern_cache_done {
    uint64_t context;
    int status; /* as tern_cache_get() */
};

/* Takes up to `max` gets that ended, returns how many.  Waits for the parts of large values alone.
 */
int tern_cache_poll(struct tern_cache *cache, struct tern_cache_done *out, int max);

/* An eventfd that turns readable when tern_cache_poll() has something to do; -1: none. */
int tern_cache_fd(const struct tern_cache *cache);

/* ---- figures -----------------------------------------------------------------------------------
 */

struct tern_cache_counts {
    uint64_t gets, hits, misses;
    uint64_t by_pointer; /* hits without a lookup */
    uint64_t stale;      /* pointers found bad: replaced, reused, or bucket changed */
    uint64_t over;       /* pointers left alone because their lease was over */
    uint64_t collisions; /* records of other keys with the same code or hash */
    uint64_t torn;       /* records whose checksum was wrong */
    uint64_t expired;
    uint64_t record_reads, bucket_reads, lookups; /* operations of the NIC */
    uint64_t sets, updates, deletes, retries, asked;
    uint64_t learnt, map_full; /* entries of the map: new, and overwritten while good */
    uint64_t histories;        /* puts that told what was used */
    uint64_t batches, gaps;    /* of changes that servers told; of those that were missed */
};
void tern_cache_counts(const struct tern_cache *cache, struct tern_cache_counts *out);

/* Reads the figures of the nth server, by a READ. */
int tern_cache_stat(struct tern_cache *cache, unsigned server, struct tern_cache_served *out);

struct tern_cache_limits {
    uint64_t value_bytes;
    uint32_t lease_ms;
};
struct tern_cache_limits tern_cache_limits(const struct tern_cache *cache);

/* Returns which of the servers, as counted in `members`, has the key. */
unsigned tern_cache_place(const struct tern_cache *cache, const void *key, size_t key_bytes);

#ifdef __cplusplus
}
#endif

#endif
