// SPDX-License-Identifier: Apache-2.0
// Transmit unit: turns a command of the firmware and a descriptor into packets.
//
// Eight commands wait. Every slot may hold a message in progress; messages take turns packet by
// packet. tern_tx_front reads slots, checks keys, issues host reads and writes headers. It works
// ahead of the packets on the stream, and on a hint also ahead of a put's command. tern_tx_turns
// keeps messages that have packets left and chooses the next. tern_tx_store aligns the payload as
// it arrives, in any order. tern_tx_pick chooses the packet that leaves next, among those with
// complete payload; tern_tx_send plays it. One beat a cycle, packets back to back; a stalled beat
// is held. The first beat of an inline payload is on the stream 7 cycles after the write of TX_CMD
// (32 bits: 9).
//
// Order: packets of messages of one queue leave in the order of its commands, and so do those of
// one reply. Anything else may overtake.
//
// Bound on waiting, for a put of one packet whose queue has no other unfinished message. In the
// front it waits for at most 16 packets of others: one for each of up to eight commands before it,
// and one of a message in progress for each. Once its bytes are here it waits for at most 14: the
// other seven buffers, long and small messages in turns. Number and length of other messages do not
// change the bound. A single put among long messages waits for the packet in the front and the one
// being sent.
//
// A packet of a box broadcast leaves the node through several outputs: while the router raises
// `tx_again_i`, the whole packet is sent once more. `tx_self_o` asks the router for a copy to this
// node.

