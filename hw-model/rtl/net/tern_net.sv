// SPDX-License-Identifier: Apache-2.0
// The network side of a node: two links, the ring router, their registers, events and trace.
//
// Wiring only.  Wire inputs are flopped outside.  From a first beat at the flopped input to the first
// beat on the next wire: 4 cycles with 64-bit beats, 5 with 32-bit ones.
// LINK_OUT pulses two cycles after the first beat at the wire output (32-bit beats: six), LINK_IN five
// (nine) cycles after the first beat at the input pin: with the word that names the operation.
`default_nettype none

module tern_net #(
  parameter int unsigned DataW       = 64,
  parameter int unsigned Ports       = 2,
  parameter int unsigned MaxPayload  = 512,
  parameter int unsigned BufWords    = 512,
  parameter int unsigned CtlEvery    = 40,
  parameter int unsigned LinkTimeout = 256,
  parameter int unsigned LinkHold    = 4608
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            node_i,
  input  logic [15:0]            dims_i,
  // wires
  output logic [Ports-1:0]       ltx_valid_o,
  output logic [2*Ports-1:0]     ltx_kind_o,
  output logic [Ports*DataW-1:0] ltx_data_o,
  input  logic [Ports-1:0]       lrx_valid_i,
  input  logic [2*Ports-1:0]     lrx_kind_i,
  input  logic [Ports*DataW-1:0] lrx_data_i,
  // packets of this node
  input  logic                   tx_valid_i,
  output logic                   tx_ready_o,
  input  logic                   tx_sop_i,
  input  logic                   tx_eop_i,
  input  logic [1:0]             tx_vn_i,
  input  logic [DataW-1:0]       tx_data_i,
  input  logic                   ack_valid_i,
  output logic                   ack_ready_o,
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

  if (Ports != 2) begin : g_ports
    $error("a ring router has two ports");
  end

  logic [1:0]         force_down, rose, fell;
  logic [1:0]         o_valid, o_ready, o_sop, o_eop, o_err;
  logic [3:0]         o_vn;
  logic [2*DataW-1:0] o_data;
  logic [5:0]         room, enter;
  logic [1:0]         req, req_here, grant, pk_valid, pk_ready, pk_sop, pk_eop, pk_err;
  logic [3:0]         req_vn, pk_vn;
  logic [2*DataW-1:0] pk_data;
  logic [1:0]         sent, drop, good, bad_hdr, bad_crc, out, in, fwd;
  logic [15:0]        out_name, in_name;

  for (genvar p = 0; p < 2; p++) begin : g_link
    tern_link #(
      .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords), .CtlEvery(CtlEvery),
      .LinkTimeout(LinkTimeout), .LinkHold(LinkHold)
    ) u_link (
      .clk_i, .rst_ni,
      .dims_i      (dims_i[14:0]),
      .node_i      (node_i[14:0]),
      .force_down_i(force_down[p]),
      .up_o        (link_up_o[p]),
      .rose_o      (rose[p]),
      .fell_o      (fell[p]),
      .tx_valid_i  (o_valid[p]),
      .tx_ready_o  (o_ready[p]),
      .tx_sop_i    (o_sop[p]),
      .tx_eop_i    (o_eop[p]),
      .tx_err_i    (o_err[p]),
      .tx_vn_i     (o_vn[2*p +: 2]),
      .tx_data_i   (o_data[DataW*p +: DataW]),
      .room_o      (room[3*p +: 3]),
      .enter_o     (enter[3*p +: 3]),
      .room_on_i   (room[3*(1 - p) +: 3]),
      .room_here_i (rx_vn_ready_i),
      .req_o       (req[p]),
      .req_here_o  (req_here[p]),
      .req_vn_o    (req_vn[2*p +: 2]),
      .grant_i     (grant[p]),
      .pk_ready_i  (pk_ready[p]),
      .pk_valid_o  (pk_valid[p]),
      .pk_sop_o    (pk_sop[p]),
      .pk_eop_o    (pk_eop[p]),
      .pk_err_o    (pk_err[p]),
      .pk_vn_o     (pk_vn[2*p +: 2]),
      .pk_data_o   (pk_data[DataW*p +: DataW]),
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

  tern_router #(.DataW(DataW)) u_router (
    .clk_i, .rst_ni, .node_i, .dims_i,
    .in_req_i   (req),
    .in_here_i  (req_here),
    .in_req_vn_i(req_vn),
    .in_grant_o (grant),
    .in_valid_i (pk_valid),
    .in_ready_o (pk_ready),
    .in_sop_i   (pk_sop),
    .in_eop_i   (pk_eop),
    .in_err_i   (pk_err),
    .in_vn_i    (pk_vn),
    .in_data_i  (pk_data),
    .out_valid_o(o_valid),
    .out_ready_i(o_ready),
    .out_sop_o  (o_sop),
    .out_eop_o  (o_eop),
    .out_err_o  (o_err),
    .out_vn_o   (o_vn),
    .out_data_o (o_data),
    .out_enter_i(enter),
    .tx_valid_i, .tx_ready_o, .tx_sop_i, .tx_eop_i, .tx_vn_i, .tx_data_i,
    .ack_valid_i, .ack_ready_o, .ack_sop_i, .ack_eop_i, .ack_data_i,
    .rx_valid_o, .rx_ready_i, .rx_sop_o, .rx_eop_o, .rx_err_o, .rx_vn_o, .rx_data_o,
    .rx_vn_ready_i,
    .fwd_o      (fwd)
  );

  tern_net_regs u_regs (
    .clk_i, .rst_ni,
    .mm_valid_i, .mm_we_i, .mm_addr_i, .mm_wdata_i, .mm_ready_o, .mm_rvalid_o, .mm_rdata_o,
    .up_i        (link_up_o),
    .force_down_o(force_down),
    .drop_i      (drop),
    .bad_crc_i   (bad_crc),
    .good_i      (good)
  );

  tern_net_event u_event (
    .clk_i, .rst_ni,
    .rose_i    (rose),
    .fell_i    (fell),
    .ev_valid_o(ev_link_valid_o),
    .ev_ready_i(ev_link_ready_i),
    .ev_o      (ev_link_o)
  );

  tern_net_lane u_out_lane (
    .clk_i, .rst_ni, .pulse_i(out), .name_i(out_name),
    .valid_o(tr_link_out_o), .id_o(tr_link_out_id_o)
  );
  tern_net_lane u_in_lane (
    .clk_i, .rst_ni, .pulse_i(in), .name_i(in_name),
    .valid_o(tr_link_in_o), .id_o(tr_link_in_id_o)
  );

  // Two ports may count in one cycle.
  always_ff @(posedge clk_i) begin
    st_link_bad_hdr_o <= {bad_hdr == 2'b11, ^bad_hdr};
    st_link_bad_crc_o <= {bad_crc == 2'b11, ^bad_crc};
    st_fwd_o          <= {fwd == 2'b11, ^fwd};
    st_down_drop_o    <= {drop == 2'b11, ^drop};
    st_link_down_o    <= {fell == 2'b11, ^fell};
    st_link_sent_o    <= {sent == 2'b11, ^sent};
  end

endmodule

`default_nettype wire
