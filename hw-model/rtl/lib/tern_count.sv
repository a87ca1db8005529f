// SPDX-License-Identifier: Apache-2.0
// Next value of a 64-bit counter whose halves can be loaded.
//
// Combinational.  A load of either half leaves the other as it is, and nothing is counted then.
// With TERN_ECP5 the choice between value and load sits in the look-up tables of the carry cells.
`default_nettype none

module tern_count (
  input  logic [63:0] value_i,
  input  logic        count_i,
  input  logic        load_low_i,
  input  logic        load_high_i,
  input  logic [31:0] load_i,
  output logic [63:0] next_o
);
  logic one;
  assign one = count_i && !load_low_i && !load_high_i;

`ifdef TERN_ECP5
  // Propagate c ? b : a (fourth input high), generate never.
  localparam logic [15:0] Select = 16'hca00;

  logic [32:0] carry;
  logic        unused_carry;

  assign carry[0]     = one;
  assign unused_carry = carry[32];

  for (genvar i = 0; i < 32; i++) begin : g_cell
    localparam int unsigned At = 2 * i;
    localparam int unsigned From = At % 32;

    logic load;
    assign load = At < 32 ? load_low_i : load_high_i;

    CCU2C #(.INIT0(Select), .INIT1(Select), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(value_i[At]), .B0(load_i[From]), .C0(load), .D0(1'b1), .S0(next_o[At]),
      .A1(value_i[At+1]), .B1(load_i[From+1]), .C1(load), .D1(1'b1), .S1(next_o[At+1])
    );
  end
`else
  assign next_o = {load_high_i ? load_i : value_i[63:32], load_low_i ? load_i : value_i[31:0]} +
                  64'(one);
`endif

endmodule
