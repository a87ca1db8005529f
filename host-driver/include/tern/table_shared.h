/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that all nodes change: every node with the table's address sets and removes keys, by
 * operations of the NIC that has it. Its host takes no part, except that it sweeps periodically.
 * Lookups are as in any other table, by tern_table_find() or tern_table_lookup() of tern/table.h,
 * with tern_table_shared_hash(); `room` is then at most the bytes of the largest slab.
 *
 * Memory: buckets; then slabs (tern/slabs.h) of one or more sizes, one for each record; then a
 * reserve of slabs for the removal of keys alone.
 *
 * A change writes a record into a slab and then makes the bucket's link point to it by one
 * compare-and-swap. So a new record always becomes the first of its bucket, and a lookup finds the
 * newest record of a key first. To remove a key, a client adds a record that marks it as removed.
 * Last, the client hands the slab over to the table, and changes the generation of the record that
 * the new one shadows, so that clients that remember its place notice. Keys with the same hash have
 * separate records.
 *
 * Changes, and lookups by bucket, are linearizable. A change takes effect at its
 * compare-and-swap, between call and return; at that moment an expectation still holds. A lookup by
 * bucket sees the changes up to the moment at which the NIC read the bucket. A lookup by a
 * remembered place may bring the older record until the change that shadows it has returned; after
 * a blind set, until the table has been swept. A found record is consistent
 * (tern_table_record_read()), whatever other nodes write meanwhile.
 *
 * A client that dies or pauses: before the compare-and-swap the slab belongs to the client,
 * afterwards to the table. The sweep uses grace periods (tern/grace.h): it takes over the slabs of
 * clients that are no longer members, and frees none that a walk or a change may still reach. So a
 * client may pause anywhere, for any time. A client that is not in the list of members must treat
 * the results of lookups as hints.
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
    struct tern_holder holder;         /* the table's name as owner of slabs, different from all
                                        * clients */
    uint8_t sizes;
    /* in ascending order of slab size; then the reserve */
    struct tern_blocks blocks[TERN_TABLE_SIZES_MAX + 1];
};

/* The hash of a key, for lookups. */
uint64_t tern_table_shared_hash(const struct tern_table_shared *table, const void *key,
                                size_t key_bytes);

/*
 * ---- the node that has the table --------------------------------------------------
 */

/* The shape of a new table. */
struct tern_table_shape {
    unsigned log2_buckets;
    unsigned sizes; /* 1 to TERN_TABLE_SIZES_MAX, in ascending order */
    struct tern_table_size {
        uint32_t slab_bytes;
        uint32_t share; /* weight of this size when the memory is divided */
    } size[TERN_TABLE_SIZES_MAX];
    uint32_t reserve; /* slabs of the largest size kept for removals; 0: one for every 64 that would
                       * fit */
    uint8_t life;     /* raise it each time the same memory is formatted */
    struct tern_holder holder;
    struct tern_table_secret secret; /* all zero: tern_table_hash(), for trusted writers */
};

/*
 * Makes an empty table in `bytes` at `memory`, a multiple of 64, in which no address is a multiple
 * of 4 GiB. `slab_bytes`, a multiple of TERN_NODE_BYTES and at most max_payload of tern_query(), is
 * the maximum size of a record, including its head of TERN_NODE_BYTES. BAD_ALIGN; BAD_SIZE, also
 * when sizes do not ascend; BAD_RANGE; BAD_ARGUMENT without a holder or a size; NO_MEMORY when
 * there is not a slab of each size. The caller registers all of the memory as one region, with
 * TERN_RIGHT_REMOTE_READ, _WRITE and _ATOMIC, and then sets `start` to tern_region_pointer(region,
 * 0).
 */
int tern_table_shared_init(struct tern_table_shared *table, void *memory, size_t bytes,
                           const struct tern_table_shape *shape);
void tern_table_shared_at(struct tern_table_shared *table, struct tern_rptr start);

/* Counts the slabs of all sizes and of the reserve; `seen` of a sweep has a word for each. */
size_t tern_table_shared_slabs(const struct tern_table_shared *table);

