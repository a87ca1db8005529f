// SPDX-License-Identifier: Apache-2.0
// Router of a torus or mesh of one to three dimensions: connects the links and the node.
//
// Port 2d leads up along dimension d, port 2d+1 down. Dimension order: a packet from a link goes
// straight on, turns into a later dimension, or ends in the node. Virtual cut-through: an output is
// granted to a whole packet, and only when the channel after it has room for all of it. A packet
// that owes several copies sends in one pass those whose outputs are free and have room; a beat
// moves to all of them or to none. The others follow in further passes: a link shows the packet
// again, the transmit unit is asked to repeat it (`tx_again_o`). One beat a cycle per output.
//
// A packet of this node is registered at its entry, with the copies it owes; it may be granted a
// cycle later. Transmit unit and acks share one crossbar input, but do not block each other: only a
// packet with room requests it. A packet from a link is granted a cycle after its request.
//
// No deadlock: docs/verification.md. A copy that began always ends, since there was room for all of
// it. A copy that did not begin waits only for channels of later dimensions, or of the same one
// past the dateline.
//
// Sources share an output by weight (tern_net_arb). A link's weight is the number of nodes that
// send through it, as its peer reports (`weight_i`); `origins_o` reports it to the next node,
// limited to the number of nodes that dimension order can route to one target. A packet of this
// node never overtakes one of a link that waits for the output.
`default_nettype none

module tern_router #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Ports = 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            node_i,
  input  logic [15:0]            dims_i,
  // from the links: a waiting packet, the copies it owes, its beats once granted
  input  logic [Ports-1:0]       in_req_i,
  input  logic [Ports*(Ports+1)-1:0] in_owed_i,    // per output, the last one is the node
  input  logic [2*Ports-1:0]     in_req_vn_i,
  input  logic [Ports-1:0]       in_req_dl_i,
  output logic [Ports-1:0]       in_able_o,     // a copy of it could go, now or after a current
                                                // last beat
  output logic [Ports*(Ports+1)-1:0] in_grant_o,   // copies that go, until the last beat has moved
  input  logic [Ports-1:0]       in_valid_i,
  output logic [Ports-1:0]       in_ready_o,
  input  logic [Ports-1:0]       in_sop_i,
  input  logic [Ports-1:0]       in_eop_i,
  input  logic [Ports-1:0]       in_err_i,
  input  logic [2*Ports-1:0]     in_vn_i,       // held from the grant on
  input  logic [Ports-1:0]       in_dl_i,
  input  logic [Ports*DataW-1:0] in_data_i,
  // to the links; `out_valid_o` depends on the ready of all outputs
  output logic [Ports-1:0]       out_valid_o,
  output logic [Ports-1:0]       out_near_o,    // early out_valid_o: a beat may move
  input  logic [Ports-1:0]       out_ready_i,
  output logic [Ports-1:0]       out_sop_o,
  output logic [Ports-1:0]       out_eop_o,
  output logic [Ports-1:0]       out_err_o,
  output logic [2*Ports-1:0]     out_vn_o,
  output logic [Ports-1:0]       out_dl_o,
  output logic [Ports*DataW-1:0] out_data_o,
  input  logic [6*Ports-1:0]     out_room_i,    // per channel: a whole packet may start
  input  logic [6*Ports-1:0]     weight_i,      // nodes whose packets arrive through each link
  output logic [6*Ports-1:0]     origins_o,     // nodes whose packets leave through each link
  // packets of this node
  input  logic                   tx_valid_i,
  output logic                   tx_ready_o,
  output logic                   tx_more_o,     // early tx_ready_o, valid after the second beat
  input  logic                   tx_sop_i,
  input  logic                   tx_eop_i,
  input  logic                   tx_self_i,     // with tx_sop_i: broadcast also to this node
  input  logic [1:0]             tx_vn_i,
  input  logic [DataW-1:0]       tx_data_i,
  output logic                   tx_again_o,    // from the third beat on: repeat this packet
  input  logic                   ack_valid_i,
  output logic                   ack_ready_o,
  output logic                   ack_more_o,
  input  logic                   ack_sop_i,
  input  logic                   ack_eop_i,
  input  logic [DataW-1:0]       ack_data_i,
  // packets for this node
  output logic                   rx_valid_o,
  input  logic                   rx_ready_i,
  output logic                   rx_sop_o,
  output logic                   rx_eop_o,
  output logic                   rx_err_o,
  output logic [1:0]             rx_vn_o,
  output logic [DataW-1:0]       rx_data_o,
  input  logic [2:0]             rx_vn_ready_i,
  // statistics
  output logic [Ports-1:0]       fwd_o
);

  localparam int unsigned Outs  = Ports + 1;
  localparam int unsigned Own   = Ports;         // the node, as source and as output
  localparam int unsigned BeatW = DataW + 3;     // sop, eop, err, data
  localparam logic [1:0]  Ack   = 2'(tern_abi_pkg::VN_ACK);

  // Dimension order: whether packets of source `s` may leave through output `o`.
  function automatic logic leads(input int s, input int o);
    leads = s == Own || o == Own || s / 2 < o / 2 || s == (o ^ 1);
  endfunction

  // Whether packets of source `s` keep their channel through output `o`.
  function automatic logic keeps(input int s, input int o, input logic mesh);
    keeps = o != Own && (s == (o ^ 1) || mesh);
  endfunction

  function automatic logic of_network(input logic [2:0] each, input logic [1:0] vn);
    of_network = vn[1] ? each[2] : vn[0] ? each[1] : each[0];
  endfunction

  // ------------------------------------------------------------------------ room
  // On a link that crosses the dateline a packet takes the second channel of its network, and keeps
  // it straight on. In a torus it takes the first channel when it turns. A mesh has no dateline,
  // and a packet keeps its channel through turns, too. A packet of this node states its channel.
  logic              mesh;
  logic [Ports-1:0]  wrap;
  logic [3*Outs-1:0] room, second;  // per output and network: room in the default channel; in the
                                    // second one
  assign mesh = dims_i[15];
  for (genvar o = 0; o < Ports; o++) begin : g_room
    always_ff @(posedge clk_i) begin       // start-up values
      wrap[o] <= node_i[5*(o/2) +: 5] == (o % 2 == 0 ? dims_i[5*(o/2) +: 5] : 5'd0);
    end
    for (genvar v = 0; v < 3; v++) begin : g_vn
      assign second[3*o + v] = out_room_i[6*o + 2*v + 1];
      assign room[3*o + v]   = wrap[o] ? second[3*o + v] : out_room_i[6*o + 2*v];
    end
  end
  assign room[3*Own +: 3]   = rx_vn_ready_i;
  assign second[3*Own +: 3] = rx_vn_ready_i;

  // ----------------------------------------------------------------------- origins
  // Upper bound on nodes that send to one target through a link of dimension d: half a ring (mesh:
  // the row), times the nodes of earlier dimensions, rounded up to powers of two.
  localparam int unsigned WeightW = 6;
  function automatic logic [WeightW-1:0] shifted(input logic [4:0] nodes, input logic [3:0] by);
    logic [19:0] wide;
    wide    = {15'd0, nodes} << by;
    shifted = wide[19:WeightW] != '0 ? '1 : wide[WeightW-1:0];
  endfunction

  logic [WeightW*(Ports/2)-1:0] most;
  for (genvar d = 0; d < Ports / 2; d++) begin : g_most
    logic [4:0] side, half;      // less one; nodes of the row beyond the link
    logic [3:0] by;
    assign side = dims_i[5*d +: 5];
    assign half = mesh ? side : {1'b0, side[4:1]} + {4'd0, side[0]};
    if (d == 0) begin : g_first
      assign by = '0;
    end else begin : g_later
      // Address bits of the earlier dimensions.
      always_comb begin
        by = '0;
        for (int k = 0; k < 5 * d; k++) by = by + {3'd0, |(dims_i[5*(k/5) +: 5] >> (k % 5))};
      end
    end
    always_ff @(posedge clk_i) most[WeightW*d +: WeightW] <= shifted(half, by);   // start-up values
  end

  // -------------------------------------------------------- packets of this node
  // Transmit unit and acks request outputs in turn (`next_ack`), except while one has no room.
  logic             tx_vn, own_valid, own_sop, own_eop, own_on, own_move, own_done, own_busy;
  logic             own_asks;
  logic             next_ack, who_q, last_q, start;
  logic [1:0]       own_second;
  logic [DataW-1:0] own_data;
  logic [Outs-1:0]  want_tx, want_ack, has_tx, has_ack, can_tx, can_ack, can_next, want_now;
  logic [Outs-1:0]  own_sel, own_has, own_grant, parked, starts;

  tern_inject #(.DataW(DataW), .Ports(Ports)) u_inject (
    .clk_i, .rst_ni, .node_i(node_i[14:0]), .dims_i,
    .tx_valid_i, .tx_ready_o, .tx_more_o, .tx_sop_i, .tx_eop_i, .tx_self_i, .tx_vn_i(tx_vn_i[0]),
    .tx_data_i, .tx_again_o,
    .ack_valid_i, .ack_ready_o, .ack_more_o, .ack_sop_i, .ack_eop_i, .ack_data_i,
    .want_tx_o (want_tx),
    .want_ack_o(want_ack),
    .tx_vn_o   (tx_vn),
    .second_o  (own_second),
    .ack_i     (who_q),
    .grant_i   (own_grant),
    .move_i    (own_move),
    .on_i      (own_on),
    .valid_o   (own_valid),
    .sop_o     (own_sop),
    .eop_o     (own_eop),
    .data_o    (own_data)
  );

  for (genvar o = 0; o < Outs; o++) begin : g_can
    always_comb begin
      has_tx[o]  = 1'b0;
      has_ack[o] = 1'b0;
`ifdef TERN_MODEL
      if (want_tx != '0)   // not used in other cycles
`endif
        has_tx[o] = own_second[0] ? (tx_vn ? second[3*o + 1] : second[3*o]) :
                                    (tx_vn ? room[3*o + 1] : room[3*o]);
`ifdef TERN_MODEL
      if (want_ack != '0)
`endif
        has_ack[o] = own_second[1] ? second[3*o + 2] : room[3*o + 2];
    end
  end
  assign can_tx  = want_tx & has_tx;
  assign can_ack = want_ack & has_ack;

  assign next_ack = can_ack != '0 && (!last_q || can_tx == '0);
  assign can_next = next_ack ? can_ack : can_tx;
  assign want_now = who_q ? want_ack : want_tx;
  assign own_has  = own_sel & ~parked;
  assign own_busy = own_has != '0;
  assign own_done = own_on && own_eop;
  assign own_asks = (!own_busy || own_done) && !start;

  // A packet begins at once if all outputs that it needs are parked with the node. The node itself,
  // as an output, is never parked. A packet never ends in the cycle in which it begins, so ends are
  // seen early.
  assign start     = !own_busy &&
                     (who_q ? want_ack != '0 && (want_ack & ~(has_ack & parked)) == '0 :
                              want_tx != '0 && (want_tx & ~(has_tx & parked)) == '0);
  assign starts    = {1'b0, want_now[Ports-1:0] & {Ports{start}}};
  assign own_grant = own_has | starts;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      who_q  <= 1'b0;
      last_q <= 1'b0;
    end else begin
      if (own_asks && can_next != '0) who_q <= next_ack;
      if (own_done)                   last_q <= who_q;
    end
  end

  // A receive slot often becomes free while the ack that freed it leaves, and this node cannot
  // request then. So after one request packet from a link, such packets wait for this node's own to
  // itself.
  logic passed_q;
  always_ff @(posedge clk_i) begin
    passed_q <= rst_ni && want_tx[Own] && !tx_vn &&
                (passed_q || (rx_valid_o && !own_grant[Own] &&
                              rx_vn_o == tern_abi_pkg::VN_REQUEST[1:0]));
  end

  // -------------------------------------------------------------- packets of the links
  logic [Outs-1:0]    free, done;       // free: a request may win the output now or soon
  logic [Outs*Outs-1:0] live;         // per output: the source it sends from, one-hot
  logic [Outs-1:0]    o_ready, move, ends, last;

  assign o_ready = {rx_ready_i, out_ready_i};
  assign last    = {own_eop, in_eop_i};
  assign ends    = {own_done, move[Ports-1:0] & in_eop_i};

  for (genvar i = 0; i < Ports; i++) begin : g_in
    logic [Outs-1:0] owed, fits, grant;
    logic [1:0]      vn;
    logic            behind;
    assign owed   = in_owed_i[Outs*i +: Outs];
    assign vn     = in_req_vn_i[2*i +: 2];
    assign behind = passed_q && vn == tern_abi_pkg::VN_REQUEST[1:0];
    for (genvar o = 0; o < Outs; o++) begin : g_out
      if (!leads(i, o)) begin : g_never
        assign fits[o]  = 1'b0;
        assign grant[o] = 1'b0;
      end else begin : g_some
        always_comb begin
          fits[o] = 1'b0;
`ifdef TERN_MODEL
          if (in_req_i[i])   // not used in other cycles
`endif
            fits[o] = owed[o] && !(o == Own && behind) &&
                      of_network(keeps(i, o, mesh) && in_req_dl_i[i] ? second[3*o +: 3]
                                                                     : room[3*o +: 3], vn);
        end
        assign grant[o] = live[Outs*o + i];
      end
    end
    logic unused_owed;
    assign unused_owed = ^owed;         // bits of outputs that lead back are 0
    assign in_able_o[i]               = (fits & free) != '0;
    assign in_grant_o[Outs*i +: Outs] = grant;
    assign in_ready_o[i]              = (grant & ~o_ready) == '0;
    assign move[i]                    = in_valid_i[i] && in_ready_o[i];
  end
  assign own_on    = own_busy && own_valid && (own_has & ~o_ready) == '0;
  assign own_move  = own_on || (start && (want_now & ~o_ready) == '0);
  assign move[Own] = own_move;

  // ----------------------------------------------------------------------- outputs
  for (genvar o = 0; o < Outs; o++) begin : g_out
    logic [Outs-1:0]  req, sel, has, from;
    logic             none;
    logic [BeatW-1:0] beat;
    logic [1:0]       vn;
    logic             dl;

    logic [Ports-1:0] waits;       // packets shown by the links
    for (genvar i = 0; i < Ports; i++) begin : g_req
      if (leads(i, o)) begin : g_link
        assign req[i]   = in_req_i[i] && g_in[i].fits[o];
        assign waits[i] = in_req_i[i] && in_owed_i[Outs*i + o];
      end else begin : g_never
        assign req[i]   = 1'b0;
        assign waits[i] = 1'b0;
      end
    end
    assign req[Own] = can_next[o] && own_asks;

    logic [WeightW-1:0] origins, most_here;
    if (o == Own) begin : g_most
      assign most_here = '1;
    end else begin : g_most
      assign most_here = most[WeightW*(o/2) +: WeightW];
    end
    tern_net_arb #(.N(Outs), .WeightW(WeightW), .Park(o != Own)) u_arb (
      .clk_i, .rst_ni, .req_i(req), .wanted_i(waits != '0), .done_i(done[o]), .start_i(starts[o]),
      .weight_i, .most_i(most_here),
      .none_o(none), .parked_o(parked[o]), .sel_o(sel), .origins_o(origins)
    );
    assign own_sel[o] = sel[Own];
    assign has        = {own_has[o], sel[Ports-1:0]};
    assign from       = {own_grant[o], sel[Ports-1:0]};
    assign live[Outs*o +: Outs] = from;
    assign done[o]    = (has & ends) != '0;
    always_comb begin
      free[o] = 1'b0;
`ifdef TERN_MODEL
      if (in_req_i != '0)   // not used in other cycles
`endif
        free[o] = none || parked[o] || (has & last) != '0;
    end

    always_comb begin
      beat = {own_sop, own_eop, 1'b0, own_data};
      vn   = who_q ? Ack : {1'b0, tx_vn};
      dl   = who_q ? own_second[1] : own_second[0];
      for (int i = 0; i < Ports; i++) begin
        if (leads(i, o) && sel[i]) begin
          beat = {in_sop_i[i], in_eop_i[i], in_err_i[i], in_data_i[DataW*i +: DataW]};
          vn   = in_vn_i[2*i +: 2];
          dl   = keeps(i, o, mesh) && in_dl_i[i];
        end
      end
    end

    if (o == Own) begin : g_node
      assign rx_valid_o = (has & {own_on, move[Ports-1:0]}) != '0;
      assign rx_vn_o    = vn;
      assign {rx_sop_o, rx_eop_o, rx_err_o, rx_data_o} = beat;
      logic unused_dl;
      assign unused_dl = dl ^ (^origins);
    end else begin : g_link
      assign out_valid_o[o]         = (from & move) != '0;
      assign out_near_o[o]          = (has & {own_valid, in_valid_i}) != '0 ||
                                      (parked[o] && (who_q ? can_ack[o] : can_tx[o]));
      assign origins_o[WeightW*o +: WeightW] = origins;
      assign out_vn_o[2*o +: 2]     = vn;
      assign out_dl_o[o]            = dl || wrap[o];
      assign {out_sop_o[o], out_eop_o[o], out_err_o[o], out_data_o[DataW*o +: DataW]} = beat;
      always_ff @(posedge clk_i) fwd_o[o] <= rst_ni && done[o] && !own_has[o];
    end

    // Dimension order only: no turn back, no turn into an earlier dimension, the dateline once.
    for (genvar i = 0; i < Ports; i++) begin : g_check
      always_ff @(posedge clk_i) begin
        if (rst_ni) begin
          if (!leads(i, o)) InOrder: assert (!(in_req_i[i] && in_owed_i[Outs*i + o]));
          if (o == (i ^ 1)) OnceAround: assert (!(sel[i] && in_dl_i[i] && wrap[o % Ports]));
        end
      end
    end
  end

  logic unused;
  assign unused = ^{tx_vn_i[1], node_i, dims_i};

  // A beat moves to all outputs that have its packet, or to none; only granted beats move.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < Outs; i++) begin
        for (int o = 0; o < Outs; o++) begin
          if (live[Outs*o + i])
            AllOrNone: assert (move[i] == ((o == Own ? rx_valid_o : out_valid_o[o % Ports]) &&
                                           o_ready[o]));
        end
      end
      for (int i = 0; i < Ports; i++) begin
        Near:    assert (!out_valid_o[i] || out_near_o[i]);
        Granted: assert (!in_valid_i[i] || in_grant_o[Outs*i +: Outs] != '0);
        // Granted copies are of one packet: no copy is added while it moves.
        Asks:    assert (!in_req_i[i] || in_grant_o[Outs*i +: Outs] == '0 || ends[i]);
      end
    end
  end

endmodule

`default_nettype wire
