// SPDX-License-Identifier: Apache-2.0
// Pins of an RGMII PHY at 1 Gb/s on an ECP5.
//
// The PHY delays its transmit clock itself (its reset value), so `txc_o` changes with the data.
// Data from the PHY changes with `rxc_i`; delay cells move it by `RxDelay` steps of 25 ps against
// the clock.
`default_nettype none

module tern_rgmii #(
  parameter int unsigned RxDelay = 80
) (
  input  logic       rxc_i,
  input  logic       rx_ctl_i,
  input  logic [3:0] rxd_i,
  output logic       txc_o,
  output logic       tx_ctl_o,
  output logic [3:0] txd_o,
  // bytes from the PHY, in its clock rxc_i
  output logic       valid_o,
  output logic       error_o,
  output logic [7:0] byte_o,
  // bytes to the PHY
  input  logic       clk_i,        // 125 MHz
  input  logic       valid_i,
  input  logic [7:0] byte_i
);

  logic [4:0] pins, late, rise, fall;
  assign pins = {rx_ctl_i, rxd_i};

  for (genvar i = 0; i < 5; i++) begin : g_rx
    DELAYG #(.DEL_MODE("SCLK_ALIGNED"), .DEL_VALUE(RxDelay)) u_delay (.A(pins[i]), .Z(late[i]));
    IDDRX1F u_in (.D(late[i]), .SCLK(rxc_i), .RST(1'b0), .Q0(rise[i]), .Q1(fall[i]));
  end

  always_ff @(posedge rxc_i) begin
    valid_o <= rise[4];
    error_o <= rise[4] != fall[4];
    byte_o  <= {fall[3:0], rise[3:0]};
  end

  logic [4:0] first, second, out;
  assign first  = {valid_i, byte_i[3:0]};
  assign second = {valid_i, byte_i[7:4]};

  for (genvar i = 0; i < 5; i++) begin : g_tx
    ODDRX1F u_out (.D0(first[i]), .D1(second[i]), .SCLK(clk_i), .RST(1'b0), .Q(out[i]));
  end
  assign {tx_ctl_o, txd_o} = out;

  ODDRX1F u_clock (.D0(1'b1), .D1(1'b0), .SCLK(clk_i), .RST(1'b0), .Q(txc_o));

endmodule

`default_nettype wire
