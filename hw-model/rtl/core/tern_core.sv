// SPDX-License-Identifier: Apache-2.0
// The soft core of a tern NIC: RV32IMC_Zicsr_Zifencei, machine mode, three stages.
//
//   fetch       aligner and expansion of 16-bit instructions
//   execute     registers, ALU, addresses, branches, CSRs, traps; sends memory requests
//   write-back  waits for memory answers, writes the register file
//
// One instruction a cycle; one cycle lost after a taken branch or jump, and before an
// instruction that uses the value loaded just ahead of it; multiply 2 cycles, divide 34.
//
// Traps are precise.  An instruction acts only when every older one is past any fault, so a
// data request, once out, is never taken back: it holds, unchanged, until `dmem_gnt_i`, and at
// most one answer is awaited.  `imem_addr_o` may change while it waits for `imem_gnt_i`.
//
// Hold reset until every request made before it has been answered.
`default_nettype none

module tern_core (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] boot_pc_i,
  input  logic [31:0] hart_id_i,

  output logic        imem_req_o,
  output logic [31:0] imem_addr_o,
  input  logic        imem_gnt_i,
  input  logic        imem_rvalid_i,
  input  logic [31:0] imem_rdata_i,
  input  logic        imem_err_i,

  output logic        dmem_req_o,
  output logic        dmem_we_o,
  output logic [3:0]  dmem_be_o,
  output logic [31:0] dmem_addr_o,
  output logic [31:0] dmem_wdata_o,
  input  logic        dmem_gnt_i,
  input  logic        dmem_rvalid_i,
  input  logic [31:0] dmem_rdata_i,
  input  logic        dmem_err_i,

  input  logic        irq_timer_i,
  input  logic        irq_external_i,
  input  logic        irq_software_i,

  output logic        sleep_o,
  output logic        retire_o,
  output logic [31:0] retire_pc_o,

  // The debug port: see tern_core_debug.  Tie the inputs to dbg_run_i = 1, all others 0, without.
  input  logic        dbg_run_i,        // instructions may enter execute; wfi may sleep
  input  logic        dbg_quiet_i,      // no interrupt is taken
  input  logic        dbg_inject_i,     // an exception changes nothing, minstret stands
  input  logic        dbg_ebreak_i,     // ebreak does not trap: it stays the next instruction
  input  logic        dbg_flush_i,      // fetch again from boot_pc_i; the core must be idle
  output logic        dbg_taken_o,      // an instruction is in execute
  output logic        dbg_busy_o,       // not idle: work left, or no next instruction yet
  output logic        dbg_hit_o,        // such an ebreak
  output logic        dbg_trap_o,
  output logic [31:1] dbg_pc_o,         // of the next instruction, when idle
  output logic [31:0] dbg_insn_o,       // that instruction
  output logic [31:0] dbg_value_o       // the last result, also for x0; of a load its address
`ifdef TERN_RVFI
  ,
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
  output logic [31:0] rvfi_mem_wdata
