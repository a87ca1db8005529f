/* SPDX-License-Identifier: Apache-2.0 */
/* What else of slabs is known inside of the library. */
#ifndef TERN_SLABS_INSIDE_H
#define TERN_SLABS_INSIDE_H

#include <tern/slabs.h>

/* Fields of a map word at their places; the generation of what is taken from one. */
uint64_t tern_map_life(uint8_t life);
uint64_t tern_map_frees(uint32_t frees);
uint32_t tern_map_generation(uint64_t map);

/*
 * Posts that `bits` of a map word are cleared, and as many more were given back, in one sum.  Only if all of them are set,
 * and other bits of the word are as `wanted` says: without a bit the sum would borrow from others.
 */
int tern_map_clear(struct tern_sq *sq, struct tern_rptr map, uint64_t bits, uint64_t wanted, uint64_t mask, unsigned flags,
                   uint64_t context);

/* Says whose the slab is from now on: a put into its owner word. */
int tern_slab_assign(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                     const struct tern_slab *slab, unsigned flags, uint64_t context);

/* Whose the slab is, as its owner word says; and the slab. */
struct tern_holder tern_blocks_holder(const struct tern_blocks *blocks, const void *head, uint32_t index,
                                      struct tern_slab *slab);

/* The next completion of the allocator's queue; WAIT_EXPIRED. */
int tern_allocator_next(const struct tern_allocator *a, struct tern_completion *done);

#endif
