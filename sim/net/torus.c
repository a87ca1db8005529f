/* SPDX-License-Identifier: Apache-2.0 */
/* Node numbers, coordinates, neighbours. */
#include "torus.h"

#include <string.h>

enum { FIELD_BITS = 5, FIELD = (1 << FIELD_BITS) - 1, MESH_BIT = 15 };

const char *tern_torus_problem(const struct tern_torus *torus)
{
    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++)
        if (torus->sides[d] < 1 || torus->sides[d] > TERN_TORUS_SIDE_MAX)
            return "a torus has 1 to 32 nodes a side";
    return tern_torus_nodes(torus) > TERN_TORUS_NODES_MAX ? "a torus has 512 nodes at most" : NULL;
}

unsigned tern_torus_nodes(const struct tern_torus *torus)
{
    return torus->sides[0] * torus->sides[1] * torus->sides[2];
}

unsigned tern_torus_ports(const struct tern_torus *torus)
{
    return torus->sides[1] == 1 && torus->sides[2] == 1 ? TERN_TORUS_PORTS_RING
                                                        : TERN_TORUS_PORTS_MAX;
}

uint16_t tern_torus_dims(const struct tern_torus *torus)
{
    unsigned dims = (unsigned)torus->mesh << MESH_BIT;

    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++)
        dims |= (torus->sides[d] - 1) << (d * FIELD_BITS);
    return (uint16_t)dims;
}

uint16_t tern_torus_coordinates(const struct tern_torus *torus, unsigned node)
{
    unsigned coordinates = 0;

    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++) {
        coordinates |= node % torus->sides[d] << (d * FIELD_BITS);
        node /= torus->sides[d];
    }
    return (uint16_t)coordinates;
}

unsigned tern_torus_number(const struct tern_torus *torus, uint32_t coordinates)
{
    unsigned node = 0;

    if (coordinates >> (TERN_TORUS_DIMENSIONS * FIELD_BITS) != 0)
        return TERN_TORUS_NONE;
    for (unsigned d = TERN_TORUS_DIMENSIONS; d-- > 0;) {
        unsigned place = coordinates >> (d * FIELD_BITS) & FIELD;

        if (place >= torus->sides[d])
            return TERN_TORUS_NONE;
        node = node * torus->sides[d] + place;
    }
    return node;
}

unsigned tern_torus_neighbour(const struct tern_torus *torus, unsigned node, unsigned port)
{
    unsigned dimension = port / 2, stride = 1;
    bool down = port % 2 != 0;
    unsigned side, place, next;

    if (port >= tern_torus_ports(torus))
        return TERN_TORUS_NONE;
    for (unsigned d = 0; d < dimension; d++)
        stride *= torus->sides[d];
    side = torus->sides[dimension];
    place = node / stride % side;
    if (torus->mesh && place == (down ? 0 : side - 1))
        return TERN_TORUS_NONE;
    next = (place + (down ? side - 1 : 1)) % side;
    return node - place * stride + next * stride;
}

/* ---- names ---- */

static const char names[TERN_TORUS_PORTS_MAX][3] = {"X+", "X-", "Y+", "Y-", "Z+", "Z-"};

const char *tern_port_name(unsigned port)
{
    return names[port % TERN_TORUS_PORTS_MAX];
}

unsigned tern_port_of(const char *name)
{
    unsigned port = 0;

    while (port < TERN_TORUS_PORTS_MAX && strcmp(name, names[port]) != 0)
        port++;
    return port;
}
