// SPDX-License-Identifier: Apache-2.0
// Receiving end of a link: checks packets and hands them on, one stream a virtual network.
//
// A packet becomes visible when its header is complete and good (CRC, version, length, network,
// destination inside the torus); the rest follows as it arrives.  With a bad header the whole
// packet is discarded.  The length in the header says where the packet ends; a tail that comes
// early or late, a wrong link CRC, or a link that goes down close it with `err`.  A packet whose
// start falls into another packet is discarded with the end of the first.
//
// Credit: `freed_o` counts, per network, words that left the buffer, words that a closed packet
// will not bring, and words that never came in a good packet: the peer tells how many it sent, so
// whatever noise does to the wire no credit is lost.
//
// One beat a cycle; two cycles from the last header beat to the first beat out.
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
  input  logic [2:0]         ctl_fits_i,   // per network: ctl_freed_o is believable
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

  localparam int unsigned HeadBeats    = 8 * tern_abi_pkg::PKT_HEADER_BYTES / DataW;
  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam int unsigned HcrcAt       = tern_abi_pkg::PKT_HCRC_LSB % DataW;
  localparam int unsigned LcrcAt       = tern_abi_pkg::TRL_LINK_CRC_LSB % DataW;
  localparam int unsigned VnAt         = tern_abi_pkg::PKT_VN_LSB % DataW;
  localparam int unsigned DstAt        = tern_abi_pkg::PKT_DST_LSB % DataW;

  typedef enum logic [1:0] { StIdle, StHead, StBody } state_e;
  state_e state_q, state_d;

  // ------------------------------------------------------------ control words
  logic        is_ctl, rest_zero;
  logic [31:0] ctl;

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
  assign ctl_valid_o = is_ctl && rest_zero && ctl_vn_o != 2'd3 &&
                       ctl[tern_abi_pkg::CTL_CRC_LSB +: 8] ==
                       tern_abi_pkg::crc8_24(8'hff, ctl[23:0]);

  // ------------------------------------------------------------ header fields
  logic        beat, sop, eop, head_last;
  logic [3:0]  index_q, index;
  logic [3:0]  version;
  logic [1:0]  vn;
  logic [14:0] dst;
  logic [10:0] length;
  logic [6:0]  words, beyond_head;   // of the packet; of payload and trailer
  logic [15:0] hcrc;
  logic [31:0] lcrc;
  logic        header_good;

  assign beat      = up_i && lrx_valid_i && !is_ctl;
  assign sop       = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_SOP);
  assign eop       = beat && lrx_kind_i == 2'(tern_abi_pkg::LINK_KIND_EOP);
  assign index     = sop ? 4'd0 : index_q;
  assign head_last = index == 4'(HeadBeats - 1);
  // Length in words, rounded up, and 5 for header and trailer, or 1 for the trailer.
  assign words       = 7'(({length[9:3], |length[2:0]} + 8'd11) >> 1);
  assign beyond_head = 7'(({length[9:3], |length[2:0]} + 8'd3) >> 1);

  tern_net_head #(.DataW(DataW)) u_head (
    .clk_i,
    .beat_i   (beat),
    .index_i  (index),
    .data_i   (lrx_data_i),
    .version_o(version), .vn_o(vn), .dst_o(dst), .length_o(length),
    .named_o, .name_o
  );

  tern_net_crc #(.DataW(DataW)) u_crc (
    .clk_i,
    .beat_i  (beat),
    .first_i (sop),
    .data_i  (lrx_data_i),
    .header_o(hcrc),
    .link_o  (lcrc)
  );

  assign header_good =
    lrx_data_i[HcrcAt +: 16] == hcrc && version == 4'(tern_abi_pkg::PKT_VERSION) &&
    length <= 11'(MaxPayload) && (vn != 2'(tern_abi_pkg::VN_ACK) || length == '0) &&
    dst[4:0] <= dims_i[4:0] && dst[9:5] <= dims_i[9:5] && dst[14:10] <= dims_i[14:10];

  // ------------------------------------------------------------------ framing
  // What happens to a packet in this cycle; at most one beat is written, into the buffer of
  // network `to`.
  logic             fits;
  logic [8:0]       left_q, left_d;     // beats of the body still to come
  logic [1:0]       to;
  logic             begins, write, close, close_err, accept, refuse, damaged;
  logic             last, crc_good, crc_stomp;

  assign to        = begins ? lrx_data_i[VnAt +: 2] : vn;
  assign begins    = sop && state_q != StBody;
  assign last      = left_q == 9'd1;
  assign crc_good  = lrx_data_i[LcrcAt +: 32] == lcrc;
  assign crc_stomp = lrx_data_i[LcrcAt +: 32] == ~lcrc;

  always_comb begin
    state_d   = state_q;
    left_d    = left_q;
    write     = 1'b0;
    close     = 1'b0;
    close_err = 1'b0;
    accept    = 1'b0;
    refuse    = 1'b0;
    damaged   = 1'b0;
    case (state_q)
      StIdle: ;
      StHead: begin
        if (!up_i || sop) begin
          refuse  = up_i;
          state_d = StIdle;
        end else if (beat && (eop || (head_last && !header_good))) begin
          refuse  = 1'b1;
          state_d = StIdle;
        end else if (beat) begin
          write   = 1'b1;
          accept  = head_last;
          left_d  = BeatsPerWord == 1 ? 9'(beyond_head) : {1'b0, beyond_head, 1'b0};
          state_d = head_last ? StBody : StHead;
        end
      end
      default: begin
        if (!up_i || sop) begin
          write     = 1'b1;
          close     = 1'b1;
          close_err = 1'b1;
          damaged   = up_i;
          state_d   = StIdle;
        end else if (beat) begin
          write     = 1'b1;
          left_d    = left_q - 9'd1;
          close     = last || eop;
          close_err = !last || !eop || !crc_good;
          damaged   = close && close_err && !(eop && crc_stomp);
          state_d   = close ? StIdle : StBody;
        end
      end
    endcase
    // A packet begins: where nothing is under way, or in place of a header that broke off.
    if (begins) begin
      write   = to != 2'd3 && fits;
      refuse  = !write || state_q == StHead;
      state_d = write ? StHead : StIdle;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat) index_q <= index == 4'(HeadBeats) ? index : index + 4'd1;
    left_q <= left_d;
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    good_o    <= rst_ni && close && !close_err;
    bad_hdr_o <= rst_ni && refuse;
    bad_crc_o <= rst_ni && damaged;
  end

  // ------------------------------------------------------- buffer and credit
  localparam int unsigned UsedW = $clog2(BufWords * BeatsPerWord) + 1;

  logic [8:0]      unpaid;    // beats that the closed packet will not bring
  logic            left, left_two, stop;
  logic [1:0]      look_vn;
  logic [UsedW-1:0] used;

  assign unpaid = left_q - 9'd1;
  assign tell_wait_o = stop;

  tern_link_buffer #(
    .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords)
  ) u_buffer (
    .clk_i, .rst_ni,
    .to_i       (up_i ? to : look_vn),
    .vn_i       (vn),
    .start_i    (begins),
    .we_i       (write),
    .here_i     (lrx_data_i[DstAt +: 15] == node_i),
    .close_i    (close),
    .close_err_i(close_err),
    .data_i     (lrx_data_i),
    .commit_i   (accept),
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

  // Noise that looks like a control word seldom tells a believable count as well.
  tern_link_freed #(.DataW(DataW), .BufWords(BufWords), .UsedW(UsedW)) u_freed (
    .clk_i, .rst_ni, .up_i,
    .vn_i       (vn),
    .accept_i   (accept),
    .words_i    (words),
    .close_i    (close),
    .unpaid_i   (unpaid),
    .told_i     (ctl_valid_o && ctl_fits_i[ctl_vn_o]),
    .told_vn_i  (ctl_vn_o),
    .told_sent_i(ctl[tern_abi_pkg::CTL_SENT_LSB +: 7]),
    .left_i     (left),
    .left_two_i (left_two),
    .left_vn_i  (pk_vn_o),
    .look_vn_o  (look_vn),
    .look_used_i(used),
    .tell_vn_i,
    .busy_o     (stop),
    .freed_o, .news_o
  );

endmodule

`default_nettype wire
