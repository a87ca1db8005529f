// SPDX-License-Identifier: Apache-2.0
// Passes packets for one rank on, from the links and the node to the output on their way.
//
// Each port stores packets of its own (tern_tree_hold), and each output serves the ports in turn,
// packet by packet. A packet going up waits for the parent or for a way down, one going down only
// for ways down, and the node takes what arrives there without waiting for any packet of the tree.
// So some packet can always move: docs/decisions/0097.
`default_nettype none

module tern_tree_unicast #(
  parameter int unsigned MaxPayload = 512
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [15:0]  rank_i,
  // packets of the links (children, parent), and of the node
  output logic [3:0]   able_o,         // the next packet has room
  input  logic [3:0]   valid_i,
  input  logic [3:0]   eop_i,
  input  logic [3:0]   err_i,
  input  logic [255:0] data_i,
  // packets to the links, and to the node
  output logic [3:0]   want_o,
  input  logic [3:0]   open_i,         // until the last beat has moved
  output logic [3:0]   valid_o,
  input  logic [3:0]   ready_i,
  output logic [3:0]   sop_o,
  output logic [3:0]   eop_o,
  output logic [255:0] data_o
);

  // By port.
  logic [3:0]   valid, sop, eop, grant, ready;
  logic [15:0]  way, sends;            // 4 * output + port
  logic [255:0] data;

  for (genvar p = 0; p < 4; p++) begin : g_port
    logic [3:0] to;
    tern_tree_hold #(.MaxPayload(MaxPayload), .From(p)) u_hold (
      .clk_i, .rst_ni, .rank_i, .able_o(able_o[p]), .valid_i(valid_i[p]), .eop_i(eop_i[p]),
      .err_i(err_i[p]), .data_i(data_i[64*p +: 64]),
      .way_o(to), .grant_i(grant[p]), .valid_o(valid[p]), .ready_i(ready[p]),
      .sop_o(sop[p]), .eop_o(eop[p]), .data_o(data[64*p +: 64])
    );
    for (genvar o = 0; o < 4; o++) begin : g_way
      assign way[4*o + p] = to[o];
    end
    // One output serves the port at a time.
    assign grant[p] = (open_i & {sends[12 + p], sends[8 + p], sends[4 + p], sends[p]}) != '0;
    assign ready[p] = (open_i & ready_i & {sends[12 + p], sends[8 + p], sends[4 + p],
                                           sends[p]}) != '0;
  end

  for (genvar o = 0; o < 4; o++) begin : g_output
    logic [3:0]  req, pick, from_q;
    logic        take, done;
    logic [63:0] beat;
    assign req  = way[4*o +: 4];
    assign take = from_q == '0 && req != '0;
    assign done = valid_o[o] && ready_i[o] && eop_o[o];
    tern_tree_turn #(.N(4)) u_turn (
      .clk_i, .rst_ni, .req_i(req), .take_i(take), .pick_o(pick)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni || done) from_q <= '0;
      else if (take)       from_q <= pick;
    end
    always_comb begin
      beat = '0;
      for (int p = 0; p < 4; p++) if (from_q[p]) beat = beat | data[64*p +: 64];
    end
    assign sends[4*o +: 4]    = from_q;
    assign want_o[o]          = from_q != '0;
    assign valid_o[o]         = (from_q & valid) != '0 && open_i[o];
    assign sop_o[o]           = (from_q & sop) != '0;
    assign eop_o[o]           = (from_q & eop) != '0;
    assign data_o[64*o +: 64] = beat;
  end

endmodule

`default_nettype wire
