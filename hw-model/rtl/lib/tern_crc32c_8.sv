// SPDX-License-Identifier: Apache-2.0
// One step of CRC-32C over a byte. From the value `c_i` and the byte d, as `x_i` = c_i[7:0] ^ d, it
// computes the next value `y_o`.
//
// Four of them form tern_abi_pkg::crc32c_32, the lowest byte first; users assert this.

`default_nettype none

module tern_crc32c_8 (
  input  logic [31:8] c_i,
  input  logic [7:0]  x_i,
  output logic [31:0] y_o
);

`ifdef TERN_MODEL  // for speed; benches compare the terms below with it
  assign y_o = tern_abi_pkg::Crc32cOfByte[{3'd7, x_i}] ^ {8'd0, c_i};
`else
  localparam logic [31:0] Poly = 32'h82f63b78;   // reflected

  function automatic logic [31:0] bits(input logic [7:0] x);
    bits = {24'd0, x};
    for (int i = 0; i < 8; i++) bits = {1'b0, bits[31:1]} ^ (bits[0] ? Poly : 32'd0);
  endfunction

  assign y_o = bits(x_i) ^ {8'd0, c_i};
`endif

endmodule

`default_nettype wire
