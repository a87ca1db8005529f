// SPDX-License-Identifier: Apache-2.0
// Adds up pulses of all ports, to a number of up to three a cycle for the statistics.
//
// A port's events are at least five cycles apart, so even six ports average fewer than three a
// cycle; a surplus waits. One cycle of latency.
`default_nettype none

module tern_net_sum #(
  parameter int unsigned Ports = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Ports-1:0] pulse_i,
  output logic [1:0]       count_o
);

  if (Ports == 2) begin : g_two
    always_ff @(posedge clk_i) count_o <= {2{rst_ni}} & {&pulse_i, ^pulse_i};
  end else begin : g_more
    logic [3:0] wait_q, sum;
    always_comb begin
      sum = wait_q;
      for (int p = 0; p < Ports; p++) sum = sum + 4'(pulse_i[p]);
    end
    always_ff @(posedge clk_i) begin
      count_o <= !rst_ni ? 2'd0 : sum > 4'd3 ? 2'd3 : sum[1:0];
      wait_q  <= !rst_ni ? 4'd0 : sum > 4'd3 ? sum - 4'd3 : 4'd0;
      if (rst_ni) NoneLost: assert (wait_q <= 4'd9);
    end
  end

endmodule

`default_nettype wire