/*
 * Sweeps the table: one thread of the host that has the table calls this periodically. `allocator`
 * has the table's holder and queues; the call ignores its blocks. Each call makes the table the
 * owner of all slabs whose clients are not in the list of `grace`. If the grace period is over, the
 * call also looks at all buckets and slabs: It unlinks a record that newer ones shadow now and
 * shadowed at the look before. It also unlinks a record that marks a removed key, if no record of
 * that key comes after it; the first record of a bucket stays until it is the only one. It frees a
 * slab of the table that is in no bucket now and was in none at the look before, and, as
 * tern_blocks_sweep(), slabs without an owner. `seen` has a word for each slab, initially 0.
 * Returns how many slabs it freed; BAD_LINK: a bucket has a bad link, and no slab was freed.
 */
int tern_table_shared_sweep(struct tern_allocator *allocator,
                            const struct tern_table_shared *table, void *memory,
                            struct tern_grace *grace, uint64_t *seen);

/*
 * Counts the requests of clients that found no slab for a removal, not even in the reserve: if the
 * count grew since the last call, sweep now.
 */
uint64_t tern_table_shared_asked(const struct tern_table_shared *table, const void *memory);

/*
 * ---- clients that change it --------------------------------------------------
 */

/* A change of a key; for the library only. */
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
 * A client of such a table. A writer makes one change at a time; use several writers on one queue
 * to change several keys at once. The caller fills in the first part. The queue has 8 entries or
 * more and may serve anything else.
 */
struct tern_table_writer {
    struct tern_table_shared table;
    struct tern_holder holder;        /* name of the client */
    struct tern_cq *cq;               /* where `sq` reports */
    struct tern_sq *sq;
    int timeout_ms;                   /* of blocking functions, -1: no limit */
    const struct tern_region *region; /* contains `scratch`; TERN_RIGHT_LOCAL_READ, _REMOTE_WRITE */
    void *scratch;                    /* aligned to 8; tern_table_writer_bytes() long */
    /*
     * Do not look up the record that a set without an expectation shadows; this saves a lookup and
     * the marking. Only lookups by bucket are linearizable then.
     */
    bool blind;

    struct tern_table_seen written; /* the record of the last change that ended with OK */

    uint32_t stocked; /* library, initially 0: sizes with a slab in stock */
    struct tern_slab stock[TERN_TABLE_SIZES_MAX + 1];
    uint32_t word[TERN_TABLE_SIZES_MAX + 1];
    struct tern_table_change change;
};

size_t tern_table_writer_bytes(const struct tern_table_shared *table);

/*
 * Takes a slab for the next change of a record of this size, if there is none in stock, and waits
 * for it; this saves a round trip in that change. As tern_balloc_wait(); BAD_LENGTH.
 */
int tern_table_writer_stock(struct tern_table_writer *writer, size_t key_bytes,
                            size_t value_bytes);

/*
 * Posts a change that sets a key. `expected` NULL: unconditionally; all zero: only if the key has
 * no value; else only if its record is still the one seen. `key` and `value` must not change until
 * it completes; `expected` is copied.
 *
 * Returns AGAIN like tern_put(), or while the previous change is in flight; BAD_LENGTH: no key, or
 * more than the largest slab has room for. Completes once, as TERN_OP_CAS with `context`: OK;
 * UNLIKE: not as expected; FULL; CONTENDED: others changed the bucket first, many times; in these
 * cases nothing has changed. Any other status is that of a failed operation: then the key may be
 * set or not.
 */
int tern_table_shared_set(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                          const void *value, size_t value_bytes,
                          const struct tern_table_seen *expected, uint64_t context);

/*
 * Posts a change that removes a key. NOT_FOUND. It also takes a slab, if necessary from the
 * reserve. FULL: the reserve is empty, too, and the owner has been asked for a sweep
 * (tern_table_shared_asked()): try again after the member's next number.
 */
int tern_table_shared_remove(struct tern_table_writer *writer, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected, uint64_t context);

/*
 * Make a change and wait up to `timeout_ms` for it; they keep other completions for tern_cq_poll().
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
