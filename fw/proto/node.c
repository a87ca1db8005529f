/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include "tern_abi.h"

#define DIMENSIONS 3u
#define COORD_BITS 5u
#define COORD_MASK ((1u << COORD_BITS) - 1)

static uint32_t coordinate(uint32_t node, unsigned dimension)
{
    return (node >> (dimension * COORD_BITS)) & COORD_MASK;
}

static bool is_mesh(uint32_t dims)
{
    return dims & TERN_DIMS_MESH;
}

/*
 * Returns the steps up from one coordinate to another, around the ring. Constant time: large tori
 * are no slower.
 */
static uint32_t steps_up(uint32_t from, uint32_t to, uint32_t side)
{
    uint32_t steps = to - from;

    return steps + (side & -(steps >> 31));
}

bool node_inside(uint32_t node, uint32_t dims)
{
    if (node >> (DIMENSIONS * COORD_BITS))
        return false;
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (coordinate(node, d) > coordinate(dims, d))
            return false;
    return true;
}

unsigned node_port(uint32_t here, uint32_t dst, uint32_t dims)
{
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t side = coordinate(dims, d) + 1;
        uint32_t me = coordinate(here, d), end = coordinate(dst, d);

        if (me == end)
            continue;
        if (is_mesh(dims))
            return 2 * d + (end > me ? 0 : 1);
        return 2 * d + (2 * steps_up(me, end, side) <= side ? 0 : 1);
    }
    return NODE_PORT_NONE;
}

uint32_t node_ports_idle(uint32_t here, uint32_t dims)
{
    uint32_t idle = 0;

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t last = coordinate(dims, d), me = coordinate(here, d);

        if (last == 0 || (is_mesh(dims) && me == last))
            idle |= 1u << 2 * d;
        if (last == 0 || (is_mesh(dims) && me == 0))
            idle |= 2u << 2 * d;
    }
    return idle;
}

/*
 * Tells whether `here` lies between the ends of the box in the lowest dimension, `up` and `down`
 * steps from them.
 */
static bool spans(uint32_t up, uint32_t down, uint32_t here, uint32_t last, bool mesh)
{
    return mesh ? up <= last - here && down <= here : up + down <= last;
}

/*
 * Shifts one dimension after the other into the lowest bits, for speed: every broadcast calls this.
 */
enum box_verdict box_look(struct box box, uint32_t here, uint32_t dims, struct box_view *view)
{
    uint32_t low = box.low, high = box.high, ports = 0, nodes = 1;
    bool inside = true, mesh = is_mesh(dims);

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t last = dims & COORD_MASK, me = here & COORD_MASK;
        uint32_t l = low & COORD_MASK, h = high & COORD_MASK, up, down;

        if (l > last || h > last)
            return BOX_BEYOND;
        up = steps_up(me, h, last + 1);
        down = steps_up(l, me, last + 1);
        inside = inside && spans(up, down, me, last, mesh);
        nodes *= up + down + 1;
        ports |= ((up != 0) | (uint32_t)(down != 0) << 1) << 2 * d;
        low >>= COORD_BITS;
        high >>= COORD_BITS;
        here >>= COORD_BITS;
        dims >>= COORD_BITS;
    }
    view->nodes = nodes;
    view->ports = ports;
    return (low | high) != 0 ? BOX_BEYOND : inside ? BOX_HOLDS : BOX_ELSEWHERE;
}

uint32_t box_rank(struct box box, uint32_t node, uint32_t dims)
{
    uint32_t rank = 0;

    for (unsigned d = DIMENSIONS; d-- > 0;) {
        uint32_t side = coordinate(dims, d) + 1, low = coordinate(box.low, d);

        rank *= steps_up(low, coordinate(box.high, d), side) + 1;
        rank += steps_up(low, coordinate(node, d), side);
    }
    return rank;
}

uint32_t node_rank(uint32_t node, uint32_t dims)
{
    return box_rank((struct box){.low = 0, .high = (uint16_t)(dims & ~(uint32_t)TERN_DIMS_MESH)},
                    node, dims);
}

uint32_t node_behind(uint32_t here, unsigned port, uint32_t dims)
{
    unsigned d = port / 2, shift = d * COORD_BITS;
    uint32_t me = coordinate(here, d), last = coordinate(dims, d);
    uint32_t next = port % 2 == 0 ? (me == last ? 0 : me + 1) : (me == 0 ? last : me - 1);

    return (here & ~(COORD_MASK << shift)) | next << shift;
}

/*
 * The path begins at the low corner; it runs through each line and plane in the opposite direction
 * of the one before.
 */
uint32_t box_after(struct box box, uint32_t node, uint32_t dims)
{
    uint32_t at[DIMENSIONS], end[DIMENSIONS], odd = 0;

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t side = coordinate(dims, d) + 1, low = coordinate(box.low, d);

        at[d] = steps_up(low, coordinate(node, d), side);
        end[d] = steps_up(low, coordinate(box.high, d), side);
        odd ^= at[d] & 1;
    }
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        odd ^= at[d] & 1; /* odd: over the dimensions above this one */
        if (at[d] != (odd ? 0 : end[d]))
            return node_behind(node, 2 * d + odd, dims);
    }
    return NODE_NOWHERE;
}

/*
 * Copies continue in the direction they came, and in both directions of every later dimension; in
 * those dimensions the node has the origin's coordinates.
 */
void box_tree(struct box box, uint32_t origin, uint32_t here, uint32_t dims, struct box_tree *tree)
{
    unsigned came = 0;

    tree->depth = 0;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint32_t side = coordinate(dims, d) + 1, low = coordinate(box.low, d);
        uint32_t from = steps_up(low, coordinate(origin, d), side);
        uint32_t me = steps_up(low, coordinate(here, d), side);

        if (me == from)
            continue;
        tree->depth += me > from ? me - from : from - me;
        tree->port = (uint8_t)(2 * d + (me < from));
        came = d;
    }
    tree->parent = (uint16_t)node_behind(here, tree->port ^ 1u, dims);
    tree->children = box_ports(box, here) & ~((4u << 2 * came) - 1);
    if (coordinate(tree->port % 2 == 0 ? box.high : box.low, came) != coordinate(here, came))
        tree->children |= 1u << tree->port;
}

uint32_t box_ports(struct box box, uint32_t here)
{
    uint32_t ports = 0;

    for (unsigned d = 0; d < DIMENSIONS; d++) {
        ports |= (uint32_t)(coordinate(box.high, d) != coordinate(here, d)) << 2 * d;
        ports |= (uint32_t)(coordinate(box.low, d) != coordinate(here, d)) << (2 * d + 1);
    }
    return ports;
}
