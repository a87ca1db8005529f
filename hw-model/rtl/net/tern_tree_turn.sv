// SPDX-License-Identifier: Apache-2.0
// Chooses one of N requests, in turn.
//
// `pick_o` is one-hot, or 0 without a request. `take_i`: the choice is served; the turn then passes
// to the requests after it. A request that stays waits for at most N - 1 others
// (hw-model/formal/tree.sh). Combinational from `req_i`.
`default_nettype none

module tern_tree_turn #(
  parameter int unsigned N = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] req_i,
  input  logic         take_i,
  output logic [N-1:0] pick_o
);

  logic [N-1:0] after_q, group;     // after_q: requests after the last one served

  assign group = (req_i & after_q) != '0 ? req_i & after_q : req_i;

  always_comb begin
    for (int i = 0; i < N; i++) begin
      pick_o[i] = group[i];
      for (int k = 0; k < i; k++) if (group[k]) pick_o[i] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      after_q <= '1;
    end else if (take_i) begin
      for (int i = 0; i < N; i++) begin
        after_q[i] <= 1'b0;
        for (int k = 0; k < i; k++) if (pick_o[k]) after_q[i] <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
