// SPDX-License-Identifier: Apache-2.0
// The delay of an ECP5's pin in simulation: none. The model of the PHY gives data ahead of its
// clock.
`default_nettype none
/* verilator lint_off UNUSEDPARAM */

module DELAYG #(
  parameter DEL_MODE = "USER_DEFINED",
  parameter int unsigned DEL_VALUE = 0
) (
  input  logic A,
  output logic Z
);

  assign Z = A;

endmodule

`default_nettype wire
