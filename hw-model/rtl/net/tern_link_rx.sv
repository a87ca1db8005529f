// SPDX-License-Identifier: Apache-2.0
// Receiving end of a link: checks packets and hands them on, one stream a virtual network.
//
// A packet becomes visible when its first two words are there and good (header CRC, size, network,
// destination inside the torus); the rest follows as it arrives.  Else the whole packet is
// discarded, as is every packet but the one that is next in the peer's order.  The size in the header
// says where it ends, and so many words it takes in the buffer
// whatever comes: a tail that comes early or late, a wrong link CRC, or a link that goes down close
// it with `err`.  A packet whose start falls into another packet is discarded with the end of the
// first.
//
// `ack_o` is the number of the packet waited for.  One that came damaged, or is missing, is asked for
// again (`miss_o`), once; until it comes nothing else is taken.  A packet that was damaged before it got
// to this link (its CRC is the complement) came as it was sent.
//
// Credit: `freed_o` counts, per network, words that left the buffer, each packet once however often
// it had to come.
//
// One beat a cycle; two cycles from the last of the two words to the first beat out.
`default_nettype none

module tern_link_rx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               up_i,
  input  logic [14:0]        dims_i,
  input  logic [14:0]        node_i,
  // wire, flopped
  input  logic               lrx_valid_i,
  input  logic [1:0]         lrx_kind_i,
  input  logic [DataW-1:0]   lrx_data_i,
  // good control words
  output logic               ctl_valid_o,
  output logic [1:0]         ctl_vn_o,
  output logic [13:0]        ctl_freed_o,
  output logic               ctl_heard_o,
  output logic [5:0]         ctl_ack_o,
  output logic               ctl_nak_o,
  // packets to the peer's knowledge
  output logic [5:0]         ack_o,
  output logic               got_o,        // one more
  output logic               miss_o,
  // packets, to the router
  input  logic [2:0]         room_on_i,
  input  logic [2:0]         room_here_i,
  output logic               req_o,
  output logic               req_here_o,
  output logic [1:0]         req_vn_o,
  input  logic               grant_i,
  input  logic               pk_ready_i,
  output logic               pk_valid_o,
  output logic               pk_sop_o,
  output logic               pk_eop_o,
  output logic               pk_err_o,
  output logic [1:0]         pk_vn_o,
  output logic [DataW-1:0]   pk_data_o,
  // credit for the peer
  output logic [2:0]         news_o,
  input  logic [1:0]         tell_vn_i,
  output logic               tell_wait_o,
  output logic [13:0]        freed_o,
  // counted
  output logic               good_o,
  output logic               bad_hdr_o,
  output logic               bad_crc_o,
  output logic               named_o,
  output logic [7:0]         name_o
);

  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam bit          OneBeat      = DataW == 64;   // holds the first two words
  localparam int unsigned LcrcAt       = tern_abi_pkg::TRL_LINK_CRC_LSB % DataW;
  localparam int unsigned MaxWords     = 5 + MaxPayload / 8;
  localparam logic [1:0]  Ack          = 2'(tern_abi_pkg::VN_ACK);

  typedef enum logic [1:0] { StIdle, StHead, StBody } state_e;
  state_e state_q, state_d;

  // ------------------------------------------------------------ control words
  logic        is_ctl, rest_zero;
  logic [31:0] ctl;
  logic [7:0]  ctl_crc;

  assign ctl    = lrx_data_i[31:0];
  assign is_ctl = lrx_valid_i && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_CTL);
  if (DataW > 32) begin : g_wide
    assign rest_zero = lrx_data_i[DataW-1:32] == '0;
  end else begin : g_narrow
    assign rest_zero = 1'b1;
  end

  assign ctl_vn_o    = ctl[tern_abi_pkg::CTL_VN_LSB +: 2];
  assign ctl_freed_o = ctl[tern_abi_pkg::CTL_FREED_LSB +: 14];
  assign ctl_heard_o = ctl[tern_abi_pkg::CTL_HEARD_LSB];
  assign ctl_ack_o   = ctl[tern_abi_pkg::CTL_ACK_LSB +: 6];
  assign ctl_nak_o   = ctl[tern_abi_pkg::CTL_NAK_LSB];
  assign ctl_valid_o = is_ctl && rest_zero && ctl_vn_o != 2'd3 &&
                       ctl[tern_abi_pkg::CTL_CRC_LSB +: 8] == ctl_crc;
`ifdef VERILATOR   // quicker where most cycles have no word
  always_comb begin
    ctl_crc = '0;
    if (is_ctl) ctl_crc = tern_abi_pkg::crc8_24(8'hff, ctl[23:0]);
  end
`else
  assign ctl_crc = tern_abi_pkg::crc8_24(8'hff, ctl[23:0]);
`endif

  // ----------------------------------------------- the first word: what it says
  logic        beat, sop, eop, begins;
  logic [1:0]  to, vn_q, vn_now;
  logic [7:0]  words, words_q, words_now;
  logic [14:0] dst;
  logic        here, here_q, here_now, legal, fits, header_good;
  logic [5:0]  expect_q, ahead;          // ahead: by how much a packet comes too early
  logic [31:0] lcrc;

  assign beat   = up_i && lrx_valid_i && !is_ctl;
  assign sop    = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_SOP);
  assign eop    = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_EOP);
  assign begins = sop && state_q != StBody;

  assign to    = lrx_data_i[tern_abi_pkg::PKT_VN_LSB +: 2];
  assign words = lrx_data_i[tern_abi_pkg::PKT_WORDS_LSB +: 8];
  assign dst   = lrx_data_i[tern_abi_pkg::PKT_DST_LSB +: 15];
  assign here  = dst == node_i;
  assign ahead = lrx_data_i[tern_abi_pkg::PKT_LINK_SEQ_LSB +: 6] - expect_q;
  always_comb begin
    legal = 1'b0;
