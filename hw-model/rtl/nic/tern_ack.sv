// SPDX-License-Identifier: Apache-2.0
// Sends ACK packets: header and trailer on VN_ACK for each answer that tern_rx requests.
//
// The word of an atomic operation enters the header beat by beat: `word_next_o` asks for the beat
// after the one at `word_i`.
//
// One answer at a time. Its first beat is ready two cycles after the request; the packet leaves as
// fast as the router takes it. The CRC is computed while the header passes. A stalled beat is held
// unchanged. An ACK carries no incarnation: the generation in the operation id already
// distinguishes a late answer.

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
  input  logic             ra_final_i,  // no other answer to the operation follows
  input  logic             ra_word_i,
  input  logic [DataW-1:0] word_i,
  output logic             word_next_o,

  output logic             ack_valid_o,
  input  logic             ack_ready_i,
  input  logic             ack_more_i,   // early ack_ready_i, valid after the second beat
  output logic             ack_sop_o,
  output logic             ack_eop_o,
  output logic [DataW-1:0] ack_data_o,

  output logic             st_tx_ack_o,
  output logic             st_tx_nak_o
);

  localparam int unsigned HdrBeats = 256 / DataW;
  localparam int unsigned Beats    = HdrBeats + 64 / DataW;

  logic         load, step, last, ends, take, valid_q;
  logic [14:0]  dst_q;
  logic [15:0]  opid_q;
  logic [7:0]   status_q;
  logic         busy_q, final_q, imm_q;
  // the beat being prepared, while the one before is on the stream
  logic [3:0]   next_q;

  assign step = valid_q && ack_ready_i;
  assign last = next_q == 4'(Beats);
  assign ends = valid_q && ack_more_i && last;
  assign take = busy_q && (!valid_q || ack_ready_i);
  assign load = ra_valid_i && !busy_q;
  assign ra_ready_o = !busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ends) busy_q <= 1'b0;
    else if (load)                 busy_q <= 1'b1;
    if (load) {dst_q, opid_q, status_q, final_q, imm_q} <=
        {ra_dst_i[14:0], ra_opid_i, ra_status_i, ra_final_i, ra_word_i};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ends) valid_q <= 1'b0;
    else if (take)                 valid_q <= 1'b1;
    if (!busy_q)   next_q <= '0;
    else if (take) next_q <= next_q + 1'b1;
  end

  logic         unused;
  assign unused = ra_dst_i[15];

  logic [255:0] header;
  always_comb begin
    header = '0;
    header[tern_abi_pkg::PKT_TYPE_LSB    +: 8]  = tern_abi_pkg::PTYPE_ACK;
    header[tern_abi_pkg::PKT_FLAGS_LSB   +: 8]  = (final_q ? 8'(tern_abi_pkg::PFLAG_LAST) : 8'd0) |
                                                  (imm_q ? 8'(tern_abi_pkg::PFLAG_IMM) : 8'd0);
    header[tern_abi_pkg::PKT_VERSION_LSB +: 4]  = 4'(tern_abi_pkg::PKT_VERSION);
    header[tern_abi_pkg::PKT_VN_LSB      +: 2]  = 2'(tern_abi_pkg::VN_ACK);
    header[tern_abi_pkg::PKT_DST_LSB     +: 15] = dst_q;
    header[tern_abi_pkg::PKT_WORDS_LSB   +: 8]  = 8'd5;
    header[tern_abi_pkg::PKT_SRC_LSB     +: 16] = node_i;
    header[tern_abi_pkg::PKT_OPID_LSB    +: 16] = opid_q;
    header[tern_abi_pkg::PKT_KEY_LSB     +: 8]  = status_q;
    header[tern_abi_pkg::PKT_NUMBER_LSB +: 16] = 16'(tern_abi_pkg::PKT_UNNUMBERED);
  end

  // ---------------------------------------------------------------- the packet
  localparam int unsigned AddrBeat = tern_abi_pkg::PKT_ADDR_LSB / DataW;
  logic [DataW-1:0] word, word_q, imm_word_q;
  logic [31:0]      crc;
  logic             crc_now;

  // Taken one beat ahead, and 0 elsewhere; never while the first beat still waits.
  assign word_next_o = busy_q && (!valid_q || ack_more_i) && imm_q && next_q >= 4'(AddrBeat - 1) &&
      next_q < 4'(AddrBeat + 64 / DataW - 1);
  always_ff @(posedge clk_i) begin
    if ((take || !busy_q) && !word_next_o) imm_word_q <= '0;
    else if (word_next_o)                  imm_word_q <= word_i;
  end

  always_comb begin
    word = imm_word_q;
    for (int i = 0; i < HdrBeats; i++) if (next_q == 4'(i)) word = word | header[DataW*i +: DataW];
  end

  always_ff @(posedge clk_i) begin
    if (take) word_q <= word;
  end

  assign crc_now     = next_q == 4'(HdrBeats + 1);
  assign ack_valid_o = valid_q;
  assign ack_sop_o   = next_q == 4'd1;
  assign ack_eop_o   = last;

  always_comb begin
    ack_data_o = word_q;
    ack_data_o[31:0] = word_q[31:0] | (crc & {32{crc_now}});
  end

  // Of the words that routers change, the CRC covers only the destination. The rest of word 0 is
  // constant and counts as 0: the CRC's start value compensates for it.
  localparam logic [31:0] Start =
      ~((32'(tern_abi_pkg::VN_ACK) << tern_abi_pkg::PKT_VN_LSB) |
        (32'd5 << tern_abi_pkg::PKT_WORDS_LSB));

  if (DataW == 64) begin : g_crc64
    logic [31:0] crc_q;
    assign crc = ~crc_q;
    always_ff @(posedge clk_i) begin
      if (!busy_q)               crc_q <= Start;
      else if (step && !crc_now) crc_q <= tern_abi_pkg::crc32c_64(crc_q, word_q);
    end
  end else begin : g_crc32
    logic [31:0] run;
    assign crc = ~run;
    tern_crc_run #(.Start(Start)) u_crc (
      .clk_i, .clear_i(!busy_q), .en_i(take), .data_i(word), .run_o(run)
    );
  end

  assign st_tx_ack_o = ends && status_q == tern_abi_pkg::ST_OK;
  assign st_tx_nak_o = ends && status_q != tern_abi_pkg::ST_OK;

  // A stalled beat neither vanishes nor changes; the CRC covers the whole header.
  logic             stalled_q;
  logic [DataW-1:0] held_q;
  logic [31:0]      want;
  logic [63:0]      imm_said_q;
  always_comb begin
    want = '1;
    for (int i = 0; i < 8; i++)
      want = tern_abi_pkg::crc32c_32(want, i == 0 ? 32'(dst_q) : i == 4 ? imm_said_q[31:0] :
                                           i == 5 ? imm_said_q[63:32] : header[32*i +: 32]);
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q)          imm_said_q <= '0;
    else if (word_next_o) imm_said_q <= 64'({word_i, imm_said_q} >> DataW);
    stalled_q <= rst_ni && ack_valid_o && !ack_ready_i;
    held_q    <= ack_data_o;
    if (rst_ni) EndsInTime: assert (ends == (step && last));
    if (rst_ni) WordInTime: assert (!(take && imm_q && !word_next_o && next_q >= 4'(AddrBeat - 1) &&
                                      next_q < 4'(AddrBeat + 64 / DataW - 1)));
    if (rst_ni && stalled_q) BeatHeld: assert (ack_valid_o && ack_data_o == held_q);
    if (rst_ni && step && crc_now) CrcReady: assert (crc == ~want);
  end

endmodule

`default_nettype wire
