// SPDX-License-Identifier: Apache-2.0
// One step of the header CRC-16 over two bytes, with shared terms. From the value c and the data d,
// as `x_i` = c ^ {d[7:0], d[15:8]}, it computes the next value `y_o`.
//
// The same as tern_abi_pkg::crc16_16; users assert that both agree.

`default_nettype none

module tern_crc16_16 (
  input  logic [15:0] x_i,
  output logic [15:0] y_o
);

  logic t0, t1, t2, t3, t4, t5;

  assign t0 = x_i[7] ^ x_i[11] ^ x_i[14] ^ x_i[15];
  assign t1 = x_i[5] ^ x_i[9] ^ x_i[12] ^ x_i[13];
  assign t2 = x_i[0] ^ x_i[4] ^ x_i[8];
  assign t3 = x_i[6] ^ x_i[10] ^ x_i[14];
  assign t4 = x_i[4] ^ x_i[8] ^ x_i[12] ^ x_i[15];
  assign t5 = x_i[2] ^ x_i[6] ^ x_i[10];
  assign y_o[0] = x_i[11] ^ x_i[12] ^ t2;
  assign y_o[1] = x_i[1] ^ t1;
  assign y_o[2] = x_i[2] ^ x_i[13] ^ t3;
  assign y_o[3] = x_i[3] ^ t0;
  assign y_o[4] = t4;
  assign y_o[5] = x_i[11] ^ t1 ^ t2;
  assign y_o[6] = x_i[1] ^ t1 ^ t3;
  assign y_o[7] = x_i[13] ^ t0 ^ t5;
  assign y_o[8] = x_i[3] ^ x_i[8] ^ x_i[12] ^ t0;
  assign y_o[9] = x_i[9] ^ x_i[13] ^ t4;
  assign y_o[10] = x_i[5] ^ x_i[9] ^ x_i[10] ^ x_i[13] ^ x_i[14];
  assign y_o[11] = x_i[11] ^ x_i[15] ^ t3;
  assign y_o[12] = x_i[7] ^ x_i[15] ^ t2;
  assign y_o[13] = x_i[1] ^ x_i[5] ^ x_i[8] ^ x_i[9];
  assign y_o[14] = x_i[9] ^ t5;
  assign y_o[15] = x_i[3] ^ x_i[7] ^ x_i[10] ^ x_i[11];

endmodule

`default_nettype wire
