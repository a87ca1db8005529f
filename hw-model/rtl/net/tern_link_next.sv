// SPDX-License-Identifier: Apache-2.0
// Advances a block index in the ring of a channel: data and request channels have `Blocks` blocks,
// ack channels 8.
`default_nettype none

module tern_link_next #(
  parameter int unsigned Blocks = 10   // 10 or 16
) (
  input  logic       ack_i,
  input  logic [3:0] from_i,
  input  logic [2:0] by_i,
  output logic [3:0] to_o
);

  logic [3:0] sum;

  assign sum = from_i + {1'b0, by_i};

  if (Blocks == 16) begin : g_16
    assign to_o = {sum[3] && !ack_i, sum[2:0]};
  end else begin : g_10
    logic over;    // 10 to 14
    assign over = sum[3] && (sum[2] || sum[1]);
    assign to_o = ack_i ? {1'b0, sum[2:0]} :
                  over ? {1'b0, sum[2] && sum[1], !sum[1], sum[0]} : sum;
  end

endmodule

`default_nettype wire
