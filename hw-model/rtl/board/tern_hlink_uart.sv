// SPDX-License-Identifier: Apache-2.0
// The host link's words on a serial line.
`default_nettype none

module tern_hlink_uart #(
  parameter int unsigned ClockHz = 50_000_000,
  parameter int unsigned Baud    = 3_000_000
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        rx_i,         // pins
  output logic        tx_o,
  output logic        start_o,
  output logic        valid_o,
  output logic [31:0] word_o,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        first_i,
  input  logic        last_i,
  input  logic [31:0] word_i
);

  logic       rx, rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_byte, tx_byte;

  tern_cdc_sync #(.Start(1'b1)) u_pin (.clk_i, .d_i(rx_i), .q_o(rx));

  tern_uart_rx #(.ClockHz(ClockHz), .Baud(Baud)) u_rx (
    .clk_i, .rst_ni, .rx_i(rx), .valid_o(rx_valid), .data_o(rx_byte)
  );
  tern_hlink_unstuff u_unstuff (
    .clk_i, .rst_ni, .valid_i(rx_valid), .byte_i(rx_byte), .start_o, .valid_o, .word_o
  );
  tern_hlink_stuff u_stuff (
    .clk_i, .rst_ni, .valid_i, .ready_o, .first_i, .last_i, .word_i,
    .valid_o(tx_valid), .ready_i(tx_ready), .byte_o(tx_byte)
  );
  tern_uart_tx #(.ClockHz(ClockHz), .Baud(Baud)) u_tx (
    .clk_i, .rst_ni, .valid_i(tx_valid), .ready_o(tx_ready), .data_i(tx_byte), .tx_o
  );

endmodule

`default_nettype wire
