// SPDX-License-Identifier: Apache-2.0
// New value of a word: its bits under a mask are replaced by those of another word, or that word's
// bits under the mask are added to it.
//
// Combinational; `carry_i` and `carry_o` link the parts of a longer word, and are 0 without an
// addition. With TERN_ECP5 all of it is in the LUTs of the carry cells.
`default_nettype none

module tern_merge #(
  parameter int unsigned Width = 32   // even
) (
  input  logic [Width-1:0] old_i,
  input  logic [Width-1:0] with_i,
  input  logic [Width-1:0] mask_i,
  input  logic             add_i,
  input  logic             carry_i,
  output logic [Width-1:0] new_o,
  output logic             carry_o
);
`ifdef TERN_ECP5
  // Propagate add ? old ^ (with & mask) : mask ? with : old, generate with & mask.
  localparam logic [15:0] Cell = 16'h78b8;

  logic [Width/2:0] carry;

  assign carry[0] = carry_i;
  assign carry_o  = carry[Width/2];

  for (genvar i = 0; i < Width / 2; i++) begin : g_cell
    CCU2C #(.INIT0(Cell), .INIT1(Cell), .INJECT1_0("NO"), .INJECT1_1("NO")) u_cell (
      .CIN(carry[i]), .COUT(carry[i+1]),
      .A0(with_i[2*i]), .B0(mask_i[2*i]), .C0(old_i[2*i]), .D0(add_i), .S0(new_o[2*i]),
      .A1(with_i[2*i+1]), .B1(mask_i[2*i+1]), .C1(old_i[2*i+1]), .D1(add_i), .S1(new_o[2*i+1])
    );
  end
`else
  assign {carry_o, new_o} = {1'b0, old_i & (add_i ? '1 : ~mask_i)} + {1'b0, with_i & mask_i} +
                            {{Width{1'b0}}, carry_i};
`endif

endmodule

`default_nettype wire
