/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that all nodes change: every node with the table's address sets and removes keys, by
 * operations of the NIC that has it. Its host takes no part but to sweep now and then.  Lookups are
 * as in any other table, by tern_table_find() or tern_table_lookup() of tern/table.h, with
 * tern_table_shared_hash(); `room` is then at most the bytes of the largest slab.
 *
 * Memory: buckets, followed by slabs (tern/slabs.h) of one or more sizes, of which each record has
 * one, and a reserve of slabs that only the removal of a key takes.
 *
 * A change writes a record into a slab and then swings the bucket's link to it, by one
 * compare-and-swap: a new record always becomes the first of its bucket, so the newest of a key is
 * found first.  A key is taken out by a record that says so.  Last, the slab is handed over to the
 * table, and the record that the new one shadows gets another generation, so a client that
 * remembers its place learns of it.  Keys with the same hash have records side by side.
 *
 * What is linearizable: changes, and lookups by bucket.  A change takes effect at its
 * compare-and-swap, between call and return; one with an expectation knows that it still held then.
 * A lookup by bucket sees the changes up to the moment at which the NIC read the bucket.  A lookup
 * by a remembered place may bring the older record until the change that shadows it has returned;
 * after a blind set, until the table has been swept.  A record that is found is whole
 * (tern_table_record_read()), whatever other nodes write meanwhile.
 *
 * A client that dies or pauses: its record is in the bucket or not.  Until the link has been swung
 * the slab is the client's; afterwards it is the table's.  The sweep goes by the progress of the
 * members (tern/grace.h): it takes over the slabs of clients that are no members any more, and
 * frees none that a walk or a change may still reach.  So a client may pause anywhere, for any
 * time.  A client without a place in the list of members must take what it finds for a hint.
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

#define TERN_TABLE_SIZES_MAX 8

/* The description of such a table, the same for all its users. */
struct tern_table_shared {
    struct tern_table_pointer pointer; /* for lookups */
    struct tern_table_secret secret;   /* of the hash */
    struct tern_holder holder;         /* in whose name the table has its slabs; no client's */
    uint8_t sizes;
    /* by the size of their slabs, the smallest first; then the reserve */
    struct tern_blocks blocks[TERN_TABLE_SIZES_MAX + 1];
};

/* The hash of a key, for lookups. */
uint64_t tern_table_shared_hash(const struct tern_table_shared *table, const void *key,
                                size_t key_bytes);

/*
 * ---- who has the table ------------------------------------------------------------------------
 */

/* The shape of a new table. */
struct tern_table_shape {
    unsigned log2_buckets;
    unsigned sizes; /* 1 to TERN_TABLE_SIZES_MAX, the smallest slabs first */
    struct tern_table_size {
        uint32_t slab_bytes;
        uint32_t share; /* of the memory, beside the shares of the others */
    } size[TERN_TABLE_SIZES_MAX];
    uint32_t reserve; /* slabs of the largest size for removals; 0: one in 64 of that many bytes */
    uint8_t life;     /* memory that is made anew has the next one */
    struct tern_holder holder;
    struct tern_table_secret secret; /* all zero: tern_table_hash(); for writers that are trusted */
};

/*
 * Makes an empty table in `bytes` at `memory`, a multiple of 64, in which no address is a multiple
 * of 4 GiB.  `slab_bytes`, a multiple of TERN_NODE_BYTES and no more than max_payload of
 * tern_query(), is what a record has room for, TERN_NODE_BYTES of it its head.  BAD_ALIGN;
 * BAD_SIZE, also when sizes do not ascend; BAD_RANGE; BAD_ARGUMENT without a holder or a size;
 * NO_MEMORY when there is not a slab of each size.  The caller registers all of the memory as one
 * region, with TERN_RIGHT_REMOTE_READ, _WRITE and _ATOMIC, and then says where it is: `start` is
 * tern_region_pointer(region, 0).
 */
int tern_table_shared_init(struct tern_table_shared *table, void *memory, size_t bytes,
                           const struct tern_table_shape *shape);
void tern_table_shared_at(struct tern_table_shared *table, struct tern_rptr start);

/* Slabs of all sizes and of the reserve, each of which needs a word of `seen` in sweeps. */
size_t tern_table_shared_slabs(const struct tern_table_shared *table);

