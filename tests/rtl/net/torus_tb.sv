// SPDX-License-Identifier: Apache-2.0
// Bench of tori and meshes of up to N nodes' network sides with random packets and broadcasts,
// noise and cuts.
//
// Invariants: each packet arrives once, unchanged, by a shortest route. Each node of a broadcast's
// box gets it once and no other node does, over as many links as it has receivers. Everything
// drains, however slow the nodes are. Noise loses nothing. `+seed=N` repeats a run.
`default_nettype none

module torus_tb #(
  parameter int unsigned N        = 16,
  parameter int unsigned Ports    = 6,
  parameter int unsigned DataW    = 64,
  parameter int unsigned BufWords = 512
);

  localparam int unsigned Wires = N * Ports;

  localparam int Longest = 3000000;
  `include "tb.svh"

  int seed;
  int latency = 8, noise = 0, bubble = 20, slow = 20, len = -1, only = -1, boxes = 0, shape = -1;
  logic [N-1:0] go = '0, go_ack = '0, lazy = '0;    // lazy: nodes that are seldom ready
  logic [Wires-1:0] cut = '0;
  longint now = 0;
  always @(posedge clk) now <= now + 1;

  // -------------------------------------------------------------------- the torus
  logic [Wires-1:0] up, begins;         // begins: a packet begins on that wire
  logic [DataW+2:0] wire_end [0:Wires-1];   // valid, kind, data: at the end of a wire
  int sent [0:N-1], acks [0:N-1], hops [0:N-1], ack_hops [0:N-1], good [0:N-1], bad [0:N-1];
  int lost [0:N-1], wrong [0:N-1], beats [0:N-1], errors [0:N-1], plays [0:N-1];
  int damaged [0:Wires-1], passed [0:Wires-1];

  int x, y, z, turn;
  logic mesh, damaged_once = 1'b0;
  logic [15:0] dims = '0;
  int nodes = 1;                       // nodes of the present torus; the others are idle
  int peer [0:Wires-1];                // the input that an output connects to, and the reverse
  logic [Wires-1:0] linked = '0;

  // Connects a torus; a reset must follow.
  task automatic wire_up;
    int size, at, step;
    dims  = {mesh, 5'(z - 1), 5'(y - 1), 5'(x - 1)};
    nodes = x * y * z;
    linked = '0;
    for (int w = 0; w < int'(Wires); w++) peer[w] = w;
    for (int n = 0; n < nodes; n++) begin
      for (int p = 0; p < int'(Ports); p++) begin
        step = p / 2 == 0 ? 1 : p / 2 == 1 ? x : x * y;
        size = net_words_pkg::side(p / 2, dims);
        at   = net_words_pkg::along(p / 2, n, dims);
        peer[Ports*n + p] = Ports * (n + step * ((at + (p % 2 == 0 ? 1 : size - 1)) % size - at)) +
                            (p ^ 1);
        linked[Ports*n + p] = size > 1 && !(mesh && at == (p % 2 == 0 ? size - 1 : 0));
      end
    end
  endtask

  for (genvar n = 0; n < N; n++) begin : g_node
    logic             sv, sr, ss, se, self, again, av, ar, as, ae, dv, dr, ds, de, dx;
    logic [1:0]       svn, avn, dvn;
    logic [2:0]       dready;
    logic [DataW-1:0] sd, ad, dd;
    logic [1:0]       st_hdr, st_crc;
    logic [Ports-1:0]       tx_valid, rx_valid;
    logic [2*Ports-1:0]     tx_kind, rx_kind;
    logic [Ports*DataW-1:0] tx_data, rx_data;

    net_source #(.DataW(DataW)) u_source (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(dims), .go_i(go[n]),
      .nodes_i(nodes), .only_i(only), .len_i(len),
      .bubble_i(bubble), .boxes_i(boxes), .shape_i(shape),
      .valid_o(sv), .ready_i(sr), .sop_o(ss), .eop_o(se), .self_o(self), .vn_o(svn), .data_o(sd),
      .again_i(again), .sent_o(sent[n]), .hops_o(hops[n]), .plays_o(plays[n]));
    net_source #(.DataW(DataW), .Ack(1'b1)) u_acks (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(dims), .go_i(go_ack[n]),
      .nodes_i(nodes), .only_i(-1), .len_i(-1),
      .bubble_i(bubble), .boxes_i(0), .shape_i(-1),
      .valid_o(av), .ready_i(ar), .sop_o(as), .eop_o(ae), .self_o(), .vn_o(avn), .data_o(ad),
      .again_i(1'b0), .sent_o(acks[n]), .hops_o(ack_hops[n]), .plays_o());
    net_sink #(.DataW(DataW)) u_sink (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(dims), .slow_i(lazy[n] ? 90 : slow),
      .valid_i(dv), .ready_o(dr), .sop_i(ds), .eop_i(de), .err_i(dx), .vn_i(dvn), .data_i(dd),
      .vn_ready_o(dready),
      .good_o(good[n]), .bad_o(bad[n]), .lost_o(lost[n]), .wrong_o(wrong[n]), .beats_o(beats[n]));

    tern_net #(.DataW(DataW), .Ports(Ports), .BufWords(BufWords)) u_net (
      .clk_i(clk), .rst_ni(rst_n), .node_i({1'b0, net_words_pkg::place(n, dims)}), .dims_i(dims),
      .ltx_hold_i('0), .ltx_valid_o(tx_valid), .ltx_kind_o(tx_kind), .ltx_data_o(tx_data),
      .lrx_valid_i(rx_valid), .lrx_kind_i(rx_kind), .lrx_data_i(rx_data),
      .tx_valid_i(sv), .tx_ready_o(sr), .tx_more_o(), .tx_sop_i(ss), .tx_eop_i(se),
      .tx_self_i(self), .tx_vn_i(svn), .tx_data_i(sd), .tx_again_o(again), .ack_valid_i(av),
      .ack_ready_o(ar), .ack_more_o(), .ack_sop_i(as), .ack_eop_i(ae), .ack_data_i(ad),
      .rx_valid_o(dv), .rx_ready_i(dr), .rx_sop_o(ds), .rx_eop_o(de), .rx_err_o(dx), .rx_vn_o(dvn),
      .rx_data_o(dd), .rx_vn_ready_i(dready), .mm_valid_i(1'b0), .mm_we_i(1'b0), .mm_addr_i('0),
      .mm_wdata_i('0), .mm_ready_o(), .mm_rvalid_o(), .mm_rdata_o(), .ev_link_valid_o(),
      .ev_link_ready_i(1'b1), .ev_link_o(), .link_up_o(up[Ports*n +: Ports]), .tr_link_out_o(),
      .tr_link_out_id_o(), .tr_link_in_o(), .tr_link_in_id_o(), .st_link_bad_hdr_o(st_hdr),
      .st_link_bad_crc_o(st_crc), .st_fwd_o(), .st_down_drop_o(), .st_link_down_o(),
      .st_link_sent_o());

    always @(posedge clk) errors[n] <= !rst_n ? 0 : errors[n] + int'(st_hdr) + int'(st_crc);

    for (genvar p = 0; p < Ports; p++) begin : g_wire
      localparam int unsigned At = Ports * n + p;
      net_wire #(.DataW(DataW)) u_wire (
        .clk_i(clk), .rst_ni(rst_n), .latency_i(latency), .noise_i(noise),
        .cut_i(cut[At] || !linked[At]),
        .valid_i(tx_valid[p]), .kind_i(tx_kind[2*p +: 2]), .data_i(tx_data[DataW*p +: DataW]),
        .valid_o(wire_end[At][DataW+2]), .kind_o(wire_end[At][DataW+1 -: 2]),
        .data_o(wire_end[At][DataW-1:0]), .damaged_o(damaged[At]));
      assign {rx_valid[p], rx_kind[2*p +: 2], rx_data[DataW*p +: DataW]} = wire_end[peer[At]];
      assign begins[At] = tx_valid[p] && tx_kind[2*p +: 2] == 2'(tern_abi_pkg::LINK_KIND_SOP);
      always @(posedge clk) passed[At] <= !rst_n ? 0 : passed[At] + int'(begins[At]);
    end
  end

  // ---------------------------------------------------------------------- phases
  // Sums over nodes and wires, one cycle late.
  int all_sent, all_good, all_lost, all_wrong, all_beats, all_hops, all_errors, all_plays,
      all_links;
  always @(posedge clk) begin
    {all_sent, all_good, all_lost, all_wrong, all_beats, all_hops, all_errors, all_plays} = '0;
    for (int n = 0; n < nodes; n++) begin
      all_sent   = all_sent + sent[n] + acks[n];
      all_good   = all_good + good[n];
      all_lost   = all_lost + lost[n];
      all_wrong  = all_wrong + wrong[n];
      all_beats  = all_beats + beats[n];
      all_hops   = all_hops + hops[n] + ack_hops[n];
      all_errors = all_errors + errors[n];
      all_plays  = all_plays + plays[n];
    end
    all_links = 0;
    for (int w = 0; w < nodes * int'(Ports); w++) all_links = all_links + passed[w];
  end

  // Waits until nothing moves any more.
  task automatic settle(input int quiet);
    int moved;
    go = '0;
    go_ack = '0;
    do begin
      moved = all_beats;
      cycles(4 * latency + quiet);
    end while (all_beats != moved);
  endtask

  task automatic reset;
    rst_n = 1'b0;
    @(negedge clk);
    go = '0;
    go_ack = '0;
    cycles(5);
    rst_n = 1'b1;
    cycles(4 * latency + 200);
  endtask

  // Runs traffic for `length`, then drains: all packets have arrived once and, if `clean`, over no
  // more links than necessary.
  task automatic whole(input int length, input logic clean, input string name);
    int sent0, good0, lost0, hops0, links0, plays0;
    logic ok;
    sent0  = all_sent;
    good0  = all_good;
    lost0  = all_lost;
    hops0  = all_hops;
    plays0 = all_plays;
    links0 = all_links;
    go = N'((64'd1 << nodes) - 64'd1);
    go_ack = go;
    cycles(length);
    settle(clean ? 1000 : 9500);      // longer than a link waits before it resends
    ok = all_sent - sent0 == all_good - good0 && all_good > good0 + 20 && all_lost == lost0 &&
         all_wrong == 0;
    if (clean) ok = ok && all_links - links0 == all_hops - hops0;
    $display("# %0d of %0d packets, %0d links of %0d, %0d goes of broadcasts", all_good - good0,
             all_sent - sent0, all_links - links0, all_hops - hops0, all_plays - plays0);
    check(ok, name);
  endtask

  int g0;

  task automatic try_torus(input logic damage);
    $display("# %0s of %0d x %0d x %0d", mesh ? "mesh" : "torus", x, y, z);
    rst_n = 1'b0;
    @(negedge clk);
    wire_up();
    {latency, noise, bubble, slow, boxes} = {32'd8, 32'd0, 32'd20, 32'd20, 32'd0};
    {len, only, shape} = '1;
    lazy = '0;
    reset();
    check(up == linked, "links_that_are_there_come_up");
    whole(3000, 1'b1, "each_packet_comes_once_by_a_shortest_way");
    boxes = 100;
    whole(3000, 1'b1, "broadcasts_reach_each_node_of_their_box_once_over_no_link_twice");
    boxes = 40;
    slow = 70;
    bubble = 0;
    lazy = N'(32'h2492_4924);
    whole(4000, 1'b1, "slow_nodes_and_broadcasts_of_all_drain");
    lazy = '0;
    slow = 20;
    bubble = 20;
    if (damage) damage_wires();
    damaged_once = 1'b1;
    if (x > 2) latency_of_hops();
    if (!mesh) stream();
    check(all_wrong == 0, "nothing_was_ever_wrong");
  endtask

  task automatic damage_wires;
    noise = 300;
    whole(4000, 1'b0, "damaged_wires_lose_nothing");
    check(all_errors > 0, "noise_is_counted");
    noise = 0;
    whole(2000, 1'b1, "torus_is_whole_after_noise");

    // Cuts a link during traffic: packets that wait for it are discarded, and no other packet
    // stalls.
    go = N'((64'd1 << nodes) - 64'd1);
    go_ack = go;
    cycles(2000);
    cut[0] = 1'b1;
    cycles(2000);
    check(!up[0] && !up[peer[0]], "cut_takes_both_ends_down");
    settle(1000);
    cut[0] = 1'b0;
    cycles(6000);
    check(up == linked, "link_comes_back");
    check(all_wrong == 0, "cut_delivers_nothing_wrong");
    whole_again();
  endtask

  // Restarts the numbers, since the cut has left gaps.
  task automatic whole_again;
    reset();
    whole(2000, 1'b1, "torus_is_whole_after_a_cut");
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    void'($urandom(seed));
    $display("# %0d ports, %0d-bit beats, seed %0d", Ports, DataW, seed);
    turn = 0;
    while (turn < 6) begin
      case (turn)
        0:       {x, y, z, mesh} = {32'd4, 32'd2, 32'd2, 1'b0};
        1:       {x, y, z, mesh} = {32'd3, 32'd3, 32'd1, 1'b0};
        2:       {x, y, z, mesh} = {32'd3, 32'd2, 32'd2, 1'b1};
        3:       {x, y, z, mesh} = {32'd2, 32'd2, 32'd2, 1'b0};
        4:       {x, y, z, mesh} = {32'd4, 32'd2, 32'd1, 1'b1};
        default: {x, y, z, mesh} = {32'd1, 32'd5, 32'd1, 1'b0};
      endcase
      if (x * y * z <= int'(N) && (z == 1 || Ports == 6)) try_torus(!damaged_once);
      turn++;
    end
    tap_end();
  end

  // Measures the latency from wire to wire: straight on, and around a corner.
  task automatic latency_of_hops;
    if (x > 3 || dims[15]) hop(2, 0, Ports, "a_hop_is_quick");
    if (nodes > x) hop(1 + x, 0, Ports + 2, "a_turn_is_quick");
  endtask

  task automatic hop(input int to, input int from, input int behind, input string name);
    longint first, best;
    best = 1000;
    settle(500);
    boxes = 0;
    len = 64;
    only = to;
    repeat (4) begin       // a control word may delay a packet
      go[0] = 1'b1;
      do @(posedge clk); while (!begins[from]);
      go[0] = 1'b0;
      first = now;
      do @(posedge clk); while (!begins[behind]);
      if (now - first < best) best = now - first;
      settle(500);
    end
    $display("# hop: %0d cycles from wire to wire, %0d of them on the wire", best, latency);
    check(best - latency <= (DataW == 64 ? 4 : 5), name);
    only = -1;
    len  = -1;
  endtask

  // One node broadcasts upwards to all others without a pause; all are ready: the farthest gets it
  // at nearly the full rate of a wire.
  task automatic stream;
    slow = 0;
    bubble = 0;
    len = 512;
    boxes = 100;
    shape = 4;
    settle(1000);
    go[0] = 1'b1;
    cycles(1500);
    g0 = beats[nodes-1];
    cycles(2000);
    $display("# broadcast from one node: %0d beats per 1000 cycles at the last",
             (beats[nodes-1] - g0) / 2);
    check((beats[nodes-1] - g0) / 2 > 930, "a_broadcast_streams");
    settle(1000);
  endtask

endmodule

`default_nettype wire
