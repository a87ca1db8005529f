/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps: memory of many nodes, taken and given back without locks and without the hosts of those
 * nodes.
 *
 * A server makes a heap in its pool; a client opens heaps of one name in all pools that it is a
 * member of, and takes from any of them, its own node among them.  A heap is blocks of 64 KiB, each
 * of slabs of one class, from 64 bytes to nearly 32 KiB, four classes for each doubling.  Only what
 * no operation of a NIC can do is asked of the server by message: a block more, a block of another
 * class, objects above the largest class, and their end.
 *
 * Two paths lead to the same slabs; a heap is opened for one of them, and a block serves one:
 *   literal  READ of the block headers, choice of a block by them, READ of its map,
 * compare-and-swap
 *            of the header (a slab more is in use), compare-and-swap of a map word, put of the
 *            owner. Giving back: the owner word, the map word, the header, each by
 *            compare-and-swap.
 *   fast     one TAKE on a map word, put of the owner; no try is in vain because others were
 *            quicker.
 * Who finds a map word full or changed tries on in the map, then in other blocks, then asks the
 * server: tern_heap_limits() has the bounds.
 *
 * With `stock`, a client takes whole words of 32 slabs and gives them out and takes them back
 * without any operation.
 *
 * Pointers (struct tern_ptr) name pool, place and generation, and can be handed to any member; a
 * member that uses memory by its own key gets it by tern_hand_on() first.  A generation grows
 * each time that a slab is given out, up to 2^24 times in the life of a block.
 *
 * Deaths: the memory of a dead member is free again within a lease and a sweep; no slab has two
 * holders, however long a member is paused (tern/pool.h).
 *
 * Errors, units: as tern.h says.  Threads: a heap belongs to one thread at a time, with its
 * members. A program that does nothing for a while calls tern_heap_renew() every quarter of a
 * lease. Functions here wait, unless they say otherwise.
 *
 * Sources: US2017075856 and US10725963 (the literal path); classes and stock after Bonwick's slab
 * allocator (USENIX 1994) and magazines (2001).
 */
#ifndef TERN_ALLOC_H
#define TERN_ALLOC_H

#include <tern/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_heap;

/*
 * Makes a heap of at most `bytes` in the pool, at the server. After tern_pool_adopt(), call it
 * again with the same name: it serves the heap that is there.  BAD_ARGUMENT; BAD_SIZE: not one
 * block fits; NO_MEMORY; NO_RESOURCE; QUEUE_BUSY: the name belongs to another object.
 */
int tern_heap_make(struct tern_pool *pool, const char *name, size_t bytes);

enum tern_alloc_path {
    TERN_ALLOC_FAST,
    TERN_ALLOC_LITERAL,
};

/* Where memory comes from when the caller does not say. */
enum tern_alloc_policy {
    TERN_ALLOC_NEAR,  /* the fewest steps away; then the next */
    TERN_ALLOC_ROUND, /* one node after the other */
    TERN_ALLOC_LEAST, /* where this client has the fewest bytes */
};

struct tern_heap_config {
    enum tern_alloc_path path;
    enum tern_alloc_policy policy;
    unsigned stock;  /* fast path: free slabs kept, of each class; 0: none */
    uint32_t tries;  /* compare-and-swaps or takes before the server is asked; 0: 64 */
};

/*
 * Opens the heaps `name` of all pools; `members` have rights to write, are of one device, and stay
 * the caller's.  `config` may be NULL.  NOT_FOUND: one of the pools has none; BAD_ARGUMENT; as
 * tern_cq_create().
 */
int tern_heap_open(struct tern_member *const *members, unsigned count, const char *name,
                   const struct tern_heap_config *config, struct tern_heap **heap);

/* Gives the stock back and frees the heap; memory that was taken stays the member's. */
void tern_heap_close(struct tern_heap *heap);

/* Keeps the leases, hears what ended.  LEASE_OVER. */
int tern_heap_renew(struct tern_heap *heap);

/*
 * Takes at least `bytes`, on any node or on one.  FULL; BAD_SIZE: none, or more than a heap there
 * may have; BAD_NODE: no pool of the heap is there; LEASE_OVER, NO_POOL: quit the member, join
 * anew; TIMEOUT.
 */
