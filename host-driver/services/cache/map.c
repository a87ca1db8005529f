/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of a client: sets of CACHE_WAYS entries, found by the code of a hash.  Several entries of
 * one code are allowed; an entry has no key, the record has.
 */
#include <stdlib.h>

#include "cache.h"

enum { SETS_MAX = 1 << 24 };

int cache_map_open(struct cache_map *map, unsigned entries)
{
    map->sets = 1;
    while (map->sets < SETS_MAX && map->sets * CACHE_WAYS < entries)
        map->sets *= 2;
    map->known = calloc((size_t)map->sets * CACHE_WAYS, sizeof(*map->known));
    return map->known ? 0 : -TERN_ST_NO_MEMORY;
}

static struct cache_known *set_of(const struct cache_map *map, uint32_t code)
{
    return map->known + (size_t)(code & (map->sets - 1)) * CACHE_WAYS;
}

static bool is_of(const struct cache_known *known, uint32_t code, uint16_t part)
{
    return known->generation != 0 && known->code == code && known->part == part;
}

void cache_map_forget(struct cache_known *known)
{
    *known = (struct cache_known){0};
}

void cache_map_drop(struct cache_map *map, uint32_t code, uint16_t part)
{
    struct cache_known *set = set_of(map, code);

    for (unsigned i = 0; i < CACHE_WAYS; i++)
        if (is_of(&set[i], code, part))
            cache_map_forget(&set[i]);
}

unsigned cache_map_find(struct cache_map *map, uint32_t code, uint16_t part, int64_t now,
                        struct cache_known **found, uint64_t *over)
{
    struct cache_known *set = set_of(map, code);
    unsigned count = 0;

    for (unsigned i = 0; i < CACHE_WAYS && count < CACHE_CANDIDATES; i++) {
        if (!is_of(&set[i], code, part))
            continue;
        if (set[i].until > now) {
            found[count++] = &set[i];
        } else {
            ++*over;
            cache_map_forget(&set[i]);
        }
    }
    return count;
}

/* ---- learning */

/* Returns an entry without a good record, or the next that was not used since the hand passed. */
static struct cache_known *place_for(struct cache_map *map, struct cache_known *set, int64_t now,
                                     bool *full)
{
    for (unsigned i = 0; i < CACHE_WAYS; i++)
        if (set[i].generation == 0 || set[i].until <= now)
            return &set[i];
    *full = true;
    for (unsigned i = 0; i < CACHE_WAYS; i++, map->hand++) {
        struct cache_known *known = &set[map->hand % CACHE_WAYS];

        if (!known->recent)
            return known;
        known->recent = false;
    }
    return &set[map->hand++ % CACHE_WAYS];
}

struct cache_known *cache_map_learn(struct cache_map *map, const struct cache_known *what,
                                    int64_t now, bool *full)
{
    struct cache_known *set = set_of(map, what->code), *known = NULL;
    uint32_t uses = 0;

    *full = false;
    for (unsigned i = 0; i < CACHE_WAYS && !known; i++)
        if (is_of(&set[i], what->code, what->part) && set[i].place == what->place)
            known = &set[i];
    if (known)
        uses = known->uses;
    else
        known = place_for(map, set, now, full);
    *known = *what;
    known->uses = uses;
    known->recent = true;
    return known;
}

/* ---- what was used */

/* Puts an entry among the most used; the least used is the last. */
static unsigned insert(struct cache_known **top, unsigned count, unsigned max,
                       struct cache_known *known)
{
    unsigned i = count < max ? count++ : max - 1;

    if (i == max - 1 && top[i] && top[i]->uses >= known->uses)
        return count;
    for (; i > 0 && top[i - 1] && top[i - 1]->uses < known->uses; i--)
        top[i] = top[i - 1];
    top[i] = known;
    return count;
}

unsigned cache_map_uses(struct cache_map *map, uint16_t part, struct cache_use *use, unsigned max)
{
    struct cache_known *top[CACHE_USES] = {NULL};
    unsigned count = 0;

    for (size_t i = 0; i < (size_t)map->sets * CACHE_WAYS; i++) {
        struct cache_known *known = &map->known[i];

        if (known->generation != 0 && known->part == part && known->uses != 0)
            count = insert(top, count, max, known);
    }
    for (unsigned i = 0; i < count; i++) {
        use[i] = (struct cache_use){top[i]->place, top[i]->uses};
        top[i]->uses = 0;
    }
    return count;
}
