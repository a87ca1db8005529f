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
// These rows move to the contract (hw-model/abi) with the firmware that uses them.
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

  localparam logic [2:0] OpSum = 3'd0;
  localparam logic [2:0] OpMin = 3'd1;
  localparam logic [2:0] OpMax = 3'd2;
  localparam logic [2:0] OpAnd = 3'd3;
  localparam logic [2:0] OpOr  = 3'd4;
  localparam logic [2:0] OpXor = 3'd5;
  localparam int unsigned KeyOp     = 0;       // lowest bit in key, 3 bits
  localparam int unsigned KeyWide   = 3;       // 64-bit words
  localparam int unsigned KeySigned = 4;

  localparam logic [3:0] StTimeout   = 4'd1;   // the rank, or all below it, did not contribute
  localparam logic [3:0] StLinkDown  = 4'd2;   // the link to the rank went down
  localparam logic [3:0] StMismatch  = 4'd3;   // operation, type or length differ from the others'
  localparam logic [3:0] StMalformed = 4'd4;   // sizes in the contribution contradict each other
  localparam logic [3:0] StOverrun   = 4'd5;   // a contribution without credit
  localparam logic [3:0] StDamaged   = 4'd6;   // parity error in the buffer of the rank
  localparam logic [3:0] StNoGroup   = 4'd7;   // the rank has no such group, or not in this epoch

endpackage

`default_nettype wire
