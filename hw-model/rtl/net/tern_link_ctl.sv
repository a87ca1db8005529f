// SPDX-License-Identifier: Apache-2.0
// Decides when a link sends a control word, and for which channel.
//
// Each channel is due a control word when credit was freed on it, and in turn at every second tick,
// because words may be lost. Any word can acknowledge packets. A word that is due leaves in an idle
// beat (at most one word in four cycles), or between the beats of packets after the next tick. A
// word that asks for a retry leaves at once. All links of a node share the ticks, so outputs with
// copies of one packet stall together. While a link is down, and until the second tick after, every
// channel is due a word.
//
// With `hold_i` no word begins; one that is due keeps `push_o`, which does not depend on `idle_i`.
// With `TwoBeats` a word takes the wire for two cycles: first `send_o`, then `second_o`.
`default_nettype none

module tern_link_ctl #(
  parameter bit TwoBeats = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tick_i,
  input  logic        up_i,
  input  logic        heard_i,
  input  logic        idle_i,
  input  logic        hold_i,
  input  logic [5:0]  news_i,       // credit was freed in this cycle
  input  logic        got_i,        // a packet must be acknowledged
  input  logic        miss_i,       // the peer must send packets again
  input  logic [5:0]  ack_i,        // sequence number of the next packet expected
  input  logic [5:0]  origins_i,    // nodes whose packets leave here
  output logic [2:0]  ch_o,         // the word's channel: freed_i belongs to it
  input  logic [5:0]  freed_i,
  output logic        push_o,       // the wire is needed in this cycle
  output logic        send_o,       // a word goes out in this cycle
  output logic        second_o,     // its second beat goes out
  output logic [31:0] word_o
);

  logic [5:0] news_q, here, mark;
  logic [2:0] ch_q, next, round_q;
  logic [1:0] age_q;
  logic       any, any_q, hit, got_q, miss_q, due_q, odd_q, new_q, second_q;

  assign here   = 6'd1 << ch_q;
  assign mark   = (6'd1 << round_q) & {6{tick_i && odd_q}};
  assign next   = ch_q == 3'd5 ? 3'd0 : ch_q + 3'd1;
  assign hit    = (news_q & here) != '0;
  assign any    = news_q != '0 || got_q;
  assign push_o = second_q || miss_q || (due_q && any_q);
  assign send_o = !second_q && !hold_i && (push_o || (idle_i && age_q == '1 &&
                                           (hit || (got_q && news_q == '0))));
  assign second_o = second_q;
  assign ch_o   = ch_q;

  always_comb begin
    word_o = '0;
`ifdef TERN_MODEL
    if (send_o || second_q) begin   // not used in other cycles
`endif
    word_o[tern_abi_pkg::CTL_FREED_LSB +: 6]   = freed_i;
    word_o[tern_abi_pkg::CTL_CHANNEL_LSB +: 3] = ch_q;
    word_o[tern_abi_pkg::CTL_HEARD_LSB]        = heard_i;
    word_o[tern_abi_pkg::CTL_ACK_LSB +: 6]     = ack_i;
    word_o[tern_abi_pkg::CTL_NAK_LSB]          = miss_q;
    word_o[tern_abi_pkg::CTL_ORIGINS_LSB +: 6] = origins_i;
`ifdef TERN_MODEL
    end
`endif
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      news_q   <= '0;
      age_q    <= '0;
      got_q    <= 1'b0;
      miss_q   <= 1'b0;
      due_q    <= 1'b0;
      any_q    <= 1'b0;
      odd_q    <= 1'b0;
      ch_q     <= '0;
      round_q  <= '0;
      new_q    <= 1'b1;
      second_q <= 1'b0;
    end else begin
      age_q    <= send_o ? 2'd0 : age_q + 2'(age_q != '1);
      news_q   <= (news_q & ~(here & {6{send_o}})) | news_i | mark | {6{new_q}};
      new_q    <= !up_i || (new_q && !(tick_i && odd_q));
      got_q    <= got_i || (got_q && !send_o);
      miss_q   <= miss_i || (miss_q && !send_o);
      any_q    <= any && !send_o;
      due_q    <= tick_i || (due_q && any && !send_o);
      second_q <= TwoBeats && send_o;
      if (tick_i) odd_q <= !odd_q;
      if (tick_i && odd_q) round_q <= round_q == 3'd5 ? 3'd0 : round_q + 3'd1;
      if (send_o || (news_q != '0 && !hit)) ch_q <= next;
    end
  end

endmodule

`default_nettype wire
