// SPDX-License-Identifier: Apache-2.0
// Ports of the tree network.
//
// A package of constants alone: Yosys 0.23 does not resolve a package's reference to another one.
`default_nettype none

package tern_tree_pkg;

  // Ports of a node, and of a group's members that it waits for.
  localparam int unsigned Child0 = 0;
  localparam int unsigned Child1 = 1;
  localparam int unsigned Self   = 2;      // of a group: the node itself
  localparam int unsigned Parent = 2;      // of the links

endpackage

`default_nettype wire
