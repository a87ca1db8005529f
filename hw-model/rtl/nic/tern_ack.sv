// SPDX-License-Identifier: Apache-2.0
// Sends ACK packets: one header and a trailer on VN_ACK for each answer that tern_rx asks for.
//
// 16 answers wait here. The CRC is reckoned first, two bytes a cycle, then the packet leaves: an
// ack takes 22 to 27 cycles, less than the firmware takes for a put. A stalled beat is held unchanged. An ACK
// carries no incarnation: the generation in the operation id already tells a late answer from a fresh
// one.

`default_nettype none

module tern_ack #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,

  input  logic             ra_valid_i,
  output logic [4:0]       ra_space_o,    // answers that fit
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

  logic         waiting, load, step, last, in_header;
  logic [39:0]  answer;
  logic [15:0]  dst_q, opid_q;
  logic [7:0]   status_q;
  logic         busy_q, summed;
  logic [3:0]   beat_q;

  tern_fifo #(.Width(40), .Depth(16)) u_fifo (
    .clk_i, .rst_ni,
    .valid_i(ra_valid_i), .data_i({ra_dst_i, ra_opid_i, ra_status_i}),
    .valid_o(waiting), .ready_i(load), .data_o(answer), .space_o(ra_space_o),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign load = waiting && !busy_q;
  assign last = beat_q == 4'(Beats - 1);
  assign step = ack_valid_o && ack_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (step && last)) busy_q <= 1'b0;
    else if (load)                 busy_q <= 1'b1;
    if (load) {dst_q, opid_q, status_q} <= answer;
  end

  logic         unused;
  assign unused = dst_q[15];

  logic [255:0] header;
  always_comb begin
    header = '0;
    header[tern_abi_pkg::PKT_TYPE_LSB    +: 8]  = tern_abi_pkg::PTYPE_ACK;
    header[tern_abi_pkg::PKT_FLAGS_LSB   +: 8]  = 8'(tern_abi_pkg::PFLAG_LAST);
    header[tern_abi_pkg::PKT_VERSION_LSB +: 4]  = 4'(tern_abi_pkg::PKT_VERSION);
    header[tern_abi_pkg::PKT_VN_LSB      +: 2]  = 2'(tern_abi_pkg::VN_ACK);
    header[tern_abi_pkg::PKT_DST_LSB     +: 15] = dst_q[14:0];
    header[tern_abi_pkg::PKT_WORDS_LSB   +: 8]  = 8'd5;
    header[tern_abi_pkg::PKT_SRC_LSB     +: 16] = node_i;
    header[tern_abi_pkg::PKT_OPID_LSB    +: 16] = opid_q;
    header[tern_abi_pkg::PKT_KEY_LSB     +: 8]  = status_q;
    header[tern_abi_pkg::PKT_COUNTER_LSB +: 16] = 16'(tern_abi_pkg::COUNTER_NONE);
  end

  // ---------------------------------------------------------------- the CRC, two bytes a cycle
  // One choice of words serves the CRC first, then the packet. Of the words that routers change only
  // the destination is covered.
  localparam int unsigned LaneW = $clog2(DataW / 8);
  logic [4:0]         pair_q;
  logic [4-LaneW:0]   at;
  logic [DataW-1:0]   word;
  logic [15:0]        covered;
  logic [31:0]        crc_q, crc_half, crc_d;

  assign summed  = pair_q[4];
  assign at      = summed ? beat_q[4-LaneW:0] : pair_q[3:LaneW-1];
  assign covered = pair_q[3:0] == 4'd1 ? 16'd0 : word[16*pair_q[LaneW-2:0] +: 16];

  always_comb begin
    word = '0;
    for (int i = 0; i < HdrBeats; i++) if (at == (5-LaneW)'(i)) word = word | header[DataW*i +: DataW];
  end

  tern_crc32c_8 u_low (.c_i(crc_q[31:8]), .x_i(crc_q[7:0] ^ covered[7:0]), .y_o(crc_half));
  tern_crc32c_8 u_high (.c_i(crc_half[31:8]), .x_i(crc_half[7:0] ^ covered[15:8]), .y_o(crc_d));

  always_ff @(posedge clk_i) begin
    if (!busy_q || (step && last)) begin
      pair_q <= '0;
      crc_q  <= '1;
    end else if (!summed) begin
      pair_q <= pair_q + 1'b1;
      crc_q  <= crc_d;
    end
  end

  // ---------------------------------------------------------------- the packet
  assign in_header   = beat_q < 4'(HdrBeats);
  assign ack_valid_o = summed;
  assign ack_sop_o   = beat_q == '0;
  assign ack_eop_o   = last;

  always_comb begin
    ack_data_o = '0;
    if (in_header) ack_data_o = word;
    if (beat_q == 4'(HdrBeats)) ack_data_o[31:0] = ~crc_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   beat_q <= '0;
    else if (step) beat_q <= last ? '0 : beat_q + 1'b1;
  end

  assign st_tx_ack_o = step && last && status_q == tern_abi_pkg::ST_OK;
  assign st_tx_nak_o = step && last && status_q != tern_abi_pkg::ST_OK;

  // A stalled beat neither vanishes nor changes; the CRC is that of the whole header.
  logic             stalled_q;
  logic [DataW-1:0] held_q;
  logic [31:0]      want;
  always_comb begin
    want = '1;
    for (int i = 0; i < 8; i++)
      want = tern_abi_pkg::crc32c_32(want, i == 0 ? 32'(dst_q[14:0]) : header[32*i +: 32]);
  end
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && ack_valid_o && !ack_ready_i;
    held_q    <= ack_data_o;
    if (rst_ni && stalled_q) BeatHeld: assert (ack_valid_o && ack_data_o == held_q);
    if (rst_ni && step && !in_header) CrcReady: assert (crc_q == want);
    if (rst_ni && ra_valid_i) AnswerFits: assert (ra_space_o != '0);
  end

endmodule

`default_nettype wire
