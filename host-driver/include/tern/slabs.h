/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a node that many nodes give out among themselves: slabs of one size, taken and given
 * back by atomic operations of the NIC that has them.  Its host takes no part.
 *
 * Taking a slab is one operation on a map word, one round trip, and it is never in vain because
 * others were quicker: each gets another slab as long as one is free.  The new owner writes the
 * slab's owner word, by a put for which it does not wait. Giving back takes two operations: one on
 * the owner word, which refuses a slab that is free, has another owner, or was given out again
 * since; then one on the bit in the map.
 *
 * Generations: a slab has another one each time it is taken, and a greater one, until its map word
 * has seen 2^24 slabs given back in one life.  A pointer to a slab is good as long as the slab has
 * the pointer's generation.
 *
 * Dead owners: tern_blocks_sweep() frees the slabs of owners that are no members any more, which it
 * finds by the owner words, and slabs that were taken, or half given back, by a client that died
 * before it wrote its name there.  The latter are freed by the progress of the living
 * (tern/grace.h): a client may pause anywhere, for any time, and no other client gets its slab
 * until it was fenced.
 *
 * Order: atomic operations and puts of one queue overtake each other.  Giving back carries a fence,
 * so the put of the same queue that says who the owner is comes first.  To hand a slab on to
 * another host, post the message with a fence.
 *
 * Errors, threads, ownership, units: as tern.h says.  The region has TERN_RIGHT_REMOTE_ATOMIC and
 * TERN_RIGHT_REMOTE_WRITE, and whatever is to be done with slabs.
 */
#ifndef TERN_SLABS_H
#define TERN_SLABS_H

#include <tern/grace.h>
#include <tern/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of such memory, the same for all its users. */
struct tern_blocks {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of who has it */
    uint64_t bytes; /* of all of it */
    uint32_t slabs;
    uint32_t slab_bytes;
    uint8_t life;
};

/* ---- who has the memory ---------------------------------------------------------------------- */

/*
 * Makes slabs of `slab_bytes`, a multiple of 8, of `bytes` at `memory`, a multiple of 64; all are
 * free.  Slabs begin at multiples of 8, of 64 if their size is one.  The caller registers all of it
 * as one region and fills in `blocks->start`. To format the same memory again, pass the next life.
 * BAD_ALIGN, BAD_SIZE; NO_MEMORY when not even one slab fits.
 */
int tern_blocks_format(void *memory, size_t bytes, uint32_t slab_bytes, uint8_t life,
                       struct tern_blocks *blocks);

/* Return the number of map words, and the bytes of all map and owner words, which come first. */
uint32_t tern_blocks_words(const struct tern_blocks *blocks);
size_t tern_blocks_head(const struct tern_blocks *blocks);

/*
 * ---- who takes slabs and gives them back ------------------------------------------------------
 */

struct tern_slab {
    struct tern_rptr at;
    uint32_t index, generation;
};

/*
 * Takes a slab.  The caller fills in the first part, the library the others; the structure stays
 * where it is until the operation has completed.
 */
struct tern_balloc {
    struct tern_steps steps; /* library */
    const struct tern_blocks *blocks;
    struct tern_holder holder;
    uint32_t word;  /* map word that is looked at first; afterwards the one that has the slab */
    uint32_t words; /* map words that are looked at, at most; 0: all */

    struct tern_slab slab; /* what came of it */

    uint32_t tried; /* library */
    bool asked;
    uint64_t map;
    enum tern_status answer;
};

/*
 * Posts it.  Returns AGAIN like tern_put(), BAD_ARGUMENT without blocks or owner, BAD_RANGE when
 * there is no such word. Completes once, as TERN_OP_TAKE with `context`: OK, and `slab` has the
 * slab; FULL: no slab of the words was free; STALE_POINTER: the slabs are of another life; or how
 * the operation failed.  One round trip for each word.
 *
 * The put of the owner word is not waited for: if it fails, tern_sq_strays() has its status, and
 * the slab is an orphan.
 */
int tern_balloc(struct tern_sq *sq, struct tern_balloc *balloc, uint64_t context);

/* Gives a slab back.  As above. */
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
 * Posts it, after all that was posted to `sq` before.  Returns AGAIN like tern_put(), BAD_ARGUMENT
 * without blocks, BAD_RANGE when there is no such slab.  Completes once, as TERN_OP_ADD with
 * `context`: OK; NOT_TAKEN: the slab has no owner; NOT_OWNER: it has another one, or another epoch;
 * STALE_POINTER: it was taken anew since; then nothing has changed.  Or how one of the operations
 * failed.  Two round trips.
 */
int tern_bfree(struct tern_sq *sq, struct tern_bfree *bfree, uint64_t context);

/*
 * ---- the same, waiting ------------------------------------------------------------------------
 */

/*
 * A client of such memory.  Its queue may serve anything else: completions that come while a
 * function waits are kept for tern_cq_poll().
 */
struct tern_allocator {
    struct tern_blocks blocks;
    struct tern_holder holder;
    struct tern_cq *cq; /* that `sq` reports to */
    struct tern_sq *sq;
    int timeout_ms; /* of each call, -1: no limit */
    uint32_t word;  /* where the next slab is looked for first */
};

/*
 * Takes a slab of any word: as tern_balloc(); WAIT_EXPIRED.  When the put of an owner word failed
 * earlier, returns its status once and takes nothing.
 */
int tern_balloc_wait(struct tern_allocator *allocator, struct tern_slab *slab);

/* Gives a slab back, as tern_bfree(); WAIT_EXPIRED. */
int tern_bfree_wait(struct tern_allocator *allocator, const struct tern_slab *slab);

/*
 * Gives back all slabs of `dead`, in its name.  `head` is what tern_blocks_head() says of the
 * memory, or a copy read from another node: slabs that have changed since are left alone.  Returns
 * how many.
 */
int tern_blocks_recover(struct tern_allocator *allocator, const void *head,
                        struct tern_holder dead);

/*
 * Frees slabs that their owners did not give back.  Call now and then, from one thread; `head` is
 * the memory itself, or a copy that was read after tern_grace_is_over(grace) had returned true.
 *   Each call frees slabs whose owner is neither the allocator's holder nor in the list of `grace`.
 *   A call is also a look if the grace period since the last look is over.  The third look in a row
 *   that finds a slab taken, without an owner, and with the same owner word frees it.
 * `seen` has a word for each slab, at first 0.  Returns how many slabs are free again.
 */
int tern_blocks_sweep(struct tern_allocator *allocator, const void *head, struct tern_grace *grace,
                      uint64_t *seen);

#ifdef __cplusplus
}
#endif

#endif
