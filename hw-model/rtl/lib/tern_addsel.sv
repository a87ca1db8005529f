// SPDX-License-Identifier: Apache-2.0
// Adder with a selected operand: (select ? b : c) + a, or (select ? b : c) - a.
//
// Combinational. `carry_o` is the carry out; for a difference, 1 means no borrow. With TERN_ECP5
// the selection is in the LUTs of the carry cells; Yosys alone uses a LUT per bit for it.
`default_nettype none

module tern_addsel #(
  parameter int unsigned Width    = 32,   // even
  parameter bit          Subtract = 1'b0
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  input  logic             select_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);
`ifdef TERN_ECP5
  // Propagate (third input ? second : fourth) ^ first, generate first; or with the first inverted.
  localparam logic [15:0] Cell = Subtract ? 16'h9a95 : 16'h656a;

  logic [Width/2:0] carry;

  assign carry[0] = Subtract;
  assign carry_o  = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(Cell), .INIT1(Cell), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(a_i[2*i]), .B0(b_i[2*i]), .C0(select_i), .D0(c_i[2*i]), .S0(sum_o[2*i]),
      .A1(a_i[2*i+1]), .B1(b_i[2*i+1]), .C1(select_i), .D1(c_i[2*i+1]), .S1(sum_o[2*i+1])
    );
  end
`else
  assign {carry_o, sum_o} = {1'b0, select_i ? b_i : c_i} + {1'b0, a_i ^ {Width{Subtract}}} +
                            {{Width{1'b0}}, Subtract};
`endif

endmodule

`default_nettype wire
