// SPDX-License-Identifier: Apache-2.0
// One direction of an Ethernet cable with a PHY at each end, from RGMII pins to RGMII pins. Of a
// thousand frames some are lost, and some have a bit flipped. Judges each frame of the sender.
//
// Both PHYs delay their clocks, so data comes with the edge that it changes with, half a nanosecond
// of the bench before it.
`default_nettype none

module phy_cable #(
  parameter int unsigned MostBytes = 1518
) (
  input  int          latency_i,   // bytes of the line, 2 to 4000
  input  int          lose_i,
  input  int          flip_i,
  input  logic        cut_i,
  input  logic        txc_i,
  input  logic        tx_ctl_i,
  input  logic [3:0]  txd_i,
  output logic        rxc_o,
  output logic        rx_ctl_o,
  output logic [3:0]  rxd_o,
  output int          frames_o,
  output int          wrong_o,     // frames against the rules of Ethernet, or of another type
  output int          faults_o
);

  logic [8:0]  line [0:4095];
  logic [11:0] at;
  logic [7:0]  frame [0:2047];
  logic [8:0]  now, out;
  logic [3:0]  low;
  logic        ctl, in_frame, lost;
  int          bytes, gap, flip_at;

  initial begin
    for (int i = 0; i < 4096; i++) line[i] = '0;
    rxc_o = 1'b0;
    rx_ctl_o = 1'b0;
    rxd_o = '0;
    at = '0;
    out = '0;
    in_frame = 1'b0;
    gap = 100;
    frames_o = 0;
    wrong_o = 0;
    faults_o = 0;
  end

  function automatic logic [31:0] fcs(input int count);
    automatic logic [31:0] crc = '1, result;
    for (int i = 8; i < count; i++)
      for (int b = 0; b < 8; b++)
        crc = {crc[30:0], 1'b0} ^ ((crc[31] != frame[i][b]) ? 32'h04c11db7 : 32'h0);
    for (int b = 0; b < 32; b++) result[b] = !crc[31-b];
    fcs = result;
  endfunction

  task automatic begin_frame;
    int fate;
    fate = $urandom_range(999);
    lost = fate < lose_i;
    flip_at = -1;
    if (!lost && fate < lose_i + flip_i)
      flip_at = $urandom_range(1) == 0 ? $urandom_range(80, 8) : $urandom_range(int'(MostBytes), 8);
    if (lost) faults_o++;
    if (gap < 12) wrong_o++;
    bytes = 0;
  endtask

  task automatic end_frame;
    logic good;
    frames_o++;
    good = bytes >= 72 && bytes <= 8 + int'(MostBytes) && frame[7] == 8'hd5;
    for (int i = 0; i < 7; i++) good = good && frame[i] == 8'h55;
    good = good && {frame[20], frame[21]} == tern_abi_pkg::LINK_ETHER_TYPE[15:0];
    good = good && {frame[bytes-1], frame[bytes-2], frame[bytes-3], frame[bytes-4]}
                   == fcs(bytes - 4);
    if (!good) wrong_o++;
  endtask

  always @(posedge txc_i) begin
    #1;
    {ctl, low} = {tx_ctl_i, txd_i};
    {rx_ctl_o, rxd_o} = {out[8], out[3:0]};
    #1 rxc_o = 1'b1;
  end

  always @(negedge txc_i) begin
    #1;
    {rx_ctl_o, rxd_o} = {out[8], out[7:4]};
    now = {ctl, txd_i, low};
    if (ctl && !in_frame) begin_frame();
    if (!ctl && in_frame) end_frame();
    gap = ctl ? 0 : gap + 1;
    in_frame = ctl;
    if (ctl) begin
      frame[bytes] = now[7:0];
      if (bytes == flip_at) begin
        now[$urandom_range(7)] ^= 1'b1;
        faults_o++;
      end
      if (bytes < 2047) bytes++;
    end
    if (lost || cut_i) now = '0;
    line[at] = now;
    at = at + 12'd1;
    out = line[at - 12'(latency_i)];
    #1 rxc_o = 1'b0;
  end

endmodule

`default_nettype wire
