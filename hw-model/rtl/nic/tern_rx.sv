// SPDX-License-Identifier: Apache-2.0
// Receives the packets of this node: deposits puts, feeds acks to the operation table, hands the
// rest to the firmware.
//
// Takes one beat a cycle. A packet takes effect only after tern_rx_check found its tail good, one
// cycle after the last beat. Block RAM holds each header once. Puts pass in order through
// tern_rx_put (key check, host write) and tern_rx_answer, and both read the header there. The key
// check of the next put overlaps the write of the one before. Acks take no slot; they wait only for
// an ack that brings a word (tern_rx_word). A packet for the firmware takes one of RxSlots slots
// and raises RX after every earlier put has entered the write channel. `rx_vn_ready_o[v]` promises
// room for a whole packet of network v. A packet that has begun is never stalled, so a broadcast
// moves on to other nodes while it arrives here.
//
// Atomic operations: the firmware names the packet's slot (RX_ATOMIC); tern_atomic does the rest,
// including the answer and freeing the slot. A walk writes the link that it follows into the
// header, in a cycle in which no arriving header is written. It may end with a second event of the
// same packet.
//
// Reads: the firmware names the packet's slot and a descriptor slot (RX_COPY). `copy_*` copies the
// request word by word; the register access ends after the last word. The firmware may also arm a
// descriptor slot beforehand: the next READ packet is copied as soon as its event may be raised. An
// answer to an operation of this node enters its table between two acks of other nodes.
//
// Payload slots 0 to RxSlots-1 belong to the firmware, the four above to puts.

