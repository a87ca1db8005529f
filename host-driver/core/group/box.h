/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes of a torus or mesh, as a broadcast from `origin` needs them. Functions of their arguments
 * alone.
 */
#ifndef TERN_BOX_H
#define TERN_BOX_H

#include <tern/group.h>

enum { DIMENSIONS = 3, SIDE_MAX = 32, TORUS_NODES_MAX = SIDE_MAX * SIDE_MAX * SIDE_MAX };

#define DIMS_MESH 0x8000u /* bit of `dims`: no wrap-around links */

/* Returns coordinate `d` of a node. */
static inline unsigned tern_coordinate(uint16_t node, unsigned d)
{
    return node >> 5 * d & (SIDE_MAX - 1);
}

/* Tells whether `node` lies in a torus or mesh of `dims`. */
bool tern_node_inside(uint16_t node, uint16_t dims);

/*
 * Shifts `box` in the dimensions in which it covers the whole ring: half of the ring is then above
 * `origin`, the rest below. 0; or BAD_BOX, and `fit` is not written.
 */
int tern_box_fit(struct tern_box box, uint16_t dims, uint16_t origin, struct tern_box *fit);

/*
 * Returns the rank of `node` in `box`, counted up from the low corner, X first.
 */
uint32_t tern_box_rank(struct tern_box box, uint16_t dims, uint16_t node);

/*
 * Returns the node after `origin` on the path of a relayed request through `box`; consecutive nodes
 * of the path are neighbours.
 */
uint16_t tern_box_first(struct tern_box box, uint16_t dims, uint16_t origin);

/*
 * Finds the smallest box around `nodes` and `origin`, shifted. 0; or BAD_NODE or DUP_MEMBER, and
 * nothing is written.
 */
int tern_box_around(const uint16_t *nodes, unsigned count, uint16_t dims, uint16_t origin,
                    struct tern_box *box);

#endif
