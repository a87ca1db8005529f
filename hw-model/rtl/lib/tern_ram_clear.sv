// SPDX-License-Identifier: Apache-2.0
// A block RAM as tern_ram's, whose output can be made 0: `clear_i` does what a read does, and goes
// before one.  A value that is ORed with others costs no gate that way.
//
// No word is read in the cycle in which it is written.

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
