/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes of descriptors (fw/proto/node.c): any words, in a torus or mesh of any size. The corners of
 * an accepted box lie inside, it holds this node, and the count of its nodes is right.
 */
#include "proof_torus.h"

static void look_step(void)
{
    struct box box = {.low = nondet_u16(), .high = nondet_u16()};
    struct box_view view;
    uint32_t here = any_node();
    enum box_verdict verdict = box_look(box, here, dims, &view);

    if (!lies_inside(box.low) || !lies_inside(box.high)) {
        PROVE(verdict == BOX_BEYOND, "corners lie inside");
        REACHED("a corner outside");
        return;
    }
    PROVE(verdict == (holds(box, here) ? BOX_HOLDS : BOX_ELSEWHERE),
          "it is told whether the box holds the node");
    if (verdict != BOX_HOLDS)
        return;
    PROVE(view.nodes == length(box, 0) * length(box, 1) * length(box, 2), "its nodes are counted");
    PROVE((view.ports & node_ports_idle(here, dims)) == 0,
          "no copy leaves by a port that leads nowhere");
    PROVE(view.ports == box_ports(box, here), "copies leave where the box goes on");
    if (view.nodes == 1u << 15)
        REACHED("the largest torus");
}

void proof(void)
{
    dims = nondet_u16();
    look_step();
}
