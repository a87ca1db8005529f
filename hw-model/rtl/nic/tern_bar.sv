// SPDX-License-Identifier: Apache-2.0
// BAR 0 of every function: registers, the function's own register words, doorbell windows.
//
// One write beat per cycle, also into doorbell windows; a doorbell waits one cycle after its
// last beat and holds up the port only while tern_prefetch cannot take it.  Reads answer two
// cycles later, in order.  An access of a function that does not exist reads 0 or is ignored.
//
// An inline descriptor is put together in one buffer that belongs to the function and queue that
// wrote its first word last.  Words must come in ascending order; anything else makes the
// buffer incomplete, and its doorbell is then rung without the descriptor, which stands in the
// ring as well.
//
// Of the function words at odd places the host writes AQ_BASE_HI alone: the others are what the
// firmware says, and what the host's side of a reset goes by.
//
// FN_CTRL: a write is kept for each function, the latest value wins, until the firmware takes
// the event: a function that writes all the time, or a core that does not run, stops nobody.
//
// After reset a walk clears the function words, two a cycle; the port waits for its end.

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
  // what page 0 shows
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic [31:0]      clock_hz_i,
  input  logic [31:0]      fw_status_i,
  input  logic [Ports-1:0] link_up_i,
  input  logic [7:0]       incarnation_i,
  input  logic [31:0]      fw_version_i,
  input  logic [63:0]      cycle_i,
  input  logic [63:0]      instret_i,
  input  logic [63:0]      busy_i,
  input  logic [31:0]      drops_i,
  output logic             core_hold_o,
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
  output logic [511:0]     db_desc_o,
  // event and trace
  output logic             ev_bar_valid_o,
  input  logic             ev_bar_ready_i,
  output logic [31:0]      ev_bar_o,
  output logic             tr_db_first_o,
  output logic [15:0]      tr_db_queue_o
);

  localparam int unsigned FnW   = NumFn > 1 ? $clog2(NumFn) : 1;
  localparam int unsigned AddrW = FnW + 4;  // a function has 16 pairs of words

  // ---- which part of the BAR ---------------------------------------------------
  logic       fn_ok, at_page, at_fn, at_db, accept, wr, rd;
  logic       init_q, mm_pend_q;

  assign fn_ok   = 9'(bar_fn_i) < 9'(NumFn);
  assign at_db   = bar_addr_i >= 17'(tern_abi_pkg::BAR_DB);
  assign at_page = bar_addr_i[16:8] == '0;
  assign at_fn   = bar_addr_i[16:7] == 10'(tern_abi_pkg::BAR_FN_REGS >> 7);
  // The firmware's access to the function words goes first: it asks once in many cycles.
  assign bar_ready_o = (!db_valid_o || db_ready_i) && !mm_pend_q && !init_q;
  assign accept  = bar_valid_i && bar_ready_o;
  assign wr      = accept && bar_write_i && fn_ok;
  assign rd      = accept && !bar_write_i;

  // ---- function words: two 32-bit halves, shared by host and firmware ---------------
  logic [AddrW-1:0] init_addr_q, fn_addr;
  logic             fn_we_lo, fn_we_hi;
  logic [31:0]      fn_wlo, fn_whi;
  logic [63:0]      fn_rdata;
  logic             mm_hit, mm_take, mm_we_q, mm_in_q, mm_done_q, mm_read_q;
  logic [AddrW:0]   mm_word_q;
  logic [31:0]      mm_wdata_q;
  logic             mm_write, host_write;

  assign mm_hit     = mm_addr_i[15:13] == tern_abi_pkg::MMIO_FN[15:13];
  assign mm_ready_o = mm_hit && !mm_pend_q && !init_q;
  assign mm_take    = mm_valid_i && mm_ready_o;
  assign mm_write   = mm_pend_q && mm_we_q && mm_in_q;
  assign host_write = wr && at_fn;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_pend_q <= 1'b0;
      mm_done_q <= 1'b0;
    end else begin
      mm_pend_q <= mm_take;
      mm_done_q <= mm_pend_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_in_q    <= 7'(mm_addr_i[12:7]) < 7'(NumFn);
      mm_word_q  <= mm_addr_i[2+:AddrW+1];
      mm_wdata_q <= mm_wdata_i;
    end
    mm_read_q <= mm_pend_q && !mm_we_q && mm_in_q;
  end

  assign mm_rvalid_o = mm_done_q;
  assign mm_rdata_o  = !mm_read_q ? '0 : mm_word_q[0] ? fn_rdata[63:32] : fn_rdata[31:0];

  always_comb begin
    fn_addr  = {bar_fn_i[FnW-1:0], bar_addr_i[6:3]};
    fn_wlo   = bar_wdata_i[31:0];
    fn_whi   = bar_wdata_i[63:32];
    fn_we_lo = host_write && bar_be_i[0];
    fn_we_hi = host_write && bar_be_i[4]
               && bar_addr_i[6:3] == tern_abi_pkg::REG_AQ_BASE_LO[6:3];
    if (mm_pend_q) begin
      fn_addr  = mm_word_q[AddrW:1];
      fn_wlo   = mm_wdata_q;
      fn_whi   = mm_wdata_q;
      fn_we_lo = mm_write && !mm_word_q[0];
      fn_we_hi = mm_write && mm_word_q[0];
    end
    if (init_q) begin
      fn_addr  = init_addr_q;
      fn_wlo   = '0;
      fn_whi   = '0;
      fn_we_lo = 1'b1;
      fn_we_hi = 1'b1;
    end
  end

  tern_ram #(.Width(32), .Words(16 * NumFn), .Block(1'b1)) u_fn_lo (
    .clk_i, .ren_i(!fn_we_lo), .raddr_i(fn_addr), .rdata_o(fn_rdata[31:0]),
    .we_i(fn_we_lo), .waddr_i(fn_addr), .wdata_i(fn_wlo)
  );
  tern_ram #(.Width(32), .Words(16 * NumFn), .Block(1'b1)) u_fn_hi (
    .clk_i, .ren_i(!fn_we_hi), .raddr_i(fn_addr), .rdata_o(fn_rdata[63:32]),
    .we_i(fn_we_hi), .waddr_i(fn_addr), .wdata_i(fn_whi)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q      <= 1'b1;
      init_addr_q <= '0;
    end else if (init_q) begin
      init_addr_q <= init_addr_q + 1'b1;
      init_q      <= init_addr_q != AddrW'(16 * NumFn - 1);
    end
  end

  // ---- page 0: read one pair of words, answer in the cycle after the next -----------
  logic [31:0] page_lo, page_hi, status;
  logic [31:0] cycle_hi_q, instret_hi_q, busy_hi_q;
  logic        fn0;
  logic [16:0] pair_addr;

  assign fn0       = bar_fn_i == 8'd0;
  assign pair_addr = {bar_addr_i[16:3], 3'b000};
  assign status    = {fw_status_i[31:16], 8'(link_up_i), fw_status_i[7:0]};

  always_comb begin
    page_lo = '0;
    page_hi = '0;
    case (pair_addr)
      tern_abi_pkg::REG_MAGIC: begin
        page_lo = tern_abi_pkg::ABI_MAGIC;
        page_hi = tern_abi_pkg::ABI_VERSION;
      end
      tern_abi_pkg::REG_CONFIG: begin
        page_lo = {16'(MaxPayload / 8), 8'(Ports), 8'(DataW)};
        page_hi = {16'(NumFn), 16'(NumQ)};
      end
      tern_abi_pkg::REG_NODE:       {page_hi, page_lo} = {16'd0, dims_i, 16'd0, node_i};
      tern_abi_pkg::REG_STATUS:     {page_hi, page_lo} = {24'd0, incarnation_i, status};
      // A pair read in one beat is one moment; the high word alone is the one kept.
      tern_abi_pkg::REG_CYCLE_LO:
        {page_hi, page_lo} = {bar_be_i[0] ? cycle_i[63:32] : cycle_hi_q, cycle_i[31:0]};
      tern_abi_pkg::REG_INSTRET_LO:
        {page_hi, page_lo} = {bar_be_i[0] ? instret_i[63:32] : instret_hi_q, instret_i[31:0]};
      tern_abi_pkg::REG_BUSY_LO:
        {page_hi, page_lo} = {bar_be_i[0] ? busy_i[63:32] : busy_hi_q, busy_i[31:0]};
      tern_abi_pkg::REG_FUNCTION:
        {page_hi, page_lo} = {16'(NumCtr), 16'(NumRegions), 24'd0, bar_fn_i};
      tern_abi_pkg::REG_CLOCK_HZ:   {page_hi, page_lo} = {fw_version_i, clock_hz_i};
      tern_abi_pkg::REG_CORE_CTRL:
        if (fn0) {page_hi, page_lo} = {log_data_i, 31'd0, core_hold_o};
      tern_abi_pkg::REG_DROPS:      page_lo = drops_i;
      default: ;
    endcase
  end

  assign log_pop_o = rd && fn0 && at_page && pair_addr == tern_abi_pkg::REG_CORE_CTRL
                     && bar_be_i[4];

  always_ff @(posedge clk_i) begin
    if (rd && bar_be_i[0] && fn_ok) begin
      if (pair_addr == tern_abi_pkg::REG_CYCLE_LO)   cycle_hi_q   <= cycle_i[63:32];
      if (pair_addr == tern_abi_pkg::REG_INSTRET_LO) instret_hi_q <= instret_i[63:32];
      if (pair_addr == tern_abi_pkg::REG_BUSY_LO)    busy_hi_q    <= busy_i[63:32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) core_hold_o <= 1'b0;
    else if (wr && fn0 && bar_addr_i[16:3] == tern_abi_pkg::REG_CORE_CTRL[16:3] && bar_be_i[0])
      core_hold_o <= bar_wdata_i[0];
  end

  logic        rd_q, rd_fn_q;
  logic [63:0] page_q;
  always_ff @(posedge clk_i) begin
    rd_q         <= rst_ni && rd;
    rd_fn_q      <= at_fn && fn_ok;
    page_q       <= fn_ok && at_page ? {page_hi, page_lo} : '0;
    bar_rvalid_o <= rst_ni && rd_q;
    bar_rdata_o  <= rd_fn_q ? fn_rdata : page_q;
  end

  // ---- doorbells ----------------------------------------------------------------------
  logic [16:0] db_off;
  logic [9:0]  db_q;
  logic        db_wr, in_line, at_index, last_word;
  logic [4:0]  word_first, word_next;

  assign db_off     = bar_addr_i - 17'(tern_abi_pkg::BAR_DB);
  assign db_q       = db_off[16:7];
  assign db_wr      = wr && at_db;
  assign in_line    = db_wr && db_off[6:0] < 7'(tern_abi_pkg::DB_INDEX);
  assign at_index   = db_wr && db_off[6:3] == 4'(tern_abi_pkg::DB_INDEX >> 3) && bar_be_i[0];
  assign word_first = {1'b0, db_off[5:3], !bar_be_i[0]};
  assign word_next  = {1'b0, db_off[5:3], 1'b0} + (bar_be_i[4] ? 5'd2 : 5'd1);
  assign last_word  = in_line && word_next == 5'd16;

  logic       asm_ok_q;
  logic [4:0] asm_next_q;
  logic [7:0] asm_fn_q;
  logic [9:0] asm_queue_q;
  logic       follows;

  // The beat begins a descriptor, or goes on with the one in the buffer.
  assign follows = word_first == '0
                   || (asm_ok_q && word_first == asm_next_q
                       && bar_fn_i == asm_fn_q && db_q == asm_queue_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asm_ok_q <= 1'b0;
    else if (in_line) asm_ok_q <= follows && !last_word;
  end

  always_ff @(posedge clk_i) begin
    if (in_line) begin
      asm_next_q  <= word_next;
      asm_fn_q    <= bar_fn_i;
      asm_queue_q <= db_q;
    end
    for (int i = 0; i < 8; i++) begin
      if (in_line && db_off[5:3] == 3'(i) && bar_be_i[0]) db_desc_o[64*i+:32] <= bar_wdata_i[31:0];
      if (in_line && db_off[5:3] == 3'(i) && bar_be_i[4])
        db_desc_o[64*i+32+:32] <= bar_wdata_i[63:32];
    end
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

  // ---- FN_CTRL writes: one bit and the last value for each function, in turn ------------
  logic [NumFn-1:0] ctrl_q, ctrl_set, ctrl_clr, ctrl_after;
  logic [FnW-1:0]   turn_q, next, next_after, next_any;
  logic             found_after, ctrl_write, ev_load;
  logic [7:0]       ctrl_value [0:NumFn-1];

  assign ctrl_write = host_write && bar_addr_i[6:3] == tern_abi_pkg::REG_FN_CTRL[6:3]
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

  // The first function after the one served last, then around.
  assign ctrl_after  = ctrl_q & ~(({{(NumFn-1){1'b0}}, 1'b1} << turn_q)
                                  | (({{(NumFn-1){1'b0}}, 1'b1} << turn_q) - 1'b1));
  assign found_after = ctrl_after != '0;
  always_comb begin
    next_after = '0;
    next_any   = '0;
`ifdef VERILATOR
    if (ctrl_q != '0)  // nothing to search for in most cycles
`endif
    for (int i = 0; i < NumFn; i++) begin
      if (ctrl_after[NumFn-1-i]) next_after = FnW'(NumFn - 1 - i);
      if (ctrl_q[NumFn-1-i])     next_any   = FnW'(NumFn - 1 - i);
    end
  end
  assign next    = found_after ? next_after : next_any;
  assign ev_load = ctrl_q != '0 && !ev_bar_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ctrl_q         <= '0;
      turn_q         <= '0;
      ev_bar_valid_o <= 1'b0;
    end else begin
      ctrl_q <= (ctrl_q & ~ctrl_clr) | ctrl_set;
      if (ev_load) turn_q <= next;
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

  // A doorbell that waits neither vanishes nor changes.
  logic        stalled_q;
  logic [42:0] held_q, now;
  assign now = {db_fn_o, db_queue_o[9:0], db_inline_o, db_desc_o[511:488]};
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && db_valid_o && !db_ready_i;
    held_q    <= now;
    if (rst_ni && stalled_q) DoorbellHeld: assert (db_valid_o && now == held_q);
  end

endmodule

`default_nettype wire
