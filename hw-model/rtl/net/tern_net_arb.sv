// SPDX-License-Identifier: Apache-2.0
// Gives one output of the router to one packet after the other.
//
// Sources are the links (a packet of one network at a time), and as the last one the node.  They take
// turns: behind the one that had the output comes the next that asks, so each waits for at most
// one packet of every other source.
// `sel_o` is one-hot, the cycle after the request, until the packet's last beat has moved; the next
// packet is chosen while that beat moves.
// With `Park` an output that nobody else wants stays with the node behind its packet, and
// `start_i` (a packet of the node moves its first beat) begins the next one without a pause.
`default_nettype none

module tern_net_arb #(
  parameter int unsigned N    = 3,
  parameter bit          Park = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [N-1:0] req_i,      // a packet waits and may start
  input  logic         done_i,     // the last beat moves in this cycle
  input  logic         start_i,
  output logic         none_o,     // it is nobody's
  output logic         parked_o,   // the output is with the node, which has not started
  output logic [N-1:0] sel_o
);

  logic [N-1:0] sel_q, group, pick;
  logic [N-1:1] turn_q, turn_d;    // the sources to look at first: those behind the last
  logic         parked_q, any, free;     // free: requests are looked at in this cycle

  assign none_o = sel_q == '0;
  assign free   = none_o || done_i || (parked_q && !start_i);
  assign group  = (req_i[N-1:1] & turn_q) != '0 ? {req_i[N-1:1] & turn_q, 1'b0} : req_i;
  assign any    = req_i != '0;

  always_comb begin
    for (int i = 0; i < N; i++) begin
      pick[i] = group[i];
      for (int k = 0; k < i; k++) if (group[k]) pick[i] = 1'b0;
    end
    for (int i = 1; i < N; i++) begin
      turn_d[i] = 1'b0;
      for (int k = 0; k < i; k++) if (pick[k]) turn_d[i] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sel_q    <= '0;
      turn_q   <= '0;
      parked_q <= 1'b0;
    end else if (free) begin
      // Nobody wants it: it stays where it is, parked, if that is the node.
      sel_q    <= any ? pick : sel_q & {Park, {N-1{1'b0}}};
      parked_q <= Park && !any && sel_q[N-1];
      if (any) turn_q <= turn_d;
    end else begin
      parked_q <= 1'b0;
    end
  end

  assign sel_o    = sel_q;
  assign parked_o = parked_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni) OneSource: assert ((sel_q & (sel_q - 1'b1)) == '0);
  end

endmodule

`default_nettype wire
