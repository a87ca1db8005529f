/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and trees in which both tiers run lookups. */
#ifndef TERN_DIFFERENTIAL_LOOKUPS_H
#define TERN_DIFFERENTIAL_LOOKUPS_H

#include "world.h"

/*
 * Runs chases that find their key, that do not, or that meet an invalid node. It needs no state,
 * and leaves none.
 */
void lookups(struct world *world);

#endif
