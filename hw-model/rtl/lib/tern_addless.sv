// SPDX-License-Identifier: Apache-2.0
// Adder that computes a + b or, on demand, a - b - 1 = a + ~b (the complement of b - a).
//
// Combinational. `carry_o` is the carry out; for a difference, 1 means a > b (unsigned). With
// TERN_ECP5 it is mapped like tern_addsub.
`default_nettype none

module tern_addless #(
  parameter int unsigned Width = 32   // even
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic             less_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);
`ifdef TERN_ECP5
  // Propagate a ^ b ^ less (fourth input high), generate a (both others low).
  localparam logic [15:0] AddLess = 16'h96aa;

  logic [Width/2:0] carry;

  assign carry[0] = 1'b0;
  assign carry_o  = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(AddLess), .INIT1(AddLess), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(a_i[2*i]), .B0(b_i[2*i]), .C0(less_i), .D0(1'b1), .S0(sum_o[2*i]),
      .A1(a_i[2*i+1]), .B1(b_i[2*i+1]), .C1(less_i), .D1(1'b1), .S1(sum_o[2*i+1])
    );
  end
`elsif TERN_MODEL   // simulates faster in whole words
  assign sum_o   = a_i + (b_i ^ {Width{less_i}});
  assign carry_o = sum_o < a_i;
`else
  assign {carry_o, sum_o} = {1'b0, a_i} + {1'b0, b_i ^ {Width{less_i}}};
`endif

endmodule

`default_nettype wire
