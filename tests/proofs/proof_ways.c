/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Node numbers of packets and descriptors (fw/proto/node.c): any word, in a torus or mesh of any
 * size. An accepted node lies inside, and every step of the route to it uses an existing link and
 * reduces the distance.
 */
#include "proof_torus.h"

static void way_step(void)
{
    uint32_t here = any_node(), dst = any_node(), next;
    unsigned port = node_port(here, dst, dims), d;

    PROVE((port == NODE_PORT_NONE) == (here == dst), "there is a way to every other node");
    if (port == NODE_PORT_NONE)
        return;
    PROVE(port < NODE_PORTS, "by a port");
    PROVE(!(node_ports_idle(here, dims) >> port & 1), "that leads to another node");
    next = node_behind(here, port, dims);
    d = port / 2;
    PROVE(lies_inside(next) && apart(next, dst, d) + 1 == apart(here, dst, d),
          "which is one link closer");
    PROVE(d == 0 || apart(here, dst, 0) == 0, "X before the others");
    PROVE(d != 2 || apart(here, dst, 1) == 0, "Y before Z");
    if (!mesh() && at(next, d) == 0 && port % 2 == 0)
        REACHED("round the ring");
    if (mesh() && d == 2)
        REACHED("along the last dimension of a mesh");
}

void proof(void)
{
    uint32_t node = nondet_u32();

    dims = nondet_u16();
    PROVE(node_inside(node, dims) == lies_inside(node),
          "a node is inside when every coordinate is");
    way_step();
}
