/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes: box.h, and the part of group.h about boxes. */
#include "box.h"

#include <stdio.h>
#include <string.h>

/* One dimension of a box: the coordinates from low up to high. */
struct arc {
    unsigned low, high;
};

static unsigned side_of(uint16_t dims, unsigned d)
{
    return tern_coordinate(dims, d) + 1;
}

/* Returns the steps up from `from` to `to`, with wrap-around. */
static unsigned ahead(unsigned from, unsigned to, unsigned side)
{
    return (to + side - from) % side;
}

static struct arc arc_of(struct tern_box box, unsigned d)
{
    return (struct arc){tern_coordinate(box.low, d), tern_coordinate(box.high, d)};
}

static unsigned arc_length(struct arc arc, unsigned side)
{
    return ahead(arc.low, arc.high, side) + 1;
}

static bool arc_holds(struct arc arc, unsigned side, unsigned at)
{
    return ahead(arc.low, at, side) < arc_length(arc, side);
}

static void box_set(struct tern_box *box, unsigned d, struct arc arc)
{
    box->low = (uint16_t)(box->low | arc.low << 5 * d);
    box->high = (uint16_t)(box->high | arc.high << 5 * d);
}

/*
 * Centres an arc that covers the whole ring at `at`, so that packets go both ways; does nothing in
 * a mesh.
 */
static struct arc arc_turn(struct arc arc, unsigned side, unsigned at, bool mesh)
{
    if (mesh || arc_length(arc, side) < side)
        return arc;
    return (struct arc){(at + side - (side - 1) / 2) % side, (at + side / 2) % side};
}

bool tern_node_inside(uint16_t node, uint16_t dims)
{
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (tern_coordinate(node, d) >= side_of(dims, d))
            return false;
    return !(node & 0x8000);
}

int tern_box_fit(struct tern_box box, uint16_t dims, uint16_t origin, struct tern_box *fit)
{
    struct tern_box turned = {0, 0};
    bool mesh = dims & DIMS_MESH;

    if (!tern_node_inside(box.low, dims) || !tern_node_inside(box.high, dims))
        return -TERN_ST_BAD_BOX;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        struct arc arc = arc_of(box, d);
        unsigned side = side_of(dims, d), at = tern_coordinate(origin, d);

        if (!arc_holds(arc, side, at) || (mesh && arc.low > arc.high))
            return -TERN_ST_BAD_BOX;
        box_set(&turned, d, arc_turn(arc, side, at, mesh));
    }
    *fit = turned;
    return 0;
}

/* ---- the smallest box around nodes */

/*
 * Returns the shortest arc over the coordinates whose bits are set: the ring without its widest
 * gap.
 */
static struct arc arc_around(uint32_t present, unsigned side, bool mesh)
{
    struct arc best = {0, side - 1};
    unsigned last = side - 1, best_length = side + 1;

    while (!(present >> last & 1))
        last--;
    for (unsigned at = 0; at < side; at++) {
        struct arc arc = {at, last}; /* begins here, ends at the previous coordinate in `present` */

        if (!(present >> at & 1))
            continue;
        if (arc_length(arc, side) < best_length) {
            best = arc;
            best_length = arc_length(arc, side);
        }
        if (mesh)
            break; /* from the lowest to the highest */
        last = at;
    }
    return best;
}

static int check_members(const uint16_t *nodes, unsigned count, uint16_t dims)
{
    uint8_t seen[TORUS_NODES_MAX / 8] = {0};

    for (unsigned i = 0; i < count; i++) {
        uint8_t bit = (uint8_t)(1u << nodes[i] % 8);

        if (!tern_node_inside(nodes[i], dims))
            return -TERN_ST_BAD_NODE;
        if (seen[nodes[i] / 8] & bit)
            return -TERN_ST_DUP_MEMBER;
        seen[nodes[i] / 8] |= bit;
    }
    return 0;
}

int tern_box_around(const uint16_t *nodes, unsigned count, uint16_t dims, uint16_t origin,
                    struct tern_box *box)
{
    struct tern_box around = {0, 0};
    int status = check_members(nodes, count, dims);

    if (status)
        return status;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t present = UINT32_C(1) << tern_coordinate(origin, d);

        for (unsigned i = 0; i < count; i++)
            present |= UINT32_C(1) << tern_coordinate(nodes[i], d);
        box_set(&around, d, arc_around(present, side_of(dims, d), dims & DIMS_MESH));
    }
    return tern_box_fit(around, dims, origin, box);
}

/* ---- for everybody */

struct tern_box tern_box_all(uint16_t dims)
{
    return (struct tern_box){0, (uint16_t)(dims & ~DIMS_MESH)};
}

bool tern_box_holds(struct tern_box box, uint16_t dims, uint16_t node)
{
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (!arc_holds(arc_of(box, d), side_of(dims, d), tern_coordinate(node, d)))
            return false;
    return true;
}

uint32_t tern_box_nodes(struct tern_box box, uint16_t dims)
{
    uint32_t nodes = 1;

    for (unsigned d = 0; d < DIMENSIONS; d++)
        nodes *= arc_length(arc_of(box, d), side_of(dims, d));
    return nodes;
}

uint32_t tern_box_rank(struct tern_box box, uint16_t dims, uint16_t node)
{
    uint32_t rank = 0;

    for (unsigned d = DIMENSIONS; d-- > 0;) {
        struct arc arc = arc_of(box, d);

        rank = rank * arc_length(arc, side_of(dims, d)) +
               ahead(arc.low, tern_coordinate(node, d), side_of(dims, d));
    }
    return rank;
}

uint16_t tern_box_first(struct tern_box box, uint16_t dims, uint16_t origin)
{
    unsigned d = 0;

    if (box.low != origin)
        return box.low;
    while (d < DIMENSIONS && arc_length(arc_of(box, d), side_of(dims, d)) == 1)
        d++;
    if (d == DIMENSIONS)
        return origin;
    if (tern_coordinate(origin, d) + 1 == side_of(dims, d))
        return (uint16_t)(origin & ~((SIDE_MAX - 1u) << 5 * d));
    return (uint16_t)(origin + (1u << 5 * d));
}

char *tern_box_format(struct tern_box box, char *text)
{
    char low[TERN_NODE_TEXT], high[TERN_NODE_TEXT];

    snprintf(text, TERN_BOX_TEXT, "%s-%s", tern_node_format(box.low, low),
             tern_node_format(box.high, high));
    return text;
}

int tern_box_parse(const char *text, struct tern_box *box, const char **end)
{
    struct tern_box parsed;
    const char *at;

    if (tern_node_parse(text, &parsed.low, &at))
        return -TERN_ST_BAD_ARGUMENT;
    parsed.high = parsed.low;
    if (*at == '-' && tern_node_parse(at + 1, &parsed.high, &at))
        return -TERN_ST_BAD_ARGUMENT;
    if (!end && *at)
        return -TERN_ST_BAD_ARGUMENT;
    if (end)
        *end = at;
    *box = parsed;
    return 0;
}
