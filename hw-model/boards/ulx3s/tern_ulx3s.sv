// SPDX-License-Identifier: Apache-2.0
// ULX3S (LFE5U-85F): two nodes joined as a ring, their host across the USB serial port. They share
// the line, by channel, and the flash.
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
  // Each node takes the frames of its channel; theirs leave in turns.
  logic        rx_start, rx_valid, tx_valid, tx_ready, tx_first, tx_last;
  logic [31:0] rx_word, tx_word;
  logic [1:0]  up_valid, up_ready, up_first, up_last, rx_ready, session_rst;
  logic [63:0] up_word, session;

  tern_hlink_uart #(.ClockHz(ClockHz), .Baud(Baud)) u_uart (
    .clk_i(clk), .rst_ni(rst_n), .rx_i(ftdi_txd), .tx_o(ftdi_rxd),
    .start_o(rx_start), .valid_o(rx_valid), .word_o(rx_word),
    .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last), .word_i(tx_word)
  );
  tern_hlink_merge u_merge (
    .clk_i(clk), .rst_ni(rst_n),
    .valid_i(up_valid), .ready_o(up_ready), .first_i(up_first), .last_i(up_last),
    .word_i(up_word),
    .valid_o(tx_valid), .ready_i(tx_ready), .first_o(tx_first), .last_o(tx_last), .word_o(tx_word)
  );

  // ------------------------------------------------------------------- nodes
  logic [1:0]   known, works, want, may, flash_cs_n, flash_sck, flash_mosis;
  logic [3:0]   ltx_valid, lrx_valid;      // two ports of each node
  logic [7:0]   ltx_kind, lrx_kind;
  logic [127:0] ltx_data, lrx_data;

  for (genvar n = 0; n < 2; n++) begin : g_node
    // Port X+ of a node, its first one, leads to X- of the other.
    for (genvar p = 0; p < 2; p++) begin : g_port
      localparam int unsigned From = 2 * (1 - n) + (1 - p);
      assign lrx_valid[2*n + p]            = ltx_valid[From];
      assign lrx_kind[2*(2*n + p) +: 2]    = ltx_kind[2*From +: 2];
      assign lrx_data[32*(2*n + p) +: 32]  = ltx_data[32*From +: 32];
    end

    tern_board_node #(
      .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots), .NumRegions(NumRegions), .NumCtr(NumCtr),
      .RxSlots(RxSlots), .ClockHz(ClockHz), .FlashBase(FlashBase), .Channel(4'(n)),
      .More(n == 0 ? 4'd1 : 4'd0)
    ) u_board (
      .clk_i(clk), .rst_ni(rst_n),
      .session_rst_o(session_rst[n]), .known_o(known[n]), .session_o(session[32*n +: 32]),
      .works_o(works[n]),
      .strap_node_i(16'(n)), .strap_dims_i(16'd1),
      .ltx_hold_i('0), .ltx_valid_o(ltx_valid[2*n +: 2]), .ltx_kind_o(ltx_kind[4*n +: 4]),
      .ltx_data_o(ltx_data[64*n +: 64]),
      .lrx_valid_i(lrx_valid[2*n +: 2]), .lrx_kind_i(lrx_kind[4*n +: 4]),
      .lrx_data_i(lrx_data[64*n +: 64]),
      .rx_start_i(rx_start), .rx_valid_i(rx_valid), .rx_ready_o(rx_ready[n]),
      .rx_word_i(rx_word),
      .tx_valid_o(up_valid[n]), .tx_ready_i(up_ready[n]), .tx_first_o(up_first[n]),
      .tx_last_o(up_last[n]), .tx_word_o(up_word[32*n +: 32]),
      .flash_want_o(want[n]), .flash_may_i(may[n]), .flash_cs_no(flash_cs_n[n]),
      .flash_sck_o(flash_sck[n]), .flash_mosi_o(flash_mosis[n]), .flash_miso_i(flash_miso)
    );
  end

  // ------------------------------------------------------------------- flash
  logic owner_q;
  always_ff @(posedge clk) begin
    if (!rst_n)                                owner_q <= 1'b0;
    else if (!want[owner_q] && want[!owner_q]) owner_q <= !owner_q;
  end
  assign may        = {owner_q, !owner_q};
  assign flash_csn  = &flash_cs_n;
  assign flash_mosi = flash_mosis[owner_q];

  USRMCLK u_mclk (.USRMCLKI(flash_sck[owner_q]), .USRMCLKTS(1'b0));
  assign flash_holdn = 1'b1;
  assign flash_wpn   = 1'b1;
  assign wifi_gpio0  = 1'b1;

  logic unused;
  assign unused = ^{rx_ready, session, session_rst, unused_clock};

  // Lit: the clock runs, there is a session, the core works (it blinks with each instruction); then
  // session and core of the second node.
  always_ff @(posedge clk) led <= {3'd0, works[1], known[1], works[0], known[0], rst_n};

endmodule

`default_nettype wire
