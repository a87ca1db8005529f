// SPDX-License-Identifier: Apache-2.0
// Sends ACK packets: one header and a trailer on VN_ACK for each answer that tern_rx asks for.
//
// 16 answers wait here. One beat a cycle, packets back to back; first beat one cycle after the
// answer was taken. A stalled beat is held unchanged. An ACK carries no incarnation: the
// generation in the operation id already tells a late answer from a fresh one.

`default_nettype none

module tern_ack #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,

  input  logic             ra_valid_i,
  output logic             ra_ready_o,
  input  logic [15:0]      ra_dst_i,
  input  logic [15:0]      ra_opid_i,
  input  logic [7:0]       ra_status_i,

  output logic             ack_valid_o,
  input  logic             ack_ready_i,
  output logic             ack_sop_o,
  output logic             ack_eop_o,
  output logic [DataW-1:0] ack_data_o,

  output logic             st_tx_ack_o,
  output logic             st_tx_nak_o
);

  localparam int unsigned HdrBeats = 256 / DataW;
  localparam int unsigned Beats    = HdrBeats + 64 / DataW;

  logic [39:0]  answer;
  logic [15:0]  dst, opid;
  logic [7:0]   status;
  logic [255:0] header;
  logic [3:0]   beat_q;
  logic         step, last, in_header;
  logic [31:0]  crc;

  tern_fifo #(.Width(40), .Depth(16)) u_fifo (
    .clk_i, .rst_ni,
    .valid_i(ra_valid_i), .ready_o(ra_ready_o), .data_i({ra_dst_i, ra_opid_i, ra_status_i}),
    .valid_o(ack_valid_o), .ready_i(step && last), .data_o(answer),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign {dst, opid, status} = answer;

  always_comb begin
    header = '0;
    header[tern_abi_pkg::PKT_TYPE_LSB    +: 8]  = tern_abi_pkg::PTYPE_ACK;
    header[tern_abi_pkg::PKT_FLAGS_LSB   +: 8]  = 8'(tern_abi_pkg::PFLAG_LAST);
    header[tern_abi_pkg::PKT_VERSION_LSB +: 4]  = 4'(tern_abi_pkg::PKT_VERSION);
    header[tern_abi_pkg::PKT_VN_LSB      +: 2]  = 2'(tern_abi_pkg::VN_ACK);
    header[tern_abi_pkg::PKT_DST_LSB     +: 15] = dst[14:0];
    header[tern_abi_pkg::PKT_WORDS_LSB   +: 8]  = 8'd5;
    header[tern_abi_pkg::PKT_SRC_LSB     +: 16] = node_i;
    header[tern_abi_pkg::PKT_OPID_LSB    +: 16] = opid;
    header[tern_abi_pkg::PKT_KEY_LSB     +: 8]  = status;
    header[tern_abi_pkg::PKT_COUNTER_LSB +: 16] = 16'(tern_abi_pkg::COUNTER_NONE);
  end

  logic unused;
  assign unused = dst[15];

  assign in_header  = beat_q < 4'(HdrBeats);
  assign last       = beat_q == 4'(Beats - 1);
  assign step       = ack_valid_o && ack_ready_i;
  assign ack_sop_o  = beat_q == '0;
  assign ack_eop_o  = last;

  // Of the words that routers change only the destination is covered; box and payload are zero.
  tern_e2e_crc #(.DataW(DataW)) u_crc (
    .clk_i, .en_i(step && in_header), .first_i(ack_sop_o),
    .data_i(ack_sop_o ? ack_data_o & DataW'(15'h7fff) : ack_data_o), .crc_o(crc)
  );

  always_comb begin
    ack_data_o = '0;
    if (in_header)                     ack_data_o = header[beat_q[$clog2(HdrBeats)-1:0]*DataW +: DataW];
    else if (beat_q == 4'(HdrBeats))   ack_data_o[31:0] = crc;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   beat_q <= '0;
    else if (step) beat_q <= last ? '0 : beat_q + 1'b1;
  end

  assign st_tx_ack_o = step && last && status == tern_abi_pkg::ST_OK;
  assign st_tx_nak_o = step && last && status != tern_abi_pkg::ST_OK;

  // A stalled beat neither vanishes nor changes.
  logic             stalled_q;
  logic [DataW-1:0] held_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && ack_valid_o && !ack_ready_i;
    held_q    <= ack_data_o;
    if (rst_ni && stalled_q) BeatHeld: assert (ack_valid_o && ack_data_o == held_q);
  end

endmodule

`default_nettype wire
