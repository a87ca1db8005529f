// SPDX-License-Identifier: Apache-2.0
// Decides when a link sends a control word, and for which virtual network.
//
// A network is owed a word when credit was freed on it; any word will do to acknowledge packets.  One
// goes out in an idle beat when it is owed (at most one in four cycles), and pushes between the beats
// of packets when the last one is CtlEvery cycles ago, 64 if none is owed, and at once to ask for
// packets again.  While the link is down one goes every 8 cycles.
// Those owed take turns, and every 16th word, or one that nobody is owed, goes round all networks,
// as words may be lost.
// `push_o` does not depend on `idle_i`; `word_o` has no CRC yet.
`default_nettype none

module tern_link_ctl #(
  parameter int unsigned CtlEvery = 40
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        up_i,
  input  logic        heard_i,
  input  logic        idle_i,
  input  logic [2:0]  news_i,       // credit was freed in this cycle
  input  logic        got_i,        // a packet is to be acknowledged
  input  logic        miss_i,       // packets are to be asked for again
  input  logic [5:0]  ack_i,        // the packet waited for
  output logic [1:0]  vn_o,         // the network the word is for: freed_i is its
  input  logic        wait_i,       // freed_i means nothing in this cycle
  input  logic [13:0] freed_i,
  output logic        push_o,       // the wire is needed in this cycle
  output logic        send_o,       // a word goes out in this cycle
  output logic [23:0] word_o
);

  logic [5:0] age_q;
  logic [2:0] news_q, pick;
  logic [1:0] turn_q, round_q;   // next with news, next of all
  logic [3:0] count_q;
  logic       all;
  logic       any, got_q, miss_q;

  assign any    = news_q != '0 || got_q;
  assign all    = count_q == '1;
  assign push_o = !wait_i &&
                  (miss_q || (any && age_q >= 6'(CtlEvery - 1)) || age_q == '1 ||
                   (all && age_q >= 6'd3) ||
                   (!up_i && age_q >= 6'd7));
  assign send_o = push_o || (idle_i && !wait_i && any && age_q >= 6'd3);
  assign vn_o   = {pick[2], pick[1]};

  always_comb begin
    pick = 3'b001 << round_q;
    if (news_q != '0 && !all) begin
      case (turn_q)
        2'd0:    pick = news_q[0] ? 3'b001 : news_q[1] ? 3'b010 : 3'b100;
        2'd1:    pick = news_q[1] ? 3'b010 : news_q[2] ? 3'b100 : 3'b001;
        default: pick = news_q[2] ? 3'b100 : news_q[0] ? 3'b001 : 3'b010;
      endcase
    end
  end

  always_comb begin
    word_o = '0;
    word_o[tern_abi_pkg::CTL_FREED_LSB +: 14] = freed_i;
    word_o[tern_abi_pkg::CTL_VN_LSB +: 2]     = vn_o;
    word_o[tern_abi_pkg::CTL_HEARD_LSB]       = heard_i;
    word_o[tern_abi_pkg::CTL_ACK_LSB +: 6]    = ack_i;
    word_o[tern_abi_pkg::CTL_NAK_LSB]         = miss_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      age_q   <= '0;
      news_q  <= '0;
      got_q   <= 1'b0;
      miss_q  <= 1'b0;
      turn_q  <= '0;
      round_q <= '0;
      count_q <= '0;
    end else begin
      age_q  <= send_o ? '0 : age_q + 6'(age_q != '1);
      news_q <= (news_q & ~(send_o ? pick : 3'b000)) | news_i;
      got_q  <= got_i || (got_q && !send_o);
      miss_q <= miss_i || (miss_q && !send_o);
      if (send_o) begin
        count_q <= count_q + 4'd1;
        if (news_q != '0 && !all) turn_q  <= pick[0] ? 2'd1 : pick[1] ? 2'd2 : 2'd0;
        else               round_q <= pick[0] ? 2'd1 : pick[1] ? 2'd2 : 2'd0;
      end
    end
  end

endmodule

`default_nettype wire
