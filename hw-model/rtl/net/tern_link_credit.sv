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
  input  logic        sent_i,       // a packet of words_i words has left
  input  logic [6:0]  words_i,
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
  localparam int unsigned FreeW  = $clog2(Words + 1);
  localparam int unsigned SlackW = FreeW + 2;

  if (Words != (1 << FreeW) - 1 || Slots < 2) begin : g_size
    $error("Words must be one short of a power of two and hold two packets");
  end

  logic [13:0]       limit_q, news;
  logic [FreeW:0]    told_free;
  logic [FreeW-1:0]  free_q;
  logic [4:0]        flying_q;
  logic              alive, told;

  // v >= Bound without a carry chain.
  function automatic logic at_least(input logic [FreeW-1:0] v, input logic [31:0] bound);
`ifdef VERILATOR
    at_least = bound < Words + 1 ? v >= FreeW'(bound) : v > FreeW'(bound);
`else
    at_least = bound < Words + 1;
    for (int i = 0; i < FreeW; i++)
      at_least = bound[i] ? v[i] && at_least : v[i] || at_least;
`endif
  endfunction

  // --------------------------------------------------------------- free words
  // A count that no honest peer can tell is a damaged word that passed its check.  A count may run back:
  // what came damaged takes room once more than it was sent.  Credit once given is not taken back for
  // that; if the room is gone when a packet gets there, it has to come again.
  assign alive     = rst_ni && up_i;
  assign news      = freed_i - limit_q;
  assign told_free = {1'b0, free_q} + news[FreeW:0];
  assign fits_o    = (&news[13:FreeW] || news[13:FreeW] == '0) && !(told_free[FreeW] && !news[13]);
  assign told      = told_i && fits_o && !news[13];

  always_ff @(posedge clk_i) begin
    if (!alive) begin
      limit_q <= '0;
      free_q  <= '0;
    end else begin
      if (told) limit_q <= freed_i;
      if (told || sent_i)
        free_q <= (told ? told_free[FreeW-1:0] : free_q) -
                  (FreeW'(words_i) & {FreeW{sent_i}});
    end
  end

  // ----------------------------------------------------------- packets flying
  // slack_q: words freed that are not of packets known to have landed.  When they make up the
  // oldest flying one, that has landed too.  Packets of one size leave no holes: their words tell.
  if (MaxWords == 5) begin : g_one_size
    assign flying_q = '0;
  end else begin : g_sizes
    logic [3:0]        head_q, tail_q;
    logic [6:0]        first_words;
    logic [SlackW-1:0] slack_q, slack_d, beyond;   // signed
    logic              landed;
    tern_lutram #(.Width(7), .Words(Places)) u_words (
      .clk_i,
      .raddr_i(head_q), .rdata_o(first_words),
      .we_i(sent_i), .waddr_i(tail_q), .wdata_i(words_i)
    );
    always_ff @(posedge clk_i) begin
      if (!alive) begin
        head_q <= '0;
        tail_q <= '0;
      end else begin
        if (landed)  head_q <= head_q + 4'd1;
        if (sent_i) tail_q <= tail_q + 4'd1;
      end
    end

    // Without a flying packet whose size is known there is no slack.  Landing gives way to news.
    assign beyond  = slack_q - SlackW'(first_words);
    assign landed  = !told && !beyond[SlackW-1] && !slack_q[SlackW-1] && slack_q != '0;
    assign slack_d = slack_q + SlackW'($signed(news[FreeW:0]));

    always_ff @(posedge clk_i) begin
      if (!alive) begin
        slack_q  <= -SlackW'(Words);   // the first count told is the buffer's size
        flying_q <= '0;
      end else begin
        if (told) slack_q <= slack_d; else if (landed) slack_q <= beyond;
        if (sent_i != landed) flying_q <= flying_q + {{4{landed}}, 1'b1};
      end
    end
`ifndef TERN_FORMAL
    always_ff @(posedge clk_i) begin
      if (alive && landed) LandedFlew: assert (flying_q != '0);
    end
`endif
  end

  assign room_o  = at_least(free_q, MaxWords) && flying_q < (ring_i ? 5'(Slots) : 5'(Places));
  assign enter_o = !ring_i ? room_o :
                   at_least(free_q, 2 * MaxWords) && flying_q < 5'(Slots - 1);

`ifdef TERN_FORMAL
  assign limit_o    = limit_q;
  assign all_sent_o = limit_q - 14'(free_q);
`endif

  // Never more in the buffer than it holds.
  always_ff @(posedge clk_i) begin
    if (alive && sent_i) CreditKept: assert (14'(free_q) >= 14'(words_i));
  end

endmodule

`default_nettype wire
