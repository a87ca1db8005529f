// SPDX-License-Identifier: Apache-2.0
// One link port: transmitter, receiver, and the state of the link. Wiring only.
`default_nettype none

module tern_link #(
  parameter int unsigned DataW       = 64,
  parameter int unsigned MaxPayload  = 512,
  parameter int unsigned BufWords    = 512,
  parameter int unsigned TimeoutTicks = 8,
  parameter int unsigned HoldTicks   = 128,
  parameter int unsigned Port        = 0,
  parameter int unsigned Ports       = 2,
  parameter bit          Held        = 1'b0   // ltx_hold_i is used; beats may be late, and the link
                                              // is silent for as long as many of them are lost
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               tick_i,       // control words may delay packets now; same for all
                                           // links of a node
  input  logic [15:0]        dims_i,
  input  logic [14:0]        node_i,
  input  logic               force_down_i,
  output logic               up_o,
  output logic               rose_o,
  output logic               fell_o,
  output logic [1:0]         why_o,        // LINK_BROKE_*; from fell_o to the next fall
  // packets to the wire
  input  logic               tx_valid_i,
  input  logic               tx_near_i,    // early tx_valid_i: high whenever that is
  output logic               tx_ready_o,
  input  logic               tx_sop_i,
  input  logic               tx_eop_i,
  input  logic               tx_err_i,
  input  logic [1:0]         tx_vn_i,
  input  logic               tx_dl_i,      // with the first beat
  input  logic [DataW-1:0]   tx_data_i,
  output logic [5:0]         room_o,       // per channel: a whole packet may start
  input  logic [5:0]         origins_i,    // nodes whose packets leave here, for the peer
  output logic [5:0]         weight_o,     // the same, as the peer reports it
  // packets from the wire: the one that may go next, and the one that goes
  output logic               req_o,
  output logic [Ports:0]     owed_o,       // copies, by output; the top one is the node
  output logic [1:0]         req_vn_o,
  output logic               req_dl_o,
  input  logic               able_i,       // some of the copies may be granted
  input  logic [Ports:0]     grant_i,      // from the next cycle on, until the last beat moved
  input  logic               pk_ready_i,
  output logic               pk_valid_o,
  output logic               pk_sop_o,
  output logic               pk_eop_o,
  output logic               pk_err_o,
  output logic [1:0]         pk_vn_o,
  output logic               pk_dl_o,
  output logic [DataW-1:0]   pk_data_o,
  // wire
  input  logic               ltx_hold_i,   // see tern_link_tx
  output logic               ltx_valid_o,
  output logic [1:0]         ltx_kind_o,
  output logic [DataW-1:0]   ltx_data_o,
  input  logic               lrx_valid_i,
  input  logic [1:0]         lrx_kind_i,
  input  logic [DataW-1:0]   lrx_data_i,
  // statistics, trace
  output logic               sent_o,
  output logic               drop_o,
  output logic               good_o,
  output logic               bad_hdr_o,
  output logic               bad_crc_o,
  output logic               out_o,
  output logic [7:0]         out_name_o,
  output logic               in_o,
  output logic [7:0]         in_name_o
);

  logic [1:0]  broken;
  logic        heard, ctl_valid, ctl_heard, ctl_nak, got, miss;
  logic [2:0]  ctl_ch, tell_ch;
  logic [5:0]  ctl_freed, freed, news, ctl_ack, ack;

  tern_link_state #(
    .TimeoutTicks(Held ? 8 * TimeoutTicks : TimeoutTicks), .HoldTicks(HoldTicks)
  ) u_state (
    .clk_i, .rst_ni, .tick_i, .force_down_i,
    .broken_i   (broken),
    .ctl_valid_i(ctl_valid),
    .ctl_heard_i(ctl_heard),
    .up_o,
    .heard_o    (heard),
    .rose_o, .fell_o, .why_o
  );

  tern_link_tx #(
    .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords)
  ) u_tx (
    .clk_i, .rst_ni, .tick_i,
    .valid_i(tx_valid_i), .near_i(tx_near_i), .ready_o(tx_ready_o),
    .sop_i(tx_sop_i), .eop_i(tx_eop_i), .err_i(tx_err_i), .vn_i(tx_vn_i), .dl_i(tx_dl_i),
    .data_i(tx_data_i), .room_o, .origins_i,
    .up_i       (up_o),
    .heard_i    (heard),
    .ctl_valid_i(ctl_valid),
    .ctl_ch_i   (ctl_ch),
    .ctl_freed_i(ctl_freed),
    .ctl_ack_i  (ctl_ack),
    .ctl_nak_i  (ctl_nak),
    .news_i     (news),
    .tell_ch_o  (tell_ch),
    .freed_i    (freed),
    .ack_i      (ack),
    .got_i      (got),
    .miss_i     (miss),
    .hold_i     (Held && ltx_hold_i),
    .ltx_valid_o, .ltx_kind_o, .ltx_data_o,
    .sent_o, .drop_o,
    .named_o(out_o), .name_o(out_name_o)
  );

  tern_link_rx #(
    .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords), .Port(Port), .Ports(Ports)
  ) u_rx (
    .clk_i, .rst_ni,
    .up_i       (up_o),
    .dims_i, .node_i,
    .lrx_valid_i, .lrx_kind_i, .lrx_data_i,
    .ctl_valid_o(ctl_valid),
    .ctl_ch_o   (ctl_ch),
    .ctl_freed_o(ctl_freed),
    .ctl_heard_o(ctl_heard),
    .ctl_ack_o  (ctl_ack),
    .ctl_nak_o  (ctl_nak),
    .weight_o,
    .ack_o      (ack),
    .got_o      (got),
    .miss_o     (miss),
    .req_o, .owed_o, .req_vn_o, .req_dl_o, .able_i, .grant_i,
    .pk_ready_i, .pk_valid_o, .pk_sop_o, .pk_eop_o, .pk_err_o, .pk_vn_o, .pk_dl_o, .pk_data_o,
    .news_o     (news),
    .tell_ch_i  (tell_ch),
    .freed_o    (freed),
    .good_o, .bad_hdr_o, .bad_crc_o,
    .broken_o   (broken),
    .named_o(in_o), .name_o(in_name_o)
  );

endmodule

`default_nettype wire
