// SPDX-License-Identifier: Apache-2.0
// Sending end of a link: packets and control words onto the wire.
//
// Takes one whole packet after the other (bubbles allowed), fills in what a hop owns (sequence
// number, hops, header CRC, link CRC) and inserts control words between beats.  One beat a cycle,
// two cycles of latency, registered outputs.  `ready_o` does not depend on `valid_i`.
//
// Start a packet of network v only while `room_o[v]`, or `enter_o[v]` for one that enters the ring;
// then the peer's buffer takes all of it.  While the link is down every packet is taken and
// discarded; so is the rest of one that was on its way when the link went down.
//
// A packet that ends with `err_i` gets the complement of its CRC (it is stomped): the peer knows
// that the damage was counted where it happened.
`default_nettype none

module tern_link_tx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned CtlEvery   = 40
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // packets
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic [DataW-1:0] data_i,
  output logic [2:0]       fits_o,        // per network: ctl_freed_i is believable
  output logic [2:0]       room_o,
  output logic [2:0]       enter_o,
  input  logic             ring_i,
  // link state and what the receiving end of this port found
  input  logic             up_i,
  input  logic             heard_i,
  input  logic             ctl_valid_i,
  input  logic [1:0]       ctl_vn_i,
  input  logic [13:0]      ctl_freed_i,
  input  logic [2:0]       news_i,
  output logic [1:0]       tell_vn_o,     // freed_i is wanted of this network
  input  logic             tell_wait_i,
  input  logic [13:0]      freed_i,
  // wire
  output logic             ltx_valid_o,
  output logic [1:0]       ltx_kind_o,
  output logic [DataW-1:0] ltx_data_o,
  // counted
  output logic             sent_o,
  output logic             drop_o,
  output logic             named_o,
  output logic [7:0]       name_o
);

  localparam int unsigned HeadBeats = 8 * tern_abi_pkg::PKT_HEADER_BYTES / DataW;
  localparam int unsigned SeqAt     = tern_abi_pkg::PKT_LINK_SEQ_LSB % DataW;
  localparam int unsigned HopsAt    = tern_abi_pkg::PKT_HOPS_LSB % DataW;
  localparam int unsigned HcrcAt    = tern_abi_pkg::PKT_HCRC_LSB % DataW;
  localparam int unsigned LcrcAt    = tern_abi_pkg::TRL_LINK_CRC_LSB % DataW;
  localparam int unsigned MaxWords  = 5 + MaxPayload / 8;

  // ------------------------------------------------------ which beats go out
  logic        live_q, drop_q, dropping, push, send, take;
  logic [23:0] ctl_word;
  logic [20:0] sent_words;
  logic [6:0]  sent_told;
  logic [2:0]  counted;               // a header of the network is complete

  // Room was given to a packet one cycle before its first beat: what began while the link was
  // down has no credit and stays discarded.
  assign dropping = !up_i || !live_q || (drop_q && !sop_i);
  assign ready_o  = dropping || !push;
  assign take     = valid_i && ready_o && !dropping;
  assign drop_o   = valid_i && dropping && eop_i;

  always_ff @(posedge clk_i) live_q <= rst_ni && up_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  drop_q <= 1'b0;
    else if (valid_i && dropping) drop_q <= !eop_i;
    else if (!up_i)               drop_q <= 1'b1;   // until the next packet begins
    else if (take && sop_i)       drop_q <= 1'b0;
  end

  assign sent_told = tell_vn_o[1] ? sent_words[20:14] :
                     tell_vn_o[0] ? sent_words[13:7] : sent_words[6:0];

  tern_link_ctl #(.CtlEvery(CtlEvery)) u_ctl (
    .clk_i, .rst_ni, .up_i, .heard_i,
    .idle_i (!valid_i || dropping),
    .news_i,
    .sent_vn_i(counted),
    .vn_o   (tell_vn_o),
    .wait_i (tell_wait_i),
    .freed_i,
    .sent_i (sent_told),
    .push_o (push),
    .send_o (send),
    .word_o (ctl_word)
  );

  // -------------------------------------------------- header: fill, measure
  logic [3:0]       index_q, index;
  logic [8:0]       seq_q;
  logic [15:0]      hcrc;
  logic [10:0]      length;
  logic [6:0]       words;
  logic             head_end;
  logic [DataW-1:0] ruled, filled;    // with the hop's fields; with the CRC too

  assign index    = sop_i ? 4'd0 : index_q;
  assign head_end = take && index == 4'(HeadBeats - 1);
  assign words    = 7'(({length[9:3], |length[2:0]} + 8'd11) >> 1);   // 5 + length / 8, up

  always_comb begin
    ruled  = data_i;
    if (index == 4'(HeadBeats - 1)) begin
      ruled[SeqAt +: 9]   = seq_q;
      ruled[HopsAt +: 6]  = data_i[HopsAt +: 6] + 6'd1;
      ruled[HcrcAt +: 16] = '0;
    end
  end

  always_comb begin
    filled = ruled;
    if (index == 4'(HeadBeats - 1)) filled[HcrcAt +: 16] = hcrc;
  end

  always_ff @(posedge clk_i) begin
    if (take) index_q <= index == 4'(HeadBeats) ? index : index + 4'd1;
    if (!rst_ni)       seq_q <= '0;
    else if (head_end) seq_q <= seq_q + 9'd1;
  end

  logic [21:0] unused_head;
  assign unused_head[21] = length[10];
  tern_net_head #(.DataW(DataW)) u_head (
    .clk_i,
    .beat_i   (take),
    .index_i  (index),
    .data_i,
    .version_o(unused_head[3:0]), .vn_o(unused_head[5:4]), .dst_o(unused_head[20:6]),
    .length_o (length),
    .named_o, .name_o
  );

  logic [31:0] unused_link;
  tern_net_crc #(.DataW(DataW)) u_head_crc (
    .clk_i,
    .beat_i  (take),
    .first_i (sop_i),
    .data_i  (ruled),
    .header_o(hcrc),
    .link_o  (unused_link)
  );

  // ------------------------------------------------------------------ credit
  for (genvar v = 0; v < 3; v++) begin : g_vn
    localparam bit IsAck = v == tern_abi_pkg::VN_ACK;
    logic room, enter;
    assign counted[v] = head_end && vn_i == 2'(v);
    tern_link_credit #(
      .Words   ((IsAck ? 64 : BufWords) - 1),
      .MaxWords(IsAck ? 5 : MaxWords)
    ) u_credit (
      .clk_i, .rst_ni, .up_i, .ring_i,
      .told_i (ctl_valid_i && ctl_vn_i == 2'(v)),
      .freed_i(ctl_freed_i),
      .start_i(take && sop_i && vn_i == 2'(v)),
      .count_i(counted[v]),
      .words_i(words),
      .sent_o (sent_words[7*v +: 7]),
      .fits_o (fits_o[v]),
      .room_o (room),
      .enter_o(enter)
    );
    assign room_o[v]  = room || !up_i;
    assign enter_o[v] = enter || !up_i;
  end

  // ----------------------------- first stage: packet beats and control words
  logic             s_valid_q, s_ctl_q, s_sop_q, s_eop_q, s_err_q;
  logic [DataW-1:0] s_data_q;

  always_ff @(posedge clk_i) begin
    s_valid_q <= rst_ni && (take || send);
    s_ctl_q   <= send;
    s_sop_q   <= sop_i;
    s_eop_q   <= eop_i;
    s_err_q   <= err_i;
    s_data_q  <= send ? DataW'(ctl_word) : filled;
    sent_o    <= rst_ni && take && eop_i;
  end

  // --------------------------------------- second stage: CRCs, then the wire
  logic [31:0]      lcrc;
  logic [15:0]      unused_header;
  logic [DataW-1:0] out;
  logic [1:0]       kind;

  tern_net_crc #(.DataW(DataW)) u_link_crc (
    .clk_i,
    .beat_i  (s_valid_q && !s_ctl_q),
    .first_i (s_sop_q),
    .data_i  (s_data_q),
    .header_o(unused_header),
    .link_o  (lcrc)
  );

  always_comb begin
    out  = s_data_q;
    kind = 2'(tern_abi_pkg::LINK_KIND_DATA);
    if (s_ctl_q) begin
      kind = 2'(tern_abi_pkg::LINK_KIND_CTL);
      out[tern_abi_pkg::CTL_CRC_LSB +: 8] = tern_abi_pkg::crc8_24(8'hff, s_data_q[23:0]);
    end else if (s_eop_q) begin
      kind = 2'(tern_abi_pkg::LINK_KIND_EOP);
      out[LcrcAt +: 32] = s_err_q ? ~lcrc : lcrc;
    end else if (s_sop_q) begin
      kind = 2'(tern_abi_pkg::LINK_KIND_SOP);
    end
  end

  always_ff @(posedge clk_i) begin
    ltx_valid_o <= rst_ni && s_valid_q;
    ltx_kind_o  <= kind;
    ltx_data_o  <= out;
  end

  // A packet keeps to one beat at a time and never yields to a control word and itself at once.
  always_ff @(posedge clk_i) begin
    if (rst_ni) OneBeat: assert (!(take && send));
  end

endmodule

`default_nettype wire