`endif
);

  // ---------------------------------------------------------------- fetch
  logic        live_q;                       // the boot address need not be fetched
  logic        fresh_q;                      // the cycle after reset
  logic        redirect, fetch_valid, fetch_ready, fetch_rvc, fetch_fault, fetch_fault_hi;
  logic        fetch_idle, expand_illegal;
  logic [31:1] redirect_pc, fetch_pc;
  logic [31:0] fetch_insn, expanded;

  tern_core_fetch u_fetch (
    .clk_i, .rst_ni,
    .redirect_i(redirect), .redirect_pc_i(redirect_pc),
    .ready_i(fetch_ready && dbg_run_i), .valid_o(fetch_valid),
    .insn_o(fetch_insn), .rvc_o(fetch_rvc),
    .fault_o(fetch_fault), .fault_hi_o(fetch_fault_hi), .pc_o(fetch_pc), .idle_o(fetch_idle),
    .imem_req_o, .imem_addr_o, .imem_gnt_i, .imem_rvalid_i, .imem_rdata_i, .imem_err_i
  );

  tern_core_decompress u_decompress (
    .insn_i(fetch_insn), .insn_o(expanded), .illegal_o(expand_illegal)
  );

  // ---------------------------------------------------------------- execute: its instruction
  logic        ex_valid_q, ex_rvc_q, ex_bad_q, ex_fault_q, ex_fault_hi_q;
  logic [31:0] ex_insn_q;
  logic [15:0] ex_raw_q;                     // the instruction as fetched, for mtval
  logic [31:1] ex_pc_q;
  logic        ex_done;                      // it goes to write-back in this cycle
  logic        trap;                         // it, or the one in write-back, traps
  logic        start, finished;              // its turn has come, and it needs no other cycle

  // In front of a trap it does not matter what is taken: it will not be kept.
  assign fetch_ready = !ex_valid_q || (start && finished);

  always_ff @(posedge clk_i) begin
    live_q  <= rst_ni && !dbg_flush_i;
    fresh_q <= !rst_ni;
    if (!rst_ni || redirect || trap) ex_valid_q <= 1'b0;
    else if (fetch_ready) ex_valid_q <= fetch_valid && dbg_run_i;
    if (fetch_ready) begin
      ex_insn_q     <= expanded;
      ex_raw_q      <= fetch_insn[15:0];
      ex_rvc_q      <= fetch_rvc;
      ex_bad_q      <= expand_illegal || fetch_fault;
      ex_fault_q    <= fetch_fault;
      ex_fault_hi_q <= fetch_fault_hi;
      ex_pc_q       <= fetch_pc;
    end
  end

  tern_core_pkg::ctl_t ctl;
  logic [31:0] imm;

  tern_core_decode u_decode (.insn_i(ex_insn_q[31:2]), .ctl_o(ctl), .imm_o(imm));

  logic [4:0] rs1, rs2, rd;
  logic [2:0] funct3;
  assign rs1    = ex_insn_q[19:15];
  assign rs2    = ex_insn_q[24:20];
  assign rd     = ex_insn_q[11:7];
  assign funct3 = ex_insn_q[14:12];

  // ---------------------------------------------------------------- write-back: its state
  logic        wb_valid_q, wb_mem_q, wb_load_q, wb_we_q, wb_uncounted_q;
  logic [4:0]  wb_rd_q;
  logic [2:0]  wb_funct3_q;
  logic [31:0] wb_value_q;                   // the result, or the address of a memory access
  logic [31:1] wb_pc_q;
  logic        wb_clear, wb_fault, retire;
  logic [31:0] load_data;

  // The older instruction is past any fault, or has met one.
  assign wb_clear = !wb_mem_q || (dmem_rvalid_i && !dmem_err_i);
  assign wb_fault = wb_mem_q && dmem_rvalid_i && dmem_err_i;
  assign retire   = wb_valid_q && wb_clear;

  // ---------------------------------------------------------------- execute: operands
  logic [31:0] rdata1, rdata2, op1, op2, alu_b;
  logic        hit1, hit2, load_use;

  // The cycle after reset clears x0; nothing else ever writes it.
  tern_core_regfile u_regfile (
    .clk_i,
    .raddr1_i(rs1), .rdata1_o(rdata1), .raddr2_i(rs2), .rdata2_o(rdata2),
    .we_i(fresh_q || (wb_we_q && retire)), .waddr_i(wb_rd_q),
    .wdata_i(wb_load_q ? load_data : wb_value_q)
  );

  assign hit1     = rs1 == wb_rd_q;
  assign hit2     = rs2 == wb_rd_q;
  assign op1      = wb_we_q && hit1 ? wb_value_q : rdata1;
  assign op2      = wb_we_q && hit2 ? wb_value_q : rdata2;
  assign alu_b    = ctl.b_imm ? imm : op2;
  assign load_use = wb_load_q && ((ctl.rs1_used && hit1) || (ctl.rs2_used && hit2));

  // ---------------------------------------------------------------- execute: units
  logic [31:0] sum, logic_value, shift_value, mul_value, div_value, csr_value;
  logic        equal, less, taken;
  logic        mul_start, div_start, div_done;
  logic [31:1] pc_plus_imm;

  tern_core_alu u_alu (
    .a_i(op1), .b_i(alu_b), .subtract_i(ctl.subtract),
    .unsigned_i(ctl.branch ? funct3[1] : funct3[0]),
    .logic_op_i(ctl.logic_op), .shift_left_i(!funct3[2]), .shift_arith_i(ex_insn_q[30]),
    .sum_o(sum), .equal_o(equal), .less_o(less), .logic_o(logic_value), .shift_o(shift_value)
  );

  tern_core_mul u_mul (
    .clk_i, .start_i(mul_start), .a_i(op1), .b_i(op2), .op_i(funct3[1:0]), .result_o(mul_value)
  );

  tern_core_div u_div (
    .clk_i, .clear_i(!rst_ni), .start_i(div_start), .a_i(op1), .b_i(op2),
    .unsigned_i(funct3[0]), .remainder_i(funct3[1]), .done_o(div_done), .result_o(div_value)
  );

  assign taken       = (funct3[2] ? less : equal) ^ funct3[0];
  assign pc_plus_imm = ex_pc_q + imm[31:1];

  logic       misaligned;
  logic [3:0] lane_be;

  tern_core_lsu u_lsu (
    .req_size_i(funct3[1:0]), .req_offset_i(sum[1:0]), .req_data_i(op2),
    .misaligned_o(misaligned), .be_o(lane_be), .wdata_o(dmem_wdata_o),
    .rsp_funct3_i(wb_funct3_q), .rsp_offset_i(wb_value_q[1:0]), .rsp_word_i(dmem_rdata_i),
    .rsp_data_o(load_data)
  );

  // ---------------------------------------------------------------- execute: control
  logic access, may, run, held_q, irq, wake, irq_first, exception;
  logic csr_illegal, csr_illegal_q, csr_looked_up_q, csr_instret, illegal, trap_ex;

  assign access    = ctl.load || ctl.store;
  assign illegal   = ctl.illegal || (ctl.csr && csr_illegal_q);
  assign exception = ex_bad_q || illegal || ctl.ecall ||
                     (ctl.ebreak && !dbg_ebreak_i) || (access && misaligned);

  // CSRs wait for an empty write-back, so that minstret is exact, and so does wfi.  The cycle
  // that costs a CSR access also serves to look its number up.
  assign start = ex_valid_q && wb_clear && !load_use &&
                 !((ctl.csr || ctl.wfi) && wb_valid_q) && !(ctl.csr && !csr_looked_up_q);

  always_ff @(posedge clk_i) begin
    csr_looked_up_q <= ex_valid_q && ctl.csr && !start;
    csr_illegal_q   <= csr_illegal;
  end

  // `may`: it is this instruction's turn, if it is one.  What can only happen in a legal
  // instruction goes on from there; `run` also knows of late exceptions.
  //
  // `held_q`: the instruction has begun to act and can no longer be interrupted.
  assign irq_first = irq && !held_q && !dbg_quiet_i;
  assign trap_ex   = start && (exception || irq_first);
  assign may       = start && !ex_bad_q && !irq_first;
  assign run       = may && !exception;
  assign ex_done   = run && finished;

  always_comb begin
    finished = 1'b1;
    if (access) finished = dmem_gnt_i;
    if (ctl.mul) finished = held_q;   // its second cycle
    if (ctl.div) finished = div_done;
    if (ctl.wfi) finished = wake || !dbg_run_i;
    if (ctl.ebreak) finished = 1'b0;  // it jumps to itself and never retires
  end

  assign mul_start = may && ctl.mul && !held_q;
  assign div_start = may && ctl.div && !held_q;

  always_ff @(posedge clk_i) held_q <= rst_ni && run && !finished;

  assign dmem_req_o  = rst_ni && may && access && !misaligned;
  assign dmem_we_o   = ctl.store;
  assign dmem_be_o   = lane_be;
  assign dmem_addr_o = {sum[31:2], 2'b00};

  // Only an instruction that has nothing left before it sleeps.
  assign sleep_o = held_q && ctl.wfi && !wake && fetch_idle;

  // ---------------------------------------------------------------- execute: next address
  logic        jump, trap_q;
  logic [31:1] trap_target, mepc, early_pc;

  assign jump     = ctl.jal || ctl.jalr || ctl.mret || ctl.fence_i || (ctl.branch && taken);
  assign trap     = rst_ni && (wb_fault || trap_ex);  // the handler is fetched a cycle later
  assign redirect = !live_q || trap_q || (may && jump);

  always_ff @(posedge clk_i) trap_q <= trap && !dbg_inject_i;

  // Everything known early goes ahead of the late choice.
  always_comb begin
    early_pc = fetch_pc;                     // fence.i: fetch again what follows
    if (ctl.mret) early_pc = mepc;
    if (ctl.branch || ctl.jal) early_pc = pc_plus_imm;
    redirect_pc = ctl.jalr ? sum[31:1] : early_pc;
    if (trap_q) redirect_pc = trap_target;
    if (!live_q) redirect_pc = boot_pc_i[31:1];
  end

  // ---------------------------------------------------------------- execute: CSRs and traps
  logic        trap_irq, retire_counted;
  logic [4:0]  trap_cause, irq_cause;
  logic [31:1] trap_pc, trap_base;
  logic [31:0] trap_value;

  always_comb begin
    trap_irq   = 1'b0;
    trap_pc    = ex_pc_q;
    trap_value = '0;
    trap_cause = tern_core_pkg::CauseIllegal;
    if (wb_fault) begin
      trap_pc    = wb_pc_q;
      trap_value = wb_value_q;
      trap_cause = wb_load_q ? tern_core_pkg::CauseLoadFault : tern_core_pkg::CauseStoreFault;
    end else if (irq_first) begin
      trap_irq   = 1'b1;
      trap_cause = irq_cause;
    end else if (ex_fault_q) begin
      trap_value = {ex_pc_q + 31'(ex_fault_hi_q), 1'b0};
      trap_cause = tern_core_pkg::CauseFetchFault;
    end else if (illegal || ex_bad_q) begin
      trap_value = ex_rvc_q ? {16'b0, ex_raw_q} : ex_insn_q;
    end else if (ctl.ecall) begin
      trap_cause = tern_core_pkg::CauseEcallM;
    end else if (ctl.ebreak) begin
      trap_value = {ex_pc_q, 1'b0};
      trap_cause = tern_core_pkg::CauseBreakpoint;
    end else begin
      trap_value = sum;
      trap_cause = ctl.load ? tern_core_pkg::CauseLoadAlign : tern_core_pkg::CauseStoreAlign;
    end
  end

  logic csr_writes;
  assign csr_writes     = funct3[1:0] == tern_core_pkg::CsrWrite || rs1 != 5'd0;
  assign retire_counted = retire && !wb_uncounted_q && !dbg_inject_i;

  tern_core_csr u_csr (
    .clk_i, .rst_ni, .hart_id_i,
    .addr_i(ex_insn_q[31:20]), .op_i(funct3[1:0]), .writes_i(csr_writes),
    .operand_i(funct3[2] ? {27'b0, rs1} : op1), .commit_i(may && ctl.csr && csr_writes && !csr_illegal_q),
    .rdata_o(csr_value), .illegal_o(csr_illegal), .instret_hit_o(csr_instret),
    .trap_i(trap && !dbg_inject_i), .trap_irq_i(trap_irq), .trap_cause_i(trap_cause),
    .trap_pc_i(trap_pc),
    .trap_value_i(trap_value), .trap_target_o(trap_target), .trap_base_o(trap_base),
    .mret_i(may && ctl.mret), .mepc_o(mepc),
    .retire_i(retire_counted), .irq_timer_i, .irq_external_i, .irq_software_i,
    .irq_o(irq), .irq_cause_o(irq_cause), .wake_o(wake)
  );

  // ---------------------------------------------------------------- into write-back
  logic [31:0] value;

  always_comb begin
    case (ctl.result)
      tern_core_pkg::ResLogic:  value = logic_value;
      tern_core_pkg::ResShift:  value = shift_value;
      tern_core_pkg::ResLess:   value = {31'b0, less};
      tern_core_pkg::ResPcImm:  value = {pc_plus_imm, imm[0]};
      tern_core_pkg::ResLink:   value = {fetch_pc, 1'b0};
      tern_core_pkg::ResCsr:    value = csr_value;
      tern_core_pkg::ResMulDiv: value = funct3[2] ? div_value : mul_value;
      default:                  value = sum;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
      wb_load_q  <= 1'b0;
      wb_we_q    <= 1'b0;
    end else if (ex_done) begin
      wb_valid_q <= 1'b1;
      wb_mem_q   <= access;
      wb_load_q  <= ctl.load;
      wb_we_q    <= ctl.rd_we && rd != 5'd0;
    end else if (wb_clear || wb_fault) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
      wb_load_q  <= 1'b0;
      wb_we_q    <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_rd_q    <= '0;
      wb_value_q <= '0;
    end else if (ex_done) begin
      wb_rd_q    <= rd;
      wb_value_q <= value;
    end
    if (ex_done) begin
      wb_funct3_q    <= funct3;
      wb_pc_q        <= ex_pc_q;
      wb_uncounted_q <= ctl.csr && csr_writes && csr_instret;
    end
  end

  logic unused_trap_base;
  assign unused_trap_base = &{1'b0, trap_base};

  logic unused_low_bits;                     // always 11
  assign unused_low_bits = &{1'b0, ex_insn_q[1:0]};

  assign retire_o    = retire;
  assign retire_pc_o = {wb_pc_q, 1'b0};

  assign dbg_taken_o = ex_valid_q;
  assign dbg_busy_o  = !live_q || trap_q || !fetch_valid || ex_valid_q || wb_valid_q;
  assign dbg_hit_o   = run && ctl.ebreak;
  assign dbg_trap_o  = trap;
  assign dbg_pc_o    = fetch_pc;
  assign dbg_insn_o  = fetch_insn;
  assign dbg_value_o = wb_value_q;

  logic unused_boot_bit;
  assign unused_boot_bit = boot_pc_i[0];

`ifdef TERN_RVFI
  tern_core_rvfi u_rvfi (
    .clk_i, .rst_ni,
    .done_i(ex_done), .trap_i(trap_ex && !irq_first), .irq_i(trap_ex && irq_first),
    .retire_i(retire), .fault_i(wb_fault),
    .insn_i(ex_rvc_q ? {16'b0, ex_raw_q} : ex_insn_q),
    .rs1_used_i(ctl.rs1_used), .rs1_i(rs1), .op1_i(op1),
    .rs2_used_i(ctl.rs2_used), .rs2_i(rs2), .op2_i(op2),
    .pc_i(ex_pc_q), .next_pc_i(redirect ? redirect_pc : fetch_pc),
    .load_i(ctl.load), .store_i(ctl.store), .be_i(lane_be), .wdata_i(dmem_wdata_o),
    .wb_we_i(wb_we_q), .wb_rd_i(wb_rd_q), .wb_value_i(wb_value_q),
    .wb_load_i(wb_load_q), .load_data_i(load_data), .rdata_i(dmem_rdata_i),
    .trap_base_i(trap_base),
    .rvfi_valid, .rvfi_order, .rvfi_insn, .rvfi_trap, .rvfi_halt, .rvfi_intr, .rvfi_mode,
    .rvfi_ixl, .rvfi_rs1_addr, .rvfi_rs2_addr, .rvfi_rs1_rdata, .rvfi_rs2_rdata,
    .rvfi_rd_addr, .rvfi_rd_wdata, .rvfi_pc_rdata, .rvfi_pc_wdata,
    .rvfi_mem_addr, .rvfi_mem_rmask, .rvfi_mem_wmask, .rvfi_mem_rdata, .rvfi_mem_wdata
  );

  tern_core_lost u_lost (
    .clk_i, .rst_ni,
    .retire_i(retire), .answer_due_i(wb_mem_q && !dmem_rvalid_i), .fault_i(wb_fault),
    .valid_i(ex_valid_q), .done_i(ex_done), .ready_i(fetch_ready), .trap_i(trap || trap_q),
    .load_use_i(load_use), .access_i(access), .mul_i(ctl.mul), .div_i(ctl.div),
    .csr_i(ctl.csr), .asleep_i(sleep_o),
    .restart_i(redirect), .offer_i(fetch_valid), .word_i(imem_rvalid_i)
  );
`endif

`ifndef SYNTHESIS
  // A data request neither vanishes nor changes before it is taken, and is answered once.
  logic        asked_q;
  logic [36:0] asked_what_q;

  always_ff @(posedge clk_i) begin
    asked_q      <= dmem_req_o && !dmem_gnt_i;
    asked_what_q <= {dmem_we_o, dmem_be_o, dmem_addr_o};
    if (rst_ni && asked_q)
      RequestHeld: assert (dmem_req_o && asked_what_q == {dmem_we_o, dmem_be_o, dmem_addr_o});
    if (rst_ni && live_q && dmem_rvalid_i) AnswerAwaited: assert (wb_mem_q);
  end
`endif

endmodule
