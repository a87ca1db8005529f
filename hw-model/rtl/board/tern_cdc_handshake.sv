// SPDX-License-Identifier: Apache-2.0
// Carries a word between two clocks now and then: the word holds still while a level announces it
// and another level answers.
//
// Both resets must be active together for as long as three cycles of the slower clock.
`default_nettype none

module tern_cdc_handshake #(
  parameter int unsigned Width = 8
) (
  input  logic             wclk_i,
  input  logic             wrst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,

  input  logic             rclk_i,
  input  logic             rrst_ni,
  output logic             valid_o,   // one cycle for each word
  output logic [Width-1:0] data_o
);

  logic             ask_q, ask_seen, done_q, done_seen;
  logic [Width-1:0] word_q;

  tern_cdc_sync u_ask  (.clk_i(rclk_i), .d_i(ask_q), .q_o(ask_seen));
  tern_cdc_sync u_done (.clk_i(wclk_i), .d_i(done_q), .q_o(done_seen));

  assign ready_o = ask_q == done_seen;

  always_ff @(posedge wclk_i) begin
    if (!wrst_ni) ask_q <= 1'b0;
    else if (valid_i && ready_o) begin
      ask_q  <= !ask_q;
      word_q <= data_i;
    end
  end

  always_ff @(posedge rclk_i) begin
    valid_o <= rrst_ni && ask_seen != done_q;
    if (!rrst_ni) done_q <= 1'b0;
    else begin
      done_q <= ask_seen;
      if (ask_seen != done_q) data_o <= word_q;
    end
  end

endmodule

`default_nettype wire
