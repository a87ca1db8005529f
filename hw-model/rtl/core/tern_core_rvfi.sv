// SPDX-License-Identifier: Apache-2.0
// RISC-V formal interface of the core, one channel.  For benches and checkers only.
//
// `rvfi_valid` marks every instruction that retires and, with `rvfi_trap`, every one that raises an
// exception. Memory addresses are word addresses; masks select byte lanes.
//
// The CSR ports report reads and writes of CSR instructions. `rdata` is the value before and
// `wdata` the value after the instruction; read-only bits are unchanged. The masks are all ones or
// 0; half of a counter has half of the mask. The ports do not report changes by traps, interrupts
// and time.
`default_nettype none

module tern_core_rvfi (
  input  logic        clk_i,
  input  logic        rst_ni,

  // execute stage: the instruction leaves it, traps in it, or an interrupt takes its place
  input  logic        done_i,
  input  logic        trap_i,
  input  logic        irq_i,
  // write-back stage
  input  logic        retire_i,
  input  logic        fault_i,

  input  logic [31:0] insn_i,
  input  logic        rs1_used_i,
  input  logic [4:0]  rs1_i,
  input  logic [31:0] op1_i,
  input  logic        rs2_used_i,
  input  logic [4:0]  rs2_i,
  input  logic [31:0] op2_i,
  input  logic [31:1] pc_i,
  input  logic [31:1] next_pc_i,
  input  logic        load_i,
  input  logic        store_i,
  input  logic [3:0]  be_i,
  input  logic [31:0] wdata_i,

  input  logic        wb_we_i,
  input  logic [4:0]  wb_rd_i,
  input  logic [31:2] wb_value_i,      // word address of an access
  input  logic [31:0] wb_data_i,
  input  logic [31:0] rdata_i,
  input  logic [31:1] trap_base_i,
  input  logic        csr_i,
  input  logic        csr_writes_i,
  input  logic [13*32-1:0] state_i,    // of the CSRs, in the order of tern_core_csr

  output logic        rvfi_valid,
  output logic [63:0] rvfi_order,
  output logic [31:0] rvfi_insn,
  output logic        rvfi_trap,
  output logic        rvfi_halt,
  output logic        rvfi_intr,
  output logic [1:0]  rvfi_mode,
  output logic [1:0]  rvfi_ixl,
  output logic [4:0]  rvfi_rs1_addr,
  output logic [4:0]  rvfi_rs2_addr,
  output logic [31:0] rvfi_rs1_rdata,
  output logic [31:0] rvfi_rs2_rdata,
  output logic [4:0]  rvfi_rd_addr,
  output logic [31:0] rvfi_rd_wdata,
  output logic [31:0] rvfi_pc_rdata,
  output logic [31:0] rvfi_pc_wdata,
  output logic [31:0] rvfi_mem_addr,
  output logic [3:0]  rvfi_mem_rmask,
  output logic [3:0]  rvfi_mem_wmask,
  output logic [31:0] rvfi_mem_rdata,
  output logic [31:0] rvfi_mem_wdata,
  output logic [31:0] rvfi_csr_mstatus_rmask,
  output logic [31:0] rvfi_csr_mstatus_wmask,
  output logic [31:0] rvfi_csr_mstatus_rdata,
  output logic [31:0] rvfi_csr_mstatus_wdata,
  output logic [31:0] rvfi_csr_misa_rmask,
  output logic [31:0] rvfi_csr_misa_wmask,
  output logic [31:0] rvfi_csr_misa_rdata,
  output logic [31:0] rvfi_csr_misa_wdata,
  output logic [31:0] rvfi_csr_mie_rmask,
  output logic [31:0] rvfi_csr_mie_wmask,
  output logic [31:0] rvfi_csr_mie_rdata,
  output logic [31:0] rvfi_csr_mie_wdata,
  output logic [31:0] rvfi_csr_mtvec_rmask,
  output logic [31:0] rvfi_csr_mtvec_wmask,
  output logic [31:0] rvfi_csr_mtvec_rdata,
  output logic [31:0] rvfi_csr_mtvec_wdata,
  output logic [31:0] rvfi_csr_mscratch_rmask,
  output logic [31:0] rvfi_csr_mscratch_wmask,
  output logic [31:0] rvfi_csr_mscratch_rdata,
  output logic [31:0] rvfi_csr_mscratch_wdata,
  output logic [31:0] rvfi_csr_mepc_rmask,
  output logic [31:0] rvfi_csr_mepc_wmask,
  output logic [31:0] rvfi_csr_mepc_rdata,
  output logic [31:0] rvfi_csr_mepc_wdata,
  output logic [31:0] rvfi_csr_mcause_rmask,
  output logic [31:0] rvfi_csr_mcause_wmask,
  output logic [31:0] rvfi_csr_mcause_rdata,
  output logic [31:0] rvfi_csr_mcause_wdata,
  output logic [31:0] rvfi_csr_mtval_rmask,
  output logic [31:0] rvfi_csr_mtval_wmask,
  output logic [31:0] rvfi_csr_mtval_rdata,
  output logic [31:0] rvfi_csr_mtval_wdata,
  output logic [31:0] rvfi_csr_mip_rmask,
  output logic [31:0] rvfi_csr_mip_wmask,
  output logic [31:0] rvfi_csr_mip_rdata,
  output logic [31:0] rvfi_csr_mip_wdata,
  output logic [63:0] rvfi_csr_mcycle_rmask,
  output logic [63:0] rvfi_csr_mcycle_wmask,
  output logic [63:0] rvfi_csr_mcycle_rdata,
  output logic [63:0] rvfi_csr_mcycle_wdata,
  output logic [63:0] rvfi_csr_minstret_rmask,
  output logic [63:0] rvfi_csr_minstret_wmask,
  output logic [63:0] rvfi_csr_minstret_rdata,
  output logic [63:0] rvfi_csr_minstret_wdata
);
  logic        trapped_q, load_q, store_q, intr_q, intr_next_q;
  logic [63:0] order_q;
  logic [31:0] insn_q, op1_q, op2_q, wdata_q;
  logic [4:0]  rs1_q, rs2_q;
  logic [31:1] pc_q, next_pc_q;
  logic [3:0]  be_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      trapped_q   <= 1'b0;
      intr_q      <= 1'b0;
      intr_next_q <= 1'b0;
      order_q     <= '0;
    end else begin
      trapped_q <= trap_i;
      if (rvfi_valid) order_q <= order_q + 64'd1;
      if (done_i || trap_i) intr_q <= intr_next_q;
      if (irq_i) intr_next_q <= 1'b1;
      else if (trap_i || fault_i) intr_next_q <= 1'b1;
      else if (done_i) intr_next_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_i || trap_i) begin
      insn_q    <= insn_i;
      rs1_q     <= rs1_used_i ? rs1_i : '0;
      op1_q     <= rs1_used_i ? op1_i : '0;
      rs2_q     <= rs2_used_i ? rs2_i : '0;
      op2_q     <= rs2_used_i ? op2_i : '0;
      pc_q      <= pc_i;
      next_pc_q <= next_pc_i;
      load_q    <= load_i && done_i;
      store_q   <= store_i && done_i;
      be_q      <= be_i;
      wdata_q   <= wdata_i;
    end
  end

  logic writes;
  assign writes = retire_i && wb_we_i;

  assign rvfi_valid     = rst_ni && (retire_i || fault_i || trapped_q);
  assign rvfi_order     = order_q;
  assign rvfi_insn      = insn_q;
  assign rvfi_trap      = fault_i || trapped_q;
  assign rvfi_halt      = 1'b0;
  assign rvfi_intr      = intr_q;
  assign rvfi_mode      = 2'd3;
  assign rvfi_ixl       = 2'd1;
  assign rvfi_rs1_addr  = rs1_q;
  assign rvfi_rs2_addr  = rs2_q;
  assign rvfi_rs1_rdata = op1_q;
  assign rvfi_rs2_rdata = op2_q;
  assign rvfi_rd_addr   = writes ? wb_rd_i : '0;
  assign rvfi_rd_wdata  = writes ? wb_data_i : '0;
  assign rvfi_pc_rdata  = {pc_q, 1'b0};
  assign rvfi_pc_wdata  = {rvfi_trap ? trap_base_i : next_pc_q, 1'b0};
  assign rvfi_mem_addr  = load_q || store_q ? {wb_value_i, 2'b00} : '0;
  assign rvfi_mem_rmask = load_q ? be_q : '0;
  assign rvfi_mem_wmask = store_q ? be_q : '0;
  assign rvfi_mem_rdata = rdata_i;
  assign rvfi_mem_wdata = wdata_q;

  // --- CSRs ---
  // The instruction writes them in the cycle before it retires; no other write can come then.
  logic             csr_q, csr_writes_q;
  logic [13*32-1:0] before_q;

  always_ff @(posedge clk_i) begin
    if (done_i || trap_i) begin
      csr_q        <= csr_i && done_i;
      csr_writes_q <= csr_writes_i;
      before_q     <= state_i;
    end
  end

  logic        reads_csr, writes_csr;
  logic [11:0] csr;
  assign reads_csr  = rvfi_valid && csr_q && insn_q[11:7] != '0;
  assign writes_csr = rvfi_valid && csr_q && csr_writes_q;
  assign csr        = insn_q[31:20];

  assign rvfi_csr_mstatus_rmask = {32{reads_csr && csr == 12'h300}};
  assign rvfi_csr_mstatus_wmask = {32{writes_csr && csr == 12'h300}};
  assign rvfi_csr_mstatus_rdata = before_q[0 +: 32];
  assign rvfi_csr_mstatus_wdata = state_i[0 +: 32];
  assign rvfi_csr_misa_rmask = {32{reads_csr && csr == 12'h301}};
  assign rvfi_csr_misa_wmask = {32{writes_csr && csr == 12'h301}};
  assign rvfi_csr_misa_rdata = before_q[32 +: 32];
  assign rvfi_csr_misa_wdata = state_i[32 +: 32];
  assign rvfi_csr_mie_rmask = {32{reads_csr && csr == 12'h304}};
  assign rvfi_csr_mie_wmask = {32{writes_csr && csr == 12'h304}};
  assign rvfi_csr_mie_rdata = before_q[64 +: 32];
  assign rvfi_csr_mie_wdata = state_i[64 +: 32];
  assign rvfi_csr_mtvec_rmask = {32{reads_csr && csr == 12'h305}};
  assign rvfi_csr_mtvec_wmask = {32{writes_csr && csr == 12'h305}};
  assign rvfi_csr_mtvec_rdata = before_q[96 +: 32];
  assign rvfi_csr_mtvec_wdata = state_i[96 +: 32];
  assign rvfi_csr_mscratch_rmask = {32{reads_csr && csr == 12'h340}};
  assign rvfi_csr_mscratch_wmask = {32{writes_csr && csr == 12'h340}};
  assign rvfi_csr_mscratch_rdata = before_q[128 +: 32];
  assign rvfi_csr_mscratch_wdata = state_i[128 +: 32];
  assign rvfi_csr_mepc_rmask = {32{reads_csr && csr == 12'h341}};
  assign rvfi_csr_mepc_wmask = {32{writes_csr && csr == 12'h341}};
  assign rvfi_csr_mepc_rdata = before_q[160 +: 32];
  assign rvfi_csr_mepc_wdata = state_i[160 +: 32];
  assign rvfi_csr_mcause_rmask = {32{reads_csr && csr == 12'h342}};
  assign rvfi_csr_mcause_wmask = {32{writes_csr && csr == 12'h342}};
  assign rvfi_csr_mcause_rdata = before_q[192 +: 32];
  assign rvfi_csr_mcause_wdata = state_i[192 +: 32];
  assign rvfi_csr_mtval_rmask = {32{reads_csr && csr == 12'h343}};
  assign rvfi_csr_mtval_wmask = {32{writes_csr && csr == 12'h343}};
  assign rvfi_csr_mtval_rdata = before_q[224 +: 32];
  assign rvfi_csr_mtval_wdata = state_i[224 +: 32];
  assign rvfi_csr_mip_rmask = {32{reads_csr && csr == 12'h344}};
  assign rvfi_csr_mip_wmask = {32{writes_csr && csr == 12'h344}};
  assign rvfi_csr_mip_rdata = before_q[256 +: 32];
  assign rvfi_csr_mip_wdata = state_i[256 +: 32];
  assign rvfi_csr_mcycle_rmask = {{32{reads_csr && csr == 12'hb80}},
      {32{reads_csr && csr == 12'hb00}}};
  assign rvfi_csr_mcycle_wmask = {{32{writes_csr && csr == 12'hb80}},
      {32{writes_csr && csr == 12'hb00}}};
  assign rvfi_csr_mcycle_rdata = before_q[288 +: 64];
  assign rvfi_csr_mcycle_wdata = state_i[288 +: 64];
  assign rvfi_csr_minstret_rmask = {{32{reads_csr && csr == 12'hb82}},
      {32{reads_csr && csr == 12'hb02}}};
  assign rvfi_csr_minstret_wmask = {{32{writes_csr && csr == 12'hb82}},
      {32{writes_csr && csr == 12'hb02}}};
  assign rvfi_csr_minstret_rdata = before_q[352 +: 64];
  assign rvfi_csr_minstret_wdata = state_i[352 +: 64];

endmodule
