/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barrier, broadcast and allreduce by a binary tree of puts, in which the hosts combine: the
 * software that `tern collective bench` compares with. Long operations go in pieces, so that the
 * levels of the tree work at the same time.
 */
#ifndef TERN_TREE_OF_PUTS_H
#define TERN_TREE_OF_PUTS_H

#include <tern/tern.h>

struct tree_of_puts;

/*
 * Makes the member `rank` of `count`, for operations of up to `bytes`, a multiple of 8. `places` is
 * memory that all members share, with an element for each; the call sets that of `rank`. All
 * members must have made theirs before the first operation. 0 or a negated status.
 */
int tree_of_puts_create(struct tern_cq *cq, unsigned rank, unsigned count, uint32_t bytes,
                        struct tern_rptr *places, struct tree_of_puts **tree);

/* Frees the member. NULL is fine. */
int tree_of_puts_destroy(struct tree_of_puts *tree);

/* Each returns 0, the status of a failed put, or WAIT_EXPIRED after a minute without a note. */
int tree_of_puts_barrier(struct tree_of_puts *tree);

/* Copies `bytes` of rank 0 to all. */
int tree_of_puts_broadcast(struct tree_of_puts *tree, uint64_t *memory, uint32_t bytes);

/* Sums up the words of all. */
int tree_of_puts_sum(struct tree_of_puts *tree, uint64_t *memory, uint32_t bytes);

#endif
