// SPDX-License-Identifier: Apache-2.0
// BAR 0 of every function: registers, the function's own words, doorbell windows.
//
// Takes one write beat per cycle; a pair of function words takes two cycles. A doorbell leaves one
// cycle after its last beat, and stalls the port only while tern_prefetch cannot take it. A read
// holds the port for three cycles (low word, high word) and answers in the cycle after. INSTRET,
// BUSY and DROPS first wait for their turn in tern_stats, at most some 40 cycles. A function that
// does not exist reads 0; writes to it are ignored.
//
// One buffer assembles inline descriptors; it belongs to the function and queue that wrote a first
// word last. Words must come in ascending order. Otherwise the buffer is incomplete, and its
// doorbell rings without the descriptor, which is also in the ring.
//
// Of the function words at odd addresses the host writes only AQ_BASE_HI. The firmware writes the
// others, and they tell the host how a reset proceeds.
//
// FN_CTRL: each function's latest write is kept until the firmware takes its event. A function that
// writes all the time, or a core that does not run, blocks no other function.
//
// After reset a sweep clears the function words, one a cycle; the port waits for it.

`default_nettype none

module tern_bar #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned Ports      = 2,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumFn      = 64,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned NumRegions = 4096,
  parameter int unsigned NumCtr     = 256
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // host
  input  logic             bar_valid_i,
  output logic             bar_ready_o,
  input  logic             bar_write_i,
  input  logic [7:0]       bar_fn_i,
  input  logic [16:0]      bar_addr_i,
  input  logic [63:0]      bar_wdata_i,
  input  logic [7:0]       bar_be_i,
  output logic             bar_rvalid_o,
  output logic [63:0]      bar_rdata_o,
  // register bus: FN window
  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,
  // values shown in page 0
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic [31:0]      clock_hz_i,
  input  logic [31:0]      fw_status_i,
  input  logic [Ports-1:0] link_up_i,
  input  logic [7:0]       incarnation_i,
  input  logic [31:0]      fw_version_i,
  input  logic [63:0]      cycle_i,
  input  logic [31:0]      sum_i,         // from tern_stats: a low word, then its high word
  input  logic [2:0]       sum_of_i,      // the low word is of DROPS, INSTRET, BUSY
  output logic             core_hold_o,
  output logic             path_ask_o,    // for one cycle: reset the datapath
  input  logic             path_busy_i,
  output logic             log_pop_o,
  input  logic [31:0]      log_data_i,
  // doorbells
  output logic             db_valid_o,
  input  logic             db_ready_i,
  output logic [7:0]       db_fn_o,
  output logic [15:0]      db_queue_o,
  output logic             db_inline_o,
  output logic             db_commit_o,
  output logic [23:0]      db_index_o,
  output logic [47:0]      db_frame_o,    // words 0 and 1 of an inline descriptor
  output logic [9:0]       db_soon_o,     // queue of a doorbell that may come next cycle
  // words of an inline descriptor, into its reserved slot
  output logic             in_near_o,     // one may come in this cycle: known early
  output logic [DataW/32-1:0] in_we_o,
  output logic [3:0]       in_word_o,
  output logic [DataW-1:0] in_data_o,
  input  logic             in_ready_i,
  input  logic             in_slot_i,
  // event and trace
  output logic             ev_bar_valid_o,
  input  logic             ev_bar_ready_i,
  output logic [31:0]      ev_bar_o,
  output logic             tr_db_first_o,
  output logic [15:0]      tr_db_queue_o
);

  localparam int unsigned FnW   = NumFn > 1 ? $clog2(NumFn) : 1;
  localparam int unsigned AddrW = FnW + 5;  // 32 words per function

  // ---- decode: the part of the BAR -----------------------------------------------------
  // Doorbell windows begin at the power of two BAR_DB; only the page lies below.
  localparam int unsigned DbBit = $clog2(tern_abi_pkg::BAR_DB);

  logic       fn_ok, at_page, at_fn, at_db, at_line, base_ok, begins, accept, wr, slow, reading;
  logic       init_q, mm_pend_q, mm_go, line_ok, sum_ok;
  logic [1:0] step_q;                       // step of a multi-cycle access
  logic [4:0] pair;
  logic [6:0] db_off;

  assign pair    = bar_addr_i[7:3];
  assign db_off  = bar_addr_i[6:0];
  assign fn_ok   = 9'(bar_fn_i) < 9'(NumFn);
  assign at_db   = bar_addr_i[16:DbBit] != '0;
  assign at_line = bar_write_i && at_db && db_off < 7'(tern_abi_pkg::DB_INDEX);
  assign at_page = bar_addr_i[16:8] == '0;
  assign at_fn   = bar_addr_i[16:7] == 10'(tern_abi_pkg::BAR_FN_REGS >> 7);
  // The memory has single words: a pair takes two cycles.
  assign slow    = !bar_write_i || ((at_fn || (DataW == 32 && at_line))
                                    && bar_be_i[0] && bar_be_i[4]);
  assign reading = bar_valid_i && !bar_write_i;
  // A firmware access to the function words goes first: it is rare. The next inline descriptor
  // waits until tern_prefetch has taken the last, whose slot is in use until then.
  assign line_ok = !at_line || (in_ready_i && !(db_valid_o && db_inline_o));
  assign base_ok = (!db_valid_o || db_ready_i) && line_ok && !mm_pend_q && !init_q;
  assign begins  = bar_valid_i && step_q == 2'd0 && base_ok && slow && sum_ok;
  assign bar_ready_o = step_q == 2'd0 ? base_ok && !slow
                       : bar_write_i ? !at_line || in_ready_i : step_q[1];
  assign accept  = bar_valid_i && bar_ready_o;
  assign wr      = accept && bar_write_i && fn_ok;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || accept)              step_q <= 2'd0;
    else if (begins || (step_q != 2'd0 && !bar_write_i)) step_q <= step_q + 1'b1;
  end

  // ---- function words, shared by host and firmware ---------------------------------------
  logic [AddrW-1:0] init_addr_q, fn_addr;
  logic             fn_we, fn_half, high, host_hi;
  logic [31:0]      half, fn_wdata, fn_rdata;
  logic             mm_hit, mm_take, mm_we_q, mm_in_q, mm_done_q;
  logic [AddrW-1:0] mm_word_q;
  logic [31:0]      mm_wdata_q;

  assign mm_hit     = mm_addr_i[15:13] == tern_abi_pkg::MMIO_FN[15:13];
  assign mm_ready_o = mm_hit && !mm_pend_q && !init_q;
  assign mm_take    = mm_valid_i && mm_ready_o;
  assign mm_go      = mm_pend_q && step_q == 2'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_pend_q   <= 1'b0;
      mm_done_q   <= 1'b0;
      mm_rvalid_o <= 1'b0;
    end else begin
      if (mm_take)    mm_pend_q <= 1'b1;
      else if (mm_go) mm_pend_q <= 1'b0;
      mm_done_q   <= mm_go;
      mm_rvalid_o <= mm_done_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_in_q    <= 7'(mm_addr_i[12:7]) < 7'(NumFn);
      mm_word_q  <= mm_addr_i[2+:AddrW];
    end
    if (!rst_ni || init_q) mm_wdata_q <= '0;   // for the sweep
    else if (mm_take)      mm_wdata_q <= mm_wdata_i;
    if (mm_done_q && mm_in_q && !mm_we_q) mm_rdata_o <= fn_rdata;
    else                                  mm_rdata_o <= '0;
  end

  assign host_hi = bar_be_i[4] && pair == tern_abi_pkg::REG_AQ_BASE_LO[7:3];
  assign fn_half = step_q[0] || (bar_write_i && !bar_be_i[0]);
  // The word that is written in this cycle, for function words and for slots.
  assign high    = step_q[0] || !bar_be_i[0];
  assign half    = high ? bar_wdata_i[63:32] : bar_wdata_i[31:0];
  always_comb begin
    fn_addr  = {bar_fn_i[FnW-1:0], bar_addr_i[6:3], fn_half};
    fn_wdata = half;
    fn_we    = bar_write_i && at_fn && fn_ok
               && (fn_half ? host_hi : bar_be_i[0]) && (accept || begins);
    if (mm_go || init_q) begin
      fn_addr  = init_q ? init_addr_q : mm_word_q;
      fn_wdata = mm_wdata_q;
      fn_we    = init_q || (mm_we_q && mm_in_q);
    end
  end

  tern_ram #(.Width(32), .Words(32 * NumFn), .Block(1'b1)) u_fn (
    .clk_i, .ren_i(!fn_we), .raddr_i(fn_addr), .rdata_o(fn_rdata),
    .we_i(fn_we), .waddr_i(fn_addr), .wdata_i(fn_wdata)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_addr_q <= '0;
    end else if (init_q) begin
      init_addr_q <= init_addr_q + 1'b1;
      init_q      <= init_addr_q != AddrW'(32 * NumFn - 1);
    end
  end

  // ---- reads: each source is copied to a register of its own, 0 unless selected; then OR ----
  // Steps 0 and 1 copy the low and the high word's source; the word follows one cycle later.
  localparam int unsigned Sources = 13;
  logic [32*Sources-1:0] from;
  logic [Sources-1:0]    sel;
  logic [31:0]           cycle_hi_q, instret_hi_q, busy_hi_q;
  logic [31:0]           fixed, word;
  logic [4:0]            sel_fixed, sel_fixed_q;
  logic                  take_lo, take_hi, fn_read_q, fn0, at_sum;
  logic [2:0]            of_sum;   // which of the three sums the pair is

  assign fn0     = bar_fn_i == 8'd0;
  assign take_lo = reading && at_page && fn_ok && begins;
  assign take_hi = reading && at_page && fn_ok && step_q == 2'd1;
  assign of_sum  = {pair == tern_abi_pkg::REG_BUSY_LO[7:3],
                    pair == tern_abi_pkg::REG_INSTRET_LO[7:3],
                    pair == tern_abi_pkg::REG_DROPS[7:3]};
  assign at_sum  = reading && at_page && of_sum != '0;
  assign sum_ok  = !at_sum || (of_sum & sum_of_i) != '0;

  // A pair read in one beat is one snapshot; a high word read alone is the saved one.
  assign from = {
    log_data_i, 24'd0, incarnation_i, fw_version_i, busy_hi_q, instret_hi_q, cycle_hi_q,
    16'd0, dims_i, 30'd0, path_busy_i, core_hold_o, 24'd0, bar_fn_i, clock_hz_i,
    sum_i, cycle_i[31:0],
    fw_status_i[31:16], 8'(link_up_i), fw_status_i[7:0]};

  always_comb begin
    sel = '0;
`ifdef TERN_MODEL   // simulates faster: most cycles have no access
    if (take_lo || take_hi) begin
