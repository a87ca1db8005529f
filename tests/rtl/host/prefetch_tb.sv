// SPDX-License-Identifier: Apache-2.0
// Bench of tern_prefetch: random doorbells on several rings, a host memory that answers out of
// order and sometimes fails, and a firmware that takes events, compares every slot and frees it.
`default_nettype none

module prefetch_tb #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumQ     = 32,
  parameter int unsigned NumSlots = 16,
  parameter int unsigned Rounds   = 30000
);
`include "tb.svh"

  localparam int unsigned Rings = 6;
  localparam int unsigned Beats = 512 / DataW;
  localparam logic [63:0] Shift = 64'h0000_5000_0000_0000;  // host address minus region address

  // ---- device under test ------------------------------------------------------
  logic             db_valid, db_ready, db_inline, db_commit;
  logic [7:0]       db_fn;
  logic [15:0]      db_queue;
  logic [23:0]      db_index;
  logic [47:0]      db_frame;
  logic [9:0]       db_soon;
  logic [DataW/32-1:0] in_want, in_we;
  logic [3:0]       in_word;
  logic [DataW-1:0] in_data;
  logic             in_ready, in_slot;
  logic             mm_valid, mm_we, mm_ready, mm_rvalid;
  logic [15:0]      mm_addr;
  logic [31:0]      mm_wdata, mm_rdata;
  logic             hrq_valid, hrq_ready;
  logic [7:0]       hrq_fn;
  logic [63:0]      hrq_addr;
  logic [8:0]       hrq_bytes;
  logic [1:0]       hrq_tag;
  logic             hrd_valid, hrd_last, hrd_err;
  logic [3:0]       hrd_tag;
  logic [DataW-1:0] hrd_data;
  logic             ck_valid, ck_ready, ck_done;
  logic [31:0]      ck_key, ck_bytes;
  logic [63:0]      ck_addr, ck_haddr;
  logic [7:0]       ck_fn, ck_status;
  logic             ev_valid, ev_ready, er_valid, er_ready;
  logic [31:0]      ev_word, er_word;
  logic             sl_req, sl_gnt, sl_rvalid;
  logic [5:0]       sl_slot;
  logic [3:0]       sl_word;
  logic [DataW-1:0] sl_data;
  logic [15:0]      sl_queue;
  logic [7:0]       sl_fn;
  logic [1:0]       free_valid;
  logic [11:0]      free_slot;
  logic             cq_coming, cq_valid, cq_ready, cq_phase, cw_valid, cw_ready, cw_rvalid;
  logic [5:0]       own_slot, cq_slot, cw_slot;
  logic [9:0]       own_queue, cq_queue, cw_queue;
  logic [63:0]      cq_addr;
  logic [31:0]      cq_key, cw_rdata;
  logic [7:0]       cq_fn;
  logic [23:0]      cq_lap;
  logic [3:0]       cw_word;
  logic             word_valid = 1'b0, word_ready, word_high = 1'b0;
  logic [5:0]       word_slot;
  logic [DataW-1:0] word_data;
  logic             copy = 1'b0, copy_valid = 1'b0, copy_ready;
  logic [1:0]       copy_slot = '0;
  logic [3:0]       copy_word = '0;
  logic [31:0]      copy_data = '0;
  logic             tr_ready, st_db, st_inline, st_fetched, st_bad;
  logic [15:0]      tr_slot;

  tern_prefetch #(.DataW(DataW), .NumQ(NumQ), .NumSlots(NumSlots)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .db_valid_i(db_valid), .db_ready_o(db_ready), .db_fn_i(db_fn), .db_queue_i(db_queue),
    .db_inline_i(db_inline), .db_commit_i(db_commit), .db_index_i(db_index), .db_frame_i(db_frame),
    .db_soon_i(db_soon),
    .in_near_i(in_we != '0), .in_we_i(in_we),
    .in_word_i(in_word), .in_data_i(in_data), .in_ready_o(in_ready),
    .in_slot_o(in_slot),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(mm_ready), .mm_rvalid_o(mm_rvalid), .mm_rdata_o(mm_rdata),
    .pf_hrq_valid_o(hrq_valid), .pf_hrq_ready_i(hrq_ready), .pf_hrq_fn_o(hrq_fn),
    .pf_hrq_addr_o(hrq_addr), .pf_hrq_bytes_o(hrq_bytes), .pf_hrq_tag_o(hrq_tag),
    .hrd_valid_i(hrd_valid), .hrd_tag_i(hrd_tag), .hrd_data_i(hrd_data), .hrd_last_i(hrd_last),
    .hrd_err_i(hrd_err),
    .ck_valid_o(ck_valid), .ck_ready_i(ck_ready), .ck_key_o(ck_key), .ck_addr_o(ck_addr),
    .ck_bytes_o(ck_bytes), .ck_fn_o(ck_fn), .ck_done_i(ck_done), .ck_status_i(ck_status),
    .ck_haddr_i(ck_haddr),
    .ev_desc_valid_o(ev_valid), .ev_desc_ready_i(ev_ready), .ev_desc_o(ev_word),
    .ev_dberr_valid_o(er_valid), .ev_dberr_ready_i(er_ready), .ev_dberr_o(er_word),
    .sl_req_i(sl_req), .sl_slot_i(sl_slot), .sl_word_i(sl_word), .sl_gnt_o(sl_gnt),
    .sl_rvalid_o(sl_rvalid), .sl_data_o(sl_data), .sl_queue_o(sl_queue), .sl_fn_o(sl_fn),
    .own_slot_i(own_slot), .own_queue_o(own_queue), .cq_coming_o(cq_coming), .cq_valid_o(cq_valid),
    .cq_ready_i(cq_ready), .cq_slot_o(cq_slot), .cq_queue_o(cq_queue), .cq_addr_o(cq_addr),
    .cq_key_o(cq_key), .cq_fn_o(cq_fn), .cq_lap_o(cq_lap), .cq_phase_o(cq_phase),
    .word_valid_i(word_valid), .word_ready_o(word_ready), .word_slot_i(word_slot),
    .word_high_i(word_high), .word_data_i(word_data), .copy_may_o(), .copy_i(copy),
    .copy_slot_i(copy_slot), .copy_valid_i(copy_valid), .copy_ready_o(copy_ready),
    .copy_word_i(copy_word), .copy_data_i(copy_data), .cw_valid_i(cw_valid), .cw_ready_o(cw_ready),
    .cw_slot_i(cw_slot), .cw_word_i(cw_word), .cw_rvalid_o(cw_rvalid), .cw_rdata_o(cw_rdata),
    .cw_queue_o(cw_queue), .slot_free_valid_i(free_valid), .slot_free_i(free_slot),
    .tr_desc_ready_o(tr_ready), .tr_desc_slot_o(tr_slot), .st_doorbell_o(st_db),
    .st_inline_o(st_inline), .st_fetched_o(st_fetched), .st_bad_db_o(st_bad)
  );

  // ---- the rings: progress of host, reads and events ------------
  int unsigned ring_q     [Rings];  // queue number
  int unsigned ring_log2  [Rings];
  logic [7:0]  ring_fn    [Rings];
  logic [63:0] ring_base  [Rings];
  int unsigned rung       [Rings];  // descriptors up to the doorbell
  int unsigned fetched    [Rings];  // requested, or taken inline
  int unsigned delivered  [Rings];  // events taken
  bit          stopped    [Rings];
  int unsigned stop_cycle [Rings];
  bit          faulty [int unsigned];  // {ring, index}: its read failed
  int          ring_of [int unsigned];  // queue number to ring

  function automatic int unsigned fault_key(input int unsigned r, input int unsigned i);
    return r << 24 | (i & 24'hffffff);
  endfunction

  function automatic logic [31:0] mix(input logic [31:0] v);
    logic [31:0] x;
    x = v * 32'h9e3779b1;
    x = x ^ (x >> 15);
    x = x * 32'h85ebca6b;
    return x ^ (x >> 13);
  endfunction

  // Returns the kind of descriptor at an index: most are valid.
  function automatic logic [3:0] want_err(input int unsigned r, input int unsigned i);
    logic [31:0] h;
    h = mix(r * 32'd7919 + i) % 16;
    if (faulty.exists(fault_key(r, i))) return 4'd9;
    if (h == 0) return 4'd2;
    if (h == 1) return 4'd3;
    return 4'd0;
  endfunction

  // Returns the expected bits of a descriptor's event, except the opcode.
  function automatic logic [3:0] want_news(input logic [3:0] err, input logic [7:0] flags,
                                           input logic others);
    if (err == 4'd9) return 4'(tern_abi_pkg::EVERR_HOST_FAULT);
    if (err == 4'd2) return 4'(tern_abi_pkg::EVERR_VERSION);
    if (err == 4'd3) return 4'(tern_abi_pkg::EVERR_INDEX);
    return flags < 8 && !others ? flags[3:0] : 4'(tern_abi_pkg::EVERR_NONE);
  endfunction

  function automatic logic [511:0] desc(input int unsigned r, input int unsigned i);
    logic [31:0] h;
    for (int w = 0; w < 16; w++) desc[32*w+:32] = mix(r * 32'h10001 + i * 32'd16 + 32'(w));
    h = mix(r * 32'd7919 + i) % 16;
    desc[19:16] = h == 0 ? 4'd7 : 4'd1;
    desc[47:32] = 16'(i) ^ (h == 1 ? 16'h0010 : 16'h0000);
    if (h > 4) desc[15:11] = '0;  // most have only common flags
    // and few are counted, deciding or linked
    if (h != 5) desc[tern_abi_pkg::DESC_COUNTED_LSB] = 1'b0;
    if (h != 6) desc[tern_abi_pkg::DESC_DECIDES_LSB] = 1'b0;
    if (h != 7) desc[tern_abi_pkg::DESC_LINKED_LSB]  = 1'b0;
  endfunction

  // ---- register bus -----------------------------------------------------------------
  int unsigned mm_longest = 0;
  bit          mm_busy = 1'b0;
  task automatic mm(input bit we, input logic [15:0] addr, input logic [31:0] value,
                    output logic [31:0] got);
    int unsigned from;
    from = cycle;
    mm_busy = 1'b1;
    mm_valid <= 1'b1;
    mm_we    <= we;
    mm_addr  <= addr;
    mm_wdata <= value;
    do @(posedge clk); while (!mm_ready);
    mm_valid <= 1'b0;
    while (!mm_rvalid) @(posedge clk);
    got = mm_rdata;
    mm_busy = 1'b0;
    if (cycle - from > mm_longest) mm_longest = cycle - from;
  endtask
  task automatic mm_write(input logic [15:0] addr, input logic [31:0] value);
    logic [31:0] unused;
    mm(1'b1, addr, value, unused);
  endtask
  task automatic mm_read(input logic [15:0] addr, output logic [31:0] got);
    mm(1'b0, addr, 32'd0, got);
  endtask

  task automatic queue_make(input int unsigned q, input logic [1:0] qtype, input logic [7:0] fn,
                            input int unsigned log2, input logic [63:0] base,
                            input logic [23:0] start);
    mm_write(tern_abi_pkg::MMIO_Q_SEL, q);
    mm_write(tern_abi_pkg::MMIO_Q_BASE_LO, base[31:0]);
    mm_write(tern_abi_pkg::MMIO_Q_BASE_HI, base[63:32]);
    mm_write(tern_abi_pkg::MMIO_Q_KEY, 32'hbeef0000 + q);
    mm_write(tern_abi_pkg::MMIO_Q_HEAD, {8'd0, start});
    mm_write(tern_abi_pkg::MMIO_Q_DB, {8'd0, start});
    mm_write(tern_abi_pkg::MMIO_Q_CFG, {14'd0, qtype, fn, 8'(log2)});
  endtask

  // ---- host: rings ------------------------------------------------------------------
  bit          ringing = 1'b0;  // random doorbells are enabled
  int unsigned bad_errors = 0, doorbells = 0, bads = 0, inlines = 0, fetches = 0;
  int unsigned unslotted = 0;
  logic [31:0] want_er [$];
  logic [23:0] rq_db;

  function automatic logic [31:0] dberr(input logic [7:0] fn, input logic [9:0] q,
                                        input bit leaves);
    return {4'd5, 3'd0, leaves, fn, q, 6'd0};
  endfunction

  // Writes a descriptor word by word, as tern_bar does; without a free slot the words are lost.
  assign in_we = in_ready && (in_word != '0 || in_slot) ? in_want : '0;
  task automatic write_inline(input logic [511:0] d, output bit whole);
    whole = 1'b0;
    for (int unsigned w = 0; w < 16; w += DataW / 32) begin
      in_want <= '1;
      in_word <= 4'(w);
      in_data <= d[32*w+:DataW];
      @(posedge clk);
      while (!in_ready) @(posedge clk);
      if (w == 0) whole = in_slot;
      in_want <= '0;
      if (!whole) return;
      if (chance(20)) @(posedge clk);
    end
  endtask

  task automatic db_send(input logic [7:0] fn, input int unsigned q, input bit commit,
                         input bit inl, input logic [23:0] index, input logic [511:0] d);
    bit whole;
    whole = 1'b0;
    if (inl) write_inline(d, whole);
    if (inl && !whole) unslotted = unslotted + 1;
    db_soon <= 10'(q);
    @(posedge clk);
    db_valid  <= 1'b1;
    db_fn     <= fn;
    db_queue  <= 16'(q);
    db_commit <= commit;
    db_inline <= inl && whole;
    db_index  <= index;
    db_frame  <= d[47:0];
    do @(posedge clk); while (!db_ready);
    db_valid <= 1'b0;
  endtask

  task automatic ring_good();
    int unsigned r, space, n;
    r = below(Rings);
    space = (1 << ring_log2[r]) - (rung[r] - delivered[r]);
    if (space == 0) return;
    doorbells = doorbells + 1;
    if (chance(50)) begin
      rung[r] = rung[r] + 1;
      db_send(ring_fn[r], ring_q[r], 1'b1, chance(80), 24'd0, desc(r, rung[r] - 1));
    end else begin
      n = 1 + below(space);
      rung[r] = rung[r] + n;
      db_send(ring_fn[r], ring_q[r], 1'b0, 1'b0, 24'(rung[r]), '0);
    end
  endtask

  task automatic ring_bad();
    int unsigned r;
    if (want_er.size() >= 3) return;
    r = below(Rings);
    bads = bads + 1;
    case (below(4))
      0: begin  // a queue of another function
        want_er.push_back(dberr(ring_fn[r] ^ 8'h01, 10'(ring_q[r]), 1'b0));
        db_send(ring_fn[r] ^ 8'h01, ring_q[r], chance(50), chance(50), 24'(rung[r]), '0);
      end
      1: begin  // a number that no queue has
        want_er.push_back(dberr(8'd2, 10'(NumQ + 1), 1'b0));
        db_send(8'd2, NumQ + 1, 1'b0, 1'b0, 24'd1, '0);
      end
      2: begin  // a queue that is not in use
        want_er.push_back(dberr(8'd1, 10'd1, 1'b0));
        db_send(8'd1, 1, 1'b1, 1'b1, 24'd1, '0);
      end
      default: begin  // further ahead of the fetched index than the ring is long
        want_er.push_back(dberr(ring_fn[r], 10'(ring_q[r]), 1'b1));
        db_send(ring_fn[r], ring_q[r], 1'b0, 1'b0, 24'(rung[r] + (2 << ring_log2[r])), '0);
      end
    endcase
  endtask

  initial begin
    db_valid = 1'b0;
    in_want  = '0;
  end
  always begin
    begin
      @(posedge clk);
      if (ringing && rst_n) begin
        if (chance(3)) ring_bad();
        else if (chance(40)) ring_good();
        else if (chance(5)) begin
          rq_db = 24'(rnd());
          db_send(8'd1, 3, 1'b0, 1'b0, rq_db, '0);
          doorbells = doorbells + 1;
        end
      end
    end
  end

  always @(posedge clk) if (rst_n) begin
    if (st_db) doorbells = doorbells - 1;
    if (st_bad) bads = bads - 1;
    if (st_inline) begin
      inlines = inlines + 1;
      if (fetched[ring_of[32'(db_queue)]] + 1 != rung[ring_of[32'(db_queue)]])
        complain("inline descriptor overtakes the ring");
      fetched[ring_of[32'(db_queue)]] = fetched[ring_of[32'(db_queue)]] + 1;
    end
  end

  // ---- key check --------------------------------------------------------------------------
  int unsigned refuse_percent = 0;
  initial begin
    ck_ready = 1'b0;
    ck_done  = 1'b0;
  end
  always begin
    begin
      @(posedge clk);
      ck_done <= 1'b0;
      if (ck_valid && !ck_ready && !ck_done && chance(50)) begin
        ck_ready <= 1'b1;
        @(posedge clk);
        ck_ready <= 1'b0;
        check_key();
        repeat (1 + below(6)) @(posedge clk);
        ck_done <= 1'b1;
      end
    end
  end

  task automatic check_key();
    int unsigned r, n;
    n = ck_bytes / 64;
    r = ring_of[32'(ck_key[15:0])];
    if (ck_key[31:16] != 16'hbeef || ck_fn != ring_fn[r] || n == 0 || n > 4
        || ck_addr != ring_base[r] + 64'((fetched[r] & ((1 << ring_log2[r]) - 1)) * 64)) begin
      complain($sformatf("wrong key check %h %h %0d", ck_key, ck_addr, n));
      bad_errors = bad_errors + 1;
    end
    ck_status <= 8'd0;
    ck_haddr  <= ck_addr + Shift;
    if (chance(refuse_percent)) begin
      ck_status <= 8'd7;
      for (int unsigned i = 0; i < n; i++) faulty[fault_key(r, fetched[r] + i)] = 1'b1;
      fetched[r] = fetched[r] + n;
    end
  endtask

  // ---- host memory --------------------------------------------------------------------------
  bit          rd_busy [4];
  int unsigned rd_ring [4], rd_first [4], rd_n [4];
  bit          rd_fail [4];
  int unsigned fail_percent = 0, requests = 0, stall_percent = 30;

  always @(posedge clk) begin
    hrq_ready <= chance(50);
    if (hrq_valid && hrq_ready) take_request();
  end

  task automatic take_request();
    int unsigned r, n, mask;
    logic [63:0] at;
    requests = requests + 1;
    at = hrq_addr - Shift;
    r = ring_of[32'(at[39:24])];
    n = hrq_bytes / 64;
    mask = (1 << ring_log2[r]) - 1;
    if (at != ring_base[r] + 64'((fetched[r] & mask) * 64) || n == 0 || n > 4
        || hrq_bytes[5:0] != 0 || (fetched[r] & mask) + n > mask + 1 || fetched[r] + n > rung[r]
        || 32'(hrq_addr[11:0]) + 32'(hrq_bytes) > 4096 || hrq_fn != ring_fn[r]
        || rd_busy[hrq_tag]) begin
      complain($sformatf("wrong request ring %0d addr %h n %0d", r, hrq_addr, n));
      bad_errors = bad_errors + 1;
    end
    for (int t = 0; t < 4; t++) if (rd_busy[t] && rd_ring[t] == r) begin
      complain("two bursts of one queue");
      bad_errors = bad_errors + 1;
    end
    if (stopped[r] && cycle - stop_cycle[r] > 200) begin
      complain("stopped queue is fetched");
      bad_errors = bad_errors + 1;
    end
    rd_busy[hrq_tag]  = 1'b1;
    rd_ring[hrq_tag]  = r;
    rd_first[hrq_tag] = fetched[r];
    rd_n[hrq_tag]     = n;
    rd_fail[hrq_tag]  = chance(fail_percent);
    for (int unsigned i = 0; rd_fail[hrq_tag] && i < n; i++)
      faulty[fault_key(r, fetched[r] + i)] = 1'b1;
    fetched[r] = fetched[r] + n;
  endtask

  initial begin
    hrd_valid = 1'b0;
    hrd_err   = 1'b0;
  end
  always begin
    begin
      @(posedge clk);
      hrd_valid <= 1'b0;
      if (rst_n && chance(30)) answer(below(4));
    end
  end

  // A failed read answers with all beats, one of them bad, or with a single bad beat.
  task automatic answer(input int unsigned t);
    int unsigned total, bad_beat;
    logic [511:0] d;
    if (!rd_busy[t]) return;
    total = rd_n[t] * Beats;
    bad_beat = below(total);
    if (rd_fail[t] && chance(50)) begin
      total = 1;
      bad_beat = 0;
    end
    for (int unsigned b = 0; b < total; b++) begin
      while (chance(stall_percent)) begin
        hrd_valid <= 1'b0;
        @(posedge clk);
      end
      d = desc(rd_ring[t], rd_first[t] + b / Beats);
      hrd_valid <= 1'b1;
      hrd_tag   <= 4'd8 + 4'(t);
      hrd_data  <= d[DataW*(b%Beats)+:DataW];
      hrd_last  <= b == total - 1;
      hrd_err   <= rd_fail[t] && b == bad_beat;
      @(posedge clk);
    end
    // Data of another requester in between must have no effect.
    hrd_tag  <= 4'(below(8));
    hrd_err  <= 1'b0;
    rd_busy[t] = 1'b0;
    if (chance(50)) @(posedge clk);
    hrd_valid <= 1'b0;
  endtask

  // ---- firmware: takes events, checks the slot, frees it -----------------------------
  bit          slot_used [64];
  int unsigned seen = 0, seen_err = 0;
  int unsigned take_percent = 50;
  bit          latency_on = 1'b0;
  int unsigned latency = 0;

  initial begin
    ev_ready   = 1'b0;
    sl_req     = 1'b0;
    cw_valid   = 1'b0;
    free_valid = 2'b00;
  end
  always begin
    begin
      @(posedge clk);
      free_valid <= 2'b00;
      if (rst_n && ev_valid && chance(take_percent)) take_event();
    end
  end

  // The word of an answer, which is valid before tern_hwr reads it.
  logic [63:0] word_value;
  bit          word_begin = 1'b0;
  int unsigned words = 0;
  assign word_data = word_high ? DataW'(word_value >> 32) : DataW'(word_value);
  always @(posedge clk) begin
    if (word_valid && word_ready) begin
      word_high  <= DataW == 32 && !word_high;
      word_valid <= DataW == 32 && !word_high;
    end
    if (word_begin) word_valid <= 1'b1;
  end

  task automatic answer_word(input int unsigned slot, inout logic [511:0] want);
    word_value = {rnd(), rnd()};
    want[tern_abi_pkg::ATR_VALUE_LSB+:64] = word_value;
    word_slot  = 6'(slot);
    #1;
    word_begin = 1'b1;
    @(posedge clk);
    #1;
    word_begin = 1'b0;
    words = words + 1;
  endtask

  // Reads a word through the port of tern_hwr.
  task automatic read_word(input int unsigned slot, input int unsigned q,
                           input logic [511:0] brought);
    logic [511:0] want;
    logic [3:0] w;
    want = brought;
    w = 4'(below(16));
    if (chance(50)) begin
      answer_word(slot, want);
      w = 4'(tern_abi_pkg::ATR_VALUE_LSB / 32 + below(2));
    end
    cw_valid <= 1'b1;
    cw_slot  <= 6'(slot);
    cw_word  <= w;
    do @(posedge clk); while (!cw_ready);
    cw_valid <= 1'b0;
    do @(posedge clk); while (!cw_rvalid);
    if (cw_rdata != want[32*w+:32] || cw_queue != 10'(q)) begin
      complain($sformatf("word %0d of slot %0d is %h of queue %0d", w, slot, cw_rdata, cw_queue));
      bad_errors = bad_errors + 1;
    end
  endtask

  // --- completions: takes entries of a completion queue, in order, each once ---
  localparam int unsigned Cq = 2, CqLog2 = 3;
  localparam logic [63:0] CqBase = 64'h0000_4321_ffff_ffc0;
  int unsigned completed = 0, cq_seen = 0;
  logic [5:0]  cq_slots [$], cq_want;
  always @(posedge clk) begin
    cq_ready <= chance(40);
    if (rst_n && cq_valid && cq_ready) begin
      cq_want = cq_slots.size() != 0 ? cq_slots.pop_front() : 6'd63;
      if (cq_slot != cq_want || cq_queue != 10'(Cq) || cq_fn != 8'd1
          || cq_key != 32'hbeef0000 + Cq || cq_lap != 24'(cq_seen) || !cq_coming
          || cq_addr != CqBase + 64'(32 * (cq_seen % (1 << CqLog2)))
          || cq_phase != !((cq_seen >> CqLog2) % 2)) begin
        complain($sformatf("wrong completion %0d: lap %0d at %h", cq_seen, cq_lap, cq_addr));
        bad_errors = bad_errors + 1;
      end
      cq_seen = cq_seen + 1;
    end
  end

  task automatic complete();
    logic [5:0] s;
    logic [31:0] head;
    s = 6'(below(NumSlots));
    cq_slots.push_back(s);
    completed = completed + 1;
    mm_write(tern_abi_pkg::MMIO_Q_COMPLETE, {6'd3, 10'(Cq), 10'(rnd()), s});
    if (chance(50)) return;
    mm_write(tern_abi_pkg::MMIO_Q_SEL, Cq);
    mm_read(tern_abi_pkg::MMIO_Q_HEAD, head);
    if (head != completed) begin
      complain("a completion is not counted when the queue is next looked at");
      bad_errors = bad_errors + 1;
    end
  endtask

  // RX_COPY fills an own slot of the firmware while everything else goes on; words that it does not
  // name stay unchanged.
  logic [31:0] own_words [4][16];
  int unsigned copies = 0, copy_waits = 0;
  bit copy_ok = 1'b1;
  task automatic copy_in();
    int unsigned s;
    logic [3:0] w;
    s = below(4);
    #1;
    copy      = 1'b1;
    copy_slot = 2'(s);
    repeat (1 + below(12)) begin
      repeat (below(3)) @(posedge clk);
      #1;
      w = 4'(below(15));
      own_words[s][w] = rnd();
      copy_valid = 1'b1;
      copy_word  = w;
      copy_data  = own_words[s][w];
      @(posedge clk);
      while (!copy_ready) begin
        copy_waits = copy_waits + 1;
        @(posedge clk);
      end
      #1;
      copy_valid = 1'b0;
      copy_data  = '0;
    end
    copy      = 1'b0;
    copy_slot = '0;
    copy_word = '0;
    @(posedge clk);
    copies = copies + 1;
  endtask

  task automatic check_own_slots();
    logic [31:0] have;
    for (int s = 0; s < 4; s++) for (int w = 0; w < 15; w++) begin
      mm_read(tern_abi_pkg::MMIO_SLOT + 16'(64 * (NumSlots - 4 + s) + 4 * w), have);
      if (have != own_words[s][w]) begin
        complain($sformatf("word %0d of own slot %0d is %h, wanted %h", w, s, have,
                           own_words[s][w]));
        copy_ok = 1'b0;
      end
    end
  endtask

  task automatic take_event();
    int unsigned r, q, slot, i;
    logic [511:0] have;
    logic [3:0] err;
    logic [511:0] want;
    ev_ready <= 1'b1;
    @(posedge clk);
    ev_ready <= 1'b0;
    q    = 32'(ev_word[15:6]);
    slot = 32'(ev_word[5:0]);
    r    = ring_of[q];
    i    = delivered[r];
    err  = want_err(r, i);
    want = err == 4'd9 ? '0 : desc(r, i);
    seen = seen + 1;
    if (err != 0) seen_err = seen_err + 1;
    if (ev_word[31:28] != 4'd1 || ev_word[27:24] != want_news(err, want[15:8],
        want[tern_abi_pkg::DESC_COUNTED_LSB] || want[tern_abi_pkg::DESC_DECIDES_LSB] ||
        want[tern_abi_pkg::DESC_LINKED_LSB]) || ev_word[23:16] != want[7:0]
        || slot_used[slot] || slot >= NumSlots - 4 || i >= fetched[r]) begin
      complain($sformatf("wrong event %h: ring %0d index %0d err %0d opcode %h used %0d", ev_word,
                         r, i, err,
               want[7:0], slot_used[slot]));
      bad_errors = bad_errors + 1;
    end
    slot_used[slot] = 1'b1;
    repeat (below(4)) @(posedge clk);
    have = want;
    for (int unsigned w = 0; w < 16; w += DataW / 32) if (seen % 8 == 0 || w / 2 == seen % 8) begin
      sl_req  <= 1'b1;
      sl_slot <= 6'(slot);
      sl_word <= 4'(w);
      do @(posedge clk); while (!sl_gnt);
      sl_req <= 1'b0;
      while (!sl_rvalid) @(posedge clk);
      have[32*w+:DataW] = sl_data;
    end
    if (have != want || sl_queue != 16'(q) || sl_fn != ring_fn[r]) begin
      complain($sformatf("wrong slot %0d: ring %0d index %0d\n# got  %h\n# want %h", slot, r, i,
                         have,
               want));
      bad_errors = bad_errors + 1;
    end
    repeat (below(8)) @(posedge clk);
    if (chance(30)) read_word(slot, q, want);
    own_slot <= 6'(slot);
    @(posedge clk);
    #1;
    if (!mm_busy && own_queue != 10'(q)) begin
      complain("wrong owner");
      bad_errors = bad_errors + 1;
    end
    slot_used[slot] = 1'b0;
    delivered[r] = i + 1;
    if (chance(50)) begin
      free_valid <= 2'b01;
      free_slot  <= {6'd63, 6'(slot)};
    end else begin
      free_valid <= 2'b10;
      free_slot  <= {6'(slot), 6'd63};
    end
  endtask

  always @(posedge clk) if (rst_n) begin
    er_ready <= chance(80);
    if (er_valid && er_ready) begin
      if (want_er.size() == 0 || want_er[0] != er_word) begin
        complain($sformatf("wrong DBERR %h", er_word));
        bad_errors = bad_errors + 1;
      end
      if (want_er.size() != 0) void'(want_er.pop_front());
    end
    if (st_fetched) fetches = fetches + 1;
  end

  // ---- the run -------------------------------------------------------------------------------
  task automatic drained(output bit all);
    all = 1'b1;
    for (int r = 0; r < int'(Rings); r++) if (delivered[r] != rung[r]) all = 1'b0;
  endtask

  task automatic drain(output bit all);
    all = 1'b0;
    for (int i = 0; i < 20000 && !all; i++) begin
      @(posedge clk);
      drained(all);
    end
  endtask

  task automatic stop_toggle(input int unsigned r);
    mm_write(tern_abi_pkg::MMIO_Q_SEL, ring_q[r]);
    if (!stopped[r]) begin
      mm_write(tern_abi_pkg::MMIO_Q_CFG, {7'd0, 1'b1, 6'd0, 2'd1, ring_fn[r], 8'(ring_log2[r])});
      stopped[r] = 1'b1;
      stop_cycle[r] = cycle;
    end else begin
      stopped[r] = 1'b0;
      mm_write(tern_abi_pkg::MMIO_Q_CFG, {14'd0, 2'd1, ring_fn[r], 8'(ring_log2[r])});
    end
  endtask

  // Measures cycles from doorbell to event, with nothing else going on.
  task automatic measure_inline();
    int unsigned from;
    bit whole;
    repeat (20) @(posedge clk);
    take_percent = 0;
    doorbells = doorbells + 1;
    rung[0] = rung[0] + 1;
    write_inline(desc(0, rung[0] - 1), whole);
    db_soon <= 10'(ring_q[0]);
    @(posedge clk);
    db_valid  <= 1'b1;
    db_fn     <= ring_fn[0];
    db_queue  <= 16'(ring_q[0]);
    db_commit <= 1'b1;
    db_inline <= 1'b1;
    db_frame  <= 48'(desc(0, rung[0] - 1));
    @(posedge clk);
    from = cycle;
    while (!db_ready) @(posedge clk);
    db_valid <= 1'b0;
    while (!ev_valid) @(posedge clk);
    latency = cycle - from;
    take_percent = 50;
  endtask

  logic [31:0] got, got2;
  bit all, live_ok, idle_ok;
  int unsigned last_rung;
  always begin
    seed_start();
    mm_valid = 1'b0;
    hrd_tag = '0;
    hrd_last = 1'b0;
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    @(posedge clk);
    for (int unsigned r = 0; r < Rings; r++) begin
      ring_q[r]    = r == 0 ? 0 : r == 1 ? NumQ - 1 : 4 + 3 * r;
      ring_of[ring_q[r]] = r;
      ring_log2[r] = r == 2 ? 0 : r == 3 ? 7 : 2 + below(4);
      ring_fn[r]   = 8'(r % 3) * 8'd2;
      ring_base[r] = 64'(ring_q[r]) << 24 | 64'(below(64) * 64) | 64'hab00_0000_0000;
      rung[r]      = r == 4 ? 32'hfffff0 : 32'(rnd() % 65536);
      fetched[r]   = rung[r];
      delivered[r] = rung[r];
      queue_make(ring_q[r], 2'd1, ring_fn[r], ring_log2[r], ring_base[r], 24'(rung[r]));
    end
    queue_make(3, 2'd2, 8'd1, 9, 64'd0, 24'd0);
    queue_make(Cq, 2'd3, 8'd1, CqLog2, CqBase, 24'd0);

    for (int s = 0; s < 4; s++) for (int w = 0; w < 15; w++) begin
      own_words[s][w] = rnd();
      mm_write(tern_abi_pkg::MMIO_SLOT + 16'(64 * (NumSlots - 4 + s) + 4 * w), own_words[s][w]);
    end
    measure_inline();
    drain(all);
    tap(all && latency <= 4, "an inline doorbell becomes an event four cycles after it is offered");
    $display("# evidence prefetch.inline cycles=%0d data_w=%0d", latency, DataW);

    ringing = 1'b1;
    repeat (Rounds) @(posedge clk);
    refuse_percent = 5;
    fail_percent = 8;
    for (int i = 0; i < int'(Rounds) / 100; i++) begin
      repeat (100) @(posedge clk);
      if (chance(60)) copy_in();
      stop_toggle(below(Rings));
      repeat (below(4)) complete();
    end
    take_percent = 3;
    stall_percent = 0;
    repeat (Rounds / 4) @(posedge clk);
    take_percent = 60;
    for (int unsigned r = 0; r < Rings; r++) if (stopped[r]) stop_toggle(r);
    ringing = 1'b0;
    drain(all);
    for (int unsigned r = 0; !all && r < Rings; r++)
      $display("# ring %0d: rung %0d fetched %0d delivered %0d", r, rung[r], fetched[r],
               delivered[r]);
    tap(all, "every descriptor that was rung is delivered");
    tap(completed > Rounds / 100 && cq_seen == completed,
        "every completion gets the next entry, once");
    tap(bad_errors == 0, "requests, events and slots are as the rings say, in ring order");
    check_own_slots();
    $display("# %0d copies, %0d waits", copies, copy_waits);
    tap(copy_ok && copies > 20 && copy_waits > 5,
        "words that RX_COPY brings stand in the firmware's own slot, and no other");
    tap(words > Rounds / 100, "the word of an answer stands in its slot before it is read");
    tap(seen > Rounds / 20 && seen_err > 50 && inlines > 50 && fetches > 100 && unslotted > 0,
        "inline, fetched and failed descriptors all came by");
    repeat (50) @(posedge clk);
    if (doorbells != 0 || bads != 0) $display("# doorbells off by %0d, bad ones by %0d",
                                              int'(doorbells), int'(bads));
    tap(doorbells == 0 && bads == 0 && want_er.size() == 0,
        "every bad doorbell is refused, no other");

    live_ok = 1'b1;
    for (int unsigned r = 0; r < Rings; r++) begin
      mm_write(tern_abi_pkg::MMIO_Q_SEL, ring_q[r]);
      mm_read(tern_abi_pkg::MMIO_Q_HEAD, got);
      mm_read(tern_abi_pkg::MMIO_Q_DB, got2);
      if (got != 32'(24'(rung[r])) || got2 != got) live_ok = 1'b0;
      mm_read(tern_abi_pkg::MMIO_Q_CFG, got);
      if (got != {14'd0, 2'd1, ring_fn[r], 8'(ring_log2[r])}) live_ok = 1'b0;
      mm_read(tern_abi_pkg::MMIO_Q_BASE_LO, got);
      mm_read(tern_abi_pkg::MMIO_Q_BASE_HI, got2);
      if ({got2, got} != ring_base[r]) live_ok = 1'b0;
    end
    mm_write(tern_abi_pkg::MMIO_Q_SEL, 3);
    mm_read(tern_abi_pkg::MMIO_Q_DB, got);
    if (got != {8'd0, rq_db}) live_ok = 1'b0;
    tap(live_ok, "queue registers show the live state");

    // The firmware's own slots: it writes each word, including the owner.
    for (int w = 0; w < 16; w++)
      mm_write(tern_abi_pkg::MMIO_SLOT + 16'(64 * (NumSlots - 1) + 4 * w),
               32'hf00d0000 + 32'(w) * 32'h101);
    mm_read(tern_abi_pkg::MMIO_SLOT + 16'(64 * (NumSlots - 1) + 20), got);
    sl_req  <= 1'b1;
    sl_slot <= 6'(NumSlots - 1);
    sl_word <= 4'd4;
    @(posedge clk);
    sl_req <= 1'b0;
    @(posedge clk);
    while (!sl_rvalid) @(posedge clk);
    tap(got == 32'hf00d0505 && sl_data[31:0] == 32'hf00d0404 && sl_queue == 16'(NumQ - 1 & 32'hf00d)
        && sl_fn == 8'h0f,
        "a firmware slot is written and read back, and carries its owner");
    mm_read(tern_abi_pkg::MMIO_SLOT + 16'(64 * 63), got);
    tap(got == 0, "a slot that does not exist reads 0");
    own_slot <= 6'd3;
    @(posedge clk);
    #1;
    got2 = 32'(own_queue);
    mm_read(tern_abi_pkg::MMIO_OWNER + 16'd12, got);
    tap(got == got2 && ring_of.exists(got), "OWNER names the queue of a slot");

    // Removes a queue: its doorbell is refused, and nothing more is fetched.
    mm_write(tern_abi_pkg::MMIO_Q_SEL, ring_q[5]);
    mm_write(tern_abi_pkg::MMIO_Q_CFG, 32'd0);
    last_rung = requests;
    want_er.push_back(dberr(ring_fn[5], 10'(ring_q[5]), 1'b0));
    db_send(ring_fn[5], ring_q[5], 1'b0, 1'b0, 24'(rung[5] + 1), '0);
    repeat (300) @(posedge clk);
    idle_ok = want_er.size() == 0 && requests == last_rung;
    tap(idle_ok && bad_errors == 0, "a removed queue is refused and not fetched");
    tap(mm_longest <= 64, "no register access takes longer than 64 cycles");
    $write("# events %0d, of them with errors %0d, inline %0d, without a slot %0d, ", seen,
           seen_err, inlines, unslotted);
    $display("fetched %0d, requests %0d, mm %0d", fetches, requests, mm_longest);
    tap_end();
  end

endmodule
`default_nettype wire
