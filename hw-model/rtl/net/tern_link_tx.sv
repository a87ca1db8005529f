// SPDX-License-Identifier: Apache-2.0
// Transmitter of a link: puts packets and control words onto the wire.
//
// Takes whole packets one after the other (bubbles allowed). Fills in the fields of the hop
// (sequence number, dateline bit, header CRC, link CRC) and inserts control words between beats.
// One beat a cycle, two cycles of latency, registered outputs. `ready_o` does not depend on
// `valid_i`. With `hold_i` no packet beat and no control word begins; up to three beats still
// leave, those under way and the second one of a control word.
//
// A packet of channel c may start only while `room_o[c]`: the peer's buffer then has room for all
// of it. While the link is down every packet is taken and discarded; so is the rest of a packet
// that was being sent when the link went down.
//
// The retry buffer (tern_link_replay) keeps packets that the peer has not acknowledged, and sends
// them again on request or after silence. Meanwhile the link takes no packet; `room_o` includes
// room in this buffer.
//
// A packet that ends with `err_i` gets the complement of its CRC (it is stomped): this tells the
// peer that the damage was already counted where it happened.
`default_nettype none

module tern_link_tx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned RetryLog2  = 13
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             tick_i,
  // packets
  input  logic             valid_i,
  input  logic             near_i,        // early valid_i: high whenever that is
  output logic             ready_o,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic             dl_i,          // dateline bit: the channel; goes into the header
  input  logic [DataW-1:0] data_i,
  output logic [5:0]       room_o,
  input  logic [5:0]       origins_i,     // nodes whose packets leave here, for the peer
  // link state, and reports of this port's receiver
  input  logic             up_i,
  input  logic             heard_i,
  input  logic             ctl_valid_i,
  input  logic [2:0]       ctl_ch_i,
  input  logic [5:0]       ctl_freed_i,
  input  logic [5:0]       ctl_ack_i,
  input  logic             ctl_nak_i,
  input  logic [5:0]       news_i,
  output logic [2:0]       tell_ch_o,     // channel whose freed_i is needed
  input  logic [5:0]       freed_i,
  input  logic [5:0]       ack_i,         // for the peer
  input  logic             got_i,
  input  logic             miss_i,
  // wire
  input  logic             hold_i,
  output logic             ltx_valid_o,
  output logic [1:0]       ltx_kind_o,
  output logic [DataW-1:0] ltx_data_o,
  // statistics
  output logic             sent_o,
  output logic             drop_o,
  output logic             named_o,
  output logic [7:0]       name_o
);

  localparam int unsigned LcrcAt    = tern_abi_pkg::TRL_LINK_CRC_LSB % DataW;
  localparam int unsigned MaxWords  = 5 + MaxPayload / 8;

  // ------------------------------------------------------ beats that go out
  localparam bit TwoBeats = DataW == 32;

  logic        up_q, live_q, drop_q, dropping, open, push, send, second, take, kept_room;
  logic        again_valid, again_ready, again_sop, again_eop, again_err;
  logic [DataW-1:0] again_data, filled;
  logic [5:0]  seq;
  logic [31:0] ctl_word;

  // Room was checked two cycles before a packet's first beat. A packet that began while the link
  // was down has no credit, so all of it is discarded.
  assign dropping = !up_i || !live_q || (drop_q && !sop_i);
  assign ready_o  = dropping || (open && !push && !hold_i);
  assign take     = valid_i && ready_o && !dropping;
  assign drop_o   = valid_i && dropping && eop_i;

  always_ff @(posedge clk_i) begin
    up_q   <= rst_ni && up_i;
    live_q <= up_q && up_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  drop_q <= 1'b0;
    else if (valid_i && dropping) drop_q <= !eop_i;
    else if (!up_i)               drop_q <= 1'b1;   // until the next packet begins
    else if (take && sop_i)       drop_q <= 1'b0;
  end


  tern_link_ctl #(.TwoBeats(TwoBeats)) u_ctl (
    .clk_i, .rst_ni, .tick_i, .up_i, .heard_i,
    .idle_i  (!again_valid && (!near_i || dropping || !open)),
    .hold_i,
    .news_i,
    .got_i, .miss_i, .ack_i, .origins_i,
    .ch_o    (tell_ch_o),
    .freed_i,
    .push_o  (push),
    .send_o  (send),
    .second_o(second),
    .word_o  (ctl_word)
  );

  // ---------------------------------------------------- header fields of the hop
  localparam int unsigned DatelineAt = tern_abi_pkg::PKT_DATELINE_LSB % DataW;
  logic with_dateline, dateline;
  if (TwoBeats) begin : g_dateline_32
    logic after_sop_q, dl_q;
    always_ff @(posedge clk_i) begin
      if (take) after_sop_q <= sop_i;
      if (take && sop_i) dl_q <= dl_i;
    end
    assign with_dateline = after_sop_q && !sop_i;
    assign dateline      = dl_q;
  end else begin : g_dateline_64
    assign with_dateline = sop_i;
    assign dateline      = dl_i;
  end
  always_comb begin
    filled = data_i;
    if (sop_i) filled[tern_abi_pkg::PKT_LINK_SEQ_LSB +: 6] = seq;
    if (with_dateline) filled[DatelineAt] = dateline;
  end

  tern_net_name #(.DataW(DataW)) u_name (
    .clk_i, .beat_i(take), .first_i(sop_i), .data_i, .named_o, .name_o
  );

  // ------------------------------------------------------- retry buffer
  logic again_take;
  assign again_ready = !push && !hold_i;
  assign again_take  = again_valid && again_ready;

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
    .told_i       (ctl_valid_i),
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
  // The second beat of a control word repeats the first, to be inverted later.
  logic             s_valid_q, s_ctl_q, s_new_q, s_sop_q, s_eop_q, s_invert_q, s_begins;
  logic             starts;             // a packet's first beat enters this stage
  logic [2:0]       s_ch_q;
  logic [DataW-1:0] s_data_q, ctl_beat;

  assign s_begins = s_valid_q && s_sop_q;
  assign starts   = (take && sop_i) || (again_take && again_sop);
  if (TwoBeats) begin : g_ctl_32
    assign ctl_beat = ctl_word;
  end else begin : g_ctl_64
    assign ctl_beat = {~ctl_word, ctl_word};
  end

  always_ff @(posedge clk_i) begin
    s_valid_q  <= rst_ni && (take || again_take || send || second);
    s_ctl_q    <= send || second;
    s_new_q    <= take;
    s_sop_q    <= !send && !second && (again_valid ? again_sop : sop_i);
    s_eop_q    <= !send && !second && (again_valid ? again_eop : eop_i);
    s_invert_q <= second || (!send && (again_valid ? again_eop && again_err : eop_i && err_i));
    s_ch_q     <= {vn_i, dl_i};
    if (!second) begin
      s_data_q <= send ? ctl_beat : again_valid ? again_data : filled;
      if (!send && (again_valid ? again_eop : eop_i)) s_data_q[LcrcAt +: 32] <= '0;
    end
    sent_o    <= rst_ni && take && eop_i;
  end

  // ------------------------------------------------------------------ credit
  // A packet costs credit once, a cycle after it first began and long before the next begins.
  logic [5:0] room;
  tern_link_credit #(.MaxWords(MaxWords)) u_credit (
    .clk_i, .rst_ni, .up_i, .ctl_valid_i, .ctl_ch_i, .ctl_freed_i,
    .sent_i   (s_begins && s_new_q),
    .sent_ch_i(s_ch_q),
    .words_i  (s_data_q[tern_abi_pkg::PKT_WORDS_LSB +: 7]),
    .room_o   (room)
  );
  always_ff @(posedge clk_i) room_o <= (room & {6{kept_room}}) | {6{!up_i}};

  // --------------------------------------- second stage: CRCs, then the wire
  logic [31:0]      sum;              // over the beats so far; in the last beat the CRC field is
                                      // still 0
  logic [DataW-1:0] headed, out;      // with the header CRC; also with the link CRC
  logic [1:0]       kind;

  if (DataW == 64) begin : g_hcrc_64
    always_comb begin
      headed = s_data_q;
      if (s_begins) headed[63:48] = tern_abi_pkg::crc16_48(16'hffff, s_data_q[47:0]);
    end
  end else begin : g_hcrc_32
    // The register holds the CRC's state before the step for the upper half of a beat.
    localparam logic [15:0] BeforeStart = 16'h84cf;    // one step from here gives 16'hffff
    logic        second_q;
    logic [15:0] run, run_q, hcrc;
    tern_crc16_16 u_high (.x_i(run_q), .y_o(run));
    tern_crc16_16 u_low (.x_i(run ^ {s_data_q[7:0], s_data_q[15:8]}), .y_o(hcrc));
    always_ff @(posedge clk_i) begin
      if (starts)                     run_q <= BeforeStart;
      else if (s_valid_q && !s_ctl_q) run_q <= hcrc ^ {s_data_q[23:16], s_data_q[31:24]};
      if (s_valid_q && !s_ctl_q) second_q <= s_sop_q;
      if (s_begins) StartIsStart: assert (run == 16'hffff);
      LowIsCrc: assert (hcrc == tern_abi_pkg::crc16_16(run, s_data_q[15:0]));
    end
    logic [15:0] crc_q;
    always_ff @(posedge clk_i) begin
      if (starts)                     crc_q <= '1;
      else if (s_valid_q && !s_ctl_q) crc_q <= tern_abi_pkg::crc16_32(run, s_data_q[31:0]);
      if (s_valid_q && !s_ctl_q) HighIsCrc: assert (run == crc_q);
    end
    always_comb begin
      headed = s_data_q;
      if (second_q && !s_sop_q && !s_ctl_q) headed[31:16] = hcrc;
    end
  end

  tern_net_crc #(.DataW(DataW)) u_link_crc (
    .clk_i, .clear_i(starts), .beat_i(s_valid_q && !s_ctl_q), .data_i(headed), .sum_o(sum)
  );

  always_comb begin
    out = headed;
    if (s_eop_q) out[LcrcAt +: 32] = ~sum;
    out[LcrcAt +: 32] = out[LcrcAt +: 32] ^ {32{s_invert_q}};
    kind = s_ctl_q ? 2'(tern_abi_pkg::LINK_KIND_CTL) :
           s_eop_q ? 2'(tern_abi_pkg::LINK_KIND_EOP) :
           s_sop_q ? 2'(tern_abi_pkg::LINK_KIND_SOP) : 2'(tern_abi_pkg::LINK_KIND_DATA);
  end

  always_ff @(posedge clk_i) begin
    ltx_valid_o <= rst_ni && s_valid_q;
    ltx_kind_o  <= kind;
    ltx_data_o  <= out;
  end

  // A packet takes one beat at a time; a control word and a packet beat never share a cycle.
  always_ff @(posedge clk_i) begin
    if (rst_ni) NearFirst: assert (near_i || !valid_i);
    if (rst_ni) OneBeat: assert (!((take || again_take) && (send || second)) &&
                                 !(take && again_take));
  end

endmodule

`default_nettype wire
