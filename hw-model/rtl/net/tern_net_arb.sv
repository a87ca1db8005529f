// SPDX-License-Identifier: Apache-2.0
// Gives one output of the router to one packet after the other.
//
// Sources are 0 and 1 (the ports, a network at a time), 2 (transmit unit, network 0 or 1), 3 (acks,
// network 2).  A higher network goes first; inside one the ports and the node take turns.
// `sel_o` is one-hot, the cycle after the request, until the packet's last beat has moved.
// With `Chain` the next packet is chosen while that beat moves, else the cycle after.
`default_nettype none
// With `Park` an output that nobody else wants stays with source 2 behind its packet, and
// `start_i` (a packet of it moves its first beat) begins the next one without a pause.

module tern_net_arb #(
  parameter bit Chain = 1'b1,
  parameter bit Park  = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] req_i,      // a packet waits and may start
  input  logic [1:0] vn0_i,      // its network
  input  logic [1:0] vn1_i,
  input  logic       vn2_i,
  input  logic       done_i,     // the last beat moves in this cycle
  input  logic       start_i,
  output logic       parked_o,   // the output is with source 2, which has not started
  output logic [3:0] sel_o
);

  logic [2:0] req2, req1, req0, group, pick, turn_q;
  logic [3:0] sel_q;
  logic       free, parked_q;

  assign req2 = {req_i[3], req_i[1] && vn1_i[1], req_i[0] && vn0_i[1]};
  assign req1 = {req_i[2] && vn2_i, req_i[1] && vn1_i[0], req_i[0] && vn0_i[0]};
  assign req0 = {req_i[2], req_i[1:0]};
  assign free = sel_q == '0 || (Chain && done_i) || (parked_q && !start_i);

  // turn_q is one-hot: the source to look at first.  A higher network hides the others.
  always_comb begin
    group = req2 != '0 ? req2 : req1 != '0 ? req1 : req0;
    case (turn_q)
      3'b001:  pick = group[0] ? 3'b001 : group[1] ? 3'b010 : group[2] ? 3'b100 : 3'b000;
      3'b010:  pick = group[1] ? 3'b010 : group[2] ? 3'b100 : group[0] ? 3'b001 : 3'b000;
      default: pick = group[2] ? 3'b100 : group[0] ? 3'b001 : group[1] ? 3'b010 : 3'b000;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sel_q    <= '0;
      turn_q   <= 3'b001;
      parked_q <= 1'b0;
    end else if (free) begin
      // Nobody wants it: it stays where it is, parked, if that is source 2.
      sel_q    <= pick == '0 ? sel_q & {1'b0, Park, 2'b00} :
                  {pick[2] && req2 != '0, pick[2] && req2 == '0, pick[1:0]};
      parked_q <= Park && pick == '0 && sel_q[2];
      if (pick != '0) turn_q <= {pick[1:0], pick[2]};
    end else if (done_i) begin
      sel_q    <= '0;
      parked_q <= 1'b0;
    end else begin
      parked_q <= 1'b0;
    end
  end

  assign sel_o    = sel_q;
  assign parked_o = parked_q;

endmodule

`default_nettype wire
