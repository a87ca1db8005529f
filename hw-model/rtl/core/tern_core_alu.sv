// SPDX-License-Identifier: Apache-2.0
// Single-cycle arithmetic: adder, comparison, logic and shifts.
//
// Combinational. The adder also computes the addresses of loads and stores. With `subtract_i` it
// compares: `equal_o` and `less_o` then compare a with b. `value_o` is the OR of all units; at most
// one is selected, and with none it is zero.
`default_nettype none

module tern_core_alu (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        subtract_i,
  input  logic        unsigned_i,   // signedness of the operands for `less_o`
  input  logic [1:0]  logic_op_i,
  input  logic        shift_left_i,
  input  logic        shift_arith_i,
  input  logic        take_sum_i,
  input  logic        take_logical_i,
  input  logic        take_shift_i,
  input  logic        take_less_i,

  output logic [31:0] sum_o,
  output logic        equal_o,
  output logic        less_o,
  output logic [31:0] value_o
);
  logic no_borrow;

  tern_addsub #(.Width(32)) u_add (
    .a_i, .b_i, .subtract_i, .sum_o, .carry_o(no_borrow)
  );

  assign equal_o = a_i == b_i;
  assign less_o  = (a_i[31] ^ b_i[31]) && !unsigned_i ? a_i[31] : !no_borrow;

  logic [31:0] logical;

  always_comb begin
    case (logic_op_i)
      tern_core_pkg::LogicXor: logical = a_i ^ b_i;
      tern_core_pkg::LogicOr:  logical = a_i | b_i;
      default:                 logical = a_i & b_i;
    endcase
  end

`ifdef TERN_MODEL   // simulates faster: at most one unit is selected
  logic signed [31:0] a_signed, with_sign;
  assign a_signed  = a_i;
  assign with_sign = a_signed >>> b_i[4:0];

  always_comb begin
    value_o = {31'b0, less_o && take_less_i};
    if (take_sum_i)     value_o = value_o | sum_o;
    if (take_logical_i) value_o = value_o | logical;
    if (take_shift_i)   value_o = value_o | (shift_left_i ? a_i << b_i[4:0] : a_i >> b_i[4:0]);
    if (take_shift_i && !shift_left_i && shift_arith_i) value_o = value_o | with_sign;
  end
`else
  // One right shifter; a left shift passes it bit-reversed.
  logic [31:0] a_mirrored, shift_in, shifted, shifted_mirrored, shift_out;
  logic [32:0] shift_ext;

  for (genvar i = 0; i < 32; i++) begin : g_mirror
    assign a_mirrored[i]       = a_i[31-i];
    assign shifted_mirrored[i] = shifted[31-i];
  end

  assign shift_in  = shift_left_i ? a_mirrored : a_i;
  assign shift_ext = {shift_arith_i && a_i[31], shift_in};
  assign shifted   = 32'($signed(shift_ext) >>> b_i[4:0]);
  assign shift_out = shift_left_i ? shifted_mirrored : shifted;

  assign value_o = (sum_o & {32{take_sum_i}}) | (logical & {32{take_logical_i}}) |
                   (shift_out & {32{take_shift_i}}) | {31'b0, less_o && take_less_i};
`endif

endmodule
