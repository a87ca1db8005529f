// SPDX-License-Identifier: Apache-2.0
// Bench of the lock-step run: the core alone; its memory and all checks are in C.
//
// In every cycle the bench asks C for the interrupt lines, the stalls and the reset, and reports
// every retired instruction, interrupt and bus access to C, the oldest first. lockstep.c implements
// these functions. With TERN_GATE the netlist of the core, tern_core_gate, runs beside it and must
// have the same outputs.
`default_nettype none

// The bench uses only some of the core's outputs.
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off PINCONNECTEMPTY
module lockstep_bench;
  // options: bit 0 runs the netlist, too; 1 prints the coverage; 2 does not shrink a failing
  // program
  import "DPI-C" function void lockstep_begin(input longint instructions, input int seed,
                                              input int programs, input int options);
  // {reset, hold danswer, dgrant, ianswer, igrant, lines: external, software, timer}
  // {data asked for, data held, fetch held, sleeping}
  import "DPI-C" function int lockstep_tick(input int state);
  import "DPI-C" function void lockstep_retire(
    input int cycle, input int mip, input int mip_before, input int flags, input int insn,
    input int pc, input int next_pc, input int rd, input int rd_value,
    input int address, input int masks, input int write_data);
  import "DPI-C" function void lockstep_interrupt(input int mip);
`ifdef TERN_GATE
  import "DPI-C" function void lockstep_gate_differs(input int port);
`endif
  import "DPI-C" function longint lockstep_fetch(input int address);   // {refused, word}
  import "DPI-C" function longint lockstep_data(input int lanes, input int address,
                                                input int word);

  localparam logic [31:0] Boot = 32'h8000_0000;
  localparam logic [31:0] Hart = 32'h0000_7e57;
`ifdef TERN_GATE
  localparam logic BesideGate = 1'b1;
