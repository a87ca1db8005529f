// SPDX-License-Identifier: Apache-2.0
// Divides 64-bit beats of the tree network into two, low half first; passes them through where
// beats have 64 bits.
//
// `ready_o` comes from a flip-flop: a result on its way down moves to all its outputs or to none,
// so it looks at this signal before it shows a beat. Beats come out without gaps. `near_i`: high
// whenever `valid_i` is; the same for the outputs.
`default_nettype none

module tern_tree_narrow #(
  parameter int unsigned DataW = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic             near_i,
  output logic             ready_o,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic [63:0]      data_i,
  output logic             valid_o,
  output logic             near_o,
  input  logic             ready_i,
  output logic             sop_o,
  output logic             eop_o,
  output logic             err_o,
  output logic [1:0]       vn_o,
  output logic [DataW-1:0] data_o
);

  if (DataW == 64) begin : g_same
    assign {valid_o, near_o, ready_o, sop_o, eop_o, err_o, vn_o, data_o} =
           {valid_i, near_i, ready_i, sop_i, eop_i, err_i, vn_i, data_i};
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end else begin : g_halves
    // A beat whose low half is next, and the high half of the one before it, which goes first.
    logic        some_q, sop_q, eop_q, err_q, half_q, half_eop_q, half_err_q, moves;
    logic [1:0]  vn_q, half_vn_q;
    logic [63:0] data_q;
    logic [31:0] half_data_q;

    assign ready_o = !some_q;
    assign moves   = some_q && !half_q && ready_i;
    assign valid_o = some_q || half_q;
    assign near_o  = near_i || valid_o;
    assign sop_o   = sop_q && !half_q;
    assign eop_o   = half_eop_q && half_q;
    assign err_o   = half_err_q;
    assign vn_o    = half_q ? half_vn_q : vn_q;
    assign data_o  = half_q ? half_data_q : data_q[31:0];

    always_ff @(posedge clk_i) begin
      some_q <= rst_ni && (some_q ? !moves : valid_i);
      half_q <= rst_ni && (half_q ? !ready_i : moves);
      if (!some_q) {sop_q, eop_q, err_q, vn_q, data_q} <= {sop_i, eop_i, err_i, vn_i, data_i};
      if (moves) {half_eop_q, half_err_q, half_vn_q, half_data_q} <=
                 {eop_q, err_q, vn_q, data_q[63:32]};
    end
  end

endmodule

`default_nettype wire
