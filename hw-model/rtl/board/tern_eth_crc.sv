// SPDX-License-Identifier: Apache-2.0
// One step of Ethernet's CRC-32 over a byte, the lowest bit first.
`default_nettype none

module tern_eth_crc (
  input  logic [31:0] crc_i,
  input  logic [7:0]  byte_i,
  output logic [31:0] crc_o
);

  localparam logic [31:0] Polynomial = 32'hedb88320;

  function automatic logic [31:0] after(input logic [31:0] crc, input logic [7:0] data);
    after = crc ^ {24'd0, data};
    for (int i = 0; i < 8; i++)
      after = {1'b0, after[31:1]} ^ (Polynomial & {32{after[0]}});
  endfunction

  assign crc_o = after(crc_i, byte_i);

endmodule

`default_nettype wire
