// SPDX-License-Identifier: Apache-2.0
// Block RAM like tern_ram, whose output can be cleared: `clear_i` sets it to 0 and overrides a
// read. This saves a gate if the value is ORed with others.
//
// A word must not be read in the cycle in which it is written.

`default_nettype none

module tern_ram_clear #(
  parameter int unsigned Width = 32,
  parameter int unsigned Words = 512
) (
  input  logic                     clk_i,
  input  logic                     clear_i,
  input  logic                     ren_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o,
  input  logic                     we_i,
  input  logic [$clog2(Words)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i
);

  (* no_rw_check, ram_style = "block" *)
  logic [Width-1:0] mem [0:Words-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i)    rdata_o <= '0;
    else if (ren_i) rdata_o <= mem[raddr_i];
  end

  always_ff @(posedge clk_i) begin
    KeptApart: assert (!(ren_i && we_i && raddr_i == waddr_i));
  end

endmodule

`default_nettype wire
