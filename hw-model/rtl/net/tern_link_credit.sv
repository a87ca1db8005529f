// SPDX-License-Identifier: Apache-2.0
// The sender's knowledge of the peer's input buffer of one virtual network.
//
// Counts 8-byte words: what the peer freed (told by control words) less what was sent is free.
// It also counts packets whose words are not all freed yet, because a ring free of deadlock needs
// buffers counted in places for whole packets: words would leave holes too small for any packet.
//
// `room_o`: a packet that is in the ring already may start.  `enter_o`: a packet may enter the
// ring; then a place for one more stays free (the bubble that keeps the ring moving).  With
// `ring_i` low there is no ring to close (no packet crosses a whole router) and both mean room.
`default_nettype none

module tern_link_credit #(
  parameter int unsigned Words    = 511,  // what the peer's buffer holds
  parameter int unsigned MaxWords = 69    // longest packet
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        up_i,
  input  logic        ring_i,
  input  logic        told_i,       // a control word for this network arrived
  input  logic [13:0] freed_i,
  input  logic        start_i,      // first beat of a packet leaves
  input  logic        count_i,      // its header is complete: it has words_i words
  input  logic [6:0]  words_i,
  output logic [6:0]  sent_o,
  output logic        fits_o,       // freed_i is a count that an honest peer can tell
  output logic        room_o,
  output logic        enter_o
`ifdef TERN_FORMAL
  ,
  output logic [13:0] limit_o,
  output logic [13:0] all_sent_o
`endif
);

  localparam int unsigned Places = 16;
  localparam int unsigned Slots  = Words / MaxWords < Places ? Words / MaxWords : Places;

  logic [13:0] limit_q, sent_q, free_words, told_free, first_end, beyond;
  logic [5:0]  unused_ends;
  logic [12:0] unused_beyond;
  logic [4:0]  flying_q;
  logic        landed, end_valid, alive;

  assign alive      = rst_ni && up_i;
  assign free_words = limit_q - sent_q;
  assign told_free  = freed_i - sent_q;
  assign fits_o     = told_free <= 14'(Words);
  assign sent_o     = sent_q[6:0];

`ifdef TERN_FORMAL
  assign limit_o    = limit_q;
  assign all_sent_o = sent_q;
`endif

  // Where each flying packet ends, in words sent since the link started.
  tern_fifo #(.Width(14), .Depth(Places)) u_ends (
    .clk_i,
    .rst_ni (alive),
    .valid_i(count_i),
    .ready_o(unused_ends[0]),
    .data_i (sent_q + 14'(words_i)),
    .valid_o(end_valid),
    .ready_i(landed),
    .data_o (first_end),
    .space_o(unused_ends[5:1])
  );

  assign beyond = limit_q - 14'(Words) - first_end;
  assign landed = end_valid && !beyond[13];
  assign unused_beyond = beyond[12:0];

  always_ff @(posedge clk_i) begin
    if (!alive) begin
      limit_q  <= '0;
      sent_q   <= '0;
      flying_q <= '0;
    end else begin
      // A count that no honest peer can tell is a damaged word that passed its check.
      if (told_i && fits_o) limit_q <= freed_i;
      if (count_i) sent_q <= sent_q + 14'(words_i);
      flying_q <= flying_q + 5'(start_i) - 5'(landed);
    end
  end

  assign room_o  = free_words >= 14'(MaxWords) && flying_q < (ring_i ? 5'(Slots) : 5'(Places));
  assign enter_o = !ring_i ? room_o :
                   free_words >= 14'(2 * MaxWords) && flying_q < 5'(Slots - 1);

  // Never more in the buffer than it holds.
  always_ff @(posedge clk_i) begin
    if (alive) CreditBounded: assert (free_words <= 14'(Words));
    if (alive && count_i) CreditKept: assert (free_words >= 14'(words_i));
  end

endmodule

`default_nettype wire
