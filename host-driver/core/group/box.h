/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of a torus or mesh, as a broadcast from `origin` needs them.  Pure. */
#ifndef TERN_BOX_H
#define TERN_BOX_H

#include <tern/group.h>

enum { DIMENSIONS = 3, SIDE_MAX = 32, TORUS_NODES_MAX = SIDE_MAX * SIDE_MAX * SIDE_MAX };

#define DIMS_MESH 0x8000u /* bit of `dims`: no links from last to first */

/* Coordinate `d` of a node. */
static inline unsigned tern_coordinate(uint16_t node, unsigned d)
{
    return node >> 5 * d & (SIDE_MAX - 1);
}

/* Lies `node` in a torus or mesh of `dims`? */
bool tern_node_inside(uint16_t node, uint16_t dims);

/*
 * Turns the dimensions in which `box` goes all round a ring: up to half of it above `origin`,
 * and what is left below.  0, or BAD_BOX and nothing written.
 */
int tern_box_fit(struct tern_box box, uint16_t dims, uint16_t origin, struct tern_box *fit);

/*
 * The place of `node`, which is in `box`, among its nodes: X counts first, up from the low
 * corner.
 */
uint32_t tern_box_rank(struct tern_box box, uint16_t dims, uint16_t node);

/*
 * The first node but `origin` on the way that a request takes through `box`, each node next to
 * the one before.
 */
uint16_t tern_box_first(struct tern_box box, uint16_t dims, uint16_t origin);

/*
 * The smallest box, turned, around `nodes` and `origin`.  0, BAD_NODE or DUP_MEMBER and nothing
 * written.
 */
int tern_box_around(const uint16_t *nodes, unsigned count, uint16_t dims, uint16_t origin,
                    struct tern_box *box);

#endif
