// SPDX-License-Identifier: Apache-2.0
// Router of a one-dimensional torus: two links and the node.
//
// A packet of this node takes the shorter way round (both equal: X+), one from a link goes on
// straight or, at its destination, into the node; one to the node itself never leaves.  Virtual
// cut-through: an output goes to a whole packet, and only when all of it has room behind the
// output.  One beat a cycle per output.  A packet of this node is registered on its way in, with the
// way it takes; a cycle later it may be granted.  One from a link is granted a cycle after it asks.
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
  // from the links, port 0 (X+) in the low half: a packet that may go, and its beats once granted
  input  logic [1:0]         in_req_i,
  input  logic [1:0]         in_here_i,
  input  logic [3:0]         in_req_vn_i,
  output logic [1:0]         in_grant_o,
  input  logic [1:0]         in_valid_i,
  output logic [1:0]         in_ready_o,
  input  logic [1:0]         in_sop_i,
  input  logic [1:0]         in_eop_i,
  input  logic [1:0]         in_err_i,
  input  logic [3:0]         in_vn_i,
  input  logic [2*DataW-1:0] in_data_i,
  // to the links
  output logic [1:0]         out_valid_o,
  input  logic [1:0]         out_ready_i,
  output logic [1:0]         out_sop_o,
  output logic [1:0]         out_eop_o,
  output logic [1:0]         out_err_o,
  output logic [3:0]         out_vn_o,
  output logic [2*DataW-1:0] out_data_o,
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

  localparam int unsigned BeatW = DataW + 5;    // network, sop, eop, err, data
  localparam int unsigned EopAt = DataW + 1;

  // -------------------------------------- packets of this node: 0 tx, 1 acks
  logic [1:0]       s_valid, s_ready, s_sop, s_eop, s_in_ready, granted;
  logic [2*DataW-1:0] s_data;
  logic [5:0]       want;               // output 0 X+, 1 X-, 2 this node; tx in the low bit
  logic [3:0]       sel0, sel1, sel2;   // who has which output, one-hot: acks, tx, ports
  logic [2:0]       parked;             // outputs that wait for the transmit unit's next packet
  logic [1:0]       begins;             // ... which may start

  assign {ack_ready_o, tx_ready_o} = s_in_ready;
  assign granted = (sel0[3:2] & {1'b1, !parked[0]}) | (sel1[3:2] & {1'b1, !parked[1]}) |
                   (sel2[3:2] & {1'b1, !parked[2]});

  for (genvar i = 0; i < 2; i++) begin : g_own
    logic [DataW-1:0] data_d, data_q;
    logic [14:0]      dst;
    logic [4:0]       ahead;
    logic [5:0]       size;
    logic             valid_d, valid_q, sop_q, eop_q, here_q, plus_q, waits;

    assign valid_d = i == 0 ? tx_valid_i : ack_valid_i;
    assign data_d  = i == 0 ? tx_data_i : ack_data_i;
    assign dst     = data_d[tern_abi_pkg::PKT_DST_LSB +: 15];
    assign size    = {1'b0, dims_i[4:0]} + 6'd1;
    assign ahead   = dst[4:0] - node_i[4:0] + (dst[4:0] < node_i[4:0] ? size[4:0] : 5'd0);
    assign s_in_ready[i] = !valid_q || s_ready[i];

    always_ff @(posedge clk_i) begin
      if (!rst_ni)            valid_q <= 1'b0;
      else if (s_in_ready[i]) valid_q <= valid_d;
      if (s_in_ready[i]) begin
        data_q <= data_d;
        sop_q  <= i == 0 ? tx_sop_i : ack_sop_i;
        eop_q  <= i == 0 ? tx_eop_i : ack_eop_i;
        here_q <= dst == node_i[14:0];
        plus_q <= {ahead, 1'b0} <= size;
      end
    end

    assign s_valid[i] = valid_q;
    assign s_sop[i]   = sop_q;
    assign s_eop[i]   = eop_q;
    assign s_data[DataW*i +: DataW] = data_q;
    assign waits       = valid_q && sop_q && !granted[i];
    assign want[i]     = waits && !here_q && plus_q;
    assign want[2 + i] = waits && !here_q && !plus_q;
    assign want[4 + i] = waits && here_q;
  end

  logic tx_vn;
  always_ff @(posedge clk_i) begin
    if (s_in_ready[0]) tx_vn <= tx_vn_i[0];
  end

  // ------------------------------------------------------------------ requests
  // What came in through a port travels on through the other; whether it may, the port knows.
  logic [2:0] done, o_ready, o_valid;
  logic [1:0] may0, may1, may2;
  assign may0 = {out_enter_i[2], tx_vn ? out_enter_i[1] : out_enter_i[0]};
  assign may1 = {out_enter_i[5], tx_vn ? out_enter_i[4] : out_enter_i[3]};
  assign may2 = {rx_vn_ready_i[2], tx_vn ? rx_vn_ready_i[1] : rx_vn_ready_i[0]};

  assign begins = {want[2] & may1[0], want[0] & may0[0]};

  tern_net_arb #(.Park(1'b1)) u_arb0 (
    .clk_i, .rst_ni, .req_i({want[1:0] & may0, in_req_i[1] && !in_here_i[1], 1'b0}),
    .vn0_i(2'd0), .vn1_i(in_req_vn_i[3:2]), .vn2_i(tx_vn), .done_i(done[0]),
    .start_i(begins[0] && o_ready[0]), .parked_o(parked[0]), .sel_o(sel0));
  tern_net_arb #(.Park(1'b1)) u_arb1 (
    .clk_i, .rst_ni, .req_i({want[3:2] & may1, 1'b0, in_req_i[0] && !in_here_i[0]}),
    .vn0_i(in_req_vn_i[1:0]), .vn1_i(2'd0), .vn2_i(tx_vn), .done_i(done[1]),
    .start_i(begins[1] && o_ready[1]), .parked_o(parked[1]), .sel_o(sel1));
  tern_net_arb #(.Chain(1'b0)) u_arb2 (
    .clk_i, .rst_ni, .req_i({want[5:4] & may2, in_req_i & in_here_i}),
    .vn0_i(in_req_vn_i[1:0]), .vn1_i(in_req_vn_i[3:2]), .vn2_i(tx_vn),
    .done_i(done[2]), .start_i(1'b0), .parked_o(parked[2]), .sel_o(sel2));

  // ------------------------------------------------------------------ crossbar
  logic [BeatW-1:0] beat_p, beat_m, beat_tx, beat_ack, beat0, beat1, beat2, port2, node2;
  logic [3:0]       go0, go1, go2;      // sel, less what is parked and may not start

  assign beat_p   = {in_vn_i[1:0], in_sop_i[0], in_eop_i[0], in_err_i[0], in_data_i[DataW-1:0]};
  assign beat_m   = {in_vn_i[3:2], in_sop_i[1], in_eop_i[1], in_err_i[1],
                     in_data_i[2*DataW-1:DataW]};
  assign beat_tx  = {1'b0, tx_vn, s_sop[0], s_eop[0], 1'b0, s_data[DataW-1:0]};
  assign beat_ack = {2'(tern_abi_pkg::VN_ACK), s_sop[1], s_eop[1], 1'b0, s_data[2*DataW-1:DataW]};

  assign beat0 = sel0[3] ? beat_ack : sel0[2] ? beat_tx : beat_m;
  assign beat1 = sel1[3] ? beat_ack : sel1[2] ? beat_tx : beat_p;
  assign port2 = sel2[1] ? beat_m : beat_p;
  assign node2 = sel2[3] ? beat_ack : beat_tx;
  assign beat2 = |sel2[3:2] ? node2 : port2;

  assign go0 = sel0 & {1'b1, !parked[0] || begins[0], 2'b11};
  assign go1 = sel1 & {1'b1, !parked[1] || begins[1], 2'b11};
  assign go2 = sel2;
  assign o_ready = {rx_ready_i, out_ready_i};
  assign o_valid = {|(go2 & {s_valid, in_valid_i}), |(go1 & {s_valid, in_valid_i}),
                    |(go0 & {s_valid, in_valid_i})};
  assign done    = {beat2[EopAt], beat1[EopAt], beat0[EopAt]} & o_valid & o_ready;
  assign {s_ready, in_ready_o} = (go0 & {4{o_ready[0]}}) | (go1 & {4{o_ready[1]}}) |
                                 (go2 & {4{o_ready[2]}});
  assign in_grant_o = sel0[1:0] | sel1[1:0] | sel2[1:0];

  assign out_valid_o = o_valid[1:0];
  assign {out_vn_o[1:0], out_sop_o[0], out_eop_o[0], out_err_o[0], out_data_o[DataW-1:0]} = beat0;
  assign {out_vn_o[3:2], out_sop_o[1], out_eop_o[1], out_err_o[1],
          out_data_o[2*DataW-1:DataW]} = beat1;
  assign rx_valid_o = o_valid[2];
  assign {rx_vn_o, rx_sop_o, rx_eop_o, rx_err_o, rx_data_o} = beat2;

  always_ff @(posedge clk_i) begin
    fwd_o[0] <= rst_ni && done[0] && sel0[1];
    fwd_o[1] <= rst_ni && done[1] && sel1[0];
  end

  logic unused;
  assign unused = ^{tx_vn_i[1], node_i[15], dims_i[15:5]};

  // A source feeds one output at a time.
  always_ff @(posedge clk_i) begin
    if (rst_ni) OneOutput: assert ((go0 & go1) == '0 && ((go0 | go1) & go2) == '0);
  end

endmodule

`default_nettype wire
