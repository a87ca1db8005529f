// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5 carry cell: two bits of a chain, each with a four-input look-up table.
//
// The table's entries with the fourth input high tell whether the bit propagates the carry; its
// four lowest entries give the carry that the bit generates otherwise. INJECT1_x = "YES" cuts the
// chain before bit x.
`default_nettype none

module CCU2C #(
  parameter [15:0] INIT0 = 16'h0000,
  parameter [15:0] INIT1 = 16'h0000,
  parameter INJECT1_0 = "YES",
  parameter INJECT1_1 = "YES"
) (
  input  wire CIN,
  input  wire A0, B0, C0, D0, A1, B1, C1, D1,
  output wire S0, S1,
  output wire COUT
);
  localparam Cut0 = INJECT1_0 == "YES";
  localparam Cut1 = INJECT1_1 == "YES";

  wire pass0, pass1, make0, make1, middle;
  assign pass0  = INIT0[{D0, C0, B0, A0}];
  assign pass1  = INIT1[{D1, C1, B1, A1}];
  assign make0  = !Cut0 && INIT0[{2'b00, B0, A0}];
  assign make1  = !Cut1 && INIT1[{2'b00, B1, A1}];
  assign S0     = pass0 ^ (!Cut0 && CIN);
  assign middle = pass0 ? CIN : make0;
  assign S1     = pass1 ^ (!Cut1 && middle);
  assign COUT   = pass1 ? middle : make1;

endmodule
