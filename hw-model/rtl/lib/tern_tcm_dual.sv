// SPDX-License-Identifier: Apache-2.0
// Tightly coupled memory with two ports: one reads, the other reads or writes whole words.
//
// `rdata_o` has the word from the cycle after `ren_i` until the next read. `data_o` has it only in
// the cycle after `en_i`, otherwise 0 (except after a write), so that several memories can be ORed.
// A read of a word in the cycle that writes it returns either value; readers to which this matters
// must wait a cycle. Uses both ports of a block RAM in synthesis.
`default_nettype none

module tern_tcm_dual #(
  parameter int unsigned Words = 4096
) (
  input  logic                     clk_i,
  // reads
  input  logic                     ren_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [31:0]              rdata_o,
  // reads, or writes
  input  logic                     en_i,
  input  logic                     we_i,
  input  logic [$clog2(Words)-1:0] addr_i,
  input  logic [31:0]              wdata_i,
  output logic [31:0]              data_o
);
  (* no_rw_check *)
  logic [31:0] mem [0:Words-1];
  logic [31:0] rdata, data;

  tern_late u_rdata (.value_i(rdata), .value_o(rdata_o));
  tern_late u_data (.value_i(data), .value_o(data_o));

  always_ff @(posedge clk_i) begin
    if (ren_i) rdata <= mem[raddr_i];
  end

  always_ff @(posedge clk_i) begin
    if (we_i) mem[addr_i] <= wdata_i;
    else if (en_i) data <= mem[addr_i];
    else data <= '0;
  end

endmodule

`default_nettype wire
