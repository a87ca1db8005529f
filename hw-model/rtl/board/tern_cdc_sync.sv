// SPDX-License-Identifier: Apache-2.0
// Brings levels of another clock, or of a pin, into this clock: flip-flops in a row. Bits that
// change together may arrive in different cycles.
`default_nettype none

module tern_cdc_sync #(
  parameter int unsigned Width = 1,
  parameter int unsigned Stages = 2,
  parameter logic [Width-1:0] Start = '0   // value before the first clock
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  (* keep *) logic [Width*Stages-1:0] row_q;
  initial row_q = {Stages{Start}};

  always_ff @(posedge clk_i) row_q <= {row_q[Width*(Stages-1)-1:0], d_i};

  assign q_o = row_q[Width*Stages-1 -: Width];

endmodule

`default_nettype wire
