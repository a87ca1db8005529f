// SPDX-License-Identifier: Apache-2.0
// Small first-word-fall-through FIFO in registers or LUT RAM.
//
// One beat in and one out per cycle; one cycle of latency. `valid_o` and `data_o` hold until taken.
// `space_o` counts free entries. Depth is a power of two. The writer must not push when full.

`default_nettype none

module tern_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 8
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     valid_i,
  output logic                     ready_o,
  input  logic [Width-1:0]         data_i,
  output logic                     valid_o,
  input  logic                     ready_i,
  output logic [Width-1:0]         data_o,
  output logic [$clog2(Depth):0]   space_o
);

  localparam int unsigned PtrW = $clog2(Depth);

  logic [Width-1:0] mem [0:Depth-1];
  logic [PtrW-1:0]  head_q, tail_q;
  logic [PtrW:0]    space_q;
  logic             push, pop;

  // The highest bit of `space_q` is set only when all entries are free.
  assign ready_o = space_q != '0;
  assign valid_o = !space_q[PtrW];
  assign space_o = space_q;
  assign data_o  = mem[head_q];
  assign push    = valid_i && ready_o;
  assign pop     = valid_o && ready_i;

  // The pointers step through the states of a shift register, including zero: one or two LUTs,
  // where a counter takes one per bit.
  localparam logic [11:0] Taps = PtrW == 1 ? 12'h001 : PtrW == 5 ? 12'h014 : PtrW == 8 ? 12'h0b8
                                 : PtrW == 9 ? 12'h110 : PtrW == 10 ? 12'h240 : PtrW == 11 ? 12'h500
                                 : PtrW == 12 ? 12'he08 : 12'(3 << PtrW) >> 2;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] place);
    after    = place << 1;
    after[0] = (^(place & Taps[PtrW-1:0])) ^ (after == '0);
  endfunction

  always_ff @(posedge clk_i) begin
    if (push) mem[tail_q] <= data_i;
  end

  // Entries are counted separately, as the pointers do not count up.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      space_q <= (PtrW+1)'(Depth);
    end else begin
      if (push) tail_q <= after(tail_q);
      if (pop)  head_q <= after(head_q);
      if (push != pop) space_q <= space_q + {{PtrW{push}}, 1'b1};
    end
  end

  // Never more entries than places; the pointers are equal exactly when the FIFO is empty or full.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      FifoBounded: assert (space_q <= (PtrW+1)'(Depth));
      FifoCounted: assert ((head_q == tail_q) == (space_q[PtrW-1:0] == '0));
    end
  end

endmodule

`default_nettype wire