`ifdef VERILATOR
    if (begins)   // nobody looks at it in other cycles
`endif
      legal = fits && ahead == '0 && to != 2'd3 && words >= 8'd5 &&
              words <= (to == Ack ? 8'd5 : 8'(MaxWords)) &&
              dst[4:0] <= dims_i[4:0] && dst[9:5] <= dims_i[9:5] && dst[14:10] <= dims_i[14:10];
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      vn_q    <= to;
      words_q <= words;
      here_q  <= here;
    end
  end

  // Both words in one beat, or the second when the first is a cycle or more old.
  if (OneBeat) begin : g_head_64
`ifdef VERILATOR   // quicker; it is asked for with the first word only
    always_comb begin
      header_good = 1'b0;
      if (begins)
        header_good = lrx_data_i[63:48] ==
                      tern_abi_pkg::crc16_48(16'hffff, lrx_data_i[47:0]);
    end
`else
    assign header_good = lrx_data_i[63:48] == tern_abi_pkg::crc16_48(16'hffff, lrx_data_i[47:0]);
`endif
    assign vn_now      = begins ? to : vn_q;
    assign words_now   = begins ? words : words_q;
    assign here_now    = here;
    logic unused_first;
    assign unused_first = here_q;
  end else begin : g_head_32
    logic [15:0] run, hcrc, hcrc_d, hcrc_q;
    assign run = sop ? 16'hffff : hcrc_q;
    tern_crc16_16 u_low (.x_i(run ^ {lrx_data_i[7:0], lrx_data_i[15:8]}), .y_o(hcrc));
    tern_crc16_16 u_high (.x_i(hcrc ^ {lrx_data_i[23:16], lrx_data_i[31:24]}), .y_o(hcrc_d));
    always_ff @(posedge clk_i) begin
      if (beat) hcrc_q <= hcrc_d;
      LowIsCrc:  assert (hcrc == tern_abi_pkg::crc16_16(run, lrx_data_i[15:0]));
      HighIsCrc: assert (hcrc_d == tern_abi_pkg::crc16_32(run, lrx_data_i[31:0]));
    end
    assign header_good = lrx_data_i[31:16] == hcrc;
    assign vn_now      = vn_q;
    assign words_now   = words_q;
    assign here_now    = here_q;
  end

  // ------------------------------------------------------------------ framing
  // What happens to a packet in this cycle; at most one beat is written.
  logic       start, write, close, close_err, accept, refuse, last, crc_good, crc_stomp;
  logic       in_order_q, again, lost, damaged, stomped;
  logic [8:0] left_q, left_d;     // beats still to come behind the first two words

  assign crc_good  = lrx_data_i[LcrcAt +: 32] == lcrc;
  assign crc_stomp = lrx_data_i[LcrcAt +: 32] == ~lcrc;
  assign last      = left_q == 9'd1;

  always_comb begin
    state_d   = state_q;
    left_d    = left_q;
    start     = begins && legal && (!OneBeat || header_good);
    write     = start;
    accept    = start && OneBeat;
    refuse    = begins && (!start || state_q == StHead);
    close     = 1'b0;
    close_err = 1'b0;
    if (begins) begin
      // Where nothing is under way, or in place of a header that broke off.
      state_d = !start ? StIdle : OneBeat ? StBody : StHead;
    end else if (state_q == StHead) begin
      if (!up_i) begin
        state_d = StIdle;
      end else if (beat) begin
        accept  = !eop && header_good;
        write   = accept;
        refuse  = !accept;
        state_d = accept ? StBody : StIdle;
      end
    end else if (state_q == StBody && (beat || !up_i)) begin
      write     = 1'b1;
      left_d    = left_q - 9'd1;
      close     = last || eop || sop || !up_i;
      close_err = !last || !eop || !crc_good;
      state_d   = close ? StIdle : StBody;
    end
    if (accept) left_d = 9'((32'(words_now) - 1) * BeatsPerWord);
  end

  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    good_o    <= rst_ni && close && !close_err;
    bad_hdr_o <= rst_ni && up_i && lost && !damaged;
    bad_crc_o <= rst_ni && damaged;
  end

  // ------------------------------------------------------------------- order
  // What came before (too early by more than half) comes again for nothing, and is no loss.
  assign again   = begins && ahead[5] && (!OneBeat || header_good);
  assign stomped = last && eop && crc_stomp;
  assign damaged = up_i && close && close_err && !stomped;
  assign lost    = damaged || (in_order_q && refuse && !again);
  assign got_o   = up_i && close && !damaged;
  assign miss_o  = lost;
  assign ack_o   = expect_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !up_i) begin
      expect_q   <= '0;
      in_order_q <= 1'b1;
    end else begin
      if (got_o) expect_q <= expect_q + 6'd1;
      in_order_q <= !lost && (in_order_q || accept);
    end
  end

  tern_net_crc #(.DataW(DataW)) u_crc (
    .clk_i, .beat_i(beat), .first_i(sop), .data_i(lrx_data_i), .crc_o(lcrc)
  );
  tern_net_name #(.DataW(DataW)) u_name (
    .clk_i, .beat_i(beat), .first_i(sop), .data_i(lrx_data_i), .named_o, .name_o
  );

  // ------------------------------------------------------- buffer and credit
  localparam int unsigned UsedW = $clog2(BufWords * BeatsPerWord) + 1;

  logic             left, left_two, stop, closed, dropped, damaged_q, under_way_q;
  logic [1:0]       look_vn;
  logic [2:0]       news, mine;
  logic [UsedW-1:0] used;

  assign tell_wait_o = stop;
  assign mine        = 3'b001 << vn_q;
  assign news_o      = (news & ~(mine & {3{under_way_q}})) | (mine & {3{got_o}});

  // A packet under way costs credit until it has come well; what has left of it is not told before.
  always_ff @(posedge clk_i) begin
    damaged_q   <= damaged;
    under_way_q <= rst_ni && up_i && (accept || (under_way_q && !(close && !damaged) && !closed));
  end

  tern_link_buffer #(
    .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords)
  ) u_buffer (
    .clk_i, .rst_ni,
    .to_i       (up_i ? to : look_vn),
    .vn_i       (vn_now),
    .begins_i   (begins),
    .start_i    (start),
    .words_i    (words_now),
    .here_i     (here_now),
    .commit_i   (accept),
    .we_i       (write),
    .close_i    (close),
    .close_err_i(close_err),
    .data_i     (lrx_data_i),
    .closed_o   (closed),
    .dropped_o  (dropped),
    .fits_o     (fits),
    .used_o     (used),
    .room_on_i, .room_here_i, .req_o, .req_here_o, .req_vn_o, .grant_i,
    .ready_i    (pk_ready_i),
    .valid_o    (pk_valid_o),
    .sop_o      (pk_sop_o),
    .eop_o      (pk_eop_o),
    .err_o      (pk_err_o),
    .vn_o       (pk_vn_o),
    .data_o     (pk_data_o),
    .stop_i     (stop),
    .left_o     (left),
    .left_two_o (left_two)
  );

  tern_link_freed #(.DataW(DataW), .BufWords(BufWords), .UsedW(UsedW)) u_freed (
    .clk_i, .rst_ni, .up_i,
    .vn_i       (vn_q),
    .under_way_i(under_way_q),
    .undo_i     (closed && damaged_q && !dropped),
    .add_i      (closed && !damaged_q && dropped),
    .words_i    (7'(words_q)),
    .left_i     (left),
    .left_two_i (left_two),
    .left_vn_i  (pk_vn_o),
    .look_vn_o  (look_vn),
    .look_used_i(used),
    .tell_vn_i,
    .busy_o     (stop),
    .freed_o, .news_o(news)
  );

endmodule

`default_nettype wire
