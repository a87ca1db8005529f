// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_net_arb: counts packets of other sources that pass a source while it asks
// without a pause. Also counts the packets of one other source while the first gets its weight.
//
// Follows one source, any of them. `passed_q` counts packets of others granted while it asked.
// Weights may change at any time; those of links are 1 to 2^WeightW - 1, the node's is 1.
// `beside_q` counts packets of the other source until the first has had as many as its weight.
`default_nettype none

module arb_proof #(
  parameter int unsigned N       = 3,
  parameter int unsigned WeightW = 2
) (
  input logic                     clk_i,
  input logic                     reset_i,
  input logic [N-1:0]             req_i,
  input logic                     wanted_i,
  input logic                     done_i,
  input logic                     start_i,
  input logic [WeightW*(N-1)-1:0] weight_i,
  input logic [N-1:0]             who_i,      // the source, one-hot
  input logic [N-1:0]             other_i     // another one
);

  localparam int unsigned Most   = 2 ** WeightW - 1;
  localparam int unsigned OfLink = 2 * ((N - 2) * Most + 1);
  localparam int unsigned OfNode = 2 * (N - 1) * Most;
  localparam int unsigned CountW = $clog2(OfNode + 2);

  logic               rst_nq = 1'b0;
  logic [N-1:0]       sel, sel_q, who_q;
  logic [N-1:0]       other_q;
  logic               none, parked, took_q, granted, mine, light, quota;
  logic [1:0]         old_q, old;     // cycles since the last decision, up to 3
  logic [CountW-1:0]  passed_q;
  logic [WeightW-1:0] origins;
  logic [WeightW-1:0] own, own_q, theirs, theirs_q, got_q;
  logic [WeightW+1:0] beside_q;
  logic               same_q;         // weights have not changed since reset

  tern_net_arb #(.N(N), .WeightW(WeightW), .Park(1'b1)) dut (
    .clk_i, .rst_ni(rst_nq), .req_i, .wanted_i, .done_i, .start_i, .weight_i, .most_i('1),
    .none_o(none), .parked_o(parked), .sel_o(sel), .origins_o(origins)
  );

  assign mine    = (req_i & who_q) != '0;
  assign granted = req_i != '0 && (none || done_i || (parked && !start_i));
  assign old     = granted || (parked && start_i) ? 2'd0 : old_q == 2'd3 ? 2'd3 : old_q + 2'd1;

  always_comb begin
    light  = 1'b0;
    own    = who_q[N-1] ? WeightW'(1) : '0;
    theirs = other_q[N-1] ? WeightW'(1) : '0;
    for (int i = 0; i < N - 1; i++) begin
      if (weight_i[WeightW*i +: WeightW] == '0) light = 1'b1;
      if (who_q[i])   own    = weight_i[WeightW*i +: WeightW];
      if (other_q[i]) theirs = weight_i[WeightW*i +: WeightW];
    end
  end
  assign quota = took_q && (sel & who_q) != '0 && got_q + 1'b1 == own_q;

  always_ff @(posedge clk_i) begin
    rst_nq <= !reset_i;
    took_q <= rst_nq && (granted || (parked && start_i));
    sel_q  <= sel;
    own_q    <= own;
    theirs_q <= theirs;
    same_q   <= !rst_nq || (same_q && own == own_q && theirs == theirs_q);
    if (!rst_nq) begin
      who_q    <= who_i;
      other_q  <= other_i;
      got_q    <= '0;
      beside_q <= '0;
      old_q    <= 2'd3;
      passed_q <= '0;
    end else begin
      old_q <= old;
      if (!mine || (took_q && (sel & who_q) != '0)) passed_q <= '0;
      else if (took_q)                              passed_q <= passed_q + CountW'(1);
      if (!mine || quota) begin
        got_q    <= '0;
        beside_q <= '0;
      end else if (took_q) begin
        if ((sel & who_q) != '0)                      got_q    <= got_q + 1'b1;
        if ((sel & other_q) != '0 && beside_q != '1) beside_q <= beside_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      // A packet takes at least four cycles; a parked output can only begin a packet of the node;
      // links that ask have a packet.
      OneFollowed: assume (who_q != '0 && (who_q & (who_q - 1'b1)) == '0);
      AnotherOne:  assume (other_q != '0 && (other_q & (other_q - 1'b1)) == '0
                           && other_q != who_q);
      LongPackets: assume (!done_i || (old_q == 2'd3 && !none && !parked));
      Begins:      assume (!start_i || parked);
      Shown:       assume (wanted_i || req_i[N-2:0] == '0);
      Weighs:      assume (!light);
      Given:       assert (passed_q <= CountW'(who_q[N-1] ? OfNode : OfLink));
      Shared:      assert (!same_q || beside_q <= {1'b0, theirs_q, 1'b0});
      OneSource:   assert ((sel & (sel - 1'b1)) == '0);
    end
  end

  logic unused;
  assign unused = ^origins ^ (^sel_q);

endmodule

`default_nettype wire
