// SPDX-License-Identifier: Apache-2.0
// Bench of tern_rx with tern_ack and tern_ctr: random packets, valid and damaged, against models of
// router, key check, write channel and firmware.
//
// Every deposit, answer, event and statistic must result from the complete packets alone. Plusargs:
// +seed=N +packets=N.

`default_nettype none

module rx_tb;
  parameter int unsigned DataW = 64;
  localparam int Lanes = DataW / 8;
  localparam int MaxPayload = 512;
  localparam int RxSlots = 4;
  localparam int NumCtr = 32;
  localparam int MaxPackets = 16384;
  localparam logic [15:0] Node = 16'h0005;
  localparam logic [15:0] Dims = {1'b0, 5'd30, 5'd27, 5'd29};   // sides of the torus, minus one
  logic [15:0] dims = Dims;
  localparam logic [7:0] Incarnation = 8'h07;

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
  logic        rx_valid = 0, rx_ready, rx_sop = 0, rx_eop = 0, rx_err = 0;
  logic [1:0]  rx_vn = 0;
  logic [DataW-1:0] rx_data = 0;
  logic [2:0]  vn_ready;
  logic        mm_valid = 0, mm_we = 0, rx_mm_ready, rx_mm_rvalid, ctr_mm_ready, ctr_mm_rvalid;
  logic [15:0] mm_addr = 16'hfffc;
  logic [31:0] mm_wdata = 0, rx_mm_rdata, ctr_mm_rdata;
  logic        ck_valid, ck_ready, ck_offset, ck_done = 0;
  logic [31:0] ck_key, ck_bytes;
  logic [63:0] ck_addr, ck_haddr = 0;
  logic [7:0]  ck_status = 0, ck_fn = 0;
  logic [15:0] ck_ctr = 0;
  logic        rxc_valid, rxc_ready = 0, rxc_read_done = 0, rxd_valid = 0, rxd_ready, rxd_err = 0;
  logic [4:0]  rxc_slot, pb_slot = 0;
  logic [10:0] rxc_bytes;
  logic [7:0]  rxc_fn, pb_word = 0;
  logic [63:0] rxc_addr;
  logic [15:0] rxc_id;
  logic        pb_req = 0;
  logic [DataW-1:0] pb_rdata;
  logic        ctr_valid;
  logic [15:0] ctr_index;
  logic [10:0] ctr_bytes;
  logic        rxo_ack;
  logic [7:0]  rxo_op, rxo_gen, rxo_status, rxo_here;
  localparam logic [1:0] OpLife = 2'd2;
  assign rxo_op = rxo_here ^ {OpLife, 6'd0};   // as packets carry it
  logic        rxo_free = 0, rxo_final, ra_final;
  logic        copy, copy_may = 0, copy_near, copy_valid, copy_ready = 0, copy_known;
  logic [31:0] copy_data;
  logic [1:0]  copy_slot;
  logic [3:0]  copy_word;
  logic        rxo_word, rxo_take = 0, rxo_drop = 0, word_valid, word_ready = 0, word_high;
  logic [5:0]  rxo_slot = 0, word_slot;
  logic [DataW-1:0] word_data;
  logic        ra_valid;
  logic        ra_ready;
  logic [15:0] ra_dst, ra_opid;
  logic [7:0]  ra_status;
  logic        ev_valid, ev_ready = 0, cev_valid, cev_ready = 0;
  logic [31:0] ev, cev;
  logic        rxfree_valid = 0;
  logic [5:0]  rxfree_slot = 0;
  logic        ack_valid, ack_ready = 0, ack_sop, ack_eop;
  logic [DataW-1:0] ack_data;
  logic        st_pkt, st_put, st_fw, st_ack, st_nak, st_crc, st_type, st_len, st_dst, st_ref,
      st_non, st_txa, st_txn;
  logic [10:0] st_bytes;

  tern_rx #(.DataW(DataW), .MaxPayload(MaxPayload), .RxSlots(RxSlots)) u_rx (
    .clk_i(clk), .rst_ni(rst_n), .node_i(Node), .dims_i(dims), .incarnation_i(Incarnation),
    .op_life_i(OpLife),
    .core_up_i(core_up), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_sop_i(rx_sop),
    .rx_eop_i(rx_eop), .rx_err_i(rx_err), .rx_vn_i(rx_vn), .rx_data_i(rx_data),
    .rx_vn_ready_o(vn_ready), .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr),
    .mm_wdata_i(mm_wdata), .mm_ready_o(rx_mm_ready), .mm_rvalid_o(rx_mm_rvalid),
    .mm_rdata_o(rx_mm_rdata), .ck_valid_o(ck_valid), .ck_ready_i(ck_ready), .ck_key_o(ck_key),
    .ck_addr_o(ck_addr), .ck_bytes_o(ck_bytes), .ck_offset_o(ck_offset), .ck_atomic_o(),
    .ck_read_o(), .ck_done_i(ck_done), .ck_status_i(ck_status), .ck_haddr_i(ck_haddr),
    .ck_fn_i(ck_fn), .ck_ctr_i(ck_ctr), .rxc_valid_o(rxc_valid), .rxc_ready_i(rxc_ready),
    .rxc_slot_o(rxc_slot), .rxc_bytes_o(rxc_bytes), .rxc_fn_o(rxc_fn), .rxc_addr_o(rxc_addr),
    .rxc_id_o(rxc_id), .rxc_read_done_i(rxc_read_done), .rxd_valid_i(rxd_valid),
    .rxd_ready_o(rxd_ready), .rxd_err_i(rxd_err), .pb_req_i(pb_req), .pb_slot_i(pb_slot),
    .pb_word_i(pb_word), .pb_rdata_o(pb_rdata), .at_hrq_valid_o(), .at_hrq_ready_i(1'b0), .at_hrq_fn_o(), .at_hrq_addr_o(), .at_hrq_node_o(), .hrd_valid_i(1'b0), .hrd_tag_i('0), .hrd_data_i('0), .hrd_last_i(1'b0), .hrd_err_i(1'b0), .at_valid_o(), .at_ready_i(1'b0), .at_word_o(), .at_fn_o(), .at_addr_o(), .at_req_i(1'b0), .at_rdata_o(), .at_done_i(1'b0), .at_err_i(1'b0), .ctr_valid_o(ctr_valid), .ctr_index_o(ctr_index), .ctr_bytes_o(ctr_bytes), .rxo_ack_o(rxo_ack), .rxo_op_o(rxo_here), .rxo_gen_o(rxo_gen), .rxo_status_o(rxo_status), .rxo_free_i(rxo_free), .rxo_final_o(rxo_final), .ra_final_o(ra_final), .copy_may_i(copy_may), .copy_data_o(copy_data), .copy_near_o(copy_near), .copy_o(copy), .copy_slot_o(copy_slot), .copy_valid_o(copy_valid), .copy_ready_i(copy_ready), .copy_word_o(copy_word), .copy_known_o(copy_known), .rxo_word_o(rxo_word), .rxo_take_i(rxo_take), .rxo_drop_i(rxo_drop), .rxo_slot_i(rxo_slot), .word_valid_o(word_valid), .word_ready_i(word_ready), .word_slot_o(word_slot), .word_high_o(word_high), .word_data_o(word_data), .ra_valid_o(ra_valid), .ra_ready_i(ra_ready), .ra_dst_o(ra_dst), .ra_opid_o(ra_opid), .ra_status_o(ra_status), .ra_word_o(), .word_o(), .word_next_i(1'b0), .ev_rx_valid_o(ev_valid), .ev_rx_ready_i(ev_ready), .ev_rx_o(ev), .rxfree_valid_i(rxfree_valid), .rxfree_slot_i(rxfree_slot), .tr_rx_good_o(), .tr_rx_good_id_o(), .tr_ack_in_o(), .tr_ack_in_id_o(), .st_rx_pkt_o(st_pkt), .st_rx_put_o(st_put), .st_rx_put_bytes_o(st_bytes), .st_rx_fw_o(st_fw), .st_rx_ack_o(st_ack), .st_rx_nak_o(st_nak), .st_bad_crc_o(st_crc), .st_bad_type_o(st_type), .st_bad_len_o(st_len), .st_bad_dst_o(st_dst), .st_refused_o(st_ref), .st_not_member_o(st_non)
  );
  tern_ack #(.DataW(DataW)) u_ack (
    .clk_i(clk), .rst_ni(rst_n), .node_i(Node),
    .ra_valid_i(ra_valid), .ra_ready_o(ra_ready), .ra_dst_i(ra_dst), .ra_opid_i(ra_opid),
    .ra_status_i(ra_status), .ra_final_i(ra_final), .ra_word_i(1'b0), .word_i('0), .word_next_o(),
    .ack_valid_o(ack_valid), .ack_ready_i(ack_ready), .ack_more_i(ack_ready), .ack_sop_o(ack_sop),
    .ack_eop_o(ack_eop), .ack_data_o(ack_data), .st_tx_ack_o(st_txa), .st_tx_nak_o(st_txn)
  );
  tern_ctr #(.NumCtr(NumCtr)) u_ctr (
    .clk_i(clk), .rst_ni(rst_n),
    .ctr_valid_i(ctr_valid), .ctr_index_i(ctr_index), .ctr_bytes_i(ctr_bytes),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(ctr_mm_ready), .mm_rvalid_o(ctr_mm_rvalid), .mm_rdata_o(ctr_mm_rdata),
    .ev_ctr_valid_o(cev_valid), .ev_ctr_ready_i(cev_ready), .ev_ctr_o(cev)
  );

  bit mm_busy = 0;
  task automatic mm(input bit we, input logic [15:0] addr, input logic [31:0] data,
                    output logic [31:0] answer);
    while (mm_busy) tick();
    mm_busy = 1;
    mm_valid = 1; mm_we = we; mm_addr = addr; mm_wdata = data;
    do @(posedge clk); while (!(rx_mm_ready || ctr_mm_ready));
    #1;
    mm_valid = 0; mm_addr = 16'h7ffc;
    do @(posedge clk); while (!(rx_mm_rvalid || ctr_mm_rvalid));
    answer = rx_mm_rdata | ctr_mm_rdata;
    #1;
    mm_busy = 0;
  endtask

  // ------------------------------------------------------------------ expected results
  bit          fast = 0;
  logic [7:0]  p_data [MaxPackets][MaxPayload];
  logic [255:0] p_head [MaxPackets];
  int          p_order [MaxPackets];            // number of puts before it
  int          want_put [$], want_fw [$], want_flush [$];  // packet numbers, in order of arrival
  // packets that are to be answered
  int          answer_put [$], answer_own [$], answer_fw [$];
  logic [7:0]  answer_fw_status [$];
  logic [24:0] want_ack [$];                    // last, operation, status
  int          word_wait = 0, words = 0, words_dropped = 0;
  logic [64:0] word_now;
  bit          word_due = 0, word_upper = 0;
  logic [64:0] want_word [$];                   // whether the ack carries a word, and which
  int          n_pkt = 0, n_put = 0, n_put_bytes = 0, n_fw = 0, n_ack = 0, n_nak = 0;
  int          n_crc = 0, n_type = 0, n_len = 0, n_dst = 0, n_ref = 0, n_non = 0, n_puts_in = 0,
      n_own = 0;
  int          c_pkt = 0, c_put = 0, c_put_bytes = 0, c_fw = 0, c_ack = 0, c_nak = 0;
  int          c_crc = 0, c_type = 0, c_len = 0, c_dst = 0, c_ref = 0, c_non = 0, c_txa = 0,
      c_txn = 0, n_txa = 0, n_txn = 0;
  int          entered = 0, answered = 0, written = 0, events = 0, ctr_events = 0;
  longint      ctr_left [NumCtr];
  bit          ctr_due [NumCtr];

  always @(posedge clk) if (rst_n) begin
    c_pkt += int'(st_pkt); c_put += int'(st_put); c_put_bytes += int'(st_bytes);
    c_fw += int'(st_fw);
    c_ack += int'(st_ack); c_nak += int'(st_nak); c_crc += int'(st_crc); c_type += int'(st_type);
    c_len += int'(st_len); c_dst += int'(st_dst); c_ref += int'(st_ref); c_txa += int'(st_txa);
    c_txn += int'(st_txn); c_non += int'(st_non);
    if (st_ref || st_non) entered++;
  end

  function automatic logic [7:0] put_status(input int p);
    logic [255:0] h;
    h = p_head[p];
    if (h[87:80] != 0 && h[87:80] != Incarnation) return tern_abi_pkg::ST_STALE_NODE;
    if (h[199:192] != 0) return h[199:192];
    return h[128+41] && h[122:112] != 0 ? tern_abi_pkg::ST_HOST_FAULT : tern_abi_pkg::ST_OK;
  endfunction

  // Broadcasts in progress, by origin.
  logic [14:0] row_due [logic [14:0]];
  logic [13:0] row_op [logic [14:0]];
  bit          p_lost [MaxPackets];
  int          n_lost = 0;

  function automatic logic [7:0] answer_status(input int p);
    return p_lost[p] ? tern_abi_pkg::ST_PACKET_LOST : put_status(p);
  endfunction

  // Tells whether earlier packets of the broadcast are missing.
  function automatic bit lacks(input int p, input bit good);
    logic [255:0] h;
    logic [14:0] src;
    bit whole;
    h = p_head[p];
    src = h[110:96];
    whole = h[254:240] == 0 || (row_due.exists(src) && row_due[src] == h[254:240] &&
                                row_op[src] == {h[239:232], h[229:224]});
    if (!h[73] && h[255:240] != tern_abi_pkg::PKT_UNNUMBERED[15:0]) begin
      row_due.delete(src);
      if (good && whole) begin
        row_due[src] = h[254:240] + 1'b1;
        row_op[src]  = {h[239:232], h[229:224]};
      end
    end
    return h[73] && good && !whole;
  endfunction

  // Tells whether a broadcast concerns no region of this node.
  function automatic bit foreign(input int p);
    return p_head[p][15] && put_status(p) == tern_abi_pkg::ST_BAD_KEY;
  endfunction

  // ------------------------------------------------------------------ packets in
  logic [7:0] raw [2048];
  logic [255:0] forced = '0, forced_to = '0;    // header bits with a given value

  task automatic send_packet(input int p, input int kind);
    logic [255:0] h;
    logic [31:0] crc;
    int len, padded, total, stomp, bubble;
    logic [1:0] vn;
    bit reply;
    h = '0;
    for (int i = 0; i < 8; i++) h[32*i +: 32] = tap_pkg::rnd();
    vn = kind == 0 ? 2'd1 : kind == 1 ? 2'd2 : 2'd0;
    len = fast ? MaxPayload : tap_pkg::one_in(4) ? int'(tap_pkg::below(MaxPayload + 1))
        : int'(tap_pkg::below(40));
    if (vn == 2) len = 0;
    reply = vn == 1 && forced == 0 && tap_pkg::one_in(3);
    h[71:64] = reply ? tern_abi_pkg::PTYPE_REPLY : vn == 1 ? tern_abi_pkg::PTYPE_PUT : vn == 2
        ? tern_abi_pkg::PTYPE_ACK :
               tap_pkg::one_in(3) ? tern_abi_pkg::PTYPE_READ : 8'h10 + 8'(tap_pkg::below(48));
    h[87:80] = tap_pkg::one_in(3) ? 8'd0 : tap_pkg::one_in(20) && !fast ? 8'd9 : Incarnation;
    h[91:88] = 4'd1; h[17:16] = vn; h[14:0] = Node[14:0]; h[122:112] = 11'(len);
    h[15] = tap_pkg::one_in(8) && !reply;       // deposit bit: every node on the way keeps a copy
    h[79:72] = 8'(tap_pkg::below(32));
    if (fast) h[79:72] = 8'd0;
    h[74] = h[15];
    h[111] = 1'b0;                               // the source is inside the torus
    if (h[110:106] > Dims[14:10]) h[110:106] = Dims[14:10];
    if (h[105:101] > Dims[9:5]) h[105:101] = Dims[9:5];
    if (h[100:96] > Dims[4:0]) h[100:96] = Dims[4:0];
    h[239:224] = 16'(tap_pkg::rnd());
    // entries above 127 are messages; above 63, reads of this node
    h[231:230] = {vn == 0, reply};
    if (tap_pkg::one_in(8)) h[231:224] = 8'hff;
    h[199:192] = vn == 2 ? 8'(tap_pkg::below(3)) : tap_pkg::one_in(12) && !fast
        ? 8'd5 + 8'(tap_pkg::below(4)) : 8'd0;
    h[215:208] = tap_pkg::one_in(3) ? 8'hff : 8'(tap_pkg::below(NumCtr));
    h[128+41] = tap_pkg::one_in(15) && !fast;
    padded = (len + 7) / 8 * 8;
    stomp = 0;
    h = (h & ~forced) | (forced_to & forced);
    if (forced[74] && h[74] != h[15]) begin n_dst++; kind = 10; end
    // One kind of damage at a time, since the block reports only the first.
    case (fast || forced != 0 ? 100 : int'(tap_pkg::below(100)))
      0: begin h[91:88] = 4'd2; n_type++; vn = vn | 2'd0; kind = 10; end
      1: begin h[71:64] = 8'h77; n_type++; kind = 10; end
      2: begin h[15:0] = {1'b0, Node[14:0] ^ 15'(1 << tap_pkg::below(15))}; n_dst++; kind = 10; end
      3: begin h[122:112] = 11'(padded + 1); n_len++; kind = 10; end
      4: begin h[122:112] = 11'(padded == 0 ? 9 : padded - 8); n_len++; kind = 10; end
      5: if (vn != 2) begin len = MaxPayload + 1 + int'(tap_pkg::below(300));
      padded = (len + 7) / 8 * 8;
               h[122:112] = 11'(len); n_len++; kind = 10; end
      6: begin stomp = 1; n_crc++; kind = 10; end
      7: begin stomp = 2; n_crc++; kind = 10; end
      8: if (vn == 2) begin len = 8; padded = 8; h[122:112] = 11'd8; n_len++; kind = 10; end
      9: begin h[74] = !h[15]; n_dst++; kind = 10; end
      10: begin
        case (tap_pkg::below(4))
          0: h[111] = 1'b1;
          1: h[110:106] = Dims[14:10] + 1'b1;
          2: h[105:101] = Dims[9:5] + 5'(1 + tap_pkg::below(4));
          default: h[100:96] = Dims[4:0] + 5'(1 + tap_pkg::below(2));
        endcase
        n_dst++;
        kind = 10;
      end
      default: ;
    endcase
    for (int i = 0; i < 32; i++) raw[i] = h[8*i +: 8];
    for (int i = 0; i < padded; i++) begin
      raw[32+i] = i < len ? 8'(tap_pkg::rnd()) : 8'h00;
      if (i < MaxPayload) p_data[p][i] = raw[32+i];
    end
    crc = '1;
    for (int i = 0; i < 32 + padded; i++)
      crc = tap_pkg::crc_byte(crc, i >= 8 || (i < 2 && !h[15]) ? raw[i] : 8'h00);
    crc = ~crc;
    for (int i = 0; i < 4; i++) raw[32+padded+i] = crc[8*i +: 8];
    for (int i = 4; i < 8; i++) raw[32+padded+i] = fast ? 8'h00 : 8'(tap_pkg::rnd());
    total = 40 + padded;
    if (stomp == 2) begin
      int bit_no;
      do bit_no = int'(tap_pkg::below(8 * (36 + padded)));
      while (bit_no < 64 && (h[15] || bit_no > 14));
      raw[bit_no/8] = raw[bit_no/8] ^ 8'(1 << (bit_no % 8));
    end
    p_head[p] = h;

    while (!vn_ready[vn]) tick();
    for (int b = 0; b < total / Lanes; b++) begin
      bubble = fast || !tap_pkg::one_in(5) ? 0 : int'(tap_pkg::below(4));
      while (bubble > 0) begin rx_valid = 0; bubble--; tick(); end
      rx_valid = 1; rx_vn = vn; rx_sop = b == 0; rx_eop = b == total / Lanes - 1;
      rx_err = rx_eop && stomp == 1;
      for (int j = 0; j < Lanes; j++) rx_data[8*j +: 8] = raw[b*Lanes + j];
      do @(posedge clk); while (!rx_ready);
      if (rx_eop) account(p, kind);             // from now on results may appear
      #1;
    end
    rx_valid = 0;
  endtask

  task automatic account(input int p, input int kind);
    logic [255:0] h;
    logic [7:0] s;
    h = p_head[p];
    if (kind == 10) return;
    n_pkt++;
    p_order[p] = n_puts_in;
    taken_at[p] = cycle;
    if (kind == 1) begin
      want_ack.push_back({h[72], h[231:224], h[239:232], h[199:192]});
      want_word.push_back({h[76], h[191:128]});
      if (h[199:192] == 0) n_ack++; else n_nak++;
    end else if (kind == 0) begin
      s = put_status(p);
      n_puts_in++;
      if (h[74]) p_lost[p] = lacks(p, s == 0);
      if (p_lost[p] && h[231:224] != 8'hff) n_lost++;
      if (s == 0 || s == tern_abi_pkg::ST_HOST_FAULT) want_put.push_back(p);
      else if (foreign(p)) n_non++;
      else n_ref++;
      if (!foreign(p) && h[231:224] != 8'hff && (s != 0 || h[73])) begin
        if (h[71:64] == tern_abi_pkg::PTYPE_REPLY) begin
          answer_own.push_back(p);
          n_own++;
          if (s == 0) n_ack++; else n_nak++;
        end else answer_put.push_back(p);
        if (h[71:64] == tern_abi_pkg::PTYPE_REPLY) ;
        else if (s == 0 && !p_lost[p]) n_txa++; else n_txn++;
      end
      if (s == 0) begin
        n_put++;
        n_put_bytes += int'(h[122:112]);
        if (h[215:208] < NumCtr && ctr_left[h[212:208]] > 0) begin
          ctr_left[h[212:208]] -= longint'(h[122:112]);
          if (ctr_left[h[212:208]] <= 0) begin
            ctr_left[h[212:208]] = 0;
            ctr_due[h[212:208]] = 1;
          end
        end
      end
    end else if (core_up) begin
      n_fw++;
      want_fw.push_back(p);
    end else if (h[231:224] != 8'hff) begin
      answer_fw.push_back(p);
      answer_fw_status.push_back(tern_abi_pkg::ST_FLUSHED);
      n_txn++;
    end
  endtask

  // ------------------------------------------------------------------ key check
  int ck_wait = -1;
  assign ck_ready = ck_wait < 0;
  always @(posedge clk) begin
    ck_done <= 0;
    if (ck_valid && ck_ready) begin
      ck_wait   <= fast ? 3 : int'(tap_pkg::below(10));
      // Requests of damaged packets also get an answer.
      ck_status <= ck_key[7:0] < 8'd9 && ck_key[7:0] != 8'd1 ? ck_key[7:0]
          : tern_abi_pkg::ST_BAD_KEY;
      ck_haddr  <= ck_addr + (ck_offset ? 64'h7_0000_0003 : 64'd5);
      ck_fn     <= ck_key[15:8];
      ck_ctr    <= ck_key[23:16] == 8'hff ? 16'hffff : 16'(ck_key[23:16]);
    end else if (ck_wait > 0) ck_wait <= ck_wait - 1;
    else if (ck_wait == 0) begin
      ck_wait <= -1;
      ck_done <= 1;
      ck_wait <= -1;
    end
  end

  // ------------------------------------------------------------------ write channel
  int          d_packet = -1, d_word = 0, d_words = 0, d_slot = 0, d_check = -1, due_at [$];
  bit          due_err [$], done_err [$], d_last = 0;
  always @(posedge clk) begin
    int p;
    logic [255:0] h;
    rxc_read_done <= 0;
    pb_req <= 0;
    if (rxd_valid && rxd_ready) void'(done_err.pop_front());
    rxc_ready <= 0;
    // The data for the request of the previous cycle.
    if (d_check >= 0 && pb_req_q) begin
      for (int j = 0; j < Lanes; j++) begin
        int at;
        at = d_word_q * Lanes + j;
        if (at < int'(p_head[d_check][122:112]))
          tap_pkg::expect_true(pb_rdata[8*j +: 8] == p_data[d_check][at],
                               $sformatf("packet %0d: deposit of byte %0d", d_check, at));
      end
      if (d_last_q) begin
        rxc_read_done <= 1;
        d_check = -1;
      end
    end
    if (rxc_valid && rxc_ready) begin
      entered++;
      tap_pkg::expect_true(want_put.size() > 0, "a deposit without a good packet");
      if (want_put.size() > 0) begin
        p = want_put.pop_front();
        h = p_head[p];
        tap_pkg::expect_true(rxc_bytes == h[122:112] && rxc_fn == h[207:200] &&
                             rxc_id == h[239:224], $sformatf("packet %0d: write command", p));
        tap_pkg::expect_true(rxc_addr == h[191:128] + (h[75] ? 64'h7_0000_0003 : 64'd5),
                             "write address");
        tap_pkg::expect_true(rxc_slot >= RxSlots && rxc_slot < RxSlots + 4, "slot of a put");
        d_packet = p;
        d_slot   = int'(rxc_slot);
        d_word   = 0;
        d_words  = (int'(rxc_bytes) + Lanes - 1) / Lanes;
        due_err.push_back(h[128+41] && rxc_bytes != 0);
        if (d_words == 0) begin
          rxc_read_done <= 1;
          d_packet = -1;
          due_at.push_back(cycle);
        end
      end
    end else if (d_packet < 0 && d_check < 0 && !pb_req_q) rxc_ready <= fast || tap_pkg::one_in(3);
    if (d_packet >= 0 && d_check < 0 || (d_packet >= 0 && d_check == d_packet)) begin
      if (fast || !tap_pkg::one_in(3)) begin
        pb_req  <= 1;
        pb_slot <= 5'(d_slot);
        pb_word <= 8'(d_word);
        d_check = d_packet;
        d_last  <= d_word == d_words - 1;
        d_word++;
        if (d_word == d_words) begin
          d_packet = -1;
          due_at.push_back(cycle + (fast ? 40 : int'(tap_pkg::below(150))));
        end
      end
    end
    if (due_at.size() > 0 && due_at[0] <= cycle && d_check < 0 && !rxc_read_done) begin
      done_err.push_back(due_err[0]);
      written++;
      void'(due_at.pop_front());
      void'(due_err.pop_front());
    end
    rxd_valid <= done_err.size() > 0;
    rxd_err   <= done_err.size() > 0 ? done_err[0] : 1'($urandom);
  end
  // A request is answered in the next cycle.
  bit pb_req_q = 0, d_last_q = 0;
  int d_word_q = 0;
  always @(posedge clk) begin
    pb_req_q <= pb_req;
    d_last_q <= d_last;
    d_word_q <= int'(pb_word);
  end

  // ------------------------------------------------------------------ acks
  logic [7:0] apkt [64];
  int         agot = 0, own;
  bit         acked_q = 0;
  task automatic check_ack();
    logic [31:0] crc;
    logic [255:0] h;
    logic [7:0] s;
    int p;
    bit fw;
    tap_pkg::expect_true(agot == 40, "size of an ack");
    fw = apkt[28][7];
    if (fw) begin
      tap_pkg::expect_true(answer_fw.size() > 0, "an ack nobody asked for");
      if (answer_fw.size() == 0) return;
      // Answers for a core in reset come in any order.
      for (int i = 0; i < answer_fw.size() && i < RxSlots; i++)
        if (answer_fw_status[0] == tern_abi_pkg::ST_FLUSHED &&
            answer_fw_status[i] == tern_abi_pkg::ST_FLUSHED
            && {apkt[29], apkt[28]} == p_head[answer_fw[i]][239:224]) begin
          p = answer_fw[0];
          answer_fw[0] = answer_fw[i];
          answer_fw[i] = p;
          break;
        end
      p = answer_fw.pop_front();
      s = answer_fw_status.pop_front();
    end else begin
      tap_pkg::expect_true(answer_put.size() > 0, "an answer without a put");
      if (answer_put.size() == 0) return;
      p = answer_put.pop_front();
      s = answer_status(p);
    end
    h = p_head[p];
    tap_pkg::expect_true({apkt[3], apkt[2], apkt[1], apkt[0]} == {6'd0, 8'd5, 2'd2, 1'b0,
                                                                  h[110:96]} &&
                         {apkt[7], apkt[6], apkt[5], apkt[4]} == 0, "ack words 0 and 1");
    tap_pkg::expect_true({apkt[11], apkt[10], apkt[9], apkt[8]} ==
                         {8'd1, 8'd0, fw && !h[74] ? 8'(tern_abi_pkg::PFLAG_LAST) : 8'd0,
                          tern_abi_pkg::PTYPE_ACK}, "ack word 2");
    tap_pkg::expect_true({apkt[15], apkt[14], apkt[13], apkt[12]} == {16'd0, Node},
                         "ack source and length");
    tap_pkg::expect_true({apkt[29], apkt[28]} == h[239:224], "ack operation");
    tap_pkg::expect_true(apkt[24] == s,
                         $sformatf("packet %0d: ack status %0d wanted %0d", p, apkt[24], s));
    crc = '1;
    for (int i = 0; i < 32; i++)
      crc = tap_pkg::crc_byte(crc, i >= 2 && i < 8 ? 8'h00 : i == 1 ? apkt[i] & 8'h7f : apkt[i]);
    tap_pkg::expect_true({apkt[35], apkt[34], apkt[33], apkt[32]} == ~crc, "ack CRC");
  endtask
  always @(posedge clk) begin
    ack_ready <= fast || tap_pkg::one_in(3);
    if (rst_n && ack_valid && ack_ready) begin
      for (int j = 0; j < Lanes; j++) apkt[agot + j] = ack_data[8*j +: 8];
      agot += Lanes;
      if (ack_eop) begin
        check_ack();
        agot = 0;
      end
    end
    rxo_free <= !(rst_n && rxo_ack) && (fast || !tap_pkg::one_in(3));
    acked_q  <= rst_n && rxo_ack;
    if (rst_n && rxo_ack) tap_pkg::expect_true(!acked_q, "two acks without a cycle between them");
    if (rst_n && rxo_ack && rxo_op[7:6] == 2'b01) begin
      tap_pkg::expect_true(answer_own.size() > 0 && rxo_free,
                           "an answer to a read that nobody is due");
      if (answer_own.size() > 0) begin
        own = answer_own.pop_front();
        tap_pkg::expect_true({rxo_gen, rxo_op} == p_head[own][239:224] &&
                             rxo_status == put_status(own) &&
                             !rxo_final && !rxo_word,
                             $sformatf("packet %0d: answer to a read", own));
      end
    end else if (rst_n && rxo_ack) begin
      tap_pkg::expect_true(want_ack.size() > 0, "an ack taken that did not come");
      if (want_ack.size() > 0) begin
        tap_pkg::expect_true(want_ack[0] == {rxo_final, rxo_op, rxo_gen, rxo_status},
                             "ack to the operation table");
        void'(want_ack.pop_front());
      end
      word_now = want_word.pop_front();
      tap_pkg::expect_true(rxo_word == word_now[64], "whether an ack brings a word");
      if (rxo_word) word_wait = 1 + int'(tap_pkg::below(6));
    end
  end

  // The operation table accepts or refuses the word; the slots take it beat by beat.
  always @(posedge clk) begin
    rxo_take   <= 0;
    rxo_drop   <= 0;
    word_ready <= fast || tap_pkg::one_in(3);
    if (rst_n && word_valid && word_ready) begin
      tap_pkg::expect_true(word_due && word_slot == rxo_slot && word_high == word_upper &&
                           word_data == DataW'(word_now[63:0] >> (word_upper ? 32 : 0)),
                           "word of an ack");
      word_upper = DataW == 32 && !word_upper;
      if (!word_upper) begin
        word_due = 0;
        words++;
      end
    end
    if (word_wait > 0) begin
      word_wait--;
      if (word_wait == 0) begin
        word_due = tap_pkg::one_in(2);
        rxo_take <= word_due;
        rxo_drop <= !word_due;
        rxo_slot <= 6'(tap_pkg::rnd());
        if (!word_due) words_dropped++;
      end
    end
  end

  // ------------------------------------------------------------------ firmware: events and
  // counters
  logic [511:0] copied [2];
  logic [15:0]  copied_words [2];
  int           copies = 0, copy_waits = 0, unasked = 0, now = 0;
  int           armed_at = -1, taken_at [MaxPackets];    // cycles
  logic [1:0]   armed_slot;
  bit           known_due = 0;
  // Told with the promise that it breaks.
  int copy_faults [2] = '{0, 0};
  function automatic void copy_true(input int which, input bit ok, input string what);
    if (ok) return;
    copy_faults[which] = copy_faults[which] + 1;
    if (copy_faults[which] <= 5) $display("# %0t: %s", $time, what);
  endfunction

  always @(posedge clk) begin
    copy_ready <= fast || !tap_pkg::one_in(3);
    copy_may   <= fast || !tap_pkg::one_in(3);
    now = int'(u_rx.unasked_q);
    if (rst_n && copy_valid && !copy_ready) copy_waits++;
    if (rst_n && copy) copy_true(now, copy_near, "a copy that is not near");
    if (rst_n && !copy) copy_true(now, copy_data == 0 && copy_word == 0,
                                  "joins others without a copy");
    if (rst_n && copy_known) begin
      if (now == 0) known_due = 0;
      copy_true(now, copy_valid && copy_ready &&
                (copied_words[now] | 16'(1) << copy_word) == 16'h070d,
                           "said to be known too soon");
    end
    if (rst_n && copy_valid && copy_ready) begin
      copy_true(now, copy, "a word of no copy");
      copied[now][32*copy_word +: 32] = copy_data;
      copied_words[now][copy_word] = 1;
      copy_true(now, copy_slot == (now == 1 ? armed_slot : asked_slot), "copied into another slot");
    end
  end

  // Returns the expected contents of a slot after RX_COPY of a packet.
  function automatic logic [511:0] copy_of(input int p, input bit found);
    logic [511:0] want;
    logic [255:0] h;
    h = p_head[p];
    want = '0;
    want[tern_abi_pkg::DESC_OPCODE_LSB +: 32]      = h[95:64];
    want[tern_abi_pkg::DESC_DST_NODE_LSB +: 32]    = h[127:96];
    want[tern_abi_pkg::DESC_LOCAL_ADDR_LSB +: 64]  = h[191:128];
    want[tern_abi_pkg::DESC_LOCAL_KEY_LSB +: 32]   = h[223:192];
    want[tern_abi_pkg::RPL_OPID_LSB +: 32]         = h[255:224];
    for (int i = 0; i < 8; i++) want[tern_abi_pkg::DESC_REMOTE_ADDR_LSB + 8*i +: 8] = p_data[p][i];
    for (int i = 0; i < 4; i++) want[tern_abi_pkg::DESC_REMOTE_KEY_LSB + 8*i +: 8] = p_data[p][8+i];
    for (int i = 0; i < 4; i++) want[tern_abi_pkg::DESC_LENGTH_LSB + 8*i +: 8] = p_data[p][12+i];
    // In a LOOKUP these fields have another meaning.
    if (found) want[tern_abi_pkg::DESC_LENGTH_LSB + 16 +: 16] = '0;
    if (found) want[tern_abi_pkg::DESC_LOCAL_ADDR_LSB + 48 +: 16] = '0;
    return want;
  endfunction

  logic [1:0] asked_slot = 0;
  task automatic copy_packet(input int p, input int slot);
    logic [31:0] w;
    bit found;
    found = tap_pkg::one_in(3);
    asked_slot = 2'(tap_pkg::rnd());
    copied_words[0] = '0;
    copied[0] = '0;
    known_due = 1;
    mm(1, tern_abi_pkg::MMIO_RX_COPY,
       {1'b0, 6'(tap_pkg::rnd()), found, 2'(tap_pkg::rnd()), 4'(tap_pkg::rnd()), asked_slot,
        10'(tap_pkg::rnd()), 6'(slot)}, w);
    copy_true(0, copied_words[0] == 16'h07fd && !known_due && copied[0] == copy_of(p, found),
                         $sformatf("packet %0d: copied words %04x", p, copied_words[0]));
    copies++;
  endtask

  // Arms the copy of the next READ packet.
  task automatic arm();
    logic [31:0] w;
    armed_slot = 2'(tap_pkg::rnd());
    copied_words[1] = '0;
    copied[1] = '0;
    mm(1, tern_abi_pkg::MMIO_RX_COPY, {1'b1, 13'(tap_pkg::rnd()), armed_slot, 16'(tap_pkg::rnd())},
       w);
    armed_at = cycle;
  endtask

  // Checks whether it was copied.
  task automatic check_unasked(input int p, input bit said);
    logic [255:0] h;
    h = p_head[p];
    if (!said) begin
      copy_true(1, armed_at < 0 || h[71:64] != tern_abi_pkg::PTYPE_READ || taken_at[p] <= armed_at,
                $sformatf("packet %0d was not copied", p));
      return;
    end
    copy_true(1, armed_at >= 0 && h[71:64] == tern_abi_pkg::PTYPE_READ,
              $sformatf("packet %0d is copied for nobody", p));
    armed_at = -1;
    for (int i = 0; i < 300 && copy_near; i++) tick();
    copy_true(1, copied_words[1] == 16'h07fd,
              $sformatf("packet %0d: unasked, words %04x", p, copied_words[1]));
    // If the payload is short, the remaining words stay unchanged.
    if (h[122:112] >= tern_abi_pkg::READ_BYTES) copy_true(1, copied[1] == copy_of(p, 0),
                                                          $sformatf("packet %0d: copied unasked",
                                                                    p));
    unasked++;
  endtask

  bit fw_run = 1;
  task automatic take_packet();
    int p, slot;
    logic [31:0] w, e, space;
    logic [7:0] s;
    logic [255:0] h;
    ev_ready = 1;
    @(posedge clk);
    e = ev;
    #1;
    ev_ready = 0;
    events++;
    tap_pkg::expect_true(want_fw.size() > 0, "an event without a packet");
    if (want_fw.size() == 0) return;
    p = want_fw.pop_front();
    h = p_head[p];
    slot = int'(e[5:0]);
    tap_pkg::expect_true(e[31:28] == tern_abi_pkg::EV_RX && e[15:8] == h[71:64] && slot < RxSlots,
                         "event word");
    check_unasked(p, e[tern_abi_pkg::EV_COPIED_LSB]);
    if (armed_at < 0 && tap_pkg::one_in(2)) arm();
    tap_pkg::expect_true(entered >= p_order[p], $sformatf("packet %0d overtook a put", p));
    for (int i = 0; i < 6; i++) begin
      mm(0, 16'(int'(tern_abi_pkg::MMIO_RXSLOT) + slot * 2048 + 4*i), 0, w);
      tap_pkg::expect_true(w == h[32*i +: 32],
                           $sformatf("packet %0d: header word %0d %08x wanted %08x", p, i, w,
                                     h[32*i +: 32]));
    end
    for (int i = 0; i < int'(h[122:112]); i += 4) begin
      mm(0, 16'(int'(tern_abi_pkg::MMIO_RXSLOT) + slot * 2048 + 32 + i), 0, w);
      for (int j = 0; j < 4 && i + j < int'(h[122:112]); j++)
        tap_pkg::expect_true(w[8*j +: 8] == p_data[p][i+j],
                             $sformatf("packet %0d: payload byte %0d", p, i + j));
    end
    // The slot remains in use: it is read, answered and freed as usual.
    if (h[122:112] >= tern_abi_pkg::READ_BYTES && tap_pkg::one_in(2)) copy_packet(p, slot);
    if (tap_pkg::one_in(2)) begin
      s = 8'(tap_pkg::below(14));
      do mm(0, tern_abi_pkg::MMIO_ACK_SPACE, 0, space); while (space == 0);
      if (h[231:224] != 8'hff) begin
        answer_fw.push_back(p);
        answer_fw_status.push_back(s);
        if (s == 0) n_txa++; else n_txn++;
      end
      mm(1, tern_abi_pkg::MMIO_RX_ACK, {16'b0, s, 8'(slot)}, w);
    end
    if (tap_pkg::one_in(2)) mm(1, tern_abi_pkg::MMIO_RX_FREE, 32'(slot), w);
    else begin
      rxfree_valid = 1; rxfree_slot = 6'(slot);
      tick();
      rxfree_valid = 0;
    end
  endtask

  initial begin
    logic [31:0] w;
    wait (rst_n);
    forever begin
      if (fw_run && ev_valid && !tap_pkg::one_in(3)) take_packet();
      else if (cev_valid && tap_pkg::one_in(4)) begin
        cev_ready = 1;
        @(posedge clk);
        w = cev;
        #1;
        cev_ready = 0;
        tap_pkg::expect_true(w[31:28] == tern_abi_pkg::EV_CTR && w[15:0] < NumCtr &&
                             ctr_due[w[4:0]], "counter event");
        ctr_due[w[4:0]] = 0;
        ctr_events++;
      end else tick();
    end
  end

  // ------------------------------------------------------------------ the runs
  int unsigned seed_arg = 1, packets = 6000;

  task automatic drain();
    repeat (4000) tick();
  endtask

  task automatic check_counts();
    tap_pkg::expect_true(c_pkt == n_pkt && c_fw == n_fw && c_ack == n_ack && c_nak == n_nak,
                         $sformatf("good packets %0d/%0d fw %0d/%0d acks %0d/%0d naks %0d/%0d",
                                   c_pkt, n_pkt, c_fw, n_fw, c_ack, n_ack, c_nak, n_nak));
    tap_pkg::expect_true(c_put == n_put && c_put_bytes == n_put_bytes && c_ref == n_ref,
                         $sformatf("puts %0d/%0d bytes %0d/%0d refused %0d/%0d", c_put, n_put,
                                   c_put_bytes, n_put_bytes, c_ref, n_ref));
    tap_pkg::expect_true(c_non == n_non, $sformatf("passed on only %0d/%0d", c_non, n_non));
    tap_pkg::expect_true(c_crc == n_crc && c_type == n_type && c_len == n_len && c_dst == n_dst,
                         $sformatf("crc %0d/%0d type %0d/%0d length %0d/%0d dst %0d/%0d", c_crc,
                                   n_crc, c_type, n_type, c_len, n_len, c_dst, n_dst));
    tap_pkg::expect_true(c_txa == n_txa && c_txn == n_txn,
                         $sformatf("acks sent %0d/%0d naks %0d/%0d", c_txa, n_txa, c_txn, n_txn));
    tap_pkg::expect_true(want_put.size() == 0 && want_fw.size() == 0 && want_ack.size() == 0 &&
                         answer_put.size() == 0 && answer_own.size() == 0 &&
                         answer_fw.size() == 0 && !word_due, "something is still due");
  endtask

  // The firmware subtracts bytes from a counter that deposits count, too.
  int taken = 0;
  task automatic take_bytes();
    logic [31:0] w;
    int i, bytes;
    i = int'(tap_pkg::below(NumCtr));
    bytes = int'(tap_pkg::below(600));
    if (ctr_left[i] > 0) taken++;
    if (ctr_left[i] > 0 && ctr_left[i] <= longint'(bytes)) ctr_due[i] = 1;
    ctr_left[i] = ctr_left[i] > longint'(bytes) ? ctr_left[i] - longint'(bytes) : 0;
    mm(1, tern_abi_pkg::MMIO_CTR_SEL, 32'(i), w);
    mm(1, tern_abi_pkg::MMIO_CTR_TAKE, 32'(bytes), w);
  endtask

  // Sends packet `number` of a broadcast; ill: 1 is refused, 2 cannot be written.
  int n = 0;
  task automatic part(input logic [14:0] src, input int op, input logic [15:0] number,
                      input bit last, input int ill);
    forced = '0;
    forced_to = '0;
    forced[15] = 1; forced_to[15] = 1;
    forced[87:72] = '1; forced_to[74] = 1; forced_to[73] = last; forced_to[72] = last;
    forced[110:96] = '1; forced_to[110:96] = src;
    forced[255:224] = '1; forced_to[255:224] = {number, 8'(op / 64), 2'b0, 6'(op)};
    forced[199:192] = '1;
    forced_to[199:192] = ill == 1 ? tern_abi_pkg::ST_BAD_RIGHTS : tern_abi_pkg::ST_OK;
    forced[128+41] = 1; forced_to[128+41] = ill == 2;
    send_packet(n, 0);
    n++;
  endtask

  initial begin
    logic [31:0] w;
    int t0, beats, answers;
    void'($value$plusargs("seed=%d", seed_arg));
    void'($value$plusargs("packets=%d", packets));
    $display("# seed %0d, DataW %0d", seed_arg, DataW);
    tap_pkg::seed(seed_arg);
    repeat (4) tick();
    rst_n = 1;
    repeat (NumCtr + 4) tick();
    for (int i = 0; i < NumCtr; i++) begin
      ctr_left[i] = longint'(tap_pkg::below(40000));
      mm(1, tern_abi_pkg::MMIO_CTR_SEL, 32'(i), w);
      mm(1, tern_abi_pkg::MMIO_CTR_VALUE, 32'(ctr_left[i]), w);
    end
    n = 0;
    while (n < int'(packets)) begin
      send_packet(n, int'(tap_pkg::below(3)));
      n++;
      if (tap_pkg::one_in(3)) repeat (int'(tap_pkg::below(60))) tick();
      if (tap_pkg::one_in(100)) take_bytes();
    end
    drain();
    check_counts();
    $display(
      "# %0d packets: %0d good, %0d puts deposited, %0d refused, %0d to the firmware, %0d damaged",
             n, n_pkt, n_put, n_ref, n_fw, n_crc + n_type + n_len + n_dst);
    tap_pkg::tap("deposits, answers and events follow from whole packets alone");
    tap_pkg::expect_true(words > 20 && words_dropped > 20,
                         $sformatf("%0d words taken, %0d dropped", words, words_dropped));
    tap_pkg::tap("the word of an ack goes to the slot that it is wanted in, or nowhere");
    tap_pkg::expect_true(n_own > 100, $sformatf("%0d answers to reads", n_own));
    tap_pkg::tap(
        "what a read brings is answered to its operation here, between the acks of others");
    tap_pkg::expect_true(copy_faults[0] == 0, "RX_COPY");
    tap_pkg::expect_true(copies > 50 && copy_waits > 50,
                         $sformatf("%0d packets copied, %0d waits", copies, copy_waits));
    tap_pkg::tap("RX_COPY brings every word of a read to its place, and keeps the packet");
    tap_pkg::expect_true(copy_faults[1] == 0, "RX_COPY with next");
    tap_pkg::expect_true(unasked > 50, $sformatf("%0d packets copied unasked", unasked));
    tap_pkg::tap("the next read is copied unasked when that was said before, no other");

    for (int i = 0; i < NumCtr; i++) begin
      mm(1, tern_abi_pkg::MMIO_CTR_SEL, 32'(i), w);
      mm(0, tern_abi_pkg::MMIO_CTR_VALUE, 0, w);
      tap_pkg::expect_true(longint'(w) == ctr_left[i],
                           $sformatf("counter %0d: %0d wanted %0d", i, w, ctr_left[i]));
      tap_pkg::expect_true(!ctr_due[i], "a counter event was lost");
    end
    tap_pkg::expect_true(ctr_events > 0 && taken > 0, "no counter reached zero");
    tap_pkg::tap("byte counters stop at zero and say so once");

    // Resets the core while its slots are full; the rest is flushed, and no slot leaks.
    fw_run = 0;
    while (vn_ready[0]) begin send_packet(n, 2); n++; tick(); tick(); tick(); end
    core_up = 0;
    armed_at = -1;
    want_fw.delete();
    tick();
    repeat (2) tick();
    for (int i = 0; i < 40; i++) begin send_packet(n, 2); n++; end
    for (int i = 0; i < 10; i++) begin send_packet(n, 0); n++; end
    drain();
    core_up = 1;
    tick();
    tap_pkg::expect_true(!ev_valid, "an event survived its core");
    fw_run = 1;
    for (int i = 0; i < 40; i++) begin send_packet(n, 2); n++; end
    drain();
    check_counts();
    tap_pkg::tap("a dead core's packets are flushed and its slots come back");

    // Broadcasts: some of every kind; only length and address are random.
    for (int k = 0; k < 6; k++) begin
      answers = c_txa + c_txn;
      forced = '0;
      forced_to = '0;
      forced[15] = 1; forced_to[15] = k != 5;
      forced[74] = 1; forced_to[74] = k != 4;
      forced[14:0] = '1; forced_to[14:0] = k < 4 ? 15'h7fff : Node[14:0];
      forced[87:80] = '1;                             // any incarnation
      forced[231:224] = '1; forced_to[231:224] = 8'h11;
      forced[73] = k != 0; forced_to[73] = k == 2;    // requests an answer
      forced[199:192] = '1;
      forced_to[199:192] = k == 0 ? tern_abi_pkg::ST_BAD_KEY : k == 1 ? tern_abi_pkg::ST_BAD_RIGHTS
          : tern_abi_pkg::ST_OK;
      forced[128+41] = 1;                             // writable
      for (int i = 0; i < 30; i++) begin send_packet(n, 0); n++; end
      drain();
      check_counts();
      answers = c_txa + c_txn - answers;
      case (k)
        0: begin
          tap_pkg::expect_true(answers == 0, $sformatf("%0d answers", answers));
          tap_pkg::tap("a broadcast without a region here is passed over in silence");
        end
        1: begin
          tap_pkg::expect_true(answers == 30, $sformatf("%0d answers", answers));
          tap_pkg::tap("a member that refuses says so unasked");
        end
        2: tap_pkg::expect_true(answers == 30, $sformatf("%0d answers", answers));
        3: begin
          tap_pkg::expect_true(answers == 0, $sformatf("%0d answers", answers));
          tap_pkg::tap("a member answers when asked");
        end
        5: tap_pkg::tap("the deposit bit alone makes no broadcast");
        default: ;
      endcase
    end
    forced = '0;

    // Broadcasts of several packets: the answer to the last one covers all.
    forced = '0;
    for (int k = 0; k < 5; k++) begin
      t0 = n_lost;
      for (int i = 0; i < 20; i++) begin
        for (int j = 0; j < 6; j++) begin
          if (k == 1 && j == i % 5) continue;                       // lost
          if (k == 4 && j == i % 5) part(15'h1c63, i, 16'hffff, 0, 0);  // without number, of
                                                                        // another broadcast
          part(k == 4 ? 15'h1c63 : 15'h0842, k == 3 && j < 3 ? i + 32 : i, 16'(j), j == 5,
               k == 2 && j == i % 5 ? (i[0] ? 1 : 2) : 0);          // refused, or not writable
        end
      end
      drain();
      check_counts();
      t0 = n_lost - t0;
      // A packet without payload is written, whatever the host answers.
      tap_pkg::expect_true(k == 0 || k == 4 ? t0 == 0 : k == 2 ? t0 > 10 : t0 == 20,
                           $sformatf("%0d of 20 lost", t0));
      case (k)
        0: tap_pkg::tap("a member that got every packet answers the last with success");
        1: tap_pkg::tap("a packet that never came is told with the last");
        2: tap_pkg::tap("a packet that was not deposited is told with the last");
        3: tap_pkg::tap("the begin of one broadcast and the end of another are no broadcast");
        default: tap_pkg::tap("packets without a number are nobody's loss");
      endcase
    end

    // All origins of the largest torus at once.
    dims = 16'h7fff;
    for (int k = 0; k < 3; k++) begin
      t0 = n_lost;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 512; i++)
          part(k == 0 ? {2'b0, i[8:6], 2'b0, i[5:3], 2'b0, i[2:0]} :
               k == 1 ? {5'd0, 1'b0, i[8:5], i[4:0]} : {i[8:4], 3'b0, i[3:2], 3'b0, i[1:0]},
               i, 16'(j), j == 2, 0);
      drain();
      check_counts();
      tap_pkg::expect_true(n_lost == t0, $sformatf("torus %0d: %0d lost", k, n_lost - t0));
    end
    tap_pkg::tap("no two of 512 origins are taken for each other");
    forced = '0;

    // Full rate: puts of MaxPayload, back to back.
    fast = 1;
    repeat (10) tick();
    t0 = cycle;
    beats = 0;
    for (int i = 0; i < 64; i++) begin
      send_packet(n, 0);
      n++;
      beats += (40 + MaxPayload) / Lanes;
    end
    $display("# 64 puts of 512 bytes: %0d beats in %0d cycles", beats, cycle - t0);
    tap_pkg::expect_true(cycle - t0 <= beats + 64, "the stream was held up");
    drain();
    check_counts();
    tap_pkg::tap("long puts are taken at a beat a cycle");
    tap_pkg::finish();
  end

  initial begin
    repeat (3000000) @(posedge clk);
    $fatal(1, "the bench hangs");
  end
endmodule

`default_nettype wire
