// SPDX-License-Identifier: Apache-2.0
// Bench of atomic operations at their target: tern_rx, tern_ack, tern_key, tern_dma_wr and
// tern_hostrd connected as in the node, with models of the network, the firmware and a host whose
// memory answers late.
//
// Whole operations, one after the other, must explain all writes that the host sees: each write
// replaces the word that was read for it. For a walk, the nodes that the host returns determine how
// it goes on and ends. Plusargs: +seed=N +ops=N.

`default_nettype none

module atomic_tb;
  parameter int unsigned DataW = 64;
  localparam int Lanes = DataW / 8;
  localparam int RxSlots = 4;
  localparam int MaxOps = 16384;
  localparam logic [15:0] Node = 16'h0005;
  localparam logic [7:0] Incarnation = 8'h07;
  localparam logic [63:0] Base = 64'h0000_0012_3456_7000;   // of the region, in host memory
  localparam logic [63:0] Iova = 64'h0000_0000_0040_0000;
  localparam int Size = 16384;
  localparam logic [7:0] Fn = 8'h03;
  // Keys: all rights; all but atomic; atomic alone; read alone; write alone; none.
  localparam logic [31:0] KeyAll = 32'haa01_0001, KeyPlain = 32'haa02_0002, KeyOnly = 32'haa03_0003,
                          KeyRead = 32'haa04_0004, KeyWrite = 32'haa05_0005,
                          KeyNone = 32'hbb01_0001;

  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  int cycle = 0;
  always @(posedge clk) cycle <= cycle + 1;

  task automatic tick();
    @(posedge clk);
    #1;
  endtask

  // ------------------------------------------------------------------ the blocks
  logic        core_up = 1;
  logic [7:0]  node_life = Incarnation;
  logic        rx_valid = 0, rx_ready, rx_sop = 0, rx_eop = 0;
  logic [1:0]  rx_vn = 0;
  logic [DataW-1:0] rx_data = 0;
  logic [2:0]  vn_ready;
  logic        mm_valid = 0, mm_we = 0, rx_mm_ready, rx_mm_rvalid, key_mm_ready, key_mm_rvalid;
  logic [15:0] mm_addr = 16'h7ffc;
  logic [31:0] mm_wdata = 0, rx_mm_rdata, key_mm_rdata;
  logic        ck_valid, ck_offset, ck_atomic, ck_read, at_hrq_node;
  logic [3:0]  ck_ready, ck_done;
  logic [31:0] ck_key, ck_bytes;
  logic [63:0] ck_addr, ck_haddr;
  logic [7:0]  ck_status, ck_fn;
  logic [15:0] ck_ctr;
  logic        rxc_valid, rxc_ready, rxc_read_done, rxd_valid, rxd_ready, rxd_err;
  logic [4:0]  rxc_slot, pb_slot;
  logic [10:0] rxc_bytes;
  logic [7:0]  rxc_fn, pb_word;
  logic [63:0] rxc_addr;
  logic [15:0] rxc_id;
  logic        pb_req;
  logic [DataW-1:0] pb_rdata;
  logic        at_hrq_valid, at_hrq_ready, at_valid, at_ready, at_word, at_req, at_done, at_err;
  logic [7:0]  at_hrq_fn, at_fn;
  logic [63:0] at_hrq_addr, at_addr;
  logic [DataW-1:0] at_rdata, word;
  logic        ra_valid, ra_ready, ra_final, ra_word, word_next;
  logic [15:0] ra_dst, ra_opid;
  logic [7:0]  ra_status;
  logic        ev_valid, ev_ready = 0;
  logic [31:0] ev;
  logic        ack_valid, ack_ready = 0, ack_sop, ack_eop;
  logic [DataW-1:0] ack_data;
  logic        hrq_valid, hrq_ready = 0;
  logic [7:0]  hrq_fn;
  logic [63:0] hrq_addr;
  logic [8:0]  hrq_bytes;
  logic [3:0]  hrq_tag;
  logic        hrd_valid = 0, hrd_last = 0, hrd_err = 0, hrd_valid_q = 0, hrd_last_q, hrd_err_q;
  logic [3:0]  hrd_tag = 0, hrd_tag_q;
  logic [DataW-1:0] hrd_data = 0, hrd_data_q;
  logic        hwr_valid, hwr_ready = 0, hwr_last, hwr_irq, hwb_valid = 0, hwb_err = 0,
      hwb_valid_q = 0, hwb_err_q;
  logic [7:0]  hwr_tag, hwb_tag = '0, hwb_tag_q;
  logic [7:0]  hwr_fn;
  logic [63:0] hwr_addr;
  logic [10:0] hwr_bytes;
  logic [DataW-1:0] hwr_data;
  logic        dep_first, fw_first, fw_irq;
  logic [15:0] dep_id;
  logic        fwc_valid = 0, fwc_ready, pf_valid = 0, pf_ready, tx_valid = 0, tx_ready;
  logic [63:0] pf_addr = 0;

  // The node's input flops.
  always @(posedge clk) begin
    {hrd_valid_q, hrd_tag_q, hrd_data_q, hrd_last_q, hrd_err_q} <= {hrd_valid, hrd_tag, hrd_data,
                                                                    hrd_last, hrd_err};
    {hwb_valid_q, hwb_tag_q, hwb_err_q} <= {hwb_valid, hwb_tag, hwb_err};
  end

  tern_rx #(.DataW(DataW), .MaxPayload(512), .RxSlots(RxSlots)) u_rx (
    .clk_i(clk), .rst_ni(rst_n), .node_i(Node), .dims_i(16'h7fff), .incarnation_i(node_life),
    .op_life_i(2'd0),
    .core_up_i(core_up), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_sop_i(rx_sop),
    .rx_eop_i(rx_eop), .rx_err_i(1'b0), .rx_vn_i(rx_vn), .rx_data_i(rx_data),
    .rx_vn_ready_o(vn_ready), .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr),
    .mm_wdata_i(mm_wdata), .mm_ready_o(rx_mm_ready), .mm_rvalid_o(rx_mm_rvalid),
    .mm_rdata_o(rx_mm_rdata), .ck_valid_o(ck_valid), .ck_ready_i(ck_ready[0]), .ck_key_o(ck_key),
    .ck_addr_o(ck_addr), .ck_bytes_o(ck_bytes), .ck_offset_o(ck_offset), .ck_atomic_o(ck_atomic),
    .ck_read_o(ck_read), .ck_done_i(ck_done[0]), .ck_status_i(ck_status), .ck_haddr_i(ck_haddr),
    .ck_fn_i(ck_fn), .ck_ctr_i(ck_ctr), .rxc_valid_o(rxc_valid), .rxc_ready_i(rxc_ready),
    .rxc_slot_o(rxc_slot), .rxc_bytes_o(rxc_bytes), .rxc_fn_o(rxc_fn), .rxc_addr_o(rxc_addr),
    .rxc_id_o(rxc_id), .rxc_read_done_i(rxc_read_done), .rxd_valid_i(rxd_valid),
    .rxd_ready_o(rxd_ready), .rxd_err_i(rxd_err), .pb_req_i(pb_req), .pb_slot_i(pb_slot),
    .pb_word_i(pb_word), .pb_rdata_o(pb_rdata), .at_hrq_valid_o(at_hrq_valid),
    .at_hrq_ready_i(at_hrq_ready), .at_hrq_fn_o(at_hrq_fn), .at_hrq_addr_o(at_hrq_addr),
    .at_hrq_node_o(at_hrq_node), .hrd_valid_i(hrd_valid_q), .hrd_tag_i(hrd_tag_q),
    .hrd_data_i(hrd_data_q), .hrd_last_i(hrd_last_q), .hrd_err_i(hrd_err_q), .at_valid_o(at_valid),
    .at_ready_i(at_ready), .at_word_o(at_word), .at_fn_o(at_fn), .at_addr_o(at_addr),
    .at_req_i(at_req), .at_rdata_o(at_rdata), .at_done_i(at_done), .at_err_i(at_err),
    .ctr_valid_o(), .ctr_index_o(), .ctr_bytes_o(), .rxo_ack_o(), .rxo_free_i(1'b1), .rxo_op_o(),
    .rxo_gen_o(), .rxo_status_o(), .rxo_final_o(), .rxo_word_o(), .rxo_take_i(1'b0),
    .rxo_drop_i(1'b0), .rxo_slot_i(6'd0), .word_valid_o(), .word_ready_i(1'b0), .word_slot_o(),
    .word_high_o(), .word_data_o(), .ra_valid_o(ra_valid), .ra_ready_i(ra_ready), .ra_dst_o(ra_dst),
    .ra_opid_o(ra_opid), .ra_status_o(ra_status), .ra_final_o(ra_final), .ra_word_o(ra_word),
    .word_o(word), .word_next_i(word_next), .ev_rx_valid_o(ev_valid), .ev_rx_ready_i(ev_ready),
    .ev_rx_o(ev), .copy_may_i(1'b1), .copy_o(), .copy_slot_o(), .copy_valid_o(),
    .copy_ready_i(1'b0), .copy_word_o(), .copy_data_o(), .copy_near_o(), .copy_known_o(),
    .rxfree_valid_i(1'b0), .rxfree_slot_i(6'd0), .tr_rx_good_o(), .tr_rx_good_id_o(),
    .tr_ack_in_o(), .tr_ack_in_id_o(), .st_rx_pkt_o(), .st_rx_put_o(), .st_rx_put_bytes_o(),
    .st_rx_fw_o(), .st_rx_ack_o(), .st_rx_nak_o(), .st_bad_crc_o(), .st_bad_type_o(),
    .st_bad_len_o(), .st_bad_dst_o(), .st_refused_o(), .st_not_member_o()
  );
  tern_ack #(.DataW(DataW)) u_ack (
    .clk_i(clk), .rst_ni(rst_n), .node_i(Node),
    .ra_valid_i(ra_valid), .ra_ready_o(ra_ready), .ra_dst_i(ra_dst), .ra_opid_i(ra_opid),
    .ra_status_i(ra_status), .ra_final_i(ra_final), .ra_word_i(ra_word), .word_i(word),
    .word_next_o(word_next), .ack_valid_o(ack_valid), .ack_ready_i(ack_ready),
    .ack_more_i(ack_ready), .ack_sop_o(ack_sop), .ack_eop_o(ack_eop), .ack_data_o(ack_data),
    .st_tx_ack_o(), .st_tx_nak_o()
  );
  tern_key #(.NumRegions(16)) u_key (
    .clk_i(clk), .rst_ni(rst_n),
    .ck_valid_i({3'b0, ck_valid}), .ck_ready_o(ck_ready), .ck_key_i({96'b0, ck_key}),
    .ck_addr_i({192'b0, ck_addr}), .ck_bytes_i({96'b0, ck_bytes}), .ck_fn_i('0),
    .ck_fn_any_i(4'b0001), .ck_offset_i({3'b0, ck_offset}),
    .ck_right_i({24'b0, ck_atomic ? 8'(tern_abi_pkg::RIGHT_REMOTE_ATOMIC) : ck_read
                 ? 8'(tern_abi_pkg::RIGHT_REMOTE_READ) : 8'(tern_abi_pkg::RIGHT_REMOTE_WRITE)}),
                 .ck_done_o(ck_done), .ck_status_o(ck_status), .ck_haddr_o(ck_haddr),
                 .ck_fn_o(ck_fn), .ck_ctr_o(ck_ctr), .mm_valid_i(mm_valid), .mm_we_i(mm_we),
                 .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata), .mm_ready_o(key_mm_ready),
                 .mm_rvalid_o(key_mm_rvalid), .mm_rdata_o(key_mm_rdata), .st_check_o(),
                 .st_refused_o()
  );
  tern_hostrd u_hostrd (
    .clk_i(clk), .rst_ni(rst_n),
    .pf_hrq_valid_i(pf_valid), .pf_hrq_ready_o(pf_ready), .pf_hrq_fn_i(8'h77),
    .pf_hrq_addr_i(pf_addr), .pf_hrq_bytes_i(9'd64), .pf_hrq_tag_i(2'd1),
    .tx_hrq_valid_i(tx_valid), .tx_hrq_ready_o(tx_ready), .tx_hrq_fn_i(8'h78),
    .tx_hrq_addr_i(64'h9000), .tx_hrq_bytes_i(9'd256), .tx_hrq_tag_i(3'd5),
    .at_hrq_valid_i(at_hrq_valid), .at_hrq_ready_o(at_hrq_ready), .at_hrq_fn_i(at_hrq_fn),
    .at_hrq_addr_i(at_hrq_addr), .at_hrq_node_i(at_hrq_node), .hrq_valid_o(hrq_valid),
    .hrq_ready_i(hrq_ready), .hrq_fn_o(hrq_fn), .hrq_addr_o(hrq_addr), .hrq_bytes_o(hrq_bytes),
    .hrq_tag_o(hrq_tag), .st_hrd_o(), .st_hrd_bytes_o(), .tr_rd_req_o(), .tr_rd_tag_o()
  );
  logic             fd_req;
  tern_dma_wr #(.DataW(DataW)) u_dma_wr (
    .clk_i(clk), .rst_ni(rst_n),
    .rxc_valid_i(rxc_valid), .rxc_ready_o(rxc_ready), .rxc_slot_i(rxc_slot),
    .rxc_bytes_i(rxc_bytes), .rxc_fn_i(rxc_fn), .rxc_addr_i(rxc_addr), .rxc_id_i(rxc_id),
    .rxc_read_done_o(rxc_read_done), .rxd_valid_o(rxd_valid), .rxd_ready_i(rxd_ready),
    .rxd_err_o(rxd_err), .fwc_valid_i(fwc_valid), .fwc_ready_o(fwc_ready), .fwc_kind_i(2'd0),
    .fwc_slot_i(5'd0), .fwc_bytes_i(11'd32), .fwc_fn_i(8'h55),
    .fwc_addr_i(64'hfedc_ba98_7654_3210), .fwc_id_i(12'd0), .at_valid_i(at_valid),
    .at_ready_o(at_ready), .at_word_i(at_word), .at_fn_i(at_fn), .at_addr_i(at_addr),
    .at_req_o(at_req), .at_rdata_i(at_rdata), .at_done_o(at_done), .at_err_o(at_err),
    .fd_req_o(fd_req), .fd_beat_o(), .fd_rdata_i({DataW/32{32'hfd0f_fd0f}}), .fwc_read_done_o(),
    .fwd_valid_o(), .fwd_err_o(), .pb_req_o(pb_req), .pb_slot_o(pb_slot), .pb_word_o(pb_word),
    .pb_rdata_i(pb_rdata), .hwr_valid_o(hwr_valid), .hwr_ready_i(hwr_ready), .hwr_fn_o(hwr_fn),
    .hwr_addr_o(hwr_addr), .hwr_bytes_o(hwr_bytes), .hwr_data_o(hwr_data), .hwr_last_o(hwr_last),
    .hwr_tag_o(hwr_tag), .hwb_tag_i(hwb_tag_q), .period_i('0),
    .hold_i(1'b0), .commands_o(), .writes_o(),
    .hwr_irq_o(hwr_irq), .hwb_valid_i(hwb_valid_q), .hwb_err_i(hwb_err_q),
    .tr_dep_first_o(dep_first), .tr_dep_last_o(), .tr_dep_id_o(dep_id), .tr_hwr_first_o(fw_first),
    .tr_hwr_id_o(), .tr_irq_o(fw_irq), .tr_irq_id_o(), .st_hwr_o(), .st_hwr_bytes_o(), .st_irq_o(),
    .st_hwr_fault_o()
  );

  // ------------------------------------------------------------------ registers
  bit mm_busy = 0;
  logic [31:0] mm_said;
  int mm_at;                                        // cycle of the last access
  task automatic mm(input bit we, input logic [15:0] addr, input logic [31:0] data);
    while (mm_busy) tick();
    mm_busy = 1;
    mm_valid = 1; mm_we = we; mm_addr = addr; mm_wdata = data;
    do @(posedge clk); while (!(rx_mm_ready || key_mm_ready));
    mm_at = cycle;
    #1;
    mm_valid = 0; mm_addr = 16'h7ffc;
    do @(posedge clk); while (!(rx_mm_rvalid || key_mm_rvalid));
    mm_said = rx_mm_rdata | key_mm_rdata;
    #1;
    mm_busy = 0;
  endtask

  task automatic region(input int r, input logic [31:0] key, input logic [7:0] rights);
    logic [255:0] e;
    e = '0;
    e[63:0] = Base; e[111:64] = 48'(Size); e[127:112] = key[31:16]; e[191:128] = Iova;
    e[207:192] = 16'(tern_abi_pkg::COUNTER_NONE); e[215:208] = Fn; e[231:224] = rights;
    e[255] = 1'b1;
    mm(1, tern_abi_pkg::MMIO_RG_SEL, r);
    for (int w = 0; w < 8; w++) mm(1, tern_abi_pkg::MMIO_RG_WORD + 16'(4 * w), e[32*w +: 32]);
  endtask

  // ------------------------------------------------------------------ operations
  typedef struct {
    logic [1:0]  kind;
    logic [63:0] compare, compare_mask, swap, swap_mask, addr;
    logic [7:0]  want;           // the status of the refusal, or OK
    bit          read_fault, write_fault;
    bit          read, wrote, told, forgotten, silent;
    logic [63:0] old;
    // A walk: its position, and how often it may continue, by the nodes visited.
    bit           walk, tree, offset, first, noted, found, lost;
    int           left, lot, lots, nodes;
    logic [31:0]  key;
    logic [63:0]  wanted, link;
    logic [7:0]   ends;          // status of the expected ACK, or OK
  } op_t;
  op_t ops [MaxOps];
  int  n_ops = 0, told = 0, changed = 0, kept = 0, faults = 0, refused = 0;
  int  jobs [$];                   // given to the unit, in order; the first is in progress
  int  of_opid [int];
  int  noted [$];                  // walks whose event is expected
  int  slot_op [16];
  int  walks_found = 0, walks_on = 0, walks_refused = 0, nodes_seen = 0;
  int  puts_sent = 0, puts_acked = 0, late_reads = 0;

  localparam logic [1:0] Add = 1, Take = 2;   // 0 is compare-and-swap

  function automatic logic [63:0] result(input int i);
    logic [63:0] sum;
    sum = ops[i].old + (ops[i].swap & ops[i].swap_mask);
    case (ops[i].kind)
      Add:     return sum;
      Take:    return ops[i].old | (sum & ops[i].swap_mask);
      default: return (ops[i].old & ~ops[i].swap_mask) | (ops[i].swap & ops[i].swap_mask);
    endcase
  endfunction
  function automatic logic [7:0] packet_type(input logic [1:0] kind);
    case (kind)
      Add:     return tern_abi_pkg::PTYPE_ADD;
      Take:    return tern_abi_pkg::PTYPE_TAKE;
      default: return tern_abi_pkg::PTYPE_CAS;
    endcase
  endfunction
  function automatic bit is_match(input int i);
    return ((ops[i].old ^ ops[i].compare) & ops[i].compare_mask) == '0;
  endfunction

  // ------------------------------------------------------------------ packets in
  logic [7:0] raw [1024];
  bit sending = 0;
  task automatic send(input logic [1:0] vn, input logic [7:0] kind, input logic [7:0] incarnation,
                      input bit offset, input logic [63:0] addr, input logic [31:0] key,
                      input logic [15:0] opid, input int len);
    logic [255:0] h;
    logic [31:0] crc;
    int padded, total;
    h = '0;
    padded = (len + 7) / 8 * 8;
    h[14:0] = Node[14:0]; h[17:16] = vn; h[71:64] = kind; h[79:72] = 8'd3 | (offset ? 8'd8 : 8'd0);
    h[87:80] = incarnation;
    h[91:88] = 4'd1; h[111:96] = 16'h0123; h[122:112] = 11'(len); h[191:128] = addr;
    h[223:192] = key;
    h[239:224] = opid; h[255:240] = 16'(tern_abi_pkg::PKT_UNNUMBERED);
    for (int i = 0; i < 32; i++) raw[i] = h[8*i +: 8];
    for (int i = len; i < padded; i++) raw[32+i] = 0;
    crc = '1;
    for (int i = 0; i < 32 + padded;
         i++) crc = tap_pkg::crc_byte(crc, i >= 8 || i < 2 ? raw[i] : 8'h00);
    crc = ~crc;
    for (int i = 0; i < 8; i++) raw[32+padded+i] = i < 4 ? crc[8*i +: 8] : 8'h00;
    total = 40 + padded;
    while (!vn_ready[vn]) tick();
    for (int b = 0; b < total / Lanes; b++) begin
      rx_valid = 1; rx_vn = vn; rx_sop = b == 0; rx_eop = b == total / Lanes - 1;
      for (int j = 0; j < Lanes; j++) rx_data[8*j +: 8] = raw[b*Lanes + j];
      tick();
    end
    rx_valid = 0;
  endtask

  // Puts have operation entries below 128, atomic operations the others.
  task automatic put(input logic [63:0] addr, input int len, input logic [31:0] key);
    for (int i = 0; i < len; i++) raw[32+i] = 8'(tap_pkg::rnd());
    puts_sent++;
    send(2'd1, tern_abi_pkg::PTYPE_PUT, Incarnation, 0, Iova + addr, key, {8'(puts_sent), 8'h11},
         len);
  endtask

  task automatic atomic(input logic [1:0] kind, input logic [63:0] addr, input logic [31:0] key,
                        input logic [7:0] incarnation, input int len, input bit offset,
                        input logic [255:0] operands, input logic [7:0] want, input bit silent);
    int i;
    i = n_ops++;
    ops[i].kind = kind;
    {ops[i].swap_mask, ops[i].swap, ops[i].compare_mask, ops[i].compare} = operands;
    ops[i].addr = Base + addr;
    ops[i].want = want;
    ops[i].silent = silent;
    for (int b = 0; b < len; b++) raw[32+b] = b < 32 ? operands[8*b +: 8] : 8'h5a;
    of_opid[i % 16384] = i;
    send(2'd0, packet_type(kind), incarnation, offset, offset ? addr : Iova + addr, key,
         silent ? 16'hffff : {8'(i >> 6), 2'b10, 6'(i)}, len);
  endtask

  // Sends a walk of up to `lots` times `lot` nodes, and the status with which the first node is
  // refused, or OK.
  task automatic walk(input bit tree, input logic [63:0] link, input logic [63:0] wanted,
                      input logic [31:0] key, input bit offset, input int lot, input int lots,
                      input int len, input logic [7:0] want);
    int i;
    logic [255:0] operands;
    i = n_ops++;
    ops[i].walk = 1;
    ops[i].tree = tree;
    ops[i].offset = offset;
    ops[i].link = offset ? link : {link[63:48], link[47:0] + Iova[47:0]};
    ops[i].key = key;
    ops[i].wanted = wanted;
    ops[i].lot = lot;
    ops[i].lots = lots;
    ops[i].want = want;
    ops[i].ends = want;
    aim(i);
    operands = {64'hffff_ffff_ffff_ffff, -wanted, {4{32'($urandom)}}};
    for (int b = 0; b < len; b++) raw[32+b] = b < 32 ? operands[8*b +: 8] : 8'h5a;
    send(2'd0, tern_abi_pkg::PTYPE_LOOKUP, Incarnation, offset, ops[i].link, key,
         {8'(i >> 6), 2'b10, 6'(i)}, len);
  endtask

  logic [255:0] r_node;            // the node just read

  // Follows a link; after the first node, an invalid link is a BAD_LINK.
  task automatic aim(input int i);
    logic [47:0] at;
    at = ops[i].offset ? ops[i].link[47:0] : ops[i].link[47:0] - Iova[47:0];
    ops[i].addr = Base + 64'(at);
    if (ops[i].nodes > 0 && (at[4:0] != 0 || at > 48'(Size - 32))) begin
      ops[i].want = tern_abi_pkg::ST_BAD_LINK;
      ops[i].ends = tern_abi_pkg::ST_BAD_LINK;
    end
  endtask

  // Determines the next step from the node just read.
  task automatic judge(input int i);
    logic [255:0] n;
    logic [63:0] next;
    bit event_due;
    n = r_node;
    // The hardware adds the complement; that of 0 never carries, so no key is greater.
    next = ops[i].tree && (n[63:0] < ops[i].wanted || ops[i].wanted == 0) ? n[191:128] : n[127:64];
    ops[i].nodes++;
    nodes_seen++;
    event_due = 0;
    if (ops[i].read_fault) ops[i].ends = tern_abi_pkg::ST_HOST_FAULT;
    else if (ops[i].link[63:48] != 0 && ops[i].link[63:48] != n[255:240]) ops[i].ends =
        tern_abi_pkg::ST_STALE_POINTER;
    else if (n[63:0] == ops[i].wanted) begin
      ops[i].found = 1;
      event_due = 1;
    end else if (next[31:0] == 0) ops[i].ends = tern_abi_pkg::ST_NOT_FOUND;
    else begin
      ops[i].link = next;
      ops[i].left--;
      event_due = ops[i].left == 0;
      if (!event_due) begin
        ops[i].read = 0;
        ops[i].first = 0;
        aim(i);
      end
    end
    if (ops[i].lost && (ops[i].ends == 0 || ops[i].want != 0)) ops[i].ends =
        tern_abi_pkg::ST_FLUSHED;
    if (ops[i].lost) event_due = 0;
    if (event_due) begin
      noted.push_back(i);
      ops[i].noted = 1;
      for (int k = 0; k < jobs.size(); k++) if (jobs[k] == i) begin
        jobs.delete(k);
        break;
      end
    end
  endtask

  // Sends an operation that succeeds.
  task automatic good(input logic [1:0] kind, input logic [63:0] addr, input logic [63:0] compare,
                      input logic [63:0] compare_mask, input logic [63:0] swap,
                      input logic [63:0] swap_mask);
    atomic(kind, addr, KeyAll, Incarnation, 32, 0, {swap_mask, swap, compare_mask, compare},
           tern_abi_pkg::ST_OK, 0);
  endtask

  // ------------------------------------------------------------------ firmware
  bit fw_run = 1, fw_fast = 0;
  int slots_seen = 0, pushed_at = 0;
  int want_fw [$];
  initial begin
    logic [31:0] e;
    wait (rst_n);
    forever begin
      if (fw_run && ev_valid && core_up && (fw_fast || tap_pkg::one_in(4))) begin
        ev_ready = 1;
        @(posedge clk);
        e = ev;
        #1;
        ev_ready = 0;
        if (e[24]) take_walked(e);
        else begin
          slots_seen |= 1 << e[5:0];
          tap_pkg::expect_true(want_fw.size() > 0 && e[31:16] == 16'h2000,
                               "an event out of nothing");
          if (want_fw.size() > 0) begin
            slot_op[e[3:0]] = want_fw[0];
            jobs.push_back(want_fw.pop_front());
          end
          if (e[15:8] == tern_abi_pkg::PTYPE_LOOKUP) push_walk(slot_op[e[3:0]], e[5:0], 0);
          else mm(1, tern_abi_pkg::MMIO_RX_ATOMIC, e);
        end
        pushed_at = mm_at;
        // Commands for a slot that does not exist have no effect.
        if (!fw_fast && tap_pkg::one_in(8)) mm(1, tern_abi_pkg::MMIO_RX_ATOMIC,
                                               32'(RxSlots + tap_pkg::below(8)));
      end else tick();
    end
  end
  task automatic push_walk(input int i, input logic [5:0] slot, input bit on);
    ops[i].left = ops[i].lot;
    ops[i].lots--;
    ops[i].first = 1;
    mm(1, tern_abi_pkg::MMIO_RX_ATOMIC,
       {16'($urandom), 4'(ops[i].lot - 1), 1'b1, on, ops[i].tree, 1'b1, 2'b0, slot});
  endtask

  // Takes the second event of a lookup: the header has the position.
  task automatic take_walked(input logic [31:0] e);
    int i;
    logic [63:0] link;
    tap_pkg::expect_true(noted.size() > 0 || !core_up, "a walk's event out of nothing");
    if (noted.size() == 0) return;
    i = noted[0];
    tap_pkg::expect_true(slot_op[e[3:0]] == i && e[7:6] == 0 && e[23:16] == 0 &&
                         e[25] == ops[i].found && !ops[i].forgotten,
                         $sformatf("event %08x of walk %0d, found %0d", e, i, ops[i].found));
    for (int h = 0; h < 2; h++) begin
      mm(0, tern_abi_pkg::MMIO_RXSLOT +
         16'(int'(e[5:0]) * tern_abi_pkg::MMIO_RXSLOT_STRIDE + tern_abi_pkg::PKT_ADDR_LSB / 8 +
             4 * h), 0);
      link[32*h +: 32] = mm_said;
    end
    tap_pkg::expect_true(link == ops[i].link,
                         $sformatf("walk %0d: link %016x wanted %016x", i, link, ops[i].link));
    ops[i].noted = 0;
    void'(noted.pop_front());
    if (ops[i].found || ops[i].lots == 0) begin
      ops[i].told = 1;
      told++;
      if (ops[i].found) walks_found++;
      mm(1, tern_abi_pkg::MMIO_RX_FREE, 32'(e[5:0]));
    end else begin
      walks_on++;
      ops[i].read = 0;
      aim(i);
      jobs.push_back(i);
      push_walk(i, e[5:0], 1);
    end
  endtask

  // Operations reach the firmware in packet order.
  int seen_ops = 0;
  always @(posedge clk) while (seen_ops < n_ops) begin
    want_fw.push_back(seen_ops);
    seen_ops++;
  end

  // ------------------------------------------------------------------ the host
  logic [7:0] mem [Size];
  int  read_delay = 20, write_delay = 20, ready_percent = 60;   // maximum values
  bit  hold_reads = 0, hold_writes = 0, exact = 0;
  int  fault_percent = 0;
  int  hrq_at = 0, hrq_before = 0, hrd_at = 0, ack_at = 0;

  function automatic logic [63:0] word_at(input logic [63:0] a);
    for (int j = 0; j < 8; j++) word_at[8*j +: 8] = mem[int'(a - Base) + j];
  endfunction
  function automatic bit inside_it(input logic [63:0] a);
    return a >= Base && a < Base + 64'(Size);
  endfunction

  // Bursts between their first beat and their answer.
  typedef struct {
    logic [63:0] addr; int bytes, op, due, id; bit last, fw; logic [7:0] tag;
  } burst_t;
  burst_t bursts [$];
  logic [7:0] burst_data [32][512];
  int burst_id = 0;
  int puts_landed = 0, puts_in_reads = 0, beat_no = 0;

  // The present read of the unit, and other requests.
  int  r_op = -1, last_read = -1, r_due, r_sample, r_beat = 0;
  bit  r_fault;
  int  other_tags [$];

  function automatic int now_op();       // the first job that has to read and has not
    for (int k = 0; k < jobs.size(); k++)
      if (ops[jobs[k]].want == tern_abi_pkg::ST_OK && !ops[jobs[k]].read) return jobs[k];
    return -1;
  endfunction

  always @(posedge clk) if (rst_n) begin
    burst_t b;
    int i;
    // ---- writes
    hwr_ready <= !hold_writes && (exact || int'(tap_pkg::below(100)) < ready_percent);
    if (hwr_valid && hwr_ready) begin
      if (beat_no == 0) begin
        b.addr = hwr_addr; b.bytes = int'(hwr_bytes); b.last = 0; b.id = burst_id; b.op = -1;
        b.fw = fw_first;
        tap_pkg::expect_true(!hwr_irq && !fw_irq, "an interrupt");
        if (!dep_first && !fw_first) begin
          b.op = last_read;
          tap_pkg::expect_true(b.op >= 0 && ops[b.op].read && !ops[b.op].wrote &&
                               hwr_addr == ops[b.op].addr &&
                               hwr_bytes == 8 && hwr_fn == Fn,
                               $sformatf("write of operation %0d", b.op));
          if (b.op >= 0) ops[b.op].wrote = 1;
        end
        if (dep_first && r_op >= 0) puts_in_reads++;
        if (fw_first) tap_pkg::expect_true(hwr_fn == 8'h55 &&
                                           hwr_addr == 64'hfedc_ba98_7654_3210 && hwr_bytes == 32,
                                           "write of the firmware");
        bursts.push_back(b);
      end
      for (int l = 0; l < Lanes; l++) begin
        int at;
        at = beat_no * Lanes + l - int'(hwr_addr % Lanes);
        if (at >= 0 && at < int'(hwr_bytes)) burst_data[burst_id][at] = hwr_data[8*l +: 8];
      end
      beat_no = hwr_last ? 0 : beat_no + 1;
      if (hwr_last) begin
        b = bursts.pop_back();
        b.last = 1;
        b.tag  = hwr_tag;
        b.due = cycle + (exact ? 0 : int'(tap_pkg::below(write_delay)));
        bursts.push_back(b);
        burst_id = (burst_id + 1) % 32;
      end
    end
    // Memory changes with the answer, not earlier.
    hwb_valid <= 0;
    if (bursts.size() > 0 && bursts[0].last && bursts[0].due <= cycle) begin
      b = bursts.pop_front();
      hwb_valid <= 1;
      hwb_err   <= 0;
      hwb_tag   <= b.tag;
      if (b.op >= 0) begin
        logic [63:0] v;
        for (int j = 0; j < 8; j++) v[8*j +: 8] = burst_data[b.id][j];
        tap_pkg::expect_true(is_match(b.op), "written without a match");
        tap_pkg::expect_true(word_at(b.addr) == ops[b.op].old,
                             $sformatf("operation %0d: another write came between", b.op));
        tap_pkg::expect_true(v == result(b.op),
                             $sformatf("operation %0d: %016x wanted %016x", b.op, v, result(b.op)));
        ops[b.op].write_fault = int'(tap_pkg::below(100)) < fault_percent;
        hwb_err <= ops[b.op].write_fault;
        if (!ops[b.op].write_fault) for (int j = 0; j < 8;
                                         j++) mem[int'(b.addr - Base) + j] = burst_data[b.id][j];
      end else if (!b.fw) begin
        puts_landed++;
        for (int j = 0; j < b.bytes;
             j++) if (inside_it(b.addr + 64'(j))) mem[int'(b.addr - Base) + j] =
                 burst_data[b.id][j];
      end
    end
    // ---- reads
    hrq_ready <= exact || int'(tap_pkg::below(100)) < ready_percent;
    hrd_valid <= 0;
    hrd_err   <= 1'($urandom);
    hrd_last  <= 1'($urandom);
    hrd_data  <= {(DataW / 32){32'($urandom)}};
    if (hrq_valid && hrq_ready) begin
      if (hrq_tag == 4'd12) begin
        i = now_op();
        tap_pkg::expect_true(i >= 0 && r_op < 0 && !ops[i].read && hrq_addr == ops[i].addr &&
                             hrq_bytes == (ops[i].walk ? 32 : 8) && hrq_fn == Fn,
                             $sformatf("read of operation %0d at %016x wanted %016x", i, hrq_addr,
                                       ops[i].addr));
        for (int k = 0; k < bursts.size(); k++)
          tap_pkg::expect_true((i >= 0 && ops[i].walk && !ops[i].first) ||
                               bursts[k].addr >= hrq_addr + 64'(hrq_bytes) ||
                               bursts[k].addr + 64'(bursts[k].bytes) <= hrq_addr,
                               "read before an earlier write was answered");
        hrq_before = hrq_at;
        hrq_at = cycle;
        r_op = i;
        last_read = i;
        r_beat = 0;
        r_sample = cycle + (exact ? 0 : int'(tap_pkg::below(read_delay)));
        r_due = r_sample + (exact ? 0 : int'(tap_pkg::below(read_delay)));
        if (i >= 0) begin
          ops[i].read = 1;
          ops[i].read_fault = int'(tap_pkg::below(100)) < fault_percent;
        end
      end else begin
        tap_pkg::expect_true(hrq_tag == 4'd9 ? hrq_addr == 64'h8000 && hrq_fn == 8'h77 &&
                             hrq_bytes == 64
                                             : hrq_tag == 4'd5 && hrq_addr == 64'h9000 &&
                                             hrq_fn == 8'h78 && hrq_bytes == 256,
                                             "a request of others");
        other_tags.push_back(int'(hrq_tag));
      end
    end
    if (r_op >= 0 && cycle == r_sample && r_beat == 0) begin
      for (int k = 0; k < 4;
           k++) if (k == 0 || ops[r_op].walk) r_node[64*k +: 64] =
               word_at(ops[r_op].addr + 64'(8 * k));
      ops[r_op].old = r_node[63:0];
    end
    if (r_op >= 0 && cycle >= r_due && cycle >= r_sample && !hold_reads &&
        (exact || r_beat > 0 || tap_pkg::one_in(2)) && (exact || !tap_pkg::one_in(4))) begin
      bit single, whole;
      int beats;
      beats = (ops[r_op].walk ? 256 : 64) / DataW;
      whole = r_beat == beats - 1;
      single = ops[r_op].read_fault && r_beat == 0 && tap_pkg::one_in(2);
      hrd_valid <= 1;
      hrd_tag   <= 4'd12;
      hrd_data  <= DataW'(r_node >> (r_beat * DataW));
      hrd_last  <= single || whole;
      hrd_err   <= ops[r_op].read_fault && (single || whole);
      r_beat++;
      hrd_at = cycle + 1;
      if (single || whole) begin
        if (ops[r_op].walk) judge(r_op);
        r_op = -1;
      end
    end else if (other_tags.size() > 0 && (r_op < 0 || r_beat == 0)) begin
      hrd_valid <= 1;
      hrd_tag   <= 4'(other_tags[0]);
      if (tap_pkg::one_in(3)) void'(other_tags.pop_front());
    end
  end

  // Other requesters at the same ports.
  bit noise = 0;
  always @(posedge clk) if (rst_n) begin
    if (fwc_ready) fwc_valid <= 0;
    else if (noise && !fwc_valid) fwc_valid <= tap_pkg::one_in(40);
    if (pf_ready || !pf_valid) begin
      pf_valid <= 0;
      pf_addr  <= 0;
      if (noise && other_tags.size() < 4 && tap_pkg::one_in(3)) begin
        pf_valid <= 1;
        pf_addr  <= 64'h8000;
      end
    end
    if (tx_ready || !tx_valid) tx_valid <= noise && other_tags.size() < 4 && tap_pkg::one_in(2);
  end

  // ------------------------------------------------------------------ acks
  logic [7:0] apkt [64];
  int         agot = 0, ack_percent = 50;
  task automatic check_ack();
    logic [31:0] crc;
    logic [63:0] got;
    logic [15:0] opid;
    logic [7:0] s;
    bit imm;
    int i;
    crc = '1;
    for (int k = 0; k < 32; k++) crc = tap_pkg::crc_byte(crc, k >= 2 && k < 8 ? 8'h00 : apkt[k]);
    tap_pkg::expect_true(agot == 40 && {apkt[35], apkt[34], apkt[33], apkt[32]} == ~crc, "ack CRC");
    opid = {apkt[29], apkt[28]};
    s = apkt[24];
    imm = apkt[9][4];
    for (int k = 0; k < 8; k++) got[8*k +: 8] = apkt[16 + k];
    if (!opid[7]) begin
      tap_pkg::expect_true(!imm && got == 0, "a put's ack with a word");
      puts_acked++;
      return;
    end
    while (jobs.size() > 0 && ops[jobs[0]].silent) begin
      void'(jobs.pop_front());
      told++;
    end
    tap_pkg::expect_true(jobs.size() > 0, "an ack out of nothing");
    if (jobs.size() == 0) return;
    i = jobs.pop_front();
    told++;
    ops[i].told = 1;
    tap_pkg::expect_true(opid == {8'(i >> 6), 2'b10, 6'(i)} && !ops[i].forgotten,
                         $sformatf("ack of %04x, wanted operation %0d", opid, i));
    if (ops[i].walk) begin
      walks_refused++;
      tap_pkg::expect_true(s == ops[i].ends && s != 0 && !imm && got == 0,
                           $sformatf("walk %0d: status %02x wanted %02x", i, s, ops[i].ends));
    end else if (ops[i].want != tern_abi_pkg::ST_OK) begin
      refused++;
      tap_pkg::expect_true(s == ops[i].want && !imm && got == 0 && !ops[i].read && !ops[i].wrote,
                           $sformatf("operation %0d: status %02x wanted %02x", i, s, ops[i].want));
    end else if (ops[i].read_fault || ops[i].write_fault) begin
      faults++;
      tap_pkg::expect_true(s == tern_abi_pkg::ST_HOST_FAULT && !imm && got == 0 &&
                           (ops[i].wrote == !ops[i].read_fault),
                           $sformatf("operation %0d: fault: status %02x", i, s));
    end else begin
      tap_pkg::expect_true(s == 0 && imm && got == ops[i].old && ops[i].read,
                           $sformatf("operation %0d: status %02x word %016x wanted %016x", i, s,
                                     got, ops[i].old));
      tap_pkg::expect_true(ops[i].wrote == is_match(i),
                           $sformatf("operation %0d: wrote %0d", i, ops[i].wrote));
      if (ops[i].wrote) changed++; else kept++;
    end
  endtask
  always @(posedge clk) begin
    ack_ready <= exact || int'(tap_pkg::below(100)) < ack_percent;
    if (rst_n && ack_valid && ack_ready) begin
      if (agot == 0) ack_at = cycle;
      for (int j = 0; j < Lanes; j++) apkt[agot + j] = ack_data[8*j +: 8];
      agot += Lanes;
      if (ack_eop) begin
        check_ack();
        agot = 0;
      end
    end
  end

  // ------------------------------------------------------------------ the runs
  task automatic settle();
    int n;
    n = 0;
    repeat (30) tick();
    while ((jobs.size() > 0 || noted.size() > 0 || want_fw.size() > 0 || bursts.size() > 0 ||
            ack_valid) && n < 20000) begin
      if (jobs.size() > 0 && ops[jobs[0]].silent && !u_rx.u_atomic.busy_q && jobs.size() == 1) begin
        void'(jobs.pop_front());
        told++;
      end
      tick();
      n++;
    end
    repeat (60) tick();
    tap_pkg::expect_true(n < 20000, "not all came to an end");
  endtask

  task automatic set_word(input logic [63:0] addr, input logic [63:0] v);
    for (int j = 0; j < 8; j++) mem[int'(addr) + j] = v[8*j +: 8];
  endtask
  task automatic expect_word(input logic [63:0] addr, input logic [63:0] v, input string what);
    settle();
    tap_pkg::expect_true(word_at(Base + addr) == v,
                         $sformatf("%s: %016x wanted %016x", what, word_at(Base + addr), v));
  endtask

  function automatic logic [63:0] some_word();
    some_word = {tap_pkg::rnd(), tap_pkg::rnd()};
    case (tap_pkg::below(4))
      0: some_word = '1;
      1: some_word = '0;
      2: some_word &= {tap_pkg::rnd(), tap_pkg::rnd()};
      default: ;
    endcase
  endfunction

  // Builds a linked node; addresses count from the start of the region; `to` makes links.
  function automatic logic [63:0] to(input int at, input logic [15:0] generation);
    return {generation, 48'(at) + Iova[47:0]};
  endfunction
  task automatic set_node(input int at, input logic [63:0] key, input logic [63:0] less,
                          input logic [63:0] more, input logic [15:0] generation);
    set_word(64'(at), key);
    set_word(64'(at) + 8, less);
    set_word(64'(at) + 16, more);
    set_word(64'(at) + 24, {generation, 48'({$urandom, $urandom})});
  endtask

  // Runs a single walk: `ends` is the expected status, OK when it finds the key, after so many
  // nodes.
  task automatic ends_so(input bit tree, input logic [63:0] link, input logic [63:0] wanted,
                         input logic [31:0] key, input bit offset, input int lot, input int lots,
                         input logic [7:0] want, input logic [7:0] ends, input int nodes);
    int i;
    i = n_ops;
    walk(tree, link, wanted, key, offset, lot, lots, 32, want);
    settle();
    tap_pkg::expect_true(ops[i].told && ops[i].ends == ends && ops[i].found == (ends == 0) &&
                         ops[i].nodes == nodes,
                         $sformatf(
                             "walk %0d: told %0d, status %02x wanted %02x, nodes %0d wanted %0d",
                                   i, ops[i].told, ops[i].ends, ends, ops[i].nodes, nodes));
  endtask

  // A tree of 31 nodes with odd keys, 64 bytes apart from 4096 on; key 15 is the root.
  function automatic int place(input int rank);
    return 4096 + 64 * ((rank * 11) % 32);
  endfunction
  task automatic plant();
    for (int k = 0; k < 31; k++) begin
      int d;
      d = ((k + 1) & -(k + 1)) / 2;
      set_node(place(k), {32'(k / 8), 24'(k), 8'h80}, d > 0 ? to(place(k - d), 16'(100 + k - d))
               : {16'd7, 16'd9, 32'd0}, d > 0
               ? to(place(k + d), k % 4 == 1 ? 16'd0 : 16'(100 + k + d)) : 64'd0, 16'(100 + k));
    end
  endtask

  int unsigned seed_arg = 1, ops_arg = 800;
  localparam logic [63:0] All = '1;

  initial begin
    int t0, landed, before_told, flushed = 0;
    logic [63:0] a;
    void'($value$plusargs("seed=%d", seed_arg));
    void'($value$plusargs("ops=%d", ops_arg));
    $display("# seed %0d, DataW %0d", seed_arg, DataW);
    tap_pkg::seed(seed_arg);
    for (int i = 0; i < Size; i++) mem[i] = 8'(tap_pkg::rnd());
    repeat (4) tick();
    rst_n = 1;
    repeat (40) tick();
    region(1, KeyAll, 8'(tern_abi_pkg::RIGHT_REMOTE_ATOMIC | tern_abi_pkg::RIGHT_REMOTE_WRITE |
                         tern_abi_pkg::RIGHT_REMOTE_READ));
    region(2, KeyPlain, 8'(tern_abi_pkg::RIGHT_REMOTE_READ | tern_abi_pkg::RIGHT_REMOTE_WRITE));
    region(3, KeyOnly, 8'(tern_abi_pkg::RIGHT_REMOTE_ATOMIC));
    region(4, KeyRead, 8'(tern_abi_pkg::RIGHT_REMOTE_READ));
    region(5, KeyWrite, 8'(tern_abi_pkg::RIGHT_REMOTE_WRITE));

    // ---- arithmetic
    set_word(0, 64'h1111_2222_3333_4444);
    good(0, 0, 64'h1111_2222_3333_4444, All, 64'haaaa_bbbb_cccc_dddd, All);
    expect_word(0, 64'haaaa_bbbb_cccc_dddd, "hit");
    good(0, 0, 64'haaaa_bbbb_cccc_dddc, All, 64'd5, All);
    expect_word(0, 64'haaaa_bbbb_cccc_dddd, "miss in the low half");
    good(0, 0, 64'haaab_bbbb_cccc_dddd, All, 64'd5, All);
    expect_word(0, 64'haaaa_bbbb_cccc_dddd, "miss in the high half");
    good(0, 0, 64'h0000_0000_cccc_0000, 64'h0000_0000_ffff_0000, 64'h1234_5678_9abc_def0,
         64'h00ff_0000_0000_ff00);
    expect_word(0, 64'haa34_bbbb_cccc_dedd, "masks");
    good(0, 0, 64'd7, 64'd0, 64'h0102_0304_0506_0708, All);
    expect_word(0, 64'h0102_0304_0506_0708, "swap");
    tap_pkg::tap("compare-and-swap writes on a match under its masks, and then alone");
    set_word(8, 64'h0000_0001_ffff_fff0);
    good(1, 8, 64'd0, 64'd0, 64'h20, All);
    expect_word(8, 64'h0000_0002_0000_0010, "carry into the high half");
    good(1, 8, 64'd0, 64'd0, All, All);
    expect_word(8, 64'h0000_0002_0000_000f, "less one");
    set_word(8, All);
    good(1, 8, 64'd0, 64'd0, 64'd2, All);
    expect_word(8, 64'd1, "wraps");
    good(1, 8, 64'd0, 64'd0, 64'h1234_5678, 64'hff00);
    expect_word(8, 64'h5601, "bits of the mask alone");
    good(1, 8, 64'd0, 64'd1, 64'd1, All);
    expect_word(8, 64'h5601, "an add that compares, too");
    tap_pkg::tap("fetch-and-add carries over 64 bits and wraps");
    set_word(8, 64'h0123_4567_fdff_ffff);
    good(Take, 8, 64'd0, 64'd0, 64'd1, 64'h000f_ffff_ffff_ffff);
    expect_word(8, 64'h0123_4567_ffff_ffff, "the lowest that is clear");
    good(Take, 8, 64'd0, 64'd0, 64'd1, 64'h000f_ffff_ffff_ffff);
    expect_word(8, 64'h0123_456f_ffff_ffff, "across the halves");
    good(Take, 8, 64'h0120_0000_0000_0000, 64'hfff0_0000_0000_0000, 64'd1, 64'h000f_ffff_ffff_ffff);
    expect_word(8, 64'h0123_457f_ffff_ffff, "of the version asked for");
    good(Take, 8, 64'h0130_0000_0000_0000, 64'hfff0_0000_0000_0000, 64'd1, 64'h000f_ffff_ffff_ffff);
    expect_word(8, 64'h0123_457f_ffff_ffff, "of another version");
    set_word(8, 64'h012f_ffff_ffff_ffff);
    good(Take, 8, 64'd0, 64'd0, 64'd1, 64'h000f_ffff_ffff_ffff);
    expect_word(8, 64'h012f_ffff_ffff_ffff, "none is clear");
    set_word(8, 64'h0000_0000_0000_ffff);
    good(Take, 8, 64'd0, 64'd0, 64'h100, 64'hff00);
    expect_word(8, 64'hffff, "a full field below others that are clear");
    good(Take, 8, 64'd0, 64'd0, 64'h10000, 64'hffff_0000);
    expect_word(8, 64'h1_ffff, "a field above one that is full");
    set_word(8, 64'd0);
    good(Take, 8, 64'd0, 64'd0, All, 64'h8000_0000_0000_0000);
    expect_word(8, 64'h8000_0000_0000_0000, "a field of one bit");
    good(Take, 8, 64'd0, 64'd0, 64'd1, All);
    expect_word(8, 64'h8000_0000_0000_0001, "the whole word");
    tap_pkg::tap("a take sets the lowest clear bit of its field, or none, and no other");
    atomic(1, 16, KeyOnly, 8'd0, 32, 0, {All, 64'd1, 64'd0, 64'd0}, tern_abi_pkg::ST_OK, 0);
    atomic(1, 24, KeyAll, Incarnation, 32, 1, {All, 64'd1, 64'd0, 64'd0}, tern_abi_pkg::ST_OK, 0);
    atomic(1, Size - 8, KeyAll, Incarnation, 32, 0, {All, 64'd1, 64'd0, 64'd0},
           tern_abi_pkg::ST_OK, 0);
    settle();
    tap_pkg::expect_true(told == n_ops && kept == 4 && changed == n_ops - 4,
                         $sformatf("%0d told, %0d changed, %0d kept of %0d", told, changed, kept,
                                   n_ops));
    tap_pkg::tap(
        "the right for atomic operations is enough, an offset counts from the start of the region");

    // ---- refusals
    for (int k = 0; k < 9; k++) begin
      case (k)
        0: atomic(0, 0, KeyNone, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_KEY, 0);
        1: atomic(0, 0, KeyPlain, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_RIGHTS, 0);
        2: atomic(0, Size - 7, KeyAll, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_RANGE, 0);
        3: atomic(0, -64'd8, KeyAll, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_RANGE, 0);
        4: atomic(1, 4, KeyAll, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_ALIGN, 0);
        5: atomic(1, 8, KeyAll, Incarnation, 31, 0, '1, tern_abi_pkg::ST_BAD_LENGTH, 0);
        6: atomic(1, 8, KeyAll, Incarnation, 40, 0, '1, tern_abi_pkg::ST_BAD_LENGTH, 0);
        7: atomic(1, 8, KeyAll, Incarnation, 0, 0, '1, tern_abi_pkg::ST_BAD_LENGTH, 0);
        8: atomic(1, 8, KeyAll, Incarnation + 1, 24, 0, '1, tern_abi_pkg::ST_STALE_NODE, 0);
      endcase
    end
    settle();
    put(256, 40, KeyOnly);
    atomic(1, 32, KeyAll, Incarnation, 32, 0, {All, 64'd1, 64'd0, 64'd0}, tern_abi_pkg::ST_OK, 1);
    settle();
    good(1, 32, 0, 0, 1, All);
    settle();
    tap_pkg::expect_true(refused == 9 && puts_landed == 0, $sformatf("%0d refused", refused));
    tap_pkg::tap("key, rights, range, alignment, length and incarnation are checked, and nothing is read then");

    // ---- walks
    for (int k = 0; k < 40; k++)
      set_node(2048 + 32 * k, {32'(k), 32'hdead_0001}, k == 39 ? {16'h1234, 16'h5678, 32'd0}
               : to(2048 + 32 * (k + 1), k % 3 == 0 ? 16'd0 : 16'(k + 2)), '1, 16'(k + 1));
    ends_so(0, {16'd1, 48'd2048}, 64'h0_dead_0001, KeyAll, 0, 16, 1, 0, 0, 1);
    set_node(64, 64'd1, {16'd8, 48'd128}, 64'd0, 16'd3);
    set_node(128, 64'd2, {16'd0, 48'h0001_0000_0060}, 64'd0, 16'd8);
    set_node(96, 64'd3, 64'd0, 64'd0, 16'd0);
    ends_so(0, {16'd3, 48'd64}, 64'd2, KeyRead, 1, 16, 1, 0, 0, 2);
    ends_so(0, {16'd3, 48'd64}, 64'd3, KeyPlain, 1, 16, 1, 0, tern_abi_pkg::ST_BAD_LINK, 2);
    ends_so(0, {16'd1, 48'd2048}, 64'hf_dead_0001, KeyAll, 0, 16, 1, 0, 0, 16);
    ends_so(0, {16'd1, 48'd2048}, 64'h27_dead_0001, KeyAll, 0, 16, 3, 0, 0, 40);
    ends_so(0, {16'd1, 48'd2048}, 64'h5_dead_0001, KeyAll, 0, 1, 6, 0, 0, 6);
    ends_so(0, {16'd6, 48'd2208}, 64'h5_dead_0001, KeyAll, 0, 2, 1, 0, 0, 1);
    tap_pkg::expect_true(walks_found == 6 && walks_on == 7,
                         $sformatf("%0d found, %0d went on", walks_found, walks_on));
    tap_pkg::tap(
        "a walk finds the node of a list, lot after lot, and the header has the link to it");
    walk(0, {16'd1, 48'd2048}, 64'h5_dead_0001, KeyAll, 0, 5, 1, 32, 0);
    settle();
    tap_pkg::expect_true(ops[n_ops-1].told && !ops[n_ops-1].found && ops[n_ops-1].ends == 0 &&
                         ops[n_ops-1].nodes == 5, "one node too few");
    tap_pkg::tap("what is not found among the nodes of a lot is told of");
    ends_so(0, {16'd1, 48'd2048}, 64'h27_dead_0000, KeyAll, 0, 16, 3, 0,
            tern_abi_pkg::ST_NOT_FOUND, 40);
    ends_so(0, {16'd1, 48'd2048}, 64'h0, KeyAll, 0, 16, 3, 0, tern_abi_pkg::ST_NOT_FOUND, 40);
    ends_so(0, {16'd2, 48'd2048}, 64'h0_dead_0001, KeyAll, 0, 16, 1, 0,
            tern_abi_pkg::ST_STALE_POINTER, 1);
    ends_so(0, {16'h0101, 48'd2048}, 64'h7_dead_0001, KeyAll, 0, 16, 1, 0,
            tern_abi_pkg::ST_STALE_POINTER, 1);
    ends_so(0, {16'h8001, 48'd2048}, 64'h7_dead_0001, KeyAll, 0, 16, 1, 0,
            tern_abi_pkg::ST_STALE_POINTER, 1);
    set_node(2048 + 32 * 20, 64'd5, to(2048, 16'd1), 64'd0, 16'd99);
    ends_so(0, {16'd1, 48'd2048}, 64'd5, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_STALE_POINTER, 21);
    set_node(2048 + 32 * 20, 64'd5, to(2048 + 32 * 21 + 16, 16'd0), 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 7, 4, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    set_node(2048 + 32 * 20, 64'd5, to(Size - 31, 16'd0), 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    set_node(2048 + 32 * 20, 64'd5, to(Size, 16'd0), 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    set_node(2048 + 32 * 20, 64'd5, to(-32, 16'd0), 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 7, 4, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    set_node(2048 + 32 * 20, 64'd5, {16'd0, 48'h0001_0000_0000} | 64'(Iova), 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_BAD_LINK, 21);
    set_node(2048 + 32 * 20, 64'd5, {16'd0, 48'h0001_0000_0000}, 64'd0, 16'd21);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 2, 0, tern_abi_pkg::ST_NOT_FOUND, 21);
    ends_so(0, {16'd1, 48'd2064}, 64'd6, KeyAll, 0, 16, 1, tern_abi_pkg::ST_BAD_ALIGN,
            tern_abi_pkg::ST_BAD_ALIGN, 0);
    ends_so(0, {16'd1, 48'd2056}, 64'd6, KeyAll, 0, 16, 1, tern_abi_pkg::ST_BAD_ALIGN,
            tern_abi_pkg::ST_BAD_ALIGN, 0);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyOnly, 0, 16, 1, tern_abi_pkg::ST_BAD_RIGHTS,
            tern_abi_pkg::ST_BAD_RIGHTS, 0);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyWrite, 0, 16, 1, tern_abi_pkg::ST_BAD_RIGHTS,
            tern_abi_pkg::ST_BAD_RIGHTS, 0);
    ends_so(0, {16'd1, 48'd2048}, 64'd6, KeyNone, 0, 16, 1, tern_abi_pkg::ST_BAD_KEY,
            tern_abi_pkg::ST_BAD_KEY, 0);
    ends_so(0, {16'd1, 48'(Size - 16)}, 64'd6, KeyAll, 0, 16, 1, tern_abi_pkg::ST_BAD_RANGE,
            tern_abi_pkg::ST_BAD_RANGE, 0);
    tap_pkg::tap(
        "no node, another generation, links that lead out or between nodes: each its own status");
    fault_percent = 100;
    ends_so(0, {16'd9, 48'd2048}, 64'd6, KeyAll, 0, 16, 1, 0, tern_abi_pkg::ST_HOST_FAULT, 1);
    ends_so(1, {16'd1, 48'd2048}, 64'h0_dead_0001, KeyAll, 0, 16, 1, 0,
            tern_abi_pkg::ST_HOST_FAULT, 1);
    fault_percent = 0;
    walk(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 1, 24, tern_abi_pkg::ST_BAD_LENGTH);
    walk(0, {16'd1, 48'd2048}, 64'd6, KeyAll, 0, 16, 1, 40, tern_abi_pkg::ST_BAD_LENGTH);
    settle();
    tap_pkg::tap("a node that cannot be read is a fault, and a packet of another length is none");
    plant();
    for (int k = 0; k < 31; k++) begin
      walks_found = 0;
      walk(1, {16'(100 + 15), 48'(place(15))}, {32'(k / 8), 24'(k), 8'h80}, KeyAll, 0, 16, 1, 32,
           0);
      settle();
      tap_pkg::expect_true(walks_found == 1 && ops[n_ops-1].addr == Base + 64'(place(k)) &&
                           ops[n_ops-1].nodes <= 5,
                           $sformatf("key %0d, %0d nodes", k, ops[n_ops-1].nodes));
      for (int d = -1; d < 2; d += 2) begin
        walk(1, {16'd0, 48'(place(15))}, {32'(k / 8), 24'(k), 8'h80} + 64'(d), KeyAll, 0, 16, 1,
             32, 0);
        settle();
        tap_pkg::expect_true(ops[n_ops-1].ends == tern_abi_pkg::ST_NOT_FOUND &&
                             ops[n_ops-1].nodes >= 4, $sformatf("no key %0d", k));
      end
    end
    ends_so(1, {16'd0, 48'(place(15))}, All, KeyAll, 0, 16, 1, 0, tern_abi_pkg::ST_NOT_FOUND, 5);
    ends_so(1, {16'd0, 48'(place(15))}, 64'd1, KeyAll, 0, 16, 1, 0, tern_abi_pkg::ST_NOT_FOUND, 5);
    tap_pkg::tap("in a tree it goes by less and more, and finds each of the keys and no other");

    // ---- a write before the operation
    set_word(64, 64'd0);
    hold_writes = 1;
    put(64, 8, KeyAll);
    good(1, 64, 0, 0, 1, All);
    repeat (300) tick();
    tap_pkg::expect_true(!ops[n_ops-1].read, "the word was read beside a write");
    hold_writes = 0;
    settle();
    write_delay = 400;
    put(64, 8, KeyAll);
    good(1, 64, 0, 0, 1, All);
    settle();
    write_delay = 20;
    tap_pkg::expect_true(puts_landed == 2, "both puts");
    tap_pkg::tap("every write before it has been answered when the word is read");

    // ---- puts during an operation
    hold_reads = 1;
    good(1, 1024, 0, 0, 1, All);
    while (!ops[n_ops-1].read) tick();
    landed = puts_landed;
    put(4096, 64, KeyAll);
    put(200, 64, KeyAll);
    put(1536, 64, KeyAll);
    put(0, 512, KeyAll);
    repeat (1000) tick();
    tap_pkg::expect_true(puts_landed == landed + 4,
                         $sformatf("puts elsewhere: %0d of 4", puts_landed - landed));
    landed = puts_landed;
    put(1024, 8, KeyAll);
    put(8192, 8, KeyAll);
    repeat (600) tick();
    tap_pkg::expect_true(puts_landed == landed, "a put to the word overtook");
    hold_reads = 0;
    settle();
    tap_pkg::expect_true(puts_landed == landed + 2, "the put to the word was lost");
    set_node(1024, 64'd1, 64'd0, 64'd0, 16'd1);
    for (int k = 0; k < 4; k++) begin
      hold_reads = 1;
      if (k == 3) walk(0, {16'd0, 48'd1024}, 64'd1, KeyAll, 0, 1, 1, 32, 0);
      else good(k == 1, 1024, 0, k == 2 ? All : 0, 1, All);
      while (!ops[n_ops-1].read) tick();
      landed = puts_landed;
      put(k == 0 ? 520 : 1017, k == 0 ? 512 : 30, KeyAll);
      repeat (300) tick();
      tap_pkg::expect_true(puts_landed == landed, "a put across the word overtook");
      hold_reads = 0;
      settle();
      tap_pkg::expect_true(puts_landed == landed + 1, "a put across the word was lost");
    end
    tap_pkg::tap("puts to its line wait until the word is written or left, others do not");

    // ---- durations
    exact = 1;
    fw_fast = 1;
    repeat (20) tick();
    fw_run = 0;
    good(1, 1024, 0, 0, 1, All);
    repeat (20) tick();
    fw_run = 1;
    ack_at = 0;
    while (ack_at == 0) tick();
    $display("# evidence atomic.latency request=%0d answer=%0d data_w=%0d", hrq_at - pushed_at,
             ack_at - hrd_at, DataW);
    tap_pkg::expect_true(hrq_at - pushed_at <= (DataW == 64 ? 18 : 23),
                         $sformatf("%0d cycles to the read", hrq_at - pushed_at));
    tap_pkg::expect_true(ack_at - hrd_at <= 20,
                         $sformatf("%0d cycles to the ack", ack_at - hrd_at));
    settle();
    t0 = cycle;
    for (int k = 0; k < 50; k++) good(1, 1024, 0, 0, 1, All);
    while (told != n_ops) tick();
    $display("# evidence atomic.rate cycles=%0d data_w=%0d", (cycle - t0) / 50, DataW);
    tap_pkg::expect_true(cycle - t0 < 50 * 60, "slow");
    settle();
    for (int k = 0; k < 16;
         k++) set_node(8192 + 32 * k, 64'(k), to(8192 + 32 * (k + 1), 16'(k + 1)), 64'd0, 16'(k));
    fw_run = 0;
    walk(0, {16'd0, 48'd8192}, 64'd15, KeyAll, 0, 16, 1, 32, 0);
    repeat (60) tick();
    fw_run = 1;
    ack_at = 0;
    while (ops[n_ops-1].nodes == 0) tick();
    $display("# evidence walk.latency request=%0d data_w=%0d", hrq_at - pushed_at, DataW);
    tap_pkg::expect_true(hrq_at - pushed_at <= (DataW == 64 ? 18 : 23),
                         $sformatf("%0d cycles to the node", hrq_at - pushed_at));
    t0 = hrq_at;
    while (ops[n_ops-1].nodes < 15) tick();
    // The pins and the flop add two cycles between the request and the first beat.
    $display("# evidence walk.rate cycles=%0d data_w=%0d", (hrq_at - t0) / 14 - 2, DataW);
    tap_pkg::expect_true((hrq_at - t0) / 14 - 2 <= (DataW == 64 ? 26 : 36), "slow");
    settle();
    tap_pkg::expect_true(ops[n_ops-1].found, "the last of 16 nodes");
    exact = 0;
    fw_fast = 0;
    tap_pkg::tap("host read within 18 cycles (32 bits: 23), answer within 20 of the word");

    // ---- everything at once, on few words
    noise = 1;
    {walks_found, walks_on, walks_refused, nodes_seen} = '0;
    for (int k = 0; k < int'(ops_arg); k++) begin
      fault_percent = k % 200 > 150 ? 20 : 0;
      read_delay = k % 100 < 50 ? 30 : 4;
      write_delay = k % 300 < 100 ? 100 : 10;
      ready_percent = k % 70 < 20 ? 100 : 50;
      a = 64'(1016 + 8 * int'(tap_pkg::below(3)));
      // A set of nodes that puts may change: valid links, and some invalid ones.
      if (k % 50 == 0)
        for (int n = 0; n < 64; n++)
          set_node(6144 + 32 * n, 64'(tap_pkg::below(20)),
                   to(6144 + 32 * int'(tap_pkg::below(64)), 16'(tap_pkg::below(2))),
                   tap_pkg::one_in(12) ? some_word()
                   : to(6144 + 32 * int'(tap_pkg::below(64)), 16'd0),
                   16'(1 + int'(tap_pkg::one_in(20))));
      if (tap_pkg::one_in(5))
        walk(tap_pkg::one_in(2),
             {16'(tap_pkg::below(2)), 48'(6144 + 32 * int'(tap_pkg::below(64)))},
             64'(tap_pkg::below(24)), tap_pkg::one_in(2) ? KeyAll : KeyPlain, tap_pkg::one_in(8),
             1 + int'(tap_pkg::below(16)), 1 + int'(tap_pkg::below(3)), 32, 0);
      if (tap_pkg::one_in(6)) put(64'(6144 + int'(tap_pkg::below(2048))), int'(tap_pkg::below(40)),
                                  KeyAll);
      case (int'(tap_pkg::below(12)))
        0, 1: put(a + 64'(int'(tap_pkg::below(9)) - 4), int'(tap_pkg::below(20)), KeyAll);
        2: put(a - 64'(int'(tap_pkg::below(520))), int'(tap_pkg::below(513)), KeyAll);
        3: put(64'(tap_pkg::below(Size - 512)), int'(tap_pkg::below(513)), KeyAll);
        4: atomic(0, a + 64'(4 * tap_pkg::below(2) + 2), KeyAll, Incarnation, 32, 0, '1,
                  tern_abi_pkg::ST_BAD_ALIGN, 0);
        5: atomic(0, a, KeyPlain, Incarnation, 32, 0, '1, tern_abi_pkg::ST_BAD_RIGHTS, 0);
        6: atomic(1, a, KeyAll, Incarnation, 32, 0, {some_word(), some_word(), 64'd0, 64'd0},
                  tern_abi_pkg::ST_OK, 0);
        7: good(1, a, 0, 0, 64'd1, All);
        8: good(0, a, word_at(Base + a), All, some_word(), some_word());
        9: good(0, a, word_at(Base + a), some_word(), some_word(), some_word());
        default: good(2'(tap_pkg::below(3)), a, some_word(), tap_pkg::one_in(2)
                      ? some_word() & some_word() & some_word() : 64'd0, some_word(), some_word());
      endcase
      if (tap_pkg::one_in(4)) repeat (int'(tap_pkg::below(80))) tick();
    end
    fault_percent = 0;
    settle();
    noise = 0;
    settle();
    tap_pkg::expect_true(told == n_ops && changed > 100 && kept > 30 && faults > 3 &&
                         refused > 30 && puts_in_reads > 0, "too little of something");
    tap_pkg::expect_true(puts_acked == puts_sent,
                         $sformatf("puts answered: %0d of %0d", puts_acked, puts_sent));
    tap_pkg::expect_true(walks_found > 5 && walks_on > 10 && walks_refused > 10,
                         "too few walks of a kind");
    $display("# walks that found %0d, went on %0d, refused %0d, nodes %0d", walks_found, walks_on,
             walks_refused, nodes_seen);
    $write("# operations %0d: changed %0d, kept %0d, faults %0d, refused %0d; ", n_ops, changed,
           kept, faults, refused);
    $display("puts %0d, %0d of them during a read", puts_sent, puts_in_reads);
    tap_pkg::tap("no update is lost among operations and puts");

    // ---- core resets at every point of an operation
    for (int k = 0; k < 90; k++) begin
      before_told = told;
      fw_fast = 1;
      for (int i = 0; i < 3; i++) good(1, 1024 + 64'(8 * i), 0, 0, 1, All);
      repeat (20 + k) tick();
      core_up = 0;
      tick();
      // A reset disturbs neither the operation in progress nor an ack that leaves.
      for (int i = 0; i < jobs.size(); i++)
        if (i >= int'(u_rx.u_atomic.busy_q) + int'(u_ack.busy_q && u_ack.imm_q &&
                                                   !u_rx.u_atomic.word_q)) ops[jobs[i]].forgotten =
                                                   1;
      want_fw.delete();
      repeat (2) tick();
      mm_busy = 0;
      fork
        begin
          // Other packets get the slots at once.
          put(0, 8, KeyAll);
          repeat (k % 7) tick();
        end
      join
      core_up = 1;
      repeat (2) tick();
      fw_run = 0;
      for (int i = 0; i < RxSlots; i++) good(1, 2048, 0, 0, 1, All);
      while (u_rx.u_atomic.busy_q || ack_valid) tick();
      repeat (40) tick();
      tap_pkg::expect_true(jobs.size() == 0 || ops[jobs[0]].forgotten,
                           "the one at work was not answered");
      jobs.delete();
      slots_seen = 0;
      fw_run = 1;
      settle();
      tap_pkg::expect_true(slots_seen == (1 << RxSlots) - 1, "a slot was lost");
      for (int i = n_ops - RxSlots; i < n_ops;
           i++) tap_pkg::expect_true(ops[i].told, "an operation after the restart");
    end
    tap_pkg::tap("a core that goes down takes its jobs along, and its slots come back");

    // ---- the same during a walk in a circle
    for (int n = 0; n < 16;
         n++) set_node(8192 + 32 * n, 64'(n), to(8192 + 32 * ((n + 1) % 16), 16'd0), 64'd0, 16'(n));
    for (int k = 0; k < 90; k++) begin
      fw_fast = 1;
      before_told = told;
      walk(0, {16'd0, 48'd8192}, 64'd99, KeyAll, 0, 2 + k % 3, 1, 32, 0);
      while (jobs.size() == 0) tick();
      repeat (k) tick();
      core_up = 0;
      node_life = Incarnation + 8'd1;
      // The unit answers its present operation, whatever it has read; other operations get no
      // answer.
      if (u_rx.u_atomic.busy_q) begin
        if (jobs.size() == 0) jobs.push_back(noted[0]);
        ops[jobs[0]].lost = 1;
        ops[jobs[0]].ends = tern_abi_pkg::ST_FLUSHED;
        flushed++;
      end else begin
        for (int i = 0; i < jobs.size(); i++) ops[jobs[i]].forgotten = 1;
        for (int i = 0; i < noted.size(); i++) ops[noted[i]].forgotten = 1;
        jobs.delete();
      end
      noted.delete();
      repeat (3) tick();
      mm_busy = 0;
      core_up = k % 2 == 0;
      repeat (3) tick();
      if (k % 2 == 0) core_up = 0;
      while (u_rx.u_atomic.busy_q || ack_valid) tick();
      repeat (200) tick();
      tap_pkg::expect_true(jobs.size() == 0, "the walk at work was not answered");
      jobs.delete();
      noted.delete();
      want_fw.delete();
      core_up = 1;
      node_life = Incarnation;
      repeat (4) tick();
      slots_seen = 0;
      fw_run = 0;
      for (int i = 0; i < RxSlots; i++) good(1, 2048, 0, 0, 1, All);
      repeat (40) tick();
      fw_run = 1;
      settle();
      tap_pkg::expect_true(slots_seen == (1 << RxSlots) - 1, "a slot was lost");
      for (int i = n_ops - RxSlots; i < n_ops;
           i++) tap_pkg::expect_true(ops[i].told, "an operation after the restart");
    end
    tap_pkg::expect_true(flushed > 30 && flushed < 90, $sformatf("%0d walks at work", flushed));
    tap_pkg::tap("a walk whose firmware is gone is answered FLUSHED, and its slot comes back");
    tap_pkg::finish();
  end

  initial begin
    repeat (2000000) @(posedge clk);
    $fatal(1, "the bench hangs");
  end
endmodule

`default_nettype wire
