// SPDX-License-Identifier: Apache-2.0
// Bench of a ring of nodes' network sides with random traffic, noise, cuts and closed gates.
//
// Invariants: with good wires every packet arrives once, in order and unchanged. With damaging
// wires no packet arrives changed or twice, and afterwards all credit has returned. A cut link
// reports that, and works again after the repair. `+seed=N` repeats a run.
`default_nettype none

module ring_tb #(
  parameter int unsigned N        = 4,
  parameter int unsigned DataW    = 64,
  parameter int unsigned BufWords = 512
);

  localparam int Longest = 9000000;
  `include "tb.svh"

  int seed;
  int latency = 8, noise = 0, bubble = 20, slow = 20, len = -1, only = -1, boxes = 0;
  logic [N-1:0] go = '0, go_ack = '0;
  logic [2*N-1:0] cut = '0;            // cut[2n+p]: the wire from node n, port p
  logic show = 1'b0;                  // print where credit is missing
  longint now = 0;
  always @(posedge clk) now <= now + 1;

  // --------------------------------------------------------------- the ring
  logic [2*N-1:0]       tx_valid, rx_valid, up;
  logic [4*N-1:0]       tx_kind, rx_kind;
  logic [2*N*DataW-1:0] tx_data, rx_data;
  logic [N*32-1:0]      sent, acks, good, bad, lost, wrong, beats, stats_bad, stats_drop;
  logic [2*N*32-1:0]    damaged;
  logic [N*32-1:0]      ev_count, ev_last;
  logic [12*N-1:0]      full;          // all credit has returned, per link and channel
  logic [5*N-1:0]       mm;            // {valid, we, port, force}

  for (genvar n = 0; n < N; n++) begin : g_node
    logic             sv, sr, ss, se, self, again, av, ar, as, ae, dv, dr, ds, de, dx, ev;
    logic [1:0]       svn, avn, dvn;
    logic [2:0]       dready;
    logic [DataW-1:0] sd, ad, dd;
    logic [31:0]      evw;
    int               sent_n, acks_n, good_n, bad_n, lost_n, wrong_n, beats_n;
    logic [1:0]       st_hdr, st_crc, st_drop;
    int               n_hdr, n_drop, n_ev;
    logic [31:0]      last_ev;

    net_source #(.DataW(DataW)) u_source (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(16'(N - 1)), .go_i(go[n]),
      .nodes_i(int'(N)), .only_i(only < 0 ? -1 :
      (int'(n) + only) % int'(N)), .len_i(len), .bubble_i(bubble),
      .boxes_i(boxes), .shape_i(-1),
      .valid_o(sv), .ready_i(sr), .sop_o(ss), .eop_o(se), .self_o(self), .vn_o(svn), .data_o(sd),
      .again_i(again), .sent_o(sent_n), .hops_o(), .plays_o());
    net_source #(.DataW(DataW), .Ack(1'b1)) u_acks (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(16'(N - 1)), .go_i(go_ack[n]),
      .nodes_i(int'(N)), .only_i(-1), .len_i(-1), .bubble_i(bubble), .boxes_i(0), .shape_i(-1),
      .valid_o(av), .ready_i(ar), .sop_o(as), .eop_o(ae), .self_o(), .vn_o(avn), .data_o(ad),
      .again_i(1'b0), .sent_o(acks_n), .hops_o(), .plays_o());
    net_sink #(.DataW(DataW)) u_sink (
      .clk_i(clk), .rst_ni(rst_n), .node_i(int'(n)), .dims_i(16'(N - 1)), .slow_i(slow),
      .valid_i(dv), .ready_o(dr), .sop_i(ds), .eop_i(de), .err_i(dx), .vn_i(dvn), .data_i(dd),
      .vn_ready_o(dready),
      .good_o(good_n), .bad_o(bad_n), .lost_o(lost_n), .wrong_o(wrong_n), .beats_o(beats_n));

    tern_net #(.DataW(DataW), .BufWords(BufWords)) u_net (
      .clk_i(clk), .rst_ni(rst_n), .node_i(16'(n)), .dims_i(16'(N - 1)),
      .ltx_hold_i('0), .ltx_valid_o(tx_valid[2*n +: 2]), .ltx_kind_o(tx_kind[4*n +: 4]),
      .ltx_data_o (tx_data[2*n*DataW +: 2*DataW]),
      .lrx_valid_i(rx_valid[2*n +: 2]), .lrx_kind_i(rx_kind[4*n +: 4]),
      .lrx_data_i (rx_data[2*n*DataW +: 2*DataW]),
      .tx_valid_i(sv), .tx_ready_o(sr), .tx_more_o(), .tx_sop_i(ss), .tx_eop_i(se),
      .tx_self_i(self), .tx_vn_i(svn), .tx_data_i(sd), .tx_again_o(again), .ack_valid_i(av),
      .ack_ready_o(ar), .ack_more_o(), .ack_sop_i(as), .ack_eop_i(ae), .ack_data_i(ad),
      .rx_valid_o(dv), .rx_ready_i(dr), .rx_sop_o(ds), .rx_eop_o(de), .rx_err_o(dx), .rx_vn_o(dvn),
      .rx_data_o(dd), .rx_vn_ready_i(dready), .mm_valid_i(mm[5*n]), .mm_we_i(mm[5*n + 1]),
      .mm_addr_i(16'(tern_abi_pkg::MMIO_LINK + 16 * mm[5*n + 2])),
      .mm_wdata_i({30'd0, mm[5*n + 3], 1'b0}), .mm_ready_o(), .mm_rvalid_o(), .mm_rdata_o(),
      .ev_link_valid_o(ev), .ev_link_ready_i(1'b1), .ev_link_o(evw), .link_up_o(up[2*n +: 2]),
      .tr_link_out_o(), .tr_link_out_id_o(), .tr_link_in_o(), .tr_link_in_id_o(),
      .st_link_bad_hdr_o(st_hdr), .st_link_bad_crc_o(st_crc), .st_fwd_o(),
      .st_down_drop_o(st_drop), .st_link_down_o(), .st_link_sent_o());

    always @(posedge clk) begin
      if (!rst_n) begin
        n_hdr   <= 0;
        n_drop  <= 0;
        n_ev    <= 0;
        last_ev <= '0;
      end else begin
        n_hdr  <= n_hdr + int'(st_hdr) + int'(st_crc);
        n_drop <= n_drop + int'(st_drop);
        if (ev) begin
          n_ev    <= n_ev + 1;
          last_ev <= evw;
        end
      end
    end
    assign sent[32*n +: 32] = sent_n;
    assign acks[32*n +: 32] = acks_n;
    assign good[32*n +: 32] = good_n;
    assign bad[32*n +: 32] = bad_n;
    assign lost[32*n +: 32] = lost_n;
    assign wrong[32*n +: 32] = wrong_n;
    assign beats[32*n +: 32] = beats_n;
    assign stats_bad[32*n +: 32] = n_hdr;
    assign stats_drop[32*n +: 32] = n_drop;
    assign ev_count[32*n +: 32] = n_ev;
    assign ev_last[32*n +: 32] = last_ev;

    // Port 0 connects to port 1 of the next node, port 1 to port 0 of the previous one.
    for (genvar p = 0; p < 2; p++) begin : g_wire
      localparam int unsigned Peer = 2 * ((n + (p == 0 ? 1 : N - 1)) % N) + 1 - p;
      net_wire #(.DataW(DataW)) u_wire (
        .clk_i(clk), .rst_ni(rst_n), .latency_i(latency), .noise_i(noise), .cut_i(cut[2*n + p]),
        .valid_i(tx_valid[2*n + p]), .kind_i(tx_kind[2*(2*n + p) +: 2]),
        .data_i(tx_data[DataW*(2*n + p) +: DataW]),
        .valid_o(rx_valid[Peer]), .kind_o(rx_kind[2*Peer +: 2]),
        .data_o(rx_data[DataW*Peer +: DataW]), .damaged_o(damaged[32*(2*n + p) +: 32]));
      for (genvar c = 0; c < 6; c++) begin : g_channel
        assign full[6*(2*n + p) + c] =
          6'(u_net.g_link[p].u_link.u_tx.u_credit.limits[c] -
             u_net.g_link[p].u_link.u_tx.u_credit.sents[c]) ==
          6'(c > 3 ? 8 - 1 : (BufWords == 256 ? 10 : BufWords / 32) - 5);
        always @(posedge clk) begin
          if (show && !full[6*(2*n + p) + c])
            $display("# node %0d port %0d: credit of channel %0d is missing", n, p, c);
        end
      end
    end
  end

  function automatic int total(input logic [N*32-1:0] each);
    total = 0;
    for (int n = 0; n < int'(N); n++) total += int'(each[32*n +: 32]);
  endfunction

  // ------------------------------------------------------------------ phases
  // Checks a condition; on failure prints where credit is missing.
  task automatic judge(input logic ok, input string name);
    show <= !ok;
    if (!ok) @(posedge clk);
    show <= 1'b0;
    check(ok, name);
  endtask

  task automatic reset;
    rst_n = 1'b0;
    go = '0;
    go_ack = '0;
    mm = '0;
    cycles(5);
    rst_n = 1'b1;
    cycles(4 * latency + 200);
  endtask

  // Waits until nothing moves any more.
  task automatic settle;
    int moved;
    go = '0;
    go_ack = '0;
    do begin
      moved = total(beats);
      cycles(4 * latency + 9500);     // longer than a link waits before it resends
    end while (total(beats) != moved);
  endtask

  task automatic traffic(input int length);
    go = '1;
    go_ack = '1;
    cycles(length);
    settle();
  endtask

  task automatic force_port(input int n, input int p, input logic down);
    mm[5*n +: 4] = {down, 1'(p), 2'b11};
    cycles(1);
    mm[5*n +: 4] = '0;
  endtask

  task automatic whole(input int length, input string name);
    int sent0, good0, lost0;
    settle();
    sent0 = total(sent) + total(acks);
    good0 = total(good);
    lost0 = total(lost);
    traffic(length);
    judge(total(sent) + total(acks) - sent0 == total(good) - good0 && total(good) > good0 + 20 &&
          total(lost) == lost0 && total(wrong) == 0, name);
    $display("# %0d packets", total(good) - good0);
  endtask

  int t0, b0, d0, l0;

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    void'($urandom(seed));
    $display("# ring of %0d, %0d-bit beats, seed %0d", N, DataW, seed);

    reset();
    judge(up == '1, "links_are_up_soon_after_reset");
    whole(20000, "ring_delivers_each_packet_once_unchanged");
    judge(total(stats_bad) == 0 && total(bad) == 0, "clean_wires_count_no_errors");
    judge(&full, "all_credit_is_back_when_idle");

    slow = 80;
    bubble = 0;
    only = int'(N) / 2;
    whole(40000, "full_buffers_all_round_the_ring_drain");
    slow = 20;
    bubble = 20;
    only = -1;

    boxes = 50;
    whole(20000, "broadcasts_and_others_come_once_each");

    noise = 400;
    whole(30000, "damaged_wires_lose_nothing");
    noise = 0;
    judge(total(wrong) == 0 && total(bad) > 0 && total(stats_bad) > 0,
          "noise_is_counted_and_never_delivered_as_good");
    $display("# %0d headers refused or tails stomped, %0d packets closed with err",
             total(stats_bad), total(bad));
    judge(up == '1, "noise_does_not_take_links_down");
    traffic(20000);
    judge(&full, "noise_costs_no_credit");
    whole(10000, "ring_is_whole_after_noise");
    boxes = 0;

    // Cuts one direction during traffic: both ends must notice.
    b0 = total(ev_count);
    go = '1;
    go_ack = '1;
    cycles(3000);
    cut[0] = 1'b1;
    cycles(2000);
    judge(!up[0] && !up[2*(1 % N) + 1], "cut_takes_both_ends_down");
    judge(&(up | (2*N)'(1) | ((2*N)'(1) << (2*(1 % N) + 1))), "other_links_stay_up");
    judge(ev_last[31:0] == {tern_abi_pkg::EV_LINK, 28'd0} && total(ev_count) == b0 + 2,
          "each_end_tells_the_firmware");
    judge(total(stats_drop) > 0, "packets_for_a_link_that_is_down_are_counted");
    cut[0] = 1'b0;
    cycles(6000);
    judge(up == '1 && total(ev_count) == b0 + 4, "link_comes_back_and_says_so");
    traffic(20000);
    judge(total(wrong) == 0, "cut_delivers_nothing_wrong");
    judge(&full, "cut_costs_no_credit");
    whole(10000, "ring_is_whole_after_a_cut");

    force_port(0, 1, 1'b1);
    cycles(1000);
    judge(!up[1] && !up[2*(N - 1)], "force_down_takes_both_ends_down");
    force_port(0, 1, 1'b0);
    cycles(8000);
    judge(up == '1, "link_comes_back_when_let_go");
    traffic(10000);
    whole(10000, "ring_is_whole_after_force_down");

    // A long wire.
    latency = 2048;
    reset();
    judge(up == '1, "long_wire_comes_up");
    whole(20000, "long_wire_delivers");
    cut[0] = 1'b1;
    cycles(5000);
    judge(!up[0] && !up[2*(1 % N) + 1], "long_wire_cut_is_noticed");
    cut[0] = 1'b0;
    cycles(14000);
    judge(up == '1, "long_wire_comes_back");
    cycles(20000);
    judge(up == '1, "long_wire_stays_up");
    traffic(10000);
    whole(10000, "long_wire_delivers_after_the_cut");

    // Figures: all nodes send the largest packets to the next node; sinks are always ready.
    latency = 8;
    slow = 0;
    bubble = 0;
    only = 1;
    len = 512;
    reset();
    go = '1;
    cycles(2000);
    t0 = int'(now);
    b0 = total(beats);
    cycles(10000);
    $display("# neighbour traffic, 512-byte packets: %0d beats per 1000 cycles and node",
             (total(beats) - b0) * 1000 / (int'(now) - t0) / int'(N));
    judge((total(beats) - b0) * 1000 / (int'(now) - t0) / int'(N) > 965, "links_run_at_full_rate");
    len = 8;
    settle();
    go = '1;
    cycles(2000);
    t0 = int'(now);
    b0 = total(beats);
    cycles(10000);
    $display("# neighbour traffic, 8-byte packets: %0d beats per 1000 cycles and node",
             (total(beats) - b0) * 1000 / (int'(now) - t0) / int'(N));
    settle();
    if (N > 2) latency_of_a_hop();

    judge(total(wrong) == 0, "nothing_was_ever_wrong");
    tap_end();
  end

  // Measures the cycles between a packet's first beats on the wires before and after a hop.
  task automatic latency_of_a_hop;
    longint first, second;
    only = 2 % int'(N);
    len = 64;
    settle();
    go[0] = 1'b1;
    do @(posedge clk); while (!(tx_valid[0] && tx_kind[1:0] == 2'd1));
    go[0] = 1'b0;
    first = now;
    do @(posedge clk); while (!(tx_valid[2*(1 % N)] && tx_kind[4*(1 % N) +: 2] == 2'd1));
    second = now;
    $display("# hop: %0d cycles from wire to wire, %0d of them on the wire",
             second - first, latency);
    judge(second - first - latency <= (DataW == 64 ? 4 : 5), "a_hop_is_quick");
    settle();
  endtask

endmodule

`default_nettype wire
