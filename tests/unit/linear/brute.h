/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definition of linearizability, executed: tries every order of every choice of operations
 * without a response. For a handful of operations. Shares only the type of an operation with the
 * checker that it is compared with.
 */
#ifndef TERN_LINEAR_BRUTE_H
#define TERN_LINEAR_BRUTE_H

#include "linear.h"

enum { BRUTE_OPS_MAX = 8, BRUTE_WORDS_MAX = 2 };

bool brute_linearizable(const struct linear_op *ops, size_t count,
                        const uint64_t initial[BRUTE_WORDS_MAX]);

#endif
