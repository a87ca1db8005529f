// SPDX-License-Identifier: Apache-2.0
// Multiplier: MUL, MULH, MULHSU and MULHU in two cycles.
//
// Cycle one: `start_i` with the operands; four partial products go into flip-flops straight
// behind the DSP blocks.  Cycle two: `result_o` holds the wanted half of their sum, until the
// next start.
`default_nettype none

module tern_core_mul (
  input  logic        clk_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [1:0]  op_i,      // funct3[1:0], held over both cycles
  output logic [31:0] result_o
);
  logic signed [16:0] a_low, a_high, b_low, b_high;
  logic signed [33:0] low_low_q, low_high_q, high_low_q, high_high_q;

  // The low halves are never negative; the high halves are where an operand is signed.
  assign a_low  = {1'b0, a_i[15:0]};
  assign b_low  = {1'b0, b_i[15:0]};
  assign a_high = {a_i[31] && op_i != 2'b11, a_i[31:16]};
  assign b_high = {b_i[31] && !op_i[1], b_i[31:16]};

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      low_low_q   <= a_low * b_low;
      low_high_q  <= a_low * b_high;
      high_low_q  <= a_high * b_low;
      high_high_q <= a_high * b_high;
    end
  end

  logic [63:0] outer, middle, product;
  logic [34:0] crossed;

  assign outer    = {high_high_q[31:0], low_low_q[31:0]};
  assign crossed    = {low_high_q[33], low_high_q} + {high_low_q[33], high_low_q};
  assign middle   = {{13{crossed[34]}}, crossed, 16'b0};
  assign product  = outer + middle;
  assign result_o = op_i == 2'b00 ? product[31:0] : product[63:32];

  logic unused_bits;
  assign unused_bits = &{1'b0, low_low_q[33:32], high_high_q[33:32]};

endmodule
