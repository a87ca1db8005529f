/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of the nodes of a box (fw/proto/node.c), with any corners in a torus or mesh of any size.
 * They are the slots of check-in areas.
 */
#include "proof_torus.h"

static void rank_step(struct box box, uint32_t node)
{
    uint32_t rank = box_rank(box, node, dims);
    uint32_t x = up(at(box.low, 0), at(node, 0), 0), y = up(at(box.low, 1), at(node, 1), 1);
    uint32_t z = up(at(box.low, 2), at(node, 2), 2);

    PROVE(rank == x + length(box, 0) * (y + length(box, 1) * z),
          "X counts first, up from the low corner");
    PROVE(rank < 1u << 15, "a place is one of a box");
    if (rank == (1u << 15) - 1)
        REACHED("the last node of the largest torus");
}

void proof(void)
{
    struct box box;

    dims = nondet_u16();
    box = any_box();
    rank_step(box, node_in(box));
}