`default_nettype none

module tern_tx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumQ       = 512
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic [1:0]       life_i,

  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,

  output logic             sl_req_o,
  output logic [5:0]       sl_slot_o,
  output logic [3:0]       sl_word_o,
  input  logic             sl_gnt_i,
  input  logic             sl_rvalid_i,
  input  logic [DataW-1:0] sl_data_i,
  input  logic [15:0]      sl_queue_i,
  input  logic [7:0]       sl_fn_i,
  output logic             slot_free_valid_o,
  output logic [5:0]       slot_free_slot_o,

  input  logic             copy_i,         // a slot is being filled by copy: commands wait
  input  logic             hint_valid_i,   // a descriptor is in its slot, command to follow
  input  logic [5:0]       hint_slot_i,
  input  logic             hint_next_i,    // next in the firmware's order
  input  logic             hint_reply_i,   // the command will be a REPLY

  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  output logic             ck_remote_o,    // 1: right of packets, of any owner; 0: to read, for its
                                           // owner
  output logic             ck_offset_o,    // the address counts from the region's start
  output logic             ck_ahead_o,     // read-ahead: no command asked for this check yet
  output logic             ck_adopted_o,   // a command has now asked for it
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,
  input  logic [7:0]       ck_fn_i,

  output logic             tx_hrq_valid_o,
  input  logic             tx_hrq_ready_i,
  output logic [7:0]       tx_hrq_fn_o,
  output logic [63:0]      tx_hrq_addr_o,
  output logic [8:0]       tx_hrq_bytes_o,
  output logic [2:0]       tx_hrq_tag_o,
  input  logic             hrd_valid_i,
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,

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
  output logic             tx_self_o,      // with the first beat
  output logic [DataW-1:0] tx_data_o,
  input  logic             tx_again_i,     // from the cycle after the second beat to the last

  output logic             tr_tx_cmd_o,
  output logic [15:0]      tr_tx_cmd_id_o,
  output logic             tr_tx_sop_o,
  output logic [15:0]      tr_tx_sop_id_o,
  output logic             tr_rd_last_o,
  output logic [3:0]       tr_rd_last_tag_o,
  output logic             st_tx_pkt_o,
  output logic [10:0]      st_tx_bytes_o,
  output logic             st_hrd_fault_o
);

  localparam int unsigned Bufs  = 8;                      // packet buffers
  localparam int unsigned BufW  = $clog2(Bufs);
  localparam int unsigned WordW = $clog2(MaxPayload * 8 / DataW);
  localparam int unsigned HeadW = $clog2(512 / DataW);
  localparam int unsigned RecW  = 24;                     // a packet record, see tern_tx_front
  localparam int unsigned IdW   = 1 + ($clog2(NumQ) > $clog2(NumSlots) ? $clog2(NumQ)
                                                                       : $clog2(NumSlots));
  localparam int unsigned Cmds  = 8;

  // ---------------------------------------------------------------- registers
  logic        hit_space, hit_cmd, hit_free, take_mm, push, answer_q, space_q;
  logic        cmd_valid, cmd_ready, cmd_room;
  logic [21:0] cmd;                        // what is not slot from the packet type on
  logic [3:0]  space;

  assign hit_space  = mm_addr_i == tern_abi_pkg::MMIO_TX_SPACE;
  assign hit_cmd    = mm_addr_i == tern_abi_pkg::MMIO_TX_CMD;
  assign hit_free   = mm_addr_i == tern_abi_pkg::MMIO_SLOT_FREE;
  assign mm_ready_o = (hit_space || hit_free || (hit_cmd && cmd_room && !copy_i)) && !answer_q;
  assign take_mm    = mm_valid_i && mm_ready_o;
  assign push       = take_mm && hit_cmd && mm_we_i;

  tern_fifo #(.Width(22), .Depth(Cmds)) u_cmds (
    .clk_i, .rst_ni,
    .valid_i(push), .ready_o(cmd_room),
    .data_i({mm_wdata_i[31:tern_abi_pkg::TXC_TYPE_LSB],
             mm_wdata_i[tern_abi_pkg::TXC_SLOT_LSB +: 6]}),
    .valid_o(cmd_valid), .ready_i(cmd_ready), .data_o(cmd), .space_o(space)
  );


  assign mm_rvalid_o = answer_q;
  assign mm_rdata_o  = space_q ? 32'(space) : '0;

  // A firmware write to slots or regions invalidates bytes that were read ahead.
  logic       spoil_q, hint_q, hint_next_q, hint_reply_q;
  logic [5:0] hint_slot_q;
  always_ff @(posedge clk_i) begin
    slot_free_valid_o <= rst_ni && take_mm && hit_free && mm_we_i;
    slot_free_slot_o  <= mm_wdata_i[5:0];
    answer_q <= rst_ni && take_mm;
    space_q  <= rst_ni && take_mm && hit_space && !mm_we_i;
    hint_q      <= rst_ni && hint_valid_i;
    hint_slot_q <= hint_slot_i;
    hint_next_q  <= hint_next_i;
    hint_reply_q <= hint_reply_i;
    spoil_q  <= mm_valid_i && mm_we_i && (mm_addr_i[15:12] == tern_abi_pkg::MMIO_SLOT[15:12] ||
                                          mm_addr_i[15:5] == tern_abi_pkg::MMIO_RG_WORD[15:5]);
  end

  // ---------------------------------------------------------------- front, store, sender
  logic             rec_valid, rec_room, abort, rec_out_valid, rec_pop, rec_small, rec_reads;
  logic             buf_next, long_room, quiet;
  logic [RecW-1:0]  rec_in, rec;
  logic [IdW-1:0]   rec_id;
  logic [BufW-1:0]  fill_buf, send_buf;
  logic [Bufs-1:0]  buf_clear, buf_ready;
  logic             buf_whole;
  logic [BufW-1:0]  whole_buf;
  logic [5:0]       front_slot;
  logic             tag_free, tags_free, issue, issue_more, issue_last, issue_odd, drop;
  logic [7:0]       issue_start;
  logic [2:0]       issue_end;
  logic             head_we, head_busy;
  logic [HeadW-1:0] head_beat;
  logic [DataW-1:0] head_data, head_rdata, store_rdata;
  logic             buf_err, store_ren;
  logic [WordW-1:0] store_word;

  tern_tx_front #(
    .DataW(DataW), .MaxPayload(MaxPayload), .NumSlots(NumSlots), .NumQ(NumQ), .RecW(RecW), .IdW(IdW)
  ) u_front (
    .clk_i, .rst_ni, .node_i, .dims_i, .life_i,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .hint_valid_i(hint_q), .hint_slot_i(hint_slot_q), .hint_next_i(hint_next_q),
    .hint_reply_i(hint_reply_q),
    .spoil_i(spoil_q), .quiet_i(quiet),
    .sl_req_o, .sl_slot_o, .sl_word_o, .sl_gnt_i, .sl_rvalid_i, .sl_data_i, .sl_queue_i, .sl_fn_i,
    .ck_valid_o, .ck_ready_i, .ck_key_o, .ck_addr_o, .ck_bytes_o, .ck_fn_o,
    .ck_remote_o, .ck_offset_o, .ck_ahead_o, .ck_adopted_o,
    .ck_done_i, .ck_status_i, .ck_haddr_i, .ck_fn_i,
    .hrq_valid_o(tx_hrq_valid_o), .hrq_ready_i(tx_hrq_ready_i), .hrq_fn_o(tx_hrq_fn_o),
    .hrq_addr_o(tx_hrq_addr_o), .hrq_bytes_o(tx_hrq_bytes_o),
    .tag_free_i(tag_free), .tags_free_i(tags_free),
    .issue_o(issue), .issue_more_o(issue_more), .issue_last_o(issue_last),
    .issue_odd_o(issue_odd), .issue_start_o(issue_start), .issue_end_o(issue_end), .drop_o(drop),
    .head_we_o(head_we), .head_beat_o(head_beat), .head_data_o(head_data), .head_busy_o(head_busy),
    .slot_o(front_slot), .abort_i(abort), .rec_valid_o(rec_valid), .rec_room_i(rec_room),
    .long_room_i(long_room), .buf_next_o(buf_next),
    .rec_o(rec_in), .rec_id_o(rec_id), .rec_small_o(rec_small), .rec_reads_o(rec_reads)
  );

  tern_tx_pick #(.RecW(RecW), .IdW(IdW), .Bufs(Bufs)) u_pick (
    .clk_i, .rst_ni,
    .have_o(rec_room), .buf_o(fill_buf), .clear_o(buf_clear), .next_i(buf_next),
    .push_i(rec_valid && rec_room), .rec_i(rec_in), .id_i(rec_id),
    .small_i(rec_small), .reads_i(rec_reads),
    .long_room_o(long_room), .quiet_o(quiet),
    .ready_i(buf_ready), .whole_i(buf_whole), .whole_buf_i(whole_buf),
    .valid_o(rec_out_valid), .sel_o(send_buf), .rec_o(rec), .pop_i(rec_pop)
  );

  tern_tx_store #(.DataW(DataW), .MaxPayload(MaxPayload), .Bufs(Bufs)) u_store (
    .clk_i, .rst_ni,
    .tag_free_o(tag_free), .tags_free_o(tags_free), .tag_o(tx_hrq_tag_o),
    .issue_i(issue), .buf_i(fill_buf), .issue_more_i(issue_more), .issue_last_i(issue_last),
    .issue_odd_i(issue_odd), .issue_start_i(issue_start), .issue_end_i(issue_end), .drop_i(drop),
    .head_we_i(head_we), .head_beat_i(head_beat), .head_data_i(head_data),
    .hrd_valid_i, .hrd_tag_i, .hrd_data_i, .hrd_last_i, .hrd_err_i,
    .send_buf_i(send_buf), .clear_i(buf_clear), .ready_o(buf_ready),
    .whole_o(buf_whole), .whole_buf_o(whole_buf), .err_o(buf_err),
    .ren_i(store_ren), .word_i(store_word), .rdata_head_o(head_rdata), .rdata_o(store_rdata),
    .st_hrd_fault_o
  );

  tern_tx_send #(
    .DataW(DataW), .MaxPayload(MaxPayload), .NumSlots(NumSlots), .RecW(RecW), .Bufs(Bufs)
  ) u_send (
    .clk_i, .rst_ni,
    .rec_valid_i(rec_out_valid), .rec_i(rec), .rec_pop_o(rec_pop),
    .front_slot_i(front_slot), .abort_o(abort),
    .send_buf_i(send_buf),
    .head_busy_i(head_busy), .head_buf_i(fill_buf), .head_beat_i(head_beat),
    .buf_err_i(buf_err),
    .ren_o(store_ren), .word_o(store_word), .rdata_head_i(head_rdata), .rdata_i(store_rdata),
    .txo_sent_o, .txo_end_o, .txo_op_o, .txo_ack_o, .txo_notify_o, .txo_status_o,
    .txo_gen_i,
    .tx_valid_o, .tx_ready_i, .tx_more_i, .tx_sop_o, .tx_eop_o, .tx_vn_o, .tx_self_o, .tx_data_o,
    .tx_again_i,
    .tr_sop_o(tr_tx_sop_o), .tr_sop_id_o(tr_tx_sop_id_o),
    .st_pkt_o(st_tx_pkt_o), .st_bytes_o(st_tx_bytes_o)
  );

  assign tr_tx_cmd_o      = push;
  assign tr_tx_cmd_id_o   = 16'(mm_wdata_i[tern_abi_pkg::TXC_SLOT_LSB +: 6]);
  assign tr_rd_last_o     = hrd_valid_i && hrd_last_i;
  assign tr_rd_last_tag_o = hrd_tag_i;

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_wdata_i[15:6], mm_addr_i, 1'b0};

endmodule

`default_nettype wire
