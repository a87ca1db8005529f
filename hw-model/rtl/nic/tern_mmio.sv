// SPDX-License-Identifier: Apache-2.0
// Connects the soft core to the NIC: contains the system registers, passes the rest to the bus.
//
// One access at a time; the next may begin with its answer. EV_POP answers in the cycle after the
// accept, other system registers in one to four cycles. An access to another block is on the bus in
// the cycle after the accept and ends in the cycle in which the block answers. `cm_err_o` ends
// sub-word accesses, unknown system registers, and addresses that no block accepts within 64 to 128
// cycles.
//
// The next event to pop is chosen a cycle ahead and taken from its source in the cycle of the
// answer. A source holds its event unchanged until then.
//
// MTIMECMP and the log share one block RAM, which is accessed in four phases (the low bits of the
// time). The timer interrupt is at most seven cycles late.

`default_nettype none

module tern_mmio #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned Ports      = 2,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumFn      = 64,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 4096,
  parameter int unsigned NumCtr     = 256,
  parameter int unsigned RxSlots    = 8,
  parameter int unsigned TreeGroups = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        core_rst_ni,

  input  logic        cm_valid_i,
  output logic        cm_ready_o,
  input  logic        cm_we_i,
  input  logic [3:0]  cm_be_i,
  input  logic [15:0] cm_addr_i,
  input  logic [31:0] cm_wdata_i,
  output logic        cm_rvalid_o,
  output logic [31:0] cm_rdata_o,
  output logic        cm_err_o,

  output logic        mm_valid_o,
  output logic        mm_we_o,
  output logic [15:0] mm_addr_o,
  output logic [31:0] mm_wdata_o,
  input  logic        mm_ready_i,
  input  logic        mm_rvalid_i,
  input  logic [31:0] mm_rdata_i,

  input  logic        ev_op_valid_i,
  output logic        ev_op_ready_o,
  input  logic [31:0] ev_op_i,
  input  logic        ev_hwr_valid_i,
  output logic        ev_hwr_ready_o,
  input  logic [31:0] ev_hwr_i,
  input  logic        ev_rx_valid_i,
  output logic        ev_rx_ready_o,
  input  logic [31:0] ev_rx_i,
  input  logic        ev_link_valid_i,
  output logic        ev_link_ready_o,
  input  logic [31:0] ev_link_i,
  input  logic        ev_bar_valid_i,
  output logic        ev_bar_ready_o,
  input  logic [31:0] ev_bar_i,
  input  logic        ev_dberr_valid_i,
  output logic        ev_dberr_ready_o,
  input  logic [31:0] ev_dberr_i,
  input  logic        ev_ctr_valid_i,
  output logic        ev_ctr_ready_o,
  input  logic [31:0] ev_ctr_i,
  input  logic        ev_desc_valid_i,
  output logic        ev_desc_ready_o,
  input  logic [31:0] ev_desc_i,

  output logic        irq_external_o,
  output logic        irq_timer_o,

  output logic        wdog_bite_o,
  input  logic [7:0]  boot_state_i,
  output logic [31:0] fw_status_o,
  output logic [31:0] fw_version_o,
  output logic [63:0] cycle_o,
  output logic        retired_o,       // an instruction retired, a cycle ago
  output logic        awake_o,
  input  logic        retire_i,
  input  logic        sleep_i,
  input  logic        copy_near_i,     // tern_rx fills a slot
  input  logic        dbg_stopped_i,   // a debugger halts the core: pauses the watchdog
  input  logic [7:0]  incarnation_i,
  input  logic [1:0]  reset_cause_i,
  input  logic [15:0] node_i,
  input  logic [15:0] dims_i,
  input  logic [31:0] clock_hz_i,
  input  logic [15:0] host_latency_i,

  input  logic        log_pop_i,
  output logic [31:0] log_data_o,

  output logic        tr_fw_pop_o,
  output logic [15:0] tr_fw_pop_id_o,
  output logic        tr_fw_write_o,
  output logic [15:0] tr_fw_write_id_o,
  output logic        tr_sleep_o,
  output logic        tr_wake_o
);

  localparam int unsigned FwSlots = 4;   // descriptor slots kept from the prefetcher

  // ---------------------------------------------------------------- accepting an access
  logic [1:0] phase;                      // of the memory's cycle of four
  logic       own, word, takes_event, bus_start;
  logic       pop_q, own_q, own_done_q, word_q;
  logic       pop, act, wr, lost_q;

  assign phase       = cycle_o[1:0];
  assign cm_ready_o  = 1'b1;
  assign word        = cm_be_i == 4'hf;
  assign own         = cm_addr_i[15:7] == tern_abi_pkg::MMIO_EV_POP[15:7];
  assign takes_event = cm_addr_i == tern_abi_pkg::MMIO_EV_POP && !cm_we_i;
  assign bus_start   = cm_valid_i && word && !own;

  always_ff @(posedge clk_i) begin
    if (cm_valid_i) begin
      mm_we_o   <= cm_we_i;
      mm_addr_o <= cm_addr_i;
      word_q    <= word;
    end
    // While the core is in reset this is all ones: the reset value of MTIMECMP.
    if (!core_rst_ni && !own_q && !mm_valid_o) mm_wdata_o <= '1;
    else if (cm_valid_i)                       mm_wdata_o <= cm_wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pop_q <= 1'b0;
      own_q <= 1'b0;
    end else begin
      pop_q <= (cm_valid_i && word && takes_event) || (pop_q && !pop);
      own_q <= (cm_valid_i && (!word || (own && !takes_event))) || (own_q && !act);
    end
    own_done_q <= rst_ni && act;
  end

  // ---------------------------------------------------------------- events
  // The next event is chosen ahead; its source keeps it until it is popped. Sources are one hot in
  // the order of EV_POP.
  logic [15:0]  mask_q, pending;
  logic [7:0]   valid, enabled, offered, pick, choice_q;
  logic [31:0]  event_word;
  logic         popped_q;

  assign valid  = {ev_desc_valid_i, ev_ctr_valid_i, ev_dberr_valid_i, ev_bar_valid_i,
                   ev_link_valid_i, ev_rx_valid_i, ev_hwr_valid_i, ev_op_valid_i};
  assign enabled = {mask_q[tern_abi_pkg::EV_DESC], mask_q[tern_abi_pkg::EV_CTR],
                    mask_q[tern_abi_pkg::EV_DBERR], mask_q[tern_abi_pkg::EV_BAR],
                    mask_q[tern_abi_pkg::EV_LINK], mask_q[tern_abi_pkg::EV_RX],
                    mask_q[tern_abi_pkg::EV_HWR], mask_q[tern_abi_pkg::EV_OP]};
  assign {ev_desc_ready_o, ev_ctr_ready_o, ev_dberr_ready_o, ev_bar_ready_o,
          ev_link_ready_o, ev_rx_ready_o, ev_hwr_ready_o, ev_op_ready_o} = pop ? choice_q : 8'b0;

  always_comb begin
    pending = '0;
    pending[tern_abi_pkg::EV_OP]    = ev_op_valid_i;
    pending[tern_abi_pkg::EV_HWR]   = ev_hwr_valid_i;
    pending[tern_abi_pkg::EV_RX]    = ev_rx_valid_i;
    pending[tern_abi_pkg::EV_LINK]  = ev_link_valid_i;
    pending[tern_abi_pkg::EV_BAR]   = ev_bar_valid_i;
    pending[tern_abi_pkg::EV_DBERR] = ev_dberr_valid_i;
    pending[tern_abi_pkg::EV_CTR]   = ev_ctr_valid_i;
    pending[tern_abi_pkg::EV_DESC]  = ev_desc_valid_i;
  end

  always_comb begin
    offered    = '0;
`ifdef TERN_MODEL
    if (valid != '0)   // simulates faster
`endif
      offered = valid & enabled & ~(pop ? choice_q : 8'b0);
`ifdef TERN_MODEL
    pick       = offered & (~offered + 1'b1);
`else
    for (int s = 0; s < 8; s++) pick[s] = offered[s] && (offered & 8'((1 << s) - 1)) == '0;
`endif
  end

`ifdef TERN_MODEL   // simulates faster: only the picked event is copied
  logic [31:0] event_d;

  always_comb begin
    event_d = '0;
    if (pick[0]) event_d = ev_op_i;
    if (pick[1]) event_d = ev_hwr_i;
    if (pick[2]) event_d = ev_rx_i;
    if (pick[3]) event_d = ev_link_i;
    if (pick[4]) event_d = ev_bar_i;
    if (pick[5]) event_d = ev_dberr_i;
    if (pick[6]) event_d = ev_ctr_i;
    if (pick[7]) event_d = ev_desc_i;
  end

  always_ff @(posedge clk_i) event_word <= event_d;
`else
  logic [255:0] events, picked_q;
  assign events = {ev_desc_i, ev_ctr_i, ev_dberr_i, ev_bar_i,
                   ev_link_i, ev_rx_i, ev_hwr_i, ev_op_i};

  // The picked event is copied and all others read 0; an OR joins them.
  for (genvar s = 0; s < 8; s++) begin : g_event
    always_ff @(posedge clk_i) begin
      if (pick[s]) picked_q[32*s+:32] <= events[32*s+:32];
      else         picked_q[32*s+:32] <= '0;
    end
  end

  always_comb begin
    event_word = '0;
    for (int s = 0; s < 8; s++) event_word = event_word | picked_q[32*s+:32];
  end
`endif

  always_ff @(posedge clk_i) begin
    choice_q       <= rst_ni ? pick : '0;
    irq_external_o <= rst_ni && offered != '0;
    popped_q       <= rst_ni && pop;
  end

  // The source of the last event shows its next event a cycle later: do not report "none" before.
  assign pop = pop_q && (irq_external_o || !popped_q);

  assign tr_fw_pop_o    = pop && irq_external_o;
  assign tr_fw_pop_id_o = event_word[15:0];

  // ---------------------------------------------------------------- decode of system registers
  // An access completes in phase 3; MTIMECMP when the memory returns it.
  localparam int unsigned Copies = 19;
  logic [31:0]       now;         // one hot: the register accessed now
  logic [Copies-1:0] sel;
  logic              known, is_cmp;

  assign is_cmp = mm_addr_o[6:3] == tern_abi_pkg::MMIO_MTIMECMP_LO[6:3] && !mm_we_o;
  assign act    = own_q && (is_cmp ? phase == {mm_addr_o[2], !mm_addr_o[2]}
                                   : phase == 2'd3 && (log_valid_q || log_empty));
  assign wr     = act && mm_we_o && known;
  always_comb begin
    known = word_q && mm_addr_o[1:0] == '0 && mm_addr_o[6:2] <= tern_abi_pkg::MMIO_CONSOLE[6:2]
            && mm_addr_o[6:2] != tern_abi_pkg::MMIO_EV_PENDING[6:2] + 5'd1;   // a gap
    now = '0;
    now[mm_addr_o[6:2]] = act;
  end

  // ---------------------------------------------------------------- memory: log, MTIMECMP
  // Phases 0 and 1 read MTIMECMP. Phase 2 reads the log, for the register with its oldest word.
  // Phase 3 writes.
  logic [8:0]  head_q, tail_q, raddr, waddr;
  logic        log_valid_q, log_same, log_empty, log_full, log_push, log_fetch, log_pop, log_clear;
  logic        cmp_write;
  logic [31:0] rdata;

  // The log changes only in phase 3, so flags computed a cycle before still hold.
  assign log_same  = head_q[7:0] == tail_q[7:0];
  always_ff @(posedge clk_i) if (phase == 2'd2) begin
    log_empty <= log_same && head_q[8] == tail_q[8];
    log_full  <= log_same && head_q[8] != tail_q[8];
  end
  assign log_push  = wr && now[tern_abi_pkg::MMIO_LOG_PUSH[6:2]] && !log_full;
  assign log_pop   = log_pop_i || (now[tern_abi_pkg::MMIO_LOG_POP[6:2]] && known && !mm_we_o);
  assign raddr     = phase[1] ? {1'b0, head_q[7:0]} : {8'h80, phase[0]};
  assign waddr     = log_push ? {1'b0, tail_q[7:0]}
                              : {8'h80, core_rst_ni ? mm_addr_o[2] : cycle_o[2]};
  assign cmp_write = (wr && mm_addr_o[6:3] == tern_abi_pkg::MMIO_MTIMECMP_LO[6:3])
                     || (!core_rst_ni && phase == 2'd3);

  tern_ram #(.Width(32), .Words(512), .Block(1'b1)) u_ram (
    .clk_i, .ren_i(phase != 2'd3), .raddr_i(raddr), .rdata_o(rdata),
    .we_i(log_push || cmp_write), .waddr_i(waddr), .wdata_i(mm_wdata_o)
  );

  assign log_fetch = phase == 2'd3 && (!log_valid_q || log_pop) && !log_empty;
  assign log_clear = !rst_ni || (log_pop && !log_fetch);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q       <= '0;
      tail_q       <= '0;
      log_valid_q <= 1'b0;
    end else begin
      if (log_push)  tail_q <= tail_q + 1'b1;
      if (log_fetch) head_q <= head_q + 1'b1;
      log_valid_q <= log_fetch || (log_valid_q && !log_pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (log_clear)      log_data_o <= '0;
    else if (log_fetch) log_data_o <= rdata;
  end

  // ---------------------------------------------------------------- time
  // Low words in phase 1, high words in phase 2: the low word does not wrap between the two.
  logic        reached_q, reaches;
  logic [31:0] unused_difference;
  logic [1:0]  unused_low;

  tern_addsel #(.Width(34), .Subtract(1'b1)) u_reached (
    .a_i({rdata, 2'b01}), .b_i({cycle_o[63:32], 1'b0, reached_q}), .c_i({cycle_o[31:0], 2'b01}),
    .select_i(phase[1]), .sum_o({unused_difference, unused_low}), .carry_o(reaches)
  );

  always_ff @(posedge clk_i) begin
    reached_q <= reaches;
    if (!rst_ni || cmp_write) irq_timer_o <= 1'b0;
    else if (phase == 2'd2)   irq_timer_o <= reaches;
  end

  logic sleep_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_o   <= '0;
      sleep_q   <= 1'b0;
      awake_o   <= 1'b0;
      retired_o <= 1'b0;
    end else begin
      cycle_o   <= cycle_o + 1'b1;
      sleep_q   <= sleep_i;
      awake_o   <= core_rst_ni && !sleep_i;
      retired_o <= retire_i;   // the core's signal comes late in the cycle
    end
  end

  assign tr_sleep_o = sleep_i && !sleep_q;
  assign tr_wake_o  = !sleep_i && sleep_q;

  // ---------------------------------------------------------------- watchdog
  // A write in the very last cycle still prevents the reset.
  logic [31:0] wdog_q, wdog_next;
  logic        wdog_write, wdog_new_q, wdog_on, wdog_on_q;

  assign wdog_write = wr && now[tern_abi_pkg::MMIO_WDOG[6:2]];
  tern_countdown #(.Width(32)) u_wdog (
    .value_i(wdog_q), .load_i(wdog_write), .from_i(mm_wdata_o), .next_o(wdog_next), .some_o(wdog_on)
  );

  always_ff @(posedge clk_i) begin
    if (!core_rst_ni || !rst_ni) begin
      wdog_q      <= '0;
      wdog_on_q   <= 1'b0;
      wdog_new_q  <= 1'b0;
      wdog_bite_o <= 1'b0;
    end else begin
      // A debugger resets a halted core by writing 1, so the first step always counts.
      if (wdog_write || (wdog_on && (!dbg_stopped_i || wdog_new_q))) wdog_q <= wdog_next;
      wdog_new_q  <= wdog_write;
      wdog_on_q   <= wdog_on && !wdog_write;
      wdog_bite_o <= wdog_on_q && !wdog_on && !wdog_write;
    end
  end

  // ---------------------------------------------------------------- registers of the firmware
  logic [31:0] status_q;

  assign fw_status_o = {status_q[31:8], core_rst_ni ? status_q[7:0] : boot_state_i};

  always_ff @(posedge clk_i) begin
    if (!core_rst_ni || !rst_ni) begin
      mask_q   <= '1;
      status_q <= tern_abi_pkg::FWSTATE_BOOT;
    end else begin
      if (wr && now[tern_abi_pkg::MMIO_EV_MASK[6:2]])   mask_q   <= mm_wdata_o[15:0];
      if (wr && now[tern_abi_pkg::MMIO_FW_STATUS[6:2]]) status_q <= mm_wdata_o;
    end
    if (!rst_ni)                                            fw_version_o <= '0;
    else if (wr && now[tern_abi_pkg::MMIO_FW_VERSION[6:2]]) fw_version_o <= mm_wdata_o;
  end

  assign tr_fw_write_o    = wr && now[tern_abi_pkg::MMIO_CONSOLE[6:2]];
  assign tr_fw_write_id_o = 16'(mm_wdata_o[7:0]);

  // ---------------------------------------------------------------- reads of system registers
  // A register is copied in the cycle of its answer and reads 0 in all others.
  logic [32*Copies-1:0] from;
  logic [31:0]          copied;
  logic                 err_q;

  assign from = {
    16'd0, host_latency_i,
    clock_hz_i,
    8'(TreeGroups), 8'(RxSlots), 8'(FwSlots), 8'(NumSlots),
    16'(NumCtr), 16'(NumRegions),
    16'(NumFn), 16'(NumQ),
    16'(MaxPayload / 8), 8'(Ports), 8'(DataW),
    log_data_o,
    fw_version_o,
    status_q,
    24'd0, incarnation_i,
    16'd0, dims_i,
    16'd0, node_i,
    30'd0, reset_cause_i,
    wdog_q,
    rdata,
    cycle_o[63:32],
    cycle_o[31:0],
    16'd0, pending,
    16'd0, mask_q};
  assign sel = {
    now[tern_abi_pkg::MMIO_HOST_LATENCY[6:2]], now[tern_abi_pkg::MMIO_CLOCK_HZ[6:2]],
    now[tern_abi_pkg::MMIO_SIZES[6:2]], now[tern_abi_pkg::MMIO_REGIONS[6:2]],
    now[tern_abi_pkg::MMIO_LIMITS[6:2]], now[tern_abi_pkg::MMIO_CONFIG[6:2]],
    now[tern_abi_pkg::MMIO_LOG_POP[6:2]], now[tern_abi_pkg::MMIO_FW_VERSION[6:2]],
    now[tern_abi_pkg::MMIO_FW_STATUS[6:2]], now[tern_abi_pkg::MMIO_INCARNATION[6:2]],
    now[tern_abi_pkg::MMIO_DIMS[6:2]], now[tern_abi_pkg::MMIO_NODE[6:2]],
    now[tern_abi_pkg::MMIO_RESET_CAUSE[6:2]], now[tern_abi_pkg::MMIO_WDOG[6:2]],
    now[tern_abi_pkg::MMIO_MTIMECMP_LO[6:2]] || now[tern_abi_pkg::MMIO_MTIMECMP_HI[6:2]],
    now[tern_abi_pkg::MMIO_MTIME_HI[6:2]], now[tern_abi_pkg::MMIO_MTIME_LO[6:2]],
    now[tern_abi_pkg::MMIO_EV_PENDING[6:2]], now[tern_abi_pkg::MMIO_EV_MASK[6:2]]};

`ifdef TERN_MODEL   // simulates faster: only the register being read is copied
  logic [31:0] copy_d;

  function automatic logic [31:0] chosen(input logic [Copies-1:0] which,
                                         input logic [32*Copies-1:0] words);
    chosen = '0;
    for (int i = 0; i < Copies; i++) if (which[i]) chosen = chosen | words[32*i+:32];
  endfunction

  always_comb begin
    copy_d = '0;
    if (act) copy_d = chosen(sel, from);
  end

  always_ff @(posedge clk_i) copied <= copy_d;
`else
  logic [32*Copies-1:0] copy_q;

  for (genvar i = 0; i < Copies; i++) begin : g_copy
    always_ff @(posedge clk_i) begin
      if (sel[i]) copy_q[32*i+:32] <= from[32*i+:32];
      else        copy_q[32*i+:32] <= '0;
    end
  end

  always_comb begin
    copied = '0;
    for (int i = 0; i < Copies; i++) copied = copied | copy_q[32*i+:32];
  end
`endif

  // ---------------------------------------------------------------- register bus
  // Bus time-out: an access still pending after two ticks is aborted. No access times out while
  // tern_rx copies: a copy blocks slots and commands, for long if deposits leave no gap.
  logic tick, old_q, lose;

  assign tick = cycle_o[5:0] == '1;
  assign lose = mm_valid_o && !mm_ready_i && old_q && tick;

  always_ff @(posedge clk_i) begin
    mm_valid_o <= rst_ni && (bus_start || (mm_valid_o && !mm_ready_i && !lose));
    old_q      <= rst_ni && mm_valid_o && !copy_near_i && (old_q || tick);
    lost_q     <= rst_ni && lose;
    err_q      <= act && !known;
  end

  // ---------------------------------------------------------------- answers
  // All sources but the answering one are 0.
  assign cm_rvalid_o = pop || own_done_q || lost_q || mm_rvalid_i;
  assign cm_rdata_o  = (event_word & {32{pop_q}}) | copied | mm_rdata_i;
  assign cm_err_o    = err_q || lost_q;

  // At most one event is taken at a time; accesses come one by one, and each answer has an access.
  logic busy_q;
  always_ff @(posedge clk_i) begin
    busy_q <= rst_ni && (cm_valid_i || (busy_q && !cm_rvalid_o));
    if (rst_ni) begin
      OneEvent:  assert ((pick & (pick - 1'b1)) == '0);
      OneAccess: assert (!(cm_valid_i && busy_q && !cm_rvalid_o));
      AnswerDue: assert (!cm_rvalid_o || busy_q);
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_difference, unused_low};

endmodule

`default_nettype wire
