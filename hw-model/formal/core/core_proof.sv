// SPDX-License-Identifier: Apache-2.0
// The core in an arbitrary environment, with one of the checks attached to its RVFI.
//
// Memories answer with any value at any time, but only requests; interrupts come at any time. Reset
// lasts one cycle. Signals inside the core are not used.
`default_nettype none

module core_proof #(
  parameter int unsigned Check  = 0,
  parameter int unsigned Stall  = 1,   // CheckLive: cycles a grant or an answer may be held back
  parameter int unsigned Within = 24   // CheckLive: cycles from one instruction to the next
) (
  input logic        clk_i,
  input logic        imem_gnt_i,
  input logic        imem_rvalid_i,
  input logic [31:0] imem_rdata_i,
  input logic        imem_err_i,
  input logic        dmem_gnt_i,
  input logic        dmem_rvalid_i,
  input logic [31:0] dmem_rdata_i,
  input logic        dmem_err_i,
  input logic        irq_timer_i,
  input logic        irq_external_i,
  input logic        irq_software_i
);
  (* anyconst *) logic [31:0] boot_pc_i;
  (* anyconst *) logic [31:0] hart_id_i;
  (* anyconst *) logic [4:0]  watched_reg;
  (* anyconst *) logic [4:0]  other_reg;
  (* anyconst *) logic [31:1] watched_pc;
  (* anyconst *) logic [4:0]  watched_bit;
  (* anyconst *) logic        watched_value;
  (* anyconst *) logic        watched_refused;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic        imem_req_o, dmem_req_o, dmem_we_o, sleep_o;
  logic [31:0] imem_addr_o, dmem_addr_o, dmem_wdata_o;
  logic [3:0]  dmem_be_o;

  logic        rvfi_valid, rvfi_trap, rvfi_halt, rvfi_intr;
  logic [63:0] rvfi_order;
  logic [1:0]  rvfi_mode, rvfi_ixl;
  logic [4:0]  rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr;
  logic [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;
  logic [31:0] rvfi_insn, rvfi_rs1_rdata, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_pc_rdata;
  logic [31:0] rvfi_pc_wdata, rvfi_mem_addr, rvfi_mem_rdata, rvfi_mem_wdata;
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

  // The debug port is tied off.
  tern_core dut (
    .clk_i, .rst_ni, .boot_pc_i, .hart_id_i,
    .imem_req_o, .imem_addr_o, .imem_gnt_i, .imem_rvalid_i, .imem_rdata_i, .imem_err_i,
    .dmem_req_o, .dmem_we_o, .dmem_be_o, .dmem_addr_o, .dmem_wdata_o,
    .dmem_gnt_i, .dmem_rvalid_i, .dmem_rdata_i, .dmem_err_i,
    .irq_timer_i, .irq_external_i, .irq_software_i, .sleep_o,
    .dbg_run_i(1'b1), .dbg_quiet_i(1'b0), .dbg_inject_i(1'b0), .dbg_ebreak_i(1'b0),
    .dbg_flush_i(1'b0),
    .rvfi_valid, .rvfi_order, .rvfi_insn, .rvfi_trap, .rvfi_halt, .rvfi_intr, .rvfi_mode,
    .rvfi_ixl, .rvfi_rs1_addr, .rvfi_rs2_addr, .rvfi_rs1_rdata, .rvfi_rs2_rdata,
    .rvfi_rd_addr, .rvfi_rd_wdata, .rvfi_pc_rdata, .rvfi_pc_wdata,
    .rvfi_mem_addr, .rvfi_mem_rmask, .rvfi_mem_wmask, .rvfi_mem_rdata, .rvfi_mem_wdata,
    .rvfi_csr_mstatus_rmask, .rvfi_csr_mstatus_wmask,
    .rvfi_csr_mstatus_rdata, .rvfi_csr_mstatus_wdata,
    .rvfi_csr_misa_rmask, .rvfi_csr_misa_wmask, .rvfi_csr_misa_rdata, .rvfi_csr_misa_wdata,
    .rvfi_csr_mie_rmask, .rvfi_csr_mie_wmask, .rvfi_csr_mie_rdata, .rvfi_csr_mie_wdata,
    .rvfi_csr_mtvec_rmask, .rvfi_csr_mtvec_wmask, .rvfi_csr_mtvec_rdata, .rvfi_csr_mtvec_wdata,
    .rvfi_csr_mscratch_rmask, .rvfi_csr_mscratch_wmask,
    .rvfi_csr_mscratch_rdata, .rvfi_csr_mscratch_wdata,
    .rvfi_csr_mepc_rmask, .rvfi_csr_mepc_wmask, .rvfi_csr_mepc_rdata, .rvfi_csr_mepc_wdata,
    .rvfi_csr_mcause_rmask, .rvfi_csr_mcause_wmask, .rvfi_csr_mcause_rdata, .rvfi_csr_mcause_wdata,
    .rvfi_csr_mtval_rmask, .rvfi_csr_mtval_wmask, .rvfi_csr_mtval_rdata, .rvfi_csr_mtval_wdata,
    .rvfi_csr_mip_rmask, .rvfi_csr_mip_wmask, .rvfi_csr_mip_rdata, .rvfi_csr_mip_wdata,
    .rvfi_csr_mcycle_rmask, .rvfi_csr_mcycle_wmask, .rvfi_csr_mcycle_rdata, .rvfi_csr_mcycle_wdata,
    .rvfi_csr_minstret_rmask, .rvfi_csr_minstret_wmask,
    .rvfi_csr_minstret_rdata, .rvfi_csr_minstret_wdata
  );

  // --- memories: outstanding answers
  logic [2:0] imem_owed_q;
  logic       dmem_owed_q, imem_taken, dmem_taken;
  logic [3:0] imem_watched_q;   // for each outstanding word, oldest first: it is the watched one
  logic [3:0] imem_watched;

  assign imem_taken = imem_req_o && imem_gnt_i;
  assign dmem_taken = dmem_req_o && dmem_gnt_i;

  always_comb begin
    imem_watched = imem_rvalid_i ? imem_watched_q >> 1 : imem_watched_q;
    if (imem_taken)
      imem_watched[2'(imem_owed_q - 3'(imem_rvalid_i))] = imem_addr_o[31:2] == watched_pc[31:2];
  end

  always_ff @(posedge clk_i) begin
    imem_watched_q <= imem_watched;
    imem_owed_q    <= rst_ni ? imem_owed_q + 3'(imem_taken) - 3'(imem_rvalid_i) : 3'd0;
    dmem_owed_q    <= rst_ni && (dmem_taken || (dmem_owed_q && !dmem_rvalid_i));
  end

  always_comb begin
    BootAligned: assume (boot_pc_i[1:0] == 2'd0);
    if (!rst_ni) begin
      QuietI: assume (!imem_rvalid_i);
      QuietD: assume (!dmem_rvalid_i);
    end else begin
      OwedI: assume (!imem_rvalid_i || imem_owed_q != 3'd0);
      OwedD: assume (!dmem_rvalid_i || dmem_owed_q);
      FourI: assume (!imem_taken || imem_owed_q != 3'd4);
    end
  end

  // --- the checks ---
  if (Check <= core_spec_pkg::CheckIntr) begin : g_insn
    core_check_insn #(.Check(Check)) u_check (
      .bit_i(watched_bit), .first_i(watched_reg), .second_i(other_reg), .*
    );
    always_comb NoRefusalI: assume (!imem_err_i);
  end
  // The ports of CSRs: all ones where the instruction reads or writes it, and the right value.
  if (Check == core_spec_pkg::CheckCsr) begin : g_csr
    core_check_csr u_check (.bit_i(watched_bit), .*);
  end
  if (Check == core_spec_pkg::CheckTrap) begin : g_trap
    always_comb NoRefusalD: assume (!dmem_err_i);
  end
  if (Check == core_spec_pkg::CheckFlow) begin : g_flow
    core_check_flow u_check (.*);
  end
  if (Check == core_spec_pkg::CheckRegs) begin : g_regs
    core_check_regs u_check (.watched_i(watched_reg), .bit_i(watched_bit), .*);
  end
  if (Check == core_spec_pkg::CheckBus) begin : g_bus
    core_check_bus u_check (.bit_i(watched_bit), .*);
  end

  if (Check == core_spec_pkg::CheckHold) begin : g_hold
    core_check_hold u_check (.bit_i(watched_bit), .*);
  end

  if (Check == core_spec_pkg::CheckFetch) begin : g_fetch
    logic        watched;
    logic [15:0] half;
    assign watched = imem_rvalid_i && imem_watched_q[0];
    assign half    = watched_pc[1] ? imem_rdata_i[31:16] : imem_rdata_i[15:0];
    core_check_fetch u_check (
      .watched_i(watched_pc), .bit_i(watched_bit[3:0]), .holds_i(watched_value),
      .refused_i(watched_refused), .*
    );
    always_comb begin
      Holds:    assume (!watched || half[watched_bit[3:0]] == watched_value);
      Refuses:  assume (imem_err_i == (watched && watched_refused));
    end
  end

  if (Check == core_spec_pkg::CheckLive) begin : g_live
    logic [2:0] imem_gnt_q, imem_answer_q, dmem_gnt_q, dmem_answer_q;
    core_check_live #(.Within(Within)) u_check (
      .imem_owed_i(imem_owed_q), .dmem_owed_i(dmem_owed_q), .*
    );
    always_ff @(posedge clk_i) begin
      imem_gnt_q    <= rst_ni && imem_req_o && !imem_gnt_i ? imem_gnt_q + 3'd1 : 3'd0;
      dmem_gnt_q    <= rst_ni && dmem_req_o && !dmem_gnt_i ? dmem_gnt_q + 3'd1 : 3'd0;
      imem_answer_q <= rst_ni && imem_owed_q != '0 && !imem_rvalid_i ? imem_answer_q + 3'd1 : 3'd0;
      dmem_answer_q <= rst_ni && dmem_owed_q && !dmem_rvalid_i ? dmem_answer_q + 3'd1 : 3'd0;
    end
    always_comb begin
      if (rst_ni) begin
        GrantsI:  assume (imem_gnt_q <= 3'(Stall));
        GrantsD:  assume (dmem_gnt_q <= 3'(Stall));
        AnswersI: assume (imem_answer_q <= 3'(Stall));
        AnswersD: assume (dmem_answer_q <= 3'(Stall));
      end
    end
  end

endmodule

`default_nettype wire
