// SPDX-License-Identifier: Apache-2.0
// The soft core of a tern NIC: RV32IMC_Zicsr_Zifencei, machine mode, four stages.
//
//   fetch       aligner and expansion of 16-bit instructions
//   decode      registers and forwarding; jumps and predicted branches leave here
//   execute     ALU, addresses, outcome of branches, CSRs, traps; sends memory requests
//   write-back  waits for memory answers, ends multiplications, writes the register file
//
// One instruction a cycle. A history table predicts branches. Lost cycles: two after a
// misprediction, one after a jump that fetch could not follow at once, one before an instruction
// that uses the load or multiplication just before it, 34 for a division.
//
// Traps are precise. An instruction takes effect only when no older one can fault any more. So a
// data request is never withdrawn: it holds, unchanged, until `dmem_gnt_i`, and at most one answer
// is outstanding. `imem_addr_o` may change while it waits for `imem_gnt_i`.
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

  // The debug port: see tern_core_debug. If unused, tie dbg_run_i to 1 and all other inputs to 0.
  input  logic        dbg_run_i,        // instructions may enter execute; wfi may sleep
  input  logic        dbg_quiet_i,      // take no interrupt
  input  logic        dbg_inject_i,     // exceptions and minstret have no effect
  input  logic        dbg_ebreak_i,     // ebreak does not trap: it stays the next instruction
  input  logic        dbg_flush_i,      // fetch again from boot_pc_i; the core must be idle
  output logic        dbg_taken_o,      // decode or execute holds an instruction
  output logic        dbg_busy_o,       // not idle: work left, or next instruction not fetched yet
  output logic        dbg_hit_o,        // such an ebreak was met
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
`endif
);

  // ---------------------------------------------------------------- fetch
  logic        learn;                        // a branch in execute has been decided
  logic [1:0]  learned;
  logic        live_q;                       // the boot address is being fetched already
  logic        fresh_q;                      // the cycle after reset
  logic        late;                         // restart of fetch: known at the start of the cycle
  logic        ex_flush;                     // ... because decode's instruction, or jump, is wrong
  logic [31:1] late_pc;
  logic        fetch_valid, fetch_ready, fetch_rvc, fetch_fault, fetch_fault_hi;
  logic        fetch_idle, fetch_followed, expand_illegal;
  logic [1:0]  fetch_history;
  logic [31:1] fetch_pc, fetch_next_pc;
  logic [31:0] fetch_insn, expanded;

  tern_core_fetch u_fetch (
    .clk_i, .rst_ni,
    .redirect_i(late), .redirect_pc_i(late_pc), .jump_i(de_jump), .jump_pc_i(de_target),
    .flush_i(ex_flush), .flush_pc_i(ex_pcval_q[31:1]),
    .ready_i(fetch_ready && dbg_run_i), .valid_o(fetch_valid),
    .insn_o(fetch_insn), .rvc_o(fetch_rvc),
    .fault_o(fetch_fault), .fault_hi_o(fetch_fault_hi), .followed_o(fetch_followed),
    .pc_o(fetch_pc), .next_pc_o(fetch_next_pc), .idle_o(fetch_idle),
    .history_o(fetch_history), .learn_i(learn), .learn_place_i(ex_pc_q[tern_core_pkg::PlaceW:1]),
    .learn_history_i(learned), .imem_req_o, .imem_addr_o, .imem_gnt_i, .imem_rvalid_i,
    .imem_rdata_i, .imem_err_i
  );

  tern_core_decompress u_decompress (
    .insn_i(fetch_insn), .insn_o(expanded), .illegal_o(expand_illegal)
  );

  // ---------------------------------------------------------------- decode: its instruction
  logic        de_valid_q, de_rvc_q, de_bad_q, de_fault_q, de_followed_q;
  logic [1:0]  de_history_q;
  logic [31:0] de_insn_q;
  logic [15:0] de_raw_q;                     // the instruction as fetched, for mtval
  logic [31:1] de_pc_q, de_next_pc_q;
  logic        de_go;                        // it moves to execute in this cycle
  logic        de_jump;                      // fetch continues at its target
  logic        kill;                         // execute or write-back traps or returns

  // Before a redirect it does not matter what decode takes: it is discarded.
  assign fetch_ready = !de_valid_q || de_go;

  // A refused fetch becomes an instruction whose immediate is the distance to the refused half.
  always_ff @(posedge clk_i) begin
    live_q  <= rst_ni && !dbg_flush_i;
    fresh_q <= !rst_ni;
    if (!rst_ni || late || ex_flush || kill) de_valid_q <= 1'b0;
    else if (fetch_ready) de_valid_q <= fetch_valid && dbg_run_i && !de_jump;
    if (fetch_ready) begin
      de_insn_q  <= fetch_fault ? {10'b0, fetch_fault_hi, 21'b0} : expanded;
      de_raw_q   <= fetch_insn[15:0];
      de_rvc_q   <= fetch_rvc;
      de_bad_q   <= expand_illegal || fetch_fault;
      de_fault_q <= fetch_fault;
      de_pc_q    <= fetch_pc;
      de_next_pc_q  <= fetch_next_pc;
      de_followed_q <= fetch_followed;
      de_history_q  <= fetch_history;
    end
    if (de_jump && !fetch_ready) de_followed_q <= 1'b1;
  end

  tern_core_pkg::ctl_t ctl;
  logic [31:0] imm, offset;
  logic        from_rs1, from_zero;

  tern_core_decode u_decode (
    .insn_i(de_insn_q[31:2]), .ctl_o(ctl), .imm_o(imm),
    .offset_o(offset), .from_rs1_o(from_rs1), .from_zero_o(from_zero)
  );

  logic [4:0] rs1, rs2, rd;
  assign rs1 = de_insn_q[19:15];
  assign rs2 = de_insn_q[24:20];
  assign rd  = de_insn_q[11:7];

  // ---------------------------------------------------------------- execute, write-back: state
  tern_core_pkg::ctl_t ex_q;
  logic        ex_valid_q, ex_we_q, ex_late_q, ex_exception_q, ex_guess_q;
  logic        ex_csr_writes_q, ex_arith_q;
  logic [3:0]  ex_cause_q;
  logic [1:0]  ex_history_q;
  logic [2:0]  ex_funct3_q;
  logic [4:0]  ex_rd_q, ex_zimm_q;
  logic [31:0] ex_op1_q, ex_b_q, ex_store_q;
  logic [31:1] ex_pc_q;
  logic [31:0] ex_pcval_q;                   // a value computed from the pc, or the corrected
                                             // target
  logic [31:0] ex_value;

  logic        wb_valid_q, wb_mem_q, wb_load_q, wb_mul_q, wb_we_q;
  logic        wb_trap_q, wb_irq_q, wb_mret_q;  // takes a trap or returns, in this cycle
  logic [3:0]  wb_cause_q;
  logic [4:0]  wb_rd_q;
  logic [2:0]  wb_funct3_q;
  logic [31:0] wb_value_q;                   // the result, or the address of a memory access
  logic [31:1] wb_pc_q;
  logic        wb_clear, wb_fault, retire;
  logic [31:0] load_data, mul_value, wb_data;

  // The older instruction can no longer fault, or has faulted.
  assign wb_clear = !wb_mem_q || (dmem_rvalid_i && !dmem_err_i);
  assign wb_fault = wb_mem_q && dmem_rvalid_i && dmem_err_i;
  assign retire   = wb_valid_q && wb_clear;
  assign wb_data  = load_data | (mul_value & {32{wb_mul_q}}) |
                    (wb_value_q & {32{!wb_load_q && !wb_mul_q}});

  // ---------------------------------------------------------------- decode: operands
  logic        hazard, base_hazard;
  logic [31:0] op1, op2, operand_b, jump_base;

  tern_core_operands u_operands (
    .clk_i,
    .rs1_i(rs1), .rs2_i(rs2), .rs1_used_i(ctl.rs1_used), .rs2_used_i(ctl.rs2_used),
    .b_imm_i(ctl.b_imm), .imm_i(imm),
    .ex_we_i(ex_we_q), .ex_late_i(ex_late_q), .ex_rd_i(ex_rd_q), .ex_value_i(ex_value),
    .clear_x0_i(fresh_q), .wb_write_i(wb_we_q && retire),
    .wb_we_i(wb_we_q), .wb_rd_i(wb_rd_q), .wb_data_i(wb_data),
    .hazard_o(hazard), .base_hazard_o(base_hazard), .op1_o(op1), .op2_o(op2), .b_o(operand_b),
    .base_o(jump_base)
  );

  // ---------------------------------------------------------------- decode: jumps
  logic        de_guess, ex_done;
  logic [31:1] de_base, de_target;

  always_comb begin
    de_base = de_pc_q;
    if (from_rs1) de_base = jump_base[31:1];
    if (from_zero) de_base = '0;
  end

  logic unused_bit0;                         // a jump ignores it
  assign {de_target, unused_bit0} = {de_base, from_rs1 && jump_base[0]} + offset;
  assign de_guess  = ctl.branch && (de_insn_q[31] ^ de_history_q[1]);
  assign de_go     = de_valid_q && !hazard && !(ctl.jalr && base_hazard) &&
                     (ex_valid_q ? ex_done : wb_clear);
  // Jump once, as soon as the target is final, even if the instruction cannot leave decode yet.
  assign de_jump   = de_valid_q && !de_bad_q && !de_followed_q &&
                     (ctl.jal || de_guess || (ctl.jalr && !base_hazard));

  // ---------------------------------------------------------------- decode: exceptions
  logic       csr_illegal, csr_writes, not_legal, exception;
  logic [3:0] cause;

  assign csr_writes = de_insn_q[13:12] == tern_core_pkg::CsrWrite || rs1 != 5'd0;
  assign not_legal  = ctl.illegal || (ctl.csr && csr_illegal);
  assign exception  = de_bad_q || not_legal || ctl.ecall || (ctl.ebreak && !dbg_ebreak_i);

  always_comb begin
    cause = tern_core_pkg::CauseIllegal;
    if (de_fault_q) cause = tern_core_pkg::CauseFetchFault;
    else if (!de_bad_q && ctl.ecall) cause = tern_core_pkg::CauseEcallM;
    else if (!de_bad_q && ctl.ebreak) cause = tern_core_pkg::CauseBreakpoint;
  end

  // ---------------------------------------------------------------- into execute
  logic        use_target, use_link, use_raw;
  logic [31:0] pcval, raw;

  // With an exception this is mtval; with a branch, the target after a misprediction.
  assign raw        = {de_rvc_q ? 16'b0 : de_insn_q[31:16], de_raw_q};
  assign use_raw    = !de_fault_q && (de_bad_q || not_legal);
  assign use_target = de_fault_q || (!de_bad_q && (ctl.ebreak || ctl.lui || ctl.auipc ||
                                                   (ctl.branch && !de_guess)));
  assign use_link   = !de_bad_q && (ctl.jal || ctl.jalr || ctl.fence_i ||
                                    de_guess);
  assign pcval      = ({de_target, 1'b0} & {32{use_target}}) |
                      ({de_next_pc_q, 1'b0} & {32{use_link}}) | (raw & {32{use_raw}});


  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill || ex_flush || (ex_done && !de_go)) begin
      ex_valid_q <= 1'b0;
      ex_we_q    <= 1'b0;
    end else if (de_go) begin
      ex_valid_q <= 1'b1;
      ex_we_q    <= ctl.rd_we && rd != 5'd0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (de_go) begin
      ex_q            <= ctl;
      ex_exception_q  <= exception;
      ex_late_q       <= ctl.load || ctl.mul || ctl.div || ctl.csr;
      ex_guess_q      <= de_guess ^ de_insn_q[12];  // of the comparison, before inversion
      ex_history_q    <= de_history_q;
      ex_csr_writes_q <= csr_writes;
      ex_arith_q      <= de_insn_q[30];
      ex_cause_q      <= cause;
      ex_funct3_q     <= de_insn_q[14:12];
      ex_rd_q         <= rd;
      ex_zimm_q       <= rs1;
      ex_op1_q        <= op1;
      ex_b_q          <= operand_b;
      ex_store_q      <= op2;
      ex_pc_q         <= de_pc_q;
      ex_pcval_q      <= pcval;
    end
  end

  // ---------------------------------------------------------------- execute: units
  logic [31:0] sum, alu_value, div_value, csr_value;
  logic        equal, less, wrong, legal;
  logic        div_start, div_done;

  assign legal = !ex_exception_q;            // otherwise the value is only mtval

  tern_core_alu u_alu (
    .a_i(ex_op1_q), .b_i(ex_b_q), .subtract_i(ex_q.subtract),
    .unsigned_i(ex_q.branch ? ex_funct3_q[1] : ex_funct3_q[0]),
    .logic_op_i(ex_q.logic_op), .shift_left_i(!ex_funct3_q[2]), .shift_arith_i(ex_arith_q),
    .take_sum_i(ex_q.sum && legal), .take_logical_i(ex_q.logical && legal),
    .take_shift_i(ex_q.shift && legal), .take_less_i(ex_q.less && legal),
    .sum_o(sum), .equal_o(equal), .less_o(less), .value_o(alu_value)
  );

  tern_core_mul u_mul (
    .clk_i, .start_i(ex_done && ex_q.mul), .a_i(ex_op1_q), .b_i(ex_b_q), .op_i(ex_funct3_q[1:0]),
    .low_i(wb_funct3_q[1:0] == 2'b00), .result_o(mul_value)
  );

  tern_core_div u_div (
    .clk_i, .clear_i(!rst_ni), .start_i(div_start), .a_i(ex_op1_q), .b_i(ex_b_q),
    .unsigned_i(ex_funct3_q[0]), .remainder_i(ex_funct3_q[1]),
    .done_o(div_done), .result_o(div_value)
  );

  assign wrong    = (ex_funct3_q[2] ? less : equal) ^ ex_guess_q;
  assign learn    = act && ex_q.branch;
  assign ex_value = alu_value | ex_pcval_q;

  // The history counts mispredictions of the static guess; two in a row invert it.
  logic first_wrong;
  assign first_wrong = wrong ^ ex_history_q[1];

  always_comb begin
    learned = ex_history_q;
    if (first_wrong && ex_history_q != 2'b11) learned = ex_history_q + 2'b01;
    if (!first_wrong && ex_history_q != 2'b00) learned = ex_history_q - 2'b01;
  end

  logic       misaligned;
  logic [1:0] low;                           // address bits 1..0, earlier than from the adder
  logic [3:0] lane_be;

  assign low = ex_op1_q[1:0] + ex_b_q[1:0];

  tern_core_lsu u_lsu (
    .req_size_i(ex_funct3_q[1:0]), .req_offset_i(low), .req_data_i(ex_store_q),
    .misaligned_o(misaligned), .be_o(lane_be), .wdata_o(dmem_wdata_o),
    .rsp_load_i(wb_load_q), .rsp_funct3_i(wb_funct3_q), .rsp_offset_i(wb_value_q[1:0]),
    .rsp_word_i(dmem_rdata_i), .rsp_data_o(load_data)
  );

  // ---------------------------------------------------------------- execute: control
  logic access, start, act, run, finished, held_q, irq, wake, irq_first, ex_trap;

  assign access = ex_q.load || ex_q.store;

  // CSR instructions and wfi wait for an empty write-back; this keeps minstret exact.
  assign start = ex_valid_q && wb_clear && !((ex_q.csr || ex_q.wfi) && wb_valid_q);

  // `act`: execute this instruction; decode found no exception.
  //
  // `held_q`: the instruction has begun to act and can no longer be interrupted.
  assign irq_first = irq && !held_q && !dbg_quiet_i;
  assign ex_trap   = start && (irq_first || ex_exception_q || (access && misaligned));
  assign act       = start && !irq_first && legal;
  assign run       = act && !(access && misaligned);
  assign ex_done   = run && finished;

  always_comb begin
    finished = 1'b1;
    if (access) finished = dmem_gnt_i;
    if (ex_q.div) finished = div_done;
    if (ex_q.wfi) finished = wake || !dbg_run_i;
    if (ex_q.ebreak) finished = 1'b0;  // a halting ebreak never retires: it is fetched again
  end

  assign div_start = act && ex_q.div && !held_q;

  always_ff @(posedge clk_i) held_q <= rst_ni && run && !finished && !ex_flush;

  assign dmem_req_o  = rst_ni && act && access && !misaligned;
  assign dmem_we_o   = ex_q.store;
  assign dmem_be_o   = lane_be;
  assign dmem_addr_o = {sum[31:2], 2'b00};

  // A wfi sleeps only after it has begun to act, so no older instruction is in flight.
  assign sleep_o = held_q && ex_q.wfi && !wake && fetch_idle;

  // ---------------------------------------------------------------- next address
  logic [31:1] trap_target, trap_base;

  assign ex_flush = act && (ex_q.fence_i || ex_q.ebreak || (ex_q.branch && wrong));
  assign kill     = ex_trap || wb_fault || (ex_done && ex_q.mret);
  assign late     = !live_q || wb_trap_q || wb_mret_q;

  always_comb begin
    late_pc = trap_target;
    if (wb_mret_q) late_pc = wb_value_q[31:1];
    if (!live_q) late_pc = boot_pc_i[31:1];
  end

  // ---------------------------------------------------------------- CSRs and traps
  logic [3:0] irq_cause, trap_cause;
`ifdef TERN_RVFI
  logic [13*32-1:0] csr_state;
