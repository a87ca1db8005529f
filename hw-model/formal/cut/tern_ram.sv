// SPDX-License-Identifier: Apache-2.0
// For proofs: a memory whose words are constant inputs; writes are ignored.
`default_nettype none

module tern_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Words = 16,
  parameter bit          Apart = 1'b0,
  parameter bit          Block = 1'b0
) (
  input  logic                     clk_i,
  input  logic                     ren_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o,
  input  logic                     we_i,
  input  logic [$clog2(Words)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i,
  input  logic [Width*Words-1:0]   table_i
);
  always_ff @(posedge clk_i) if (ren_i) rdata_o <= table_i[Width*raddr_i +: Width];
endmodule

`default_nettype wire
