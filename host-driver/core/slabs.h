/* SPDX-License-Identifier: Apache-2.0 */
/* What else of slabs is known inside of the library. */
#ifndef TERN_SLABS_H
#define TERN_SLABS_H

#include <tern/alloc.h>

/* Says whose the slab is from now on: a put into its owner word. */
int tern_slab_assign(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                     const struct tern_slab *slab, unsigned flags, uint64_t context);

/* Whose the slab is, as its owner word says; and the slab. */
struct tern_holder tern_blocks_holder(const struct tern_blocks *blocks, const void *head, uint32_t index,
                                      struct tern_slab *slab);

/* The next completion of the allocator's queue; WAIT_EXPIRED. */
int tern_allocator_next(const struct tern_allocator *a, struct tern_completion *done);

#endif
