/* SPDX-License-Identifier: Apache-2.0 */
#include "crowd.h"

#include <err.h>
#include <string.h>

enum { TAG = 0x7e51 };

uint8_t *crowd_source(const struct yard *yard, unsigned n)
{
    return yard->end[n].buffer;
}

uint8_t *crowd_target(const struct yard *yard, unsigned n)
{
    return yard->end[n].buffer + yard->bytes / 2;
}

/* All nodes have the same key, since their NICs are alike. */
static uint32_t key_of(struct yard *yard, unsigned n)
{
    struct tern_info info;

    yard_must(tern_query(yard->end[n].device, &info), "query");
    return tern_group_key((uint16_t)(info.regions - 4), TAG);
}

static void join(struct yard *yard, unsigned n)
{
    struct tern_region *region;

    yard_must(tern_register_with(yard->end[n].device,
            &(struct tern_region_attr){.addr = crowd_target(yard, n),
                                       .bytes = yard->bytes / 2, .member = true,
                                       .key = key_of(yard, n)},
            &region),
              "join");
}

void crowd_join(struct yard *yard)
{
    yard_each(yard, join);
}

struct tern_group *crowd_group(struct yard *yard, unsigned n, struct tern_box box)
{
    struct tern_group *group;

    yard_must(tern_group_create(yard->end[n].cq, box, key_of(yard, n), yard->bytes / 2, &group),
              "group");
    yard_must(tern_group_open(group, NULL), "open group");
    return group;
}

static uint8_t pattern(size_t i, unsigned seed)
{
    return (uint8_t)(i * 167 + (i >> 8) * 13 + (i >> 16) * 7 + seed * 59 + 1);
}

void crowd_fill(struct yard *yard, unsigned n, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        crowd_source(yard, n)[i] = pattern(i, seed);
    for (unsigned m = 0; m < yard->nodes; m++)
        memset(crowd_target(yard, m), 0, yard->bytes / 2);
}

void crowd_check(const struct yard *yard, unsigned origin, size_t bytes, unsigned seed)
{
    for (unsigned n = 0; n < yard->nodes; n++)
        for (size_t i = 0; n != origin && i < bytes; i++)
            if (crowd_target(yard, n)[i] != pattern(i, seed))
                errx(1, "node %u: byte %zu is %u, not %u", n, i, crowd_target(yard, n)[i],
                     pattern(i, seed));
}
