/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs: functions inside the library. */
#ifndef TERN_SLABS_INSIDE_H
#define TERN_SLABS_INSIDE_H

#include <tern/slabs.h>

/*
 * Build the fields of a map word at their bit positions; get the generation of a slab from its map
 * word.
 */
uint64_t tern_map_life(uint8_t life);
uint64_t tern_map_frees(uint32_t frees);
uint32_t tern_map_generation(uint64_t map);

/*
 * Posts one sum that clears `bits` of a map word and raises its count of frees by as many. It takes
 * effect only if all of these bits are set, since the sum would otherwise borrow from others, and
 * if the remaining bits equal `wanted`.
 */
int tern_map_clear(struct tern_sq *sq, struct tern_rptr map, uint64_t bits, uint64_t wanted,
                   uint64_t mask, unsigned flags,
                   uint64_t context);

/* Posts a put of `holder` into the slab's owner word: `holder` owns the slab from then on. */
int tern_slab_assign(struct tern_sq *sq, const struct tern_blocks *blocks,
                     struct tern_holder holder,
                     const struct tern_slab *slab, unsigned flags, uint64_t context);

/* Returns the owner of slab `index` from its owner word in `head`, and fills in `slab`. */
struct tern_holder tern_blocks_holder(const struct tern_blocks *blocks, const void *head,
                                      uint32_t index,
                                      struct tern_slab *slab);

static inline bool tern_holder_is(struct tern_holder a, struct tern_holder b)
{
    return a.owner == b.owner && a.epoch == b.epoch;
}

/* Tells whether the slab's bit in the map is set. */
bool tern_slab_is_taken(const void *head, uint32_t index);

/* Posts the operation that frees slabs of a word and counts them, if all of `bits` are set. */
int tern_slabs_clear(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     uint64_t bits, unsigned flags, uint64_t context);

/* Gives a slab back in the name of `holder`, and waits, as tern_bfree_wait(). */
int tern_slab_give_back(struct tern_allocator *allocator, struct tern_holder holder,
                        const struct tern_slab *slab);

/* Returns the offset of the first slab in the memory. */
size_t tern_blocks_slabs_at(const struct tern_blocks *blocks);

/* ---- sweeps */

/* Makes the heir the owner of a slab of `dead`, if its generation is still the same; waits. */
int tern_slab_inherit(struct tern_allocator *allocator, struct tern_holder dead,
                      struct tern_holder heir, const struct tern_slab *slab);

/*
 * Looks at a slab once.  Returns true at the third look in a row, each a grace period after the
 * last, that finds the slab taken, without an owner, and with the same owner word.
 */
bool tern_slab_is_orphan(const struct tern_blocks *blocks, const void *head, uint32_t index,
                         uint64_t *seen);

/* Frees the slabs `bits` of a word, and waits.  Returns how many. */
int tern_slabs_free(struct tern_allocator *allocator, uint32_t word, uint64_t bits);

/* ---- steps of tern_balloc() */

/*
 * Takes a slab of map word `word` by one operation, TERN_OP_TAKE, which always completes.
 * BAD_RANGE.
 */
int tern_balloc_post(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     unsigned flags, uint64_t context);

/*
 * Handles its completion: takes the slab, and posts the put of its owner word without waiting for
 * it. FULL, STALE_POINTER, BAD_ARGUMENT for another completion or no owner. AGAIN: the slab is
 * taken, but there was no room for the put: call again.
 */
int tern_balloc_done(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     struct tern_holder holder,
                     const struct tern_completion *done, struct tern_slab *slab);

/*
 * An allocation as part of a larger operation. The functions begin it; post its next step, as a
 * tern_steps_next_fn; take the completion of a step.
 */
void tern_balloc_start(struct tern_balloc *balloc);
int tern_balloc_go(struct tern_sq *sq, struct tern_balloc *balloc);
void tern_balloc_hear(struct tern_balloc *balloc, const struct tern_completion *done);

/* ---- steps of tern_bfree() */

/*
 * Posts the operation that removes the slab's owner and changes its generation, TERN_OP_CAS. 
 * BAD_RANGE, BAD_ARGUMENT.
 */
int tern_bfree_post(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                    const struct tern_slab *slab, unsigned flags, uint64_t context);

/*
 * Handles its completion, and posts the operation that clears the slab's bit: TERN_OP_ADD.
 * NOT_TAKEN, NOT_OWNER, STALE_POINTER, BAD_ARGUMENT for another completion: nothing has changed and
 * nothing is posted. AGAIN: call again.
 */
int tern_bfree_done(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                    const struct tern_slab *slab, const struct tern_completion *done,
                        unsigned flags, uint64_t context);

void tern_bfree_start(struct tern_bfree *bfree);
int tern_bfree_go(struct tern_sq *sq, struct tern_bfree *bfree);
void tern_bfree_hear(struct tern_bfree *bfree, const struct tern_completion *done);

#endif
