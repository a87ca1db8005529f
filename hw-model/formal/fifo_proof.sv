// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_fifo: words come out as they went in, once, in order, and its counts are
// right.
//
// Counts the words inside, and follows one entry, any of them, from the cycle it enters to the
// cycle it leaves. No earlier entry may then still be inside, and no later one may leave before.
`default_nettype none

module fifo_proof #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 8
) (
  input logic             clk_i,
  input logic             reset_i,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] data_i,
  input logic             pick_i       // follow the entry that enters now
);

  localparam int unsigned CountW = $clog2(Depth) + 1;

  logic              rst_nq = 1'b0, picked_q = 1'b0;
  logic              ready, valid, push, pop, mine;
  logic [Width-1:0]  data, data_q;
  logic [CountW-1:0] space, held_q, ahead_q;

  tern_fifo #(.Width(Width), .Depth(Depth)) dut (
    .clk_i, .rst_ni(rst_nq), .valid_i, .ready_o(ready), .data_i,
    .valid_o(valid), .ready_i, .data_o(data), .space_o(space)
  );

  assign push = valid_i && ready;
  assign pop  = valid && ready_i;
  assign mine = picked_q && ahead_q == '0;

  always_ff @(posedge clk_i) begin
    rst_nq <= !reset_i;
    if (!rst_nq) begin
      held_q   <= '0;
      picked_q <= 1'b0;
    end else begin
      held_q   <= held_q + CountW'(push) - CountW'(pop);
      picked_q <= (picked_q && !(mine && pop)) || (!picked_q && push && pick_i);
    end
    if (!picked_q) begin
      ahead_q <= held_q - CountW'(pop);
      data_q  <= data_i;
    end else ahead_q <= ahead_q - CountW'(pop);
  end

  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      Room:   assert (ready == (held_q != CountW'(Depth)));
      Filled: assert (valid == (held_q != '0));
      Space:  assert (space == CountW'(Depth) - held_q);
      Comes:  assert (!mine || valid);
      Same:   assert (!mine || data == data_q);
    end
  end

endmodule

`default_nettype wire
