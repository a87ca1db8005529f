// SPDX-License-Identifier: Apache-2.0
// Receives the packets of this node: deposits puts, feeds acks to the operation table, hands the
// rest to the firmware.
//
// One beat a cycle. A packet takes effect only after its tail was found good (tern_rx_check, one
// cycle after the last beat). Puts go in order through tern_rx_put: key check, host write, answer;
// the key check of the next put overlaps the write of the one before. Acks take no slot and wait for
// nothing. A packet for the firmware takes one of RxSlots slots and raises RX once every earlier put
// has entered the write channel. `rx_vn_ready_o[v]` promises room for a whole packet of network v.
//
// Payload slots 0 to RxSlots-1 belong to the firmware, the four above to the puts.

`default_nettype none

module tern_rx #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned RxSlots    = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [7:0]       incarnation_i,
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
  input  logic             rxd_err_i,

  input  logic             pb_req_i,
  input  logic [4:0]       pb_slot_i,
  input  logic [7:0]       pb_word_i,
  output logic [DataW-1:0] pb_rdata_o,

  output logic             ctr_valid_o,
  output logic [15:0]      ctr_index_o,
  output logic [10:0]      ctr_bytes_o,

  output logic             rxo_ack_o,
  output logic [7:0]       rxo_op_o,
  output logic [7:0]       rxo_gen_o,
  output logic [7:0]       rxo_status_o,

  output logic             ra_valid_o,
  input  logic             ra_ready_i,
  output logic [15:0]      ra_dst_o,
  output logic [15:0]      ra_opid_o,
  output logic [7:0]       ra_status_o,

  output logic             ev_rx_valid_o,
  input  logic             ev_rx_ready_i,
  output logic [31:0]      ev_rx_o,

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
  output logic             st_refused_o
);

  localparam int unsigned PutSlots  = 4;
  localparam int unsigned Slots     = RxSlots + PutSlots;
  localparam int unsigned SlotW     = $clog2(RxSlots);
  localparam int unsigned HdrBeats  = 256 / DataW;
  localparam int unsigned SlotBeats = MaxPayload * 8 / DataW;
  localparam int unsigned RamWords  = Slots * SlotBeats;
  localparam int unsigned RamW      = $clog2(RamWords);
  localparam int unsigned LaneW     = $clog2(DataW / 8);

  // ---------------------------------------------------------------- arriving beats
  logic         beat, good, in_payload;
  logic [8:0]   index;              // beat of the packet, saturating
  logic [8:0]   pay_index;
  logic         judged;             // one cycle after the last beat: `good` and the header are valid
  logic [1:0]   vn;
  logic [255:0] header;
  logic         room;

  assign rx_ready_o = !rx_sop_i || room;
  assign beat       = rx_valid_i && rx_ready_o;

  tern_rx_check #(.DataW(DataW), .MaxPayload(MaxPayload)) u_check (
    .clk_i, .rst_ni, .node_i,
    .beat_i(beat), .sop_i(rx_sop_i), .eop_i(rx_eop_i), .err_i(rx_err_i), .vn_i(rx_vn_i),
    .data_i(rx_data_i), .index_o(index),
    .judged_o(judged), .good_o(good), .vn_o(vn), .header_o(header),
    .bad_crc_o(st_bad_crc_o), .bad_type_o(st_bad_type_o), .bad_len_o(st_bad_len_o),
    .bad_dst_o(st_bad_dst_o)
  );

  logic [7:0]  p_flags, p_incarnation, p_type;
  logic [15:0] p_src, p_opid;
  logic [10:0] p_length;
  logic [31:0] p_key;
  logic [63:0] p_addr;
  assign p_type        = header[tern_abi_pkg::PKT_TYPE_LSB +: 8];
  assign p_flags       = header[tern_abi_pkg::PKT_FLAGS_LSB +: 8];
  assign p_incarnation = header[tern_abi_pkg::PKT_INCARNATION_LSB +: 8];
  assign p_src         = header[tern_abi_pkg::PKT_SRC_LSB +: 16];
  assign p_length      = header[tern_abi_pkg::PKT_LENGTH_LSB +: 11];
  assign p_opid        = header[tern_abi_pkg::PKT_OPID_LSB +: 16];
  assign p_key         = header[tern_abi_pkg::PKT_KEY_LSB +: 32];
  assign p_addr        = header[tern_abi_pkg::PKT_ADDR_LSB +: 64];

  logic good_put, good_fw, good_ack, live_fw, flush_fw;
  assign good_put = judged && good && vn == 2'(tern_abi_pkg::VN_DATA);
  assign good_fw  = judged && good && vn == 2'(tern_abi_pkg::VN_REQUEST);
  assign good_ack = judged && good && vn == 2'(tern_abi_pkg::VN_ACK);
  assign live_fw  = good_fw && core_up_i;
  assign flush_fw = good_fw && !core_up_i;

  // ---------------------------------------------------------------- acks: no slot, no wait
  assign rxo_ack_o      = good_ack;
  assign rxo_op_o       = p_opid[7:0];
  assign rxo_gen_o      = p_opid[15:8];
  assign rxo_status_o   = p_key[7:0];
  assign tr_ack_in_o    = good_ack;
  assign tr_ack_in_id_o = p_opid;

  // ---------------------------------------------------------------- slots
  logic [RxSlots-1:0] taken_q;       // firmware slots in use or being filled
  logic [SlotW-1:0]   fw_free, fw_slot_q, fw_judged_q;
  logic               fw_room, put_room, fw_undo, arriving_fw_q, arriving_put_q, arriving_ack_q;
  logic [1:0]         put_tail_q;
  logic [2:0]         put_used_q;
  logic               put_release;
  logic [4:0]         fill_slot;
  logic               free_mm;
  logic               ack_space_ok;

  always_comb begin
    fw_free = '0;
    for (int i = RxSlots - 1; i >= 0; i--) if (!taken_q[i]) fw_free = SlotW'(i);
  end

  // A put slot is counted from its good tail; those arriving and being judged are counted here.
  assign fw_room  = !(&taken_q) && ack_space_ok;
  assign put_room = put_used_q + 3'(arriving_put_q) + 3'(judged && vn == 2'(tern_abi_pkg::VN_DATA)) <
                    3'(PutSlots);
  always_comb begin
    case (rx_vn_i)
      2'(tern_abi_pkg::VN_REQUEST): room = fw_room;
      2'(tern_abi_pkg::VN_DATA):    room = put_room;
      default:                      room = 1'b1;
    endcase
  end
  assign rx_vn_ready_o[tern_abi_pkg::VN_REQUEST] = fw_room;
  assign rx_vn_ready_o[tern_abi_pkg::VN_DATA]    = put_room;
  assign rx_vn_ready_o[tern_abi_pkg::VN_ACK]     = 1'b1;

  assign fw_undo   = (judged && vn == 2'(tern_abi_pkg::VN_REQUEST) && !live_fw);
  assign fill_slot = arriving_put_q ? 5'(RxSlots) + 5'(put_tail_q) : 5'(fw_slot_q);

  always_ff @(posedge clk_i) begin
    if (beat && rx_sop_i) fw_slot_q <= fw_free;
    if (beat && rx_eop_i) fw_judged_q <= fw_slot_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q        <= '0;
      arriving_fw_q  <= 1'b0;
      arriving_put_q <= 1'b0;
      arriving_ack_q <= 1'b0;
      put_tail_q     <= '0;
      put_used_q     <= '0;
    end else begin
      // A restarting core owns nothing: its slots come back, except those on the way in.
      if (!core_up_i) taken_q <= '0;
      if (fw_undo) taken_q[fw_judged_q] <= 1'b0;
      if (rxfree_valid_i && rxfree_slot_i < 6'(RxSlots)) taken_q[rxfree_slot_i[SlotW-1:0]] <= 1'b0;
      if (free_mm) taken_q[mm_wdata_q[SlotW-1:0]] <= 1'b0;
      if (!core_up_i && arriving_fw_q) taken_q[fw_slot_q] <= 1'b1;
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

  // ---------------------------------------------------------------- payload and header memories
  logic              mm_read, pay_we;
  logic [RamW-1:0]   pay_raddr, mm_pay_addr;
  logic [DataW-1:0]  hdr_rdata;

  assign in_payload = index >= 9'(HdrBeats);
  assign pay_index  = index - 9'(HdrBeats);
  assign pay_we     = beat && in_payload && pay_index < 9'(SlotBeats) && (arriving_fw_q || arriving_put_q);
  assign pay_raddr  = pb_req_i ? RamW'(pb_slot_i) * RamW'(SlotBeats) + RamW'(pb_word_i) : mm_pay_addr;

  tern_ram #(.Width(DataW), .Words(RamWords), .Block(1'b1)) u_payload (
    .clk_i,
    .ren_i(pb_req_i || mm_read), .raddr_i(pay_raddr), .rdata_o(pb_rdata_o),
    .we_i(pay_we), .waddr_i(RamW'(fill_slot) * RamW'(SlotBeats) + RamW'(pay_index)),
    .wdata_i(rx_data_i)
  );

  localparam int unsigned HdrW = $clog2(RxSlots * HdrBeats);
  logic [HdrW-1:0] hdr_waddr, mm_hdr_addr;
  // The first beat comes before the slot is registered.
  assign hdr_waddr = {rx_sop_i ? fw_free : fw_slot_q, index[$clog2(HdrBeats)-1:0]};

  tern_ram #(.Width(DataW), .Words(RxSlots * HdrBeats), .Block(1'b1)) u_headers (
    .clk_i,
    .ren_i(mm_read), .raddr_i(mm_hdr_addr), .rdata_o(hdr_rdata),
    .we_i(beat && !in_payload && (rx_sop_i ? rx_vn_i == 2'(tern_abi_pkg::VN_REQUEST) : arriving_fw_q)),
    .waddr_i(hdr_waddr), .wdata_i(rx_data_i)
  );

  // Where an answer to a firmware slot goes.
  logic [31:0] origin [0:RxSlots-1];
  always_ff @(posedge clk_i) begin
    if (good_fw) origin[fw_judged_q] <= {p_src, p_opid};
  end

  // ---------------------------------------------------------------- puts
  logic        put_ra_valid, put_ra_ready, put_entered;
  logic [39:0] put_ra;

  tern_rx_put #(.RxSlots(RxSlots)) u_put (
    .clk_i, .rst_ni, .incarnation_i,
    .put_valid_i(good_put), .put_slot_i(put_tail_q), .put_flags_i(p_flags),
    .put_incarnation_i(p_incarnation), .put_src_i(p_src), .put_opid_i(p_opid),
    .put_length_i(p_length), .put_key_i(p_key), .put_addr_i(p_addr),
    .release_o(put_release), .entered_o(put_entered),
    .ck_valid_o, .ck_ready_i, .ck_key_o, .ck_addr_o, .ck_bytes_o, .ck_offset_o,
    .ck_done_i, .ck_status_i, .ck_haddr_i, .ck_fn_i, .ck_ctr_i,
    .rxc_valid_o, .rxc_ready_i, .rxc_slot_o, .rxc_bytes_o, .rxc_fn_o, .rxc_addr_o, .rxc_id_o,
    .rxc_read_done_i, .rxd_valid_i, .rxd_err_i,
    .ctr_valid_o, .ctr_index_o, .ctr_bytes_o,
    .ra_valid_o(put_ra_valid), .ra_ready_i(put_ra_ready), .ra_o(put_ra),
    .st_put_o(st_rx_put_o), .st_put_bytes_o(st_rx_put_bytes_o), .st_refused_o
  );

  // ---------------------------------------------------------------- answers to tern_ack
  // The firmware's acks and the FLUSHED answers share a FIFO. It shows the firmware at most four
  // places and stops VN_REQUEST while fewer than three are left, so neither ever finds it full.
  localparam int unsigned FwAcks = 8;
  logic        fwack_push, fwack_valid, ack_mm, ack_mm_real;
  logic [39:0] fwack_in, fwack;
  logic [3:0]  fwack_space;
  logic [2:0]  fw_acks_fit;

  assign ack_space_ok = fwack_space >= 4'd3;
  assign fw_acks_fit  = fwack_space > 4'd4 ? 3'(fwack_space - 4'd4) : 3'd0;
  assign ack_mm_real  = ack_mm && origin[mm_wdata_q[SlotW-1:0]][7:0] != 8'(tern_abi_pkg::OP_NONE);
  assign fwack_push   = ack_mm_real || (flush_fw && p_opid[7:0] != 8'(tern_abi_pkg::OP_NONE));
  assign fwack_in     = flush_fw ? {p_src, p_opid, tern_abi_pkg::ST_FLUSHED} :
                        {origin[mm_wdata_q[SlotW-1:0]], mm_wdata_q[15:8]};

  tern_fifo #(.Width(40), .Depth(FwAcks)) u_fwacks (
    .clk_i, .rst_ni,
    .valid_i(fwack_push), .data_i(fwack_in),
    .valid_o(fwack_valid), .ready_i(ra_ready_i && !put_ra_valid), .data_o(fwack),
    .space_o(fwack_space),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign ra_valid_o   = put_ra_valid || fwack_valid;
  assign put_ra_ready = ra_ready_i;
  assign {ra_dst_o, ra_opid_o, ra_status_o} = put_ra_valid ? put_ra : fwack;

  // ---------------------------------------------------------------- events
  // `order_q` numbers good puts, `entered_q` those past the key check; at most PutSlots lie between,
  // so three bits tell whether the puts before a waiting packet have all entered.
  logic [2:0]  order_q, entered_q, hold_order, missing;
  logic        hold_valid, hold_go, events_rst_n;
  logic [SlotW+7:0] hold_data, ev_data;

  assign events_rst_n = rst_ni && core_up_i;
  assign missing      = hold_order - entered_q;
  assign hold_go      = hold_valid && (missing == 3'd0 || missing > 3'(PutSlots));

  tern_fifo #(.Width(SlotW + 8 + 3), .Depth(RxSlots)) u_hold (
    .clk_i, .rst_ni(events_rst_n),
    .valid_i(live_fw), .data_i({order_q, fw_judged_q, p_type}),
    .valid_o(hold_valid), .ready_i(hold_go), .data_o({hold_order, hold_data}),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  tern_fifo #(.Width(SlotW + 8), .Depth(RxSlots)) u_events (
    .clk_i, .rst_ni(events_rst_n),
    .valid_i(hold_go), .data_i(hold_data),
    .valid_o(ev_rx_valid_o), .ready_i(ev_rx_ready_i), .data_o(ev_data),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ev_rx_o = {tern_abi_pkg::EV_RX, 12'b0, ev_data[7:0], 8'(ev_data[SlotW+7:8])};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      order_q   <= '0;
      entered_q <= '0;
    end else begin
      order_q   <= order_q + 3'(good_put);
      entered_q <= entered_q + 3'(put_entered);
    end
  end

  // ---------------------------------------------------------------- registers
  logic        hit, window, req_q, we_q, window_q, ack_wait;
  logic [15:0] mm_addr_q, mm_wdata_q;
  logic        read_q, from_hdr_q;
  logic [10:0] offset, pay_offset;
  logic [31:0] word, hdr_word, pay_word;
  logic        slot_ok;

  assign window     = mm_addr_i[15];
  assign hit        = window || mm_addr_i == tern_abi_pkg::MMIO_RX_FREE ||
                      mm_addr_i == tern_abi_pkg::MMIO_RX_ACK || mm_addr_i == tern_abi_pkg::MMIO_ACK_SPACE;
  assign mm_ready_o = hit && !req_q && !read_q;

  assign free_mm  = req_q && we_q && mm_addr_q == tern_abi_pkg::MMIO_RX_FREE && mm_wdata_q[5:0] < 6'(RxSlots);
  assign ack_wait = flush_fw || fwack_space == '0;
  assign ack_mm   = req_q && we_q && mm_addr_q == tern_abi_pkg::MMIO_RX_ACK && mm_wdata_q[5:0] < 6'(RxSlots) &&
                    !ack_wait;

  // A window read takes the payload RAM in a cycle in which the deposit does not want it.
  assign mm_read     = req_q && window_q && !we_q && !pb_req_i;
  assign offset      = mm_addr_q[10:0];
  assign pay_offset  = offset - 11'(tern_abi_pkg::PKT_HEADER_BYTES);
  assign slot_ok     = 5'(mm_addr_q[14:11]) < 5'(RxSlots);
  assign mm_pay_addr = RamW'(mm_addr_q[14:11]) * RamW'(SlotBeats) +
                       RamW'(pay_offset[LaneW +: $clog2(SlotBeats)]);
  assign mm_hdr_addr = {mm_addr_q[11 +: SlotW], offset[4:LaneW]};

  if (DataW == 64) begin : g_halves
    assign hdr_word = mm_addr_q[2] ? hdr_rdata[63:32] : hdr_rdata[31:0];
    assign pay_word = mm_addr_q[2] ? pb_rdata_o[63:32] : pb_rdata_o[31:0];
  end else begin : g_words
    assign hdr_word = hdr_rdata;
    assign pay_word = pb_rdata_o;
  end
  assign word = !slot_ok ? '0 : from_hdr_q ? hdr_word : pay_word;

  logic plain_done, is_ack;
  assign is_ack      = we_q && mm_addr_q == tern_abi_pkg::MMIO_RX_ACK;
  assign plain_done  = req_q && (we_q || !window_q) && !(is_ack && ack_wait);
  assign mm_rvalid_o = plain_done || read_q;
  assign mm_rdata_o  = read_q ? word :
                       plain_done && !we_q && mm_addr_q == tern_abi_pkg::MMIO_ACK_SPACE ?
                       32'(fw_acks_fit) : '0;

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      we_q       <= mm_we_i;
      window_q   <= window;
      mm_addr_q  <= mm_addr_i;
      mm_wdata_q <= mm_wdata_i[15:0];
    end
    from_hdr_q <= offset < 11'(tern_abi_pkg::PKT_HEADER_BYTES);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_q  <= 1'b0;
      read_q <= 1'b0;
    end else begin
      if (mm_valid_i && mm_ready_o)      req_q <= 1'b1;
      else if (plain_done || mm_read)    req_q <= 1'b0;
      read_q <= mm_read;
    end
  end

  // ---------------------------------------------------------------- trace and statistics
  assign tr_rx_good_o    = judged && good;
  assign tr_rx_good_id_o = p_opid;
  assign st_rx_pkt_o     = judged && good;
  assign st_rx_fw_o      = live_fw;
  assign st_rx_ack_o     = good_ack && p_key[7:0] == tern_abi_pkg::ST_OK;
  assign st_rx_nak_o     = good_ack && p_key[7:0] != tern_abi_pkg::ST_OK;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      PutSlotsBounded: assert (put_used_q <= 3'(PutSlots));
      FillOwned:       assert (!(beat && arriving_fw_q) || taken_q[fw_slot_q]);
      AnswerFits:      assert (!fwack_push || fwack_space != '0);
      Started:         assert (!(beat && !rx_sop_i) || arriving_fw_q || arriving_put_q || arriving_ack_q);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_wdata_i[31:16], mm_wdata_q[7:6], header, pay_offset, 1'b0};

endmodule

`default_nettype wire
