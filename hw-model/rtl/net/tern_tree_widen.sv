// SPDX-License-Identifier: Apache-2.0
// Joins beats of a packet in pairs, low half first, for the tree network with 64-bit beats; passes
// beats of 64 bits through.
//
// The first beat of a pair waits in a register. A grant ends with the last beat of its packet, so
// the second one of a pair passes in the same cycle.
`default_nettype none

module tern_tree_widen #(
  parameter int unsigned DataW = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             sop_i,
  input  logic [DataW-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic             sop_o,
  output logic [63:0]      data_o
);

  if (DataW == 64) begin : g_same
    assign {valid_o, ready_o, sop_o, data_o} = {valid_i, ready_i, sop_i, data_i};
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end else begin : g_pair
    logic             half_q, sop_q;
    logic [DataW-1:0] low_q;

    assign valid_o = valid_i && half_q;
    assign ready_o = ready_i || !half_q;
    assign sop_o   = sop_q;
    assign data_o  = {data_i, low_q};

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 half_q <= 1'b0;
      else if (valid_i && ready_o) half_q <= !half_q;
      if (!half_q) begin
        sop_q <= sop_i;
        low_q <= data_i;
      end
      if (rst_ni && valid_i) FirstIsLow: assert (!(half_q && sop_i));
    end
  end

endmodule

`default_nettype wire
