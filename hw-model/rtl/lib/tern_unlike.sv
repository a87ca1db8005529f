// SPDX-License-Identifier: Apache-2.0
// Tells whether two words differ under a mask.
//
// Combinational; `unlike_i` is the result for other parts of a longer word. With TERN_ECP5 it uses
// carry cells.
`default_nettype none

module tern_unlike #(
  parameter int unsigned Width = 32   // even
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] mask_i,
  input  logic             unlike_i,
  output logic             unlike_o
);
`ifdef TERN_ECP5
  // Propagate where the bits are equal (fourth input high), else generate.
  localparam logic [15:0] Cell = 16'h9f0f;

  logic [Width/2:0] carry;
  logic [Width-1:0] unused_sum;

  assign carry[0] = unlike_i;
  assign unlike_o = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(Cell), .INIT1(Cell), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(a_i[2*i]), .B0(b_i[2*i]), .C0(mask_i[2*i]), .D0(1'b1), .S0(unused_sum[2*i]),
      .A1(a_i[2*i+1]), .B1(b_i[2*i+1]), .C1(mask_i[2*i+1]), .D1(1'b1), .S1(unused_sum[2*i+1])
    );
  end
`else
  assign unlike_o = unlike_i || ((a_i ^ b_i) & mask_i) != '0;
`endif

endmodule

`default_nettype wire