`endif
    sel[0] = take_lo && pair == tern_abi_pkg::REG_STATUS[7:3];
    sel[1] = take_lo && pair == tern_abi_pkg::REG_CYCLE_LO[7:3];
    sel[2] = (take_lo && of_sum != '0) || (take_hi && of_sum[2:1] != '0 && bar_be_i[0]);
    sel[3] = take_lo && pair == tern_abi_pkg::REG_CLOCK_HZ[7:3];
    sel[4] = take_lo && pair == tern_abi_pkg::REG_FUNCTION[7:3];
    sel[5] = take_lo && pair == tern_abi_pkg::REG_CORE_CTRL[7:3] && fn0;
    sel[6] = take_hi && pair == tern_abi_pkg::REG_NODE[7:3];
    sel[7] = take_hi && pair == tern_abi_pkg::REG_CYCLE_LO[7:3];
    sel[8] = take_hi && of_sum[1] && !bar_be_i[0];
    sel[9] = take_hi && of_sum[2] && !bar_be_i[0];
    sel[10] = take_hi && pair == tern_abi_pkg::REG_CLOCK_HZ[7:3];
    sel[11] = take_hi && pair == tern_abi_pkg::REG_STATUS[7:3];
    sel[12] = take_hi && pair == tern_abi_pkg::REG_CORE_CTRL[7:3] && fn0;
`ifdef TERN_MODEL
    end
