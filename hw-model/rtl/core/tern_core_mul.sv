// SPDX-License-Identifier: Apache-2.0
// Multiplier: MUL, MULH, MULHSU and MULHU, with the result one cycle after the operands.
//
// `start_i` registers four partial products right after the DSP blocks. From the next cycle on,
// until the next start, `result_o` is the selected half of their sum.
`default_nettype none

module tern_core_mul (
  input  logic        clk_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [1:0]  op_i,       // funct3[1:0], with the operands
  input  logic        low_i,      // select the low half: valid with the result
  output logic [31:0] result_o
);
  logic signed [16:0] a_low, a_high, b_low, b_high;
  logic signed [33:0] low_low_q, low_high_q, high_low_q, high_high_q;

  // The low halves are unsigned; a high half is signed if its operand is.
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

  // A row of full adders reduces three numbers to two, so one carry chain adds them.
  logic [63:0] outer, low_high, high_low, product;

  assign outer    = {high_high_q[31:0], low_low_q[31:0]};
  assign low_high = {{14{low_high_q[33]}}, low_high_q, 16'b0};
  assign high_low = {{14{high_low_q[33]}}, high_low_q, 16'b0};
`ifdef TERN_MODEL
  assign product  = outer + low_high + high_low;
`else
  logic [63:0] halves, carries;

  assign halves   = outer ^ low_high ^ high_low;
  assign carries  = (outer & low_high) | (outer & high_low) | (low_high & high_low);
  assign product[15:0]  = outer[15:0];
  assign product[63:16] = halves[63:16] + carries[62:15];

  logic unused_carries;
  assign unused_carries = &{1'b0, carries[63], carries[14:0], halves[15:0]};
`endif
  assign result_o = low_i ? product[31:0] : product[63:32];

  logic unused_bits;
  assign unused_bits = &{1'b0, low_low_q[33:32], high_high_q[33:32]};

endmodule
