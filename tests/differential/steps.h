/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that both tiers carry out. */
#ifndef TERN_DIFFERENTIAL_STEPS_H
#define TERN_DIFFERENTIAL_STEPS_H

#include "world.h"

struct step {
    const char *name;
    void (*run)(struct world *world);
    enum world_counts counts;
};

extern const struct step steps[];
extern const unsigned step_count;

#endif
