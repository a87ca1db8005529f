/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that all nodes change: every node with the table's address sets and removes keys, by
 * operations of the NIC that has it. Its host takes no part but to sweep now and then.  Lookups are
 * as in any other table, by tern_table_lookup() and tern_table_record_read() of tern/table.h;
 * `room` is then at most the bytes of a slab.
 *
 * Memory: buckets, followed by slabs (tern/slabs.h), of which each record has one.
 *
 * A change writes a record into a slab and then swings the bucket's link to it, by one
 * compare-and-swap: a new record always becomes the first of its bucket, so the newest of a key is
 * found first.  A key is taken out by a record that says so.  Last, the record that the new one
 * shadows gets another generation, so who remembers its place is told.
 *
 * What is linearizable: changes, and lookups by bucket.  A change takes effect at its
 * compare-and-swap, between call and return; one with an expectation knows that it still held then.
 * A lookup by bucket sees the changes up to the moment at which the NIC read the bucket.  A lookup
 * by a remembered place may bring the older record until the change that shadows it has returned.
 * A record that is found is whole (tern_table_record_read()), whatever other nodes write meanwhile.
 *
 * A client that dies: its record is in the bucket or not.  A slab that the dead had not yet written
 * to is found by its owner word (tern_blocks_recover()); all others belong to the table.
 *
 * Lease: tern_table_shared_sweep() calls are further apart than any step of a change or a lookup
 * may take.  A client paused for longer must not go on. Generations of a slab come again after it
 * was given back 32767 times; within a lease they do not.
 *
 * Errors, threads, ownership, units: as tern.h says.
 */
#ifndef TERN_TABLE_SHARED_H
#define TERN_TABLE_SHARED_H

#include <tern/slabs.h>
#include <tern/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of such a table, the same for all its users. */
struct tern_table_shared {
    struct tern_table_pointer pointer; /* for lookups */
    struct tern_blocks blocks;
    struct tern_holder holder; /* in whose name the table has its slabs; no client's */
};

/*
 * ---- who has the table ------------------------------------------------------------------------
 */

/*
 * An empty table in `bytes` at `memory`, a multiple of 64, in which no address is a multiple of 4
 * GiB.  `slab_bytes`, a multiple of TERN_NODE_BYTES and no more than max_payload of tern_query(),
 * is what a record has room for, TERN_NODE_BYTES of it its head.  Memory that is made anew has the
 * next `life`.  BAD_ALIGN, BAD_SIZE, BAD_RANGE; BAD_ARGUMENT without a holder; NO_MEMORY.  The
 * caller registers all of the memory as one region, with TERN_RIGHT_REMOTE_READ, _WRITE and
 * _ATOMIC, and then says where it is: `start` is tern_region_pointer(region, 0).
 */
int tern_table_shared_init(struct tern_table_shared *table, void *memory, size_t bytes,
                           unsigned log2_buckets, uint32_t slab_bytes, uint8_t life,
                           struct tern_holder holder);
void tern_table_shared_at(struct tern_table_shared *table, struct tern_rptr start);

/*
 * Unlinks records that newer ones shadow, and those that say that a key was taken out; of the
 * latter, the first of a bucket stays until it is the only one.  Gives slabs back that are in no
 * bucket, and were in none when it was called before with the same `seen`: a word for each slab, at
 * first 0.  One thread of the host that has the table calls it, a lease apart; `allocator` has the
 * table's holder and blocks.  Returns how many slabs are free again; BAD_LINK: a bucket leads
 * astray, and nothing is given back.
 */
int tern_table_shared_sweep(struct tern_allocator *allocator,
                            const struct tern_table_shared *table, void *memory, uint64_t *seen);

/*
 * ---- who changes it ---------------------------------------------------------------------------
 */

/* A change of a key; the library's. */
struct tern_table_change {
    struct tern_steps steps;
    const void *key, *value;
    size_t key_bytes, value_bytes;
    uint64_t hash, link;
    struct tern_table_seen expected, newest;
    struct tern_balloc balloc;
    struct tern_bfree bfree;
    int status;
    unsigned tries;
    enum tern_status answer;
    uint8_t step, at;
    bool expects, exists, other_key, tried, out;
};

/*
 * A client of such a table: one change after the other; several writers of one queue change several
 * keys at once.  The caller fills in the first part.  The queue has 8 entries or more and may serve
 * anything else.
 */
struct tern_table_writer {
    struct tern_table_shared table;
    struct tern_allocator slabs;      /* of the client; its blocks are those of the table */
    const struct tern_region *region; /* around `scratch`; TERN_RIGHT_LOCAL_READ, _REMOTE_WRITE */
    void *scratch;                    /* a multiple of 8; tern_table_writer_bytes() */
    bool stocked;                     /* at first false: there is no slab yet for the next change */
    struct tern_slab slab;

    struct tern_table_change change; /* library */
};

size_t tern_table_writer_bytes(const struct tern_table_shared *table);

/*
 * Waits for a slab for the next change, if there is none yet: that saves its round trip there.  As
 * tern_balloc_wait().
 */
int tern_table_writer_stock(struct tern_table_writer *writer);

/*
 * Posts a change: sets a key.  `expected` NULL: whatever was there; all zero: only if the key has
 * no value; else only if its record is the one that was seen.  `key` and `value` stay as they are
 * until it completes; `expected` is copied.
 *
 * Returns AGAIN like tern_put(), or while the change before is in flight; BAD_LENGTH: no key, or
 * more than a slab has room for.  Completes once, as TERN_OP_CAS with `context`: OK; UNLIKE: not as
 * expected; FULL; QUEUE_BUSY: another key has the same hash; CONTENDED: others changed the bucket
 * first, many times.  Then nothing has changed.  Any other status is how an operation failed: then
 * the key may be set or not.
 */
int tern_table_shared_set(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                          const void *value, size_t value_bytes,
                          const struct tern_table_seen *expected, uint64_t context);

/* Takes a key out, in the same way; also takes a slab.  NOT_FOUND. */
int tern_table_shared_remove(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected, uint64_t context);

/*
 * The same, waiting for at most `slabs.timeout_ms`; other completions are kept for tern_cq_poll().
 * WAIT_EXPIRED: the key may be set or not, and `scratch` stays in use until the queue is destroyed.
 */
int tern_table_shared_set_wait(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                               const void *value, size_t value_bytes,
                               const struct tern_table_seen *expected);
int tern_table_shared_remove_wait(struct tern_table_writer *writer, const void *key,
                                  size_t key_bytes, const struct tern_table_seen *expected);

#ifdef __cplusplus
}
#endif

#endif
