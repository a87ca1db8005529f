/* SPDX-License-Identifier: Apache-2.0 */
/* The retire trace of one node as a file, in the format of hw-model/abi/retire_trace.h. */
#ifndef TERN_SIM_RETIRE_H
#define TERN_SIM_RETIRE_H

#include <stdbool.h>

#include "tern_sim.h"

struct tern_retire;

/*
 * Writes what the core of `node` retires from now on.  Nothing is dropped: when the file takes
 * no more for a while, the simulation waits.  NULL and errno when it cannot be: the file
 * cannot be made, there is no such node (EINVAL), or it is traced already (EBUSY).
 */
struct tern_retire *tern_retire_new(struct tern_sim *sim, unsigned node, const char *path);

/* Completes the file; false and errno when not all of it could be written.  To be called
 * before the simulation goes; nothing more is written then. */
bool tern_retire_free(struct tern_retire *retire);

#endif
