// SPDX-License-Identifier: Apache-2.0
// ULX3S (LFE5U-85F): one node, its host across the USB serial port.
//
// The parameters of the node come from hw-model/verilated_boards.mk. The flash has the firmware,
// beyond the bitstream.
`default_nettype none

module tern_ulx3s #(
  parameter int unsigned NumFn      = 16,
  parameter int unsigned NumQ       = 128,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 1024,
  parameter int unsigned NumCtr     = 128,
  parameter int unsigned RxSlots    = 8,
  parameter int unsigned ClockHz    = 50_000_000,
  parameter int unsigned Baud       = 3_000_000,
  parameter int unsigned FlashBase  = 4194304
) (
  input  logic       clk_25mhz,
  input  logic       ftdi_txd,      // from the USB bridge
  output logic       ftdi_rxd,
  output logic       flash_csn,
  output logic       flash_mosi,
  input  logic       flash_miso,
  output logic       flash_holdn,
  output logic       flash_wpn,
  output logic       wifi_gpio0,    // low would restart the board by its WiFi module
  output logic [7:0] led
);

  // ------------------------------------------------------------ clock, reset
  logic clk, locked, rst_n, unused_clock;

  // 25 MHz * 2, oscillator at 600 MHz.
  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "50" *)
  EHXPLLL #(
    .CLKI_DIV(1), .CLKFB_DIV(2), .CLKOP_DIV(12), .CLKOP_CPHASE(5), .CLKOP_FPHASE(0),
    .FEEDBK_PATH("CLKOP"), .CLKOP_ENABLE("ENABLED"), .INTFB_WAKE("DISABLED"),
    .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"), .PLLRST_ENA("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA")
  ) u_pll (
    .CLKI(clk_25mhz), .CLKFB(clk), .CLKOP(clk), .CLKOS(unused_clock), .LOCK(locked),
    .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1)
  );

  tern_cdc_reset u_reset (.clk_i(clk), .ok_i(locked), .rst_no(rst_n));

  // --------------------------------------------------------------- host link
  logic        rx_start, rx_valid, rx_ready, tx_valid, tx_ready, tx_first, tx_last, session_rst;
  logic [31:0] rx_word, tx_word, session;

  tern_hlink_uart #(.ClockHz(ClockHz), .Baud(Baud)) u_uart (
    .clk_i(clk), .rst_ni(rst_n), .rx_i(ftdi_txd), .tx_o(ftdi_rxd),
    .start_o(rx_start), .valid_o(rx_valid), .word_o(rx_word),
    .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last), .word_i(tx_word)
  );

  // -------------------------------------------------------------------- node
  logic        known, works, flash_sck;
  logic [1:0]  ltx_valid;
  logic [3:0]  ltx_kind;
  logic [63:0] ltx_data;

  tern_board_node #(
    .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots), .NumRegions(NumRegions), .NumCtr(NumCtr),
    .RxSlots(RxSlots), .ClockHz(ClockHz), .FlashBase(FlashBase)
  ) u_board (
    .clk_i(clk), .rst_ni(rst_n),
    .session_rst_o(session_rst), .known_o(known), .session_o(session), .works_o(works),
    .strap_node_i('0), .strap_dims_i('0),
    .ltx_hold_i('0), .ltx_valid_o(ltx_valid), .ltx_kind_o(ltx_kind), .ltx_data_o(ltx_data),
    .lrx_valid_i('0), .lrx_kind_i('0), .lrx_data_i('0),
    .rx_start_i(rx_start), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready), .rx_word_i(rx_word),
    .tx_valid_o(tx_valid), .tx_ready_i(tx_ready), .tx_first_o(tx_first), .tx_last_o(tx_last),
    .tx_word_o(tx_word),
    .flash_cs_no(flash_csn), .flash_sck_o(flash_sck), .flash_mosi_o(flash_mosi),
    .flash_miso_i(flash_miso)
  );

  USRMCLK u_mclk (.USRMCLKI(flash_sck), .USRMCLKTS(1'b0));
  assign flash_holdn = 1'b1;
  assign flash_wpn   = 1'b1;
  assign wifi_gpio0  = 1'b1;

  logic unused;
  assign unused = ^{rx_ready, session, session_rst, unused_clock, ltx_valid, ltx_kind, ltx_data};

  // Lit: the clock runs, there is a session, the core works (it blinks with each instruction).
  always_ff @(posedge clk) led <= {5'd0, works, known, rst_n};

endmodule

`default_nettype wire
