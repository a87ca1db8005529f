// SPDX-License-Identifier: Apache-2.0
// One step of CRC-32C over 32 bits, with shared terms. From the value c and the data d, as `x_i` =
// c ^ d, it computes the next value `y_o`.
//
// The same as tern_abi_pkg::crc32c_32, which takes two and a half times the cells: a synthesis tool
// finds few of the common terms. Users assert that both agree.

`default_nettype none

module tern_crc32c_32 (
  input  logic [31:0] x_i,
  output logic [31:0] y_o
);

`ifdef TERN_MODEL  // for speed; benches compare the terms below with it
  assign y_o = tern_abi_pkg::crc32c_32(x_i, 32'd0);
`else
  logic t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19,
        t20, t21, t22, t23, t24, t25, t26, t27, t28, t29, t30, t31, t32, t33, t34;

  assign t0 = x_i[21] ^ x_i[22] ^ x_i[23] ^ x_i[24];
  assign t1 = x_i[1] ^ x_i[6] ^ x_i[9] ^ x_i[15];
  assign t2 = x_i[0] ^ x_i[8] ^ x_i[19] ^ x_i[26];
  assign t3 = x_i[2] ^ x_i[4] ^ x_i[25] ^ x_i[30];
  assign t4 = x_i[5] ^ x_i[14] ^ x_i[17] ^ x_i[20];
  assign t5 = x_i[3] ^ x_i[6] ^ x_i[25] ^ x_i[27];
  assign t6 = x_i[7] ^ x_i[16] ^ x_i[29];
  assign t7 = x_i[2] ^ x_i[11] ^ x_i[18] ^ x_i[23];
  assign t8 = x_i[12] ^ x_i[23] ^ x_i[27] ^ x_i[31];
  assign t9 = x_i[8] ^ x_i[11] ^ x_i[13] ^ x_i[17];
  assign t10 = x_i[1] ^ x_i[3] ^ x_i[12] ^ x_i[20];
  assign t11 = x_i[10] ^ x_i[28] ^ x_i[29] ^ x_i[30];
  assign t12 = x_i[0] ^ x_i[4] ^ x_i[10] ^ x_i[31];
  assign t13 = x_i[2] ^ x_i[18] ^ x_i[26] ^ x_i[31];
  assign t14 = x_i[10] ^ x_i[13] ^ x_i[14] ^ t2;
  assign t15 = x_i[7] ^ x_i[19] ^ x_i[28];
  assign t16 = x_i[5] ^ x_i[6] ^ x_i[15] ^ x_i[26];
  assign t17 = x_i[5] ^ x_i[12] ^ x_i[14] ^ t3;
  assign t18 = x_i[14] ^ x_i[23] ^ x_i[24] ^ x_i[28];
  assign t19 = x_i[10] ^ x_i[16] ^ t0 ^ t13;
  assign t20 = x_i[13] ^ x_i[22] ^ t1 ^ t4;
  assign t21 = x_i[10] ^ x_i[21] ^ x_i[26] ^ t6;
  assign t22 = x_i[0] ^ x_i[29] ^ x_i[30] ^ t4;
  assign t23 = x_i[25] ^ x_i[26] ^ x_i[27] ^ t11;
  assign t24 = x_i[15] ^ x_i[22] ^ x_i[23] ^ t5;
  assign t25 = x_i[8] ^ x_i[15] ^ x_i[28] ^ t5;
  assign t26 = x_i[13] ^ x_i[15] ^ x_i[21] ^ t10;
  assign t27 = x_i[2] ^ x_i[5] ^ x_i[11] ^ x_i[16];
  assign t28 = x_i[4] ^ x_i[20] ^ x_i[27] ^ t1;
  assign t29 = x_i[9] ^ x_i[18];
  assign t30 = x_i[9] ^ x_i[20] ^ t9;
  assign t31 = x_i[16] ^ x_i[17] ^ x_i[31];
  assign t32 = x_i[3] ^ x_i[28] ^ x_i[29];
  assign t33 = x_i[4] ^ x_i[28] ^ t6;
  assign t34 = x_i[10] ^ x_i[21] ^ x_i[22];
  assign y_o[0] = x_i[7] ^ x_i[25] ^ x_i[26] ^ t18 ^ t27 ^ t28;
  assign y_o[1] = x_i[2] ^ x_i[5] ^ x_i[12] ^ x_i[17] ^ x_i[24] ^ t21 ^ t25;
  assign y_o[2] = x_i[22] ^ x_i[26] ^ x_i[30] ^ t5 ^ t9 ^ t29 ^ t33;
  assign y_o[3] = x_i[4] ^ x_i[5] ^ x_i[7] ^ x_i[14] ^ x_i[17] ^ t2 ^ t8 ^ t11 ^ t29;
  assign y_o[4] = x_i[18] ^ x_i[23] ^ x_i[31] ^ t3 ^ t6 ^ t14;
  assign y_o[5] = x_i[0] ^ x_i[3] ^ x_i[6] ^ x_i[8] ^ x_i[23] ^ t3 ^ t15 ^ t31;
  assign y_o[6] = x_i[14] ^ x_i[29] ^ t7 ^ t25 ^ t31;
  assign y_o[7] = x_i[1] ^ x_i[12] ^ x_i[19] ^ t5 ^ t7 ^ t22;
  assign y_o[8] = x_i[4] ^ x_i[6] ^ x_i[24] ^ x_i[30] ^ t13 ^ t15 ^ t26;
  assign y_o[9] = x_i[11] ^ x_i[13] ^ x_i[31] ^ t0 ^ t1 ^ t2 ^ t32;
  assign y_o[10] = x_i[11] ^ x_i[12] ^ x_i[22] ^ t11 ^ t16;
  assign y_o[11] = x_i[0] ^ x_i[6] ^ x_i[11] ^ x_i[13] ^ x_i[30] ^ t6 ^ t8;
  assign y_o[12] = x_i[16] ^ t3 ^ t8 ^ t16 ^ t30;
  assign y_o[13] = x_i[17] ^ x_i[25] ^ t7 ^ t12 ^ t26;
  assign y_o[14] = x_i[12] ^ x_i[13] ^ x_i[20] ^ x_i[21] ^ t15 ^ t24 ^ t29;
  assign y_o[15] = x_i[20] ^ t0 ^ t14 ^ t33;
  assign y_o[16] = x_i[1] ^ x_i[8] ^ x_i[9] ^ x_i[11] ^ x_i[15] ^ x_i[25] ^ x_i[27] ^ t0 ^ t22;
  assign y_o[17] = x_i[12] ^ x_i[25] ^ x_i[28] ^ x_i[30] ^ t1 ^ t19;
  assign y_o[18] = x_i[19] ^ t12 ^ t20 ^ t32;
  assign y_o[19] = x_i[21] ^ x_i[24] ^ t23 ^ t29;
  assign y_o[20] = x_i[11] ^ x_i[19] ^ x_i[22] ^ x_i[31] ^ t23;
  assign y_o[21] = x_i[24] ^ x_i[31] ^ t1 ^ t6 ^ t17;
  assign y_o[22] = x_i[1] ^ x_i[3] ^ x_i[27] ^ x_i[30] ^ t12 ^ t18 ^ t30;
  assign y_o[23] = x_i[6] ^ x_i[18] ^ x_i[20] ^ t8 ^ t21;
  assign y_o[24] = x_i[16] ^ x_i[21] ^ x_i[23] ^ t2 ^ t3 ^ t20;
  assign y_o[25] = x_i[3] ^ x_i[7] ^ x_i[27] ^ t1 ^ t4 ^ t19;
  assign y_o[26] = x_i[1] ^ x_i[3] ^ t2 ^ t4 ^ t29 ^ t34;
  assign y_o[27] = x_i[0] ^ x_i[19] ^ t7 ^ t28 ^ t34;
  assign y_o[28] = x_i[0] ^ x_i[10] ^ t0 ^ t10 ^ t15 ^ t27;
  assign y_o[29] = x_i[2] ^ x_i[4] ^ x_i[6] ^ x_i[25] ^ x_i[29] ^ t0 ^ t9 ^ t10;
  assign y_o[30] = x_i[0] ^ x_i[3] ^ x_i[7] ^ x_i[13] ^ x_i[26] ^ t0 ^ t17 ^ t29;
  assign y_o[31] = x_i[1] ^ x_i[4] ^ x_i[5] ^ x_i[24] ^ x_i[31] ^ t14 ^ t24;

`endif

endmodule

`default_nettype wire
