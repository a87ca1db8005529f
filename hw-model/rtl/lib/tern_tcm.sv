// SPDX-License-Identifier: Apache-2.0
// Tightly coupled memory: 32-bit words, one read port, one write port with byte enables.
//
// `rdata_o` has the word in the cycle after `ren_i`, otherwise 0, so that several memories can be
// ORed. A read of a word in the cycle that writes it returns either value; readers to which this
// matters must wait a cycle. Block RAM in synthesis, 2 KiB each; `InitFile` is a $readmemh file.
`default_nettype none

module tern_tcm #(
  parameter int unsigned Words = 4096,
  parameter InitFile = ""
) (
  input  logic                     clk_i,
  input  logic                     ren_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [31:0]              rdata_o,
  input  logic                     we_i,
  input  logic [3:0]               be_i,
  input  logic [$clog2(Words)-1:0] waddr_i,
  input  logic [31:0]              wdata_i
);
  (* no_rw_check *)
  logic [31:0] mem [0:Words-1];
  logic [31:0] rdata;

  tern_late u_late (.value_i(rdata), .value_o(rdata_o));

  if (InitFile != "") begin : g_init
    initial $readmemh(InitFile, mem);
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++)
      if (we_i && be_i[i]) mem[waddr_i][8*i+:8] <= wdata_i[8*i+:8];
  end

  always_ff @(posedge clk_i) begin
    if (ren_i) rdata <= mem[raddr_i];
    else rdata <= '0;
  end

endmodule
