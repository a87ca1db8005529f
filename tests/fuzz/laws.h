/* SPDX-License-Identifier: Apache-2.0 */
/* The properties that must hold for the world after each input. */
#ifndef TERN_FUZZ_LAWS_H
#define TERN_FUZZ_LAWS_H

#include "world.h"

enum { REGIONS_KEPT = 64 };

/*
 * Loops over all queues, that take most of the time of an execution when they are checked
 * themselves.
 */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined")))

/* Before a NIC's access to host memory: may it do that? */
void world_judge_access(struct world *world, unsigned node, const struct tern_dma_op *op);

/* After a write: takes completions down, and what they say of regions. */
void world_note_write(struct world *world, unsigned node, const struct tern_dma_op *op);

/* Of one node: slots given back, no reset of the core. */
void world_judge_tables(const struct world *world, unsigned node);

/* Returns a text that names the work still in flight, or NULL. */
const char *world_unfinished(const struct world *world);

#endif