/*
 * Sweeps the table: one thread of the host that has the table calls this now and then.  `allocator`
 * has the table's holder and queues; the call ignores its blocks.  Each call makes the table the
 * owner of all slabs whose clients are not in the list of `grace`.  If the grace period is over,
 * the call also looks at all buckets and slabs:
 *   A record that newer ones shadow, and did at the look before, is unlinked.  So is one that says
 *   that a key was taken out, if no record of that key comes after it; the first of a bucket
 *   stays until it is the only one.
 *   A slab of the table that is in no bucket, and was in none at the look before, is free again.
 *   So is a slab without an owner, as tern_blocks_sweep() does it.
 * `seen` has a word for each slab, at first 0.  Returns how many slabs are free again; BAD_LINK: a
 * bucket leads astray, and nothing is given back.
 */
int tern_table_shared_sweep(struct tern_allocator *allocator,
                            const struct tern_table_shared *table, void *memory,
                            struct tern_grace *grace, uint64_t *seen);

/*
 * Counts the requests of clients that found no slab for a removal, not even in the reserve: a
 * greater number than at the last call asks for a sweep now.
 */
uint64_t tern_table_shared_asked(const struct tern_table_shared *table, const void *memory);

/*
 * ---- who changes it ---------------------------------------------------------------------------
 */

/* A change of a key; the library's. */
struct tern_table_change {
    struct tern_steps steps;
    const void *key, *value;
    size_t key_bytes, value_bytes;
    uint64_t hash, link, next, behind, swung;
    struct tern_table_seen expected, newest;
    struct tern_balloc balloc;
    struct tern_bfree bfree;
    int status;
    unsigned tries, walks;
    enum tern_status read, put, found, swap, late;
    uint8_t step, size;
    bool expects, exists, looked, put_there, writes, looks, has_slab, out;
};

/*
 * A client of such a table: one change after the other; several writers of one queue change several
 * keys at once.  The caller fills in the first part.  The queue has 8 entries or more and may serve
 * anything else.
 */
struct tern_table_writer {
    struct tern_table_shared table;
    struct tern_holder holder;        /* of the client */
    struct tern_cq *cq;               /* that `sq` reports to */
    struct tern_sq *sq;
    int timeout_ms;                   /* of functions that wait, -1: no limit */
    const struct tern_region *region; /* around `scratch`; TERN_RIGHT_LOCAL_READ, _REMOTE_WRITE */
    void *scratch;                    /* a multiple of 8; tern_table_writer_bytes() */
    /*
     * Sets without an expectation do not look for the record that they shadow, which saves its
     * lookup and its marking.  Only lookups by bucket are linearizable then.
     */
    bool blind;

    struct tern_table_seen written; /* the record of the last change that ended with OK */

    uint32_t stocked; /* library, at first 0: sizes of which there is a slab for the next change */
    struct tern_slab stock[TERN_TABLE_SIZES_MAX + 1];
    uint32_t word[TERN_TABLE_SIZES_MAX + 1];
    struct tern_table_change change;
};

size_t tern_table_writer_bytes(const struct tern_table_shared *table);

/*
 * Waits for a slab for the next change of a record of so many bytes, if there is none yet: that
 * saves its round trip there.  As tern_balloc_wait(); BAD_LENGTH.
 */
int tern_table_writer_stock(struct tern_table_writer *writer, size_t key_bytes,
                            size_t value_bytes);

/*
 * Posts a change: sets a key.  `expected` NULL: whatever was there; all zero: only if the key has
 * no value; else only if its record is the one that was seen.  `key` and `value` stay as they are
 * until it completes; `expected` is copied.
 *
 * Returns AGAIN like tern_put(), or while the change before is in flight; BAD_LENGTH: no key, or
 * more than the largest slab has room for.  Completes once, as TERN_OP_CAS with `context`: OK;
 * UNLIKE: not as expected; FULL; CONTENDED: others changed the bucket first, many times.  Then
 * nothing has changed.  Any other status is how an operation failed: then the key may be set or
 * not.
 */
int tern_table_shared_set(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                          const void *value, size_t value_bytes,
                          const struct tern_table_seen *expected, uint64_t context);

/*
 * Takes a key out, in the same way.  NOT_FOUND.  Also takes a slab, when all others are taken one
 * of the reserve; FULL: that is empty, too, and the owner has been asked for a sweep
 * (tern_table_shared_asked()): try again when the member's number has gone on.
 */
int tern_table_shared_remove(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected, uint64_t context);

/*
 * The same, waiting for at most `timeout_ms`; other completions are kept for tern_cq_poll().
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
