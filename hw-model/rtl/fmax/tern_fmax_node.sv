// SPDX-License-Identifier: Apache-2.0
// The whole node of the board configuration between flip-flops, to measure its clock rate. `Ports`
// counts the links of the tree network, too; the first `Torus` are the torus's.
`default_nettype none

module tern_fmax_node #(
  parameter int unsigned DataW = 32,
  parameter int unsigned Ports = 2
) (
  input  logic clk_i,
  input  logic pad_i,
  output logic pad_o
);

  localparam int unsigned Torus = 2;
  localparam int unsigned Lanes = tern_abi_pkg::TRACE_LANES;
  localparam int unsigned WLink = Ports * (1 + 2 + DataW);
  localparam int unsigned WIn   = 1 + 1 + (1 + 8 + DataW + 2) + 1 + 10 + (1 + 1 + 8 + 17 + 64 + 8) +
                                  (1 + 32) + (16 + 16 + 32 + 16 + 8) + WLink + (3 + 14 + 32);
  localparam int unsigned WOut  = (1 + 8 + 64 + 9 + 8) + (1 + 8 + 64 + 11 + DataW + 10) +
                                  (1 + 1 + 64) + (1 + 16 + 8 + 8) + WLink + 17 * Lanes + 32 +
                                  1 + 32 +
                                  (4 + 3 * 32);

  logic                   rst_ni;
  logic                   hrq_valid_o, hrq_ready_i, hrd_valid_i, hrd_last_i, hrd_err_i;
  logic [7:0]             hrq_fn_o;
  logic [63:0]            hrq_addr_o;
  logic [8:0]             hrq_bytes_o;
  logic [7:0]             hrq_tag_o, hrd_tag_i;
  logic [DataW-1:0]       hrd_data_i;
  logic                   hwr_valid_o, hwr_ready_i, hwr_last_o, hwr_irq_o, hwb_valid_i, hwb_err_i;
  logic [7:0]             hwr_tag_o, hwb_tag_i, fl_life_o, fw_state_o, strap_life_i;
  logic [7:0]             hwr_fn_o;
  logic [63:0]            hwr_addr_o;
  logic [10:0]            hwr_bytes_o;
  logic [DataW-1:0]       hwr_data_o;
  logic                   bar_valid_i, bar_ready_o, bar_write_i, bar_rvalid_o;
  logic [7:0]             bar_fn_i, bar_be_i;
  logic [16:0]            bar_addr_i;
  logic [63:0]            bar_wdata_i, bar_rdata_o;
  logic                   fl_req_o, fl_valid_i;
  logic [15:0]            fl_addr_o;
  logic [31:0]            fl_data_i;
  logic [15:0]            strap_node_i, strap_dims_i, strap_host_latency_i;
  logic [31:0]            strap_clock_hz_i;
  logic [Ports-1:0]       ltx_valid_o, lrx_valid_i;
  logic [Torus-1:0]       ltx_hold_i;
  logic [2*Ports-1:0]     ltx_kind_o, lrx_kind_i;
  logic [Ports*DataW-1:0] ltx_data_o, lrx_data_i;
  logic [Lanes-1:0]       tr_valid_o;
  logic [16*Lanes-1:0]    tr_id_o;
  logic [31:0]            tr_cycle_o, retire_pc_o;
  logic                   retire_valid_o;
  logic [2:0]             dbg_op_i;
  logic [13:0]            dbg_addr_i;
  logic [31:0]            dbg_data_i, dbg_pc_o, dbg_insn_o, dbg_value_o;
  logic [3:0]             dbg_state_o;
  logic [WIn-1:0]         in;
  logic [WOut-1:0]        out;

  assign {rst_ni, hrq_ready_i, hrd_valid_i, hrd_tag_i, hrd_data_i, hrd_last_i, hrd_err_i,
          hwr_ready_i, hwb_valid_i, hwb_tag_i, hwb_err_i,
          bar_valid_i, bar_write_i, bar_fn_i, bar_addr_i, bar_wdata_i, bar_be_i,
          fl_valid_i, fl_data_i,
          strap_node_i, strap_dims_i, strap_clock_hz_i, strap_host_latency_i, strap_life_i,
          lrx_valid_i, lrx_kind_i, lrx_data_i, dbg_op_i, dbg_addr_i, dbg_data_i} = in;
  assign ltx_hold_i = '0;       // not used (Held)
  assign out = {hrq_valid_o, hrq_fn_o, hrq_addr_o, hrq_bytes_o, hrq_tag_o,
                hwr_valid_o, hwr_fn_o, hwr_addr_o, hwr_bytes_o, hwr_data_o, hwr_last_o, hwr_irq_o,
                hwr_tag_o, bar_ready_o, bar_rvalid_o, bar_rdata_o, fl_req_o, fl_addr_o, fl_life_o,
                fw_state_o,
                ltx_valid_o, ltx_kind_o, ltx_data_o,
                tr_valid_o, tr_id_o, tr_cycle_o, retire_valid_o, retire_pc_o,
                dbg_state_o, dbg_pc_o, dbg_insn_o, dbg_value_o};

  tern_fmax_pins #(.WIn(WIn), .WOut(WOut)) u_pins (
    .clk_i, .pad_i, .pad_o, .in_o(in), .out_i(out)
  );

  // The netlist used here has its parameters set. Lint uses the RTL with its defaults, so it sets
  // DataW to 64.
  tern_node u_dut (.*);

endmodule

`default_nettype wire
