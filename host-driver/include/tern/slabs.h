/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs: memory of a node in pieces of one size, which many nodes allocate and free by atomic
 * operations of the NIC that has it. Its host takes no part.
 *
 * Taking a slab is one operation on a map word, in one round trip. It never loses a race: each of
 * several takers gets a slab as long as one is free. The new owner writes the slab's owner word by
 * a put for which it does not wait. Giving back takes two operations. The first, on the owner word,
 * refuses a slab that is free, has another owner, or was taken again since. The second clears the
 * bit in the map.
 *
 * Generations: each take gives a slab a greater generation, until its map word has seen 2^24 slabs
 * given back in one life. A pointer to a slab is valid as long as the slab has the pointer's
 * generation.
 *
 * Dead owners: tern_blocks_sweep() frees the slabs of owners that are no longer members, which it
 * finds by the owner words. It also frees slabs that a client had taken, or half given back, when
 * it died before writing the owner word. It frees the latter by the progress of the other members
 * (tern/grace.h): a client may pause anywhere, for any time, and no other client gets its slab
 * until the paused client was fenced.
 *
 * Order: atomic operations and puts of one queue overtake each other. Giving back carries a fence,
 * so that the earlier put of the owner word takes effect first. To hand a slab to another host,
 * post the message with a fence.
 *
 * Errors, threads, ownership, units: as tern.h says. The region has TERN_RIGHT_REMOTE_ATOMIC and
 * TERN_RIGHT_REMOTE_WRITE, and the rights for the use of the slabs.
 */
#ifndef TERN_SLABS_H
#define TERN_SLABS_H

#include <tern/grace.h>
#include <tern/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of memory in slabs, the same for all its users. */
struct tern_blocks {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of the node that has the memory */
    uint64_t bytes; /* of the whole memory */
    uint32_t slabs;
    uint32_t slab_bytes;
    uint8_t life;
};

/* ---- the node that has the memory -------------------------------------------------- */

/*
 * Makes slabs of `slab_bytes` (a multiple of 8) from `bytes` at `memory` (a multiple of 64); all
 * are free. Slabs are aligned to 8 bytes, or to 64 if their size is a multiple of 64. The caller
 * registers all of the memory as one region and fills in `blocks->start`. To format the same memory
 * again, pass the next life. BAD_ALIGN, BAD_SIZE; NO_MEMORY when not even one slab fits.
 */
int tern_blocks_format(void *memory, size_t bytes, uint32_t slab_bytes, uint8_t life,
                       struct tern_blocks *blocks);

/* Return the number of map words, and the bytes of all map and owner words, which lie before the
 * slabs. */
uint32_t tern_blocks_words(const struct tern_blocks *blocks);
size_t tern_blocks_head(const struct tern_blocks *blocks);

/*
 * ---- taking slabs and giving them back ------------------------------------------------------
 */

struct tern_slab {
    struct tern_rptr at;
    uint32_t index, generation;
};

/*
 * Takes a slab. The caller fills in the first part, the library the rest; the structure must not
 * move until the operation has completed.
 */
struct tern_balloc {
    struct tern_steps steps; /* library */
    const struct tern_blocks *blocks;
    struct tern_holder holder;
    uint32_t word;  /* in: map word to try first; out: the word of the slab */
    uint32_t words; /* maximum number of map words to try; 0: all */

    struct tern_slab slab; /* out: the slab */

    uint32_t tried; /* library */
    bool asked;
    uint64_t map;
    enum tern_status answer;
};

/*
 * Posts it. Returns AGAIN like tern_put(), BAD_ARGUMENT without blocks or owner, BAD_RANGE when
 * there is no such word. Completes once, as TERN_OP_TAKE with `context`: OK, with the slab in
 * `slab`; FULL: no slab of the words was free; STALE_POINTER: the slabs are of another life; or the
 * status of the failed operation. Takes one round trip for each word.
 *
 * It completes without the put of the owner word: if that fails, tern_sq_strays() returns its
 * status, and the slab has no owner until a sweep.
 */
int tern_balloc(struct tern_sq *sq, struct tern_balloc *balloc, uint64_t context);

/* Gives a slab back; the structure is used as tern_balloc is. */
struct tern_bfree {
    struct tern_steps steps; /* library */
    const struct tern_blocks *blocks;
    struct tern_holder holder;
    struct tern_slab slab;

    uint8_t step; /* library */
    uint64_t own;
    enum tern_status answer;
};

/*
 * Posts it, after all that was posted to `sq` before. Returns AGAIN like tern_put(), BAD_ARGUMENT
 * without blocks, BAD_RANGE when there is no such slab. Completes once, as TERN_OP_ADD with
 * `context`: OK; NOT_TAKEN: the slab has no owner; NOT_OWNER: it has another one, or another epoch;
 * STALE_POINTER: it was taken again since; in these cases nothing has changed. Or the status of a
 * failed operation. Takes two round trips.
 */
int tern_bfree(struct tern_sq *sq, struct tern_bfree *bfree, uint64_t context);

/*
 * ---- blocking calls ------------------------------------------------------------------------
 */

/*
 * A client of memory in slabs. Its queue may serve other operations: while a function blocks, it
 * keeps their completions for tern_cq_poll().
 */
struct tern_allocator {
    struct tern_blocks blocks;
    struct tern_holder holder;
    struct tern_cq *cq; /* where `sq` reports */
    struct tern_sq *sq;
    int timeout_ms; /* of each call, -1: no limit */
    uint32_t word;  /* map word to try first for the next slab */
};

/*
 * Takes a slab from any word, as tern_balloc(); WAIT_EXPIRED. When the put of an owner word failed
 * earlier, returns its status once and takes nothing.
 */
int tern_balloc_wait(struct tern_allocator *allocator, struct tern_slab *slab);

/* Gives a slab back, as tern_bfree(); WAIT_EXPIRED. */
int tern_bfree_wait(struct tern_allocator *allocator, const struct tern_slab *slab);

/*
 * Gives back all slabs of `dead`, in its name. `head` is the memory that tern_blocks_head()
 * returns, or a copy read from another node: slabs that have changed since are left alone. Returns
 * how many.
 */
int tern_blocks_recover(struct tern_allocator *allocator, const void *head,
                        struct tern_holder dead);

/*
 * Frees slabs that their owners did not give back. Call it periodically, from one thread; `head` is
 * the memory itself, or a copy that was read after tern_grace_is_over(grace) had returned true.
 * Each call frees slabs whose owner is neither the allocator's holder nor in the list of `grace`. A
 * call is also a look if the grace period since the last look is over. The third look in a row that
 * finds a slab taken, without an owner, and with the same owner word frees it. `seen` has a word
 * for each slab, initially 0. Returns how many slabs it freed.
 */
int tern_blocks_sweep(struct tern_allocator *allocator, const void *head, struct tern_grace *grace,
                      uint64_t *seen);

#ifdef __cplusplus
}
#endif

#endif
