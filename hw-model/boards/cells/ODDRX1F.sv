// SPDX-License-Identifier: Apache-2.0
// An ECP5's output at both edges in simulation: `D0` while the clock is high, `D1` while it is low.
`default_nettype none

module ODDRX1F (
  input  logic D0,
  input  logic D1,
  input  logic SCLK,
  input  logic RST,
  output logic Q
);

  logic first_q, second_q;

  always_ff @(posedge SCLK) begin
    first_q  <= !RST && D0;
    second_q <= !RST && D1;
  end

  assign Q = SCLK ? first_q : second_q;

endmodule

`default_nettype wire
