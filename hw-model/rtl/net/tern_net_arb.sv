// SPDX-License-Identifier: Apache-2.0
// Arbiter of a router output: grants it packet by packet, to each source by its weight.
//
// Sources are the links (each asks for packets of one network at a time) and, as the last one, the
// node. The weight of a link is the number of nodes whose packets arrive through it, as its peer
// reports; the node's own is 1. So every origin gets the same share, however many links away it is.
// In a round each source may have the output for as many packets as its weight. A round ends when
// packets ask but none of their sources has any left. An output is never idle while a packet asks.
// Sources with packets left in the round take turns: a burst of one source would fill the buffers
// of the next router and leave other outputs without packets.
//
// Bound: a source that asks without a pause waits for at most 2 * (sum of the other sources'
// weights) packets, and gets its weight in each round. Meanwhile another source sends at most twice
// its own weight, if weights do not change (hw-model/formal/arb.sh). `weight_i` is at least 1.
//
// `sel_o` is one-hot, from the cycle after the request until the packet's last beat has moved; the
// next packet is chosen while that beat moves. A packet takes at least four cycles. With `Park`,
// the node keeps an output after its packet while no packet of a link waits for it (`wanted_i`:
// with or without room). `start_i` (a packet of the node moves its first beat) then begins the next
// one without a pause.
//
// `origins_o`: the number of nodes whose packets left through this output in the last round, 1 to
// `most_i`. It rises as soon as more have left in this round. It starts with `most_i`.
`default_nettype none

module tern_net_arb #(
  parameter int unsigned N       = 3,
  parameter int unsigned WeightW = 6,
  parameter bit          Park    = 1'b0
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [N-1:0]           req_i,      // a packet waits and may start
  input  logic                   wanted_i,   // a packet of a link waits
  input  logic                   done_i,     // the last beat moves in this cycle
  input  logic                   start_i,
  input  logic [WeightW*(N-1)-1:0] weight_i, // of the links
  input  logic [WeightW-1:0]     most_i,
  output logic                   none_o,     // no source has the output
  output logic                   parked_o,   // the node has the output, but has not started
  output logic [N-1:0]           sel_o,
  output logic [WeightW-1:0]     origins_o
);

  localparam logic [WeightW-1:0] One = WeightW'(1);

  logic [N-1:0] sel_q, entitled, group, pick, left;   // left: the source may have more in its round
  logic [N-1:0] behind_q, behind, among;
  logic         parked_q, any, free, stays;         // free: requests are looked at in this cycle

  assign none_o = sel_q == '0;
  assign free   = none_o || done_i || (parked_q && !start_i);
  assign entitled = req_i & left;
  assign group  = entitled != '0 ? entitled : req_i;
  assign any    = req_i != '0;
  assign stays  = Park && !any && !wanted_i && sel_q[N-1];

  // Round robin: the search begins after the source that had the output last.
  assign behind = group & behind_q;
  assign among  = behind != '0 ? behind : group;
  always_comb begin
    for (int i = 0; i < N; i++) begin
      pick[i] = among[i];
      for (int k = 0; k < i; k++) if (among[k]) pick[i] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sel_q    <= '0;
      parked_q <= 1'b0;
    end else if (free) begin
      sel_q    <= any ? pick : {stays, {N-1{1'b0}}};
      parked_q <= stays;
    end else begin
      parked_q <= 1'b0;
    end
  end

  assign sel_o    = sel_q;
  assign parked_o = parked_q;

  // ------------------------------------------------------------------------ rounds
  // Counted a cycle after the grant, while the packet begins.
  logic                 took_q, anew_q;
  logic [WeightW*N-1:0] weight;
  logic [N-1:0]         used_q;
  logic [WeightW-1:0]   origins_q, sum_q, mine;

  assign weight = {One, weight_i};
  always_ff @(posedge clk_i) begin
    took_q <= rst_ni && ((free && any) || (parked_q && start_i));
    anew_q <= free && any ? entitled == '0 : !left[N-1];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     behind_q <= '0;
    else if (took_q) behind_q <= ~((sel_q << 1) - N'(1));
  end

  for (genvar i = 0; i < N; i++) begin : g_left
    logic [WeightW-1:0] left_q, left_d, from;
    logic               some_q;
    assign from    = anew_q ? weight[WeightW*i +: WeightW] : left_q;
    assign left_d  = from - WeightW'(sel_q[i] && from != '0);
    assign left[i] = some_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q <= '0;
        some_q <= 1'b0;
      end else if (took_q) begin
        left_q <= left_d;
        some_q <= left_d != '0;
      end
    end
  end

  always_comb begin
    mine = '0;
    for (int i = 0; i < N; i++) mine = mine | (weight[WeightW*i +: WeightW] & {WeightW{sel_q[i]}});
  end

  // Each source counts once in a round.
  logic               first;
  logic [WeightW-1:0] sum_d, base;
  logic [WeightW:0]   added;
  assign first = anew_q || (used_q & sel_q) == '0;
  assign base  = anew_q ? '0 : sum_q;
  assign added = {1'b0, base} + {1'b0, mine};
  assign sum_d = added > {1'b0, most_i} ? most_i : added[WeightW-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sum_q     <= '0;
      used_q    <= '0;
      origins_q <= most_i;
    end else if (took_q) begin
      if (first)  sum_q <= sum_d;
      if (anew_q)                               origins_q <= sum_q;
      else if (first && sum_d > origins_q) origins_q <= sum_d;
      used_q <= (used_q & {N{!anew_q}}) | sel_q;
    end
  end
  assign origins_o = origins_q == '0 ? One : origins_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneSource: assert ((sel_q & (sel_q - 1'b1)) == '0);
      TookOne:   assert (!took_q || sel_q != '0);
    end
  end

endmodule

`default_nettype wire
