// SPDX-License-Identifier: Apache-2.0
// Proof of the multiplier, all four operations: one operand is any value, the other zero or a power
// of two, including the sign bit. So every bit of one meets every bit of the other, with all signs.
//
// The product is expected two steps after the operands, and is a shift.
`default_nettype none

module unit_mul (
  input logic        clk_i,
  input logic [31:0] any_i,
  input logic [4:0]  place_i,
  input logic        zero_i,
  input logic        swap_i,
  input logic [1:0]  op_i
);
  logic [31:0] single, a, b, a_q, b_q, result;
  logic        swap_q, zero_q, ready_q = 1'b0;
  logic [4:0]  place_q;
  logic [31:0] any_q;
  logic [1:0]  op_q;

  assign single = zero_i ? '0 : 32'd1 << place_i;
  assign a      = swap_i ? single : any_i;
  assign b      = swap_i ? any_i : single;

  always_ff @(posedge clk_i) begin
    ready_q <= 1'b1;
    any_q   <= any_i;
    place_q <= place_i;
    zero_q  <= zero_i;
    swap_q  <= swap_i;
    op_q    <= op_i;
  end

  // Even steps start, odd steps check.
  logic odd_q = 1'b0;
  always_ff @(posedge clk_i) odd_q <= !odd_q;

  tern_core_mul dut (
    .clk_i, .start_i(!odd_q), .a_i(a), .b_i(b), .op_i(op_i), .low_i(op_q == 2'b00),
    .result_o(result)
  );

  // Signs: of the first operand except for mulhu, of the second except for mulhu and mulhsu.
  logic        any_signed, single_signed;
  logic [63:0] wide, shifted, product;
  assign any_signed    = swap_q ? !op_q[1] : op_q != 2'b11;
  assign single_signed = swap_q ? op_q != 2'b11 : !op_q[1];
  assign wide          = {{32{any_q[31] && any_signed}}, any_q};
  assign shifted       = wide << place_q;

  always_comb begin
    product = place_q == 5'd31 && single_signed ? -shifted : shifted;
    if (zero_q) product = '0;
    if (odd_q && ready_q)
      Product: assert (result == (op_q == 2'b00 ? product[31:0] : product[63:32]));
  end

endmodule

`default_nettype wire
