// SPDX-License-Identifier: Apache-2.0
// Adder that subtracts on demand: a + b, or a - b = a + ~b + 1.
//
// Combinational. `carry_o` is the carry out; for a difference, 1 means no borrow: a >= b
// (unsigned). With TERN_ECP5 it is mapped to carry cells of ECP5, whose LUTs take the exclusive-or
// with `subtract_i`; Yosys alone uses a LUT per bit and a logic level for it.
`default_nettype none

module tern_addsub #(
  parameter int unsigned Width = 32   // even
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             subtract_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);
`ifdef TERN_ECP5
  // Propagate a ^ b ^ subtract (fourth input high), generate a (both others low).
  localparam logic [15:0] AddSub = 16'h96aa;

  logic [Width/2:0] carry;

  assign carry[0] = subtract_i;
  assign carry_o  = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(AddSub), .INIT1(AddSub), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(a_i[2*i]), .B0(b_i[2*i]), .C0(subtract_i), .D0(1'b1), .S0(sum_o[2*i]),
      .A1(a_i[2*i+1]), .B1(b_i[2*i+1]), .C1(subtract_i), .D1(1'b1), .S1(sum_o[2*i+1])
    );
  end
`else
  assign {carry_o, sum_o} = {1'b0, a_i} + {1'b0, b_i ^ {Width{subtract_i}}} +
                            {{Width{1'b0}}, subtract_i};
`endif

endmodule
