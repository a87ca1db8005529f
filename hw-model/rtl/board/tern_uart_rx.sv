// SPDX-License-Identifier: Apache-2.0
// Receiver of a serial line, 8N1: bytes from a pin that idles high.
//
// An accumulator divides the clock, so the rate need not divide it: bits are sampled at most half a
// cycle from their middle. A byte without its stop bit is dropped.
`default_nettype none

module tern_uart_rx #(
  parameter int unsigned ClockHz = 50_000_000,
  parameter int unsigned Baud    = 3_000_000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,       // in this clock
  output logic       valid_o,
  output logic [7:0] data_o
);

  // Both are multiples of 1000.
  localparam int unsigned Whole = (Baud / 1000 * 65536 + ClockHz / 2000) / (ClockHz / 1000);
  localparam logic [16:0] Step  = Whole[16:0];

  // Half a bit before the middle of the first one, two cycles of which pass until it is sampled.
  localparam logic [16:0] Begin = 17'h08000 + (Step << 1);

  logic [16:0] phase_q;
  logic [7:0]  bits_q;     // received bits, the last one highest
  logic [3:0]  left_q;     // bits to come; 0: idle
  logic        tick;

  assign tick = phase_q[16];

  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (!rst_ni) begin
      left_q  <= '0;
      phase_q <= '0;
    end else if (left_q == '0) begin
      phase_q <= Begin;
      if (!rx_i) left_q <= 4'd10;
    end else begin
      phase_q <= {1'b0, phase_q[15:0]} + Step;
      if (tick) begin
        bits_q <= {rx_i, bits_q[7:1]};
        left_q <= left_q - 4'd1;
        if (left_q == 4'd10 && rx_i) left_q <= '0;   // no start bit
        if (left_q == 4'd1) begin
          valid_o <= rx_i;
          data_o  <= bits_q;
        end
      end
    end
  end

endmodule

`default_nettype wire
