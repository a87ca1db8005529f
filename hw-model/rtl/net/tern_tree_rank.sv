// SPDX-License-Identifier: Apache-2.0
// Computes the rank of a node of the torus in the tree: its number, x counting fastest.
//
// `rank_o` follows `node_i` two cycles later.
`default_nettype none

module tern_tree_rank (
  input  logic        clk_i,
  input  logic [14:0] dims_i,
  input  logic [14:0] node_i,
  output logic [15:0] rank_o
);

  logic [5:0]  side_x, side_y;
  logic [10:0] line_q;                 // number of its line
  logic [4:0]  x_q;

  assign side_x = {1'b0, dims_i[4:0]} + 6'd1;
  assign side_y = {1'b0, dims_i[9:5]} + 6'd1;

  always_ff @(posedge clk_i) begin
    line_q <= 11'(side_y) * 11'(node_i[14:10]) + 11'(node_i[9:5]);
    x_q    <= node_i[4:0];
    rank_o <= 16'(side_x) * 16'(line_q) + 16'(x_q);
  end

  logic unused;
  assign unused = ^dims_i[14:10];

endmodule

`default_nettype wire
