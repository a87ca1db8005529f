/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates of nodes in the torus, and the links that lead to them.  Pure.
 *
 * Ports: 0 X+, 1 X-, 2 Y+, ...; a set of ports has a bit for each. `dims` has the format of DIMS:
 * the sides minus one in the fields of a coordinate, and a bit for a mesh.
 */
#ifndef FW_PROTO_NODE_H
#define FW_PROTO_NODE_H

#include <stdbool.h>
#include <stdint.h>

/* Result of node_port for the node itself. */
#define NODE_PORT_NONE 0xffu
/* No node. */
#define NODE_NOWHERE 0xffffu
#define NODE_PORTS 6u
#define NODE_PORTS_ALL 0x3fu

bool node_inside(uint32_t node, uint32_t dims);

/*
 * Returns the port by which a packet leaves `here` for `dst`: dimension order X, Y, Z; in a
 * torus the shorter way round, on a tie the positive one.  Both nodes are inside `dims`.
 */
unsigned node_port(uint32_t here, uint32_t dst, uint32_t dims);

/* Returns the ports of `here` that lead to no other node; no packet leaves by them. */
uint32_t node_ports_idle(uint32_t here, uint32_t dims);

/*
 * A box of nodes: in every dimension those from `low` up to `high`, around the ring unless it is a
 * mesh. Both corners are inside `dims`.
 */
struct box {
    uint16_t low, high;
};

/* A box from the view of one of its nodes. */
struct box_view {
    uint32_t nodes; /* nodes in the box */
    uint32_t ports; /* ports through which a broadcast leaves */
};

enum box_verdict {
    BOX_HOLDS,    /* `here` is in the box, and `view` is filled in */
    BOX_BEYOND,   /* a corner is outside `dims` */
    BOX_ELSEWHERE /* `here` is not in the box */
};

/* Checks a box from the view of node `here`, which is inside `dims`. */
enum box_verdict box_look(struct box box, uint32_t here, uint32_t dims, struct box_view *view);

/*
 * Returns the index of `node` among the nodes of the box; X counts first, up from the low
 * corner.
 */
uint32_t box_rank(struct box box, uint32_t node, uint32_t dims);

/* Returns the number of `node` in the torus, X counting first: its rank in the tree network. */
uint32_t node_rank(uint32_t node, uint32_t dims);

/*
 * Returns the node after `node` on a path through all nodes of the box, from neighbour to
 * neighbour; NODE_NOWHERE: the path ends here.
 */
uint32_t box_after(struct box box, uint32_t node, uint32_t dims);

/* The place of a node in the tree by which a broadcast from an origin reaches its box. */
struct box_tree {
    uint32_t children; /* ports by which copies leave it */
    uint32_t depth;    /* links from the origin */
    uint16_t parent;   /* node that its copy comes from */
    uint8_t port;      /* port of the parent towards this node */
};

/* Fills in the place of `here`; `origin` and `here` are two different nodes of the box. */
void box_tree(struct box box, uint32_t origin, uint32_t here, uint32_t dims, struct box_tree *tree);

/* Returns the neighbour at `port` of `here`, around the ring. */
uint32_t node_behind(uint32_t here, unsigned port, uint32_t dims);

/* Returns the ports through which node `here`, a node of the box, sends a broadcast to the box. */
uint32_t box_ports(struct box box, uint32_t here);

#endif
