// SPDX-License-Identifier: Apache-2.0
// Colorlight i9 (LFE5U-45F): one node, its host across an Ethernet cable at PHY 0, 1 Gb/s.
//
// The parameters of the node come from hw-model/verilated_boards.mk. The flash has the firmware,
// beyond the bitstream.
`default_nettype none

module tern_colorlight_i9 #(
  parameter int unsigned NumFn      = 16,
  parameter int unsigned NumQ       = 128,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 1024,
  parameter int unsigned NumCtr     = 128,
  parameter int unsigned RxSlots    = 8,
  parameter int unsigned ClockHz    = 50_000_000,
  parameter int unsigned FlashBase  = 1572864,
  // Cycles of a host round trip. Reads of the host end with an error after 512 of them, 84 ms, so a
  // few frames may be lost and sent again, and a busy host may sleep.
  parameter int unsigned HostLatency = 8192
) (
  input  logic       clk_25mhz,
  output logic       phy_rst_n,     // of both PHYs
  input  logic       rgmii_rxc,
  input  logic       rgmii_rx_ctl,
  input  logic [3:0] rgmii_rxd,
  output logic       rgmii_txc,
  output logic       rgmii_tx_ctl,
  output logic [3:0] rgmii_txd,
  output logic       flash_csn,
  output logic       flash_mosi,
  input  logic       flash_miso,
  output logic       led_n
);

  localparam int unsigned Ports   = 2;

  logic chosen, damaged;             // the image of the firmware; the second one, damaged

  // ------------------------------------------------------------ clock, reset
  logic clk, line_clk, locked, rst_n, line_rst_n, rx_rst_n;

  // 25 MHz * 2 for the node, * 5 for the line, oscillator at 500 MHz.
  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "50", FREQUENCY_PIN_CLKOS = "125" *)
  EHXPLLL #(
    .CLKI_DIV(1), .CLKFB_DIV(2), .CLKOP_DIV(10), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(4), .CLKOS_CPHASE(1), .CLKOS_FPHASE(0),
    .FEEDBK_PATH("CLKOP"), .CLKOP_ENABLE("ENABLED"), .INTFB_WAKE("DISABLED"),
    .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"), .PLLRST_ENA("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA")
  ) u_pll (
    .CLKI(clk_25mhz), .CLKFB(clk), .CLKOP(clk), .CLKOS(line_clk), .LOCK(locked),
    .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1)
  );

  tern_cdc_reset u_reset      (.clk_i(clk), .ok_i(locked), .rst_no(rst_n));
  tern_cdc_reset u_line_reset (.clk_i(line_clk), .ok_i(locked), .rst_no(line_rst_n));
  tern_cdc_reset u_rx_reset   (.clk_i(rgmii_rxc), .ok_i(locked), .rst_no(rx_rst_n));

  // The PHYs are reset for a millisecond.
  logic [16:0] phy_wait_q;
  always_ff @(posedge clk) begin
    if (!rst_n)               phy_wait_q <= '0;
    else if (!phy_wait_q[16]) phy_wait_q <= phy_wait_q + 17'd1;
  end
  assign phy_rst_n = phy_wait_q[16];

  // --------------------------------------------------------------- host link
  logic        line_valid, line_error, send_valid;
  logic [7:0]  line_byte, send_byte;

  tern_rgmii u_rgmii (
    .rxc_i(rgmii_rxc), .rx_ctl_i(rgmii_rx_ctl), .rxd_i(rgmii_rxd),
    .txc_o(rgmii_txc), .tx_ctl_o(rgmii_tx_ctl), .txd_o(rgmii_txd),
    .valid_o(line_valid), .error_o(line_error), .byte_o(line_byte),
    .clk_i(line_clk), .valid_i(send_valid), .byte_i(send_byte)
  );

  logic        rx_start, rx_valid, rx_ready, tx_valid, tx_ready, tx_first, tx_last, known, node_rst;
  logic [31:0] rx_word, tx_word, session;

  tern_hlink_eth u_eth (
    .clk_i(clk), .rst_ni(rst_n), .sync_i(node_rst), .session_i(session[15:0]),
    .rx_clk_i(rgmii_rxc), .rx_rst_ni(rx_rst_n),
    .rx_valid_i(line_valid), .rx_error_i(line_error), .rx_byte_i(line_byte),
    .tx_clk_i(line_clk), .tx_rst_ni(line_rst_n), .tx_valid_o(send_valid), .tx_byte_o(send_byte),
    .start_o(rx_start), .valid_o(rx_valid), .ready_i(rx_ready), .word_o(rx_word),
    .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last), .word_i(tx_word)
  );

  logic        hrq_valid, hrq_ready, hrd_valid, hrd_last, hrd_err, hwr_valid, hwr_ready, hwr_last;
  logic        hwr_irq, hwb_valid, hwb_err, bar_valid, bar_ready, bar_write, bar_rvalid;
  logic [7:0]  hrq_fn, hrq_tag, hrd_tag, hwr_fn, hwr_tag, hwb_tag, bar_fn, bar_be;
  logic [63:0] hrq_addr, hwr_addr, bar_wdata, bar_rdata;
  logic [8:0]  hrq_bytes;
  logic [10:0] hwr_bytes;
  logic [31:0] hrd_data, hwr_data;
  logic [16:0] bar_addr;

  tern_hlink #(.AckWait(256), .Timeout(65536)) u_hlink (
    .clk_i(clk), .rst_ni(rst_n), .node_rst_o(node_rst), .known_o(known),
    .session_o(session), .flags_i(damaged ? 8'(tern_abi_pkg::HLINK_ARG_FIRST) : 8'd0),
    .rx_start_i(rx_start), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_word_i(rx_word),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_first_o(tx_first), .tx_last_o(tx_last),
    .tx_word_o(tx_word),
    .hrq_valid_i(hrq_valid), .hrq_ready_o(hrq_ready), .hrq_fn_i(hrq_fn), .hrq_addr_i(hrq_addr),
    .hrq_bytes_i(hrq_bytes), .hrq_tag_i(hrq_tag),
    .hrd_valid_o(hrd_valid), .hrd_tag_o(hrd_tag), .hrd_data_o(hrd_data), .hrd_last_o(hrd_last),
    .hrd_err_o(hrd_err),
    .hwr_valid_i(hwr_valid), .hwr_ready_o(hwr_ready), .hwr_fn_i(hwr_fn), .hwr_addr_i(hwr_addr),
    .hwr_bytes_i(hwr_bytes), .hwr_data_i(hwr_data), .hwr_last_i(hwr_last), .hwr_irq_i(hwr_irq),
    .hwr_tag_i(hwr_tag),
    .hwb_valid_o(hwb_valid), .hwb_tag_o(hwb_tag), .hwb_err_o(hwb_err),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready), .bar_write_o(bar_write), .bar_fn_o(bar_fn),
    .bar_addr_o(bar_addr), .bar_wdata_o(bar_wdata), .bar_be_o(bar_be),
    .bar_rvalid_i(bar_rvalid), .bar_rdata_i(bar_rdata)
  );

  // A session begins with a reset of the node, of some cycles. Before that, its image is chosen.
  logic       node_rst_n;
  logic [3:0] hold_q;
  always_ff @(posedge clk) begin
    if (!rst_n || node_rst || !chosen) hold_q <= '0;
    else if (!hold_q[3])               hold_q <= hold_q + 4'd1;
    node_rst_n <= hold_q[3];
  end

  // ------------------------------------------------------------------- flash
  logic        fl_req, fl_valid, flash_sck, read_req, read_slot;
  logic [15:0] fl_addr, read_addr;
  logic [31:0] fl_data;
  logic [7:0]  fl_life, life_q;

  tern_spi_flash #(.Base(24'(FlashBase))) u_flash (
    .clk_i(clk), .rst_ni(chosen ? node_rst_n : rst_n),
    .req_i(read_req), .slot_i(read_slot), .addr_i(read_addr),
    .valid_o(fl_valid), .data_o(fl_data),
    .cs_no(flash_csn), .sck_o(flash_sck), .mosi_o(flash_mosi), .miso_i(flash_miso)
  );
  tern_flash_slots u_slots (
    .clk_i(clk), .rst_ni(rst_n), .chosen_o(chosen), .damaged_o(damaged),
    .req_i(fl_req), .addr_i(fl_addr),
    .req_o(read_req), .slot_o(read_slot), .addr_o(read_addr), .valid_i(fl_valid), .data_i(fl_data)
  );
  USRMCLK u_mclk (.USRMCLKI(flash_sck), .USRMCLKTS(1'b0));

  // The number of the life outlasts a session, not the power.
  always_ff @(posedge clk) begin
    if (!rst_n)      life_q <= '0;
    else if (fl_req) life_q <= fl_life;
  end

  // -------------------------------------------------------------------- node
  logic [Ports-1:0]    ltx_valid;
  logic [2*Ports-1:0]  ltx_kind;
  logic [32*Ports-1:0] ltx_data;
  logic                unused_node;

  logic [3:0]  dbg_state;
  logic [31:0] dbg_pc, dbg_insn, dbg_value, tr_cycle, retire_pc;
  logic        retire_valid;
  logic [tern_abi_pkg::TRACE_LANES-1:0]    tr_valid;
  logic [16*tern_abi_pkg::TRACE_LANES-1:0] tr_id;
  assign unused_node = ^{session[31:16], dbg_state, dbg_pc, dbg_insn, dbg_value, tr_valid, tr_id,
                         tr_cycle, retire_pc, ltx_valid, ltx_kind, ltx_data};

  tern_node #(
    .DataW(32), .Ports(Ports), .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots),
    .NumRegions(NumRegions), .NumCtr(NumCtr), .RxSlots(RxSlots)
  ) u_node (
    .clk_i(clk), .rst_ni(node_rst_n),
    .hrq_valid_o(hrq_valid), .hrq_ready_i(hrq_ready), .hrq_fn_o(hrq_fn), .hrq_addr_o(hrq_addr),
    .hrq_bytes_o(hrq_bytes), .hrq_tag_o(hrq_tag),
    .hrd_valid_i(hrd_valid), .hrd_tag_i(hrd_tag), .hrd_data_i(hrd_data), .hrd_last_i(hrd_last),
    .hrd_err_i(hrd_err),
    .hwr_valid_o(hwr_valid), .hwr_ready_i(hwr_ready), .hwr_fn_o(hwr_fn), .hwr_addr_o(hwr_addr),
    .hwr_bytes_o(hwr_bytes), .hwr_data_o(hwr_data), .hwr_last_o(hwr_last), .hwr_irq_o(hwr_irq),
    .hwr_tag_o(hwr_tag),
    .hwb_valid_i(hwb_valid), .hwb_tag_i(hwb_tag), .hwb_err_i(hwb_err),
    .bar_valid_i(bar_valid), .bar_ready_o(bar_ready), .bar_write_i(bar_write), .bar_fn_i(bar_fn),
    .bar_addr_i(bar_addr), .bar_wdata_i(bar_wdata), .bar_be_i(bar_be),
    .bar_rvalid_o(bar_rvalid), .bar_rdata_o(bar_rdata),
    .fl_req_o(fl_req), .fl_addr_o(fl_addr), .fl_valid_i(fl_valid), .fl_data_i(fl_data),
    .fl_life_o(fl_life),
    .strap_node_i(16'd0), .strap_dims_i(16'd0), .strap_clock_hz_i(32'(ClockHz)),
    .strap_host_latency_i(16'(HostLatency)), .strap_life_i(life_q),
    .dbg_op_i(3'd0), .dbg_addr_i(14'd0), .dbg_data_i(32'd0),
    .dbg_state_o(dbg_state), .dbg_pc_o(dbg_pc), .dbg_insn_o(dbg_insn), .dbg_value_o(dbg_value),
    .ltx_valid_o(ltx_valid), .ltx_kind_o(ltx_kind), .ltx_data_o(ltx_data),
    // a ring of one node has no wires
    .lrx_valid_i('0), .lrx_kind_i('0), .lrx_data_i('0),
    .tr_valid_o(tr_valid), .tr_id_o(tr_id), .tr_cycle_o(tr_cycle),
    .retire_valid_o(retire_valid), .retire_pc_o(retire_pc)
  );

  // Lit while there is a session; with each instruction of the core it changes.
  always_ff @(posedge clk) led_n <= !known ^ retire_valid;

endmodule

`default_nettype wire
