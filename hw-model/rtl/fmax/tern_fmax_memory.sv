// SPDX-License-Identifier: Apache-2.0
// The core with its memories and boot loader between flip-flops, to measure its clock rate.
`default_nettype none

module tern_fmax_memory (
  input  logic clk_i,
  input  logic pad_i,
  output logic pad_o
);

  localparam int unsigned WIn  = 1 + 16 + 8 + 2 + (1 + 32) + (3 + 32) + 2 + (3 + 14 + 32);
  localparam int unsigned WOut = (1 + 16) + (1 + 1 + 4 + 16 + 32) +
                                 (1 + 8 + 8 + 2 + 1 + 1 + 1 + 32) + (4 + 3 * 32 + 1);

  logic        rst_ni, core_hold_i, wdog_bite_i, fl_valid_i, cm_ready_i, cm_rvalid_i, cm_err_i;
  logic        irq_external_i, irq_timer_i;
  logic [15:0] node_i;
  logic [31:0] fl_data_i, cm_rdata_i;
  logic        fl_req_o, cm_valid_o, cm_we_o, core_rst_no, st_core_reset_o, sleep_o, retire_o;
  logic [1:0]  reset_cause_o;
  logic [3:0]  cm_be_o;
  logic [7:0]  boot_state_o, incarnation_o, life_i;
  logic [15:0] fl_addr_o, cm_addr_o;
  logic [31:0] cm_wdata_o, retire_pc_o;
  logic [2:0]  dbg_op_i;
  logic [13:0] dbg_addr_i;
  logic [31:0] dbg_data_i, dbg_pc_o, dbg_insn_o, dbg_value_o;
  logic [3:0]  dbg_state_o;
  logic        dbg_stopped_o;
  logic [WIn-1:0]  in;
  logic [WOut-1:0] out;

  assign {rst_ni, node_i, life_i, core_hold_i, wdog_bite_i, fl_valid_i, fl_data_i,
          cm_ready_i, cm_rvalid_i, cm_err_i, cm_rdata_i, irq_external_i, irq_timer_i,
          dbg_op_i, dbg_addr_i, dbg_data_i} = in;
  assign out = {fl_req_o, fl_addr_o, cm_valid_o, cm_we_o, cm_be_o, cm_addr_o, cm_wdata_o,
                core_rst_no, boot_state_o, incarnation_o, reset_cause_o, st_core_reset_o,
                sleep_o, retire_o, retire_pc_o,
                dbg_state_o, dbg_pc_o, dbg_insn_o, dbg_value_o, dbg_stopped_o};

  tern_fmax_pins #(.WIn(WIn), .WOut(WOut)) u_pins (
    .clk_i, .pad_i, .pad_o, .in_o(in), .out_i(out)
  );

  tern_cluster u_dut (
    .clk_i, .rst_ni, .node_i, .life_i, .core_hold_i, .wdog_bite_i,
    .fl_req_o, .fl_addr_o, .fl_valid_i, .fl_data_i,
    .cm_valid_o, .cm_ready_i, .cm_we_o, .cm_be_o, .cm_addr_o, .cm_wdata_o,
    .cm_rvalid_i, .cm_rdata_i, .cm_err_i,
    .dbg_op_i, .dbg_addr_i, .dbg_data_i,
    .dbg_state_o, .dbg_pc_o, .dbg_insn_o, .dbg_value_o, .dbg_stopped_o,
    .irq_external_i, .irq_timer_i,
    .core_rst_no, .boot_state_o, .incarnation_o, .reset_cause_o, .st_core_reset_o,
    .sleep_o, .retire_o, .retire_pc_o
  );

endmodule

`default_nettype wire
