/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of each operation on a word, one at a time. */
#ifndef TERN_LINEAR_SPEC_H
#define TERN_LINEAR_SPEC_H

#include "linear.h"

/* Returns the word after the operation. */
uint64_t linear_after(const struct linear_op *op, uint64_t before);

/* Tells whether the result is the old word. */
static inline bool linear_tells(const struct linear_op *op)
{
    return op->kind != LINEAR_WRITE;
}

/* Tells whether the new word does not depend on the old one. */
static inline bool linear_overwrites(const struct linear_op *op)
{
    return op->kind == LINEAR_WRITE || op->kind == LINEAR_SWAP;
}

/*
 * Compares two operations of one client by time; less than 0: `a` is first. If both begin in one
 * tick, one without a response is first, since later ones need not follow its end; else the shorter
 * one is.
 */
int linear_compare_times(const struct linear_op *a, const struct linear_op *b);

#endif
