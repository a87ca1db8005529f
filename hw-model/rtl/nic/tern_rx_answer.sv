// SPDX-License-Identifier: Apache-2.0
// Answers packets: puts in order once the host has confirmed their writes, packets that the
// firmware acknowledges, atomic operations, and packets for a firmware that is down.
//
// One answer at a time. The block reads the fields of the packet's header again from the memory of
// tern_rx, which keeps the row until then. It keeps only status and counter of a decided put
// itself. An answer takes 6 cycles (7 for a broadcast packet), more while others read headers. A
// put's header is read while its write is in flight, so its answer takes 2. A firmware ack waits
// for at most one answer. tern_rx_whole knows whether all earlier packets of a broadcast came, too.
// REPLY packets are answered to the operation of this node that asked for them: `own_*`.

`default_nettype none

module tern_rx_answer #(
  parameter int unsigned DataW   = 64,
  parameter int unsigned RxSlots = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [3:0]  next_i,          // number of the next put to decide
  input  logic        noted_i,         // put next_i is decided, if it is a put:
  input  logic        stale_i,
  input  logic        foreign_i,       // it gets no answer
  input  logic [7:0]  status_i,        // valid if not stale
  input  logic [15:0] ctr_i,
  output logic        room_o,          // for one more decided put
  input  logic        rxd_valid_i,     // the oldest unanswered write has ended
  output logic        rxd_ready_o,
  input  logic        rxd_err_i,

  input  logic               ack_i,    // firmware: holds until `ack_done_o`
  input  logic [$clog2(RxSlots)-1:0] ack_slot_i,
  input  logic [7:0]         ack_status_i,
  output logic               ack_done_o,
  input  logic               at_i,     // atomic operation: holds until `at_done_o`
  input  logic [$clog2(RxSlots)-1:0] at_slot_i,
  input  logic [5:0]         at_status_i,
  output logic               at_done_o,
  output logic               at_said_o,   // done, and an ACK leaves
  input  logic [RxSlots-1:0] flush_i,  // slots to be answered FLUSHED
  output logic [RxSlots-1:0] flushed_o,

  output logic        hd_req_o,
  input  logic        hd_gnt_i,
  output logic        hd_put_o,        // row of a put; 0: of a firmware slot
  output logic [3:0]  hd_row_o,
  output logic [$clog2(256/DataW)-1:0] hd_beat_o,
  input  logic [DataW-1:0] hd_rdata_i, // one cycle after the grant

  output logic        ra_valid_o,
  input  logic        ra_ready_i,
  output logic [15:0] ra_dst_o,
  output logic [15:0] ra_opid_o,
  output logic [7:0]  ra_status_o,
  output logic        ra_final_o,      // no other answer to the operation follows
  output logic        ra_word_o,       // carries the word of an atomic operation
  output logic        own_valid_o,     // opid and status concern this node's own operations
  input  logic        own_ready_i,

  output logic        ctr_valid_o,
  output logic [15:0] ctr_index_o,
  output logic [10:0] ctr_bytes_o,
  output logic        st_put_o,
  output logic [10:0] st_put_bytes_o
);

  localparam int unsigned BeatW = $clog2(256 / DataW);
  localparam int unsigned SlotW = $clog2(RxSlots);
  // Codes that the key check never returns.
  localparam logic [3:0]  Stale   = 4'd15;   // means ST_STALE_NODE
  localparam logic [3:0]  Foreign = 4'd1;    // no answer

  // ---------------------------------------------------------------- decided puts
  logic [3:0]  first_q, ahead, code;   // oldest put without an answer
  logic [19:0] kept;
  logic        due, put_ok;
  assign ahead  = next_i - first_q;
  assign room_o = !(ahead[3] && ahead[2]);

  tern_lutram #(.Width(20), .Words(16)) u_decided (
    .clk_i, .raddr_i(first_q), .rdata_o(kept),
    .we_i(noted_i), .waddr_i(next_i),
    .wdata_i({ctr_i, stale_i ? Stale : foreign_i ? Foreign : status_i[3:0]})
  );
  assign code   = kept[3:0];
  assign put_ok = code == 4'(tern_abi_pkg::ST_OK);
  assign due    = first_q != next_i && (!put_ok || rxd_valid_i);

  // ---------------------------------------------------------------- one answer at a time
  localparam logic [2:0] StepRead  = 3'd1;   // three beats
  localparam logic [2:0] StepThere = 3'd4;
  localparam logic [2:0] StepWhole = 3'd5;   // for a broadcast
  localparam logic [2:0] StepSpeak = 3'd6;
  localparam logic [1:0] IsPut = 2'd0, IsAck = 2'd1, IsFlush = 2'd2, IsAt = 2'd3;
  logic [2:0]        step_q;
  logic [1:0]        kind_q;
  logic [SlotW-1:0]  slot_q, flush_slot;
  // `have_q`: the header fields of the next put are loaded
  logic              begins, ends, is_put, speaks, others, there, have_q;

  always_comb begin
    flush_slot = '0;
    for (int i = RxSlots - 1; i >= 0; i--) if (flush_i[i]) flush_slot = SlotW'(i);
  end

  assign others = flush_i != '0 || ack_i || at_i;
  assign begins = step_q == '0 && (others || (have_q ? due : first_q != next_i));
  assign is_put = kind_q == IsPut;
  assign there  = step_q == StepThere;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ends || (there && is_put && !due)) step_q <= '0;
    else if ((begins && have_q && !others) || (there && !deposit_q) || step_q == StepWhole)
                                                      step_q <= StepSpeak;
    else if (begins || hd_gnt_i || there)             step_q <= step_q + 1'b1;
    have_q <= rst_ni && !begins && (have_q || (there && is_put && !due));
    if (step_q == '0) begin
      kind_q <= flush_i != '0 ? IsFlush : ack_i ? IsAck : at_i ? IsAt : IsPut;
      slot_q <= flush_i != '0 ? flush_slot : ack_i ? ack_slot_i : at_slot_i;
    end
  end

  // ---------------------------------------------------------------- fields of the header
  localparam int unsigned TypeAt   = tern_abi_pkg::PKT_TYPE_LSB;
  localparam int unsigned ReplyBit =
      $clog2(32'(tern_abi_pkg::PTYPE_PUT) ^ 32'(tern_abi_pkg::PTYPE_REPLY));
  localparam int unsigned FlagsAt  = tern_abi_pkg::PKT_FLAGS_LSB;
  localparam int unsigned SrcAt    = tern_abi_pkg::PKT_SRC_LSB;
  localparam int unsigned OpidAt   = tern_abi_pkg::PKT_OPID_LSB;
  localparam int unsigned LengthAt = tern_abi_pkg::PKT_LENGTH_LSB;
  localparam int unsigned NumberAt = tern_abi_pkg::PKT_NUMBER_LSB;
  localparam int unsigned AckAt    = FlagsAt + $clog2(tern_abi_pkg::PFLAG_ACK_REQ);
  localparam int unsigned DepositAt = FlagsAt + $clog2(tern_abi_pkg::PFLAG_DEPOSIT);
  logic [BeatW-1:0] beat_q;
  logic             there_q, ack_req_q, deposit_q, reply_q;
  logic [15:0]      src_q, opid_q, number_q;
  logic [10:0]      length_q;

  assign hd_req_o = step_q == StepRead || step_q == StepRead + 3'd1 || step_q == StepRead + 3'd2;
  assign hd_put_o = is_put;
  assign hd_row_o = is_put ? first_q : 4'(slot_q);
  // The length is in one of these beats.
  assign hd_beat_o = step_q[1:0] == 2'd1 ? BeatW'(FlagsAt / DataW) :
                     step_q[1:0] == 2'd2 ? BeatW'(SrcAt / DataW) : BeatW'(OpidAt / DataW);

  // The fields are captured in every cycle, also between readings; the last capture counts.
  always_ff @(posedge clk_i) begin
    if (hd_gnt_i) beat_q <= hd_beat_o;
    there_q <= hd_gnt_i;
    if (there_q && beat_q == BeatW'(FlagsAt / DataW)) ack_req_q <= hd_rdata_i[AckAt % DataW];
    if (there_q && beat_q == BeatW'(FlagsAt / DataW)) deposit_q <= hd_rdata_i[DepositAt % DataW];
    if (there_q && beat_q == BeatW'(TypeAt / DataW))
      reply_q <= is_put && hd_rdata_i[TypeAt % DataW + ReplyBit];
    if (there_q && beat_q == BeatW'(NumberAt / DataW)) number_q <=
        hd_rdata_i[NumberAt % DataW +: 16];
    if (there_q && beat_q == BeatW'(SrcAt / DataW))   src_q     <= hd_rdata_i[SrcAt % DataW +: 16];
    if (there_q && beat_q == BeatW'(OpidAt / DataW))  opid_q    <= hd_rdata_i[OpidAt % DataW +: 16];
    if (there_q && beat_q == BeatW'(LengthAt / DataW))
      length_q <= hd_rdata_i[LengthAt % DataW +: 11];
  end

  // ---------------------------------------------------------------- earlier packets of a broadcast
  // The answered packet is the last, so its row is cleared.
  logic whole, numbered;
  assign numbered = deposit_q && number_q != 16'(tern_abi_pkg::PKT_UNNUMBERED);

  tern_rx_whole u_whole (
    .clk_i,
    .read_i(there), .src_i(src_q[14:0]),
    .opid_i({opid_q[15:8], opid_q[5:0]}), .number_i(number_q[14:0]),
    .keep_i(ends && is_put && numbered && !ack_req_q), .good_i(put_ok && !rxd_err_i),
    .whole_o(whole)
  );

  // ---------------------------------------------------------------- output
  logic [7:0] put_status;
  assign put_status = code == Stale ? tern_abi_pkg::ST_STALE_NODE :
                      put_ok && rxd_err_i ? tern_abi_pkg::ST_HOST_FAULT :
                      put_ok && deposit_q && !whole ? tern_abi_pkg::ST_PACKET_LOST : 8'(code);
  assign ra_dst_o    = src_q;
  assign ra_opid_o   = opid_q;
  assign ra_status_o = is_put ? put_status :
                       kind_q == IsFlush ? tern_abi_pkg::ST_FLUSHED :
                       kind_q == IsAt ? 8'(at_status_i) : ack_status_i;
  assign ra_word_o   = kind_q == IsAt && at_status_i == 6'(tern_abi_pkg::ST_OK);

  assign speaks = opid_q[7:0] != 8'(tern_abi_pkg::OP_NONE) &&
                  (!is_put || (put_ok ? ack_req_q || rxd_err_i : code != Foreign));
  // Every packet of a broadcast gets its own answer.
  assign ra_final_o  = !is_put && !deposit_q;
  assign own_valid_o = step_q == StepSpeak && speaks && reply_q;
  assign ra_valid_o  = step_q == StepSpeak && speaks && !reply_q;
  assign ends        = step_q == StepSpeak && (!speaks || (reply_q ? own_ready_i : ra_ready_i));

  assign rxd_ready_o = ends && is_put && put_ok;
  assign ack_done_o  = ends && kind_q == IsAck;
  assign at_done_o   = ends && kind_q == IsAt;
  assign at_said_o   = at_done_o && speaks;
  always_comb begin
    flushed_o = '0;
    flushed_o[slot_q] = ends && kind_q == IsFlush;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)             first_q <= '0;
    else if (ends && is_put) first_q <= first_q + 1'b1;
  end

  // Byte counters need four cycles for a deposit; answers never come faster.
  assign st_put_o       = rxd_ready_o && !rxd_err_i;
  assign st_put_bytes_o = st_put_o ? length_q : '0;
  assign ctr_index_o    = kept[19:4];
  assign ctr_valid_o    = st_put_o && kept[19:4] != 16'(tern_abi_pkg::COUNTER_NONE) &&
      length_q != '0;
  assign ctr_bytes_o    = length_q;

  localparam bit LengthRead = LengthAt / DataW == FlagsAt / DataW ||
      LengthAt / DataW == SrcAt / DataW ||
                              LengthAt / DataW == OpidAt / DataW;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      LengthIsRead: assert (LengthRead);
      CodeFits:     assert (!noted_i || stale_i ||
                            (status_i < 8'(Stale) && status_i != 8'(Foreign)));
      AckHeld:      assert (!(step_q != '0 && kind_q == IsAck) || ack_i);
      AtHeld:       assert (!(step_q != '0 && kind_q == IsAt) || at_i);
      Bounded:      assert (ahead <= 4'd12);
      NumberRead:   assert (NumberAt / DataW == OpidAt / DataW);
      OneBit:       assert ($onehot(tern_abi_pkg::PTYPE_PUT ^ tern_abi_pkg::PTYPE_REPLY) &&
                            tern_abi_pkg::PTYPE_REPLY[ReplyBit]);
      TypeRead:     assert (TypeAt / DataW == FlagsAt / DataW);
      DueHeld:      assert (!(step_q == StepSpeak && is_put) || due);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, hd_rdata_i, status_i[7:4], 1'b0};

endmodule

`default_nettype wire
