/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include "tern_abi.h"

#define DIMENSIONS 3u
#define COORD_BITS 5u

static uint32_t coordinate(uint32_t node, unsigned dimension)
{
    return (node >> (dimension * COORD_BITS)) & ((1u << COORD_BITS) - 1);
}

static bool is_mesh(uint32_t dims)
{
    return dims & TERN_DIMS_MESH;
}

/* Steps up from one coordinate to another, round the ring. */
static uint32_t steps_up(uint32_t from, uint32_t to, uint32_t side)
{
    return to >= from ? to - from : to + side - from;
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

static bool holds(uint32_t low, uint32_t high, uint32_t me, uint32_t last, bool mesh)
{
    if (mesh)
        return low <= me && me <= high;
    return steps_up(low, me, last + 1) <= steps_up(low, high, last + 1);
}

bool box_holds(struct box box, uint32_t node, uint32_t dims)
{
    for (unsigned d = 0; d < DIMENSIONS; d++)
        if (!holds(coordinate(box.low, d), coordinate(box.high, d), coordinate(node, d),
                   coordinate(dims, d), is_mesh(dims)))
            return false;
    return true;
}

uint32_t box_nodes(struct box box, uint32_t dims)
{
    uint32_t nodes = 1;

    for (unsigned d = 0; d < DIMENSIONS; d++)
        nodes *= steps_up(coordinate(box.low, d), coordinate(box.high, d),
                          coordinate(dims, d) + 1) +
                 1;
    return nodes;
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
