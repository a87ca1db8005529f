// SPDX-License-Identifier: Apache-2.0
// Replaces the multiplier while the core around it is proved: same ports, same timing,
// another function, which a solver takes easily.  The real one has a proof of its own.
`default_nettype none

module tern_core_mul (
  input  logic        clk_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [1:0]  op_i,
  input  logic        low_i,
  output logic [31:0] result_o
);
  logic [31:0] a_q, b_q;
  logic [1:0]  op_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      a_q  <= a_i;
      b_q  <= b_i;
      op_q <= op_i;
    end
  end

  // Seen only by who asks for the half that the operation has, as the real one demands.
  assign result_o = low_i == (op_q == 2'b00) ? a_q ^ {b_q[30:0], b_q[31]} ^ {30'd0, op_q} : '0;

endmodule

`default_nettype wire