`default_nettype none

module tern_rx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned RxSlots    = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic [7:0]       incarnation_i,
  input  logic [1:0]       op_life_i,      // in the numbers of this node's operations
  input  logic             core_up_i,     // 0: packets for the firmware are answered FLUSHED

  input  logic             rx_valid_i,
  output logic             rx_ready_o,
  input  logic             rx_sop_i,
  input  logic             rx_eop_i,
  input  logic             rx_err_i,
  input  logic [1:0]       rx_vn_i,
  input  logic [DataW-1:0] rx_data_i,
  output logic [2:0]       rx_vn_ready_o,

  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,

  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic             ck_offset_o,
  output logic             ck_atomic_o,   // check the right to atomics;
  output logic             ck_read_o,     // check the right to read; neither: to write
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,
  input  logic [7:0]       ck_fn_i,
  input  logic [15:0]      ck_ctr_i,

  output logic             rxc_valid_o,
  input  logic             rxc_ready_i,
  output logic [4:0]       rxc_slot_o,
  output logic [10:0]      rxc_bytes_o,
  output logic [7:0]       rxc_fn_o,
  output logic [63:0]      rxc_addr_o,
  output logic [15:0]      rxc_id_o,
  input  logic             rxc_read_done_i,
  input  logic             rxd_valid_i,
  output logic             rxd_ready_o,
  input  logic             rxd_err_i,

  input  logic             pb_req_i,
  input  logic [4:0]       pb_slot_i,
  input  logic [7:0]       pb_word_i,
  output logic [DataW-1:0] pb_rdata_o,

  output logic             at_hrq_valid_o,
  input  logic             at_hrq_ready_i,
  output logic [7:0]       at_hrq_fn_o,
  output logic [63:0]      at_hrq_addr_o,
  output logic             at_hrq_node_o,
  input  logic             hrd_valid_i,   // host read data, of all tags
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,

  output logic             at_valid_o,
  input  logic             at_ready_i,
  output logic             at_word_o,
  output logic [7:0]       at_fn_o,
  output logic [63:0]      at_addr_o,
  input  logic             at_req_i,
  output logic [DataW-1:0] at_rdata_o,
  input  logic             at_done_i,
  input  logic             at_err_i,

  output logic             ctr_valid_o,
  output logic [15:0]      ctr_index_o,
  output logic [10:0]      ctr_bytes_o,

  output logic             rxo_ack_o,
  input  logic             rxo_free_i,    // no other ack waits at the table
  output logic [7:0]       rxo_op_o,
  output logic [7:0]       rxo_gen_o,
  output logic [7:0]       rxo_status_o,
  output logic             rxo_final_o,   // no other answer to the operation comes
  output logic             rxo_word_o,    // the ack brings a word: from the table
  input  logic             rxo_take_i,
  input  logic             rxo_drop_i,
  input  logic [5:0]       rxo_slot_i,
  output logic             word_valid_o,  // a beat of the word
  input  logic             word_ready_i,
  output logic [5:0]       word_slot_o,
  output logic             word_high_o,
  output logic [DataW-1:0] word_data_o,

  output logic             ra_valid_o,
  input  logic             ra_ready_i,
  output logic [15:0]      ra_dst_o,
  output logic [15:0]      ra_opid_o,
  output logic [7:0]       ra_status_o,
  output logic             ra_final_o,
  output logic             ra_word_o,
  output logic [DataW-1:0] word_o,
  input  logic             word_next_i,

  output logic             ev_rx_valid_o,
  input  logic             ev_rx_ready_i,
  output logic [31:0]      ev_rx_o,

  input  logic             copy_may_i,    // an armed copy may begin
  output logic             copy_o,        // a copy is at work
  output logic [1:0]       copy_slot_o,   // the own slot that it fills
  output logic             copy_valid_o,  // a word of it
  input  logic             copy_ready_i,
  output logic [3:0]       copy_word_o,
  output logic [31:0]      copy_data_o,   // 0 while no copy is at work
  output logic             copy_near_o,   // a copy is at work or about to begin
  // the copied words suffice to start the read: address, length and key are in the slot
  output logic             copy_known_o,

  input  logic             rxfree_valid_i,
  input  logic [5:0]       rxfree_slot_i,

  output logic             tr_rx_good_o,
  output logic [15:0]      tr_rx_good_id_o,
  output logic             tr_ack_in_o,
  output logic [15:0]      tr_ack_in_id_o,

  output logic             st_rx_pkt_o,
  output logic             st_rx_put_o,
  output logic [10:0]      st_rx_put_bytes_o,
  output logic             st_rx_fw_o,
  output logic             st_rx_ack_o,
  output logic             st_rx_nak_o,
  output logic             st_bad_crc_o,
  output logic             st_bad_type_o,
  output logic             st_bad_len_o,
  output logic             st_bad_dst_o,
  output logic             st_refused_o,
  output logic             st_not_member_o   // a broadcast without a region here
);

  localparam logic [3:0]  AtTag     = 4'd12;   // host reads of the atomic unit
  localparam int unsigned PutSlots  = 4;
  localparam int unsigned Slots     = RxSlots + PutSlots;
  localparam int unsigned SlotW     = $clog2(RxSlots);
  localparam int unsigned HdrBeats  = 256 / DataW;
  localparam int unsigned BeatW     = $clog2(HdrBeats);
  localparam int unsigned SlotBeats = MaxPayload * 8 / DataW;
  localparam int unsigned RamWords  = Slots * SlotBeats;
  localparam int unsigned RamW      = $clog2(RamWords);
  localparam int unsigned LaneW     = $clog2(DataW / 8);

  // ---------------------------------------------------------------- arriving beats
  logic        beat, good;
  logic [8:0]  index, beats;        // this beat's number; beats taken before, saturating
  // valid one cycle after the last beat, with `good` and the fields
  logic        judged;
  logic [1:0]  vn;
  logic [7:0]  p_type, p_status;
  logic [15:0] p_opid;
  logic        p_brings, p_final;

  assign rx_ready_o = 1'b1;
  assign beat       = rx_valid_i;

  tern_rx_check #(.DataW(DataW), .MaxPayload(MaxPayload)) u_check (
    .clk_i, .rst_ni, .node_i, .dims_i,
    .beat_i(beat), .sop_i(rx_sop_i), .eop_i(rx_eop_i), .err_i(rx_err_i), .vn_i(rx_vn_i),
    .data_i(rx_data_i), .index_o(index), .beats_o(beats),
    .judged_o(judged), .good_o(good), .vn_o(vn), .type_o(p_type), .opid_o(p_opid),
    .status_o(p_status), .brings_o(p_brings), .final_o(p_final),
    .bad_crc_o(st_bad_crc_o), .bad_type_o(st_bad_type_o), .bad_len_o(st_bad_len_o),
    .bad_dst_o(st_bad_dst_o)
  );

  logic judged_put, judged_fw, judged_ack, good_put, good_fw, good_ack, live_fw, flush_fw;
  assign judged_put = judged && vn == 2'(tern_abi_pkg::VN_DATA);
  assign judged_fw  = judged && vn == 2'(tern_abi_pkg::VN_REQUEST);
  assign good_put   = judged_put && good;
  assign good_fw    = judged_fw && good;
  assign judged_ack = judged && vn == 2'(tern_abi_pkg::VN_ACK);
  assign good_ack   = judged_ack && good;
  assign live_fw    = good_fw && core_up_i;
  assign flush_fw   = good_fw && !core_up_i;

  // ---------------------------------------------------------------- acks
  logic word_busy;
  // An answer to this node itself enters between acks, never in the cycle before one. An arriving
  // ack is seen in time: it ends only after at least two and fewer than 16 beats.
  logic own_valid, own_ready;
  assign own_ready    = !judged && !(arriving_ack_q && beats[3:1] != '0) && rxo_free_i;
  assign rxo_ack_o    = good_ack || (own_valid && own_ready);
  // An operation of another life is none of the table.
  assign {rxo_gen_o, rxo_op_o} = (judged ? p_opid : ra_opid_o) ^ {8'd0, op_life_i, 6'd0};
  assign rxo_status_o = judged ? p_status : ra_status_o;
  assign rxo_final_o  = judged && p_final;
  assign rxo_word_o   = judged && p_brings;
  assign tr_ack_in_o    = rxo_ack_o;
  assign tr_ack_in_id_o = {rxo_gen_o, rxo_op_o};

  // ---------------------------------------------------------------- slots
  logic [RxSlots-1:0] taken_q;       // firmware slots in use or filling
  logic [RxSlots-1:0] flush_q;       // slots to be answered FLUSHED
  logic [RxSlots-1:0] flushed;
  logic [SlotW-1:0]   fw_free, fw_slot_q, fw_judged_q;
  logic               fw_room, put_room, arriving_fw_q, arriving_put_q, arriving_ack_q;
  logic [3:0]         put_tail_q;    // number of the next put to arrive
  logic [2:0]         put_used_q;
  logic               put_release;
  logic               free_mm, at_busy, at_done;
  logic [SlotW-1:0]   at_slot;
  logic               req_q, we_q, window_q, beyond;
  logic [3:0]         mm_word;       // word of header and payload to read
  logic [14:0]        mm_addr_q;
  logic [15:0]        mm_wdata_q;

  always_comb begin
    fw_free = '0;
    for (int i = RxSlots - 1; i >= 0; i--) if (!taken_q[i] && !flush_q[i]) fw_free = SlotW'(i);
  end

  // `put_used_q` counts a put slot from its good tail on; arriving and just judged puts are added
  // here.
  assign fw_room  = !(&(taken_q | flush_q));
  assign put_room = put_used_q + 3'(arriving_put_q) + 3'(judged_put) < 3'(PutSlots);
  assign rx_vn_ready_o[tern_abi_pkg::VN_REQUEST] = fw_room;
  assign rx_vn_ready_o[tern_abi_pkg::VN_DATA]    = put_room;
  assign rx_vn_ready_o[tern_abi_pkg::VN_ACK]     = !word_busy;

  always_ff @(posedge clk_i) begin
    if (beat && rx_sop_i) fw_slot_q <= fw_free;
    if (beat && rx_eop_i) fw_judged_q <= fw_slot_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q        <= '0;
      flush_q        <= '0;
      arriving_fw_q  <= 1'b0;
      arriving_put_q <= 1'b0;
      arriving_ack_q <= 1'b0;
      put_tail_q     <= '0;
      put_used_q     <= '0;
    end else begin
      // A restarting core owns no slot: all come back, except those still filling and the one that
      // the atomic unit works on.
      if (!core_up_i) taken_q <= '0;
      flush_q <= flush_q & ~flushed;
      if (judged_fw && !good) taken_q[fw_judged_q] <= 1'b0;
      if (rxfree_valid_i && rxfree_slot_i < 6'(RxSlots)) taken_q[rxfree_slot_i[SlotW-1:0]] <= 1'b0;
      if (free_mm) taken_q[mm_wdata_q[SlotW-1:0]] <= 1'b0;
      if (!core_up_i && arriving_fw_q) taken_q[fw_slot_q] <= 1'b1;
      if (!core_up_i && at_busy) taken_q[at_slot] <= 1'b1;
      if (at_done) taken_q[at_slot] <= 1'b0;
      if (flush_fw) flush_q[fw_judged_q] <= 1'b1;
      if (beat && rx_eop_i) begin
        arriving_fw_q  <= 1'b0;
        arriving_put_q <= 1'b0;
        arriving_ack_q <= 1'b0;
      end
      if (beat && rx_sop_i && !rx_eop_i) begin
        arriving_fw_q  <= rx_vn_i == 2'(tern_abi_pkg::VN_REQUEST);
        arriving_put_q <= rx_vn_i == 2'(tern_abi_pkg::VN_DATA);
        arriving_ack_q <= rx_vn_i == 2'(tern_abi_pkg::VN_ACK);
        if (rx_vn_i == 2'(tern_abi_pkg::VN_REQUEST)) taken_q[fw_free] <= 1'b1;
      end
      if (good_put) put_tail_q <= put_tail_q + 1'b1;
      put_used_q <= put_used_q + 3'(good_put) - 3'(put_release);
    end
  end

  // ---------------------------------------------------------------- the word of an ack
  tern_rx_word #(.DataW(DataW)) u_word (
    .clk_i, .rst_ni,
    .beat_i(beat_q && arriving_ack_q), .index_i(beat_index_q), .data_i(beat_data_q),
    .coming_i(arriving_ack_q), .brings_i(p_brings), .judged_i(judged_ack), .good_i(good),
    .busy_o(word_busy), .take_i(rxo_take_i), .drop_i(rxo_drop_i), .slot_i(rxo_slot_i),
    .word_valid_o, .word_ready_i, .word_slot_o, .word_high_o, .word_data_o
  );

  // ---------------------------------------------------------------- payload and header memories
  // A beat is written one cycle after it arrived, when its place is clear.
  logic [DataW-1:0] beat_data_q, hdr_rdata;
  logic [8:0]       beat_index_q, pay_index;
  logic             beat_q, filling, in_header, pay_we, mm_read, mm_hdr, mm_pay;
  logic [4:0]       fill_slot;
  logic [RamW-1:0]  pay_raddr, mm_pay_addr;
  logic             op_valid;
  logic [BeatW-1:0] op_beat;

  always_ff @(posedge clk_i) begin
    beat_q       <= rst_ni && beat;
    beat_index_q <= index;
    beat_data_q  <= rx_data_i;
  end

  assign filling   = beat_q && (arriving_fw_q || arriving_put_q);
  assign fill_slot = arriving_put_q ? 5'(RxSlots) + 5'(put_tail_q[1:0]) : 5'(fw_slot_q);
  assign in_header = beat_index_q < 9'(HdrBeats);
  assign pay_index = beat_index_q - 9'(HdrBeats);
  assign pay_we    = filling && !in_header && pay_index < 9'(SlotBeats);
  assign pay_raddr = pb_req_i ? RamW'(pb_slot_i) * RamW'(SlotBeats) + RamW'(pb_word_i) :
                     op_valid ? RamW'(at_slot) * RamW'(SlotBeats) + RamW'(op_beat) : mm_pay_addr;

  // The consumer ORs these words with those of the atomic unit, which clears them while it supplies
  // its own.
  tern_ram_clear #(.Width(DataW), .Words(RamWords)) u_payload (
    .clk_i, .clear_i(at_req_i),
    .ren_i(pb_req_i || op_valid || mm_pay), .raddr_i(pay_raddr), .rdata_o(pb_rdata_o),
    .we_i(pay_we), .waddr_i(RamW'(fill_slot) * RamW'(SlotBeats) + RamW'(pay_index)),
    .wdata_i(beat_data_q)
  );

  // Rows of headers: one for each firmware slot, then a ring of 16 for the puts.
  logic             put_hd_req, ans_hd_req, ans_hd_gnt, ans_hd_put;
  logic [3:0]       put_next, put_row, ans_hd_row;
  logic             put_row_put, hdr_fill;
  logic [BeatW-1:0] put_hd_beat, ans_hd_beat;
  logic [4+BeatW:0] hdr_raddr;

  assign hdr_fill   = filling && in_header;
  assign ans_hd_gnt = ans_hd_req && !put_hd_req;
  assign hdr_raddr  = put_hd_req ? {put_row_put, put_row, put_hd_beat} :
                      ans_hd_req ? {ans_hd_put, ans_hd_row, ans_hd_beat} :
                                   {1'b0, 4'(mm_addr_q[11 +: SlotW]), mm_word[2:LaneW-2]};

  // The firmware does not read a header during a walk.
  tern_ram #(.Width(DataW), .Words(32 * HdrBeats), .Block(1'b1)) u_headers (
    .clk_i,
    .ren_i(put_hd_req || ans_hd_req || mm_hdr), .raddr_i(hdr_raddr), .rdata_o(hdr_rdata),
    .we_i(hdr_fill || link_valid),
    .waddr_i(hdr_fill ? {arriving_put_q, arriving_put_q ? put_tail_q : 4'(fw_slot_q),
                         beat_index_q[BeatW-1:0]}
                      : {1'b0, 4'(at_slot),
                         BeatW'(tern_abi_pkg::PKT_ADDR_LSB / DataW) | BeatW'(link_high)}),
    .wdata_i(hdr_fill ? beat_data_q : word_o)
  );

  // ---------------------------------------------------------------- puts and answers
  logic put_noted, put_refused, put_stale, put_foreign, put_passed, ans_room, ack_mm, ack_mm_done;
  logic        at_mm, jb_valid, jb_clear, jb_done, hold, quiet, lock, an_valid, an_said;
  logic        at_walk, link_valid, link_high, note_valid, note_found;
  logic [4:0]  jb_status;
  logic [5:0]  an_status;
  logic [15:0] jb_generation;
  logic [3:0]  line;

  tern_rx_put #(.DataW(DataW), .RxSlots(RxSlots)) u_put (
    .clk_i, .rst_ni, .incarnation_i,
    .tail_i(put_tail_q), .coming_i(arriving_put_q), .beats_i(beats), .bad_i(judged_put && !good),
    .row_put_o(put_row_put), .row_o(put_row), .next_o(put_next), .release_o(put_release),
    .hd_req_o(put_hd_req), .hd_beat_o(put_hd_beat), .hd_rdata_i(hdr_rdata),
    .ck_valid_o, .ck_ready_i, .ck_key_o, .ck_addr_o, .ck_bytes_o, .ck_offset_o,
    .ck_atomic_o, .ck_read_o, .ck_done_i, .ck_status_i, .ck_haddr_i, .ck_fn_i,
    .rxc_valid_o, .rxc_ready_i, .rxc_slot_o, .rxc_bytes_o, .rxc_fn_o, .rxc_addr_o, .rxc_id_o,
    .rxc_read_done_i,
    .job_valid_i(jb_valid), .job_slot_i(at_slot), .job_walk_i(at_walk),
    .job_generation_o(jb_generation), .job_clear_o(jb_clear), .job_done_o(jb_done),
    .job_status_o(jb_status), .hold_i(hold), .quiet_o(quiet), .lock_i(lock), .line_i(line),
    .room_i(ans_room), .noted_o(put_noted), .refused_o(put_refused), .stale_o(put_stale),
    .foreign_o(put_foreign), .passed_o(put_passed)
  );
  assign st_refused_o    = put_refused && !put_passed;
  assign st_not_member_o = put_passed;

  tern_atomic #(.DataW(DataW), .RxSlots(RxSlots)) u_atomic (
    .clk_i, .rst_ni, .core_up_i,
    .push_i(at_mm), .push_slot_i(mm_wdata_q[tern_abi_pkg::RXA_SLOT_LSB +: SlotW]),
    .push_add_i(mm_wdata_q[tern_abi_pkg::RXA_ADD_LSB]),
    .push_walk_i(mm_wdata_q[tern_abi_pkg::RXA_WALK_LSB]),
    .push_tree_i(mm_wdata_q[tern_abi_pkg::RXA_TREE_LSB]),
    .push_on_i(mm_wdata_q[tern_abi_pkg::RXA_ON_LSB]),
    .push_nodes_i(mm_wdata_q[tern_abi_pkg::RXA_NODES_LSB +: 4]), .jb_valid_o(jb_valid),
    .busy_o(at_busy), .slot_o(at_slot), .walk_o(at_walk), .jb_clear_i(jb_clear),
    .jb_done_i(jb_done), .jb_status_i(jb_status), .jb_haddr_i(ck_haddr_i), .jb_fn_i(ck_fn_i),
    .jb_generation_i(jb_generation), .hold_o(hold), .quiet_i(quiet), .lock_o(lock), .line_o(line),
    .op_valid_o(op_valid), .op_ready_i(!pb_req_i && !at_req_i), .op_beat_o(op_beat),
    .op_rdata_i(pb_rdata_o), .hrq_valid_o(at_hrq_valid_o), .hrq_ready_i(at_hrq_ready_i),
    .hrq_fn_o(at_hrq_fn_o), .hrq_addr_o(at_hrq_addr_o),
    .hrd_valid_i(hrd_valid_i && hrd_tag_i == AtTag), .hrd_data_i, .hrd_last_i, .hrd_err_i,
    .wr_valid_o(at_valid_o), .wr_ready_i(at_ready_i), .wr_word_o(at_word_o),
    .wr_addr_o(at_addr_o), .wr_fn_o(at_fn_o), .wr_req_i(at_req_i), .wr_rdata_o(at_rdata_o),
    .wr_done_i(at_done_i), .wr_err_i(at_err_i),
    .link_valid_o(link_valid), .link_ready_i(!hdr_fill), .link_high_o(link_high),
    .note_valid_o(note_valid), .note_ready_i(!live_fw), .note_found_o(note_found),
    .an_valid_o(an_valid), .an_status_o(an_status), .an_done_i(at_done), .an_said_i(an_said),
    .word_o, .word_next_i
  );

  tern_rx_answer #(.DataW(DataW), .RxSlots(RxSlots)) u_answer (
    .clk_i, .rst_ni,
    .next_i(put_next), .noted_i(put_noted), .stale_i(put_stale), .foreign_i(put_foreign),
    .status_i(ck_status_i), .ctr_i(ck_ctr_i), .room_o(ans_room), .rxd_valid_i, .rxd_ready_o,
    .rxd_err_i, .ack_i(ack_mm), .ack_slot_i(mm_wdata_q[SlotW-1:0]),
    .ack_status_i(mm_wdata_q[15:8]), .ack_done_o(ack_mm_done), .at_i(an_valid),
    .at_slot_i(at_slot), .at_status_i(an_status), .at_done_o(at_done), .at_said_o(an_said),
    .flush_i(flush_q), .flushed_o(flushed), .hd_req_o(ans_hd_req), .hd_gnt_i(ans_hd_gnt),
    .hd_put_o(ans_hd_put), .hd_row_o(ans_hd_row), .hd_beat_o(ans_hd_beat), .hd_rdata_i(hdr_rdata),
    .ra_valid_o, .ra_ready_i, .ra_dst_o, .ra_opid_o, .ra_status_o, .ra_final_o, .ra_word_o,
    .own_valid_o(own_valid), .own_ready_i(own_ready), .ctr_valid_o, .ctr_index_o, .ctr_bytes_o,
    .st_put_o(st_rx_put_o), .st_put_bytes_o(st_rx_put_bytes_o)
  );

  // ---------------------------------------------------------------- events
  // A packet for the firmware raises its event after all puts before it have entered the write
  // channel or were refused. One queue holds events to raise now (from head to shown) and, after
  // them, events held back (from shown to tail). The types of such packets have six bits. The
  // result of a walk raises an event in the same way, in a cycle without a packet.
  logic [SlotW:0]   ev_head_q, ev_shown_q, ev_tail_q;
  logic [3:0]       order, missing;
  logic [SlotW+8:0] ev_data;
  logic             show, ev_push;

  assign at_hrq_node_o = at_walk;
  assign ev_push       = live_fw || note_valid;

  tern_lutram #(.Width(SlotW + 9), .Words(RxSlots)) u_events (
    .clk_i, .raddr_i(ev_head_q[SlotW-1:0]), .rdata_o(ev_data),
    .we_i(ev_push), .waddr_i(ev_tail_q[SlotW-1:0]),
    .wdata_i({live_fw ? fw_judged_q : at_slot, !live_fw && note_found, !live_fw, live_fw && caught,
              p_type[5:0]})
  );
  tern_lutram #(.Width(4), .Words(RxSlots)) u_order (
    .clk_i, .raddr_i(ev_shown_q[SlotW-1:0]), .rdata_o(order),
    .we_i(ev_push), .waddr_i(ev_tail_q[SlotW-1:0]), .wdata_i(put_tail_q)
  );

  // At most four puts are good and undecided. The last decided put may still wait for the write
  // channel.
  assign missing = order - put_next;
  assign show    = ev_shown_q != ev_tail_q && (missing[3] || (missing == '0 && !rxc_valid_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !core_up_i) begin
      ev_head_q  <= '0;
      ev_shown_q <= '0;
      ev_tail_q  <= '0;
    end else begin
      if (ev_push) ev_tail_q <= ev_tail_q + 1'b1;
      if (show) ev_shown_q <= ev_shown_q + 1'b1;
      if (ev_rx_valid_o && ev_rx_ready_i) ev_head_q <= ev_head_q + 1'b1;
    end
  end
  assign ev_rx_valid_o = ev_head_q != ev_shown_q;
  assign ev_rx_o = {tern_abi_pkg::EV_RX, 2'b0, ev_data[8:7], 7'b0, ev_data[6], 2'b0, ev_data[5:0],
                    8'(ev_data[SlotW+8:9])};

  // An armed copy of a READ packet: due after the packet's good tail, begun after its event.
  logic             armed_q, caught, due_q, begin_q, begins, unasked_q;
  logic [1:0]       armed_slot_q;
  logic [SlotW-1:0] due_slot_q;
  logic [SlotW:0]   due_at_q;
  assign caught      = armed_q && !due_q && p_type == tern_abi_pkg::PTYPE_READ;
  assign begins      = begin_q && !req_q && !there_q && copy_may_i;
  assign copy_near_o = copy_o || begin_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !core_up_i) begin
      {armed_q, due_q, begin_q} <= '0;
    end else begin
      armed_q <= arms || (armed_q && !(live_fw && caught));
      due_q   <= (live_fw && caught) || (due_q && !begins);
      begin_q <= (show && due_q && ev_shown_q == due_at_q) || (begin_q && !begins);
    end
    unasked_q <= rst_ni && (begins || (unasked_q && copy_o));
    if (arms)   armed_slot_q <= mm_wdata_i[tern_abi_pkg::RXC_SLOT_LSB +: 2];
    if (!due_q) {due_at_q, due_slot_q} <= {ev_tail_q, fw_judged_q};
  end

  // ---------------------------------------------------------------- registers
  localparam logic [1:0] RegFree   = tern_abi_pkg::MMIO_RX_FREE[3:2];
  localparam logic [1:0] RegAck    = tern_abi_pkg::MMIO_RX_ACK[3:2];
  localparam logic [1:0] RegAtomic = tern_abi_pkg::MMIO_RX_ATOMIC[3:2];
  logic        hit, hit_copy, window, plain_done, there_q, from_hdr_q, slot_ok_q, of_slot;
  logic [1:0]  register;
  logic [10:0] pay_offset;
  logic [31:0] word;

  // The registers are four words in a row.
  assign window     = mm_addr_i[15] == tern_abi_pkg::MMIO_RXSLOT[15];
  assign hit_copy   = mm_addr_i == tern_abi_pkg::MMIO_RX_COPY;
  assign hit        = window || hit_copy || (mm_addr_i[14:4] == tern_abi_pkg::MMIO_RX_FREE[14:4] &&
                                             mm_addr_i[1:0] == '0);
  assign mm_ready_o = hit && !req_q && !there_q && !begin_q;

  assign register   = mm_addr_q[3:2];
  assign of_slot    = req_q && we_q && !window_q && mm_wdata_q[5:0] < 6'(RxSlots);
  assign free_mm    = of_slot && register == RegFree;
  assign ack_mm     = of_slot && register == RegAck;
  assign at_mm      = of_slot && register == RegAtomic;
  assign plain_done = req_q && (we_q || !window_q) && !ack_mm;

  // A window read uses a memory in a cycle in which no other client does.
  assign beyond      = {mm_addr_q[10:6], mm_word[3]} != '0;
  assign mm_hdr      = req_q && window_q && !we_q && !beyond && !put_hd_req && !ans_hd_req;
  assign mm_pay      = req_q && window_q && !we_q && beyond && !pb_req_i && !at_req_i && !op_valid;
  assign mm_read     = mm_hdr || mm_pay;
  assign pay_offset  = {mm_addr_q[10:6], mm_word, 2'b00} - 11'(tern_abi_pkg::PKT_HEADER_BYTES);
  assign mm_pay_addr = RamW'(mm_addr_q[14:11]) * RamW'(SlotBeats) +
                       RamW'(pay_offset[LaneW +: $clog2(SlotBeats)]);

  if (DataW == 64) begin : g_halves
    assign word = mm_addr_q[2] ? (from_hdr_q ? hdr_rdata[63:32] : pb_rdata_o[63:32])
                               : (from_hdr_q ? hdr_rdata[31:0] : pb_rdata_o[31:0]);
  end else begin : g_words
    assign word = from_hdr_q ? hdr_rdata : pb_rdata_o;
  end

  // RX_COPY reads words as a window does, one after the other, those first that tern_tx needs
  // first. A word is read again until it is in copy_data_o.
  localparam int unsigned PayWord =
      (tern_abi_pkg::PKT_HEADER_BYTES - tern_abi_pkg::INLINE_OFFSET) / 4;
  localparam logic [3:0] TypeWord   = 4'(tern_abi_pkg::PKT_TYPE_LSB / 32);
  localparam logic [3:0] SrcWord    = 4'(tern_abi_pkg::PKT_SRC_LSB / 32);
  localparam logic [3:0] AddrWord   = 4'(tern_abi_pkg::PKT_ADDR_LSB / 32);
  localparam logic [3:0] KeyWord    = 4'(tern_abi_pkg::PKT_KEY_LSB / 32);
  localparam logic [3:0] OpidWord   = 4'(tern_abi_pkg::PKT_OPID_LSB / 32);
  localparam logic [3:0] ToAddrWord = 4'(PayWord + tern_abi_pkg::RDR_ADDR_LSB / 32);
  localparam logic [3:0] ToKeyWord  = 4'(PayWord + tern_abi_pkg::RDR_KEY_LSB / 32);
  localparam logic [3:0] LengthWord = 4'(PayWord + tern_abi_pkg::RDR_LENGTH_LSB / 32);
  localparam logic [3:0] NoWord     = 4'b1100;   // this one and all above
  logic       copy_end, copy_held, copy_step, copy_done, told_copy, arms, found_q, copy_plain;
  logic [3:0] word_q, copy_next, copy_to;

  assign told_copy = mm_valid_i && mm_ready_o && hit_copy && mm_we_i;
  assign arms      = told_copy && mm_wdata_i[tern_abi_pkg::RXC_NEXT_LSB];
  assign word_q    = mm_addr_q[5:2];
  assign copy_end  = copy_o && word_q >= NoWord;
  assign copy_held = copy_valid_o && !copy_ready_i;
  assign copy_step = copy_o && there_q && !copy_end && !copy_held;
  assign copy_done = copy_end && !copy_held;
  assign mm_word   = copy_step ? copy_next : word_q;

  always_comb begin
    copy_next = word_q + 4'd1;
    copy_to   = 4'(tern_abi_pkg::RPL_FLAGS_LSB / 32);
    case (word_q)
      TypeWord:          copy_to = 4'(tern_abi_pkg::RPL_FLAGS_LSB / 32);
      SrcWord:           {copy_next, copy_to} = {LengthWord,
                                                 4'(tern_abi_pkg::DESC_DST_NODE_LSB / 32)};
      LengthWord:        {copy_next, copy_to} = {AddrWord, 4'(tern_abi_pkg::DESC_LENGTH_LSB / 32)};
      AddrWord:          copy_to = 4'(tern_abi_pkg::DESC_LOCAL_ADDR_LSB / 32);
      AddrWord + 4'd1:   copy_to = 4'(tern_abi_pkg::DESC_LOCAL_ADDR_LSB / 32 + 1);
      KeyWord:           copy_to = 4'(tern_abi_pkg::DESC_LOCAL_KEY_LSB / 32);
      OpidWord:          copy_to = 4'(tern_abi_pkg::RPL_OPID_LSB / 32);
      ToAddrWord:        copy_to = 4'(tern_abi_pkg::DESC_REMOTE_ADDR_LSB / 32);
      ToAddrWord + 4'd1: copy_to = 4'(tern_abi_pkg::DESC_REMOTE_ADDR_LSB / 32 + 1);
      ToKeyWord:         {copy_next, copy_to} = {NoWord,
                                                 4'(tern_abi_pkg::DESC_REMOTE_KEY_LSB / 32)};
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    copy_o       <= rst_ni && (begins || (told_copy && !arms) || (copy_o && !copy_done));
    copy_valid_o <= rst_ni && (copy_step || copy_held);
    if (begins || told_copy)
      copy_slot_o <= begins ? armed_slot_q : mm_wdata_i[tern_abi_pkg::RXC_SLOT_LSB +: 2];
    if (!copy_o || copy_done)        copy_word_o <= '0;
    else if (copy_step)              copy_word_o <= copy_to;
    if (!copy_o || copy_done || (copy_step && !slot_ok_q)) copy_data_o[15:0] <= '0;
    else if (copy_step)                                    copy_data_o[15:0] <= word[15:0];
    if (!copy_o || copy_done || (copy_step && !(slot_ok_q && copy_plain))) copy_data_o[31:16] <= '0;
    else if (copy_step)                                    copy_data_o[31:16] <= word[31:16];
    if (begins || told_copy) found_q <= !begins && mm_wdata_i[tern_abi_pkg::RXC_FOUND_LSB];
  end

  // In a LOOKUP the upper halves of these two words have another meaning.
  assign copy_plain = !found_q || (word_q != LengthWord && word_q != AddrWord + 4'd1);

  assign copy_known_o = copy_valid_o && copy_ready_i &&
                        copy_word_o == 4'(tern_abi_pkg::DESC_LOCAL_KEY_LSB / 32);

  // A firmware ack stays on the bus until its turn, at most one other ack later. Acks never stall,
  // so there is always room.
  localparam logic [31:0] AcksFit = 32'd4;

  // A word read from memory is on the bus one cycle later.
  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      we_q       <= mm_we_i && !(hit_copy && !arms);
      window_q   <= window || (told_copy && !arms);
      mm_wdata_q <= mm_wdata_i[15:0];
      mm_addr_q  <= hit_copy
          ? {mm_wdata_i[tern_abi_pkg::RXC_RXSLOT_LSB +: 4], 5'd0, TypeWord, 2'b00}
                             : mm_addr_i[14:0];
    end else if (begins) begin
      we_q       <= 1'b0;
      window_q   <= 1'b1;
      mm_addr_q  <= {4'(due_slot_q), 5'd0, TypeWord, 2'b00};
    end else mm_addr_q[5:2] <= mm_word;
    from_hdr_q <= mm_hdr;
    slot_ok_q  <= 5'(mm_addr_q[14:11]) < 5'(RxSlots);
    if (there_q && slot_ok_q && !copy_o) mm_rdata_o <= word;
    else if (plain_done && !we_q) mm_rdata_o <= AcksFit;
    else mm_rdata_o <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_q       <= 1'b0;
      there_q     <= 1'b0;
      mm_rvalid_o <= 1'b0;
    end else begin
      if ((mm_valid_i && mm_ready_o) || begins)         req_q <= 1'b1;
      else if (plain_done || ack_mm_done || copy_done || (mm_read && !copy_o)) req_q <= 1'b0;
      there_q     <= mm_read && !copy_done;
      mm_rvalid_o <= plain_done || ack_mm_done || (copy_done && !unasked_q) || (there_q && !copy_o);
    end
  end

  // ---------------------------------------------------------------- trace and statistics
  assign tr_rx_good_o    = judged && good;
  assign tr_rx_good_id_o = p_opid;
  assign st_rx_pkt_o     = judged && good;
  assign st_rx_fw_o      = live_fw;
  assign st_rx_ack_o     = rxo_ack_o && rxo_status_o == tern_abi_pkg::ST_OK;
  assign st_rx_nak_o     = rxo_ack_o && rxo_status_o != tern_abi_pkg::ST_OK;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      PutSlotsBounded: assert (put_used_q <= 3'(PutSlots));
      RoomPromised:    assert (!(beat && rx_sop_i && rx_vn_i != 2'd3) || rx_vn_ready_o[rx_vn_i]);
      FillOwned:       assert (!(beat && arriving_fw_q) || taken_q[fw_slot_q]);
      Started:         assert (!(beat && !rx_sop_i) || arriving_fw_q || arriving_put_q ||
                               arriving_ack_q);
      NothingArms:     assert (TypeWord[1:0] == tern_abi_pkg::MMIO_ACK_SPACE[3:2]);
      ArmedAnew:       assert (!(arms && (armed_q || due_q)));
      EventsBounded:   assert ((SlotW+1)'(ev_tail_q - ev_head_q) <= (SlotW+1)'(RxSlots));
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_addr_q[14:12], mm_addr_q[1:0], mm_wdata_i[30:25],
                       mm_wdata_i[23:22], mm_wdata_i[21:18], mm_wdata_q[7:6], pay_offset, 1'b0};

endmodule

`default_nettype wire
