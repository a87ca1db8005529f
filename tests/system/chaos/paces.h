/* SPDX-License-Identifier: Apache-2.0 */
/* A list of members for sweeps (tern/grace.h), whose numbers a test raises itself. */
#ifndef TERN_PACES_H
#define TERN_PACES_H

#include <tern/grace.h>

enum { PACE_PERIOD = 3 /* how far every number must rise for a period to end */ };

enum { PACES = 8 };

struct paces {
    struct tern_pace member[PACES], marks[PACES];
    struct tern_holder service; /* a holder that is no member but may own memory */
};

static inline struct tern_pace pace_at(void *of, unsigned place)
{
    return ((const struct paces *)of)->member[place];
}

static inline bool pace_knows(void *of, struct tern_holder holder)
{
    const struct paces *paces = of;

    return holder.owner == paces->service.owner && holder.epoch == paces->service.epoch;
}

static inline struct tern_grace paces_grace(struct paces *paces)
{
    return (struct tern_grace){.progress = {PACES, pace_at, pace_knows, paces}, .marks =
        paces->marks};
}

/* Raises the numbers of all members by `steps`, except that of place `stopped`. */
static inline void paces_go_on(struct paces *paces, unsigned stopped, uint32_t steps)
{
    for (unsigned i = 0; i < PACES; i++)
        if (i != stopped)
            paces->member[i].number += steps;
}

#endif
