// SPDX-License-Identifier: Apache-2.0
// The PLL of an ECP5 in simulation: its output is its input, so a simulated clock is a cycle of the
// output, and it locks after some cycles. Only the outputs that boards use.
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

module EHXPLLL #(
  parameter int unsigned CLKI_DIV = 1,
  parameter int unsigned CLKFB_DIV = 1,
  parameter int unsigned CLKOP_DIV = 8,
  parameter int unsigned CLKOP_CPHASE = 0,
  parameter int unsigned CLKOP_FPHASE = 0,
  parameter FEEDBK_PATH = "CLKOP",
  parameter CLKOP_ENABLE = "ENABLED",
  parameter INTFB_WAKE = "DISABLED",
  parameter STDBY_ENABLE = "DISABLED",
  parameter DPHASE_SOURCE = "DISABLED",
  parameter PLLRST_ENA = "DISABLED",
  parameter OUTDIVIDER_MUXA = "DIVA"
) (
  input  logic CLKI,
  input  logic CLKFB,
  input  logic PHASESEL1,
  input  logic PHASESEL0,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  input  logic STDBY,
  input  logic PLLWAKESYNC,
  input  logic RST,
  input  logic ENCLKOP,
  output logic CLKOP,
  output logic LOCK
);

  logic [4:0] count_q;
  initial count_q = '0;
  always_ff @(posedge CLKI) if (!count_q[4]) count_q <= count_q + 5'd1;

  assign CLKOP = CLKI;
  assign LOCK  = count_q[4];

endmodule

`default_nettype wire
