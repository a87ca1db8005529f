// SPDX-License-Identifier: Apache-2.0
// The soft core with its memories, its boot loader and its port to the registers.
//
// Data loads from the instruction memory use its second port, through which the boot loader and the
// debug port write. Stores to it and accesses outside the memory map are access faults. Memories
// answer in one cycle. The register port `cm_*` takes one access at a time and may answer later; a
// request holds until it is taken.
`default_nettype none

module tern_cluster #(
  parameter int unsigned ItcmBytes = tern_abi_pkg::MEM_ITCM_BYTES,  // powers of two
  parameter int unsigned DtcmBytes = tern_abi_pkg::MEM_DTCM_BYTES
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] node_i,
  input  logic [7:0]  life_i,
  input  logic        core_hold_i,
  input  logic        wdog_bite_i,
  // flash
  output logic        fl_req_o,
  output logic [15:0] fl_addr_o,
  input  logic        fl_valid_i,
  input  logic [31:0] fl_data_i,
  // registers
  output logic        cm_valid_o,
  input  logic        cm_ready_i,
  output logic        cm_we_o,
  output logic [3:0]  cm_be_o,
  output logic [15:0] cm_addr_o,
  output logic [31:0] cm_wdata_o,
  input  logic        cm_rvalid_i,
  input  logic [31:0] cm_rdata_i,
  input  logic        cm_err_i,
  // debug port
  input  logic [2:0]  dbg_op_i,
  input  logic [13:0] dbg_addr_i,
  input  logic [31:0] dbg_data_i,
  output logic [3:0]  dbg_state_o,
  output logic [31:0] dbg_pc_o,
  output logic [31:0] dbg_insn_o,
  output logic [31:0] dbg_value_o,
  output logic        dbg_stopped_o,
  // state
  input  logic        irq_external_i,
  input  logic        irq_timer_i,
  output logic        core_rst_no,
  output logic [7:0]  boot_state_o,
  output logic [7:0]  incarnation_o,
  output logic [1:0]  reset_cause_o,
  output logic        st_core_reset_o,
  output logic        sleep_o,
  output logic        retire_o,
  output logic [31:0] retire_pc_o
);

  localparam int unsigned ItcmAddrW = $clog2(ItcmBytes / 4);
  localparam int unsigned DtcmAddrW = $clog2(DtcmBytes / 4);

  // -------------------------------------------------------------- boot loader
  logic                 itcm_we;
  logic [ItcmAddrW-1:0] itcm_waddr;
  logic [31:0]          itcm_wdata;

  tern_boot #(.ItcmBytes(ItcmBytes)) u_boot (
    .clk_i, .rst_ni, .life_i, .core_hold_i, .wdog_bite_i,
    .fl_req_o, .fl_addr_o, .fl_valid_i, .fl_data_i,
    .itcm_we_o   (itcm_we),
    .itcm_waddr_o(itcm_waddr),
    .itcm_wdata_o(itcm_wdata),
    .core_rst_no, .boot_state_o, .incarnation_o, .reset_cause_o, .st_core_reset_o
  );

  // --------------------------------------------------------------------- core
  logic        imem_req, imem_rvalid_q, imem_err;
  logic [31:0] imem_addr, imem_rdata, itcm_data;
  logic        dmem_req, dmem_we, dmem_gnt, dmem_rvalid, dmem_err;
  logic        core_retire, dbg_run, dbg_quiet, dbg_inject, dbg_ebreak, dbg_flush;
  logic        dbg_taken, dbg_busy, dbg_hit, dbg_trap, dbg_write;
  logic        dbg_halted, dbg_was_hit, dbg_fault;
  logic [3:0]  dmem_be;
  logic [31:0] dmem_addr, dmem_wdata, dmem_rdata;

  tern_core u_core (
    .clk_i,
    .rst_ni        (core_rst_no),
    .boot_pc_i     (tern_abi_pkg::MEM_ITCM_BASE),
    .hart_id_i     ({16'd0, node_i}),
    .imem_req_o    (imem_req),
    .imem_addr_o   (imem_addr),
    .imem_gnt_i    (1'b1),
    .imem_rvalid_i (imem_rvalid_q),
    .imem_rdata_i  (imem_rdata),
    .imem_err_i    (imem_err),
    .dmem_req_o    (dmem_req),
    .dmem_we_o     (dmem_we),
    .dmem_be_o     (dmem_be),
    .dmem_addr_o   (dmem_addr),
    .dmem_wdata_o  (dmem_wdata),
    .dmem_gnt_i    (dmem_gnt),
    .dmem_rvalid_i (dmem_rvalid),
    .dmem_rdata_i  (dmem_rdata),
    .dmem_err_i    (dmem_err),
    .irq_timer_i,
    .irq_external_i,
    .irq_software_i(1'b0),
    .sleep_o,
    .retire_o      (core_retire),
    .retire_pc_o,
    .dbg_run_i     (dbg_run),
    .dbg_quiet_i   (dbg_quiet),
    .dbg_inject_i  (dbg_inject),
    .dbg_ebreak_i  (dbg_ebreak),
    .dbg_flush_i   (dbg_flush),
    .dbg_taken_o   (dbg_taken),
    .dbg_busy_o    (dbg_busy),
    .dbg_hit_o     (dbg_hit),
    .dbg_trap_o    (dbg_trap),
    .dbg_pc_o      (dbg_pc_o[31:1]),
    .dbg_insn_o, .dbg_value_o
  );

  // --------------------------------------------------------------- debug port
  tern_core_debug u_debug (
    .clk_i, .rst_ni,
    .op_i     (dbg_op_i),
    .run_o    (dbg_run),
    .quiet_o  (dbg_quiet),
    .inject_o (dbg_inject),
    .ebreak_o (dbg_ebreak),
    .flush_o  (dbg_flush),
    .taken_i  (dbg_taken),
    .busy_i   (dbg_busy),
    .hit_i    (dbg_hit),
    .trap_i   (dbg_trap),
    .write_o  (dbg_write),
    .stopped_o(dbg_stopped_o),
    .halted_o (dbg_halted),
    .hit_o    (dbg_was_hit),
    .fault_o  (dbg_fault)
  );

  // The debugger may have overwritten the first word of the instruction memory; do not report its
  // instructions as retired.
  assign retire_o    = core_retire && !dbg_inject;
  assign dbg_pc_o[0] = 1'b0;
  assign dbg_state_o = {!core_rst_no, dbg_fault, dbg_was_hit, dbg_halted};

  // ------------------------------------------------------------ address decode
  // Every memory starts at a multiple of its size, so the address bits above the size select it.
  logic in_itcm, in_dtcm, in_mmio, busy_q;
  assign in_itcm       = dmem_addr[31:ItcmAddrW+2] ==
                         tern_abi_pkg::MEM_ITCM_BASE[31:ItcmAddrW+2];
  assign in_dtcm       = dmem_addr[31:DtcmAddrW+2] ==
                         tern_abi_pkg::MEM_DTCM_BASE[31:DtcmAddrW+2];
  assign in_mmio       = dmem_addr[31:16] == tern_abi_pkg::MEM_MMIO_BASE[31:16];

  // One register access at a time; no access overtakes it.
  logic       idle, start;
  logic [1:0] unused_low;
  logic       unused_top;  // a small memory does not use the top of the debugger's address
  assign unused_low = imem_addr[1:0];
  assign unused_top = dbg_addr_i[13];
  assign idle       = !busy_q || cm_rvalid_i;  // the next may start with the answer
  assign start      = dmem_req && idle && cm_ready_i;
  assign cm_valid_o = dmem_req && idle && in_mmio;
  assign cm_we_o    = dmem_we;
  assign cm_be_o    = dmem_be;
  assign cm_addr_o  = dmem_addr[15:0];
  assign cm_wdata_o = dmem_wdata;
  // While the registers are busy the memories take no access either: the address arrives too late
  // to distinguish them.
  assign dmem_gnt   = idle && cm_ready_i;

  // A register answer for a core that was reset meanwhile must not reach its successor. This holds:
  // the boot loader takes longer than any register, and reset keeps `busy_q` until the answer.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                       busy_q <= 1'b0;
    else if (cm_valid_o && cm_ready_i) busy_q <= 1'b1;
    else if (cm_rvalid_i)              busy_q <= 1'b0;
  end

  // ------------------------------------------------------------------ memories
  logic [31:0] dtcm_rdata;

  logic                 itcm_en, itcm_write;
  logic [ItcmAddrW-1:0] itcm_addr;

  assign itcm_write = itcm_we || dbg_write;
  assign itcm_en    = start && in_itcm && !dmem_we;
  assign itcm_addr  = itcm_we ? itcm_waddr : dbg_write ? ItcmAddrW'(dbg_addr_i)
                                                          : dmem_addr[ItcmAddrW+1:2];

  tern_tcm_dual #(.Words(ItcmBytes / 4)) u_itcm (
    .clk_i,
    .ren_i  (imem_req),
    .raddr_i(imem_addr[ItcmAddrW+1:2]),
    .rdata_o(imem_rdata),
    .en_i   (itcm_en),
    .we_i   (itcm_write),
    .addr_i (itcm_addr),
    .wdata_i(itcm_we ? itcm_wdata : dbg_data_i),
    .data_o (itcm_data)
  );

  tern_tcm #(.Words(DtcmBytes / 4)) u_dtcm (
    .clk_i,
    .ren_i  (start && in_dtcm && !dmem_we),
    .raddr_i(dmem_addr[DtcmAddrW+1:2]),
    .rdata_o(dtcm_rdata),
    .we_i   (start && in_dtcm && dmem_we),
    .be_i   (dmem_be),
    .waddr_i(dmem_addr[DtcmAddrW+1:2]),
    .wdata_i(dmem_wdata)
  );

  // ------------------------------------------------------------------- answers
  logic                  tcm_answer_q, fault_q;
  logic [31:ItcmAddrW+2] imem_upper_q;  // checked one cycle later: the address arrives too late

  always_ff @(posedge clk_i) begin
    imem_rvalid_q <= core_rst_no && imem_req;
    imem_upper_q  <= imem_addr[31:ItcmAddrW+2];
    tcm_answer_q  <= core_rst_no && start && !in_mmio;
    fault_q       <= !(in_dtcm || (in_itcm && !dmem_we));
  end

  assign imem_err    = imem_upper_q != tern_abi_pkg::MEM_ITCM_BASE[31:ItcmAddrW+2];
  assign dmem_rvalid = tcm_answer_q || (busy_q && cm_rvalid_i);  // a core in reset ignores it
  assign dmem_err    = tcm_answer_q ? fault_q : cm_err_i;
  assign dmem_rdata  = dtcm_rdata | itcm_data | (cm_rdata_i & {32{!tcm_answer_q}});

endmodule

`default_nettype wire
