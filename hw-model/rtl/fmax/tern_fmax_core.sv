// SPDX-License-Identifier: Apache-2.0
// The core alone between flip-flops, to measure its clock rate.
`default_nettype none

module tern_fmax_core (
  input  logic clk_i,
  input  logic pad_i,
  output logic pad_o
);

  localparam int unsigned WIn  = 1 + 2 * 32 + 2 * (3 + 32) + 3 + 5;
  localparam int unsigned WOut = (1 + 32) + (1 + 1 + 4 + 2 * 32) + (1 + 1 + 32) +
                                 (4 + 31 + 2 * 32);

  logic        rst_ni, imem_gnt_i, imem_rvalid_i, imem_err_i, dmem_gnt_i, dmem_rvalid_i, dmem_err_i;
  logic        irq_timer_i, irq_external_i, irq_software_i;
  logic [31:0] boot_pc_i, hart_id_i, imem_rdata_i, dmem_rdata_i;
  logic        imem_req_o, dmem_req_o, dmem_we_o, sleep_o, retire_o;
  logic [3:0]  dmem_be_o;
  logic [31:0] imem_addr_o, dmem_addr_o, dmem_wdata_o, retire_pc_o;
  logic        dbg_run_i, dbg_quiet_i, dbg_inject_i, dbg_ebreak_i, dbg_flush_i;
  logic        dbg_taken_o, dbg_busy_o, dbg_hit_o, dbg_trap_o;
  logic [31:1] dbg_pc_o;
  logic [31:0] dbg_insn_o, dbg_value_o;
  logic [WIn-1:0]  in;
  logic [WOut-1:0] out;

  assign {rst_ni, boot_pc_i, hart_id_i,
          imem_gnt_i, imem_rvalid_i, imem_err_i, imem_rdata_i,
          dmem_gnt_i, dmem_rvalid_i, dmem_err_i, dmem_rdata_i,
          irq_timer_i, irq_external_i, irq_software_i,
          dbg_run_i, dbg_quiet_i, dbg_inject_i, dbg_ebreak_i, dbg_flush_i} = in;
  assign out = {imem_req_o, imem_addr_o,
                dmem_req_o, dmem_we_o, dmem_be_o, dmem_addr_o, dmem_wdata_o,
                sleep_o, retire_o, retire_pc_o,
                dbg_taken_o, dbg_busy_o, dbg_hit_o, dbg_trap_o,
                dbg_pc_o, dbg_insn_o, dbg_value_o};

  tern_fmax_pins #(.WIn(WIn), .WOut(WOut)) u_pins (
    .clk_i, .pad_i, .pad_o, .in_o(in), .out_i(out)
  );

  tern_core u_dut (
    .clk_i, .rst_ni, .boot_pc_i, .hart_id_i,
    .imem_req_o, .imem_addr_o, .imem_gnt_i, .imem_rvalid_i, .imem_rdata_i, .imem_err_i,
    .dmem_req_o, .dmem_we_o, .dmem_be_o, .dmem_addr_o, .dmem_wdata_o,
    .dmem_gnt_i, .dmem_rvalid_i, .dmem_rdata_i, .dmem_err_i,
    .irq_timer_i, .irq_external_i, .irq_software_i,
    .sleep_o, .retire_o, .retire_pc_o,
    .dbg_run_i, .dbg_quiet_i, .dbg_inject_i, .dbg_ebreak_i, .dbg_flush_i,
    .dbg_taken_o, .dbg_busy_o, .dbg_hit_o, .dbg_trap_o,
    .dbg_pc_o, .dbg_insn_o, .dbg_value_o
  );

endmodule

`default_nettype wire
