// SPDX-License-Identifier: Apache-2.0
// Single-cycle arithmetic: adder, comparison, logic and shifts.
//
// Combinational.  The adder also makes the addresses of loads, stores and indirect jumps; with
// `subtract_i` it serves every comparison, so `equal_o` and `less_o` then compare a with b.
`default_nettype none

module tern_core_alu (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        subtract_i,
  input  logic        unsigned_i,   // how `less_o` reads its operands
  input  logic [1:0]  logic_op_i,
  input  logic        shift_left_i,
  input  logic        shift_arith_i,

  output logic [31:0] sum_o,
  output logic        equal_o,
  output logic        less_o,
  output logic [31:0] logic_o,
  output logic [31:0] shift_o
);
  // The carry enters as the lowest bit of both operands: one carry chain, no second adder.
  logic [33:0] total;
  logic [31:0] b_signed;
  logic        no_borrow;

  assign b_signed  = b_i ^ {32{subtract_i}};
  assign total     = {1'b0, a_i, 1'b1} + {1'b0, b_signed, subtract_i};
  assign sum_o     = total[32:1];
  assign no_borrow = total[33];

  logic unused_carry_in;
  assign unused_carry_in = total[0];

  assign equal_o = a_i == b_i;
  assign less_o  = (a_i[31] ^ b_i[31]) && !unsigned_i ? a_i[31] : !no_borrow;

  always_comb begin
    case (logic_op_i)
      tern_core_pkg::LogicXor: logic_o = a_i ^ b_i;
      tern_core_pkg::LogicOr:  logic_o = a_i | b_i;
      tern_core_pkg::LogicAnd: logic_o = a_i & b_i;
      default:                 logic_o = b_i;
    endcase
  end

  // One right shifter; a left shift goes through it mirrored.
  logic [31:0] a_mirrored, shift_in, shifted, shifted_mirrored;
  logic [32:0] shift_ext;

  for (genvar i = 0; i < 32; i++) begin : g_mirror
    assign a_mirrored[i]       = a_i[31-i];
    assign shifted_mirrored[i] = shifted[31-i];
  end

  assign shift_in  = shift_left_i ? a_mirrored : a_i;
  assign shift_ext = {shift_arith_i && a_i[31], shift_in};
  assign shifted   = 32'($signed(shift_ext) >>> b_i[4:0]);
  assign shift_o   = shift_left_i ? shifted_mirrored : shifted;

endmodule
