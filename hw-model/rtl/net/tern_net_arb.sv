// SPDX-License-Identifier: Apache-2.0
// Gives one output of the router to one packet after the other.
//
// Sources are streams 0-2 (port 0, one a network), 3-5 (port 1), 6 (transmit unit, network 0 or
// 1), 7 (acks).  A higher network goes first; inside one the ports and the node take turns.
// `sel_o` is one-hot, the cycle after the request, until the packet's last beat has moved.
// With `Chain` the next packet is chosen while that beat moves, else the cycle after.
`default_nettype none

module tern_net_arb #(
  parameter bit Chain = 1'b1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] req_i,      // a first beat waits and may start
  input  logic       tx_vn_i,    // network of stream 6
  input  logic       done_i,     // the last beat moves in this cycle
  output logic [7:0] sel_o
);

  logic [2:0] req2, req1, req0, group, pick, turn_q;
  logic [7:0] sel_q, sel_d;
  logic       free;

  assign req2 = {req_i[7], req_i[5], req_i[2]};
  assign req1 = {req_i[6] && tx_vn_i, req_i[4], req_i[1]};
  assign req0 = {req_i[6] && !tx_vn_i, req_i[3], req_i[0]};
  assign free = sel_q == '0 || (Chain && done_i);

  // turn_q is one-hot: the source to look at first.
  always_comb begin
    group = req2 != '0 ? req2 : req1 != '0 ? req1 : req0;
    case (turn_q)
      3'b001:  pick = group[0] ? 3'b001 : group[1] ? 3'b010 : group[2] ? 3'b100 : 3'b000;
      3'b010:  pick = group[1] ? 3'b010 : group[2] ? 3'b100 : group[0] ? 3'b001 : 3'b000;
      default: pick = group[2] ? 3'b100 : group[0] ? 3'b001 : group[1] ? 3'b010 : 3'b000;
    endcase
  end

  always_comb begin
    sel_d = {pick[2], 1'b0, pick[1], 2'b00, pick[0], 2'b00};
    if (req2 == '0 && req1 != '0) sel_d = {1'b0, pick[2], 1'b0, pick[1], 2'b00, pick[0], 1'b0};
    if (req2 == '0 && req1 == '0) sel_d = {1'b0, pick[2], 2'b00, pick[1], 2'b00, pick[0]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sel_q  <= '0;
      turn_q <= 3'b001;
    end else if (free) begin
      sel_q <= sel_d;
      if (pick != '0) turn_q <= {pick[1:0], pick[2]};
    end else if (done_i) begin
      sel_q <= '0;
    end
  end

  assign sel_o = sel_q;

endmodule

`default_nettype wire
