// SPDX-License-Identifier: Apache-2.0
// Carries the word of an ACK into the descriptor slot of its operation.
//
// The block keeps the word's beats while the ACK arrives. If the ACK is good, the operation table
// says whether the word is wanted; the word then waits for the write port of the slots. `busy_o`
// keeps other ACKs out from the time an ACK is seen to bring a word until its word is gone, so one
// buffer suffices. The slots take the word in bounded time, whatever else waits.

`default_nettype none

module tern_rx_word #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             beat_i,       // a beat of an ACK after its first
  input  logic [8:0]       index_i,
  input  logic [DataW-1:0] data_i,
  input  logic             coming_i,     // an ACK is arriving
  input  logic             brings_i,     // the latest header announces a word
  input  logic             judged_i,     // that ACK was judged
  input  logic             good_i,
  output logic             busy_o,

  input  logic             take_i,       // verdict of the operation table
  input  logic             drop_i,
  input  logic [5:0]       slot_i,

  output logic             word_valid_o, // one beat of the word, the low half first
  input  logic             word_ready_i,
  output logic [5:0]       word_slot_o,
  output logic             word_high_o,
  output logic [DataW-1:0] word_data_o
);

  localparam int unsigned Beats = 64 / DataW;
  localparam int unsigned First = tern_abi_pkg::PKT_ADDR_LSB / DataW;

  logic pending_q, last, capture, taken;

  assign capture = beat_i && index_i >= 9'(First) && index_i < 9'(First + Beats);
  assign taken   = word_valid_o && word_ready_i;
  assign busy_o  = pending_q || (brings_i && (coming_i || judged_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q    <= 1'b0;
      word_valid_o <= 1'b0;
      word_high_o  <= 1'b0;
    end else begin
      if (judged_i && good_i && brings_i)    pending_q <= 1'b1;
      else if (drop_i || (taken && last))    pending_q <= 1'b0;
      if (take_i)                            word_valid_o <= 1'b1;
      else if (taken && last)                word_valid_o <= 1'b0;
      if (taken)                             word_high_o <= !last;
    end
  end

  always_ff @(posedge clk_i) if (take_i) word_slot_o <= slot_i;

  // A shift register of two beats: capturing or taking one moves the other on.
  if (Beats == 1) begin : g_one
    assign last = 1'b1;
    always_ff @(posedge clk_i) if (capture) word_data_o <= data_i;
  end else begin : g_two
    logic [DataW-1:0] upper_q;
    assign last = word_high_o;
    always_ff @(posedge clk_i) begin
      if (capture)          upper_q <= data_i;
      if (capture || taken) word_data_o <= upper_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneWord: assert (!(judged_i && good_i && brings_i) || !pending_q);
      Asked:   assert (!(take_i || drop_i) || (pending_q && !word_valid_o));
      Apart:   assert (!(take_i && drop_i));
      Kept:    assert (!(capture && pending_q));
    end
  end

endmodule

`default_nettype wire
