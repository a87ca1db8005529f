/* SPDX-License-Identifier: Apache-2.0 */
/* The properties that must hold for the world after each input. */
#ifndef TERN_FUZZ_LAWS_H
#define TERN_FUZZ_LAWS_H

#include "world.h"

enum { REGIONS_KEPT = 64 };

/*
 * Marks loops over all queues: with sanitizer checks they would take most of an execution's time.
 */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

/* Checks an access of a NIC to host memory beforehand. */
void world_judge_access(struct world *world, unsigned node, const struct tern_dma_op *op);

/* Records a write: completions, and changes of regions that they report. */
void world_note_write(struct world *world, unsigned node, const struct tern_dma_op *op);

/* Checks a node: all slots are free, and the core was not reset. */
void world_judge_tables(const struct world *world, unsigned node);

/* Returns a text that names the work still in flight, or NULL. */
const char *world_unfinished(const struct world *world);

#endif
