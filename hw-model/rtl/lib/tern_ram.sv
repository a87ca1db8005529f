// SPDX-License-Identifier: Apache-2.0
// One read port, one write port, synchronous read: data one cycle after `ren_i`, held until the
// next read.
//
// A read of the word written in the same cycle returns the old word. A user that never reads and
// writes one word in a cycle sets `Apart`, which saves the logic for this in block RAM: 40 cells
// and 75 flip-flops. Synthesis maps small memories to LUT RAM, 6 cells for 16 words of 4 bits.
// `Block` forces block RAM (with `Apart`).

`default_nettype none

module tern_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Words = 512,
  parameter bit          Apart = 1'b0,
  parameter bit          Block = 1'b0
) (
  input  logic                     clk_i,
  input  logic                     ren_i,
  input  logic [$clog2(Words)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o,
  input  logic                     we_i,
  input  logic [$clog2(Words)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i
);

  if (Block) begin : g_block
    (* no_rw_check, ram_style = "block" *)
    logic [Width-1:0] mem [0:Words-1];

    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
    end
    always_ff @(posedge clk_i) begin
      if (ren_i) rdata_o <= mem[raddr_i];
    end
  end else if (Apart) begin : g_apart
    (* no_rw_check *)
    logic [Width-1:0] mem [0:Words-1];

    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
    end
    always_ff @(posedge clk_i) begin
      if (ren_i) rdata_o <= mem[raddr_i];
    end
  end else begin : g_old
    logic [Width-1:0] mem [0:Words-1];

    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr_i] <= wdata_i;
    end
    always_ff @(posedge clk_i) begin
      if (ren_i) rdata_o <= mem[raddr_i];
    end
  end

  if (Apart || Block) begin : g_kept
    always_ff @(posedge clk_i) begin
      KeptApart: assert (!(ren_i && we_i && raddr_i == waddr_i));
    end
  end

endmodule

`default_nettype wire
