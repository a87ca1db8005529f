// SPDX-License-Identifier: Apache-2.0
// Input buffer of one virtual network: a FIFO in block RAM whose newest beats can be taken back.
//
// Beats written are invisible until `commit_i` (which includes a beat written in that cycle);
// `rewind_i` drops what is not committed, and a beat written in that cycle starts afresh.
// One beat in and one out per cycle; two cycles from commit to `valid_o`.  `data_o` holds until
// taken.  `full_o` leaves one place for the beat that closes a packet.
`default_nettype none

module tern_net_fifo #(
  parameter int unsigned Width = 66,
  parameter int unsigned Depth = 512
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   we_i,
  input  logic [Width-1:0]       wdata_i,
  input  logic                   commit_i,
  input  logic                   rewind_i,
  output logic                   full_o,
  output logic                   valid_o,
  input  logic                   ready_i,
  output logic [Width-1:0]       data_o,
  output logic                   pop_o,     // a beat leaves the memory
  output logic [$clog2(Depth):0] used_o     // beats in the memory
);

  localparam int unsigned PtrW = $clog2(Depth);

  logic [PtrW:0] head_q, tail_q, seen_q, base, tail_d;
  logic          valid_q;

  assign base    = rewind_i ? seen_q : tail_q;
  assign tail_d  = base + (PtrW+1)'(we_i);
  assign used_o  = tail_q - head_q;
  assign full_o  = used_o[PtrW] || &used_o[PtrW-1:0];
  assign pop_o   = (!valid_q || ready_i) && head_q != seen_q;
  assign valid_o = valid_q;

  // No beat is read in the cycle that writes it, so the memory needs no rule for that.
  (* no_rw_check *)
  logic [Width-1:0] mem [0:Depth-1];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[base[PtrW-1:0]] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (pop_o) data_o <= mem[head_q[PtrW-1:0]];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      seen_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      tail_q  <= tail_d;
      if (commit_i) seen_q <= tail_d;
      if (pop_o) head_q <= head_q + 1'b1;
      valid_q <= pop_o || (valid_q && !ready_i);
    end
  end

  // The closing beat of a packet always finds its place.
  always_ff @(posedge clk_i) begin
    if (rst_ni && we_i) RoomForBeat: assert (used_o < (PtrW+1)'(Depth));
  end

endmodule

`default_nettype wire
