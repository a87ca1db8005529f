/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of each operation on a word, one at a time. */
#ifndef TERN_LINEAR_SPEC_H
#define TERN_LINEAR_SPEC_H

#include "linear.h"

/* What the word is after the operation. */
uint64_t linear_after(const struct linear_op *op, uint64_t before);

/* Whether the result says what the word was before. */
static inline bool linear_tells(const struct linear_op *op)
{
    return op->kind != LINEAR_WRITE;
}

/* Whether the word after does not depend on the word before. */
static inline bool linear_overwrites(const struct linear_op *op)
{
    return op->kind == LINEAR_WRITE || op->kind == LINEAR_SWAP;
}

/*
 * In which order a client had two operations: less than 0 for `a` first.  When both
 * begin in one tick the shorter goes first, and before all what has no response: it
 * keeps nobody waiting.
 */
int linear_compare_times(const struct linear_op *a, const struct linear_op *b);

#endif
