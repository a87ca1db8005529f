// SPDX-License-Identifier: Apache-2.0
// Names of the tree network: ports, packet types, operations of the ALU, and status codes.
//
// Tree packets use the packet header of the torus (tern_abi_pkg::PKT_*):
//   box          group 6:0, epoch 14:7; dst is 0
//   type         Type*
//   flags        contributions and results: FlagEmpty; TypeFailed: the status
//   src          contributions: a rank that took part; TypeFailed: the rank that failed
//   length       payload bytes of the operation; TypeFreed: contributions that have left, mod 256
//   key, opid, number   the operation: equal in all contributions (Op* in key, the rest is free)
//
// Firmware has the operations and the status codes from the contract; packets are the chip's own.
`default_nettype none

package tern_tree_pkg;

  // Ports of a node, and of a group's members that it waits for.
  localparam int unsigned Child0 = 0;
  localparam int unsigned Child1 = 1;
  localparam int unsigned Self   = 2;      // of a group: the node itself
  localparam int unsigned Parent = 2;      // of the links

  localparam logic [7:0] TypeData   = 8'h40;   // a contribution going up, a result going down
  localparam logic [7:0] TypeFreed  = 8'h41;
  localparam logic [7:0] TypeFailed = 8'h42;

  localparam int unsigned FlagEmpty = 0;       // bit of flags: no payload, changes no result

  localparam logic [2:0] OpSum = 3'(tern_abi_pkg::TREE_SUM);
  localparam logic [2:0] OpMin = 3'(tern_abi_pkg::TREE_MIN);
  localparam logic [2:0] OpMax = 3'(tern_abi_pkg::TREE_MAX);
  localparam logic [2:0] OpAnd = 3'(tern_abi_pkg::TREE_AND);
  localparam logic [2:0] OpOr  = 3'(tern_abi_pkg::TREE_OR);
  localparam logic [2:0] OpXor = 3'(tern_abi_pkg::TREE_XOR);
  localparam int unsigned KeyOp     = 0;       // lowest bit in key, 3 bits
  localparam int unsigned KeyWide   = 3;       // 64-bit words
  localparam int unsigned KeySigned = 4;

  localparam logic [3:0] StTimeout   = 4'(tern_abi_pkg::TREE_TIMEOUT);
  localparam logic [3:0] StLinkDown  = 4'(tern_abi_pkg::TREE_LINK_DOWN);
  localparam logic [3:0] StMismatch  = 4'(tern_abi_pkg::TREE_MISMATCH);
  localparam logic [3:0] StMalformed = 4'(tern_abi_pkg::TREE_MALFORMED);
  localparam logic [3:0] StOverrun   = 4'(tern_abi_pkg::TREE_OVERRUN);
  localparam logic [3:0] StDamaged   = 4'(tern_abi_pkg::TREE_DAMAGED);
  localparam logic [3:0] StNoGroup   = 4'(tern_abi_pkg::TREE_NO_GROUP);

endpackage

`default_nettype wire
