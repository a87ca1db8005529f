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
  // packets
  output logic [2:0]         pk_valid_o,
  input  logic [2:0]         pk_ready_i,
  output logic [2:0]         pk_eop_o,
  output logic [2:0]         pk_err_o,
  output logic [3*DataW-1:0] pk_data_o,
  // credit for the peer
  output logic [2:0]         news_o,
  output logic [41:0]        freed_o,
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
  logic [2:0]       full;
  logic [8:0]       left_q, left_d;     // beats of the body still to come
  logic [1:0]       to;
  logic             begins, write, close, close_err, commit, rewind, accept, refuse, damaged;
  logic [DataW-1:0] wdata;
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
    commit    = 1'b0;
    rewind    = 1'b0;
    accept    = 1'b0;
    refuse    = 1'b0;
    damaged   = 1'b0;
    wdata     = lrx_data_i;
    case (state_q)
      StIdle: ;
      StHead: begin
        if (!up_i || sop) begin
          rewind  = 1'b1;
          refuse  = up_i;
          state_d = StIdle;
        end else if (beat && (full[vn] || eop || (head_last && !header_good))) begin
          rewind  = 1'b1;
          refuse  = 1'b1;
          state_d = StIdle;
        end else if (beat) begin
          write   = 1'b1;
          commit  = head_last;
          accept  = head_last;
          left_d  = BeatsPerWord == 1 ? 9'(beyond_head) : {1'b0, beyond_head, 1'b0};
          state_d = head_last ? StBody : StHead;
        end
      end
      default: begin
        if (!up_i || sop || (beat && full[vn])) begin
          write     = 1'b1;
          wdata     = '0;
          close     = 1'b1;
          close_err = 1'b1;
          commit    = 1'b1;
          damaged   = up_i;
          state_d   = StIdle;
        end else if (beat) begin
          write     = 1'b1;
          commit    = 1'b1;
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
      write   = to != 2'd3 && !full[to];
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

  // ------------------------------------------------------- buffers and credit
  logic [8:0] unpaid;    // beats that the closed packet will not bring
  assign unpaid = close ? left_q - 9'd1 : 9'd0;

  // A link that goes down counts anew: in the first cycle the whole buffer and a beat, in the
  // second less what stands in it and that beat; from then on what leaves it.
  logic was_up_q, fall, fallen_q;
  assign fall = !rst_ni || (was_up_q && !up_i);
  always_ff @(posedge clk_i) begin
    was_up_q <= !rst_ni || up_i;
    fallen_q <= fall;
  end

  for (genvar v = 0; v < 3; v++) begin : g_vn
    localparam int unsigned Words = v == tern_abi_pkg::VN_ACK ? 64 : BufWords;
    localparam int unsigned Depth = Words * BeatsPerWord;
    localparam int unsigned CntW  = $clog2(BeatsPerWord) + 14;

    logic                   pop;
    logic [$clog2(Depth):0] used;
    logic [CntW-1:0]        freed_q, extra, addend, held;
    logic [6:0]             come_q, missing;
    logic                   told;

    tern_net_fifo #(.Width(DataW + 2), .Depth(Depth)) u_fifo (
      .clk_i, .rst_ni,
      .we_i    (write && to == 2'(v)),
      .wdata_i ({close, close_err, wdata}),
      .commit_i(commit && vn == 2'(v)),
      .rewind_i(rewind && vn == 2'(v)),
      .full_o  (full[v]),
      .valid_o (pk_valid_o[v]),
      .ready_i (pk_ready_i[v]),
      .data_o  ({pk_eop_o[v], pk_err_o[v], pk_data_o[DataW*v +: DataW]}),
      .pop_o   (pop),
      .used_o  (used)
    );

    // Noise that looks like a control word seldom tells a believable count as well.
    assign told    = ctl_valid_o && ctl_vn_o == 2'(v) && ctl_fits_i[v];
    assign held    = CntW'(used);
    assign missing = ctl[tern_abi_pkg::CTL_SENT_LSB +: 7] - come_q;

    always_comb begin
      extra = '0;
      if (vn == 2'(v)) extra = CntW'(unpaid);
      if (told)        extra = CntW'(missing) * CntW'(BeatsPerWord);
      if (!up_i)       extra = '0;
      addend = extra;
      if (fallen_q) addend = ~held;
    end

    logic            unused_carry;
    logic [CntW-1:0] freed_d;
    assign {freed_d, unused_carry} = {freed_q, 1'b1} + {addend, pop};

    always_ff @(posedge clk_i) begin
      if (fall) freed_q <= CntW'(Depth - BeatsPerWord) + CntW'(1);
      else      freed_q <= freed_d;
      if (!rst_ni || !up_i)           come_q <= '0;
      else if (told)                  come_q <= ctl[tern_abi_pkg::CTL_SENT_LSB +: 7];
      else if (accept && vn == 2'(v)) come_q <= come_q + words;
    end

    assign freed_o[14*v +: 14] = freed_q[CntW-1 -: 14];
    assign news_o[v]           = pop || extra != '0;
  end

endmodule

`default_nettype wire
