/* SPDX-License-Identifier: Apache-2.0 */
/* The retire trace of one node as a file, in the format of hw-model/abi/retire_trace.h. */
#ifndef TERN_SIM_RETIRE_H
#define TERN_SIM_RETIRE_H

#include <stdbool.h>

#include "tern_sim.h"

struct tern_retire;

/*
 * Writes all instructions that the core of `node` retires from now on. None is dropped: the
 * simulation waits for a slow file. NULL and errno when the file cannot be created, the node does
 * not exist (EINVAL), or it is traced already (EBUSY).
 */
struct tern_retire *tern_retire_new(struct tern_sim *sim, unsigned node, const char *path);

/*
 * Completes the file; false and errno when it is incomplete. Call before the simulation is
 * destroyed.
 */
bool tern_retire_free(struct tern_retire *retire);

#endif
