/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A central scheduler on the same NICs, for comparison: one process has the whole graph, and sends
 * each worker its next node by a message. Outputs are values of the same cache.
 */
#ifndef TERN_CENTRAL_H
#define TERN_CENTRAL_H

#include "dag_rig.h"

/* Figures of the workers together. */
struct central_counts {
    uint64_t nodes, exchanges, waits; /* waits: answers without a node */
};

/*
 * Runs dag_shape with `workers` processes, one on each node, and the scheduler in this process, at
 * the node of the first home. Returns how many outputs differ from those of a serial run.
 */
unsigned central_run(struct dag_user *user, const struct dag_yard *yard, unsigned workers,
                     struct central_counts *sum);

#endif