`endif

  tern_core_csr u_csr (
    .clk_i, .rst_ni, .hart_id_i,
    .look_keep_i(de_go), .look_addr_i(de_insn_q[31:20]), .look_writes_i(csr_writes),
    .illegal_o(csr_illegal),
    .op_i(ex_funct3_q[1:0]),
    .operand_i(ex_funct3_q[2] ? {27'b0, ex_zimm_q} : ex_op1_q),
    .commit_i(act && ex_q.csr && ex_csr_writes_q),
    .rdata_o(csr_value),
    .trap_i(wb_trap_q), .trap_irq_i(wb_irq_q), .trap_cause_i(wb_cause_q), .trap_pc_i(wb_pc_q),
    .trap_value_i(wb_irq_q ? '0 : wb_value_q),
    .trap_target_o(trap_target), .trap_base_o(trap_base),
    .mret_i(act && ex_q.mret),
    .retire_i(retire && !dbg_inject_i), .irq_timer_i, .irq_external_i, .irq_software_i,
    .irq_o(irq), .irq_cause_o(irq_cause), .wake_o(wake)
`ifdef TERN_RVFI
    , .state_o(csr_state)
`endif
  );


  always_comb begin
    trap_cause = ex_q.load ? tern_core_pkg::CauseLoadAlign : tern_core_pkg::CauseStoreAlign;
    if (ex_exception_q) trap_cause = ex_cause_q;
    if (irq_first) trap_cause = irq_cause;
    if (wb_fault)
      trap_cause = wb_load_q ? tern_core_pkg::CauseLoadFault : tern_core_pkg::CauseStoreFault;
  end

  // ---------------------------------------------------------------- into write-back
  // A trap passes through write-back: pc and value become mepc and mtval.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_valid_q <= 1'b0;
      wb_mem_q   <= 1'b0;
      wb_load_q  <= 1'b0;
      wb_mul_q   <= 1'b0;
      wb_we_q    <= 1'b0;
      wb_mret_q  <= 1'b0;
      wb_trap_q  <= 1'b0;
    end else if (wb_clear || wb_fault) begin
      wb_valid_q <= ex_done;
      wb_mem_q   <= ex_done && access;
      wb_load_q  <= ex_done && ex_q.load;
      wb_mul_q   <= ex_done && ex_q.mul;
      wb_we_q    <= ex_done && ex_we_q;
      wb_mret_q  <= ex_done && ex_q.mret;
      wb_trap_q  <= (ex_trap || wb_fault) && !dbg_inject_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wb_rd_q    <= '0;
      wb_value_q <= '0;
    end else if (ex_done || ex_trap) begin
      wb_rd_q    <= ex_rd_q;
      wb_value_q <= ex_value | (csr_value & {32{(ex_q.csr || ex_q.mret) && legal}}) |
                    (div_value & {32{ex_q.div}});
    end
    if (ex_done || ex_trap) begin
      wb_funct3_q <= ex_funct3_q;
      wb_pc_q     <= ex_pc_q;
    end
    if (ex_trap || wb_fault) begin
      wb_cause_q <= trap_cause;
      wb_irq_q   <= ex_trap && irq_first;
    end
  end

  logic unused_bits;                         // instruction bits 1..0 are always 11
  assign unused_bits = &{1'b0, trap_base, de_insn_q[1:0], boot_pc_i[0], ex_q, sum[1:0]};

  assign retire_o    = retire;
  assign retire_pc_o = {wb_pc_q, 1'b0};

  assign dbg_taken_o = de_valid_q || ex_valid_q;
  assign dbg_busy_o  = late || !fetch_valid || de_valid_q || ex_valid_q || wb_valid_q;
  assign dbg_hit_o   = act && ex_q.ebreak;
  assign dbg_trap_o  = ex_trap || wb_fault;
  assign dbg_pc_o    = fetch_pc;
  assign dbg_insn_o  = fetch_insn;
  assign dbg_value_o = wb_value_q;

`ifdef TERN_RVFI
  // Facts about the instruction in execute that only the observer needs.
  logic [31:0] seen_insn_q, seen_op2_q;
  logic [4:0]  seen_rs2_q;
  logic        seen_rs1_used_q, seen_rs2_used_q;
  logic [31:1] seen_next_pc;

  always_ff @(posedge clk_i) begin
    if (de_go) begin
      seen_insn_q     <= raw;
      seen_op2_q      <= op2;
      seen_rs2_q      <= rs2;
      seen_rs1_used_q <= ctl.rs1_used;
      seen_rs2_used_q <= ctl.rs2_used;
    end
  end

  always_comb begin
    seen_next_pc = de_valid_q ? de_pc_q : fetch_pc;
    if (ex_flush) seen_next_pc = ex_pcval_q[31:1];
    if (ex_q.mret) seen_next_pc = csr_value[31:1];
  end

  tern_core_rvfi u_rvfi (
    .clk_i, .rst_ni,
    .done_i(ex_done), .trap_i(ex_trap && !irq_first), .irq_i(ex_trap && irq_first),
    .retire_i(retire), .fault_i(wb_fault),
    .insn_i(seen_insn_q),
    .rs1_used_i(seen_rs1_used_q), .rs1_i(ex_zimm_q), .op1_i(ex_op1_q),
    .rs2_used_i(seen_rs2_used_q), .rs2_i(seen_rs2_q), .op2_i(seen_op2_q),
    .pc_i(ex_pc_q), .next_pc_i(seen_next_pc),
    .load_i(ex_q.load), .store_i(ex_q.store), .be_i(lane_be), .wdata_i(dmem_wdata_o),
    .wb_we_i(wb_we_q), .wb_rd_i(wb_rd_q), .wb_value_i(wb_value_q[31:2]),
    .wb_data_i(wb_data), .rdata_i(dmem_rdata_i),
    .trap_base_i(trap_base),
    .csr_i(ex_q.csr), .csr_writes_i(ex_csr_writes_q), .state_i(csr_state),
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

  tern_core_lost u_lost (
    .clk_i, .rst_ni,
    .retire_i(retire), .answer_due_i(wb_mem_q && !dmem_rvalid_i), .fault_i(wb_fault),
    .trap_i(late), .ex_valid_i(ex_valid_q), .ex_done_i(ex_done), .ex_trap_i(kill),
    .access_i(access), .div_i(ex_q.div), .csr_i(ex_q.csr), .asleep_i(sleep_o),
    .wrong_i(ex_flush), .de_valid_i(de_valid_q), .de_go_i(de_go),
    .hazard_i(hazard || (ctl.jalr && base_hazard)), .mul_made_i(ex_q.mul || wb_mul_q),
    .jump_i(de_jump), .ready_i(fetch_ready), .offer_i(fetch_valid), .word_i(imem_rvalid_i),
    .follow_i(fetch_followed && fetch_ready && dbg_run_i)
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