`else
  localparam logic BesideGate = 1'b0;
`endif

  longint instructions;
  int     seed, programs;
  logic   want_table, keep_long;

  initial begin
    if (!$value$plusargs("instructions=%d", instructions)) instructions = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("programs=%d", programs)) programs = 0;
    want_table = $test$plusargs("table") != 0;
    keep_long  = $test$plusargs("whole") != 0;
    lockstep_begin(instructions, seed, programs, {29'b0, keep_long, want_table, BesideGate});
  end

  logic clk;
  initial begin
    clk = 1'b0;
    forever #1 clk = !clk;
  end

  // ---------------------------------------------------------------- levers
  logic       rst_n;
  logic [2:0] lines;
  logic [3:0] hold;
  int         cycle, mip, mip_before;
  int         levers = 128;

  assign {rst_n, hold, lines} = {!levers[7], levers[6:0]};

  // ---------------------------------------------------------------- instruction port
  logic        imem_req, imem_gnt, imem_rvalid, imem_err;
  logic [31:0] imem_addr, imem_rdata;
  logic [32:0] iq [0:3];
  logic [1:0]  iq_head, iq_tail;

  assign imem_rvalid = iq_head != iq_tail && !hold[1];
  assign imem_gnt    = !hold[0] && (iq_tail + 2'd1 != iq_head || imem_rvalid);
  assign {imem_err, imem_rdata} = iq[iq_head];

  // ---------------------------------------------------------------- data port
  logic        dmem_req, dmem_we, dmem_gnt, dmem_rvalid, dmem_err, dq_some;
  logic [3:0]  dmem_be;
  logic [31:0] dmem_addr, dmem_wdata;
  logic [32:0] dq;

  assign dmem_gnt    = !hold[2] && (!dq_some || dmem_rvalid);
  assign dmem_rvalid = dq_some && !hold[3];
  assign dmem_err    = dmem_rvalid && dq[32];

  // A grant or an answer is possible now, and is delayed.
  logic fetch_held, data_held;
  assign fetch_held = (imem_req && !imem_gnt) || (iq_head != iq_tail && !imem_rvalid);
  assign data_held  = (dmem_req && !dmem_gnt) || (dq_some && !dmem_rvalid);

  // ---------------------------------------------------------------- the core
  logic        retire, sleeping;
  logic [31:0] retire_pc;
  logic        rvfi_valid, rvfi_trap, rvfi_halt, rvfi_intr;
  logic [63:0] rvfi_order;
  logic [31:0] rvfi_insn, rvfi_rs1_rdata, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_pc_rdata;
  logic [31:0] rvfi_pc_wdata, rvfi_mem_addr, rvfi_mem_rdata, rvfi_mem_wdata;
  logic [1:0]  rvfi_mode, rvfi_ixl;
  logic [4:0]  rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr;
  logic [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;
  logic [31:0] rvfi_csr_mstatus_rmask, rvfi_csr_mstatus_wmask;
  logic [31:0] rvfi_csr_mstatus_rdata, rvfi_csr_mstatus_wdata;
  logic [31:0] rvfi_csr_misa_rmask, rvfi_csr_misa_wmask;
  logic [31:0] rvfi_csr_misa_rdata, rvfi_csr_misa_wdata;
  logic [31:0] rvfi_csr_mie_rmask, rvfi_csr_mie_wmask;
  logic [31:0] rvfi_csr_mie_rdata, rvfi_csr_mie_wdata;
  logic [31:0] rvfi_csr_mtvec_rmask, rvfi_csr_mtvec_wmask;
  logic [31:0] rvfi_csr_mtvec_rdata, rvfi_csr_mtvec_wdata;
  logic [31:0] rvfi_csr_mscratch_rmask, rvfi_csr_mscratch_wmask;
  logic [31:0] rvfi_csr_mscratch_rdata, rvfi_csr_mscratch_wdata;
  logic [31:0] rvfi_csr_mepc_rmask, rvfi_csr_mepc_wmask;
  logic [31:0] rvfi_csr_mepc_rdata, rvfi_csr_mepc_wdata;
  logic [31:0] rvfi_csr_mcause_rmask, rvfi_csr_mcause_wmask;
  logic [31:0] rvfi_csr_mcause_rdata, rvfi_csr_mcause_wdata;
  logic [31:0] rvfi_csr_mtval_rmask, rvfi_csr_mtval_wmask;
  logic [31:0] rvfi_csr_mtval_rdata, rvfi_csr_mtval_wdata;
  logic [31:0] rvfi_csr_mip_rmask, rvfi_csr_mip_wmask;
  logic [31:0] rvfi_csr_mip_rdata, rvfi_csr_mip_wdata;
  logic [63:0] rvfi_csr_mcycle_rmask, rvfi_csr_mcycle_wmask;
  logic [63:0] rvfi_csr_mcycle_rdata, rvfi_csr_mcycle_wdata;
  logic [63:0] rvfi_csr_minstret_rmask, rvfi_csr_minstret_wmask;
  logic [63:0] rvfi_csr_minstret_rdata, rvfi_csr_minstret_wdata;

  tern_core u_core (
    .clk_i(clk), .rst_ni(rst_n), .boot_pc_i(Boot), .hart_id_i(Hart),
    .imem_req_o(imem_req), .imem_addr_o(imem_addr), .imem_gnt_i(imem_gnt),
    .imem_rvalid_i(imem_rvalid), .imem_rdata_i(imem_rdata), .imem_err_i(imem_err),
    .dmem_req_o(dmem_req), .dmem_we_o(dmem_we), .dmem_be_o(dmem_be), .dmem_addr_o(dmem_addr),
    .dmem_wdata_o(dmem_wdata), .dmem_gnt_i(dmem_gnt), .dmem_rvalid_i(dmem_rvalid),
    .dmem_rdata_i(dq[31:0]), .dmem_err_i(dmem_err),
    .irq_timer_i(lines[0]), .irq_software_i(lines[1]), .irq_external_i(lines[2]),
    .sleep_o(sleeping), .retire_o(retire), .retire_pc_o(retire_pc),
    .dbg_run_i(1'b1), .dbg_quiet_i(1'b0), .dbg_inject_i(1'b0), .dbg_ebreak_i(1'b0),
    .dbg_flush_i(1'b0), .dbg_taken_o(), .dbg_busy_o(), .dbg_hit_o(), .dbg_trap_o(), .dbg_pc_o(),
    .dbg_insn_o(), .dbg_value_o(), .*
  );

`ifdef TERN_GATE
  // ---------------------------------------------------------------- its netlist beside it
  // The netlist gets all inputs of the core; all outputs of the two are compared in every cycle out
  // of reset.
  logic        gate_imem_req, gate_dmem_req, gate_dmem_we, gate_retire, gate_sleeping;
  logic [3:0]  gate_dmem_be;
  logic [31:0] gate_imem_addr, gate_dmem_addr, gate_dmem_wdata, gate_retire_pc;
  logic [7:0]  differs;

  tern_core_gate u_gate (
    .clk_i(clk), .rst_ni(rst_n), .boot_pc_i(Boot), .hart_id_i(Hart),
    .imem_req_o(gate_imem_req), .imem_addr_o(gate_imem_addr), .imem_gnt_i(imem_gnt),
    .imem_rvalid_i(imem_rvalid), .imem_rdata_i(imem_rdata), .imem_err_i(imem_err),
    .dmem_req_o(gate_dmem_req), .dmem_we_o(gate_dmem_we), .dmem_be_o(gate_dmem_be),
    .dmem_addr_o(gate_dmem_addr), .dmem_wdata_o(gate_dmem_wdata), .dmem_gnt_i(dmem_gnt),
    .dmem_rvalid_i(dmem_rvalid), .dmem_rdata_i(dq[31:0]), .dmem_err_i(dmem_err),
    .irq_timer_i(lines[0]), .irq_software_i(lines[1]), .irq_external_i(lines[2]),
    .sleep_o(gate_sleeping), .retire_o(gate_retire), .retire_pc_o(gate_retire_pc),
    .dbg_run_i(1'b1), .dbg_quiet_i(1'b0), .dbg_inject_i(1'b0), .dbg_ebreak_i(1'b0),
    .dbg_flush_i(1'b0), .dbg_taken_o(), .dbg_busy_o(), .dbg_hit_o(), .dbg_trap_o(), .dbg_pc_o(),
    .dbg_insn_o(), .dbg_value_o()
  );

  assign differs = {gate_retire_pc != retire_pc, gate_retire != retire,
                    gate_sleeping != sleeping, gate_dmem_wdata != dmem_wdata,
                    gate_dmem_addr != dmem_addr,
                    {gate_dmem_req, gate_dmem_we, gate_dmem_be} != {dmem_req, dmem_we, dmem_be},
                    gate_imem_addr != imem_addr, gate_imem_req != imem_req};

  always @(posedge clk) if (rst_n && differs != 0) lockstep_gate_differs({24'b0, differs});
`endif

  // The formal interface reports exceptions only, so the bench takes the time of an interrupt from
  // inside the core. The golden model checks whether it may be taken.
  logic interrupted;
  assign interrupted = u_core.ex_trap && u_core.irq_first;

  always @(posedge clk) begin : told_to_c
    if (rst_n && rvfi_valid)
      lockstep_retire(cycle, mip, mip_before, {29'b0, rvfi_intr, rvfi_trap, 1'b0}, rvfi_insn,
                      rvfi_pc_rdata, rvfi_pc_wdata, {27'b0, rvfi_rd_addr}, rvfi_rd_wdata,
                      rvfi_mem_addr, {24'b0, rvfi_mem_wmask, rvfi_mem_rmask}, rvfi_mem_wdata);
    if (rst_n && interrupted) lockstep_interrupt(mip);

    if (dmem_rvalid) dq_some <= 1'b0;
    if (dmem_req && dmem_gnt) begin
      dq      <= 33'(lockstep_data({27'b0, dmem_we, dmem_be}, dmem_addr, dmem_wdata));
      dq_some <= 1'b1;
    end
    if (imem_req && imem_gnt) begin
      iq[iq_tail] <= 33'(lockstep_fetch(imem_addr));
      iq_tail     <= iq_tail + 2'd1;
    end
    if (imem_rvalid) iq_head <= iq_head + 2'd1;

    levers <= lockstep_tick({28'b0, dmem_req, data_held, fetch_held, sleeping});

    // The expected counter and mip of the core, one cycle after the lines.
    cycle      <= rst_n ? cycle + 1 : 0;
    mip        <= rst_n ? {20'b0, lines[2], 3'b0, lines[0], 3'b0, lines[1], 3'b0} : 0;
    mip_before <= mip;
    if (!rst_n) begin
      dq_some <= 1'b0;
      iq_head <= '0;
      iq_tail <= '0;
    end
  end

endmodule