`endif
  end
  assign sel_fixed = {take_hi && pair == tern_abi_pkg::REG_FUNCTION[7:3],
                      take_hi && pair == tern_abi_pkg::REG_CONFIG[7:3],
                      take_lo && pair == tern_abi_pkg::REG_CONFIG[7:3],
                      take_hi && pair == tern_abi_pkg::REG_MAGIC[7:3],
                      take_lo && pair == tern_abi_pkg::REG_MAGIC[7:3]};

  logic [15:0] node_q;
`ifdef TERN_MODEL   // simulates faster: only the selected source is copied
  logic [31:0] copied, copied_q;

  function automatic logic [31:0] chosen(input logic [Sources-1:0] which,
                                         input logic [32*Sources-1:0] words);
    chosen = '0;
    for (int i = 0; i < Sources; i++) if (which[i]) chosen = chosen | words[32*i+:32];
  endfunction

  always_comb begin
    copied = '0;
    if (sel != '0) copied = chosen(sel, from);
  end

  always_ff @(posedge clk_i) copied_q <= copied;
`else
  logic [32*Sources-1:0] copy_q;

  for (genvar i = 0; i < Sources; i++) begin : g_source
    always_ff @(posedge clk_i) begin
      if (sel[i]) copy_q[32*i+:32] <= from[32*i+:32];
      else        copy_q[32*i+:32] <= '0;
    end
  end
`endif

  always_ff @(posedge clk_i) begin
    if (take_lo && pair == tern_abi_pkg::REG_NODE[7:3]) node_q <= node_i;
    else                                                   node_q <= '0;
    sel_fixed_q <= sel_fixed;
    fn_read_q   <= at_fn && fn_ok;
  end

  always_comb begin
    fixed = '0;
    if (sel_fixed_q[0]) fixed = fixed | tern_abi_pkg::ABI_MAGIC;
    if (sel_fixed_q[1]) fixed = fixed | tern_abi_pkg::ABI_VERSION;
    if (sel_fixed_q[2]) fixed = fixed | {16'(MaxPayload / 8), 8'(Ports), 8'(DataW)};
    if (sel_fixed_q[3]) fixed = fixed | {16'(NumFn), 16'(NumQ)};
    if (sel_fixed_q[4]) fixed = fixed | {16'(NumCtr), 16'(NumRegions)};
    word = fixed | {16'd0, node_q} | (fn_read_q ? fn_rdata : '0);
`ifdef TERN_MODEL
    word = word | copied_q;
`else
    for (int i = 0; i < Sources; i++) word = word | copy_q[32*i+:32];
`endif
  end

  always_ff @(posedge clk_i) begin
    bar_rvalid_o <= rst_ni && reading && accept;
    if (step_q == 2'd1) bar_rdata_o[31:0]  <= word;
    if (step_q == 2'd2) bar_rdata_o[63:32] <= word;
  end

  assign log_pop_o = sel[12] && bar_be_i[4];

  always_ff @(posedge clk_i) begin
    if (sel[1] && bar_be_i[0]) cycle_hi_q   <= cycle_i[63:32];
    if (take_hi && of_sum[1] && bar_be_i[0]) instret_hi_q <= sum_i;
    if (take_hi && of_sum[2] && bar_be_i[0]) busy_hi_q    <= sum_i;
  end

  logic at_ctrl;
  assign at_ctrl = wr && fn0 && at_page && pair == tern_abi_pkg::REG_CORE_CTRL[7:3] && bar_be_i[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) core_hold_o <= 1'b0;
    else if (at_ctrl) core_hold_o <= bar_wdata_i[tern_abi_pkg::CORE_CTRL_HOLD];
    path_ask_o <= rst_ni && at_ctrl && bar_wdata_i[tern_abi_pkg::CORE_CTRL_HOLD]
                  && bar_wdata_i[tern_abi_pkg::CORE_CTRL_PATH];
  end

  // ---- doorbells ----------------------------------------------------------------------
  logic [9:0]  db_q;
  logic        db_wr, in_line, at_index, last_word;
  logic [4:0]  word_first, word_next;

  assign db_q       = {bar_addr_i[16:DbBit] - 1'b1, bar_addr_i[DbBit-1:7]};
  assign db_wr      = wr && at_db;
  assign in_line    = wr && at_line;
  assign at_index   = db_wr && db_off[6:3] == 4'(tern_abi_pkg::DB_INDEX >> 3) && bar_be_i[0];
  assign word_first = {1'b0, db_off[5:3], !bar_be_i[0]};
  assign word_next  = {1'b0, db_off[5:3], 1'b0} + (bar_be_i[4] ? 5'd2 : 5'd1);
  assign last_word  = in_line && word_next == 5'd16;

  logic       asm_ok_q;
  logic [4:0] asm_next_q;
  logic [FnW-1:0] asm_fn_q;
  logic [9:0] asm_queue_q;
  logic       follows, goes_on, low_ok_q;

  // The beat begins a descriptor with a reserved slot, or continues the one in the slot.
  assign goes_on = word_first == '0 ? in_slot_i
                   : asm_ok_q && word_first == asm_next_q
                     && bar_fn_i[FnW-1:0] == asm_fn_q && db_q == asm_queue_q;
  // The second cycle of a pair repeats the decision of the first.
  assign follows = step_q[0] ? low_ok_q : goes_on;
  always_ff @(posedge clk_i) low_ok_q <= step_q[0] ? low_ok_q : goes_on;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asm_ok_q <= 1'b0;
    else if (in_line) asm_ok_q <= follows && !last_word;
  end

  always_ff @(posedge clk_i) begin
    if (in_line) begin
      asm_next_q  <= word_next;
      asm_fn_q    <= bar_fn_i[FnW-1:0];
      asm_queue_q <= db_q;
    end
    if (in_line && db_off[5:3] == '0 && bar_be_i[0]) db_frame_o[31:0]  <= bar_wdata_i[31:0];
    if (in_line && db_off[5:3] == '0 && bar_be_i[4]) db_frame_o[47:32] <= bar_wdata_i[47:32];
  end

  // High in every cycle with `in_we_o`, and in some others: it leaves out `in_ready_i`, which is
  // valid only late in the cycle.
  assign in_near_o = bar_valid_i && at_line
                     && (step_q != 2'd0
                         || ((!db_valid_o || db_ready_i) && !mm_pend_q && !init_q));

  // A word enters the slot in the cycle in which the port takes it.
  if (DataW == 64) begin : g_in64
    assign in_we_o   = in_line && follows ? {bar_be_i[4], bar_be_i[0]} : '0;
    assign in_word_o = {db_off[5:3], 1'b0};
    assign in_data_o = bar_wdata_i;
  end else begin : g_in32
    logic low_only;
    assign low_only  = begins && at_line && fn_ok;
    assign in_we_o   = (in_line || low_only) && follows;
    assign in_word_o = {db_off[5:3], high};
    assign in_data_o = half;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) db_valid_o <= 1'b0;
    else if (at_index || last_word) db_valid_o <= 1'b1;
    else if (db_ready_i) db_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (at_index || last_word) begin
      db_fn_o     <= bar_fn_i;
      db_queue_o  <= 16'(db_q);
      db_inline_o <= last_word && follows;
      db_commit_o <= last_word;
      db_index_o  <= bar_wdata_i[23:0];
    end
  end

  assign tr_db_first_o = at_index || (in_line && word_first == '0);
  assign tr_db_queue_o = 16'(db_q);
  assign db_soon_o     = db_q;

  // ---- FN_CTRL writes: one bit and the last value for each function, in turn ------------
  logic [NumFn-1:0] ctrl_q, ctrl_set, ctrl_clr;
  logic [FnW-1:0]   turn_q, next;
  logic             ctrl_write, ev_load;
  logic [7:0]       ctrl_value [0:NumFn-1];

  assign ctrl_write = wr && at_fn && bar_addr_i[6:3] == tern_abi_pkg::REG_FN_CTRL[6:3]
                      && bar_be_i[0];

  always_ff @(posedge clk_i) begin
    if (ctrl_write) ctrl_value[bar_fn_i[FnW-1:0]] <= bar_wdata_i[7:0];
  end

  always_comb begin
    ctrl_set = '0;
    ctrl_clr = '0;
    if (ctrl_write) ctrl_set[bar_fn_i[FnW-1:0]] = 1'b1;
    if (ev_load) ctrl_clr[next] = 1'b1;
  end

  // Steps through the functions while any write waits.
  assign next    = turn_q;
  assign ev_load = ctrl_q[turn_q] && !ev_bar_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ctrl_q         <= '0;
      turn_q         <= '0;
      ev_bar_valid_o <= 1'b0;
    end else begin
      ctrl_q <= (ctrl_q & ~ctrl_clr) | ctrl_set;
      if (ctrl_q != '0 && !ev_bar_valid_o) turn_q <= turn_q + 1'b1;
      if (ev_load) ev_bar_valid_o <= 1'b1;
      else if (ev_bar_ready_i) ev_bar_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ev_load) ev_bar_o <= {tern_abi_pkg::EV_BAR, 12'd0, ctrl_value[next], 8'(next)};
  end

  logic unused;
  assign unused = &{1'b0, bar_be_i[3:1], bar_be_i[7:5], fw_status_i[15:8], db_off[2:0],
                    mm_addr_i[1:0]};

  // A waiting doorbell neither vanishes nor changes.
  logic        stalled_q;
  logic [42:0] held_q, now;
  assign now = {db_fn_o, db_queue_o[9:0], db_inline_o, db_frame_o[47:24]};
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && db_valid_o && !db_ready_i;
    held_q    <= now;
    if (rst_ni && stalled_q) DoorbellHeld: assert (db_valid_o && now == held_q);
  end

endmodule

`default_nettype wire
