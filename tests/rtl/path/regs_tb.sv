// SPDX-License-Identifier: Apache-2.0
// Bench of tern_mmio and tern_stats: the core's view of events, registers, log and statistics.
//
// A fake block on the register bus answers addresses from 0x100 on, after random waits; address
// 0x300 belongs to no block. Plusargs: +seed=N.

`default_nettype none

module regs_tb;
  parameter int unsigned DataW = 64;
  localparam int Rows = tern_abi_pkg::STAT_RX_NOT_MEMBER + 1;

  logic clk = 0, rst_n = 0, core_rst_n = 0;
  always #5 clk = !clk;
  int cycle = 0;
  always @(posedge clk) cycle <= cycle + 1;

  task automatic tick();
    @(posedge clk);
    #1;
  endtask

  // ------------------------------------------------------------------ the blocks
  logic        cm_valid = 0, cm_ready, cm_we = 0, cm_rvalid, cm_err;
  logic [3:0]  cm_be = 4'hf;
  logic [15:0] cm_addr = 0;
  logic [31:0] cm_wdata = 0, cm_rdata;
  logic        mm_valid, mm_we, st_ready, st_rvalid, fk_ready, fk_rvalid = 0;
  logic [15:0] mm_addr;
  logic [31:0] mm_wdata, st_rdata, fk_rdata = 0;
  // Event sources in the order of EV_POP.
  logic [7:0]  src_valid, src_ready;
  logic [31:0] src_word [8];
  logic [3:0]  src_type [8];
  logic        irq_ext, irq_timer, bite, retire = 0, sleep = 0, log_pop = 0, held = 0,
      copy_near = 0;
  logic [31:0] fw_status, fw_version, log_data;
  logic [63:0] cycles;
  logic        retired, awake;
  logic        tr_pop, tr_write, tr_sleep, tr_wake;
  logic [15:0] tr_pop_id, tr_write_id;

  tern_mmio #(.DataW(DataW)) u_mmio (
    .clk_i(clk), .rst_ni(rst_n), .core_rst_ni(core_rst_n),
    .cm_valid_i(cm_valid), .cm_ready_o(cm_ready), .cm_we_i(cm_we), .cm_be_i(cm_be),
    .cm_addr_i(cm_addr), .cm_wdata_i(cm_wdata), .cm_rvalid_o(cm_rvalid), .cm_rdata_o(cm_rdata),
    .cm_err_o(cm_err),
    .mm_valid_o(mm_valid), .mm_we_o(mm_we), .mm_addr_o(mm_addr), .mm_wdata_o(mm_wdata),
    .mm_ready_i(st_ready || fk_ready), .mm_rvalid_i(st_rvalid || fk_rvalid),
    .mm_rdata_i(st_rdata | (fk_rvalid ? fk_rdata : 0)),
    .ev_op_valid_i(src_valid[0]), .ev_op_ready_o(src_ready[0]), .ev_op_i(src_word[0]),
    .ev_hwr_valid_i(src_valid[1]), .ev_hwr_ready_o(src_ready[1]), .ev_hwr_i(src_word[1]),
    .ev_rx_valid_i(src_valid[2]), .ev_rx_ready_o(src_ready[2]), .ev_rx_i(src_word[2]),
    .ev_link_valid_i(src_valid[3]), .ev_link_ready_o(src_ready[3]), .ev_link_i(src_word[3]),
    .ev_bar_valid_i(src_valid[4]), .ev_bar_ready_o(src_ready[4]), .ev_bar_i(src_word[4]),
    .ev_dberr_valid_i(src_valid[5]), .ev_dberr_ready_o(src_ready[5]), .ev_dberr_i(src_word[5]),
    .ev_ctr_valid_i(src_valid[6]), .ev_ctr_ready_o(src_ready[6]), .ev_ctr_i(src_word[6]),
    .ev_desc_valid_i(src_valid[7]), .ev_desc_ready_o(src_ready[7]), .ev_desc_i(src_word[7]),
    .irq_external_o(irq_ext), .irq_timer_o(irq_timer), .wdog_bite_o(bite), .boot_state_i(8'd3),
    .fw_status_o(fw_status), .fw_version_o(fw_version), .cycle_o(cycles), .retired_o(retired),
    .awake_o(awake), .retire_i(retire), .sleep_i(sleep), .copy_near_i(copy_near),
    .dbg_stopped_i(held), .incarnation_i(8'd9), .reset_cause_i(2'd2), .node_i(16'h0123),
    .dims_i(16'h0456), .clock_hz_i(32'd62500000), .host_latency_i(16'd777), .log_pop_i(log_pop),
    .log_data_o(log_data), .tr_fw_pop_o(tr_pop), .tr_fw_pop_id_o(tr_pop_id),
    .tr_fw_write_o(tr_write), .tr_fw_write_id_o(tr_write_id), .tr_sleep_o(tr_sleep),
    .tr_wake_o(tr_wake)
  );

  // Increments, one slice per row, in the order of stat.def.
  logic [10:0] inc [Rows];
  logic        fault_r = 0, fault_w = 0;
  longint      total [Rows];
  logic [31:0] sum, drops, drops_model = 0;
  logic [63:0] instructions, busy, instructions_model = 0, busy_model = 0;
  logic [2:0]  sum_of, sum_of_q = 0;

  tern_stats u_stats (
    .clk_i(clk), .rst_ni(rst_n),
    .st_tx_pkt_i(inc[0][0]), .st_tx_bytes_i(inc[1]), .st_rx_pkt_i(inc[2][0]),
    .st_rx_put_i(inc[3][0]), .st_rx_put_bytes_i(inc[4]), .st_rx_fw_i(inc[5][0]),
    .st_rx_ack_i(inc[6][0]), .st_rx_nak_i(inc[7][0]), .st_tx_ack_i(inc[8][0]),
    .st_tx_nak_i(inc[9][0]), .st_bad_crc_i(inc[10][0]), .st_bad_type_i(inc[11][0]),
    .st_bad_len_i(inc[12][0]), .st_bad_dst_i(inc[13][0]), .st_rx_refused_i(inc[14][0]),
    .st_stale_ack_i(inc[15][0]), .st_hrd_i(inc[16][0]), .st_hrd_bytes_i(inc[17][8:0]),
    .st_hwr_i(inc[18][0]), .st_hwr_bytes_i(inc[19]), .st_hrd_fault_i(fault_r),
    .st_hwr_fault_i(fault_w), .st_doorbell_i(inc[21][0]), .st_inline_i(inc[22][0]),
    .st_fetched_i(inc[23][0]), .st_bad_db_i(inc[24][0]), .st_check_i(inc[25][0]),
    .st_key_refused_i(inc[26][0]), .st_irq_i(inc[27][0]), .st_link_bad_hdr_i(inc[28][1:0]),
    .st_link_bad_crc_i(inc[29][1:0]), .st_fwd_i(inc[30][1:0]), .st_down_drop_i(inc[31][1:0]),
    .st_link_down_i(inc[32][1:0]), .st_link_sent_i(inc[33][1:0]), .st_core_reset_i(inc[34][0]),
    .st_not_member_i(inc[35][0]), .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr),
    .mm_ready_o(st_ready), .mm_rvalid_o(st_rvalid), .mm_rdata_o(st_rdata), .retired_i(retired),
    .awake_i(awake), .sum_o(sum), .sum_of_o(sum_of)
  );

  // The outputs to tern_bar: a low word, and in the next cycle its high word.
  always @(posedge clk) begin
    sum_of_q <= sum_of;
    if (sum_of[0])   drops               <= sum;
    if (sum_of[1])   instructions[31:0]  <= sum;
    if (sum_of_q[1]) instructions[63:32] <= sum;
    if (sum_of[2])   busy[31:0]          <= sum;
    if (sum_of_q[2]) busy[63:32]         <= sum;
    if (rst_n && retired) instructions_model++;
    if (rst_n && awake)   busy_model++;
  end

  bit counting = 0;
  // At the maximum rates of the hardware: some rows every cycle, links two at a time, others every
  // third cycle.
  int happened [Rows];
  function automatic int gain(input int r, input int event_row);
    if (!counting) return 0;
    case (r)
      1, 4:           return happened[event_row] * (1 + int'(tap_pkg::below(300)));
      17:             return happened[event_row] * (1 + int'(tap_pkg::below(100)));
      19:             return happened[event_row] * (1 + int'(tap_pkg::below(100)));
      16, 18, 20, 21: return int'(!tap_pkg::one_in(3));
      default:
        if (cycle % 3 != r % 3) return 0;
        else return r >= 28 && r < 34 ? int'(tap_pkg::below(4)) : int'(!tap_pkg::one_in(3));
    endcase
  endfunction

  always @(posedge clk) begin
    for (int r = 0; r < Rows; r++) begin
      int n;
      n = gain(r, r - 1);
      happened[r] = n;
      if (r == 20) begin
        fault_r <= n != 0;
        fault_w <= n != 0 && cycle % 2 == 0;
        total[r] += longint'(n != 0) + longint'(n != 0 && cycle % 2 == 0);
        n = 0;
      end else total[r] += longint'(n);
      inc[r] <= 11'(n);
      if (r == 10 || r == 11 || r == 12 || r == 13 || r == 28 || r == 31) drops_model += 32'(n);
    end
  end

  // ------------------------------------------------------------------ a slow block
  int fk_wait = -1;
  logic [31:0] fk_mem [64];
  assign fk_ready = mm_addr[15:8] == 8'h01 && fk_wait < 0 && cycle % 3 == 0;
  always @(posedge clk) begin
    fk_rvalid <= 0;
    if (mm_valid && fk_ready) begin
      fk_wait <= int'(tap_pkg::below(90));
      if (mm_we) fk_mem[mm_addr[7:2]] = mm_wdata;
      fk_rdata <= mm_we ? 0 : fk_mem[mm_addr[7:2]];
    end else if (fk_wait > 0) fk_wait <= fk_wait - 1;
    else if (fk_wait == 0) begin
      fk_wait   <= -1;
      fk_rvalid <= 1;
    end
  end

  // ------------------------------------------------------------------ event sources
  int   src_no [8], src_taken [8];
  bit   src_on = 0, src_more = 0;   // more: an event may directly follow another
  always @(posedge clk) begin
    for (int s = 0; s < 8; s++) begin
      if (src_valid[s] && src_ready[s]) begin
        src_valid[s] <= src_more && tap_pkg::one_in(2);
        src_no[s]++;
      end else if (src_on && rst_n && tap_pkg::one_in(40)) src_valid[s] <= 1;
      src_word[s] <= {src_type[s], 28'(src_no[s])};
    end
  end

  // ------------------------------------------------------------------ accesses
  int own_latency = 0;
  task automatic cm(input bit we, input logic [15:0] addr, input logic [31:0] data,
                    input logic [3:0] be, output logic [31:0] answer, output bit err);
    int t0;
    cm_valid = 1; cm_we = we; cm_addr = addr; cm_wdata = data; cm_be = be;
    do @(posedge clk); while (!cm_ready);
    t0 = cycle;
    #1;
    cm_valid = 0;
    do @(posedge clk); while (!cm_rvalid);
    answer = cm_rdata;
    err = cm_err;
    own_latency = cycle - t0;
    #1;
  endtask
  task automatic rd(input logic [15:0] addr, output logic [31:0] answer);
    bit err;
    cm(0, addr, 0, 4'hf, answer, err);
    tap_pkg::expect_true(!err, $sformatf("read of %04x refused", addr));
  endtask
  task automatic wr(input logic [15:0] addr, input logic [31:0] data);
    bit err;
    logic [31:0] unused;
    cm(1, addr, data, 4'hf, unused, err);
    tap_pkg::expect_true(!err, $sformatf("write of %04x refused", addr));
  endtask
  task automatic is(input logic [15:0] addr, input logic [31:0] want);
    logic [31:0] r;
    rd(addr, r);
    tap_pkg::expect_true(r == want, $sformatf("%04x reads %08x, wanted %08x", addr, r, want));
  endtask
  task automatic refused(input bit we, input logic [15:0] addr, input logic [3:0] be);
    logic [31:0] r;
    bit err;
    cm(we, addr, 0, be, r, err);
    tap_pkg::expect_true(err, $sformatf("access to %04x was let through", addr));
  endtask

  int copy_left = 0;
  always @(posedge clk) begin
    copy_near <= copy_left > 0;
    if (copy_left > 0) copy_left <= copy_left - 1;
  end

  task automatic test_registers();
    int t0;
    is(tern_abi_pkg::MMIO_EV_MASK, 32'hffff);
    is(tern_abi_pkg::MMIO_MTIMECMP_LO, 32'hffffffff);
    is(tern_abi_pkg::MMIO_MTIMECMP_HI, 32'hffffffff);
    is(tern_abi_pkg::MMIO_WDOG, 0);
    is(tern_abi_pkg::MMIO_RESET_CAUSE, 2);
    is(tern_abi_pkg::MMIO_CONFIG, {16'd64, 8'd2, 8'(DataW)});
    is(tern_abi_pkg::MMIO_LIMITS, {16'd64, 16'd512});
    is(tern_abi_pkg::MMIO_NODE, 32'h0123);
    is(tern_abi_pkg::MMIO_DIMS, 32'h0456);
    is(tern_abi_pkg::MMIO_INCARNATION, 9);
    is(tern_abi_pkg::MMIO_REGIONS, {16'd256, 16'd4096});
    is(tern_abi_pkg::MMIO_SIZES, {8'd0, 8'd8, 8'd4, 8'd32});
    is(tern_abi_pkg::MMIO_CLOCK_HZ, 32'd62500000);
    is(tern_abi_pkg::MMIO_HOST_LATENCY, 777);
    tap_pkg::expect_true(own_latency <= 4, "a system register took more than four cycles");
    wr(tern_abi_pkg::MMIO_FW_STATUS, 32'h00050006);
    is(tern_abi_pkg::MMIO_FW_STATUS, 32'h00050006);
    tap_pkg::expect_true(fw_status == 32'h00050006, "FW_STATUS to the host");
    wr(tern_abi_pkg::MMIO_FW_VERSION, 32'h01020304);
    tap_pkg::expect_true(fw_version == 32'h01020304, "FW_VERSION to the host");
    wr(tern_abi_pkg::MMIO_NODE, 32'hffff);
    is(tern_abi_pkg::MMIO_NODE, 32'h0123);
    is(tern_abi_pkg::MMIO_CONSOLE, 0);
    refused(0, 16'h000c, 4'hf);
    refused(1, 16'h0060, 4'hf);
    refused(0, 16'h0000, 4'h1);
    refused(1, 16'h0104, 4'h3);
    refused(0, 16'h0300, 4'hf);
    refused(1, 16'h7000, 4'hf);
    // The bus time-out does not apply while a copy is in progress.
    copy_left = 700;
    t0 = cycle;
    refused(0, 16'h0300, 4'hf);
    tap_pkg::expect_true(cycle - t0 > 700 && cycle - t0 < 850,
                         $sformatf("sent away after %0d cycles", cycle - t0));
    for (int i = 0; i < 30; i++) begin
      logic [31:0] v;
      logic [15:0] a;
      v = tap_pkg::rnd();
      a = 16'h0100 + 16'(4 * tap_pkg::below(64));
      wr(a, v);
      is(a, v);
    end
    tap_pkg::tap("registers answer, and what is not there is refused");
  endtask

  task automatic test_timer();
    logic [31:0] t, u;
    int t0;
    rd(tern_abi_pkg::MMIO_MTIME_LO, t);
    tap_pkg::expect_true(!irq_timer, "timer interrupt too early");
    wr(tern_abi_pkg::MMIO_MTIMECMP_HI, 0);
    wr(tern_abi_pkg::MMIO_MTIMECMP_LO, t + 200);
    while (!irq_timer) tick();
    tap_pkg::expect_true(cycles >= 64'(t + 200) && cycles <= 64'(t + 208),
                         "timer interrupt at the wrong time");
    wr(tern_abi_pkg::MMIO_MTIMECMP_HI, 1);
    tick();
    tap_pkg::expect_true(!irq_timer, "timer interrupt does not go away");
    rd(tern_abi_pkg::MMIO_MTIME_LO, u);
    tap_pkg::expect_true(u > t, "time stands still");
    for (int i = 0; i < 5; i++) begin
      wr(tern_abi_pkg::MMIO_WDOG, 50);
      repeat (30) begin tap_pkg::expect_true(!bite, "a fed watchdog bit"); tick(); end
    end
    t0 = cycle;
    while (!bite && cycle - t0 < 100) tick();
    tap_pkg::expect_true(bite && cycle - t0 < 22, "an unfed watchdog did not bite");
    tick();
    tap_pkg::expect_true(!bite, "the watchdog bites once");
    held = 1;
    wr(tern_abi_pkg::MMIO_WDOG, 20);
    repeat (100) begin tap_pkg::expect_true(!bite, "bites a core that is held"); tick(); end
    is(tern_abi_pkg::MMIO_WDOG, 19);   // except the first step
    held = 0;
    wr(tern_abi_pkg::MMIO_WDOG, 500);
    wr(tern_abi_pkg::MMIO_EV_MASK, 0);
    core_rst_n = 0;
    repeat (12) tick();
    tap_pkg::expect_true(fw_status == 3, "the boot state shows while the core is in reset");
    core_rst_n = 1;
    is(tern_abi_pkg::MMIO_WDOG, 0);
    is(tern_abi_pkg::MMIO_EV_MASK, 32'hffff);
    is(tern_abi_pkg::MMIO_MTIMECMP_LO, 32'hffffffff);
    is(tern_abi_pkg::MMIO_FW_STATUS, tern_abi_pkg::FWSTATE_BOOT);
    is(tern_abi_pkg::MMIO_FW_VERSION, 32'h01020304);
    tap_pkg::tap("timer and watchdog keep time, a core reset resets them");
  endtask

  task automatic test_events();
    logic [31:0] e;
    logic [7:0]  seen;
    logic [15:0] mask, pending;
    int          s, popped;
    src_on = 1;
    popped = 0;
    mask = 16'hffff;
    for (int i = 0; i < 3000; i++) begin
      if (tap_pkg::one_in(50)) begin
        mask = 16'(tap_pkg::rnd());
        wr(tern_abi_pkg::MMIO_EV_MASK, 32'(mask));
      end
      repeat (int'(tap_pkg::below(4))) tick();
      // The sources as the block sees them at the edge of the access.
      cm_valid = 1; cm_we = 0; cm_addr = tern_abi_pkg::MMIO_EV_POP; cm_be = 4'hf;
      @(posedge clk);
      seen = src_valid;
      #1;
      cm_valid = 0;
      @(posedge clk);
      e = cm_rdata;
      tap_pkg::expect_true(cm_rvalid && !cm_err, "EV_POP did not answer in a cycle");
      #1;
      s = -1;
      for (int k = 7; k >= 0; k--) if (seen[k] && mask[src_type[k]]) s = k;
      if (s < 0) tap_pkg::expect_true(e == 0, "an event that nobody raised");
      else begin
        popped++;
        tap_pkg::expect_true(e == {src_type[s], 28'(src_taken[s])},
                             $sformatf("popped %08x, wanted type %0d number %0d", e, src_type[s],
                                       src_taken[s]));
        src_taken[s]++;
      end
    end
    src_on = 0;
    wr(tern_abi_pkg::MMIO_EV_MASK, 0);
    repeat (3) tick();
    tap_pkg::expect_true(!irq_ext, "a masked event interrupts");
    rd(tern_abi_pkg::MMIO_EV_PENDING, e);
    pending = 0;
    for (int k = 0; k < 8; k++) if (src_valid[k]) pending[src_type[k]] = 1;
    tap_pkg::expect_true(e == 32'(pending), "EV_PENDING");
    for (int k = 0; k < 8;
         k++) tap_pkg::expect_true(src_no[k] == src_taken[k] && src_no[k] > 0, "an event was lost");
    if (pending != 0) begin
      wr(tern_abi_pkg::MMIO_EV_MASK, 32'hffff);
      repeat (3) tick();
      tap_pkg::expect_true(irq_ext, "a pending event does not interrupt");
    end
    $display("# %0d events popped", popped);
    tap_pkg::tap("each event is popped once, in order of precedence, unless masked");
  endtask

  // Pops that begin with the answer to the last one must always see a waiting event.
  task automatic test_bursts();
    logic [31:0] e;
    int          waits [8], popped, none, s;
    bit          waited;
    src_on = 1;
    src_more = 1;
    popped = 0;
    none = 0;
    for (int k = 0; k < 8; k++) waits[k] = 0;
    cm_we = 0; cm_addr = tern_abi_pkg::MMIO_EV_POP; cm_be = 4'hf;
    cm_valid = 1;
    for (int i = 0; i < 4000; i++) begin
      for (int k = 0; k < 8; k++) waits[k] = src_valid[k] ? waits[k] + 1 : 0;
      tick();
      cm_valid = cm_rvalid;
      if (cm_rvalid) begin
        e = cm_rdata;
        waited = 0;
        s = -1;
        for (int k = 0; k < 8; k++) begin
          waited |= waits[k] > 1;
          if (e[31:28] == src_type[k]) s = k;
        end
        if (e == 0) begin
          none++;
          tap_pkg::expect_true(!waited, "an event that waits is denied");
        end else begin
          popped++;
          tap_pkg::expect_true(s >= 0 && e == {src_type[s], 28'(src_taken[s])},
                               "a burst pops something else");
          if (s >= 0) src_taken[s]++;
        end
      end
    end
    src_on = 0;
    src_more = 0;
    tick();
    cm_valid = 0;
    while (!cm_rvalid) tick();
    for (int k = 0; k < 8; k++) if (cm_rdata[31:28] == src_type[k]) src_taken[k]++;
    tick();
    for (int i = 0; i < 40; i++) begin
      rd(tern_abi_pkg::MMIO_EV_POP, e);
      for (int k = 0; k < 8; k++) if (e[31:28] == src_type[k]) src_taken[k]++;
    end
    for (int k = 0; k < 8;
         k++) tap_pkg::expect_true(src_no[k] == src_taken[k] && !src_valid[k],
                                   "an event was lost in a burst");
    tap_pkg::expect_true(popped > 300 && none > 300,
                         $sformatf("%0d events, %0d times none", popped, none));
    tap_pkg::tap("an access may begin with the answer to the one before");
  endtask

  task automatic test_log();
    logic [31:0] r;
    int n;
    is(tern_abi_pkg::MMIO_LOG_POP, 0);
    for (int i = 0; i < 300; i++) wr(tern_abi_pkg::MMIO_LOG_PUSH, 32'h1000 + 32'(i));
    tap_pkg::expect_true(log_data == 32'h1000, "the host sees the oldest word");
    log_pop = 1;
    tick();
    log_pop = 0;
    held = 0;
    n = 1;
    while (n < 400) begin
      rd(tern_abi_pkg::MMIO_LOG_POP, r);
      if (r == 0) break;
      tap_pkg::expect_true(r == 32'h1000 + 32'(n), "the log is out of order");
      n++;
    end
    tap_pkg::expect_true(n >= 256 && n < 300, $sformatf("%0d words of log", n));
    tap_pkg::tap("the log keeps the oldest 256 words");
  endtask

  task automatic test_stats();
    logic [31:0] r;
    counting = 1;
    repeat (20000) begin
      retire = tap_pkg::below(2) != 0;
      sleep  = tap_pkg::one_in(4);
      tick();
    end
    counting = 0;
    retire   = 0;
    sleep    = 1;
    repeat (2 * Rows + 20) tick();
    for (int i = 0; i < 64; i++) begin
      rd(16'(int'(tern_abi_pkg::MMIO_STAT) + 4 * i), r);
      tap_pkg::expect_true(r == (i < Rows ? 32'(total[i]) : 0),
                           $sformatf("row %0d: %0d, wanted %0d", i, r, i < Rows ? total[i] : 0));
    end
    tap_pkg::expect_true(drops == drops_model, "sum of drops");
    tap_pkg::expect_true(instructions == instructions_model, "instructions");
    tap_pkg::expect_true(busy == busy_model, "cycles awake");
    tap_pkg::tap("every statistic counts every increment");
  endtask

  // Low words just below 2^32, as after a long time; the memory of sums reaches them much later.
  task automatic test_carry();
    while (!sum_of[2]) tick();
    repeat (8) tick();
    u_stats.u_sums.g_apart.mem[Rows + 1][31:6] = '1;
    u_stats.u_sums.g_apart.mem[Rows + 3][31:6] = '1;
    instructions_model[31:6] = '1;
    busy_model[31:6]         = '1;
    for (int i = 0; i < 400; i++) begin
      retire = tap_pkg::below(2) != 0;
      sleep  = tap_pkg::one_in(4);
      tick();
    end
    retire = 0;
    sleep  = 1;
    repeat (2 * Rows + 20) tick();
    tap_pkg::expect_true(instructions[63:32] == 32'd1 && busy[63:32] == 32'd1, "carried");
    tap_pkg::expect_true(instructions == instructions_model, "instructions");
    tap_pkg::expect_true(busy == busy_model, "cycles awake");
    tap_pkg::tap("64-bit sums carry into their high words");
  endtask

  int unsigned seed_arg = 1;
  initial begin
    void'($value$plusargs("seed=%d", seed_arg));
    $display("# seed %0d, DataW %0d", seed_arg, DataW);
    tap_pkg::seed(seed_arg);
    src_type = '{tern_abi_pkg::EV_OP, tern_abi_pkg::EV_HWR, tern_abi_pkg::EV_RX,
                 tern_abi_pkg::EV_LINK, tern_abi_pkg::EV_BAR, tern_abi_pkg::EV_DBERR,
                 tern_abi_pkg::EV_CTR, tern_abi_pkg::EV_DESC};
    src_valid = 0;
    for (int i = 0; i < 8; i++) begin src_no[i] = 1; src_taken[i] = 1; end
    repeat (4) tick();
    rst_n = 1;
    repeat (12) tick();  // the boot loader takes longer
    core_rst_n = 1;
    tick();
    test_registers();
    test_timer();
    test_events();
    test_bursts();
    test_log();
    test_stats();
    test_carry();
    tap_pkg::finish();
  end

  initial begin
    repeat (1000000) @(posedge clk);
    $fatal(1, "the bench hangs");
  end
endmodule

`default_nettype wire
