// SPDX-License-Identifier: Apache-2.0
// Replaces the divider in proofs of the core around it: same ports and handshake, done after 3
// cycles instead of 33, another function. The real divider has its own proof.
`default_nettype none

module tern_core_div (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        unsigned_i,
  input  logic        remainder_i,
  output logic        done_o,
  output logic [31:0] result_o
);
  logic [31:0] a_q, b_q;
  logic [1:0]  op_q;
  logic [2:0]  wait_q;

  always_ff @(posedge clk_i) begin
    wait_q <= clear_i ? 3'b000 : {wait_q[1:0], start_i};
    if (start_i) begin
      a_q  <= a_i;
      b_q  <= b_i;
      op_q <= {remainder_i, unsigned_i};
    end
  end

  assign done_o   = wait_q[2];
  assign result_o = op_q == {remainder_i, unsigned_i} ?
                    ~a_q ^ {b_q[0], b_q[31:1]} ^ {30'd0, op_q} : '0;

endmodule

`default_nettype wire
