/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates and neighbours of nodes: a torus of one to three dimensions, or a mesh.
 *
 * A node has a number (x counts fastest, then y, then z) and coordinates in the chip's format, x
 * 4:0, y 9:5, z 14:10. Ports: 0 X+, 1 X-, 2 Y+, 3 Y-, 4 Z+, 5 Z-. In a torus the last node of a row
 * is the neighbour of the first, even in a row of one node; in a mesh there is no link between
 * them.
 */
#ifndef TERN_SIM_TORUS_H
#define TERN_SIM_TORUS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TERN_TORUS_DIMENSIONS = 3,
    TERN_TORUS_SIDE_MAX = 32,
    TERN_TORUS_NODES_MAX = 512,
    TERN_TORUS_PORTS_MAX = 2 * TERN_TORUS_DIMENSIONS,
    TERN_TORUS_PORTS_RING = 2
};

/* No node. */
#define TERN_TORUS_NONE UINT32_MAX

struct tern_torus {
    unsigned sides[TERN_TORUS_DIMENSIONS];
    bool mesh;
};

/* Checks the shape of a torus; returns NULL, or a text about the error. */
const char *tern_torus_problem(const struct tern_torus *torus);

unsigned tern_torus_nodes(const struct tern_torus *torus);

/* Returns the number of link ports of each node: 2 in a ring or a row, else 6. */
unsigned tern_torus_ports(const struct tern_torus *torus);

/* Returns the value of the chip's strap pins: sides less one, and bit 15 for a mesh. */
uint16_t tern_torus_dims(const struct tern_torus *torus);

uint16_t tern_torus_coordinates(const struct tern_torus *torus, unsigned node);

/* Returns the node with these coordinates, or TERN_TORUS_NONE. */
unsigned tern_torus_number(const struct tern_torus *torus, uint32_t coordinates);

/* Returns the node that `port` of `node` leads to, or TERN_TORUS_NONE. */
unsigned tern_torus_neighbour(const struct tern_torus *torus, unsigned node, unsigned port);

/*
 * Convert between ports and their names ("X+" and so on); tern_port_of() returns
 * TERN_TORUS_PORTS_MAX for other names.
 */
const char *tern_port_name(unsigned port);
unsigned tern_port_of(const char *name);

#endif
