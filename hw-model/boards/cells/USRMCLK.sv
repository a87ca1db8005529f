// SPDX-License-Identifier: Apache-2.0
// The driver of an ECP5's configuration clock in simulation. The pin has no port in the design, so
// the model of the board reads it here.
`default_nettype none

module USRMCLK (
  input logic USRMCLKI,
  input logic USRMCLKTS   // 1: not driven
);

  logic pin /* verilator public_flat_rd */;
  assign pin = USRMCLKI && !USRMCLKTS;

endmodule

`default_nettype wire
