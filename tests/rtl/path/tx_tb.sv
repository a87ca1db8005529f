// SPDX-License-Identifier: Apache-2.0
// Bench of tern_tx with tern_optab: random messages against models of slots, keys, host and
// network.
//
// The bench reconstructs every packet from its descriptor and compares it byte by byte. Every
// operation must end once, after all its answers, with a status that its history explains. Packets
// of messages interleave; those of one queue stay in order; a limited number of other packets
// delays a put of one packet. A model of the router chooses the number of copies of a broadcast.

`default_nettype none

module tx_tb;
  parameter int unsigned DataW = 64;
  localparam int Lanes = DataW / 8;
  localparam int MaxPayload = 512;
  localparam int NumOps = 32;
  localparam int MaxMessages = 4096;
  localparam logic [15:0] Node = 16'h0003, Dims = 16'h0007;

  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;
  int cycle = 0;
  always @(posedge clk) cycle <= cycle + 1;

  // ------------------------------------------------------------------ the blocks
  logic        mm_valid = 0, mm_we = 0, tx_mm_ready, op_mm_ready, tx_mm_rvalid, op_mm_rvalid;
  logic [15:0] mm_addr = 0;
  logic [31:0] mm_wdata = 0, tx_mm_rdata, op_mm_rdata;
  logic        sl_req, sl_gnt, sl_rvalid = 0, slot_free_valid;
  logic        copy = 0, hint_valid = 0, hint_next = 0, hint_reply = 0, ck_ahead, ck_adopted,
      ck_remote, ck_offset;
  logic [5:0]  hint_slot = 0;
  logic [5:0]  sl_slot, slot_free_slot;
  logic [3:0]  sl_word;
  logic [DataW-1:0] sl_data = 0;
  logic [15:0] sl_queue = 0;
  logic [7:0]  sl_fn = 0;
  logic        ck_valid, ck_ready, ck_done = 0;
  logic [31:0] ck_key, ck_bytes;
  logic [63:0] ck_addr, ck_haddr = 0;
  logic [7:0]  ck_fn, ck_status = 0, ck_owner = 0;
  logic        hrq_valid, hrq_ready = 0, hrd_valid = 0, hrd_last = 0, hrd_err = 0;
  logic [7:0]  hrq_fn;
  logic [63:0] hrq_addr;
  logic [8:0]  hrq_bytes;
  logic [2:0]  hrq_tag;
  logic [3:0]  hrd_tag = 0;
  logic [DataW-1:0] hrd_data = 0;
  logic        txo_sent, txo_end, txo_ack, txo_notify;
  logic [7:0]  txo_op, txo_status, txo_gen;
  logic        tx_valid, tx_ready = 0, tx_sop, tx_eop, tx_self, tx_again = 0;
  logic [1:0]  tx_vn;
  logic [DataW-1:0] tx_data;
  logic        rxo_ack = 0;
  logic [7:0]  rxo_op = 0, rxo_gen = 0, rxo_status = 0;
  logic        rxo_word = 0, rxo_final = 0, rxo_take, rxo_drop;
  logic [5:0]  rxo_slot;
  logic        ev_valid, ev_ready = 0, op_done, stale, st_pkt, st_fault;
  logic [5:0]  ev_slot, op_free_slot;
  logic [7:0]  ev_status;
  logic        op_free, tr_cmd;
  logic [15:0] tr_cmd_id;
  logic [15:0] op_done_id;
  logic [10:0] st_bytes;

  tern_tx #(.DataW(DataW), .MaxPayload(MaxPayload)) u_tx (
    .clk_i(clk), .rst_ni(rst_n), .node_i(Node), .dims_i(Dims), .life_i(2'd2),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(tx_mm_ready), .mm_rvalid_o(tx_mm_rvalid), .mm_rdata_o(tx_mm_rdata),
    .sl_req_o(sl_req), .sl_slot_o(sl_slot), .sl_word_o(sl_word), .sl_gnt_i(sl_gnt),
    .sl_rvalid_i(sl_rvalid),
    .sl_data_i(sl_data), .sl_queue_i(sl_queue), .sl_fn_i(sl_fn),
    .slot_free_valid_o(slot_free_valid), .slot_free_slot_o(slot_free_slot),
    .hint_valid_i(hint_valid), .hint_slot_i(hint_slot), .hint_next_i(hint_next),
    .copy_i(copy), .hint_reply_i(hint_reply), .ck_remote_o(ck_remote), .ck_offset_o(ck_offset),
    .ck_ahead_o(ck_ahead), .ck_adopted_o(ck_adopted),
    .ck_valid_o(ck_valid), .ck_ready_i(ck_ready), .ck_key_o(ck_key), .ck_addr_o(ck_addr),
    .ck_bytes_o(ck_bytes), .ck_fn_o(ck_fn), .ck_done_i(ck_done), .ck_status_i(ck_status),
    .ck_haddr_i(ck_haddr), .ck_fn_i(ck_owner),
    .tx_hrq_valid_o(hrq_valid), .tx_hrq_ready_i(hrq_ready), .tx_hrq_fn_o(hrq_fn),
    .tx_hrq_addr_o(hrq_addr), .tx_hrq_bytes_o(hrq_bytes), .tx_hrq_tag_o(hrq_tag),
    .hrd_valid_i(hrd_valid), .hrd_tag_i(hrd_tag), .hrd_data_i(hrd_data), .hrd_last_i(hrd_last),
    .hrd_err_i(hrd_err),
    .txo_sent_o(txo_sent), .txo_end_o(txo_end), .txo_op_o(txo_op),
    .txo_ack_o(txo_ack), .txo_notify_o(txo_notify), .txo_status_o(txo_status), .txo_gen_i(txo_gen),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_more_i(tx_ready), .tx_sop_o(tx_sop),
    .tx_eop_o(tx_eop),
    .tx_vn_o(tx_vn), .tx_self_o(tx_self), .tx_data_o(tx_data), .tx_again_i(tx_again),
    .tr_tx_cmd_o(tr_cmd), .tr_tx_cmd_id_o(tr_cmd_id), .tr_tx_sop_o(), .tr_tx_sop_id_o(),
    .tr_rd_last_o(),
    .tr_rd_last_tag_o(), .st_tx_pkt_o(st_pkt), .st_tx_bytes_o(st_bytes), .st_hrd_fault_o(st_fault)
  );
  tern_optab #(.NumOps(NumOps)) u_optab (
    .clk_i(clk), .rst_ni(rst_n),
    .txo_sent_i(txo_sent), .txo_end_i(txo_end), .txo_op_i(txo_op),
    .txo_ack_i(txo_ack), .txo_notify_i(txo_notify), .txo_status_i(txo_status), .txo_gen_o(txo_gen),
    .rxo_ack_i(rxo_ack), .rxo_op_i(rxo_op), .rxo_gen_i(rxo_gen), .rxo_status_i(rxo_status),
    .rxo_free_o(), .rxo_final_i(rxo_final), .rxo_word_i(rxo_word), .rxo_take_o(rxo_take),
    .rxo_drop_o(rxo_drop), .rxo_slot_o(rxo_slot),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(op_mm_ready), .mm_rvalid_o(op_mm_rvalid), .mm_rdata_o(op_mm_rdata),
    .cmd_i(tr_cmd), .cmd_slot_i(tr_cmd_id[5:0]),
    .slot_free_valid_o(op_free), .slot_free_slot_o(op_free_slot),
    .ev_op_valid_o(ev_valid), .ev_op_ready_i(ev_ready), .ev_op_slot_o(ev_slot),
    .ev_op_status_o(ev_status),
    .tr_op_done_o(op_done), .tr_op_done_id_o(op_done_id), .st_stale_ack_o(stale)
  );

  // The bench acts just after the clock edge, to avoid races with the blocks.
  task automatic tick();
    @(posedge clk);
    #1;
  endtask

  task automatic mm(input bit we, input logic [15:0] addr, input logic [31:0] data,
                    output logic [31:0] answer);
    mm_valid = 1; mm_we = we; mm_addr = addr; mm_wdata = data;
    do @(posedge clk); while (!(tx_mm_ready || op_mm_ready));
    #1;
    mm_valid = 0; mm_addr = 16'hfffc;
    do @(posedge clk); while (!(tx_mm_rvalid || op_mm_rvalid));
    answer = tx_mm_rdata | op_mm_rdata;
    #1;
  endtask

  // --------------------------------------- messages and their expected results
  bit           fast = 0;                   // the throughput run: host and network at full speed
  logic [511:0] slot_desc [64];
  logic [15:0]  slot_queue [64];
  logic [7:0]   slot_fn [64];
  bit           slot_busy [64];
  logic [511:0] m_desc [MaxMessages];
  logic [31:0]  m_cmd [MaxMessages];
  logic [15:0]  m_queue [MaxMessages];
  logic [7:0]   m_gen [MaxMessages], m_tx_status [MaxMessages], m_nak [MaxMessages];
  int           m_packets [MaxMessages], m_bytes [MaxMessages];
  int           m_answers [MaxMessages], m_came [MaxMessages];   // expected; received so far
  bit           m_done [MaxMessages], m_lossy [MaxMessages], m_killed [MaxMessages],
      m_lost [MaxMessages];
  int           m_age [MaxMessages];
  int           op_message [256];
  logic [7:0]   op_gen [256];
  int           m_seen [MaxMessages];       // packets sent
  int           id_message [65536];         // by operation id
  int           issued = 0, open = 0, last_m = -1, mixed = 0;

  // A region is for its owner or for packets. For replies the address may count from the region's
  // start, and the host memory is that of the region's owner.
  localparam logic [63:0] Start = 64'h7000;
  function automatic bit is_reply(input logic [31:0] cmd);
    return cmd[tern_abi_pkg::TXC_TYPE_LSB +: 8] == tern_abi_pkg::PTYPE_REPLY;
  endfunction
  function automatic logic [7:0] region_says(input logic [31:0] key, input bit remote);
    return key[8] == remote ? key[7:0] : tern_abi_pkg::ST_BAD_RIGHTS;
  endfunction
  function automatic logic [63:0] payload_at(input int m);
    return m_desc[m][319:256] + (is_reply(m_cmd[m]) && m_desc[m][8+3] ? Start : '0);
  endfunction

  // As long as a packet: the next packet of the message may be there, and must not leave.
  function automatic bit place_fails(input logic [63:0] a);
    return a[40] && a[12:9] == 4'd5;
  endfunction

  function automatic bit outside(input logic [15:0] node);
    return node[15] || node[4:0] > Dims[4:0] || node[9:5] > Dims[9:5] || node[14:10] > Dims[14:10];
  endfunction

  function automatic logic [7:0] tx_status(input logic [511:0] d, input bit inl, input bit msg,
                                           input bit deposit, input bit reply);
    if (inl ? d[25:20] > 32 : d[127:96] > 32'd16777216) return tern_abi_pkg::ST_BAD_LENGTH;
    if (!msg && (inl ? d[25:20] == 0 : d[127:96] == 0)) return tern_abi_pkg::ST_BAD_LENGTH;
    if (outside(d[79:64]) || (deposit && outside(d[63:48]))) return tern_abi_pkg::ST_BAD_NODE;
    if (!inl && d[127:96] != 0) return region_says(d[351:320], reply);
    return tern_abi_pkg::ST_OK;
  endfunction

  // Computes how many packets a message sends, given the places that fail.
  task automatic plan(input int m);
    int bytes;
    bit inl;
    inl = m_cmd[m][tern_abi_pkg::TXC_INL_LSB];
    m_tx_status[m] = tx_status(m_desc[m], inl, m_cmd[m][tern_abi_pkg::TXC_MSG_LSB],
                               m_cmd[m][tern_abi_pkg::TXC_DEPOSIT_LSB], is_reply(m_cmd[m]));
    bytes = inl ? int'(m_desc[m][25:20]) : int'(m_desc[m][127:96]);
    m_bytes[m] = bytes;
    m_packets[m] = 0;
    if (m_tx_status[m] == 0) begin
      for (int off = 0; m_tx_status[m] == 0 && (off < bytes || off == 0); off += MaxPayload) begin
        bit fails;
        fails = 0;
        if (!inl) for (int i = off; i < bytes && i < off + MaxPayload; i++)
          if (place_fails(payload_at(m) + 64'(i))) fails = 1;
        if (fails) m_tx_status[m] = tern_abi_pkg::ST_HOST_FAULT;
        else m_packets[m]++;
      end
    end
    if (!m_cmd[m][30]) m_answers[m] = m_cmd[m][26] || is_reply(m_cmd[m]) ? 0 : m_packets[m];
  endtask

  task automatic make_desc(output logic [511:0] d, output bit inl, input bit reply);
    int kind;
    for (int i = 0; i < 16; i++) d[32*i +: 32] = tap_pkg::rnd();
    inl = tap_pkg::one_in(3);
    d[25:20] = 6'(tap_pkg::below(33));
    d[79:64] = 16'(tap_pkg::below(8));
    if (!tap_pkg::one_in(8)) d[63:48] = 16'(tap_pkg::below(8));   // a low corner
    kind = tap_pkg::below(8);
    d[127:96] = kind == 0 ? 0 : kind < 4 ? tap_pkg::below(64) : kind < 7 ? tap_pkg::below(1600)
        : tap_pkg::below(9000);
    d[319:296] = 0;
    if (tap_pkg::one_in(12)) d[296] = 1;         // bit 40: some places fail
    d[295:288] = 0;
    d[327:320] = 0;
    d[328] = reply ^ tap_pkg::one_in(40);        // the region is for packets
    case (tap_pkg::below(40))
      0: d[327:320] = tern_abi_pkg::ST_BAD_KEY;
      1: d[327:320] = tern_abi_pkg::ST_NOT_OWNER;
      2: d[79:64] = 16'h0008;                    // x beyond the torus
      3: d[79:64] = 16'h0020;                    // y beyond
      4: d[79:64] = 16'h8001;                    // a reserved bit
      5: d[25:20] = 6'd33;
      6: if (!inl) d[127:96] = 32'd16777217;
      default: ;
    endcase
    if (inl) begin
      for (int i = 8; i < 16; i++) d[32*i +: 32] = tap_pkg::rnd();
    end
  endtask

  // ------------------------------------------------------------------ slots
  // No command is accepted while words for a slot are being written, since it may be for that slot.
  always @(posedge clk) begin
    copy <= !fast && tap_pkg::one_in(4);
    if (rst_n && tr_cmd) tap_pkg::expect_true(!copy,
                                              "a command was taken while its slot may be filled");
  end

  assign sl_gnt = sl_req && (fast || sl_hold == 0);
  int sl_hold = 0;
  always @(posedge clk) begin
    sl_hold <= sl_hold > 0 ? sl_hold - 1 : int'(tap_pkg::below(3));
    sl_rvalid <= sl_req && sl_gnt;
    if (sl_req && sl_gnt) begin
      tap_pkg::expect_true(DataW == 32 || !sl_word[0], "a pair of words begins at an odd one");
      sl_data  <= DataW'(slot_desc[sl_slot] >> (32 * sl_word));
      sl_queue <= slot_queue[sl_slot];
      sl_fn    <= slot_fn[sl_slot];
    end
    // A successful operation frees its slot without an event.
    if (op_free) begin
      tap_pkg::expect_true(slot_busy[op_free_slot], "a free slot was freed");
      slot_busy[op_free_slot] = 0;
      if (op_message[op_free_slot] >= 0) begin
        tap_pkg::expect_true(!m_cmd[op_message[op_free_slot]][24] &&
                             explained(op_message[op_free_slot], 0),
                             $sformatf("message %0d went without a word",
                                       op_message[op_free_slot]));
        m_done[op_message[op_free_slot]] = 1;
        op_message[op_free_slot] = -1;
        ended++;
        open--;
      end
    end
    if (slot_free_valid) begin
      tap_pkg::expect_true(slot_busy[slot_free_slot], "a free slot was freed");
      slot_busy[slot_free_slot] = 0;
    end
  end

  // -------------------------- key check: the low byte of the key is the answer
  int ck_wait = -1;
  assign ck_ready = ck_wait < 0;
  always @(posedge clk) begin
    ck_done <= 0;
    if (ck_valid && ck_ready) begin
      ck_wait   <= fast ? 3 : int'(tap_pkg::below(8));
      ck_status <= revoked ? 8'(tern_abi_pkg::ST_BAD_KEY) : region_says(ck_key, ck_remote);
      ck_haddr  <= region_says(ck_key, ck_remote) == 0 ? ck_addr + (ck_offset ? Start : '0)
          : 64'hdead;
      ck_owner  <= ck_remote ? ck_key[23:16] : ck_fn;
      tap_pkg::expect_true(ck_bytes != 0 && ck_bytes <= 32'd16777216, "key check of an odd size");
    end else if (ck_wait > 0) ck_wait <= ck_wait - 1;
    else if (ck_wait == 0) begin
      ck_wait <= -1;
      ck_done <= 1;
    end
  end

  // ------------------------------------------------------------------ host memory
  logic [63:0] t_addr [8];
  int          t_bytes [8], t_due [8], t_beat = 0, t_now = -1, t_beats = 0;
  bit          t_open [8], t_err = 0, t_short = 0;
  always @(posedge clk) begin
    hrd_valid <= 0;
    hrd_last  <= 0;
    hrd_err   <= 0;
    hrq_ready <= fast || !tap_pkg::one_in(3);
    if (hrq_valid && hrq_ready) begin
      tap_pkg::expect_true(!t_open[hrq_tag], "a tag was used twice");
      tap_pkg::expect_true(hrq_fn == (!u_tx.u_front.begun_q ? ck_owner : u_tx.u_front.reply_q ?
                           slot_desc[u_tx.front_slot][343:336] : slot_fn[u_tx.front_slot]),
                           "host memory of another function");
      tap_pkg::expect_true(hrq_bytes >= 1 && hrq_bytes <= 256, "a read of an odd size");
      tap_pkg::expect_true(hrq_addr[11:0] + 13'(hrq_bytes) <= 4096, "a read crosses a page");
      t_open[hrq_tag]  = 1;
      t_addr[hrq_tag]  = hrq_addr;
      t_bytes[hrq_tag] = int'(hrq_bytes);
      t_due[hrq_tag]   = cycle + (fast ? 60 : 5 + int'(tap_pkg::below(80)));
    end
    if (t_now < 0) begin
      int start;
      start = fast ? -1 : int'(tap_pkg::below(8));
      for (int i = 0; i < 8; i++) begin
        int t;
        t = fast ? i : (start + i) % 8;
        if (t_open[t] && t_due[t] <= cycle && (t_now < 0 || (fast && t_due[t] < t_due[t_now])))
            t_now = t;
      end
      if (t_now >= 0) begin
        t_beat  = 0;
        t_err   = place_fails(t_addr[t_now]) ||
                  place_fails(t_addr[t_now] + 64'(t_bytes[t_now]) - 64'd1);
        t_short = t_err && tap_pkg::one_in(2);     // an error may be one beat only
        t_beats = (int'(t_addr[t_now][2:0]) % Lanes + t_bytes[t_now] + Lanes - 1) / Lanes;
      end
    end
    if (t_now >= 0 && (fast || !tap_pkg::one_in(4))) begin
      hrd_valid <= 1;
      hrd_tag   <= 4'(t_now);
      hrd_last  <= t_beat == t_beats - 1 || t_short;
      hrd_err   <= t_err && (t_short || t_beat == t_beats - 1 || tap_pkg::one_in(2));
      for (int j = 0; j < Lanes; j++)
        hrd_data[8*j +: 8] <=
            tap_pkg::host_byte((t_addr[t_now] & ~64'(Lanes-1)) + 64'(t_beat*Lanes + j));
      t_beat++;
      if (t_beat == t_beats || t_short) begin
        t_open[t_now] = 0;
        t_now = -1;
      end
    end else if (!fast && tap_pkg::one_in(4)) begin
      // Data of other requesters must have no effect.
      if (t_now < 0) begin
        hrd_valid <= 1;
        hrd_tag   <= 4'd9;
        hrd_last  <= 1;
        hrd_err   <= tap_pkg::one_in(2);
      end
    end
  end

  // ------------------------------------------------------------------ packets
  logic [7:0]  pkt [1024];
  int          got = 0, packets_seen = 0, replies = 0, first_beat = 0, last_beat = 0, run_beats = 0,
      run_first = 0;
  logic [7:0]  ack_op [$], ack_gen [$], ack_status [$];
  bit          ack_final [$];
  int          ack_due [$], ack_m [$];

  task automatic check_packet();
    int m, off, n, padded, packet_no;
    logic [511:0] d;
    logic [31:0] cmd, crc, want32;
    logic [63:0] addr;
    logic [7:0] flags, b;
    m = -1;
    if (pkt[8] == tern_abi_pkg::PTYPE_REPLY) begin
      for (int i = issued - 1; m < 0 && i >= 0 && i >= issued - 1000; i--)
        if (is_reply(m_cmd[i]) && m_seen[i] < m_packets[i] && m_desc[i][255:224] == {pkt[31],
            pkt[30], pkt[29], pkt[28]}) m = i;
    end else m = id_message[{pkt[29], pkt[28] ^ 8'h80}];
    tap_pkg::expect_true(m >= 0 && m_seen[m] < m_packets[m], "a packet nobody asked for");
    if (m < 0 || m_seen[m] >= m_packets[m]) return;
    d = m_desc[m]; cmd = m_cmd[m];
    packet_no = m_seen[m];
    // After all earlier messages of its queue.
    if (packet_no == 0 && play == 0 && !is_reply(cmd))
      for (int i = 0; i < m; i++)
        if (m_seen[i] < m_packets[i] && !is_reply(m_cmd[i]) &&
            m_queue[i][8:0] == m_queue[m][8:0]) begin
          tap_pkg::expect_true(0, $sformatf("message %0d overtook message %0d of its queue", m, i));
          break;
        end
    if (last_m >= 0 && last_m != m && m_seen[last_m] < m_packets[last_m]) mixed++;
    last_m = m;
    off = packet_no * MaxPayload;
    n = m_bytes[m] - off > MaxPayload ? MaxPayload : m_bytes[m] - off;
    padded = (n + 7) / 8 * 8;
    flags = 0;
    if (off + n == m_bytes[m]) flags |= 8'(tern_abi_pkg::PFLAG_LAST);
    if (!cmd[26] && (!cmd[30] || flags != 0)) flags |= 8'(tern_abi_pkg::PFLAG_ACK_REQ);
    if (cmd[30]) flags |= 8'(tern_abi_pkg::PFLAG_DEPOSIT);
    if (d[8+5] && !is_reply(cmd)) flags |= 8'(tern_abi_pkg::PFLAG_OFFSET);
    if (d[8+7] && !is_reply(cmd)) flags |= 8'(tern_abi_pkg::PFLAG_IMM);
    if (d[8+4] && !is_reply(cmd)) flags |= 8'(tern_abi_pkg::PFLAG_SOLICITED);
    addr = cmd[27] ? {m_queue[m], d[63:48], d[255:224]} : d[191:128] + 64'(off);
    tap_pkg::expect_true(got == 32 + padded + 8,
                         $sformatf("message %0d: packet of %0d bytes, wanted %0d", m, got,
                                   40 + padded));
    want32 = {6'd0, 8'(5 + padded / 8), cmd[29:28], cmd[30], d[78:64]};
    tap_pkg::expect_true({pkt[3], pkt[2], pkt[1], pkt[0]} == want32,
                         $sformatf("message %0d: word 0 %02x%02x%02x%02x wanted %08x", m, pkt[3],
                                   pkt[2], pkt[1], pkt[0], want32));
    tap_pkg::expect_true({pkt[7], pkt[6], pkt[5], pkt[4]} == (cmd[30] ? 32'(d[62:48]) : 0),
                         "word 1");
    tap_pkg::expect_true(pkt_self == (cmd[30] && cmd[31]), "a copy for this node");
    tap_pkg::expect_true({pkt[11], pkt[10], pkt[9], pkt[8]} == {8'd1,
        cmd[30] || is_reply(cmd) ? 8'd0 : d[87:80], flags, cmd[23:16]}, "word 2");
    tap_pkg::expect_true({pkt[13], pkt[12]} == Node && {pkt[15], pkt[14]} == 16'(n),
                         "source or length");
    tap_pkg::expect_true({pkt[29], pkt[28]} == (is_reply(cmd) ? d[239:224] : {m_gen[m], 2'd2,
        cmd[5:0]}), "operation id");
    replies += int'(is_reply(cmd));
    tap_pkg::expect_true({pkt[31], pkt[30]} ==
                         (cmd[30] && !cmd[26] ? 16'(packet_no) :
                          is_reply(cmd) ? d[255:240] : 16'(tern_abi_pkg::PKT_UNNUMBERED)),
                         "number");
    tap_pkg::expect_true({pkt[27], pkt[26], pkt[25], pkt[24]} == d[223:192], "key");
    tap_pkg::expect_true({pkt[23], pkt[22], pkt[21], pkt[20],
                          pkt[19], pkt[18], pkt[17], pkt[16]} == addr, "address");
    for (int i = 0; i < padded; i++) begin
      if (i >= n) b = 0;
      else if (cmd[25]) b = d[256 + 8*i +: 8];
      else b = tap_pkg::host_byte(payload_at(m) + 64'(off + i));
      if (pkt[32+i] != b) begin
        tap_pkg::expect_true(0,
                             $sformatf("message %0d packet %0d byte %0d of %0d: %02x wanted %02x",
                                       m, packet_no, i, n, pkt[32+i], b));
        break;
      end
    end
    crc = '1;
    for (int i = 0; i < 32 + padded; i++)
      crc = tap_pkg::crc_byte(crc, (i >= 2 || cmd[30]) && i < 8 ? 8'h00 : pkt[i]);
    crc = ~crc;
    tap_pkg::expect_true({pkt[35+padded], pkt[34+padded], pkt[33+padded], pkt[32+padded]} == crc,
                         "CRC");
    // Answers to the first copy may arrive while others are still being sent.
    if (auto_acks && !cmd[26] && !is_reply(cmd) && play == 0) begin
      if (!cmd[30])
          answer(m, tap_pkg::one_in(50) ? tern_abi_pkg::ST_BAD_RANGE : tern_abi_pkg::ST_OK);
      else if (off + n == m_bytes[m])
        for (int i = 0; i < m_answers[m]; i++)
          answer(m, tap_pkg::one_in(100) ? tern_abi_pkg::ST_BAD_RANGE : tern_abi_pkg::ST_OK);
      else if (m_answers[m] > 0 && tap_pkg::one_in(80)) answer(m, tern_abi_pkg::ST_BAD_RIGHTS);
    end
    if (tx_again) begin
      play++;
      tap_pkg::expect_true(cmd[30], "a copy of a packet for one node");
      return;
    end
    m_seen[m]++;
    packets_seen++;
    bytes_seen += n;
    play = 0;
  endtask

  task automatic answer(input int m, input logic [7:0] status, input bit final_one = 0);
    if (m_lossy[m] && tap_pkg::one_in(2)) m_lost[m] = 1;
    else begin
      ack_m.push_back(m);
      ack_op.push_back(8'(m_cmd[m][5:0]));
      ack_gen.push_back(m_gen[m]);
      if (status != 0 && m_nak[m] == 0) m_nak[m] = status;
      ack_status.push_back(status);
      ack_final.push_back(final_one);
      ack_due.push_back(cycle + (play_gap ? 0 : int'(tap_pkg::below(200))));
      if (tap_pkg::one_in(8)) play_gap = !play_gap;
    end
  endtask

  // The router sends a broadcast to some more outputs. Its signal is valid from the cycle after the
  // second beat to the last.
  int  copies = 0, more_copies = 0;          // > 0: number of copies of every packet
  bit  play_gap = 0, in_packet = 0, in_packet_d, again_d = 0, pkt_self = 0, auto_acks = 1;
  int  play = 0, bytes_seen = 0, c_packets = 0, c_bytes = 0;
  always @(posedge clk) begin
    if (st_pkt) begin c_packets++; c_bytes += int'(st_bytes); end
    in_packet_d = in_packet;
    if (rst_n && tx_valid && tx_ready && tx_sop) begin
      if (play == 0) more_copies = copies > 0 ? copies - 1 : tap_pkg::one_in(3)
          ? int'(tap_pkg::below(6)) : 0;
      else more_copies--;
      again_d = tx_data[tern_abi_pkg::PKT_DEPOSIT_LSB] && more_copies > 0;
    end
    if (rst_n && tx_valid && tx_ready && !tx_sop) in_packet_d = !tx_eop;
    in_packet <= in_packet_d;
    tx_again <= in_packet_d ? again_d : tap_pkg::one_in(2);
  end

  always @(posedge clk) begin
    tx_ready <= fast || !tap_pkg::one_in(4);
    if (rst_n && tx_valid && tx_ready) begin
      tap_pkg::expect_true(tx_sop == (got == 0), "first beat");
      if (tx_sop) begin
        if (run_beats == 0) run_first = cycle;
        first_beat = cycle;
        pkt_self = tx_self;
      end
      if (tx_eop) last_beat = cycle;
      run_beats++;
      for (int j = 0; j < Lanes; j++) pkt[got + j] = tx_data[8*j +: 8];
      got += Lanes;
      if (tx_eop) begin
        check_packet();
        got = 0;
      end
    end
  end

  // ------------------------------------------------------------------ words that acks carry
  // Expected from the ack that ends an operation with an event; each is checked before the next.
  bit word_due = 0;
  int words_taken = 0, words_dropped = 0;
  task automatic word_verdict();
    bit last;
    if (!rst_n) return;
    last = op_done && op_message[op_done_id[7:0]] >= 0 &&
           m_cmd[op_message[op_done_id[7:0]]][tern_abi_pkg::TXC_NOTIFY_LSB];
    tap_pkg::expect_true(!(rxo_take && rxo_drop) && (word_due || !(rxo_take || rxo_drop)),
                         "a verdict on no word");
    if (rxo_take) tap_pkg::expect_true(last && !stale && 16'(rxo_slot) == op_done_id,
                                       "a word is taken that nobody wants");
    if (rxo_drop) tap_pkg::expect_true(!last || stale, "a word that was wanted is dropped");
    words_taken   += 32'(rxo_take);
    words_dropped += 32'(rxo_drop);
    if (rxo_take || rxo_drop) word_due = 0;
    tap_pkg::expect_true(!(rxo_ack && word_due), "a word without a verdict");
    if (rxo_ack && rxo_word) word_due = 1;
  endtask

  // ------------------------------------------------------------------ acks return, with gaps
  int ack_gap = 0, stale_sent = 0, stale_seen = 0, fault_seen = 0, ghost = 0;
  bit quiet = 0;
  always @(posedge clk) begin
    rxo_ack  <= 0;
    rxo_word <= tap_pkg::one_in(2);
    rxo_final <= tap_pkg::one_in(2);
    ack_gap <= ack_gap > 0 ? ack_gap - 1 : 0;
    if (ack_gap == 0 && ack_due.size() > 0 && ack_due[0] <= cycle) begin
      rxo_ack    <= 1;
      rxo_op     <= ack_op[0];
      rxo_gen    <= ack_gen[0];
      rxo_status <= ack_status[0];
      rxo_final  <= ack_final[0];
      if (ack_m[0] >= 0 && ack_final[0]) m_came[ack_m[0]] = m_answers[ack_m[0]];
      void'(ack_final.pop_front());
      void'(ack_op.pop_front());
      void'(ack_gen.pop_front());
      void'(ack_status.pop_front());
      if (ack_m[0] >= 0) m_came[ack_m[0]]++;
      void'(ack_m.pop_front());
      void'(ack_due.pop_front());
      ack_gap    <= 4 + int'(tap_pkg::below(4));
    end else if (ack_gap == 0 && tap_pkg::one_in(60) && !fast && !quiet && rst_n) begin
      // A late answer to a much earlier operation.
      ghost = int'(tap_pkg::below(20));
      rxo_ack    <= 1;
      rxo_op     <= 8'(ghost);
      rxo_gen    <= op_gen[ghost] + 8'd100;
      rxo_status <= 8'(tap_pkg::below(3));
      ack_gap    <= 4;
      stale_sent++;
    end
    if (stale) stale_seen++;
    word_verdict();
    if (st_fault) fault_seen++;
  end

  // ------------------------------------------------------------------ the firmware
  int op_of_kill = 0, ended = 0, wrong_free = 0;
  logic [31:0] r;

  function automatic bit explained(input int m, input logic [7:0] status);
    if (status == 0) return m_tx_status[m] == 0 && m_nak[m] == 0 && !m_killed[m] &&
        m_came[m] >= m_answers[m];
    return status == m_tx_status[m] || status == m_nak[m] ||
        (m_killed[m] && status == tern_abi_pkg::ST_TIMEOUT);
  endfunction

  task automatic take_event();
    int m;
    logic [31:0] unused;
    logic [5:0]  slot;
    logic [7:0]  status;
    ev_ready = 1;
    @(posedge clk);
    slot = ev_slot;
    status = ev_status;
    #1;
    ev_ready = 0;
    m = op_message[slot];
    tap_pkg::expect_true(m >= 0 && !m_done[m], "an operation ended twice");
    if (m >= 0) begin
      tap_pkg::expect_true(explained(m, status),
                           $sformatf(
                               "message %0d ended with %0d: transmit %0d, nak %0d, killed %0d", m,
                                   status, m_tx_status[m], m_nak[m], m_killed[m]));
      m_done[m] = 1;
      ended++;
    end
    op_message[slot] = -1;
    mm(1, tern_abi_pkg::MMIO_SLOT_FREE, 32'(slot), unused);
    open--;
  endtask

  // ------------------------------------------------ descriptors come before their commands
  // The block may send read-ahead data only if the command would read the same data. The bench
  // writes a descriptor and a hint to a slot; before the command it writes another descriptor, or
  // changes something else.
  int ahead_used = 0, ahead_replies = 0, ahead_dropped = 0;
  bit revoked = 0;                          // the key model refuses all requests
  always @(posedge clk) begin
    if (rst_n && u_tx.u_front.named) ahead_used++;
    if (rst_n && u_tx.u_front.named && u_tx.u_front.reply_q) ahead_replies++;
    if (rst_n && u_tx.u_front.drop_o) ahead_dropped++;
  end

  task automatic hint(input int slot, input bit next, input bit reply = 0);
    hint_valid = 1; hint_reply = reply; hint_slot = 6'(slot); hint_next = next;
    tick();
    hint_valid = 0;
  endtask

  // A register write to another block.
  task automatic write_elsewhere(input logic [15:0] addr);
    mm_valid = 1; mm_we = 1; mm_addr = addr; mm_wdata = 32'(tap_pkg::rnd());
    tick();
    mm_valid = 0; mm_addr = 16'hfffc;
  endtask

  // Makes a descriptor, in most cases one suited to read-ahead.
  task automatic make_ahead(output logic [511:0] d, output bit inl, input bit reply);
    make_desc(d, inl, reply);
    if (tap_pkg::one_in(4)) return;
    inl = 0;
    if (!reply) d[15:8] = d[15:8] & 8'hf5;   // neither inline nor fenced
    d[127:96] = 1 + tap_pkg::below(300);
  endtask

  task automatic come_before(input int slot, output bit inl, input bit reply);
    int other;
    bit unused, odd;
    make_ahead(slot_desc[slot], inl, reply);
    // The block reads ahead only while it has nothing to send.
    if (!tap_pkg::one_in(4))
      for (int i = 0; i < 3000 && (!u_tx.quiet || u_tx.cmd_valid || u_tx.u_front.ring_valid); i++)
        tick();
    repeat (4) tick();
    // The hint names the other kind, with a region for that kind: it is read ahead, and must not be
    // used.
    odd = tap_pkg::one_in(10);
    if (odd) slot_desc[slot][328] = !reply;
    hint(slot, !tap_pkg::one_in(8), reply ^ odd);
    repeat (tap_pkg::below(4) == 0 ? 0 : tap_pkg::below(160)) tick();
    case (tap_pkg::below(6))
      0: begin                               // the slot was freed and has a new descriptor
        make_ahead(slot_desc[slot], inl, reply);
        hint(slot, !tap_pkg::one_in(3), reply);
        if (tap_pkg::one_in(2)) repeat (tap_pkg::below(160)) tick();
      end
      1: begin                               // the firmware wrote to the slot
        make_ahead(slot_desc[slot], inl, reply);
        write_elsewhere(tern_abi_pkg::MMIO_SLOT + 16'(slot) * 16'(tern_abi_pkg::MMIO_SLOT_STRIDE) +
                        16'(4 * tap_pkg::below(16)));
        if (tap_pkg::one_in(2)) repeat (tap_pkg::below(20)) tick();
      end
      2: begin                               // another descriptor arrives
        other = int'(tap_pkg::below(32));
        if (!slot_busy[other] && other != slot) begin
          make_ahead(slot_desc[other], unused, 0);
          hint(other, 1);
        end
      end
      default: ;
    endcase
  endtask

  task automatic send_one();
    int slot, m;
    bit inl, reply;
    logic [31:0] c, a;
    slot = int'(tap_pkg::below(32));
    if (slot_busy[slot]) begin tick(); return; end
    op_gen[slot] = op_gen[slot] + 1;
    m = issued;
    slot_queue[slot] = {7'(tap_pkg::rnd()), 9'(tap_pkg::below(24) * 21)};
    slot_fn[slot] = 8'(tap_pkg::rnd());
    reply = tap_pkg::one_in(4);
    if (tap_pkg::one_in(2)) come_before(slot, inl, reply);
    else make_desc(slot_desc[slot], inl, reply);
    c = '0;
    c[5:0] = 6'(slot); c[15:6] = 10'(tap_pkg::rnd()); c[23:16] = 8'(tap_pkg::rnd());
    c[24] = tap_pkg::one_in(2); c[25] = inl; c[26] = tap_pkg::one_in(2); c[27] = tap_pkg::one_in(5);
    c[29:28] = 2'(tap_pkg::below(2));
    c[30] = tap_pkg::one_in(3); c[31] = tap_pkg::one_in(2);
    if (reply) {c[30], c[27], c[23:16]} = {2'b00, tern_abi_pkg::PTYPE_REPLY};
    else if (is_reply(c)) c[23] = 1;
    if (c[30]) c[27] = 0;
    m_desc[m] = slot_desc[slot]; m_queue[m] = slot_queue[slot]; m_cmd[m] = c;
    m_gen[m] = op_gen[slot];
    id_message[{op_gen[slot], 8'(slot)}] = m;
    m_done[m] = 0; m_lossy[m] = !c[26] && tap_pkg::one_in(10); m_age[m] = cycle;
    m_nak[m] = 0; m_killed[m] = 0; m_lost[m] = 0; m_came[m] = 0;
    m_answers[m] = !c[30] || c[26] ? 0 : tap_pkg::one_in(20) ? 100 : int'(tap_pkg::below(9));
    if (m_answers[m] != 0 || tap_pkg::one_in(8) && !c[26])
      mm(1, tern_abi_pkg::MMIO_OP_MEMBERS, {16'(m_answers[m]), 10'b0, 6'(slot)}, a);
    plan(m);
    op_message[slot] = m;
    open++;
    slot_busy[slot] = 1;
    issued++;
    mm(1, tern_abi_pkg::MMIO_TX_CMD, c, a);
  endtask

  task automatic kill_old();
    logic [31:0] unused;
    for (int op = 0; op < NumOps; op++) begin
      int m;
      m = op_message[op];
      // Only messages whose packets were all seen.
      if (m >= 0 && m_lost[m] && !m_killed[m] && cycle - m_age[m] > 3000 &&
          m_seen[m] >= m_packets[m]) begin
        m_killed[m] = 1;
        op_of_kill++;
        mm(1, tern_abi_pkg::MMIO_OP_KILL, {16'b0, tern_abi_pkg::ST_TIMEOUT, 8'(op)}, unused);
        // The lost ack arrives late.
        ack_op.push_back(8'(op)); ack_gen.push_back(m_gen[m]); ack_status.push_back(8'd0);
        ack_final.push_back(tap_pkg::one_in(2)); ack_due.push_back(cycle); ack_m.push_back(-1);
        stale_sent++;
      end
    end
  endtask

  // Measures 64 bytes by reference, all idle: cycles from TX_CMD to the first beat; -1 when it is
  // refused.
  task automatic put_after(input bit ahead, input bit release_region, output int lat);
    int t0;
    slot_desc[29] = slot_desc[30];
    slot_desc[29][127:96] = 64; slot_desc[29][319:256] = 64'h3008 + 64'(issued) * 64;
    slot_desc[29][328:320] = 0;
    m_desc[issued] = slot_desc[29]; m_cmd[issued] = 32'h1401001d; m_queue[issued] = slot_queue[29];
    op_gen[29] = op_gen[29] + 1; m_gen[issued] = op_gen[29];
    id_message[{op_gen[29], 8'd29}] = issued; slot_busy[29] = 1; m_done[issued] = 0;
    op_message[29] = issued;
    plan(issued);
    if (ahead) hint(29, 1);
    repeat (120) tick();
    if (release_region) begin
      revoked = 1;
      write_elsewhere(tern_abi_pkg::MMIO_RG_WORD + 16'd28);
      m_tx_status[issued] = tern_abi_pkg::ST_BAD_KEY;
      m_packets[issued] = 0;
    end
    issued++;
    first_beat = 0;
    mm_valid = 1; mm_we = 1; mm_addr = tern_abi_pkg::MMIO_TX_CMD; mm_wdata = m_cmd[issued - 1];
    tick();
    t0 = cycle;
    mm_valid = 0; mm_addr = 16'hfffc;
    repeat (200) tick();
    lat = first_beat != 0 ? first_beat - t0 : -1;
    if (ev_valid) take_event();
    revoked = 0;
  endtask

  // ------------------------------------------------------------------ broadcasts one by one
  // A script, so that the model contains each kind of step only once.
  localparam int Copies = 0;      // copies of every packet from now on
  localparam int Corners = 1;     // low, high: corners of later boxes
  localparam int Cast = 2;        // slot, bytes, kind, members; members < 0: no ack
  localparam int Wait = 3;        // cycles
  localparam int Answer = 4;      // how many, status, generations ago, whether it is the only one
  localparam int Busy = 5;        // slot, cycles: must not end within them
  localparam int Ends = 6;        // slot, status: must end so
  localparam int Mark = 7;        // start of counting for Stale, Ahead and Beats
  localparam int Stale = 8;       // late answers since
  localparam int Ahead = 9;       // puts read ahead since
  localparam int Kill = 10;       // slot
  localparam int Copy = 11;       // waits until so many copies of a packet have left
  localparam int Packets = 12;    // waits until this many packets have left
  localparam int Left = 13;       // packets of the last message
  localparam int Bits = 14;       // slot: its busy and sent bits
  localparam int Beats = 15;      // words of a packet, for all copies, without a gap
  localparam int Tap = 16;        // number of the test
  localparam int Inline = 1, Msg = 2, Hinted = 4, Unreadable = 8, Host = 0;

  localparam int Bad = int'(tern_abi_pkg::ST_BAD_RANGE), Wrong = int'(tern_abi_pkg::ST_BAD_RIGHTS);
  localparam int Late = int'(tern_abi_pkg::ST_TIMEOUT), Fault = int'(tern_abi_pkg::ST_HOST_FAULT);
  localparam int NoNode = int'(tern_abi_pkg::ST_BAD_NODE);

  localparam int Steps = 103;
  localparam int Script [Steps][5] = '{
    // with 0, 1, 2 and many members
    '{Cast, 28, 20, Inline, 0}, '{Ends, 28, 0, 0, 0},
    '{Mark, 0, 0, 0, 0}, '{Answer, 1, 0, 0, 0}, '{Stale, 1, 0, 0, 0},
    '{Copies, 2, 0, 0, 0}, '{Cast, 28, 20, Inline, 1}, '{Busy, 28, 400, 0, 0}, '{Bits, 28, 0, 0, 0},
    '{Answer, 1, 0, 0, 0}, '{Ends, 28, 0, 0, 0}, '{Answer, 1, 0, 0, 0}, '{Stale, 2, 0, 0, 0},
    '{Copies, 3, 0, 0, 0}, '{Cast, 28, 20, Inline, 2}, '{Busy, 28, 400, 0, 0},
    '{Answer, 1, 0, 0, 0},
    '{Busy, 28, 100, 0, 0}, '{Answer, 1, 0, 0, 0}, '{Ends, 28, 0, 0, 0},
    '{Copies, 5, 0, 0, 0}, '{Cast, 28, 1000, Host, 1023}, '{Wait, 600, 0, 0, 0},
    '{Answer, 1022, 0, 0, 0}, '{Busy, 28, 100, 0, 0}, '{Bits, 28, 0, 0, 0},
    '{Answer, 1, 0, 0, 0}, '{Ends, 28, 0, 0, 0}, '{Stale, 2, 0, 0, 0},
    // all answers may arrive before the last copy is sent
    '{Copies, 40, 0, 0, 0}, '{Cast, 28, 1, Inline, 3}, '{Copy, 2, 0, 0, 0}, '{Answer, 3, 0, 0, 0},
    '{Ends, 28, 0, 0, 0}, '{Stale, 2, 0, 0, 0},
    // without acks: ends when sent, and ignores refusals
    '{Copies, 1, 0, 0, 0}, '{Cast, 27, 700, Host, -1}, '{Ends, 27, 0, 0, 0},
    '{Cast, 27, 3000, Host, -1}, '{Packets, 2, 0, 0, 0}, '{Answer, 1, Bad, 0, 0},
    '{Ends, 27, 0, 0, 0},
    '{Stale, 3, 0, 0, 0}, '{Tap, 0, 0, 0, 0},
    // a refusal among the answers
    '{Cast, 26, 20, Inline, 4}, '{Wait, 200, 0, 0, 0}, '{Answer, 1, 0, 0, 0},
    '{Answer, 1, Wrong, 0, 0},
    '{Answer, 1, Bad, 0, 0}, '{Busy, 26, 100, 0, 0}, '{Answer, 1, 0, 0, 0},
    '{Ends, 26, Wrong, 0, 0},
    // more refusals than members, while packets are still being sent
    '{Cast, 26, 3000, Host, 2}, '{Packets, 2, 0, 0, 0}, '{Answer, 3, Bad, 0, 0},
    '{Ends, 26, Bad, 0, 0},
    '{Left, 6, 0, 0, 0}, '{Tap, 1, 0, 0, 0},
    // killed; late answers, also to the next message of the slot
    '{Cast, 25, 20, Inline, 9}, '{Wait, 200, 0, 0, 0}, '{Answer, 4, 0, 0, 0}, '{Mark, 0, 0, 0, 0},
    '{Kill, 25, 0, 0, 0}, '{Ends, 25, Late, 0, 0}, '{Answer, 2, 0, 0, 0},
    '{Cast, 25, 20, Inline, 2}, '{Wait, 200, 0, 0, 0}, '{Answer, 3, 0, 1, 0}, '{Stale, 5, 0, 0, 0},
    '{Busy, 25, 100, 0, 0}, '{Answer, 2, 0, 0, 0}, '{Ends, 25, 0, 0, 0}, '{Tap, 2, 0, 0, 0},
    // truncated: no member gets the last packet, so none answers, and the count is dropped
    '{Cast, 24, 2000, Unreadable, 5}, '{Ends, 24, Fault, 0, 0}, '{Left, 1, 0, 0, 0},
    '{Cast, 24, 20, Inline, 1}, '{Wait, 200, 0, 0, 0}, '{Answer, 1, 0, 0, 0}, '{Ends, 24, 0, 0, 0},
    '{Tap, 3, 0, 0, 0},
    // one answer is marked as the only one: the block expects no more, and drops the count
    '{Cast, 24, 20, Inline, 6}, '{Wait, 200, 0, 0, 0}, '{Answer, 2, 0, 0, 0},
    '{Busy, 24, 100, 0, 0},
    '{Mark, 0, 0, 0, 0}, '{Answer, 1, Bad, 0, 1}, '{Ends, 24, Bad, 0, 0}, '{Answer, 2, 0, 0, 0},
    '{Stale, 2, 0, 0, 0}, '{Tap, 6, 0, 0, 0},
    // read ahead like any put; the low corner is checked with the command
    '{Mark, 0, 0, 0, 0}, '{Corners, 8, 3, 0, 0}, '{Cast, 23, 20, Hinted, 5},
    '{Ends, 23, NoNode, 0, 0},
    '{Ahead, 1, 0, 0, 0}, '{Corners, 2, 5, 0, 0}, '{Cast, 23, 200, Hinted, -1},
    '{Ends, 23, 0, 0, 0},
    '{Ahead, 2, 0, 0, 0}, '{Cast, 23, 200, Host, -1}, '{Ends, 23, 0, 0, 0}, '{Tap, 4, 0, 0, 0}
  };

  // After the script, generated steps: corners outside the torus, then packets of every small size.
  localparam int Refused = 8, Sizes = 32 + 72 + 5;
  int s_copies = 1, s_stale = 0, s_ahead = 0;
  logic [15:0] s_low = 16'd2, s_high = 16'd5;

  function automatic void generated(input int i, output int op, a, b, c, d);
    int k, n;
    {op, a, b, c, d} = {32'(Wait), 32'd1, 96'd0};
    k = i / 4;
    if (k < Refused) begin
      if (i % 4 == 0) begin
        op = Corners;
        a = k % 4 == 0 ? 5 : k % 4 == 1 ? 8 : k % 4 == 2 ? 32'h8001 : 32'h0400;
        b = k % 4 == 0 ? 32'h20 : 3;
      end
      if (i % 4 == 1) {op, a, b, c, d} = {32'(Cast), 32'd23, 32'd20, 32'(k / 4), 32'd5};
      if (i % 4 == 2) {op, a, b} = {32'(Ends), 32'd23, 32'(NoNode)};
      if (i % 4 == 3 && k == Refused - 1) {op, a} = {32'(Tap), 32'd5};
    end else begin
      k -= Refused;
      n = k < 32 ? k + 1 : k < 104 ? k - 31 : 0;
      if (i % 4 == 0) {op, a} = {32'(Copies), 32'(1 + k % 5)};
      if (i % 4 == 1) {op, a, b, c, d} = {32'(Cast), 32'd22, 32'(n),
                                          32'(k < 32 ? Inline : k < 104 ? Host : Msg), ~32'd0};
      if (i % 4 == 2) {op, a} = {32'(Ends), 32'd22};
      if (i % 4 == 3) {op, a} = {32'(Beats), 32'((n + 7) / 8 + 5)};
    end
  endfunction

  function automatic void s_prepare(input int slot, bytes, kind, members);
    int m;
    m = issued;
    slot_desc[slot] = slot_desc[30];
    slot_desc[slot][63:48] = s_low;
    slot_desc[slot][79:64] = s_high;
    if ((kind & Inline) != 0) slot_desc[slot][25:20] = 6'(bytes);
    else begin
      slot_desc[slot][127:96] = 32'(bytes);
      slot_desc[slot][319:256] = (kind & Unreadable) != 0 ? 64'h100_0000_4700 : 64'h4003 + 64'(m);
      slot_desc[slot][328:320] = 0;
    end
    m_desc[m] = slot_desc[slot];
    m_queue[m] = slot_queue[slot];
    m_cmd[m] = 32'h51010000 | 32'(slot);
    m_cmd[m][tern_abi_pkg::TXC_INL_LSB] = (kind & Inline) != 0;
    m_cmd[m][tern_abi_pkg::TXC_MSG_LSB] = (kind & Msg) != 0;
    m_cmd[m][tern_abi_pkg::TXC_UNACKED_LSB] = members < 0;
    op_gen[slot] = op_gen[slot] + 1;
    m_gen[m] = op_gen[slot];
    id_message[{op_gen[slot], 8'(slot)}] = m;
    slot_busy[slot] = 1;
    m_done[m] = 0; m_nak[m] = 0; m_killed[m] = 0; m_lossy[m] = 0; m_came[m] = 0;
    m_answers[m] = members < 0 ? 0 : members;
    op_message[slot] = m;
    open++;
    issued++;
  endfunction

  task automatic test_broadcasts();
    int op, a, b, c, d;
    auto_acks = 0;
    play_gap = 1;
    for (int i = 0; i < Steps + 4 * (Refused + Sizes); i++) begin
      if (i < Steps) begin
        op = Script[i][0]; a = Script[i][1]; b = Script[i][2]; c = Script[i][3]; d = Script[i][4];
      end else generated(i - Steps, op, a, b, c, d);
      case (op)
        Copies: begin
          s_copies = a;
          {s_low, s_high} = {16'd2, 16'd5};
        end
        Corners: {s_low, s_high} = {16'(a), 16'(b)};
        Cast: begin
          s_prepare(a, b, c, d);
          plan(issued - 1);
          copies = s_copies;
          run_beats = 0;
          if ((c & Hinted) != 0) begin
            hint(a, 1);
            repeat (120) tick();
          end
          for (int k = d < 0 ? 1 : 0; k < 4; k++) begin
            mm(k == 0 || k == 3, k == 0 ? tern_abi_pkg::MMIO_OP_MEMBERS :
                                 k == 3 ? tern_abi_pkg::MMIO_TX_CMD :
                                     tern_abi_pkg::MMIO_OP_PROGRESS,
               k == 0 ? {16'(d), 10'b0, 6'(a)} : m_cmd[issued - 1], r);
            tap_pkg::expect_true(k != 2 || !r[a], "OP_MEMBERS counts as progress");
          end
        end
        Wait: repeat (a) tick();
        Answer: begin
          m_gen[issued - 1] = m_gen[issued - 1] - 8'(c);
          for (int k = 0; k < a; k++) answer(issued - 1, 8'(b), d != 0);
          m_gen[issued - 1] = m_gen[issued - 1] + 8'(c);
          if (c != 0) m_came[issued - 1] -= a;
          while (ack_due.size() > 0) tick();
          repeat (4) tick();
          if (m_cmd[issued - 1][tern_abi_pkg::TXC_UNACKED_LSB]) m_nak[issued - 1] = 0;
        end
        Busy: repeat (b) begin
          tap_pkg::expect_true(!ev_valid, $sformatf("step %0d: ends too soon", i));
          tick();
        end
        Ends: begin
          for (int k = 0; k < 9000 && !ev_valid; k++) tick();
          tap_pkg::expect_true(ev_valid && ev_slot == 6'(a) && ev_status == 8'(b),
                               $sformatf("step %0d: event %0d of slot %0d, status %0d wanted %0d",
                                         i, ev_valid, ev_slot, ev_status, b));
          tap_pkg::expect_true(play == 0, $sformatf("step %0d: ends before the last copy", i));
          if (ev_valid) take_event();
        end
        Mark: begin
          s_stale = stale_seen;
          s_ahead = ahead_used;
        end
        Stale: tap_pkg::expect_true(stale_seen == s_stale + a,
                                    $sformatf("step %0d: %0d stale answers", i,
                                              stale_seen - s_stale));
        Ahead: tap_pkg::expect_true(ahead_used == s_ahead + a,
                                    $sformatf("step %0d: %0d read ahead", i, ahead_used - s_ahead));
        Kill: begin
          m_killed[issued - 1] = 1;
          mm(1, tern_abi_pkg::MMIO_OP_KILL, {16'b0, tern_abi_pkg::ST_TIMEOUT, 8'(a)}, r);
        end
        Copy:    while (play < a) tick();
        Packets: while (m_seen[issued - 1] < a) tick();
        Left:    tap_pkg::expect_true(m_seen[issued - 1] == a,
                                      $sformatf("step %0d: %0d packets have left", i,
                                                m_seen[issued - 1]));
        Bits: for (int k = 0; k < 2; k++) begin
          mm(0, k == 0 ? tern_abi_pkg::MMIO_OP_BUSY : tern_abi_pkg::MMIO_OP_SENT, 0, r);
          tap_pkg::expect_true(r[a], $sformatf("step %0d: bit map %0d", i, k));
        end
        Beats: begin
          tap_pkg::expect_true(run_beats == copies * a * 8 / Lanes,
                               $sformatf("step %0d: %0d beats in %0d copies of %0d words", i,
                                         run_beats, copies, a));
          tap_pkg::expect_true(last_beat - run_first == run_beats - 1,
                               $sformatf("step %0d: a gap in %0d copies of %0d words", i, copies,
                                         a));
        end
        Tap: case (a)
          0: tap_pkg::tap("a broadcast ends when all its members have answered");
          1: tap_pkg::tap("the first refusal of a member is what a broadcast ends with");
          2: tap_pkg::tap("a killed broadcast leaves nothing behind");
          3: tap_pkg::tap("a broadcast cut short ends at once");
          4: tap_pkg::tap("a broadcast is read ahead as a put is");
          6: tap_pkg::tap("an answer behind which no other comes ends an operation");
          default: tap_pkg::tap("a corner outside the torus is refused");
        endcase
        default: ;
      endcase
    end
    tap_pkg::tap("a packet wanted again comes again whole, of every small size");
    {s_low, s_high} = {16'd2, 16'd5};
    auto_acks = 1;
  endtask

  // ------------------------------------------------- waiting times are limited
  // Sends a given message; `long` ones have many packets.
  task automatic send_plain(input int slot, queue, bytes, input bit inl);
    int m;
    m = issued;
    slot_desc[slot] = slot_desc[30];
    slot_desc[slot][127:96] = 32'(bytes); slot_desc[slot][25:20] = 6'(bytes);
    slot_desc[slot][15:8] = 0;
    slot_desc[slot][319:256] = 64'h10000 + 64'(slot) * 64'h20000; slot_desc[slot][328:320] = 0;
    slot_queue[slot] = 16'(queue);
    m_desc[m] = slot_desc[slot]; m_queue[m] = 16'(queue);
    m_cmd[m] = 32'h14010000 | 32'(inl) << tern_abi_pkg::TXC_INL_LSB | 32'(slot);
    op_gen[slot] = op_gen[slot] + 1; m_gen[m] = op_gen[slot];
    id_message[{op_gen[slot], 8'(slot)}] = m;
    slot_busy[slot] = 1; m_done[m] = 0; op_message[slot] = m; m_nak[m] = 0; m_came[m] = 0;
    m_killed[m] = 0;
    plan(m);
    issued++;
    open++;
    mm(1, tern_abi_pkg::MMIO_TX_CMD, m_cmd[m], r);
  endtask

  localparam int Held = 16 + 14;           // the bound that tern_tx states
  task automatic test_turns();
    int m, first, seen0, long0, held, cycles [2], packets [2], t0;
    // As many long messages as there are slots minus eight, each of another queue except the last
    // two; small ones from the last of their commands on.
    first = issued;
    for (int i = 0; i < 24; i++) send_plain(i, i == 23 ? 22 : i, 40000, 0);
    cycles = '{0, 0};
    packets = '{0, 0};
    for (int k = 0; k < 48; k++) begin
      m = issued;
      seen0 = packets_seen;
      t0 = cycle;
      send_plain(24 + k % 2, 100, k % 2 == 0 ? 64 : 8, k % 2 != 0);
      while (m_seen[m] == 0) tick();
      held = packets_seen - 1 - seen0;
      if (held > packets[k % 2]) packets[k % 2] = held;
      if (cycle - t0 > cycles[k % 2]) cycles[k % 2] = cycle - t0;
      while (slot_busy[24 + k % 2]) tick();
      repeat (tap_pkg::below(200)) tick();
    end
    $write("# beside 24 long messages a small put waits at most for %0d packets and %0d cycles ",
           packets[1], cycles[1]);
    $display("inline, %0d and %0d by reference", packets[0], cycles[0]);
    // At most one message in the front, one being sent, and its own; the host answers in order.
    tap_pkg::expect_true(packets[1] <= 3, "a small inline put waits for long ones");
    tap_pkg::expect_true(packets[0] <= 8, "a small put by reference waits for long ones");
    m = issued;
    seen0 = packets_seen;
    for (int k = 0; k < 8; k++) send_plain(24 + k, 100 + k, 8, 1);
    while (m_seen[m + 7] == 0) tick();
    $display("# eight small puts at once: the last waits for %0d packets",
             packets_seen - 1 - seen0);
    tap_pkg::expect_true(packets_seen - 1 - seen0 <= Held,
                         "a small put waits for more than is promised");
    tap_pkg::tap("a small put waits for a bounded number of packets of others");

    // check_packet checks that a small put comes after an unfinished long one of its queue.
    while (slot_busy[24]) tick();
    send_plain(24, 3, 8, 1);
    // Small puts, one after the other, do not stop the long messages.
    seen0 = packets_seen;
    long0 = 0;
    for (int i = first; i < first + 24; i++) long0 -= m_seen[i];
    for (int i = 0; i < 4000; i++)
      for (int k = 25; k < 32; k++)
        if (slot_busy[k]) tick();
        else send_plain(k, 200 + k, i % 2 == 0 ? 8 : 64, i % 2 == 0);
    for (int i = first; i < first + 24; i++) long0 += m_seen[i];
    $display("# of %0d packets beside a stream of small puts %0d were of long ones",
             packets_seen - seen0, long0);
    tap_pkg::expect_true(packets_seen - seen0 > 300 && long0 * 9 >= packets_seen - seen0,
                         "long messages wait for small ones");
    for (int i = 0; i < 300000; i++) begin
      if (m_seen[first + 22] == m_packets[first + 22] &&
          m_seen[first + 23] == m_packets[first + 23]) break;
      tick();
    end
    repeat (4000) tick();
    for (int i = first; i < issued; i++)
      tap_pkg::expect_true(m_seen[i] == m_packets[i],
                           $sformatf("%0d of %0d packets of a message left", m_seen[i],
                                     m_packets[i]));
    open = 0;
    tap_pkg::tap("small puts do not stop long ones");
  endtask

  int unsigned seed_arg = 1, messages = 3000;

  initial begin
    int idle, t0, lat, beats0;
    void'($value$plusargs("seed=%d", seed_arg));
    void'($value$plusargs("messages=%d", messages));
    $display("# seed %0d, DataW %0d", seed_arg, DataW);
    tap_pkg::seed(seed_arg);
    for (int i = 0; i < 256; i++) begin op_message[i] = -1; op_gen[i] = 8'hff; end
    repeat (4) tick();
    rst_n = 1;
    repeat (NumOps + 4) tick();

    while (issued < int'(messages)) begin
      if (ev_valid && !tap_pkg::one_in(3)) take_event();
      else if (open < NumOps || tap_pkg::one_in(4)) send_one();
      else tick();
      kill_old();
    end
    idle = 0;
    while (idle < 6000) begin
      idle++;
      if (ev_valid) begin take_event(); idle = 0; end
      else tick();
      if (idle % 64 == 0) kill_old();
    end
    quiet = 1;
    repeat (20) tick();
    for (int m = 0; m < issued; m++)
      tap_pkg::expect_true(m_seen[m] == m_packets[m],
                           $sformatf("message %0d: %0d of %0d packets were sent", m, m_seen[m],
                                     m_packets[m]));
    tap_pkg::expect_true(c_packets == packets_seen && c_bytes == bytes_seen,
                         $sformatf("%0d packets of %0d bytes counted, %0d of %0d left", c_packets,
                                   c_bytes, packets_seen, bytes_seen));
    tap_pkg::expect_true(replies > 100, $sformatf("%0d packets of replies", replies));
    tap_pkg::tap("every packet is what its descriptor says");
    $display("# %0d times a packet of another message came inside one", mixed);
    tap_pkg::expect_true(mixed > 20, "messages do not take turns");
    tap_pkg::tap("messages take turns and those of one queue keep their order");

    for (int m = 0; m < issued; m++) begin
      if (!m_done[m])
        tap_pkg::expect_true(!m_cmd[m][24] && explained(m, 0), $sformatf("message %0d never ended",
            m));
    end
    mm(0, tern_abi_pkg::MMIO_OP_BUSY, 0, r);
    tap_pkg::expect_true(r == 0, $sformatf("entries still busy: %08x", r));
    tap_pkg::expect_true(stale_sent > 0 && stale_seen >= stale_sent,
                         $sformatf("%0d stale acks sent, %0d seen", stale_sent, stale_seen));
    tap_pkg::expect_true(fault_seen > 0, "no failed read was counted");
    $display("# %0d messages, %0d packets, %0d ended with an event, %0d killed, %0d stale acks",
             issued, packets_seen, ended, op_of_kill, stale_seen);
    tap_pkg::tap("every operation ends once, with a status its history explains");
    tap_pkg::expect_true(words_taken > 20 && words_dropped > 20,
                         $sformatf("%0d words taken, %0d dropped", words_taken, words_dropped));
    tap_pkg::tap("the word of an ack is taken when it ends an operation whose end is told");

    // Measures the latency of an inline put of 8 bytes, all idle.
    fast = 1;
    repeat (4) tick();
    for (int i = 0; i < 16; i++) slot_desc[30][32*i +: 32] = tap_pkg::rnd();
    slot_desc[30][25:20] = 8; slot_desc[30][79:64] = 1; slot_desc[30][15:8] = 0;
    m_desc[issued] = slot_desc[30]; m_cmd[issued] = 32'h1601001e; m_queue[issued] = slot_queue[30];
    op_gen[m_cmd[issued][5:0]] = op_gen[m_cmd[issued][5:0]] + 1;
    m_gen[issued] = op_gen[m_cmd[issued][5:0]];
    id_message[{m_gen[issued], 2'b0, m_cmd[issued][5:0]}] = issued;
    slot_busy[m_cmd[issued][5:0]] = 1;
    plan(issued);
    issued++;
    mm_valid = 1; mm_we = 1; mm_addr = tern_abi_pkg::MMIO_TX_CMD; mm_wdata = 32'h1601001e;
    tick();
    tick();
    t0 = cycle;                      // the write was taken at the previous edge
    mm_valid = 0; mm_addr = 16'hfffc;
    repeat (60) tick();
    lat = first_beat - t0 + 1;
    $display("# inline put: first beat %0d cycles after TX_CMD", lat);
    tap_pkg::expect_true(lat > 0 && lat <= 15, "inline put too slow");
    tap_pkg::tap("an inline put is on the stream within 15 cycles");

    tap_pkg::expect_true(ahead_used > 20 && ahead_replies > 10 && ahead_dropped > 10,
                         $sformatf("%0d read ahead, %0d for replies, %0d dropped", ahead_used,
                                   ahead_replies, ahead_dropped));
    $display("# %0d puts read ahead and sent, %0d read ahead and dropped", ahead_used,
             ahead_dropped);
    tap_pkg::tap("what is read ahead is sent, or dropped when it is old");

    copies = 0;
    put_after(1, 0, lat);
    $display("# put of 64 bytes read ahead: first beat %0d cycles after TX_CMD", lat);
    tap_pkg::expect_true(lat > 0 && lat <= 15, "a put read ahead too slow");
    put_after(0, 0, lat);
    $display("# the same with nothing read ahead: %0d cycles", lat);
    tap_pkg::expect_true(lat > 60, "a put that nobody announced is too fast");
    tap_pkg::tap("a put read ahead is on the stream within 15 cycles");

    put_after(1, 1, lat);
    tap_pkg::expect_true(lat < 0, "a packet was sent whose region was released before the command");
    tap_pkg::tap("a region released before the command is not read for it");


    test_broadcasts();
    repeat (400) tick();
    while (ev_valid) take_event();
    open = 0;
    test_turns();

    // Full rate: one message of 64 KiB, packets of MaxPayload, unaligned in host memory.
    for (int aligned = 0; aligned < 2; aligned++) begin
      slot_desc[31] = slot_desc[30];
      slot_desc[31][127:96] = 32'd65536;
      slot_desc[31][319:256] = aligned != 0 ? 64'h10000 : 64'h20ff3;
      slot_desc[31][328:320] = 0;
      m_desc[issued] = slot_desc[31]; m_cmd[issued] = 32'h1401001f;
      m_queue[issued] = slot_queue[31];
    op_gen[m_cmd[issued][5:0]] = op_gen[m_cmd[issued][5:0]] + 1;
    m_gen[issued] = op_gen[m_cmd[issued][5:0]];
    id_message[{m_gen[issued], 2'b0, m_cmd[issued][5:0]}] = issued;
    slot_busy[m_cmd[issued][5:0]] = 1;
      plan(issued);
      issued++;
      run_beats = 0;
      mm(1, tern_abi_pkg::MMIO_TX_CMD, 32'h1401001f, r);
      do begin
        beats0 = run_beats;
        repeat (2000) tick();
      end while (run_beats != beats0);
      $display("# 64 KiB %s: %0d beats in %0d cycles, %0d permille",
               aligned != 0 ? "aligned" : "unaligned",
               run_beats, first_beat - run_first, (run_beats - (MaxPayload + 40) / Lanes)
                   * 1000 / (first_beat - run_first));
      // Each read takes 60 cycles, eight at a time: unaligned data needs more reads, aligned data
      // must not.
      if (aligned != 0)
        tap_pkg::expect_true((run_beats - (MaxPayload + 40) / Lanes) * 100 >=
                             (first_beat - run_first) * 95, "below 95 percent of a beat a cycle");
    end
    tap_pkg::tap("a long put fills the stream");
    tap_pkg::finish();
  end

  initial begin
    repeat (6000000) tick();
    $fatal(1, "the bench hangs");
  end
endmodule

`default_nettype wire
