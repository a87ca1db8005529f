// SPDX-License-Identifier: Apache-2.0
// Shallow memory in LUT RAM: one write port, one read port with an answer in the same cycle.
//
// A read of the word written in the same cycle returns the old word.

`default_nettype none

module tern_lutram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Words = 16
) (
  input  logic                     clk_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o,
  input  logic                     we_i,
  input  logic [$clog2(Words)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem [0:Words-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  assign rdata_o = mem[raddr_i];

endmodule

`default_nettype wire