int tern_alloc(struct tern_heap *heap, uint64_t bytes, struct tern_ptr *at);
int tern_alloc_on(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at);

/*
 * Takes `count` of them, 32 in one exchange where a word is free.  All or none.  Any node:
 * TERN_ALLOC_ANY.
 */
#define TERN_ALLOC_ANY 0xffffu
int tern_alloc_many(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at,
                    unsigned count);

/*
 * Gives memory back.  NOT_TAKEN: it is free already; NOT_OWNER: another holder has it;
 * STALE_POINTER: it was given out anew since, or its block is of another class; BAD_RANGE: it is
 * no memory of this heap; LEASE_OVER; NO_POOL: the pool is closed. Nothing has changed then.
 */
int tern_free(struct tern_heap *heap, struct tern_ptr at);

/* Frees `count` blocks, up to the first error; `*freed`, unless NULL, gets how many were freed. */
int tern_free_many(struct tern_heap *heap, const struct tern_ptr *at, unsigned count,
                   unsigned *freed);

/* Bytes that may be used there; 0 when the heap has never met the block. */
uint64_t tern_usable_bytes(const struct tern_heap *heap, struct tern_ptr at);

/* Returns the remote pointer to `at` by the key of the member of that pool; BAD_RANGE: key 0. */
struct tern_rptr tern_heap_rptr(const struct tern_heap *heap, struct tern_ptr at);

/*
 * Gives memory to another holder of the same pool, which may then use and free it, and with which
 * it dies.  The pointer stays good; tell it after this returned.  As tern_free().
 */
int tern_hand_on(struct tern_heap *heap, struct tern_ptr at, struct tern_holder to);

/* ---- without waiting ---------------------------------------------------------------------------
 */

/*
 * Posts an allocation, on `node` or TERN_ALLOC_ANY; it completes once by tern_heap_poll() with
 * `context`.  AGAIN: 16 are under way.
 */
int tern_alloc_post(struct tern_heap *heap, uint16_t node, uint64_t bytes, uint64_t context);

struct tern_heap_done {
    uint64_t context;
    int status; /* 0, or negated */
    struct tern_ptr at;
};

/*
 * Carries posted allocations on; takes up to `max` that ended, returns how many. It waits only
 * where a server has to be asked.
 */
int tern_heap_poll(struct tern_heap *heap, struct tern_heap_done *out, int max);

/* ---- figures -----------------------------------------------------------------------------------
 */

struct tern_heap_counts {
    uint64_t taken, given, handed;           /* slabs and big objects */
    uint64_t header_reads, map_reads;        /* operations of the NIC, by kind */
    uint64_t header_swaps, map_swaps, owner_swaps;
    uint64_t takes, word_takes, adds, owner_puts;
    uint64_t retries;                        /* swaps and takes in vain */
    uint64_t asked, failed;                  /* requests to servers; calls that failed */
    uint64_t bytes_wanted, bytes_given;      /* of what was taken */
};
void tern_heap_counts(const struct tern_heap *heap, struct tern_heap_counts *out);

/* At most so many tries, words of a block, blocks, before a server is asked; twice for a call. */
struct tern_heap_limits {
    uint32_t tries, words, blocks;
};
struct tern_heap_limits tern_heap_limits(const struct tern_heap *heap);

/* A class of a heap, as its server sees it: blocks, slabs in them, slabs taken.  BAD_RANGE. */
struct tern_heap_class {
    uint32_t slab_bytes, blocks, slabs, taken;
};
int tern_heap_class(struct tern_pool *pool, const char *name, unsigned index,
                    struct tern_heap_class *out);

/*
 * Reads the classes of the heap on `node`, while others change it: the first `count` go to
 * `classes`.  Returns how many classes there are; BAD_NODE; AGAIN: 16 operations are under way; as
 * tern_alloc().
 */
int tern_heap_look(struct tern_heap *heap, uint16_t node, struct tern_heap_class *classes,
                   unsigned count);

#ifdef __cplusplus
}
#endif

#endif
