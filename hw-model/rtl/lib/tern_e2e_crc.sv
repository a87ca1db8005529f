// SPDX-License-Identifier: Apache-2.0
// Running CRC-32C over beats: the end-to-end check of a packet.
//
// `first_i` with `en_i` restarts with this beat. `crc_o` is the finished (inverted) CRC over the
// beats taken so far, valid from the cycle after the last. The caller zeroes bits that the CRC does
// not cover.

`default_nettype none

module tern_e2e_crc #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             first_i,
  input  logic [DataW-1:0] data_i,
  output logic [31:0]      crc_o
);

  logic [31:0] crc_q, seed, crc_d;

  assign seed  = first_i ? 32'hffffffff : crc_q;
  assign crc_o = ~crc_q;

  if (DataW == 64) begin : g_wide
`ifdef TERN_MODEL   // simulates faster: most cycles have no beat
    always_comb begin
      crc_d = '0;
      if (en_i) crc_d = tern_abi_pkg::crc32c_64(seed, data_i);
    end
`else
    assign crc_d = tern_abi_pkg::crc32c_64(seed, data_i);
`endif
  end else begin : g_narrow
    tern_crc32c_32 u_step (.x_i(seed ^ data_i), .y_o(crc_d));
    always_ff @(posedge clk_i) begin
      StepIsCrc: assert (crc_d == tern_abi_pkg::crc32c_32(seed, data_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) crc_q <= crc_d;
  end

endmodule

`default_nettype wire
