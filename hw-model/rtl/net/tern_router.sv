// SPDX-License-Identifier: Apache-2.0
// Router of a one-dimensional torus: two links and the node.
//
// A packet of this node takes the shorter way round (both equal: X+), one from a link goes on
// straight or, at its destination, into the node; one to the node itself never leaves.  Virtual
// cut-through: an output goes to a whole packet, and only when all of it has room behind the
// output.  One beat a cycle per output; one cycle from a first beat to its grant.
//
// No deadlock.  The networks have buffers of their own, and what arrives always drains: acks and
// data into hardware, requests into firmware that frees slots without sending.  Within one network
// the buffers round the ring, one per link and direction, count places for whole packets.  A packet
// that moves on takes a place and leaves one.  A packet that enters needs two free places in the
// buffer it enters, so it leaves a free one: the ring never fills, and the packet behind the free
// place can always move.  In rings of up to three nodes nothing passes a whole router, so that rule
// is off.
`default_nettype none

module tern_router #(
  parameter int unsigned DataW = 64
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [15:0]        node_i,
  input  logic [15:0]        dims_i,
  // from the links, port 0 (X+) in the low half, one stream a network
  input  logic [5:0]         in_valid_i,
  output logic [5:0]         in_ready_o,
  input  logic [5:0]         in_eop_i,
  input  logic [5:0]         in_err_i,
  input  logic [6*DataW-1:0] in_data_i,
  // to the links
  output logic [1:0]         out_valid_o,
  input  logic [1:0]         out_ready_i,
  output logic [1:0]         out_sop_o,
  output logic [1:0]         out_eop_o,
  output logic [1:0]         out_err_o,
  output logic [3:0]         out_vn_o,
  output logic [2*DataW-1:0] out_data_o,
  input  logic [5:0]         out_room_i,
  input  logic [5:0]         out_enter_i,
  // packets of this node
  input  logic               tx_valid_i,
  output logic               tx_ready_o,
  input  logic               tx_sop_i,
  input  logic               tx_eop_i,
  input  logic [1:0]         tx_vn_i,
  input  logic [DataW-1:0]   tx_data_i,
  input  logic               ack_valid_i,
  output logic               ack_ready_o,
  input  logic               ack_sop_i,
  input  logic               ack_eop_i,
  input  logic [DataW-1:0]   ack_data_i,
  // packets for this node
  output logic               rx_valid_o,
  input  logic               rx_ready_i,
  output logic               rx_sop_o,
  output logic               rx_eop_o,
  output logic               rx_err_o,
  output logic [1:0]         rx_vn_o,
  output logic [DataW-1:0]   rx_data_o,
  input  logic [2:0]         rx_vn_ready_i,
  // counted
  output logic [1:0]         fwd_o
);

  localparam int unsigned BeatW = DataW + 3;

  // ------------------------------------------- streams 0-5 links, 6 tx, 7 acks
  logic [7:0]         s_valid, s_ready, s_sop, s_in_ready;
  logic [8*BeatW-1:0] s_beat;
  logic [8*16-1:0]    s_dst;
  logic [7:0]         a_valid, a_eop, a_err;
  logic [8*DataW-1:0] a_data;

  assign a_valid = {ack_valid_i, tx_valid_i, in_valid_i};
  assign a_eop   = {ack_eop_i, tx_eop_i, in_eop_i};
  assign a_err   = {2'b00, in_err_i};
  assign a_data  = {ack_data_i, tx_data_i, in_data_i};
  assign {ack_ready_o, tx_ready_o, in_ready_o} = s_in_ready;

  for (genvar i = 0; i < 8; i++) begin : g_in
    logic             sop, eop, err;
    logic [DataW-1:0] data;
    tern_net_peek #(.DataW(DataW)) u_peek (
      .clk_i, .rst_ni,
      .valid_i(a_valid[i]), .ready_o(s_in_ready[i]),
      .eop_i  (a_eop[i]), .err_i(a_err[i]), .data_i(a_data[DataW*i +: DataW]),
      .valid_o(s_valid[i]), .ready_i(s_ready[i]),
      .sop_o  (sop), .eop_o(eop), .err_o(err), .data_o(data),
      .dst_o  (s_dst[16*i +: 16])
    );
    assign s_sop[i]                  = sop;
    assign s_beat[BeatW*i +: BeatW] = {sop, eop, err, data};
  end

  // The network of the packet at the head of stream 6; it may be a beat older than tx_vn_i.
  logic tx_vn_q, tx_vn;
  always_ff @(posedge clk_i) if (tx_valid_i && tx_sop_i) tx_vn_q <= tx_vn_i[0];
  assign tx_vn = tx_valid_i && tx_sop_i ? tx_vn_i[0] : tx_vn_q;

  logic [7:0] sel0, sel1, sel2, granted;   // who has which output, one-hot
  assign granted = sel0 | sel1 | sel2;

  // -------------------------------------------------------------------- routes
  // Output 0 X+, 1 X-, 2 this node.
  logic [7:0]  here, plus;
  logic [23:0] want;

  for (genvar i = 0; i < 8; i++) begin : g_route
    assign here[i] = s_dst[16*i +: 15] == node_i[14:0];
    if (i >= 6) begin : g_local
      logic [4:0] ahead;
      logic [5:0] size;
      assign size    = {1'b0, dims_i[4:0]} + 6'd1;
      assign ahead   = s_dst[16*i +: 5] - node_i[4:0] +
                       (s_dst[16*i +: 5] < node_i[4:0] ? size[4:0] : 5'd0);
      assign plus[i] = {ahead, 1'b0} <= size;
    end else begin : g_transit
      assign plus[i] = i >= 3;   // came in through X-, so it travels to X+
    end
    assign want[i]      = s_valid[i] && s_sop[i] && !here[i] && plus[i] && !granted[i];
    assign want[8 + i]  = s_valid[i] && s_sop[i] && !here[i] && !plus[i] && !granted[i];
    assign want[16 + i] = s_valid[i] && s_sop[i] && here[i] && !granted[i];
  end

  // ---------------------------------------------------------------- room ahead
  logic [7:0] may0, may1, may2;
  assign may0 = {out_enter_i[2], tx_vn ? out_enter_i[1] : out_enter_i[0],
                 out_room_i[2:0], 3'b000};
  assign may1 = {out_enter_i[5], tx_vn ? out_enter_i[4] : out_enter_i[3],
                 3'b000, out_room_i[5:3]};
  assign may2 = {rx_vn_ready_i[2], tx_vn ? rx_vn_ready_i[1] : rx_vn_ready_i[0],
                 rx_vn_ready_i, rx_vn_ready_i};

  logic [2:0] done;
  tern_net_arb u_arb0 (.clk_i, .rst_ni, .req_i(want[7:0] & may0), .tx_vn_i(tx_vn),
                       .done_i(done[0]), .sel_o(sel0));
  tern_net_arb u_arb1 (.clk_i, .rst_ni, .req_i(want[15:8] & may1), .tx_vn_i(tx_vn),
                       .done_i(done[1]), .sel_o(sel1));
  tern_net_arb #(.Chain(1'b0)) u_arb2 (
    .clk_i, .rst_ni, .req_i(want[23:16] & may2), .tx_vn_i(tx_vn),
    .done_i(done[2]), .sel_o(sel2));

  // ------------------------------------------------------------------ crossbar
  logic [BeatW-1:0] beat0, beat1, beat2;
  logic [2:0]       o_ready, o_valid;

  always_comb begin
    beat0 = '0;
    beat1 = '0;
    beat2 = '0;
    for (int i = 0; i < 8; i++) begin
      if (i >= 3 && sel0[i])           beat0 = beat0 | s_beat[BeatW*i +: BeatW];
      if ((i < 3 || i > 5) && sel1[i]) beat1 = beat1 | s_beat[BeatW*i +: BeatW];
      if (sel2[i])                     beat2 = beat2 | s_beat[BeatW*i +: BeatW];
    end
  end

  assign o_ready = {rx_ready_i, out_ready_i};
  assign o_valid = {(sel2 & s_valid) != '0, (sel1 & s_valid) != '0, (sel0 & s_valid) != '0};
  assign done    = {beat2[DataW+1], beat1[DataW+1], beat0[DataW+1]} & o_valid & o_ready;
  assign s_ready = (sel0 & {8{o_ready[0]}}) | (sel1 & {8{o_ready[1]}}) | (sel2 & {8{o_ready[2]}});

  // Networks of the packets on the outputs.  Stream 6 may already offer the successor of the
  // packet that was granted.
  logic       tx_vn_g_q;
  logic [2:0] vn_hi, vn_lo;
  always_ff @(posedge clk_i) if (!granted[6]) tx_vn_g_q <= tx_vn;
  assign vn_hi = {(sel2 & 8'ha4) != '0, (sel1 & 8'ha4) != '0, (sel0 & 8'ha4) != '0};
  assign vn_lo = {(sel2 & 8'h12) != '0 || (sel2[6] && tx_vn_g_q),
                  (sel1 & 8'h12) != '0 || (sel1[6] && tx_vn_g_q),
                  (sel0 & 8'h12) != '0 || (sel0[6] && tx_vn_g_q)};

  assign out_valid_o = o_valid[1:0];
  assign out_sop_o   = {beat1[DataW+2], beat0[DataW+2]};
  assign out_eop_o   = {beat1[DataW+1], beat0[DataW+1]};
  assign out_err_o   = {beat1[DataW], beat0[DataW]};
  assign out_data_o  = {beat1[DataW-1:0], beat0[DataW-1:0]};
  assign out_vn_o    = {vn_hi[1], vn_lo[1], vn_hi[0], vn_lo[0]};

  assign rx_valid_o = o_valid[2];
  assign {rx_sop_o, rx_eop_o, rx_err_o, rx_data_o} = beat2;
  assign rx_vn_o    = {vn_hi[2], vn_lo[2]};

  always_ff @(posedge clk_i) begin
    fwd_o[0] <= rst_ni && done[0] && (sel0 & 8'h38) != '0;
    fwd_o[1] <= rst_ni && done[1] && (sel1 & 8'h07) != '0;
  end

  logic unused;
  assign unused = ^{ack_sop_i, tx_vn_i[1], node_i[15], dims_i[15:5], s_dst};

  // A stream feeds one output at a time.
  always_ff @(posedge clk_i) begin
    if (rst_ni) OneOutput: assert ((sel0 & sel1) == '0 && ((sel0 | sel1) & sel2) == '0);
  end

endmodule

`default_nettype wire
