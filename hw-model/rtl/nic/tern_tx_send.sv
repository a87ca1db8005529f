// SPDX-License-Identifier: Apache-2.0
// Second half of transmission: plays header and payload of the packet that tern_tx_pick chose, and
// adds generation and trailer.
//
// One beat a cycle, without a gap between packets whose payload is ready; the first beat comes two
// cycles after the record appears. Three pipeline stages stall together: the beat's address, the
// memory's answer, the stream. The sender never overtakes a header that is still being written.
// Reports to the operation table: `sent` with the last beat of a packet, `end` with the last
// record. A packet whose host read failed is left out, and so is the rest of its message, which
// ends with HOST_FAULT; a bit per slot records this until then. The bit changes one cycle after the
// record left, as the failure comes late in its cycle. The next record waits for the bit. The first
// step of a record decides whether it has a packet; the others, among them the last, know it.
//
// A packet wanted again (`tx_again_i`) keeps record and buffer and starts over without a gap; only
// its last pass is reported. Its last beat enters the first stage after at least two of its beats
// have moved; from then on the router has decided.

`default_nettype none

module tern_tx_send #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned RecW       = 24,
  parameter int unsigned Bufs       = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             rec_valid_i,
  input  logic [RecW-1:0]  rec_i,          // fields: see tern_tx_front
  output logic             rec_pop_o,
  input  logic [5:0]       front_slot_i,
  output logic             abort_o,        // the message in the front has failed

  input  logic [$clog2(Bufs)-1:0] send_buf_i,
  input  logic             head_busy_i,    // a header is being written, up to this beat
  input  logic [$clog2(Bufs)-1:0] head_buf_i,
  input  logic [$clog2(512/DataW)-1:0] head_beat_i,
  input  logic             buf_err_i,
  output logic             ren_o,
  output logic [$clog2(MaxPayload*8/DataW)-1:0] word_o,
  input  logic [DataW-1:0] rdata_head_i,
  input  logic [DataW-1:0] rdata_i,

  output logic             txo_sent_o,
  output logic             txo_end_o,
  output logic [7:0]       txo_op_o,
  output logic             txo_ack_o,
  output logic             txo_notify_o,
  output logic [7:0]       txo_status_o,
  input  logic [7:0]       txo_gen_i,

  output logic             tx_valid_o,
  input  logic             tx_ready_i,
  input  logic             tx_more_i,      // early tx_ready_i, valid after the second beat
  output logic             tx_sop_o,
  output logic             tx_eop_o,
  output logic [1:0]       tx_vn_o,
  output logic             tx_self_o,
  output logic [DataW-1:0] tx_data_o,
  input  logic             tx_again_i,

  output logic             tr_sop_o,
  output logic [15:0]      tr_sop_id_o,
  output logic             st_pkt_o,
  output logic [10:0]      st_bytes_o
);

  localparam int unsigned HdrBeats = 256 / DataW;
  localparam int unsigned Lanes    = DataW / 8;
  localparam int unsigned WordW    = $clog2(MaxPayload * 8 / DataW);
  localparam int unsigned HeadW    = $clog2(512 / DataW);
  localparam int unsigned GenLsb   = tern_abi_pkg::PKT_OPID_LSB + 8;

  // ---------------------------------------------------------------- the record at the head
  logic       reply, self, last, no_packet, inl, reads, ack, notify, empty;
  logic [1:0] kind;
  logic [5:0] op;
  logic [1:0] vn;
  logic [8:0] less;                        // payload bytes less one; without packet: status
  assign {reply, self, last, kind, ack, notify, vn, op, less} = rec_i;
  assign reads     = kind == 2'd0;
  assign inl       = kind == 2'd1;
  assign empty     = kind == 2'd2;
  assign no_packet = kind == 2'd3;

  // ------------------------------------------------------------ first stage: next beat
  // The first payload beat is number 0; the header has the numbers from -HdrBeats on.
  localparam logic [WordW-1:0] Start = WordW'(0) - WordW'(HdrBeats);
  // A typed constant: Yosys does not truncate a negative difference in a comparison.
  localparam logic [WordW-1:0] GenBeat = WordW'(GenLsb / DataW) - WordW'(HdrBeats);
  localparam int unsigned SlotW = $clog2(NumSlots);
  logic [NumSlots-1:0] bad_q;
  logic                failed_q;           // the record that just left belongs to a failed message
  logic                skip_q, had_bad_q;  // of the record that has begun
  logic [WordW-1:0] beat_q, pay_last;
  logic             header_q, trailer_q, second_q;
  logic             on, on_more, able, unwritten, skip, step, at_first, at_last, pay_end, bad, over;

  if (DataW == 64) begin : g_last64
    assign pay_last = less[8:3];
  end else begin : g_last32
    assign pay_last = {less[8:3], 1'b1};
  end

  assign on        = !tx_valid_o || tx_ready_i;
  assign on_more   = !tx_valid_o || tx_more_i;
  assign unwritten = head_busy_i && send_buf_i == head_buf_i && beat_q[HeadW-1:0] == head_beat_i;
  assign bad       = (reads && buf_err_i) || bad_q[op[SlotW-1:0]];
  assign skip      = no_packet || bad;
  // A record without a packet takes two steps, start and end, and no beat on the stream.
  assign able      = rec_valid_i && !failed_q && (skip || trailer_q || !unwritten);
  assign step      = able && on;
  assign at_first  = header_q && beat_q == Start;
  assign at_last   = skip_q || (trailer_q && (DataW == 64 || second_q));
  assign pay_end   = header_q ? &beat_q && empty : beat_q == pay_last;
  // The last beat is two behind the stream's.
  assign over      = rec_valid_i && on_more && at_last;
  assign rec_pop_o = over && (skip_q || !tx_again_i);

  // The memory is read before it is known whether the record has a packet: waiting for that would
  // make this path too long. Without a packet the second stage ignores the word.
  assign ren_o  = on && rec_valid_i && !trailer_q && !unwritten;
  assign word_o = beat_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || over) begin
      beat_q    <= Start;
      header_q  <= 1'b1;
      trailer_q <= 1'b0;
      second_q  <= 1'b0;
      skip_q    <= 1'b0;
    end else if (step) begin
      beat_q    <= beat_q + 1'b1;
      header_q  <= header_q && !(&beat_q);
      trailer_q <= trailer_q || pay_end;
      second_q  <= trailer_q;
      skip_q    <= skip;
    end
    if (step) had_bad_q <= bad;
  end

  // Unfinished messages of which a packet was left out, one cycle later.
  logic [NumSlots-1:0] left;               // the slot of the record that left, if it failed
  assign left    = {NumSlots{failed_q}} & (NumSlots'(1) << txo_op_o[SlotW-1:0]);
  assign abort_o = bad_q[front_slot_i[SlotW-1:0]];
  always_ff @(posedge clk_i) begin
    failed_q <= rst_ni && rec_pop_o && had_bad_q;
    bad_q    <= {NumSlots{rst_ni}} & (bad_q | left) & ~(left & {NumSlots{txo_end_o}});
  end

  // ---------------------------------------------------------------- reports, one cycle later
  logic sop_q;
  assign st_pkt_o = txo_sent_o;
  always_ff @(posedge clk_i) begin
    txo_sent_o   <= rst_ni && rec_pop_o && !skip_q;
    txo_end_o    <= rst_ni && rec_pop_o && last;
    sop_q        <= rst_ni && step && at_first && !skip;
    txo_op_o     <= {2'b00, op};
    txo_ack_o    <= ack;
    txo_notify_o <= notify;
    txo_status_o <= had_bad_q ? tern_abi_pkg::ST_HOST_FAULT :
                    no_packet ? less[7:0] : tern_abi_pkg::ST_OK;
    st_bytes_o   <= rec_pop_o && !skip_q && !empty ? 11'(less) + 11'd1 : '0;
    tr_sop_o     <= rst_ni && sop_q;
    tr_sop_id_o  <= {txo_gen_i, txo_op_o};
  end

  // ------------------------------------------------------------ second stage: the memory's answer
  // Padding after the payload is zero; so are the beats that the trailer replaces.
  logic             valid_q, stored_q, opid_q, crc_q, eop_q, begin_q;
  logic             self_q;
  logic [1:0]       vn_q;
  logic [Lanes-1:0] keep_q;

  // Payload lanes in the beat of the last 8-byte word.
  logic [7:0]       tail;
  logic [Lanes-1:0] tail_beat;
  assign tail      = ~(8'hfe << less[2:0]);
  assign tail_beat = DataW == 64 ? Lanes'(tail) : beat_q[0] ? Lanes'(tail >> 4) : Lanes'(tail);
  always_ff @(posedge clk_i) begin
    if (on) keep_q <= trailer_q ? '0 :
                      header_q || beat_q[WordW-1:WordW-6] != less[8:3] ? '1 : tail_beat;
  end

  always_ff @(posedge clk_i) begin
    if (on) begin
      stored_q <= header_q || inl;
      opid_q   <= header_q && beat_q == GenBeat && !reply;
      crc_q    <= trailer_q && !second_q;
      eop_q    <= at_last;
      begin_q  <= at_first;
      vn_q     <= vn;
      self_q   <= self;
    end
    if (!rst_ni) valid_q <= 1'b0;
    else if (on) valid_q <= step && !skip;
  end

  // ------------------------------------------------------------ third stage: the beat on the
  // stream
  logic [DataW-1:0] data_d, data_q, covered;
  logic [31:0]      crc;
  logic             way_q, is_crc_q;

  always_comb begin
`ifdef TERN_MODEL   // simulates faster: most beats are unchanged
    data_d = stored_q ? rdata_head_i : rdata_i;
    if (keep_q == '0) data_d = '0;
    else if (keep_q != '1) begin
      for (int l = 0; l < Lanes; l++) if (!keep_q[l]) data_d[8*l +: 8] = '0;
    end
    if (opid_q) data_d[GenLsb % DataW +: 8] = data_d[GenLsb % DataW +: 8] | txo_gen_i;
`else
    for (int l = 0; l < Lanes; l++)
      data_d[8*l +: 8] = {8{keep_q[l]}} & (stored_q ? rdata_head_i[8*l +: 8] : rdata_i[8*l +: 8]);
    data_d[GenLsb % DataW +: 8] = data_d[GenLsb % DataW +: 8] | (txo_gen_i & {8{opid_q}});
`endif
  end

  always_ff @(posedge clk_i) begin
    if (on) begin
      data_q    <= data_d;
      is_crc_q  <= crc_q;
      tx_sop_o  <= begin_q;
      tx_eop_o  <= eop_q;
      tx_vn_o   <= vn_q;
      tx_self_o <= self_q;
    end
    if (!rst_ni) tx_valid_o <= 1'b0;
    else if (on) tx_valid_o <= valid_q;
  end

  always_comb begin
    tx_data_o = data_q;
    tx_data_o[31:0] = data_q[31:0] | (crc & {32{is_crc_q}});
  end

  // Of words 0 and 1 the CRC covers only the destination, and in a broadcast not even that.
  always_comb begin
    covered = begin_q || way_q ? '0 : data_d;
    if (begin_q && !data_d[tern_abi_pkg::PKT_DEPOSIT_LSB])
      covered[tern_abi_pkg::PKT_DST_LSB +: 15] = data_d[tern_abi_pkg::PKT_DST_LSB +: 15];
  end

  if (DataW == 64) begin : g_crc64
    logic [63:0] covered_q;
    assign way_q = 1'b0;
    always_ff @(posedge clk_i) if (on) covered_q <= covered;
    tern_e2e_crc #(.DataW(64)) u_crc (
      .clk_i, .en_i(tx_valid_o && tx_ready_i && !tx_eop_o),
      .first_i(tx_sop_o), .data_i(covered_q), .crc_o(crc)
    );
  end else begin : g_crc32
    logic [31:0] run;
    always_ff @(posedge clk_i) if (on && valid_q) way_q <= begin_q;
    // The CRC's own beat is still 0 here; the CRC after it is not used.
    tern_crc_run u_crc (
      .clk_i, .clear_i(!rst_ni || (on && valid_q && eop_q)), .en_i(on && valid_q),
      .data_i(covered), .run_o(run)
    );
    assign crc = ~run;
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, front_slot_i, 1'b0};

  // A stalled beat neither vanishes nor changes; a failed message never reaches the stream again.
  logic             stalled_q, begun_q;
  logic [DataW-1:0] held_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && tx_valid_o && !tx_ready_i;
    held_q    <= tx_data_o;
    if (rst_ni && stalled_q) BeatHeld: assert (tx_valid_o && tx_data_o == held_q);
    if (!rst_ni || over) begun_q <= 1'b0;
    else if (tx_valid_o && tx_ready_i && !tx_sop_o) begun_q <= 1'b1;
    if (rst_ni) OverInTime: assert (over == (step && at_last));
    if (rst_ni && over) SkipHeld: assert (skip == skip_q && bad == had_bad_q);
    if (rst_ni && over && !skip) AgainKnown: assert (begun_q);
    if (rst_ni && failed_q) NotedBeforeNext: assert (!rec_pop_o);
  end

endmodule

`default_nettype wire
