// SPDX-License-Identifier: Apache-2.0
// Deep FIFO in block RAM, first word falls through.
//
// One word in and one out per cycle; a word pushed into an empty FIFO shows two cycles later.
// `valid_o` and `data_o` hold until taken. A push without `ready_o` is not taken.

`default_nettype none

module tern_fifo_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 256
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  localparam int unsigned PtrW = $clog2(Depth);

  logic [PtrW:0] head_q, tail_q;   // head_q: the next word to load from the RAM
  logic          valid_q, load, push;

  // The word on the output has left the RAM's account: Depth words wait behind it.
  assign ready_o = (tail_q - head_q) != (PtrW+1)'(Depth);
  assign push    = valid_i && ready_o;
  assign load    = head_q != tail_q && (!valid_q || ready_i);
  assign valid_o = valid_q;

  tern_ram #(.Width(Width), .Words(Depth), .Apart(1'b1)) u_ram (
    .clk_i,
    .ren_i(load), .raddr_i(head_q[PtrW-1:0]), .rdata_o(data_o),
    .we_i(push), .waddr_i(tail_q[PtrW-1:0]), .wdata_i(data_i)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (push) tail_q <= tail_q + 1'b1;
      if (load) head_q <= head_q + 1'b1;
      valid_q <= load || (valid_q && !ready_i);
    end
  end

endmodule

`default_nettype wire
