/* SPDX-License-Identifier: Apache-2.0 */
/* See known.h. */
#include <stdlib.h>

#include "known.h"

static unsigned chain_of(const struct tern_region *region)
{
    uint64_t number = (uint64_t)(uintptr_t)region * UINT64_C(0x9e3779b97f4a7c15);

    return (unsigned)(number >> 56) % KNOWN_CHAINS;
}

/* Called by whichever thread releases the region. */
static void gone(struct tern_watch *watch)
{
    struct known *known = (struct known *)(void *)watch; /* its first field */

    atomic_store(&known->gone, true);
    atomic_fetch_add(&known->set->changes, 1);
}

static struct known *find(const struct known_set *set, const struct tern_region *region)
{
    struct known *known = set->chain[chain_of(region)];

    while (known && (known->region != region || atomic_load(&known->gone)))
        known = known->next;
    return known;
}

bool known_alive(const struct known_set *set, const struct tern_region *region)
{
    return find(set, region) != NULL;
}

int known_add(struct known_set *set, const struct tern_region *region)
{
    struct known **chain = &set->chain[chain_of(region)];
    struct known *known;
    int status;

    if (find(set, region))
        return 0;
    known = calloc(1, sizeof(*known));
    if (!known)
        return -TERN_ST_NO_MEMORY;
    known->watch.gone = gone;
    known->region = region;
    known->set = set;
    status = tern_region_watch(set->device, region, &known->watch);
    if (status) {
        free(known);
        return status;
    }
    known->next = *chain;
    *chain = known;
    return 0;
}

static void sweep(struct known_set *set, bool all)
{
    for (unsigned i = 0; i < KNOWN_CHAINS; i++) {
        struct known **link = &set->chain[i];

        while (*link) {
            struct known *known = *link;

            if (!all && !atomic_load(&known->gone)) {
                link = &known->next;
                continue;
            }
            *link = known->next;
            tern_watch_end(&known->watch);
            free(known);
        }
    }
}

void known_sweep(struct known_set *set)
{
    sweep(set, false);
}

void known_free(struct known_set *set)
{
    sweep(set, true);
}
