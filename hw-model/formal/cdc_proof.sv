// SPDX-License-Identifier: Apache-2.0
// Proof harness of the clock-domain crossings: whatever the two clocks do, words come out as they
// went in, once and in order.
//
// Both clocks are free inputs, sampled by the steps of the proof. One word is followed, any of
// them. `Kind` 0 proves tern_cdc_fifo, 1 tern_cdc_handshake.
`default_nettype none

module cdc_proof #(
  parameter int unsigned Kind  = 0,
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4
) (
  input logic             wclk_i,
  input logic             rclk_i,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] data_i,
  input logic             pick_i
);

  localparam int unsigned CountW = $clog2(Depth) + 2;

  logic             ready, valid, taken, empty;
  logic [Width-1:0] data;
  logic             wrst_nq = 1'b0, rrst_nq = 1'b0;

  // The resets of a design with both clocks running end long after the start; here both memories of
  // the pointers start at zero, which is what a reset leaves.
  always_ff @(posedge wclk_i) wrst_nq <= 1'b1;
  always_ff @(posedge rclk_i) rrst_nq <= 1'b1;

  if (Kind == 0) begin : g_fifo
    tern_cdc_fifo #(.Width(Width), .Depth(Depth)) dut (
      .wclk_i, .wrst_ni(wrst_nq), .valid_i, .ready_o(ready), .empty_o(empty),
      .data_i, .rclk_i, .rrst_ni(rrst_nq), .valid_o(valid), .ready_i, .data_o(data)
    );
    assign taken = valid && ready_i && rrst_nq;
  end else begin : g_handshake
    tern_cdc_handshake #(.Width(Width)) dut (
      .wclk_i, .wrst_ni(wrst_nq), .valid_i, .ready_o(ready), .data_i,
      .rclk_i, .rrst_ni(rrst_nq), .valid_o(valid), .data_o(data)
    );
    assign taken = valid;
    assign empty = 1'b0;
  end

  // Words that went in and that came out, free-running; the number and the bits of the one
  // followed.
  logic [CountW-1:0] in_q = '0, out_q = '0, mine_q = '0;
  logic [Width-1:0]  data_q = '0;
  logic              picked_q = 1'b0, put;

  assign put = valid_i && ready && wrst_nq;

  always_ff @(posedge wclk_i) begin
    if (put) in_q <= in_q + CountW'(1);
    if (empty && wrst_nq) AllLeft: assert (in_q == out_q);
    if (put && pick_i && !picked_q) begin
      picked_q <= 1'b1;
      mine_q   <= in_q;
      data_q   <= data_i;
    end
  end

  always_ff @(posedge rclk_i) begin
    if (taken) begin
      out_q <= out_q + CountW'(1);
      Comes: assert (in_q != out_q);
      Same:  assert (!picked_q || mine_q != out_q || data == data_q);
    end
  end

endmodule

`default_nettype wire
