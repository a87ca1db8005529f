// SPDX-License-Identifier: Apache-2.0
// The PLL of an ECP5 in simulation. Its input is its fastest output, so that a simulated clock is a
// cycle of that one; it locks after some cycles. Only the outputs that boards use, CLKOS never
// slower than CLKOP.
`default_nettype none
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */

module EHXPLLL #(
  parameter int unsigned CLKI_DIV = 1,
  parameter int unsigned CLKFB_DIV = 1,
  parameter int unsigned CLKOP_DIV = 8,
  parameter int unsigned CLKOP_CPHASE = 0,
  parameter int unsigned CLKOP_FPHASE = 0,
  parameter int unsigned CLKOS_DIV = 8,
  parameter int unsigned CLKOS_CPHASE = 0,
  parameter int unsigned CLKOS_FPHASE = 0,
  parameter FEEDBK_PATH = "CLKOP",
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOS_ENABLE = "DISABLED",
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
  input  logic ENCLKOS,
  output logic CLKOP,
  output logic CLKOS,
  output logic LOCK
);

  logic [4:0] count_q;
  initial count_q = '0;
  always_ff @(posedge CLKI) if (!count_q[4]) count_q <= count_q + 5'd1;

  assign LOCK = count_q[4];

  if (CLKOS_ENABLE == "ENABLED") begin : g_two
    // CLKOP changes with an edge of the input, at most half a cycle late.
    int unsigned phase_q;
    logic        slow_q;
    initial begin
      phase_q = 0;
      slow_q  = 1'b0;
    end
    always_ff @(posedge CLKI or negedge CLKI) begin
      if (phase_q + CLKOS_DIV >= CLKOP_DIV) begin
        phase_q <= phase_q + CLKOS_DIV - CLKOP_DIV;
        slow_q  <= !slow_q;
      end else begin
        phase_q <= phase_q + CLKOS_DIV;
      end
    end
    assign CLKOP = slow_q;
    assign CLKOS = CLKI;
  end else begin : g_one
    assign CLKOP = CLKI;
    assign CLKOS = 1'b0;
  end

endmodule

`default_nettype wire
