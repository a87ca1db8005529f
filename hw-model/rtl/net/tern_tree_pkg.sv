// SPDX-License-Identifier: Apache-2.0
// Names of the tree network: ports, packet types, operations of the ALU, and status codes.
//
// The contract has the layout of packets (tern_abi_pkg::TRP_*, with the other fields of PKT), the
// operations and the status codes. Here they have the widths and places that the tree uses.
`default_nettype none

package tern_tree_pkg;

  // Ports of a node, and of a group's members that it waits for.
  localparam int unsigned Child0 = 0;
  localparam int unsigned Child1 = 1;
  localparam int unsigned Self   = 2;      // of a group: the node itself
  localparam int unsigned Parent = 2;      // of the links

  localparam logic [7:0] TypeData   = 8'(tern_abi_pkg::TREE_DATA);   // contribution or result
  localparam logic [7:0] TypeFreed  = 8'(tern_abi_pkg::TREE_FREED);
  localparam logic [7:0] TypeFailed = 8'(tern_abi_pkg::TREE_FAILED);

  localparam int unsigned FlagEmpty = tern_abi_pkg::TRP_EMPTY_LSB - tern_abi_pkg::PKT_FLAGS_LSB;

  localparam logic [2:0] OpSum = 3'(tern_abi_pkg::TREE_SUM);
  localparam logic [2:0] OpMin = 3'(tern_abi_pkg::TREE_MIN);
  localparam logic [2:0] OpMax = 3'(tern_abi_pkg::TREE_MAX);
  localparam logic [2:0] OpAnd = 3'(tern_abi_pkg::TREE_AND);
  localparam logic [2:0] OpOr  = 3'(tern_abi_pkg::TREE_OR);
  localparam logic [2:0] OpXor = 3'(tern_abi_pkg::TREE_XOR);
  localparam int unsigned KeyOp     = tern_abi_pkg::TRP_OP_LSB % 64;   // in a beat
  localparam int unsigned KeyWide   = tern_abi_pkg::TRP_WIDE_LSB % 64;
  localparam int unsigned KeySigned = tern_abi_pkg::TRP_SIGNED_LSB % 64;

  localparam logic [3:0] StTimeout   = 4'(tern_abi_pkg::TREE_TIMEOUT);
  localparam logic [3:0] StLinkDown  = 4'(tern_abi_pkg::TREE_LINK_DOWN);
  localparam logic [3:0] StMismatch  = 4'(tern_abi_pkg::TREE_MISMATCH);
  localparam logic [3:0] StMalformed = 4'(tern_abi_pkg::TREE_MALFORMED);
  localparam logic [3:0] StOverrun   = 4'(tern_abi_pkg::TREE_OVERRUN);
  localparam logic [3:0] StDamaged   = 4'(tern_abi_pkg::TREE_DAMAGED);
  localparam logic [3:0] StNoGroup   = 4'(tern_abi_pkg::TREE_NO_GROUP);

endpackage

`default_nettype wire
