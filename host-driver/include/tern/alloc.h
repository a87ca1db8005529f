/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps: memory of many nodes that clients take and give back without locks and without the hosts
 * of those nodes.
 *
 * A server makes a heap in its pool. A client opens the heaps of one name in all pools that it is a
 * member of, and takes memory from any of them, including the one of its own node. A heap consists
 * of blocks of 64 KiB; each block holds slabs of one class. There are four classes for each
 * doubling, from 64 bytes to nearly 32 KiB. A client sends the server a message only for work that
 * no NIC operation can do: to add a block, to change the class of a block, and to take or free
 * objects above the largest class.
 *
 * A client allocates slabs by one of two paths, chosen for a heap when it is opened; a block
 * serves one path:
 *   literal  reads the block headers, chooses a block, reads its map; then a compare-and-swap of
 *            the header (one more slab in use), a compare-and-swap of a map word, and a put of the
 *            owner word.  To free: the owner word, the map word and the header, each by
 *            compare-and-swap.
 *   fast     one TAKE on a map word, and a put of the owner word; a TAKE never loses a race.
 *
 * A client that finds a map word full or changed tries other words of the map, then other blocks,
 * then asks the server; tern_heap_limits() returns the bounds.
 *
 * With `stock`, a client takes whole words of 32 slabs, then allocates from them and frees to them
 * without any operation.
 *
 * A pointer (struct tern_ptr) names pool, place and generation, and works for any member. A member
 * that is to use and free the memory in its own name first gets it by tern_hand_on(). Each
 * allocation of a slab raises its generation, up to 2^24 times in the life of a block.
 *
 * Deaths: the memory of a dead member is free again within a lease and a sweep; no slab has two
 * holders, however long a member is paused (tern/pool.h).
 *
 * Errors, units: as tern.h says. Threads: a heap belongs to one thread at a time, with its members.
 * An idle program calls tern_heap_renew() every quarter of a lease. Functions here block, unless
 * their comment says otherwise.
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
 * again with the same name: it then serves the existing heap. BAD_ARGUMENT; BAD_SIZE: not one block
 * fits; NO_MEMORY; NO_RESOURCE; QUEUE_BUSY: the name belongs to another object.
 */
int tern_heap_make(struct tern_pool *pool, const char *name, size_t bytes);

enum tern_alloc_path {
    TERN_ALLOC_FAST,
    TERN_ALLOC_LITERAL,
};

/* The node to allocate on when the caller names none. */
enum tern_alloc_policy {
    TERN_ALLOC_NEAR,  /* the node with the fewest hops, then the next nearest */
    TERN_ALLOC_ROUND, /* all nodes in turn */
    TERN_ALLOC_LEAST, /* the node on which this client has the fewest bytes */
};

struct tern_heap_config {
    enum tern_alloc_path path;
    enum tern_alloc_policy policy;
    unsigned stock;  /* fast path: free slabs to keep of each class; 0: none */
    uint32_t tries;  /* compare-and-swaps or takes before the server is asked; 0: 64 */
};

/*
 * Opens the heaps `name` of all pools of `members`. The members have rights to write, share one
 * device, and stay the caller's. `config` may be NULL. NOT_FOUND: one of the pools has no such
 * heap; BAD_ARGUMENT; as tern_cq_create().
 */
int tern_heap_open(struct tern_member *const *members, unsigned count, const char *name,
                   const struct tern_heap_config *config, struct tern_heap **heap);

/* Returns the stock to the pools and frees the handle; the member keeps the memory that it has
 * allocated. */
void tern_heap_close(struct tern_heap *heap);

/* Renews the leases and processes completions. LEASE_OVER. */
int tern_heap_renew(struct tern_heap *heap);

/*
 * Allocates at least `bytes`, on node `node` or on any. FULL; BAD_SIZE: zero, or more than a heap
 * can hold; BAD_NODE: the heap has no pool on that node; LEASE_OVER, NO_POOL: quit the member, join
 * anew; TIMEOUT.
 */
int tern_alloc(struct tern_heap *heap, uint64_t bytes, struct tern_ptr *at);
int tern_alloc_on(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at);

/*
 * Allocates `count` objects, 32 in one round trip where a whole word is free; all or none.
 * TERN_ALLOC_ANY: on any node.
 */
#define TERN_ALLOC_ANY 0xffffu
int tern_alloc_many(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at,
                    unsigned count);

/*
 * Gives memory back. NOT_TAKEN: it is free already; NOT_OWNER: another holder has it;
 * STALE_POINTER: it was allocated again since, or its block changed class; BAD_RANGE: it is not
 * memory of this heap; LEASE_OVER; NO_POOL: the pool is closed. On any of these errors nothing has
 * changed.
 */
int tern_free(struct tern_heap *heap, struct tern_ptr at);

/* Frees `count` blocks, up to the first error; `*freed`, unless NULL, gets how many were freed. */
int tern_free_many(struct tern_heap *heap, const struct tern_ptr *at, unsigned count,
                   unsigned *freed);

/* Returns the usable bytes of the object at `at`; 0 when the heap has not yet seen its block. */
uint64_t tern_usable_bytes(const struct tern_heap *heap, struct tern_ptr at);

/* Returns the remote pointer to `at` by the key of the member of that pool; key 0, which gives
 * BAD_RANGE, if there is none. */
struct tern_rptr tern_heap_rptr(const struct tern_heap *heap, struct tern_ptr at);

/*
 * Gives memory to another holder in the same pool. From then on that holder may use and free it,
 * and it is freed when that holder dies. The pointer stays valid; send it to the new holder after
 * this call has returned. Returns as tern_free().
 */
int tern_hand_on(struct tern_heap *heap, struct tern_ptr at, struct tern_holder to);

/* ---- without blocking ---------------------------------------------------------------------------
 */

/*
 * Posts an allocation on `node`, or on any node with TERN_ALLOC_ANY. It completes once, in
 * tern_heap_poll(), with `context`. AGAIN: 16 are in flight.
 */
int tern_alloc_post(struct tern_heap *heap, uint16_t node, uint64_t bytes, uint64_t context);

struct tern_heap_done {
    uint64_t context;
    int status; /* 0, or negated */
    struct tern_ptr at;
};

/*
 * Advances posted allocations; returns up to `max` that have ended, and how many. Blocks only while
 * it asks a server.
 */
int tern_heap_poll(struct tern_heap *heap, struct tern_heap_done *out, int max);

/* ---- figures -----------------------------------------------------------------------------------
 */

struct tern_heap_counts {
    uint64_t taken, given, handed;           /* slabs and big objects */
    uint64_t header_reads, map_reads;        /* operations of the NIC, by kind */
    uint64_t header_swaps, map_swaps, owner_swaps;
    uint64_t takes, word_takes, adds, owner_puts;
    uint64_t retries;                        /* compare-and-swaps and takes that lost a race */
    uint64_t asked, failed;                  /* requests to servers; calls that failed */
    uint64_t bytes_wanted, bytes_given;      /* requested; allocated for those requests */
};
void tern_heap_counts(const struct tern_heap *heap, struct tern_heap_counts *out);

/* Limits before a client asks a server: tries, words of a block, blocks. A call may reach each
 * limit twice. */
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
