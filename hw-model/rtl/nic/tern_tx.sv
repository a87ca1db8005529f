// SPDX-License-Identifier: Apache-2.0
// Transmit unit: turns a command of the firmware and a descriptor into packets.
//
// Eight commands wait. tern_tx_front reads slots, checks keys and sends out host reads, ahead of the
// packets on the stream and into the next messages; tern_tx_store lines the payload up as it arrives,
// in any order; tern_tx_send emits a packet once its payload is complete. One beat a cycle, packets
// back to back; a stalled beat is held. With an inline payload the first beat stands on the stream
// four cycles plus the slot's read time after the write of TX_CMD.

`default_nettype none

module tern_tx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,

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
  input  logic [511:0]     sl_desc_i,
  input  logic [DataW-1:0] sl_data_i,
  input  logic [15:0]      sl_queue_i,
  input  logic [7:0]       sl_fn_i,
  output logic             slot_free_valid_o,
  output logic [5:0]       slot_free_slot_o,

  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,

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

  localparam int unsigned Bufs    = 8;                    // packet buffers
  localparam int unsigned BufW    = $clog2(Bufs);
  localparam int unsigned WordW   = $clog2(MaxPayload * 8 / DataW);
  localparam int unsigned InlW    = $clog2(256 / DataW);
  localparam int unsigned RecW    = 171;                  // a packet record, see tern_tx_send
  localparam int unsigned Cmds    = 8;

  // ---------------------------------------------------------------- registers
  logic        hit_space, hit_cmd, hit_free, take_mm, push, answer_q, space_q;
  logic        cmd_valid, cmd_ready, cmd_room;
  logic [29:0] cmd;
  logic [3:0]  space;

  assign hit_space  = mm_addr_i == tern_abi_pkg::MMIO_TX_SPACE;
  assign hit_cmd    = mm_addr_i == tern_abi_pkg::MMIO_TX_CMD;
  assign hit_free   = mm_addr_i == tern_abi_pkg::MMIO_SLOT_FREE;
  assign mm_ready_o = (hit_space || hit_free || (hit_cmd && cmd_room)) && !answer_q;
  assign take_mm    = mm_valid_i && mm_ready_o;
  assign push       = take_mm && hit_cmd && mm_we_i;

  tern_fifo #(.Width(30), .Depth(Cmds)) u_cmds (
    .clk_i, .rst_ni,
    .valid_i(push), .ready_o(cmd_room), .data_i(mm_wdata_i[29:0]),
    .valid_o(cmd_valid), .ready_i(cmd_ready), .data_o(cmd), .space_o(space)
  );

  assign slot_free_valid_o = take_mm && hit_free && mm_we_i;
  assign slot_free_slot_o  = mm_wdata_i[5:0];

  assign mm_rvalid_o = answer_q;
  assign mm_rdata_o  = space_q ? 32'(space) : '0;

  always_ff @(posedge clk_i) begin
    answer_q <= rst_ni && take_mm;
    space_q  <= rst_ni && take_mm && hit_space && !mm_we_i;
  end

  // ---------------------------------------------------------------- front, store, sender
  logic             rec_valid, rec_room, abort, take;
  logic [RecW-1:0]  rec_in, rec;
  logic             rec_out_valid, rec_pop;
  logic [BufW-1:0]  fill_buf_q, send_buf_q;
  logic             tag_free, issue;
  logic [2:0]       tag;
  logic [WordW-1:0] issue_word;
  logic [2:0]       issue_shift, issue_lane;
  logic [8:0]       issue_bytes;
  logic             inl_we;
  logic [InlW-1:0]  inl_word;
  logic [DataW-1:0] inl_data;
  logic             buf_ready, buf_err, store_ren, store_inl;
  logic [WordW-1:0] store_word;
  logic [DataW-1:0] store_data;

  tern_tx_front #(.DataW(DataW), .MaxPayload(MaxPayload), .RecW(RecW)) u_front (
    .clk_i, .rst_ni, .dims_i,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_i(cmd),
    .sl_req_o, .sl_slot_o, .sl_word_o, .sl_gnt_i, .sl_rvalid_i, .sl_desc_i, .sl_data_i, .sl_queue_i,
    .sl_fn_i,
    .ck_valid_o, .ck_ready_i, .ck_key_o, .ck_addr_o, .ck_bytes_o, .ck_fn_o,
    .ck_done_i, .ck_status_i, .ck_haddr_i,
    .hrq_valid_o(tx_hrq_valid_o), .hrq_ready_i(tx_hrq_ready_i), .hrq_fn_o(tx_hrq_fn_o),
    .hrq_addr_o(tx_hrq_addr_o), .hrq_bytes_o(tx_hrq_bytes_o),
    .tag_free_i(tag_free), .issue_o(issue), .issue_word_o(issue_word),
    .issue_shift_o(issue_shift), .issue_lane_o(issue_lane), .issue_bytes_o(issue_bytes),
    .inl_we_o(inl_we), .inl_word_o(inl_word), .inl_data_o(inl_data),
    .abort_i(abort), .rec_valid_o(rec_valid), .rec_room_i(rec_room), .rec_o(rec_in)
  );
  assign tx_hrq_tag_o = tag;
  assign take         = rec_valid && rec_room;

  // A record for each buffer: where there is a place here, there is a free buffer.
  tern_fifo #(.Width(RecW), .Depth(Bufs)) u_records (
    .clk_i, .rst_ni,
    .valid_i(rec_valid), .ready_o(rec_room), .data_i(rec_in),
    .valid_o(rec_out_valid), .ready_i(rec_pop), .data_o(rec),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_buf_q <= '0;
      send_buf_q <= '0;
    end else begin
      if (take)    fill_buf_q <= fill_buf_q + 1'b1;
      if (rec_pop) send_buf_q <= send_buf_q + 1'b1;
    end
  end

  tern_tx_store #(.DataW(DataW), .MaxPayload(MaxPayload), .Bufs(Bufs)) u_store (
    .clk_i, .rst_ni,
    .tag_free_o(tag_free), .tag_o(tag),
    .issue_i(issue), .issue_buf_i(fill_buf_q), .issue_word_i(issue_word),
    .issue_shift_i(issue_shift), .issue_lane_i(issue_lane), .issue_bytes_i(issue_bytes),
    .inl_we_i(inl_we), .inl_word_i(inl_word), .inl_data_i(inl_data), .inl_first_i(take),
    .hrd_valid_i, .hrd_tag_i, .hrd_data_i, .hrd_last_i, .hrd_err_i,
    .send_buf_i(send_buf_q), .send_done_i(rec_pop), .ready_o(buf_ready), .err_o(buf_err),
    .ren_i(store_ren), .inl_i(store_inl), .word_i(store_word), .rdata_o(store_data),
    .st_hrd_fault_o
  );

  tern_tx_send #(.DataW(DataW), .MaxPayload(MaxPayload), .RecW(RecW), .Bufs(Bufs)) u_send (
    .clk_i, .rst_ni, .node_i,
    .rec_valid_i(rec_out_valid), .rec_i(rec), .rec_pop_o(rec_pop),
    .last_pushed_i(take && rec_in[RecW-2]), .abort_o(abort),
    .buf_ready_i(buf_ready), .buf_err_i(buf_err),
    .ren_o(store_ren), .inl_o(store_inl), .word_o(store_word), .rdata_i(store_data),
    .txo_start_o, .txo_sent_o, .txo_end_o, .txo_op_o, .txo_ack_o, .txo_notify_o, .txo_status_o,
    .txo_gen_i,
    .tx_valid_o, .tx_ready_i, .tx_sop_o, .tx_eop_o, .tx_vn_o, .tx_data_o,
    .tr_sop_o(tr_tx_sop_o), .tr_sop_id_o(tr_tx_sop_id_o),
    .st_pkt_o(st_tx_pkt_o), .st_bytes_o(st_tx_bytes_o)
  );

  assign tr_tx_cmd_o      = push;
  assign tr_tx_cmd_id_o   = 16'(mm_wdata_i[tern_abi_pkg::TXC_SLOT_LSB +: 6]);
  assign tr_rd_last_o     = hrd_valid_i && hrd_last_i;
  assign tr_rd_last_tag_o = hrd_tag_i;

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_wdata_i[31:30], 1'b0};

endmodule

`default_nettype wire
