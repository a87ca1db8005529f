// SPDX-License-Identifier: Apache-2.0
// Second half of transmission: takes packet records in order, emits each as header, payload, trailer.
//
// One beat a cycle and no gap between packets whose payload is there; first beat one cycle after the
// record shows. A stalled beat is held. Reports to the operation table: start with the first record
// of a message, sent with the last beat of a packet, end with the last record. A packet whose host
// read failed is left out, as is the rest of its message, which ends with HOST_FAULT.

`default_nettype none

module tern_tx_send #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned RecW       = 171,
  parameter int unsigned Bufs       = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,

  input  logic             rec_valid_i,
  input  logic [RecW-1:0]  rec_i,          // fields: see tern_tx_front
  output logic             rec_pop_o,
  input  logic             last_pushed_i,  // the front ended a message this cycle
  output logic             abort_o,        // the message the front works on has failed

  input  logic             buf_ready_i,
  input  logic             buf_err_i,
  output logic             ren_o,
  output logic             inl_o,
  output logic [$clog2(MaxPayload*8/DataW)-1:0] word_o,
  input  logic [DataW-1:0] rdata_i,

  output logic             txo_start_o,
  output logic             txo_sent_o,
  output logic             txo_end_o,
  output logic [7:0]       txo_op_o,
  output logic             txo_ack_o,
  output logic             txo_notify_o,
  output logic [7:0]       txo_status_o,
  input  logic [7:0]       txo_gen_i,

  output logic             tx_valid_o,
  input  logic             tx_ready_i,
  output logic             tx_sop_o,
  output logic             tx_eop_o,
  output logic [1:0]       tx_vn_o,
  output logic [DataW-1:0] tx_data_o,

  output logic             tr_sop_o,
  output logic [15:0]      tr_sop_id_o,
  output logic             st_pkt_o,
  output logic [10:0]      st_bytes_o
);

  localparam int unsigned HdrBeats = 256 / DataW;
  localparam int unsigned TrlBeats = 64 / DataW;
  localparam int unsigned Lanes    = DataW / 8;
  localparam int unsigned LaneW    = $clog2(Lanes);
  localparam int unsigned WordW    = $clog2(MaxPayload * 8 / DataW);
  localparam int unsigned BeatW    = WordW + 2;

  // ---------------------------------------------------------------- the record at the head
  logic        first, last, no_packet, inl, ack, notify;
  logic [7:0]  status, ptype, flags, incarnation, op;
  logic [1:0]  vn;
  logic [15:0] dst, opid;
  logic [10:0] bytes;
  logic [31:0] key;
  logic [63:0] addr;
  assign {first, last, no_packet, inl, status, ptype, flags, vn, incarnation, dst, bytes, op, ack,
          notify, key, addr} = rec_i;
  assign opid = op == 8'(tern_abi_pkg::OP_NONE) ? {8'h00, op} : {txo_gen_i, op};

  logic [255:0] header;
  always_comb begin
    header = '0;
    header[tern_abi_pkg::PKT_TYPE_LSB        +: 8]  = ptype;
    header[tern_abi_pkg::PKT_FLAGS_LSB       +: 8]  = flags;
    header[tern_abi_pkg::PKT_INCARNATION_LSB +: 8]  = incarnation;
    header[tern_abi_pkg::PKT_VERSION_LSB     +: 4]  = 4'(tern_abi_pkg::PKT_VERSION);
    header[tern_abi_pkg::PKT_VN_LSB          +: 2]  = vn;
    header[tern_abi_pkg::PKT_DST_LSB         +: 15] = dst[14:0];
    header[tern_abi_pkg::PKT_WORDS_LSB       +: 8]  = 8'((12'(bytes) + 12'd47) >> 3);
    header[tern_abi_pkg::PKT_SRC_LSB         +: 16] = node_i;
    header[tern_abi_pkg::PKT_LENGTH_LSB      +: 11] = bytes;
    header[tern_abi_pkg::PKT_OPID_LSB        +: 16] = opid;
    header[tern_abi_pkg::PKT_KEY_LSB         +: 32] = key;
    header[tern_abi_pkg::PKT_ADDR_LSB        +: 64] = addr;
    header[tern_abi_pkg::PKT_COUNTER_LSB     +: 16] = 16'(tern_abi_pkg::COUNTER_NONE);
  end

  // ---------------------------------------------------------------- which beat comes next
  // Counted so that the first payload beat is number 0: the header comes before, from -HdrBeats.
  localparam int unsigned      HdrW  = $clog2(HdrBeats);
  localparam logic [BeatW-1:0] Start = BeatW'(0) - BeatW'(HdrBeats);
  logic [BeatW-1:0] beat_q, pay_beats;
  logic             go, skip, step, in_header, in_payload, at_first, at_last, message_bad_q, bad;

  assign pay_beats  = BeatW'((12'(bytes) + 12'd7) >> 3) * BeatW'(TrlBeats);
  assign in_header  = &beat_q[BeatW-1:HdrW];
  assign in_payload = !in_header && beat_q < pay_beats;
  assign go         = rec_valid_i && buf_ready_i;
  assign bad        = buf_err_i || (message_bad_q && !first);
  assign skip       = no_packet || bad;
  // A record without a packet takes two steps, start and end, and no place on the stream.
  assign step       = go && (skip || !tx_valid_o || tx_ready_i);
  assign at_first   = beat_q == Start;
  assign at_last    = beat_q == (skip ? Start + 1'b1 : pay_beats | BeatW'(TrlBeats - 1));
  assign rec_pop_o  = step && at_last;

  assign ren_o  = step && !skip && in_payload;
  assign inl_o  = inl;
  assign word_o = beat_q[WordW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q        <= Start;
      message_bad_q <= 1'b0;
    end else if (step) begin
      beat_q        <= at_last ? Start : beat_q + 1'b1;
      message_bad_q <= bad && !(at_last && last);
    end
  end

  // ---------------------------------------------------------------- reports
  assign txo_start_o  = step && at_first && first;
  assign txo_sent_o   = rec_pop_o && !skip;
  assign txo_end_o    = rec_pop_o && last;
  assign txo_op_o     = op;
  assign txo_ack_o    = ack;
  assign txo_notify_o = notify;
  assign txo_status_o = bad ? tern_abi_pkg::ST_HOST_FAULT : status;
  assign st_pkt_o     = txo_sent_o;
  assign st_bytes_o   = txo_sent_o ? bytes : '0;

  // Ends of messages that still wait here: while there is none, the front is in this very message.
  logic [$clog2(Bufs):0] ends_q;
  assign abort_o = message_bad_q && ends_q == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ends_q <= '0;
    else ends_q <= ends_q + ($clog2(Bufs)+1)'(last_pushed_i) - ($clog2(Bufs)+1)'(txo_end_o);
  end

  // ---------------------------------------------------------------- the beat on the stream
  localparam logic [1:0] IsHeader = 2'd0, IsPayload = 2'd1, IsCrc = 2'd2, IsZero = 2'd3;
  logic [1:0]       kind_q;
  logic [DataW-1:0] head_q, masked;
  logic [Lanes-1:0] keep_q, keep;
  logic [BeatW-1:0] whole;               // beats all of payload
  logic [31:0]      crc;

  // Bytes past the payload are padding, and zero.
  assign whole = BeatW'(bytes >> LaneW);
  assign keep  = beat_q < whole ? '1 : beat_q == whole ? ~({Lanes{1'b1}} << bytes[LaneW-1:0]) : '0;
  for (genvar b = 0; b < Lanes; b++) begin : g_keep
    assign masked[8*b +: 8]   = keep_q[b] ? rdata_i[8*b +: 8] : 8'h00;
  end

  always_ff @(posedge clk_i) begin
    if (step && !skip) begin
      head_q   <= header[beat_q[HdrW-1:0]*DataW +: DataW];
      keep_q   <= keep;
      kind_q   <= in_header ? IsHeader : in_payload ? IsPayload : beat_q == pay_beats ? IsCrc : IsZero;
      tx_sop_o <= at_first;
      tx_eop_o <= at_last;
      tx_vn_o  <= vn;
    end
    tr_sop_id_o <= opid;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_valid_o <= 1'b0;
      tr_sop_o   <= 1'b0;
    end else begin
      tx_valid_o <= (step && !skip) || (tx_valid_o && !tx_ready_i);
      tr_sop_o   <= step && !skip && at_first;
    end
  end

  // Of the words that routers change only the destination is covered.
  localparam logic [DataW-1:0] Routed = DataW'(15'h7fff);
  logic unused_dst;
  assign unused_dst = dst[15];
  tern_e2e_crc #(.DataW(DataW)) u_crc (
    .clk_i, .en_i(tx_valid_o && tx_ready_i && (kind_q == IsHeader || kind_q == IsPayload)),
    .first_i(tx_sop_o), .data_i(tx_sop_o ? tx_data_o & Routed : tx_data_o), .crc_o(crc)
  );

  always_comb begin
    case (kind_q)
      IsHeader:  tx_data_o = head_q;
      IsPayload: tx_data_o = masked;
      IsCrc:     tx_data_o = DataW'(crc);
      default:   tx_data_o = '0;
    endcase
  end

  // A stalled beat neither vanishes nor changes; a failed message never reaches the stream again.
  logic             stalled_q;
  logic [DataW-1:0] held_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && tx_valid_o && !tx_ready_i;
    held_q    <= tx_data_o;
    if (rst_ni && stalled_q) BeatHeld: assert (tx_valid_o && tx_data_o == held_q);
    if (rst_ni) EndsBounded: assert (ends_q <= ($clog2(Bufs)+1)'(Bufs));
  end

endmodule

`default_nettype wire
