/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a node that many nodes give out among themselves: slabs of one size, taken and given back by atomic
 * operations of the NIC that has them.  Its host takes no part.
 *
 * Taking a slab is one operation on a map word, one round trip, and it is never in vain because others were quicker:
 * each gets another slab as long as one is free.  Whoever has got one says so in the slab's owner word, by a put that
 * nobody waits for.  Giving back is two: the owner word, which tells a slab that is not taken, or somebody else's, or was given
 * out again since; then the bit in the map.
 *
 * Generations: a slab has another one each time it is taken, and a greater one, until its map word has seen 2^24 slabs
 * given back in one life.  A pointer to a slab is good as long as the slab has the pointer's generation.
 *
 * Who dies: its slabs are found by their owner words (tern_blocks_recover()).  A slab that was taken and has no owner for
 * longer than a lease was taken, or half given back, by somebody who died then (tern_blocks_orphans()).  So nobody
 * goes on with a slab after longer than a lease between two steps: who was held up for so long has lost it.
 *
 * Order: atomic operations and puts of one queue overtake each other.  Giving back carries a fence, so the put of the same
 * queue that says who the owner is comes first.  Who hands a slab on to another host does so behind a fence.
 *
 * Errors, threads, ownership, units: as tern.h says.  The region has TERN_RIGHT_REMOTE_ATOMIC and TERN_RIGHT_REMOTE_WRITE, and
 * whatever is to be done with slabs.
 */
#ifndef TERN_SLABS_H
#define TERN_SLABS_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What everybody knows of such memory. */
struct tern_blocks {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of who has it */
    uint32_t slabs;
    uint32_t slab_bytes;
    uint8_t life;
};

/* ---- who has the memory ---------------------------------------------------------------------- */

/*
 * Makes slabs of `slab_bytes`, a multiple of 8, of `bytes` at `memory`, a multiple of 64; all are free.  Slabs stand at
 * multiples of 8, of 64 if their size is one.  The caller registers all of it as one region and fills in `blocks->start`.
 * Memory that is made anew has the next life.  BAD_ALIGN, BAD_SIZE; NO_MEMORY when not even one slab fits.
 */
int tern_blocks_format(void *memory, size_t bytes, uint32_t slab_bytes, uint8_t life, struct tern_blocks *blocks);

/* Map words; bytes of all map words and owner words, with which the memory begins. */
uint32_t tern_blocks_words(const struct tern_blocks *blocks);
size_t tern_blocks_head(const struct tern_blocks *blocks);

/* ---- who takes slabs and gives them back ------------------------------------------------------ */

/* In whose name: `owner` is not 0; each life of an owner has an epoch of its own. */
struct tern_holder {
    uint16_t owner, epoch;
};

struct tern_slab {
    struct tern_rptr at;
    uint32_t index, generation;
};

/*
 * Takes a slab of map word `word`.  Returns AGAIN like tern_put(), BAD_RANGE when there is no such word.  Completes as
 * TERN_OP_TAKE, always; the rest is for tern_balloc_done().
 */
int tern_balloc(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word, unsigned flags, uint64_t context);

/*
 * What came of it: the slab, and a put that says whose it is has been posted to `sq`.  FULL: no slab of this word was free;
 * STALE_POINTER: the slabs are of another life; the completion's status if it is not OK; BAD_ARGUMENT for another completion
 * or no owner.  AGAIN: the slab is taken, but the queue has no room for the put: call again.
 */
int tern_balloc_done(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word, struct tern_holder holder,
                     const struct tern_completion *done, struct tern_slab *slab);

/*
 * Gives the slab back, first half: it has no owner any more, and another generation.  Returns AGAIN like tern_put(), BAD_RANGE when
 * there is no such slab.  Completes as TERN_OP_CAS, always; the rest is for tern_bfree_done().
 */
int tern_bfree(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder, const struct tern_slab *slab,
               unsigned flags, uint64_t context);

/*
 * The second half: posts the operation that clears the slab's bit, with `flags` and `context`; it completes as TERN_OP_ADD.
 * Nothing has changed and nothing is posted with NOT_TAKEN: nobody has the slab, or not for long; NOT_OWNER: somebody else has,
 * or another epoch; STALE_POINTER: it was taken anew since; the completion's status if it is not OK; BAD_ARGUMENT for another
 * completion.  AGAIN: the queue has no room: call again.
 */
int tern_bfree_done(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                    const struct tern_slab *slab, const struct tern_completion *done, unsigned flags, uint64_t context);

/* ---- the same, waiting ------------------------------------------------------------------------ */

/* For who does one thing after the other: queues that serve nothing else meanwhile. */
struct tern_allocator {
    struct tern_blocks blocks;
    struct tern_holder holder;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int timeout_ms; /* of each answer, -1: for ever */
    uint32_t word;  /* where the next slab is looked for first */
};

/*
 * A slab of any word: as tern_balloc_done(), FULL when all words are; WAIT_EXPIRED.  When the put of an earlier call failed, this
 * or one of the next calls fails with its status.
 */
int tern_balloc_wait(struct tern_allocator *allocator, struct tern_slab *slab);

/* As tern_bfree_done(); WAIT_EXPIRED. */
int tern_bfree_wait(struct tern_allocator *allocator, const struct tern_slab *slab);

/*
 * Gives back all slabs of `dead`, in its name.  `head` is what tern_blocks_head() says of the memory, or a copy that was read
 * from afar: what has changed since is left alone.  Returns how many.
 */
int tern_blocks_recover(struct tern_allocator *allocator, const void *head, struct tern_holder dead);

/*
 * Frees slabs that were taken and have had no owner since the last call with the same `seen`, in words from which nothing was
 * given back meanwhile.  To be called a lease apart, with a word for each map word in `seen`, at first 0.  Returns
 * how many.
 */
int tern_blocks_orphans(struct tern_allocator *allocator, const void *head, uint64_t *seen);

#ifdef __cplusplus
}
#endif

#endif
