/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and trees that both tiers are asked to walk through. */
#ifndef TERN_DIFFERENTIAL_LOOKUPS_H
#define TERN_DIFFERENTIAL_LOOKUPS_H

#include "world.h"

/* Chases that find their key, do not, or meet what is no node; needs nothing and leaves nothing. */
void lookups(struct world *world);

#endif
