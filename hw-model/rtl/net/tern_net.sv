// SPDX-License-Identifier: Apache-2.0
// The network side of a node: its links, the router, their registers, events and trace.
//
// Wiring, and the tick at which due control words may go between the beats of packets. All links
// share it, so that outputs with copies of one packet stall together. Wire inputs are registered
// outside. From a first beat at that register to the first beat on the next wire: 4 cycles with
// 64-bit beats, 5 with 32-bit ones. With the word that names the operation, LINK_OUT pulses two
// cycles after the first beat at the wire output (32-bit beats: six), LINK_IN five (nine) after the
// first beat at the input pin.
`default_nettype none

module tern_net #(
  parameter int unsigned DataW       = 64,
  parameter int unsigned Ports       = 2,
  parameter int unsigned MaxPayload  = 512,
  parameter int unsigned BufWords    = 512,
  parameter int unsigned CtlEvery    = 40,
  parameter int unsigned TimeoutTicks = 8,     // of CtlEvery cycles
  parameter int unsigned HoldTicks   = 128,    // in the same unit
  parameter bit          Held        = 1'b0    // of tern_link
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            node_i,
  input  logic [15:0]            dims_i,
  // wires
  input  logic [Ports-1:0]       ltx_hold_i,
  output logic [Ports-1:0]       ltx_valid_o,
  output logic [2*Ports-1:0]     ltx_kind_o,
  output logic [Ports*DataW-1:0] ltx_data_o,
  input  logic [Ports-1:0]       lrx_valid_i,
  input  logic [2*Ports-1:0]     lrx_kind_i,
  input  logic [Ports*DataW-1:0] lrx_data_i,
  // packets of this node
  input  logic                   tx_valid_i,
  output logic                   tx_ready_o,
  output logic                   tx_more_o,     // early tx_ready_o, valid after the second beat
  input  logic                   tx_sop_i,
  input  logic                   tx_eop_i,
  input  logic                   tx_self_i,
  input  logic [1:0]             tx_vn_i,
  input  logic [DataW-1:0]       tx_data_i,
  output logic                   tx_again_o,
  input  logic                   ack_valid_i,
  output logic                   ack_ready_o,
  output logic                   ack_more_o,
  input  logic                   ack_sop_i,
  input  logic                   ack_eop_i,
  input  logic [DataW-1:0]       ack_data_i,
  // packets for this node
  output logic                   rx_valid_o,
  input  logic                   rx_ready_i,
  output logic                   rx_sop_o,
  output logic                   rx_eop_o,
  output logic                   rx_err_o,
  output logic [1:0]             rx_vn_o,
  output logic [DataW-1:0]       rx_data_o,
  input  logic [2:0]             rx_vn_ready_i,
  // registers
  input  logic                   mm_valid_i,
  input  logic                   mm_we_i,
  input  logic [15:0]            mm_addr_i,
  input  logic [31:0]            mm_wdata_i,
  output logic                   mm_ready_o,
  output logic                   mm_rvalid_o,
  output logic [31:0]            mm_rdata_o,
  // events
  output logic                   ev_link_valid_o,
  input  logic                   ev_link_ready_i,
  output logic [31:0]            ev_link_o,
  output logic [Ports-1:0]       link_up_o,
  // trace and statistics
  output logic                   tr_link_out_o,
  output logic [15:0]            tr_link_out_id_o,
  output logic                   tr_link_in_o,
  output logic [15:0]            tr_link_in_id_o,
  output logic [1:0]             st_link_bad_hdr_o,
  output logic [1:0]             st_link_bad_crc_o,
  output logic [1:0]             st_fwd_o,
  output logic [1:0]             st_down_drop_o,
  output logic [1:0]             st_link_down_o,
  output logic [1:0]             st_link_sent_o
);

  localparam int unsigned Outs = Ports + 1;

  if (Ports != 2 && Ports != 4 && Ports != 6) begin : g_ports
    $error("a torus has 2, 4 or 6 ports");
  end

  logic [Ports-1:0]       force_down, rose, fell;
  logic [2*Ports-1:0]     why;
  logic [Ports-1:0]       o_valid, o_near, o_ready, o_sop, o_eop, o_err, o_dl;
  logic [2*Ports-1:0]     o_vn;
  logic [Ports*DataW-1:0] o_data;
  logic [6*Ports-1:0]     room, origins, weight;
  logic [Ports-1:0]       req, req_dl, able, pk_valid, pk_ready, pk_sop, pk_eop, pk_err;
  logic [Ports-1:0]       pk_dl;
  logic [2*Ports-1:0]     req_vn, pk_vn;
  logic [Ports*Outs-1:0]  owed, grant;
  logic [Ports*DataW-1:0] pk_data;
  logic [Ports-1:0]       sent, drop, good, bad_hdr, bad_crc, out, in, fwd;
  logic [8*Ports-1:0]     out_name, in_name;

  // ---------------------------------------------------------------------- tick
  localparam int unsigned TickW = $clog2(CtlEvery);
  logic [TickW-1:0] tick_q;
  logic             tick;
  assign tick = tick_q == TickW'(CtlEvery - 1);
  always_ff @(posedge clk_i) tick_q <= !rst_ni || tick ? '0 : tick_q + 1'b1;

  // --------------------------------------------------------------- links, router
  for (genvar p = 0; p < Ports; p++) begin : g_link
    tern_link #(
      .DataW(DataW), .Ports(Ports), .Port(p), .MaxPayload(MaxPayload), .BufWords(BufWords),
      .TimeoutTicks(TimeoutTicks), .HoldTicks(HoldTicks), .Held(Held)
    ) u_link (
      .clk_i, .rst_ni,
      .dims_i,
      .node_i      (node_i[14:0]),
      .force_down_i(force_down[p]),
      .tick_i      (tick),
      .up_o        (link_up_o[p]),
      .rose_o      (rose[p]),
      .fell_o      (fell[p]),
      .why_o       (why[2*p +: 2]),
      .tx_valid_i  (o_valid[p]),
      .tx_near_i   (o_near[p]),
      .tx_ready_o  (o_ready[p]),
      .tx_sop_i    (o_sop[p]),
      .tx_eop_i    (o_eop[p]),
      .tx_err_i    (o_err[p]),
      .tx_vn_i     (o_vn[2*p +: 2]),
      .tx_dl_i     (o_dl[p]),
      .tx_data_i   (o_data[DataW*p +: DataW]),
      .room_o      (room[6*p +: 6]),
      .origins_i   (origins[6*p +: 6]),
      .weight_o    (weight[6*p +: 6]),
      .req_o       (req[p]),
      .owed_o      (owed[Outs*p +: Outs]),
      .req_vn_o    (req_vn[2*p +: 2]),
      .req_dl_o    (req_dl[p]),
      .able_i      (able[p]),
      .grant_i     (grant[Outs*p +: Outs]),
      .pk_ready_i  (pk_ready[p]),
      .pk_valid_o  (pk_valid[p]),
      .pk_sop_o    (pk_sop[p]),
      .pk_eop_o    (pk_eop[p]),
      .pk_err_o    (pk_err[p]),
      .pk_vn_o     (pk_vn[2*p +: 2]),
      .pk_dl_o     (pk_dl[p]),
      .pk_data_o   (pk_data[DataW*p +: DataW]),
      .ltx_hold_i  (ltx_hold_i[p]),
      .ltx_valid_o (ltx_valid_o[p]),
      .ltx_kind_o  (ltx_kind_o[2*p +: 2]),
      .ltx_data_o  (ltx_data_o[DataW*p +: DataW]),
      .lrx_valid_i (lrx_valid_i[p]),
      .lrx_kind_i  (lrx_kind_i[2*p +: 2]),
      .lrx_data_i  (lrx_data_i[DataW*p +: DataW]),
      .sent_o      (sent[p]),
      .drop_o      (drop[p]),
      .good_o      (good[p]),
      .bad_hdr_o   (bad_hdr[p]),
      .bad_crc_o   (bad_crc[p]),
      .out_o       (out[p]),
      .out_name_o  (out_name[8*p +: 8]),
      .in_o        (in[p]),
      .in_name_o   (in_name[8*p +: 8])
    );
  end

  tern_router #(.DataW(DataW), .Ports(Ports)) u_router (
    .clk_i, .rst_ni, .node_i, .dims_i,
    .in_req_i   (req),
    .in_owed_i  (owed),
    .in_req_vn_i(req_vn),
    .in_req_dl_i(req_dl),
    .in_able_o  (able),
    .in_grant_o (grant),
    .in_valid_i (pk_valid),
    .in_ready_o (pk_ready),
    .in_sop_i   (pk_sop),
    .in_eop_i   (pk_eop),
    .in_err_i   (pk_err),
    .in_vn_i    (pk_vn),
    .in_dl_i    (pk_dl),
    .in_data_i  (pk_data),
    .out_valid_o(o_valid),
    .out_near_o (o_near),
    .out_ready_i(o_ready),
    .out_sop_o  (o_sop),
    .out_eop_o  (o_eop),
    .out_err_o  (o_err),
    .out_vn_o   (o_vn),
    .out_dl_o   (o_dl),
    .out_data_o (o_data),
    .out_room_i (room),
    .weight_i   (weight),
    .origins_o  (origins),
    .tx_valid_i, .tx_ready_o, .tx_more_o, .tx_sop_i, .tx_eop_i, .tx_self_i, .tx_vn_i,
    .tx_data_i, .tx_again_o,
    .ack_valid_i, .ack_ready_o, .ack_more_o, .ack_sop_i, .ack_eop_i, .ack_data_i,
    .rx_valid_o, .rx_ready_i, .rx_sop_o, .rx_eop_o, .rx_err_o, .rx_vn_o, .rx_data_o,
    .rx_vn_ready_i,
    .fwd_o      (fwd)
  );

  tern_net_regs #(.Ports(Ports)) u_regs (
    .clk_i, .rst_ni,
    .mm_valid_i, .mm_we_i, .mm_addr_i, .mm_wdata_i, .mm_ready_o, .mm_rvalid_o, .mm_rdata_o,
    .up_i        (link_up_o),
    .why_i       (why),
    .force_down_o(force_down),
    .drop_i      (drop),
    .bad_crc_i   (bad_crc),
    .good_i      (good)
  );

  tern_net_event #(.Ports(Ports)) u_event (
    .clk_i, .rst_ni,
    .rose_i    (rose),
    .fell_i    (fell),
    .why_i     (why),
    .ev_valid_o(ev_link_valid_o),
    .ev_ready_i(ev_link_ready_i),
    .ev_o      (ev_link_o)
  );

  tern_net_lane #(.Ports(Ports)) u_out_lane (
    .clk_i, .rst_ni, .pulse_i(out), .name_i(out_name),
    .valid_o(tr_link_out_o), .id_o(tr_link_out_id_o)
  );
  tern_net_lane #(.Ports(Ports)) u_in_lane (
    .clk_i, .rst_ni, .pulse_i(in), .name_i(in_name),
    .valid_o(tr_link_in_o), .id_o(tr_link_in_id_o)
  );

  // ----------------------------------------------------------------- statistics
  logic [11:0]        counts;
  logic [6*Ports-1:0] pulses;
  assign pulses = {sent, fell, drop, fwd, bad_crc, bad_hdr};
  assign {st_link_sent_o, st_link_down_o, st_down_drop_o, st_fwd_o, st_link_bad_crc_o,
          st_link_bad_hdr_o} = counts;
  for (genvar i = 0; i < 6; i++) begin : g_sum
    tern_net_sum #(.Ports(Ports)) u_sum (
      .clk_i, .rst_ni, .pulse_i(pulses[Ports*i +: Ports]), .count_o(counts[2*i +: 2])
    );
  end

endmodule

`default_nettype wire
