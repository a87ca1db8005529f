// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5 look-up table.
//
// The synthesiser's technology library has a model of nested conditions; this one is equivalent and
// simulates twice as fast.
`default_nettype none

module LUT4 #(
  parameter [15:0] INIT = 16'h0000
) (
  input  wire A, B, C, D,
  output wire Z
);
  assign Z = INIT[{D, C, B, A}];

endmodule
