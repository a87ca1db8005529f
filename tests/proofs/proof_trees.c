/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths through boxes (fw/proto/node.c), with any corners in a torus or mesh of any size. A
 * broadcast reaches each node once, from the parent in its tree; a relayed request goes from
 * neighbour to neighbour through all of them.
 */
#include "proof_torus.h"

/*
 * Returns how far along the path a node is in dimension `d`.  The path goes back and forth, so in
 * every second line it runs from high to low.
 */
static uint32_t along(struct box box, uint32_t node, unsigned d)
{
    uint32_t steps = up(at(box.low, d), at(node, d), d), odd = 0;

    for (unsigned e = d + 1; e < DIMS; e++)
        odd ^= up(at(box.low, e), at(node, e), e) & 1;
    return odd ? length(box, d) - 1 - steps : steps;
}

static void after_step(void)
{
    struct box box = any_box();
    uint32_t node = node_in(box), next = box_after(box, node, dims);
    unsigned d = 0;

    while (d < DIMS && along(box, node, d) == length(box, d) - 1)
        d++; /* at the end of dimension d */
    PROVE((next == NODE_NOWHERE) == (d == DIMS), "the way ends with the last node");
    if (d == DIMS)
        return;
    PROVE(apart(node, next, d) == 1 && lies_inside(next), "the next is next to this one");
    PROVE(along(box, next, d) == along(box, node, d) + 1, "and one on");
    for (unsigned e = 0; e < DIMS; e++) {
        PROVE(e == d || at(next, e) == at(node, e),
              "in the first dimension that has not come to its end");
        PROVE(e >= d || along(box, next, e) == 0, "those before it begin anew");
    }
    REACHED("a step");
}

static void tree_step(void)
{
    struct box box = any_box();
    uint32_t origin = node_in(box), here = node_in(box);
    struct box_tree tree, parents;

    ASSUME(here != origin);
    box_tree(box, origin, here, dims, &tree);
    PROVE(lies_inside(tree.parent) && holds(box, tree.parent), "the parent is in the box");
    PROVE(node_behind(tree.parent, tree.port, dims) == here, "its port leads here");
    PROVE((tree.children & ~box_ports(box, here)) == 0, "copies stay in the box");
    if (tree.parent == origin) {
        PROVE(tree.depth == 1 && box_ports(box, origin) >> tree.port & 1, "the origin sends there");
        return;
    }
    box_tree(box, origin, tree.parent, dims, &parents);
    PROVE(parents.depth + 1 == tree.depth, "the parent is one link closer to the origin");
    PROVE(parents.children >> tree.port & 1, "and sends a copy here");
    REACHED("a node that is not next to the origin");
}

void proof(void)
{
    dims = nondet_u16();
    if (nondet_bool())
        after_step();
    else
        tree_step();
}
