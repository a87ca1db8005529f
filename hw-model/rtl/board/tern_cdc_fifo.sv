// SPDX-License-Identifier: Apache-2.0
// FIFO between two clocks. The pointers cross in Gray code, one bit changing a step, so a pointer
// that is sampled while it changes is the old one or the new one.
//
// Both resets must be active together for as long as three cycles of the slower clock. Depth is a
// power of two, four or more.
`default_nettype none

module tern_cdc_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 16
) (
  input  logic             wclk_i,
  input  logic             wrst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  output logic             empty_o,   // all words have left; late, never early
  input  logic [Width-1:0] data_i,

  input  logic             rclk_i,
  input  logic             rrst_ni,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  localparam int unsigned PtrW = $clog2(Depth) + 1;

  logic [Width-1:0] mem [0:Depth-1];
  logic [PtrW-2:0]  head_q;                        // the place of the word that is next to leave
  logic [PtrW-1:0]  head_gray_q, tail_q, tail_gray_q, head_seen, tail_seen;
  logic [PtrW-1:0]  next_q, tail_d, full_gray;      // next_q: head after a pop
  logic             push, pop;

  tern_cdc_sync #(.Width(PtrW)) u_head (.clk_i(wclk_i), .d_i(head_gray_q), .q_o(head_seen));
  tern_cdc_sync #(.Width(PtrW)) u_tail (.clk_i(rclk_i), .d_i(tail_gray_q), .q_o(tail_seen));

  // Full: the pointers differ by Depth, which in Gray code inverts the two highest bits.
  assign full_gray = {~head_seen[PtrW-1:PtrW-2], head_seen[PtrW-3:0]};
  assign ready_o   = tail_gray_q != full_gray;
  assign empty_o   = tail_gray_q == head_seen;
  assign valid_o   = head_gray_q != tail_seen;
  assign data_o    = mem[head_q];
  assign push      = valid_i && ready_o;
  assign pop       = valid_o && ready_i;
  assign tail_d    = tail_q + PtrW'(push);

  always_ff @(posedge wclk_i) begin
    if (push) mem[tail_q[PtrW-2:0]] <= data_i;
    if (!wrst_ni) begin
      tail_q      <= '0;
      tail_gray_q <= '0;
    end else begin
      tail_q      <= tail_d;
      tail_gray_q <= tail_d ^ {1'b0, tail_d[PtrW-1:1]};
    end
  end

  always_ff @(posedge rclk_i) begin
    if (!rrst_ni) begin
      head_q      <= '0;
      head_gray_q <= '0;
      next_q      <= PtrW'(1);
    end else if (pop) begin
      head_q      <= next_q[PtrW-2:0];
      head_gray_q <= next_q ^ {1'b0, next_q[PtrW-1:1]};
      next_q      <= next_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
