// SPDX-License-Identifier: Apache-2.0
// Next value of a down counter with load, and whether it is above 0.
//
// Combinational. `some_o` is 0 while the counter is loaded. With TERN_ECP5 the selection between
// value and load is in the LUTs of the carry cells.
`default_nettype none

module tern_countdown #(
  parameter int unsigned Width = 32   // even
) (
  input  logic [Width-1:0] value_i,
  input  logic             load_i,
  input  logic [Width-1:0] from_i,
  output logic [Width-1:0] next_o,
  output logic             some_o
);
`ifdef TERN_ECP5
  // Propagate b ? c : not a, generate a and not b (fourth input high).
  localparam logic [15:0] Cell = 16'hd102;

  logic [Width/2:0] carry;

  assign carry[0] = 1'b0;
  assign some_o   = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(Cell), .INIT1(Cell), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(value_i[2*i]), .B0(load_i), .C0(from_i[2*i]), .D0(1'b1), .S0(next_o[2*i]),
      .A1(value_i[2*i+1]), .B1(load_i), .C1(from_i[2*i+1]), .D1(1'b1), .S1(next_o[2*i+1])
    );
  end
`else
  assign next_o = load_i ? from_i : value_i - 1'b1;
  assign some_o = !load_i && value_i != '0;
`endif

endmodule

`default_nettype wire
