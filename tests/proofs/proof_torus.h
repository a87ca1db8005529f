/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second specification of nodes and boxes, different from fw/proto/node.c, for the harnesses
 * about that file.
 */
#ifndef PROOF_TORUS_H
#define PROOF_TORUS_H

#include "node.h"
#include "proof.h"
#include "tern_abi.h"

enum { DIMS = 3 };

static uint32_t dims;

static inline uint32_t at(uint32_t node, unsigned d)
{
    return node >> 5 * d & 31;
}

static inline bool mesh(void)
{
    return dims & TERN_DIMS_MESH;
}

/* Returns the steps up from one coordinate to another, with wrap-around. */
static inline uint32_t up(uint32_t from, uint32_t to, unsigned d)
{
    return to >= from ? to - from : to + at(dims, d) + 1 - from;
}

static inline bool lies_inside(uint32_t node)
{
    return node < 1u << 15 && at(node, 0) <= at(dims, 0) && at(node, 1) <= at(dims, 1) &&
        at(node, 2) <= at(dims, 2);
}

static inline uint32_t any_node(void)
{
    uint32_t node = nondet_u32();

    ASSUME(lies_inside(node));
    return node;
}

/* Returns the links between two nodes in one dimension. */
static inline uint32_t apart(uint32_t a, uint32_t b, unsigned d)
{
    uint32_t steps = up(at(a, d), at(b, d), d), back = up(at(b, d), at(a, d), d);

    if (mesh())
        return at(b, d) > at(a, d) ? at(b, d) - at(a, d) : at(a, d) - at(b, d);
    return steps < back ? steps : back;
}

/* Tells whether the box holds a node, in one dimension. */
static inline bool spans(struct box box, uint32_t node, unsigned d)
{
    uint32_t low = at(box.low, d), high = at(box.high, d), me = at(node, d);

    return mesh() || low <= high ? low <= me && me <= high : me >= low || me <= high;
}

static inline bool holds(struct box box, uint32_t node)
{
    return spans(box, node, 0) && spans(box, node, 1) && spans(box, node, 2);
}

static inline uint32_t length(struct box box, unsigned d)
{
    return up(at(box.low, d), at(box.high, d), d) + 1;
}

/* Returns a valid box, as box_look() accepts it. */
static inline struct box any_box(void)
{
    struct box box = {.low = (uint16_t)any_node(), .high = (uint16_t)any_node()};

    for (unsigned d = 0; d < DIMS; d++)
        ASSUME(!mesh() || at(box.low, d) <= at(box.high, d));
    return box;
}

static inline uint32_t node_in(struct box box)
{
    uint32_t node = any_node();

    ASSUME(holds(box, node));
    return node;
}

#endif
