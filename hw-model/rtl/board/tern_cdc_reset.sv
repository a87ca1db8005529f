// SPDX-License-Identifier: Apache-2.0
// Makes the reset of a clock from a level of no clock: active at once without a clock, released
// with the clock, `Cycles` after the level.
`default_nettype none

module tern_cdc_reset #(
  parameter int unsigned Cycles = 16   // two or more
) (
  input  logic clk_i,
  input  logic ok_i,      // 0: reset
  output logic rst_no
);

  (* keep *) logic [Cycles-1:0] row_q;
  initial row_q = '0;

  always_ff @(posedge clk_i or negedge ok_i) begin
    if (!ok_i) row_q <= '0;
    else       row_q <= {row_q[Cycles-2:0], 1'b1};
  end

  assign rst_no = row_q[Cycles-1];

endmodule

`default_nettype wire
