// SPDX-License-Identifier: Apache-2.0
// The bench of tori with 32-bit beats and four ports. (Verilator cannot set parameters of a
// hierarchically compiled top by command line.)
`default_nettype none

module torus_32_tb;

  torus_tb #(.N(9), .Ports(4), .DataW(32), .BufWords(256)) u_torus ();

endmodule

`default_nettype wire
