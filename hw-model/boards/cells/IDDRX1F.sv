// SPDX-License-Identifier: Apache-2.0
// An ECP5's input at both edges in simulation: `Q0` of a rising edge and `Q1` of the falling edge
// after it come together, with the next rising edge.
`default_nettype none

module IDDRX1F (
  input  logic D,
  input  logic SCLK,
  input  logic RST,
  output logic Q0,
  output logic Q1
);

  logic rise_q, fall_q;

  always_ff @(negedge SCLK) fall_q <= !RST && D;

  always_ff @(posedge SCLK) begin
    rise_q <= !RST && D;
    Q0     <= !RST && rise_q;
    Q1     <= !RST && fall_q;
  end

endmodule

`default_nettype wire
