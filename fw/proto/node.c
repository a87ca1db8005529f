/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include "tern_abi.h"

#define DIMENSIONS 3u
#define COORD_BITS 5u

static uint32_t coordinate(uint32_t node, unsigned dimension)
{
    return (node >> (dimension * COORD_BITS)) & ((1u << COORD_BITS) - 1);
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
        uint32_t forward = coordinate(dst, d) - coordinate(here, d);

        if (forward == 0)
            continue;
        if (forward > side)
            forward += side; /* it was negative */
        return 2 * d + (2 * forward <= side ? 0 : 1);
    }
    return NODE_PORT_NONE;
}
