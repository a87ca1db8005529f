// SPDX-License-Identifier: Apache-2.0
// Frames of two nodes of a board for one line: whole frames, in turns if both have some. A node
// that is reset in the middle of a frame goes on with another one; until then the line is its own.
`default_nettype none

module tern_hlink_merge (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  valid_i,
  output logic [1:0]  ready_o,
  input  logic [1:0]  first_i,
  input  logic [1:0]  last_i,
  input  logic [63:0] word_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        first_o,
  output logic        last_o,
  output logic [31:0] word_o
);

  logic busy_q, turn_q, turn;      // turn: whose frame it is

  assign turn    = busy_q ? turn_q : valid_i[turn_q] ? turn_q : !turn_q;
  assign valid_o = turn ? valid_i[1] : valid_i[0];
  assign first_o = turn ? first_i[1] : first_i[0];
  assign last_o  = turn ? last_i[1] : last_i[0];
  assign word_o  = turn ? word_i[63:32] : word_i[31:0];
  assign ready_o = {ready_i && turn, ready_i && !turn};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      turn_q <= 1'b0;
    end else if (valid_o) begin
      busy_q <= !(ready_i && last_o);
      turn_q <= turn ^ (ready_i && last_o);   // next, the other one
    end
  end

endmodule

`default_nettype wire
