// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_tree_turn: counts the requests that are served while one waits.
`default_nettype none

module tree_turn_proof #(
  parameter int unsigned N = 5
) (
  input logic         clk_i,
  input logic         reset_i,
  input logic [N-1:0] req_i,
  input logic         take_i,
  input logic [N-1:0] who_i       // the request that is followed, one-hot
);

  logic         rst_nq = 1'b0;
  logic [N-1:0] pick, who_q;
  logic [3:0]   passed_q;
  logic         mine;

  tern_tree_turn #(.N(N)) dut (
    .clk_i, .rst_ni(rst_nq), .req_i, .take_i, .pick_o(pick)
  );

  assign mine = (req_i & who_q) != '0;

  always_ff @(posedge clk_i) begin
    rst_nq <= !reset_i;
    if (!rst_nq) begin
      who_q    <= who_i;
      passed_q <= '0;
    end else begin
      if (!mine || (take_i && (pick & who_q) != '0)) passed_q <= '0;
      else if (take_i)                               passed_q <= passed_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      OneFollowed: assume (who_q != '0 && (who_q & (who_q - 1'b1)) == '0);
      Served:      assume (!take_i || req_i != '0);
      InTurn:      assert (passed_q <= 4'(N - 1));
      OneOrNone:   assert ((pick & (pick - 1'b1)) == '0 && (pick & ~req_i) == '0);
      NoneIdle:    assert (req_i == '0 || pick != '0);
    end
  end

endmodule

`default_nettype wire
