/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of the tests to the checker; the test fails if it gets no answer. */
#ifndef TERN_LINEAR_JUDGED_H
#define TERN_LINEAR_JUDGED_H

#include "linear.h"

struct linear_verdict judged(const struct linear_history *history);

/* Returns why a word is not linearizable, for the caller to free. */
char *explained(const struct linear_history *history,
                const struct linear_verdict *verdict);

/* Returns LINEAR_SEED, or 1, and prints it. */
uint64_t seed(void);

#endif
