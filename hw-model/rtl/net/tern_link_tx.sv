// SPDX-License-Identifier: Apache-2.0
// Sending end of a link: packets and control words onto the wire.
//
// Takes one whole packet after the other (bubbles allowed), fills in what a hop owns (sequence
// number, header CRC, link CRC) and inserts control words between beats.  One beat a cycle,
// two cycles of latency, registered outputs.  `ready_o` does not depend on `valid_i`.
//
// Start a packet of network v only while `room_o[v]`, or `enter_o[v]` for one that enters the ring;
// then the peer's buffer takes all of it.  While the link is down every packet is taken and
// discarded; so is the rest of one that was on its way when the link went down.
//
// What the peer has not acknowledged is kept (tern_link_replay) and goes out again when the peer asks for
// it or says nothing; meanwhile nothing is taken, and room means room there, too.
//
// A packet that ends with `err_i` gets the complement of its CRC (it is stomped): the peer knows
// that the damage was counted where it happened.
`default_nettype none

module tern_link_tx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned CtlEvery   = 40,
  parameter int unsigned RetryLog2  = 13
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
  output logic [2:0]       room_o,
  output logic [2:0]       enter_o,
  input  logic             ring_i,
  // link state and what the receiving end of this port found
  input  logic             up_i,
  input  logic             heard_i,
  input  logic             ctl_valid_i,
  input  logic [1:0]       ctl_vn_i,
  input  logic [13:0]      ctl_freed_i,
  input  logic [5:0]       ctl_ack_i,
  input  logic             ctl_nak_i,
  input  logic [2:0]       news_i,
  output logic [1:0]       tell_vn_o,     // freed_i is wanted of this network
  input  logic             tell_wait_i,
  input  logic [13:0]      freed_i,
  input  logic [5:0]       ack_i,         // for the peer
  input  logic             got_i,
  input  logic             miss_i,
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

  localparam int unsigned LcrcAt    = tern_abi_pkg::TRL_LINK_CRC_LSB % DataW;
  localparam int unsigned MaxWords  = 5 + MaxPayload / 8;

  // ------------------------------------------------------ which beats go out
  logic        live_q, drop_q, dropping, open, push, send, take, kept_room;
  logic        again_valid, again_ready, again_sop, again_eop, again_err;
  logic [DataW-1:0] again_data, filled;
  logic [5:0]  seq;
  logic [23:0] ctl_word;
  logic [2:0]  fits;
  logic [2:0]  counted;               // a packet of the network began

  // Room was given to a packet one cycle before its first beat: what began while the link was
  // down has no credit and stays discarded.
  assign dropping = !up_i || !live_q || (drop_q && !sop_i);
  assign ready_o  = dropping || (open && !push);
  assign take     = valid_i && ready_o && !dropping;
  assign drop_o   = valid_i && dropping && eop_i;

  always_ff @(posedge clk_i) live_q <= rst_ni && up_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  drop_q <= 1'b0;
    else if (valid_i && dropping) drop_q <= !eop_i;
    else if (!up_i)               drop_q <= 1'b1;   // until the next packet begins
    else if (take && sop_i)       drop_q <= 1'b0;
  end


  tern_link_ctl #(.CtlEvery(CtlEvery)) u_ctl (
    .clk_i, .rst_ni, .up_i, .heard_i,
    .idle_i (!again_valid && (!valid_i || dropping || !open)),
    .news_i,
    .got_i, .miss_i, .ack_i,
    .vn_o   (tell_vn_o),
    .wait_i (tell_wait_i),
    .freed_i,
    .push_o (push),
    .send_o (send),
    .word_o (ctl_word)
  );

  // ---------------------------------------------------- what belongs to the hop
  always_comb begin
    filled = data_i;
    if (sop_i) filled[tern_abi_pkg::PKT_LINK_SEQ_LSB +: 6] = seq;
  end

  tern_net_name #(.DataW(DataW)) u_name (
    .clk_i, .beat_i(take), .first_i(sop_i), .data_i, .named_o, .name_o
  );

  // ------------------------------------------------------- kept until acknowledged
  logic again_take;
  assign again_ready = !push;
  assign again_take  = again_valid && again_ready;

  // Noise that looks like a control word seldom tells a believable count as well.
  tern_link_replay #(
    .DataW(DataW), .Beats(BufWords * 64 / DataW), .MaxBeats(MaxWords * 64 / DataW),
    .RetryLog2(RetryLog2)
  ) u_replay (
    .clk_i, .rst_ni, .up_i,
    .open_o       (open),
    .we_i         (take),
    .sop_i, .eop_i, .err_i,
    .data_i       (filled),
    .seq_o        (seq),
    .room_o       (kept_room),
    .told_i       (ctl_valid_i && fits[ctl_vn_i]),
    .ack_i        (ctl_ack_i),
    .nak_i        (ctl_nak_i),
    .again_valid_o(again_valid),
    .again_ready_i(again_ready),
    .again_sop_o  (again_sop),
    .again_eop_o  (again_eop),
    .again_err_o  (again_err),
    .again_data_o (again_data)
  );

  // ----------------------------- first stage: packet beats and control words
  logic             s_valid_q, s_ctl_q, s_new_q, s_sop_q, s_eop_q, s_err_q, s_begins;
  logic [1:0]       s_vn_q;
  logic [DataW-1:0] s_data_q;

  assign s_begins = s_valid_q && !s_ctl_q && s_sop_q;

  always_ff @(posedge clk_i) begin
    s_valid_q <= rst_ni && (take || again_take || send);
    s_ctl_q   <= send;
    s_new_q   <= take;
    s_sop_q   <= again_valid ? again_sop : sop_i;
    s_eop_q   <= again_valid ? again_eop : eop_i;
    s_err_q   <= again_valid ? again_err : err_i;
    s_vn_q    <= vn_i;
    s_data_q  <= send ? DataW'(ctl_word) : again_valid ? again_data : filled;
    sent_o    <= rst_ni && take && eop_i;
  end

  // ------------------------------------------------------------------ credit
  // A packet costs its credit once, a cycle after it first began, long before the next one does.
  logic [6:0] words;
  assign words = s_data_q[tern_abi_pkg::PKT_WORDS_LSB +: 7];
  for (genvar v = 0; v < 3; v++) begin : g_vn
    localparam bit IsAck = v == tern_abi_pkg::VN_ACK;
    logic room, enter;
    assign counted[v] = s_begins && s_new_q && s_vn_q == 2'(v);
    tern_link_credit #(
      .Words   ((IsAck ? 64 : BufWords) - 1),
      .MaxWords(IsAck ? 5 : MaxWords)
    ) u_credit (
      .clk_i, .rst_ni, .up_i, .ring_i,
      .told_i (ctl_valid_i && ctl_vn_i == 2'(v)),
      .freed_i(ctl_freed_i),
      .sent_i (counted[v]),
      .words_i(words),
      .fits_o (fits[v]),
      .room_o (room),
      .enter_o(enter)
    );
    assign room_o[v]  = (room && kept_room) || !up_i;
    assign enter_o[v] = (enter && kept_room) || !up_i;
  end

  // --------------------------------------- second stage: CRCs, then the wire
  logic [31:0]      lcrc;
  logic [DataW-1:0] headed, out;      // with the header CRC; with the link CRC too
  logic [1:0]       kind;

  if (DataW == 64) begin : g_hcrc_64
    always_comb begin
      headed = s_data_q;
      if (s_begins) headed[63:48] = tern_abi_pkg::crc16_48(16'hffff, s_data_q[47:0]);
    end
  end else begin : g_hcrc_32
    logic        second_q;
    logic [15:0] run, hcrc, hcrc_d, hcrc_q;
    assign run = s_sop_q ? 16'hffff : hcrc_q;
    tern_crc16_16 u_low (.x_i(run ^ {s_data_q[7:0], s_data_q[15:8]}), .y_o(hcrc));
    tern_crc16_16 u_high (.x_i(hcrc ^ {s_data_q[23:16], s_data_q[31:24]}), .y_o(hcrc_d));
    always_ff @(posedge clk_i) begin
      if (s_valid_q && !s_ctl_q) begin
        hcrc_q   <= hcrc_d;
        second_q <= s_sop_q;
      end
      LowIsCrc:  assert (hcrc == tern_abi_pkg::crc16_16(run, s_data_q[15:0]));
      HighIsCrc: assert (hcrc_d == tern_abi_pkg::crc16_32(run, s_data_q[31:0]));
    end
    always_comb begin
      headed = s_data_q;
      if (second_q && !s_sop_q) headed[31:16] = hcrc;
    end
  end

  tern_net_crc #(.DataW(DataW)) u_link_crc (
    .clk_i, .beat_i(s_valid_q && !s_ctl_q), .first_i(s_sop_q), .data_i(headed), .crc_o(lcrc)
  );

  always_comb begin
    out  = headed;
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
    if (rst_ni) OneBeat: assert (!((take || again_take) && send) && !(take && again_take));
  end

endmodule

`default_nettype wire
