// SPDX-License-Identifier: Apache-2.0
// Transmitter of a serial line, 8N1.
`default_nettype none

module tern_uart_tx #(
  parameter int unsigned ClockHz = 50_000_000,
  parameter int unsigned Baud    = 3_000_000
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o
);

  // Both are multiples of 1000.
  localparam int unsigned Whole = (Baud / 1000 * 65536 + ClockHz / 2000) / (ClockHz / 1000);
  localparam logic [16:0] Step  = Whole[16:0];

  logic [16:0] phase_q;
  logic [8:0]  bits_q;
  logic [3:0]  left_q;     // bits to send; 0: idle
  logic        tick;

  assign tick    = phase_q[16];
  assign ready_o = left_q == '0;

  always_ff @(posedge clk_i) begin
    phase_q <= {1'b0, phase_q[15:0]} + Step;   // free-running: the bits are a period apart
    if (!rst_ni) begin
      left_q  <= '0;
      phase_q <= '0;
      tx_o    <= 1'b1;
    end else if (left_q == '0) begin
      if (valid_i) begin
        left_q <= 4'd10;
        bits_q <= {data_i, 1'b0};
      end
    end else if (tick) begin
      tx_o   <= bits_q[0];
      bits_q <= {1'b1, bits_q[8:1]};
      left_q <= left_q - 4'd1;
    end
  end

endmodule

`default_nettype wire
