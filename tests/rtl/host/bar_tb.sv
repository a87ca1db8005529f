// SPDX-License-Identifier: Apache-2.0
// Bench of tern_bar: random host accesses of several functions, firmware accesses to the same
// words, complete and broken doorbells, compared with a model of each access.
`default_nettype none

module bar_tb #(
  parameter int unsigned DataW  = 64,
  parameter int unsigned NumFn  = DataW == 64 ? 64 : 4,
  parameter int unsigned Rounds = 12000
);
`include "tb.svh"

  logic         bar_valid, bar_ready, bar_write, bar_rvalid;
  logic [7:0]   bar_fn, bar_be;
  logic [16:0]  bar_addr;
  logic [63:0]  bar_wdata, bar_rdata;
  logic         mm_valid, mm_we, mm_ready, mm_rvalid;
  logic [15:0]  mm_addr;
  logic [31:0]  mm_wdata, mm_rdata;
  logic [63:0]  cycle64, instret, awake;
  logic [31:0]  sum, sum_high;
  logic [2:0]   sum_of;
  int unsigned  turn = 0;
  logic         core_hold, path_ask, path_busy = 1'b0, log_pop;
  int unsigned  asks = 0;
  always @(posedge clk) if (path_ask) asks = asks + 1;
  logic [31:0]  log_data;
  logic         db_valid, db_ready, db_inline, db_commit, ev_valid, ev_ready, tr_first;
  logic [7:0]   db_fn;
  logic [15:0]  db_queue, tr_queue;
  logic [23:0]  db_index;
  logic [511:0] db_desc;     // contents of the slot
  logic [47:0]  db_frame;
  logic [9:0]   db_soon;
  logic in_near;
  logic [DataW/32-1:0] in_we;
  logic [3:0]   in_word;
  logic [DataW-1:0] in_data;
  logic         in_ready = 1'b1, in_slot = 1'b1;
  logic [31:0]  ev_word;

  localparam logic [15:0] Node = 16'h1234, Dims = 16'h5678;
  localparam logic [31:0] Clock = 32'd62500000, Status = 32'habcdee05, FwVersion = 32'h00010203;
  localparam logic [31:0] Drops = 32'h00d0d0d0;

  tern_bar #(.DataW(DataW), .NumFn(NumFn), .NumQ(96), .NumRegions(256), .NumCtr(48)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .bar_valid_i(bar_valid), .bar_ready_o(bar_ready), .bar_write_i(bar_write), .bar_fn_i(bar_fn),
    .bar_addr_i(bar_addr), .bar_wdata_i(bar_wdata), .bar_be_i(bar_be), .bar_rvalid_o(bar_rvalid),
    .bar_rdata_o(bar_rdata),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(mm_ready), .mm_rvalid_o(mm_rvalid), .mm_rdata_o(mm_rdata),
    .node_i(Node), .dims_i(Dims), .clock_hz_i(Clock), .fw_status_i(Status), .link_up_i(2'b10),
    .incarnation_i(8'h07), .fw_version_i(FwVersion), .cycle_i(cycle64), .sum_i(sum),
    .sum_of_i(sum_of),
    .core_hold_o(core_hold), .path_ask_o(path_ask), .path_busy_i(path_busy),
    .log_pop_o(log_pop), .log_data_i(log_data),
    .db_valid_o(db_valid), .db_ready_i(db_ready), .db_fn_o(db_fn), .db_queue_o(db_queue),
    .db_inline_o(db_inline), .db_commit_o(db_commit), .db_index_o(db_index), .db_frame_o(db_frame),
    .db_soon_o(db_soon), .in_near_o(in_near),
    .in_we_o(in_we), .in_word_o(in_word), .in_data_o(in_data),
    .in_ready_i(in_ready), .in_slot_i(in_slot), .ev_bar_valid_o(ev_valid),
    .ev_bar_ready_i(ev_ready), .ev_bar_o(ev_word), .tr_db_first_o(tr_first),
    .tr_db_queue_o(tr_queue)
  );

  // The counters cross 2^32 often, to detect a low and a high word of different values.
  always @(posedge clk) begin
    cycle64 <= cycle64 + 64'h2000_0001;
    instret <= instret + 64'h1fff_ffff;
    awake   <= awake + 64'h3000_0000;
    if (log_pop) log_data <= log_data + 1;
  end

  // Sums arrive as from tern_stats: a high word after its low word, others in between.
  always @(posedge clk) begin
    turn   <= turn == 39 ? 0 : turn + 1;
    sum_of <= 3'b000;
    sum    <= turn == 7 || turn == 9 ? sum_high : $urandom();
    if (turn == 6) {sum_high, sum, sum_of} <= {instret, 3'b010};
    if (turn == 8) {sum_high, sum, sum_of} <= {awake, 3'b100};
    if (turn == 5) {sum, sum_of}           <= {Drops, 3'b001};
  end

  int unsigned bad = 0, stalls = 0, taken = 0;
  task automatic wrong(input string what);
    complain(what);
    bad = bad + 1;
  endtask

  // ---- host and firmware accesses ---------------------------------------------------
  task automatic write(input logic [7:0] fn, input logic [16:0] addr, input logic [63:0] value,
                       input logic [7:0] be);
    bar_valid <= 1'b1;
    bar_write <= 1'b1;
    bar_fn    <= fn;
    bar_addr  <= {addr[16:3], 3'd0};
    bar_wdata <= value;
    bar_be    <= be;
    @(posedge clk);
    while (!bar_ready) begin
      stalls = stalls + 1;
      @(posedge clk);
    end
    taken = cycle;
    bar_valid <= 1'b0;
    @(posedge clk);  // two assignments in one time step have no defined order
  endtask
  task automatic write32(input logic [7:0] fn, input logic [16:0] addr, input logic [31:0] value);
    write(fn, addr, {value, value}, addr[2] ? 8'hf0 : 8'h0f);
  endtask

  task automatic read(input logic [7:0] fn, input logic [16:0] addr, input logic [7:0] be,
                      output logic [63:0] got);
    bar_valid <= 1'b1;
    bar_write <= 1'b0;
    bar_fn    <= fn;
    bar_addr  <= {addr[16:3], 3'd0};
    bar_be    <= be;
    bar_wdata <= {rnd(), rnd()};
    @(posedge clk);
    while (!bar_ready) @(posedge clk);
    bar_valid <= 1'b0;
    @(posedge clk);
    while (!bar_rvalid) @(posedge clk);
    got = bar_rdata;
  endtask
  task automatic read32(input logic [7:0] fn, input logic [16:0] addr, output logic [31:0] got);
    logic [63:0] pair;
    read(fn, addr, addr[2] ? 8'hf0 : 8'h0f, pair);
    got = addr[2] ? pair[63:32] : pair[31:0];
  endtask

  `include "mm.svh"

  // ---- doorbells: the expected sequence ---------------------------------------------
  // {inline, commit, fn, queue, index}; the number of a write identifies its descriptor
  logic [49:0]  want_db [$];
  int unsigned  want_desc [$];
  int unsigned  db_seen = 0, db_inlines = 0, db_percent = 40, first_seen = 0;
  logic [49:0]  wdb;
  int unsigned  wdesc;
  bit           desc_ok;

  function automatic logic [31:0] desc_word(input int unsigned n, input int unsigned w);
    return (n * 32'h01000193) ^ (w * 32'h9e3779b1);
  endfunction

  // The slot: when it is taken, another follows, at once or after a while.
  int unsigned in_percent = 80, slot_percent = 97;
  bit slotless = 1'b0;
  always @(posedge clk) begin
    in_ready <= chance(in_percent);
    if (in_we != '0 && !(in_ready && (in_slot || in_word[3:1] != '0))) wrong("a word nobody takes");
    if (in_we != '0 && !in_near) wrong("a word that was not announced");
    if (in_we != '0 && db_valid && db_inline) wrong("a word into a slot that is given away");
    for (int unsigned b = 0; b < DataW / 32; b++)
      if (in_we[b]) db_desc[32*(32'(in_word)+b)+:32] <= in_data[32*b+:32];
    if (!in_slot) slotless = 1'b1;
    if (!in_slot) in_slot <= chance(5);
    else if (db_valid && db_ready && db_inline) in_slot <= chance(slot_percent);
  end

  always @(posedge clk) begin
    db_ready <= chance(db_percent);
    if (tr_first) first_seen = first_seen + 1;
    if (db_valid && db_ready) begin
      db_seen = db_seen + 1;
      wdb = '1;
      wdesc = 0;
      if (want_db.size() != 0) begin
        wdb = want_db.pop_front();
        wdesc = want_desc.pop_front();
      end
      // If the slot was missing at some time since the last doorbell, the descriptor may be
      // missing.
      if (!db_inline && slotless) wdb[49] = 1'b0;
      slotless = !in_slot;
      if ({db_inline, db_commit, db_fn, db_queue, db_commit ? 24'd0 : db_index} != wdb)
        wrong($sformatf("doorbell fn %0d queue %0d inline %0d commit %0d index %0d", db_fn,
                        db_queue, db_inline,
              db_commit, db_index));
      if (db_inline) begin
        db_inlines = db_inlines + 1;
        desc_ok = 1'b1;
        if (db_frame != db_desc[47:0]) desc_ok = 1'b0;
        for (int unsigned w = 0; w < 16; w++)
          if (db_desc[32*w+:32] != desc_word(wdesc, w)) desc_ok = 1'b0;
        if (!desc_ok) wrong("inline descriptor damaged");
      end
    end
  end

  int unsigned inline_n = 0;
  function automatic logic [16:0] window(input int unsigned q);
    return 17'(tern_abi_pkg::BAR_DB + q * tern_abi_pkg::BAR_DB_STRIDE);
  endfunction

  task automatic expect_db(input bit inl, input bit commit, input logic [7:0] fn,
                           input int unsigned q, input logic [23:0] index, input int unsigned n);
    want_db.push_back({inl, commit, fn, 16'(q), index});
    want_desc.push_back(n);
  endtask

  // Writes eight beats in eight cycles, if the port takes them.
  task automatic ring_fast(input logic [7:0] fn, input int unsigned q, input int unsigned n);
    expect_db(1'b1, 1'b1, fn, q, 24'd0, n);
    for (int unsigned i = 0; i < 8; i++) begin
      bar_valid <= 1'b1;
      bar_write <= 1'b1;
      bar_fn    <= fn;
      bar_addr  <= window(q) + 17'(8 * i);
      bar_wdata <= {desc_word(n, 2 * i + 1), desc_word(n, 2 * i)};
      bar_be    <= 8'hff;
      @(posedge clk);
      while (!bar_ready) @(posedge clk);
    end
    bar_valid <= 1'b0;
    @(posedge clk);
  endtask

  // Writes a descriptor in beats of 8 or 4 bytes. `harm`: 1 omits a word, 2 exchanges two beats, 3
  // lets another function write into its own window in between, 4 repeats the start.
  task automatic ring_inline(input logic [7:0] fn, input int unsigned q, input int unsigned harm);
    int unsigned n, w, at, first;
    bit spoilt;
    n = inline_n;
    inline_n = n + 1;
    at = 1 + below(13);
    spoilt = 1'b0;
    if (harm == 0 && chance(50)) begin
      ring_fast(fn, q, n);
      w = 16;
    end else w = 0;
    while (w < 16) begin
      first = w;
      if (harm == 1 && w == (at & ~1)) begin
        w = w + 2;
        spoilt = 1'b1;
      end else if (harm == 2 && w == (at & ~1) && w < 12) begin
        write(fn, window(q) + 17'(4 * w + 8), {desc_word(n, w + 3), desc_word(n, w + 2)}, 8'hff);
        write(fn, window(q) + 17'(4 * w), {desc_word(n, w + 1), desc_word(n, w)}, 8'hff);
        spoilt = 1'b1;
        w = w + 4;
      end else begin
        if (harm == 3 && w == (at & ~1) && w != 0) begin
          write(8'(32'(fn) + 1) % 8'(NumFn), window(q) + 17'(8 * below(7)), {rnd(), rnd()}, 8'hff);
          spoilt = 1'b1;
        end
        if (harm == 4 && w == 8) begin
          write(fn, window(q), {desc_word(n, 1), desc_word(n, 0)}, 8'hff);
          spoilt = 1'b1;
        end
        if (w % 2 == 1 || chance(25)) begin
          if (w == 15) expect_db(!spoilt, 1'b1, fn, q, 24'd0, n);
          write32(fn, window(q) + 17'(4 * w), desc_word(n, w));
          w = w + 1;
        end else begin
          if (w == 14) expect_db(!spoilt, 1'b1, fn, q, 24'd0, n);
          write(fn, window(q) + 17'(4 * w), {desc_word(n, w + 1), desc_word(n, w)}, 8'hff);
          w = w + 2;
        end
      end
      if (chance(10)) @(posedge clk);
      if (first == w) wrong("bench does not move");
    end
  endtask

  // ---- function words ---------------------------------------------------------------------
  logic [31:0] words [0:64*32-1];
  int unsigned want_ev = 0;
  logic [7:0]  ctrl_value [64];
  bit          ctrl_open [64];
  int unsigned ctrl_writes = 0, ctrl_events = 0, ev_percent = 30;

  always @(posedge clk) begin
    ev_ready <= chance(ev_percent);
    if (ev_valid && ev_ready) begin
      ctrl_events = ctrl_events + 1;
      if (ev_word[31:16] != 16'h4000 || !ctrl_open[ev_word[5:0]]) wrong("BAR event of nothing");
      ctrl_seen[ev_word[5:0]] = ev_word[15:8];
    end
  end
  logic [7:0] ctrl_seen [64];

  // Of the words with odd index the host may write AQ_BASE_HI alone.
  function automatic bit hosts(input int unsigned w);
    return w % 2 == 0 || 17'(tern_abi_pkg::BAR_FN_REGS + 4 * w) == tern_abi_pkg::REG_AQ_BASE_HI;
  endfunction

  task automatic fn_words();
    int unsigned fn, w;
    logic [63:0] v, got;
    logic [31:0] got32;
    fn = below(NumFn);
    w  = below(32);
    v  = {rnd(), rnd()};
    case (below(5))
      0: begin
        if (w / 2 == 0) ctrl(fn, v[31:0]);
        words[fn*32+(w&~1)] = v[31:0];
        if (hosts(w | 1)) words[fn*32+(w|1)] = v[63:32];
        write(8'(fn), 17'(tern_abi_pkg::BAR_FN_REGS + 4 * w), v, 8'hff);
      end
      1: begin
        if (w == 0) ctrl(fn, v[31:0]);
        if (hosts(w)) words[fn*32+w] = v[31:0];
        write32(8'(fn), 17'(tern_abi_pkg::BAR_FN_REGS + 4 * w), v[31:0]);
      end
      2: begin
        read(8'(fn), 17'(tern_abi_pkg::BAR_FN_REGS + 4 * w), 8'hff, got);
        if (got != {words[fn*32+(w|1)],
                    words[fn*32+(w&~1)]}) wrong("function word read by the host");
      end
      3: begin
        words[fn*32+w] = v[31:0];
        mm(1'b1, tern_abi_pkg::MMIO_FN + 16'(128 * fn + 4 * w), v[31:0], got32);
      end
      default: begin
        mm(1'b0, tern_abi_pkg::MMIO_FN + 16'(128 * fn + 4 * w), 0, got32);
        if (got32 != words[fn*32+w]) wrong("function word read by the firmware");
      end
    endcase
  endtask

  task automatic ctrl(input int unsigned fn, input logic [31:0] v);
    ctrl_value[fn] = v[7:0];
    ctrl_open[fn]  = 1'b1;
    ctrl_writes = ctrl_writes + 1;
  endtask

  // ---- the run ------------------------------------------------------------------------------
  logic [63:0] pair, again;
  logic [31:0] lo, hi, got;
  bit good;
  int unsigned latency;

  task automatic page(input logic [7:0] fn, input logic [16:0] addr, input logic [31:0] want,
                      input string name);
    logic [31:0] v;
    read32(fn, addr, v);
    if (v != want) wrong($sformatf("register %s of function %0d reads %h, not %h", name, fn, v,
                                   want));
  endtask

  initial begin
    cycle64 = 64'hffff_0000;
    instret = 64'h1234_0000_0000;
    awake   = 64'd5;
    log_data = 32'h100;
    bar_valid = 1'b0;
    mm_valid = 1'b0;
    db_ready = 1'b0;
    ev_ready = 1'b0;
    for (int i = 0; i < 64 * 32; i++) words[i] = '0;
    for (int i = 0; i < 64; i++) ctrl_open[i] = 1'b0;
  end

  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    @(posedge clk);
    for (int unsigned f = 0; f < NumFn; f++) begin
      page(8'(f), tern_abi_pkg::REG_FN_STATUS, 32'd0, "FN_STATUS");
      page(8'(f), tern_abi_pkg::REG_FUNCTION, f, "FUNCTION");
    end
    tap(bad == 0, "function words read 0 after reset");

    page(8'd1, tern_abi_pkg::REG_MAGIC, tern_abi_pkg::ABI_MAGIC, "MAGIC");
    page(8'd1, tern_abi_pkg::REG_VERSION, tern_abi_pkg::ABI_VERSION, "VERSION");
    page(8'd0, tern_abi_pkg::REG_CONFIG, {16'd64, 8'd2, 8'(DataW)}, "CONFIG");
    page(8'd0, tern_abi_pkg::REG_LIMITS, {16'(NumFn), 16'd96}, "LIMITS");
    page(8'd2, tern_abi_pkg::REG_NODE, 32'(Node), "NODE");
    page(8'd2, tern_abi_pkg::REG_DIMS, 32'(Dims), "DIMS");
    page(8'd3, tern_abi_pkg::REG_STATUS, {Status[31:16], 8'h02, Status[7:0]}, "STATUS");
    page(8'd3, tern_abi_pkg::REG_INCARNATION, 32'd7, "INCARNATION");
    page(8'd3, tern_abi_pkg::REG_REGIONS, {16'd48, 16'd256}, "REGIONS");
    page(8'd0, tern_abi_pkg::REG_CLOCK_HZ, Clock, "CLOCK_HZ");
    page(8'd0, tern_abi_pkg::REG_FW_VERSION, FwVersion, "FW_VERSION");
    page(8'd1, tern_abi_pkg::REG_DROPS, Drops, "DROPS");
    page(8'd1, 17'h048, 32'd0, "hole");
    page(8'd0, 17'h080, 32'd0, "hole");
    page(8'd0, 17'h180, 32'd0, "hole");
    page(8'd0, 17'h800, 32'd0, "hole");
    page(8'd0, 17'h1040, 32'd0, "DB_INDEX");
    page(8'(NumFn), tern_abi_pkg::REG_MAGIC, 32'd0, "MAGIC");
    page(8'(NumFn), tern_abi_pkg::REG_FN_STATUS, 32'd0, "FN_STATUS");
    tap(bad == 0, "page 0 shows what it is given, and 0 elsewhere");

    // 64-bit counters: a read of the pair returns one value, and so do two single reads.
    for (int i = 0; i < 200; i++) begin
      read(8'(i % 2), tern_abi_pkg::REG_CYCLE_LO, 8'hff, pair);
      if (cycle64 - pair > 64'h2000_0001 * 4 || cycle64 - pair == 0) wrong("CYCLE pair torn");
      read32(8'd0, tern_abi_pkg::REG_INSTRET_LO, lo);
      again = instret;
      read32(8'd1, tern_abi_pkg::REG_BUSY_LO, got);
      pair = awake;
      read32(8'd0, tern_abi_pkg::REG_INSTRET_HI, hi);
      if (again - {hi, lo} > 64'h1fff_ffff * 6) wrong("INSTRET high word is not the one kept");
      read32(8'd1, tern_abi_pkg::REG_BUSY_HI, hi);
      if (pair - {hi, got} > 64'h3000_0000 * 6) wrong("BUSY high word is not the one kept");
      read(8'd1, tern_abi_pkg::REG_INSTRET_LO, 8'hff, pair);
      if (instret - pair > 64'h1fff_ffff * 6) wrong("INSTRET pair torn");
      read32(8'd1, tern_abi_pkg::REG_INSTRET_HI, hi);
      if (hi != pair[63:32]) wrong("INSTRET pair keeps another high word");
      read(8'd1, tern_abi_pkg::REG_BUSY_LO, 8'hff, pair);
      if (awake - pair > 64'h3000_0000 * 6) wrong("BUSY pair torn");
    end
    tap(bad == 0, "64-bit counters are never torn");

    mm(1'b1, tern_abi_pkg::MMIO_FN + 16'(128 + 4), 32'h0012_3401, got);  // FN_STATUS of function 1
    write(8'd1, tern_abi_pkg::REG_FN_CTRL & ~17'd7, {32'h0013_0000, 32'd0}, 8'hf0);
    page(8'd1, tern_abi_pkg::REG_FN_STATUS, 32'h0012_3401, "FN_STATUS");
    write32(8'd1, tern_abi_pkg::REG_FN_ERROR, 32'hffff_ffff);
    write32(8'd1, tern_abi_pkg::REG_AQ_QUEUE, 32'hffff_ffff);
    page(8'd1, tern_abi_pkg::REG_FN_ERROR, 32'd0, "FN_ERROR");
    page(8'd1, tern_abi_pkg::REG_AQ_QUEUE, 32'd0, "AQ_QUEUE");
    words[32+1] = 32'h0012_3401;
    tap(bad == 0, "what the firmware says of a function the host does not overwrite");

    path_busy = 1'b0;
    asks = 0;
    write32(8'd1, tern_abi_pkg::REG_CORE_CTRL, 32'd1);
    @(posedge clk);
    good = !core_hold;
    write32(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd1);
    page(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd1, "CORE_CTRL");
    page(8'd1, tern_abi_pkg::REG_CORE_CTRL, 32'd0, "CORE_CTRL");
    good = good && core_hold && asks == 0;
    write32(8'd1, tern_abi_pkg::REG_CORE_CTRL, 32'd3);
    write32(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd2);   // without the core: no reset
    repeat (3) @(posedge clk);
    good = good && !core_hold && asks == 0;
    write32(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd3);
    repeat (3) @(posedge clk);
    good = good && core_hold && asks == 1;
    path_busy = 1'b1;
    page(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd3, "CORE_CTRL");
    path_busy = 1'b0;
    write32(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd0);
    @(posedge clk);
    good = good && !core_hold;
    read32(8'd1, tern_abi_pkg::REG_LOG_POP, got);
    good = good && got == 0 && log_data == 32'h100;
    read32(8'd0, tern_abi_pkg::REG_CORE_CTRL, got);
    good = good && log_data == 32'h100;
    read32(8'd0, tern_abi_pkg::REG_LOG_POP, got);
    good = good && got == 32'h100 && log_data == 32'h101;
    tap(good && bad == 0, "only function 0 holds the core, resets the datapath and pops the log");

    repeat (int'(Rounds)) begin
      case (below(4))
        0: ring_inline(8'(below(NumFn)), below(992), chance(60) ? 0 : 1 + below(4));
        1: begin
          lo = rnd();
          hi = below(992);
          expect_db(1'b0, 1'b0, 8'(32'(lo[31:24]) % NumFn), hi, lo[23:0], 0);
          write32(8'(32'(lo[31:24]) % NumFn), window(hi) + 17'(tern_abi_pkg::DB_INDEX),
                  {8'd0, lo[23:0]});
        end
        default: fn_words();
      endcase
      // Writes of a function that does not exist have no effect.
      if (chance(2)) write(8'(NumFn), window(below(992)) + 17'h40, {rnd(), rnd()}, 8'hff);
      if (chance(2)) write(8'd255, 17'(tern_abi_pkg::BAR_FN_REGS), {rnd(), rnd()}, 8'hff);
    end
    ev_percent = 100;
    repeat (500) @(posedge clk);
    tap(bad == 0 && want_db.size() == 0 && db_seen > Rounds / 4,
        "doorbells come once, in order; broken inline descriptors come without the descriptor");
    tap(db_inlines > Rounds / 10 && db_inlines < inline_n, "whole and broken descriptors came by");
    good = ctrl_events > 10 && ctrl_events <= ctrl_writes;
    for (int f = 0; f < int'(NumFn); f++)
      if (ctrl_open[f] && ctrl_seen[f] != ctrl_value[f]) good = 1'b0;
    tap(good, "the last FN_CTRL value of every function reaches the firmware");

    // Full rate while BAR events are not taken, as when the core does not run.
    ev_percent = 0;
    db_percent = 100;
    in_percent = 100;
    slot_percent = 100;
    repeat (5) @(posedge clk);
    stalls = 0;
    for (int i = 0; i < 64; i++) begin
      bar_valid <= 1'b1;
      bar_write <= 1'b1;
      bar_fn    <= 8'd1;
      bar_addr  <= window(5) + 17'(8 * (i % 8));
      bar_wdata <= {desc_word(inline_n, 2 * (i % 8) + 1), desc_word(inline_n, 2 * (i % 8))};
      bar_be    <= 8'hff;
      if (i % 8 == 7) expect_db(1'b1, 1'b1, 8'd1, 5, 24'd0, inline_n);
      @(posedge clk);
      while (!bar_ready) begin
        stalls = stalls + 1;
        @(posedge clk);
      end
      if (i % 8 == 7) inline_n = inline_n + 1;
    end
    bar_valid <= 1'b0;
    @(posedge clk);
    write32(8'd1, tern_abi_pkg::REG_FN_CTRL, 32'd1);
    write32(8'd1, tern_abi_pkg::REG_FN_CTRL, 32'd2);
    write32(8'd2, tern_abi_pkg::REG_FN_CTRL, 32'd1);
    write32(8'd0, tern_abi_pkg::REG_CORE_CTRL, 32'd1);
    repeat (20) @(posedge clk);
    tap(stalls <= (DataW == 64 ? 8 : 72) && bad == 0 && want_db.size() == 0 && core_hold,
        "a write beat a cycle (at 32 bits two), one more for a descriptor; no BAR event holds up the port");
    $display("# evidence bar.rate beats=64 stalls=%0d data_w=%0d", stalls, DataW);

    db_percent = 0;
    repeat (3) @(posedge clk);
    expect_db(1'b0, 1'b0, 8'd0, 3, 24'd9, 0);
    write32(8'd0, window(3) + 17'h40, 32'd9);
    while (!db_valid) @(posedge clk);
    latency = cycle - taken;
    db_percent = 100;
    repeat (5) @(posedge clk);
    tap(latency <= 1 && bad == 0, "a doorbell is offered one cycle after its last beat");
    $display("# doorbells %0d, inline %0d of %0d, FN_CTRL %0d, events %0d", db_seen, db_inlines,
             inline_n, ctrl_writes, ctrl_events);
    tap_end();
  end

endmodule
`default_nettype wire
