// SPDX-License-Identifier: Apache-2.0
// Compares a place with this node: the dimensions that differ, whether the shorter way there goes
// down, and whether it crosses the dateline (the link between the last and the first place of a
// ring).
//
// On a ring, a packet goes up to places at most half the side ahead, and down to the others. With
// `ack_i`, exactly half a side ahead is down too, so an ack retraces a packet that went up. In a
// mesh it goes up to higher places. Combinational; node and dims are start-up values, used three
// cycles late.
`default_nettype none

module tern_way #(
  parameter int unsigned Ports = 2
) (
  input  logic               clk_i,
  input  logic [14:0]        node_i,
  input  logic [15:0]        dims_i,
  input  logic [14:0]        at_i,
  input  logic               ack_i,
  output logic [Ports/2-1:0] differ_o,
  output logic [Ports/2-1:0] down_o,
  output logic [Ports/2-1:0] cross_o
);

  // a < b, or a <= b with `also`, without a carry chain.
  function automatic logic below(input logic [4:0] a, input logic [4:0] b, input logic also);
    below = also;
    for (int i = 0; i < 5; i++) below = a[i] == b[i] ? below : b[i];
  endfunction

  for (genvar k = 0; k < Ports / 2; k++) begin : g_dim
    logic [4:0] me, last, at, half_q;      // half_q: the last place reached upwards
    logic [5:0] sum_q;
    logic       past, past_q, even, above, near;

    assign me   = node_i[5*k +: 5];
    assign last = dims_i[5*k +: 5];
    assign at   = at_i[5*k +: 5];
    assign even = last[0];
    assign past = sum_q > {1'b0, last};

    always_ff @(posedge clk_i) begin
      sum_q  <= 6'(me) + 6'((6'(last) + 6'd1) >> 1);
      past_q <= past;
      half_q <= past ? sum_q[4:0] - last - 5'd1 : sum_q[4:0];
    end

    assign above      = below(me, at, 1'b1);
    assign near       = below(at, half_q, !(ack_i && even));
    assign differ_o[k] = at != me;
    assign cross_o[k]  = down_o[k] == above;
    assign down_o[k]   = !(dims_i[15] ? above : past_q ? above || near : above && near);
  end

  logic unused;
  assign unused = ^{node_i, dims_i, at_i};

endmodule

`default_nettype wire
