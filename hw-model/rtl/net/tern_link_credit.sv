// SPDX-License-Identifier: Apache-2.0
// Tracks credit for the peer's input buffer: which channels have room for one more whole packet.
//
// Credit is counted in blocks of 16 words, rounded up: a packet of `words_i` words costs
// ceil(words/16), an ack one block. Per channel, `limit` is the credit that the peer gave since the
// link came up, and `sent` is the cost of packets sent; both modulo 64. `room_o` of a channel means
// credit for a packet of maximal size. It falls the cycle after a packet of the channel was
// counted, and is computed anew in the next cycle, as after news. In all other cycles the channels
// take turns.
//
// News that would reduce credit is late and is ignored. News may wait for a cycle: `ctl_*`
// hold after `ctl_valid_i`.
//
// `sent` includes the blocks of a maximal packet, so that one subtraction decides. While the link
// is down the counts are initialised, one channel per cycle.
`default_nettype none

module tern_link_credit #(
  parameter int unsigned MaxWords = 69    // longest packet
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        up_i,
  input  logic        ctl_valid_i,  // a control word arrived
  input  logic [2:0]  ctl_ch_i,
  input  logic [5:0]  ctl_freed_i,
  input  logic        sent_i,       // a packet of words_i words begins to leave
  input  logic [2:0]  sent_ch_i,
  input  logic [6:0]  words_i,
  output logic [5:0]  room_o
`ifdef TERN_FORMAL
  ,
  input  logic [2:0]  which_i,
  output logic [2:0]  look_o,
  output logic        late_o,
  output logic [5:0]  limit_o,
  output logic [5:0]  topped_o
`endif
);

  localparam logic [5:0] MaxBlocks = 6'((MaxWords + 15) / 16);

  logic       alive, late_q, told, turn_free;
  logic [2:0] turn_q, look, blocks;
  logic [5:0] limit, topped, topped_d, free, news, start, at;
  logic [5:0] room_q;

  assign alive     = rst_ni && up_i;
  assign told      = (ctl_valid_i || late_q) && !sent_i;
  assign turn_free = !sent_i && !told;
  assign look      = !alive ? turn_q : sent_i ? sent_ch_i : told ? ctl_ch_i : turn_q;
  assign at        = 6'd1 << look;

  assign blocks   = words_i[6:4] + 3'(words_i[3:0] != '0);
  assign topped_d = topped + 6'(blocks);
  assign news     = ctl_freed_i - limit;
  assign free     = limit - topped;
  assign start    = look[2] ? 6'd1 : MaxBlocks;

  // LUT RAM, visible to the proof.
  (* ram_style = "distributed" *)
  logic [5:0] limits [0:7];
  (* ram_style = "distributed" *)
  logic [5:0] sents [0:7];

  assign limit  = limits[look];
  assign topped = sents[look];
  always_ff @(posedge clk_i) begin
    if (!alive || (told && !news[5])) limits[look] <= ctl_freed_i & {6{alive}};
    if (!alive || sent_i)             sents[look]  <= alive ? topped_d : start;
  end

  always_ff @(posedge clk_i) begin
    late_q <= alive && (ctl_valid_i || late_q) && sent_i;
    turn_q <= !rst_ni ? '0 : alive && !turn_free ? look : turn_q + 3'd1;
    for (int c = 0; c < 6; c++) begin
      if (!alive)                    room_q[c] <= 1'b0;
      else if (at[c] && sent_i)      room_q[c] <= 1'b0;
      else if (at[c] && turn_free) room_q[c] <= !free[5];
    end
  end

  assign room_o = room_q;

`ifdef TERN_FORMAL
  assign look_o   = look;
  assign late_o   = late_q;
  assign limit_o  = limits[which_i];
  assign topped_o = sents[which_i];
`endif

  logic unused;
  assign unused = ^{free[4:0], news[4:0]};

  // A packet is sent only with credit for a maximal one. (In the proof: on the channel it
  // observes.)
`ifndef TERN_FORMAL
  always_ff @(posedge clk_i) begin
    if (alive && sent_i) CreditKept: assert (!free[5] && 6'(blocks) <= start);
  end
`endif

endmodule

`default_nettype wire
