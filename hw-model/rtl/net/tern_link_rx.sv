// SPDX-License-Identifier: Apache-2.0
// Receiver of a link: checks packets and passes them on, one stream for each channel.
//
// A packet becomes visible once its first two words have arrived and are good (header CRC, size,
// network, addresses inside the torus); the rest follows as it arrives. Otherwise the whole packet
// is discarded, and so is every packet but the next in sequence. The size in the header fixes the
// packet's end and its room in the buffer. A tail that comes early or late, a wrong link CRC, or a
// link that goes down closes the packet with `err`. A packet that starts inside another packet is
// discarded with the end of the first.
//
// `ack_o` is the sequence number expected next. A retry of a damaged or missing packet is requested
// once (`miss_o`), and once more each time it arrives and cannot be taken; until then no other
// packet is taken. A packet that was damaged before this link (its CRC is the complement) counts as
// received.
//
// A packet without room in its channel comes from a peer that breaks the rules; so does one in a
// channel that the dateline rule forbids on its way. It is refused and takes the link down
// (`broken_o`: LINK_BROKE_*). In the buffer it would overwrite another packet, or close the channel
// cycle that the dateline opens.
//
// A control word is valid if its complement comes with it; it is reported a cycle later.
//
// One beat a cycle; two cycles from the last of the first two words to the first beat out.
`default_nettype none

module tern_link_rx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned Port       = 0,
  parameter int unsigned Ports      = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               up_i,
  input  logic [15:0]        dims_i,
  input  logic [14:0]        node_i,
  // wire, after a flip-flop
  input  logic               lrx_valid_i,
  input  logic [1:0]         lrx_kind_i,
  input  logic [DataW-1:0]   lrx_data_i,
  // good control words; the fields hold until the next one
  output logic               ctl_valid_o,
  output logic [2:0]         ctl_ch_o,
  output logic [5:0]         ctl_freed_o,
  output logic               ctl_heard_o,
  output logic [5:0]         ctl_ack_o,
  output logic               ctl_nak_o,
  output logic [5:0]         weight_o,     // nodes whose packets arrive here; 1 while down
  // sequence numbers, for the peer
  output logic [5:0]         ack_o,
  output logic               got_o,        // one more packet taken
  output logic               miss_o,
  // packets, to the router
  output logic               req_o,
  output logic [Ports:0]     owed_o,
  output logic [1:0]         req_vn_o,
  output logic               req_dl_o,
  input  logic               able_i,
  input  logic [Ports:0]     grant_i,
  input  logic               pk_ready_i,
  output logic               pk_valid_o,
  output logic               pk_sop_o,
  output logic               pk_eop_o,
  output logic               pk_err_o,
  output logic [1:0]         pk_vn_o,
  output logic               pk_dl_o,
  output logic [DataW-1:0]   pk_data_o,
  // credit for the peer
  output logic [5:0]         news_o,
  input  logic [2:0]         tell_ch_i,
  output logic [5:0]         freed_o,
  // statistics
  output logic               good_o,
  output logic               bad_hdr_o,
  output logic               bad_crc_o,
  output logic [1:0]         broken_o,     // pulse
  output logic               named_o,
  output logic [7:0]         name_o
);

  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam bit          OneBeat      = DataW == 64;   // holds the first two words
  localparam int unsigned MaxWords     = 5 + MaxPayload / 8;
  localparam logic [1:0]  Ack          = 2'(tern_abi_pkg::VN_ACK);

  typedef enum logic [1:0] { StIdle, StHead, StBody } state_e;
  state_e state_q, state_d;

  // ------------------------------------------------------------ control words
  localparam int unsigned CtlW = tern_abi_pkg::CTL_ORIGINS_LSB + 6;
  logic            is_ctl, matched, ctl_valid_q;
  logic [CtlW-1:0] ctl_q;

  assign is_ctl = lrx_valid_i && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_CTL);

  if (OneBeat) begin : g_ctl_64
    assign matched = is_ctl && lrx_data_i[DataW-1 -: 32] == ~lrx_data_i[31:0];
    always_ff @(posedge clk_i) begin
      if (is_ctl) ctl_q <= lrx_data_i[CtlW-1:0];
    end
  end else begin : g_ctl_32
    logic first_q;      // the last beat was the first of a word: its top bit is 0
    assign matched = is_ctl && first_q && lrx_data_i[31] && lrx_data_i[CtlW-1:0] == ~ctl_q;
    always_ff @(posedge clk_i) begin
      first_q <= rst_ni && (lrx_valid_i ? is_ctl && !lrx_data_i[31] : first_q);
      if (is_ctl && !lrx_data_i[31]) ctl_q <= lrx_data_i[CtlW-1:0];
    end
  end

  always_ff @(posedge clk_i) ctl_valid_q <= rst_ni && matched;

  assign ctl_valid_o = ctl_valid_q && ctl_ch_o[2:1] != 2'b11;
  assign ctl_ch_o    = ctl_q[tern_abi_pkg::CTL_CHANNEL_LSB +: 3];
  assign ctl_freed_o = ctl_q[tern_abi_pkg::CTL_FREED_LSB +: 6];
  assign ctl_heard_o = ctl_q[tern_abi_pkg::CTL_HEARD_LSB];
  assign ctl_ack_o   = ctl_q[tern_abi_pkg::CTL_ACK_LSB +: 6];
  assign ctl_nak_o   = ctl_q[tern_abi_pkg::CTL_NAK_LSB];

  logic [5:0] origins;
  assign origins = ctl_q[tern_abi_pkg::CTL_ORIGINS_LSB +: 6];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !up_i) weight_o <= 6'd1;
    else if (ctl_valid_q) weight_o <= origins == '0 ? 6'd1 : origins;
  end

  // ----------------------------------------------- the first word: header fields
  localparam int unsigned DatelineAt = tern_abi_pkg::PKT_DATELINE_LSB % DataW;
  localparam int unsigned Owed       = Ports - 2 * (Port / 2);

  logic            beat, sop, eop, begins;
  logic [1:0]      to, vn_now;
  logic [7:0]      words, words_now;
  logic [2:0]      ch_now, blocks_now;
  logic [Owed-1:0] owed_now;
  logic            proper, legal, spoilt, header_good;
  logic [5:0]      expect_q, ahead;      // ahead: by how much a packet is too early
  logic [31:0]     sum;

  assign beat   = up_i && lrx_valid_i && !is_ctl;
  assign sop    = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_SOP);
  assign eop    = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_EOP);
  assign begins = sop && state_q != StBody;

  assign to    = lrx_data_i[tern_abi_pkg::PKT_VN_LSB +: 2];
  assign words = lrx_data_i[tern_abi_pkg::PKT_WORDS_LSB +: 8];
  assign ahead = lrx_data_i[tern_abi_pkg::PKT_LINK_SEQ_LSB +: 6] - expect_q;
  always_comb begin
    legal = 1'b0;
`ifdef TERN_MODEL
    if (begins)   // not used in other cycles
