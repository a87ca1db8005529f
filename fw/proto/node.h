/* SPDX-License-Identifier: Apache-2.0 */
/* Where nodes stand in the torus and which link leads to them.  Pure. */
#ifndef FW_PROTO_NODE_H
#define FW_PROTO_NODE_H

#include <stdbool.h>
#include <stdint.h>

/* node_port of a node to itself. */
#define NODE_PORT_NONE 0xffu

/* `dims` holds the sides minus one in the fields of a coordinate. */
bool node_inside(uint32_t node, uint32_t dims);

/*
 * The port a packet leaves `here` by on its way to `dst`: dimension order X, Y, Z, the
 * shorter way round, a tie goes the positive way.  Ports: 0 X+, 1 X-, 2 Y+, ...  Both
 * nodes are inside `dims`.
 */
unsigned node_port(uint32_t here, uint32_t dst, uint32_t dims);

#endif
