/* SPDX-License-Identifier: Apache-2.0 */
/* Questions of the tests to the checker; no answer ends the test. */
#ifndef TERN_LINEAR_JUDGED_H
#define TERN_LINEAR_JUDGED_H

#include "linear.h"

struct linear_verdict judged(const struct linear_history *history);

/* Why a word is not linearizable; for free. */
char *explained(const struct linear_history *history,
                const struct linear_verdict *verdict);

/* From LINEAR_SEED, or 1; printed. */
uint64_t seed(void);

#endif