`endif
      legal = proper && !spoilt && ahead == '0 && to != 2'd3 && words >= 8'd5 &&
              words <= (to == Ack ? 8'd5 : 8'(MaxWords));
  end

  tern_link_route #(.DataW(DataW), .Port(Port), .Ports(Ports)) u_route (
    .clk_i, .dims_i(dims_i[14:0]), .node_i, .first_i(begins), .data_i(lrx_data_i),
    .inside_o(proper), .owed_o(owed_now)
  );

  // Both words in one beat; or in two, the second any number of cycles after the first.
  if (OneBeat) begin : g_head_64
`ifdef TERN_MODEL   // simulates faster: needed only with the first word
    always_comb begin
      header_good = 1'b0;
      if (begins)
        header_good = lrx_data_i[63:48] ==
                      tern_abi_pkg::crc16_48(16'hffff, lrx_data_i[47:0]);
    end
`else
    assign header_good = lrx_data_i[63:48] == tern_abi_pkg::crc16_48(16'hffff, lrx_data_i[47:0]);
`endif
    assign vn_now    = to;
    assign words_now = words;
  end else begin : g_head_32
    // The CRC register holds its start value except while a second beat is awaited. A packet that
    // begins in place of that beat is always refused.
    logic [15:0] hcrc, hcrc_d, hcrc_q;
    logic [1:0]  vn_q;
    logic [7:0]  words_q;
    tern_crc16_16 u_low (.x_i(hcrc_q ^ {lrx_data_i[7:0], lrx_data_i[15:8]}), .y_o(hcrc));
    tern_crc16_16 u_high (.x_i(hcrc ^ {lrx_data_i[23:16], lrx_data_i[31:24]}), .y_o(hcrc_d));
    always_ff @(posedge clk_i) begin
      if (sop)                            hcrc_q <= hcrc_d;
      else if (beat || state_q != StHead) hcrc_q <= '1;
      if (begins) begin
        vn_q    <= to;
        words_q <= words;
      end
      LowIsCrc:  assert (hcrc == tern_abi_pkg::crc16_16(hcrc_q, lrx_data_i[15:0]));
      HighIsCrc: assert (hcrc_d == tern_abi_pkg::crc16_32(hcrc_q, lrx_data_i[31:0]));
    end
    assign header_good = lrx_data_i[31:16] == hcrc && proper;
    assign vn_now      = vn_q;
    assign words_now   = words_q;
  end
  assign ch_now     = {vn_now, lrx_data_i[DatelineAt]};
  assign blocks_now = words_now[6:4] + 3'(words_now[3:0] != '0);

  // ------------------------------------------------------------------ framing
  // Actions on a packet in this cycle; at most one beat is written.
  logic       start, header, write, close, close_err, accept, refuse, last, crc_good, crc_stomp;
  logic       whole, fits, on_way;           // whole: both words have arrived and are good
  logic       in_order_q, again, lost, damaged, stomped;
  logic [8:0] left_q, left_d;     // beats still to come after the first two words

  assign crc_good  = sum == '1;
  assign crc_stomp = sum == '0;
  assign last      = left_q == 9'd1;

  always_comb begin
    state_d   = state_q;
    left_d    = left_q;
    whole     = begins && state_q == StIdle && legal && OneBeat && header_good;
    start     = begins && state_q == StIdle && legal &&
                (!OneBeat || (header_good && fits && on_way));
    header    = begins && OneBeat;
    write     = 1'b0;            // a beat after the first two words
    accept    = start && OneBeat;
    refuse    = begins && !start;
    close     = 1'b0;
    close_err = 1'b0;
    if (begins) begin
      // Only in StIdle: a packet that begins inside another header is refused and comes again.
      state_d = !start ? StIdle : OneBeat ? StBody : StHead;
    end else if (state_q == StHead) begin
      if (!up_i) begin
        state_d = StIdle;
      end else if (beat) begin
        header  = 1'b1;
        whole   = !eop && header_good;
        accept  = whole && fits && on_way;
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

  // ---------------------------------------------------------- dateline and credit rules
  // Every packet over the dateline, the link between last and first place, is in the second
  // channel. So a packet in the second channel on the way to that link has already crossed it: an
  // error. A mesh has no such link.
  localparam int unsigned Dim = Port / 2;
  logic over_q, ahead_q;          // this link is the dateline; the one straight on is
  always_ff @(posedge clk_i) begin       // start-up values
    over_q  <= !dims_i[15] && node_i[5*Dim +: 5] == (Port % 2 == 0 ? dims_i[5*Dim +: 5] : 5'd0);
    ahead_q <= !dims_i[15] && node_i[5*Dim +: 5] == (Port % 2 == 1 ? dims_i[5*Dim +: 5] : 5'd0);
  end
  assign on_way = ch_now[0] ? !(ahead_q && owed_now[0]) : !over_q;

  always_ff @(posedge clk_i) begin
    broken_o <= '0;
    if (rst_ni && up_i && whole) begin
      if (!on_way)    broken_o <= 2'(tern_abi_pkg::LINK_BROKE_DATELINE);
      else if (!fits) broken_o <= 2'(tern_abi_pkg::LINK_BROKE_CREDIT);
    end
  end

  // ------------------------------------------------------------------- order
  // A packet too early by more than half of the numbers is an old one sent again, and is no loss.
  assign again   = begins && ahead[5] && (!OneBeat || header_good);
  assign stomped = last && eop && crc_stomp;
  assign damaged = up_i && close && close_err && !stomped;
  assign lost    = damaged || (refuse && !again && (in_order_q || !begins || ahead == '0));
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
    .clk_i, .clear_i(state_d == StIdle), .beat_i(beat), .data_i(lrx_data_i), .sum_o(sum)
  );
  tern_net_name #(.DataW(DataW)) u_name (
    .clk_i, .beat_i(beat), .first_i(sop), .data_i(lrx_data_i), .named_o, .name_o
  );

  // ------------------------------------------------------- buffer and credit
  // With 32-bit beats a packet's channel is only in its second beat, so beats are written a cycle
  // late, the first together with the second.
  logic             closed_q, bad_q, again_q, we, left;
  logic [2:0]       pk_ch, req_ch, left_ch, left_blocks;
  logic [Owed-1:0]  owed, grant;
  logic [5:0]       some;
  logic [DataW-1:0] wdata;

  always_ff @(posedge clk_i) begin
    closed_q <= rst_ni && close;
    bad_q    <= close_err;
    again_q  <= !stomped || !up_i;
  end

  if (OneBeat) begin : g_write_64
    assign we    = accept || write;
    assign wdata = lrx_data_i;
  end else begin : g_write_32
    logic             late_q;
    logic [DataW-1:0] data_q;
    always_ff @(posedge clk_i) begin
      late_q <= rst_ni && (accept || write);
      if (beat) data_q <= lrx_data_i;
    end
    assign we    = accept || late_q;
    assign wdata = data_q;
  end

  // Reorder straight on, later dimensions, the node to port numbers.
  always_comb begin
    owed_o             = '0;
    owed_o[Port ^ 1]   = owed[0];
    owed_o[Ports]      = owed[Owed-1];
    grant              = '0;
    grant[0]           = grant_i[Port ^ 1];
    grant[Owed-1]      = grant_i[Ports];
    for (int unsigned o = 1; o < Owed - 1; o++) begin
      owed_o[2*(Port/2) + 1 + o] = owed[o];
      grant[o]                   = grant_i[2*(Port/2) + 1 + o];
    end
  end
  assign {req_vn_o, req_dl_o} = req_ch;
  assign {pk_vn_o, pk_dl_o}   = pk_ch;

  tern_link_buffer #(.DataW(DataW), .BufWords(BufWords), .Owed(Owed)) u_buffer (
    .clk_i, .rst_ni,
    .to_i    (ch_now),
    .header_i(header),
    .commit_i(accept),
    .blocks_i(blocks_now),
    .owed_i  (owed_now),
    .we_i    (we),
    .data_i  (wdata),
    .ended_i (closed_q),
    .bad_i   (bad_q),
    .again_i (again_q),
    .spoilt_o(spoilt),
    .req_o,
    .owed_o  (owed),
    .req_ch_o(req_ch),
    .able_i,
    .grant_i (grant),
    .ready_i (pk_ready_i),
    .valid_o (pk_valid_o),
    .sop_o   (pk_sop_o),
    .eop_o   (pk_eop_o),
    .err_o   (pk_err_o),
    .ch_o    (pk_ch),
    .data_o  (pk_data_o),
    .some_o  (some),
    .left_o  (left),
    .left_ch_o(left_ch),
    .left_blocks_o(left_blocks)
  );

  localparam int unsigned Blocks = BufWords == 256 ? 10 : BufWords / 32;
  tern_link_freed #(.Blocks(Blocks)) u_freed (
    .clk_i, .rst_ni, .up_i,
    .some_i   (some),
    .left_i   (left),
    .left_ch_i(left_ch),
    .blocks_i (left_blocks),
    .take_i   (accept),
    .came_i   (got_o),
    .ask_ch_i (ch_now),
    .ask_blocks_i(blocks_now),
    .fits_o   (fits),
    .tell_ch_i, .freed_o, .news_o
  );

endmodule

`default_nettype wire
