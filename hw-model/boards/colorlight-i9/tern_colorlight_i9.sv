// SPDX-License-Identifier: Apache-2.0
// Colorlight i9 (LFE5U-45F): one node, its host across an Ethernet cable at PHY 0, 1 Gb/s, and
// perhaps another board across a cable at PHY 1: the two are a mesh of two nodes. A jumper at each
// says which of the two it is; a board without one is a ring of one node.
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
  input  logic       link_rxc,      // of PHY 1
  input  logic       link_rx_ctl,
  input  logic [3:0] link_rxd,
  output logic       link_txc,
  output logic       link_tx_ctl,
  output logic [3:0] link_txd,
  input  logic       first_n,       // low: node 0 of a pair
  input  logic       second_n,      // low: node 1
  output logic       flash_csn,
  output logic       flash_mosi,
  input  logic       flash_miso,
  output logic       led_n
);

  // ------------------------------------------------------------ clock, reset
  logic clk, line_clk, locked, rst_n, line_rst_n, rx_rst_n, link_rst_n;

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

  tern_cdc_reset u_link_reset (.clk_i(link_rxc), .ok_i(locked), .rst_no(link_rst_n));

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

  logic        rx_start, rx_valid, rx_ready, tx_valid, tx_ready, tx_first, tx_last, session_rst;
  logic [31:0] rx_word, tx_word, session;

  tern_hlink_eth u_eth (
    .clk_i(clk), .rst_ni(rst_n), .sync_i(session_rst), .session_i(session[15:0]),
    .rx_clk_i(rgmii_rxc), .rx_rst_ni(rx_rst_n),
    .rx_valid_i(line_valid), .rx_error_i(line_error), .rx_byte_i(line_byte),
    .tx_clk_i(line_clk), .tx_rst_ni(line_rst_n), .tx_valid_o(send_valid), .tx_byte_o(send_byte),
    .start_o(rx_start), .valid_o(rx_valid), .ready_i(rx_ready), .word_o(rx_word),
    .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last), .word_i(tx_word)
  );

  // ------------------------------------------------------------ place, other board
  // Node 0 has the other board at its port X+, node 1 at X-.
  logic first_open, second_open, pair, second;
  tern_cdc_sync #(.Start(1'b1)) u_first  (.clk_i(clk), .d_i(first_n), .q_o(first_open));
  tern_cdc_sync #(.Start(1'b1)) u_second (.clk_i(clk), .d_i(second_n), .q_o(second_open));
  assign pair   = !first_open || !second_open;
  assign second = !second_open;

  logic        link_valid, link_error, link_send, out_valid, back, in_valid;
  logic        unused_overrun;
  logic [1:0]  ltx_valid, out_kind, in_kind;
  logic [3:0]  ltx_kind;
  logic [7:0]  link_byte, link_out;
  logic [31:0] out_data, in_data;
  logic [63:0] ltx_data;

  tern_rgmii u_link_rgmii (
    .rxc_i(link_rxc), .rx_ctl_i(link_rx_ctl), .rxd_i(link_rxd),
    .txc_o(link_txc), .tx_ctl_o(link_tx_ctl), .txd_o(link_txd),
    .valid_o(link_valid), .error_o(link_error), .byte_o(link_byte),
    .clk_i(line_clk), .valid_i(link_send), .byte_i(link_out)
  );

  assign out_valid = pair && (second ? ltx_valid[1] : ltx_valid[0]);
  assign out_kind  = second ? ltx_kind[3:2] : ltx_kind[1:0];
  assign out_data  = second ? ltx_data[63:32] : ltx_data[31:0];

  tern_link_eth u_link (
    .clk_i(clk), .rst_ni(rst_n),
    .ltx_valid_i(out_valid), .ltx_kind_i(out_kind), .ltx_data_i(out_data), .ltx_hold_o(back),
    .overrun_o(unused_overrun),
    .lrx_valid_o(in_valid), .lrx_kind_o(in_kind), .lrx_data_o(in_data),
    .rx_clk_i(link_rxc), .rx_rst_ni(link_rst_n),
    .rx_valid_i(link_valid), .rx_error_i(link_error), .rx_byte_i(link_byte),
    .tx_clk_i(line_clk), .tx_rst_ni(line_rst_n), .tx_valid_o(link_send), .tx_byte_o(link_out)
  );

  // -------------------------------------------------------------------- node
  logic known, works, flash_want, flash_sck;

  tern_board_node #(
    .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots), .NumRegions(NumRegions), .NumCtr(NumCtr),
    .RxSlots(RxSlots), .ClockHz(ClockHz), .FlashBase(FlashBase),
    .HostLatency(HostLatency), .AckWait(256), .Timeout(65536), .Held(1'b1)
  ) u_board (
    .clk_i(clk), .rst_ni(rst_n),
    .session_rst_o(session_rst), .known_o(known), .session_o(session), .works_o(works),
    .strap_node_i({15'd0, second}), .strap_dims_i(pair ? 16'h8001 : 16'd0),
    .ltx_hold_i({2{back}}), .ltx_valid_o(ltx_valid), .ltx_kind_o(ltx_kind), .ltx_data_o(ltx_data),
    .lrx_valid_i({in_valid && second, in_valid && !second}), .lrx_kind_i({2{in_kind}}),
    .lrx_data_i({2{in_data}}),
    .rx_start_i(rx_start), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_word_i(rx_word),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_first_o(tx_first), .tx_last_o(tx_last),
    .tx_word_o(tx_word),
    .flash_want_o(flash_want), .flash_may_i(1'b1),
    .flash_cs_no(flash_csn), .flash_sck_o(flash_sck), .flash_mosi_o(flash_mosi),
    .flash_miso_i(flash_miso)
  );

  USRMCLK u_mclk (.USRMCLKI(flash_sck), .USRMCLKTS(1'b0));

  logic unused;
  assign unused = ^{session[31:16], flash_want, unused_overrun};

  // Lit while there is a session; with each instruction of the core it changes.
  always_ff @(posedge clk) led_n <= !known ^ works;

endmodule

`default_nettype wire
