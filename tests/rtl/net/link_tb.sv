// SPDX-License-Identifier: Apache-2.0
// Bench of two links connected by wires with latency and noise: packets of all channels, sizes and
// destinations at one end, outputs that are ready at random times at the other.
//
// Invariants while links are up: each output gets each of its packets of a channel once, unchanged
// and in order, whatever damage the wires do; and all credit has returned when the traffic has
// ended. `+seed=N` repeats a run.
//
// With `Cable`, the wires are an Ethernet cable between PHYs (tern_link_eth), whose frames are lost
// and damaged. A unit of the bench's time is then two nanoseconds.
`default_nettype none

module link_tb #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned BufWords = 512,
  parameter int unsigned Ports    = 2,
  parameter int unsigned Port     = 0,     // of the first end; the other end has the opposite port
  parameter bit          Cable    = 1'b0
);

  localparam int unsigned Beats  = 64 / DataW;    // a word
  localparam int unsigned Lap    = 4096;
  localparam int unsigned Blocks = BufWords == 256 ? 10 : BufWords / 32;
  localparam logic [14:0] Dims   = Ports == 2 ? 15'd6 : Ports == 4 ? {5'd0, 5'd3, 5'd4} :
                                   {5'd3, 5'd2, 5'd4};
  localparam logic [14:0] Me     = Ports == 2 ? 15'd3 : Ports == 4 ? {5'd0, 5'd1, 5'd2} :
                                   {5'd1, 5'd1, 5'd2};

  localparam int Longest = 9000000;
  `include "tb.svh"

  int seed;
  int latency = 8, noise = 0;
  int bubble = 20;                 // per cent of cycles without a beat
  int slow = 20;                   // ... in which outputs are not ready
  int closed = 50;                 // ... in which an output accepts no packet of a channel
  int stomps = 0;                  // packets in 1000 that end with an error
  int deposits = 50;               // per cent
  int only = -1, len = -1;         // channel, payload bytes
  int wrong = 0, lost = 0;
  int lose = 0, flip = 0;          // frames in 1000, on a cable
  logic lossy = 1'b0;              // packets may be lost
  logic [1:0] go = '0, cut = '0;
  int now = 0;
  logic [1:0] up, lv_o, lv_i;

  // Packets sent: {damaged, copies}, by sending end, channel and number.
  logic [15:0] attr [0:2*6*Lap-1];
  int          sent [0:11];
  int          next [0:2*6*8-1];   // next number, by receiving end, channel and output
  int          good [0:1];
  int          moved [0:1];        // beats
  int          again [0:1];        // packets that the sender read again
  logic [1:0]  tick;
  always @(posedge clk) begin
    now     <= now + 1;
    tick[0] <= now % 40 == 0;
    tick[1] <= now % 40 == 17;
  end

  function automatic logic [63:0] mix(input logic [31:0] id, input int index);
    mix = net_words_pkg::mix(id, index);
  endfunction

  function automatic logic [7:0] copies(input logic [14:0] dst, input logic [14:0] box,
                                        input logic deposit, input int port);
    int d, turned;
    logic rises, here;
    copies = '0;
    d    = port / 2;
    rises = port % 2 == 1;
    here = (deposit && !rises ? box[5*d +: 5] : dst[5*d +: 5]) == Me[5*d +: 5];
    if (!here) copies[port ^ 1] = 1'b1;
    if (deposit) begin
      for (int k = d + 1; k < int'(Ports) / 2; k++) begin
        copies[2*k]     = dst[5*k +: 5] != Me[5*k +: 5];
        copies[2*k + 1] = box[5*k +: 5] != Me[5*k +: 5];
      end
      copies[Ports] = 1'b1;
    end else if (here) begin
      turned = -1;
      for (int k = int'(Ports) / 2 - 1; k > d; k--) if (dst[5*k +: 5] != Me[5*k +: 5]) turned = k;
      if (turned < 0) copies[Ports] = 1'b1;
      else            copies[2*turned + int'(box[turned])] = 1'b1;
    end
  endfunction

  function automatic logic [14:0] address();
    address = Me;
    for (int k = 0; k < int'(Ports) / 2; k++)
      if ($urandom_range(1) == 0) address[5*k +: 5] = 5'($urandom_range(int'(Dims[5*k +: 5])));
  endfunction

  function automatic int payload();
    int pick;
    pick    = $urandom_range(5);
    payload = len >= 0 ? len : pick == 0 ? 0 : pick == 1 ? 8 : pick == 2 ? 512 :
        8 * $urandom_range(64);
  endfunction

  // ------------------------------------------------------------------- two ends
  logic [3:0]         lk_o, lk_i;
  logic [2*DataW-1:0] ld_o, ld_i;
  int                 damaged [0:1];
  int                 frames [0:1];
  int                 against [0:1];       // frames against the rules of Ethernet
  int                 held [0:1];          // cycles
  logic [33:0]        under_way [0:1][$];  // beats
  int                 since [0:1][$];      // when they left
  logic               strict = 1'b1;       // every beat must come, in order
  logic [1:0]         rxc, rx_ctl;
  logic [7:0]         rxd;
  int                 strays = 0, longest = 0, overruns = 0;
  int                 busy_tx [0:1];
  logic [11:0]        full;

  for (genvar e = 0; e < 2; e++) begin : g_end
    localparam int unsigned At = e == 0 ? Port : Port ^ 1;
    logic             tv, tr, ts, te, tx, tdl, req, rdl, able, pv, pr, ps, pe, px, pdl;
    logic [1:0]       tvn, rvn, pvn;
    logic [5:0]       room;
    logic [DataW-1:0] td, pd;
    logic [Ports:0]   owed, grant, mask;
    logic [7:0]       open [0:5];       // by channel: outputs that accept packets

    logic back;
    tern_link #(
      .DataW(DataW), .BufWords(BufWords), .Port(At), .Ports(Ports), .Held(Cable)
    ) u_link (
      .clk_i(clk), .rst_ni(rst_n), .tick_i(tick[e]), .dims_i({1'b0, Dims}), .node_i(Me),
      .force_down_i(1'b0), .up_o(up[e]), .rose_o(), .fell_o(), .why_o(), .origins_i(6'd1),
      .weight_o(),
      .tx_valid_i(tv), .tx_near_i(tv), .tx_ready_o(tr), .tx_sop_i(ts), .tx_eop_i(te), .tx_err_i(tx),
      .tx_vn_i(tvn), .tx_dl_i(tdl), .tx_data_i(td), .room_o(room),
      .req_o(req), .owed_o(owed), .req_vn_o(rvn), .req_dl_o(rdl), .able_i(able), .grant_i(grant),
      .pk_ready_i(pr), .pk_valid_o(pv), .pk_sop_o(ps), .pk_eop_o(pe), .pk_err_o(px),
      .pk_vn_o(pvn), .pk_dl_o(pdl), .pk_data_o(pd),
      .ltx_hold_i(back),
      .ltx_valid_o(lv_o[e]), .ltx_kind_o(lk_o[2*e +: 2]), .ltx_data_o(ld_o[DataW*e +: DataW]),
      .lrx_valid_i(lv_i[e]), .lrx_kind_i(lk_i[2*e +: 2]), .lrx_data_i(ld_i[DataW*e +: DataW]),
      .sent_o(), .drop_o(), .good_o(), .bad_hdr_o(), .bad_crc_o(),
      .out_o(), .out_name_o(), .in_o(), .in_name_o());

    if (Cable) begin : g_cable
      // The clocks of the lines differ by 500 ppm.
      logic       line_clk = 1'b0, line_rst_n, rx_rst_n, txc, tx_ctl;
      logic       in_valid, in_error, out_valid, overrun;
      logic [3:0] txd;
      logic [7:0] in_byte, out_byte;
      if (e == 0) begin : g_slow
        always #2.001 line_clk = !line_clk;
      end else begin : g_quick
        always #2.000 line_clk = !line_clk;
      end
      phy_cable u_cable (
        .latency_i(latency), .lose_i(lose), .flip_i(flip), .cut_i(cut[e]),
        .txc_i(txc), .tx_ctl_i(tx_ctl), .txd_i(txd),
        .rxc_o(rxc[1-e]), .rx_ctl_o(rx_ctl[1-e]), .rxd_o(rxd[4*(1-e) +: 4]),
        .frames_o(frames[e]), .wrong_o(against[e]), .faults_o(damaged[e]));
      tern_cdc_reset u_line_reset (.clk_i(line_clk), .ok_i(rst_n), .rst_no(line_rst_n));
      tern_cdc_reset u_rx_reset   (.clk_i(rxc[e]), .ok_i(rst_n), .rst_no(rx_rst_n));
      tern_rgmii u_rgmii (
        .rxc_i(rxc[e]), .rx_ctl_i(rx_ctl[e]), .rxd_i(rxd[4*e +: 4]),
        .txc_o(txc), .tx_ctl_o(tx_ctl), .txd_o(txd),
        .valid_o(in_valid), .error_o(in_error), .byte_o(in_byte),
        .clk_i(line_clk), .valid_i(out_valid), .byte_i(out_byte));
      tern_link_eth u_eth (
        .overrun_o(overrun),
        .clk_i(clk), .rst_ni(rst_n),
        .ltx_valid_i(lv_o[e]), .ltx_kind_i(lk_o[2*e +: 2]), .ltx_data_i(32'(ld_o[DataW*e +: 32])),
        .ltx_hold_o(back),
        .lrx_valid_o(lv_i[e]), .lrx_kind_o(lk_i[2*e +: 2]), .lrx_data_o(ld_i[DataW*e +: 32]),
        .rx_clk_i(rxc[e]), .rx_rst_ni(rx_rst_n),
        .rx_valid_i(in_valid), .rx_error_i(in_error), .rx_byte_i(in_byte),
        .tx_clk_i(line_clk), .tx_rst_ni(line_rst_n), .tx_valid_o(out_valid), .tx_byte_o(out_byte));

      always @(posedge clk) begin
        if (!rst_n || !strict) begin
          under_way[e] = {};
          since[e] = {};
        end else if (lv_o[e]) begin
          under_way[e].push_back({lk_o[2*e +: 2], 32'(ld_o[DataW*e +: 32])});
          since[e].push_back(now);
        end
        if (rst_n && strict && lv_i[e]) begin
          if (under_way[1-e].size() == 0 ||
              under_way[1-e][0] != {lk_i[2*e +: 2], 32'(ld_i[DataW*e +: 32])}) strays++;
          else begin
            if (now - since[1-e][0] > longest) longest = now - since[1-e][0];
            void'(under_way[1-e].pop_front());
            void'(since[1-e].pop_front());
          end
        end
        held[e] <= held[e] + int'(back);
        if (rst_n && overrun) overruns++;
      end
    end else begin : g_wire
      assign back = 1'b0;
      assign frames[e] = 0;
      assign against[e] = 0;
      initial held[e] = 0;
      net_wire #(.DataW(DataW)) u_wire (
        .clk_i(clk), .rst_ni(rst_n), .latency_i(latency), .noise_i(noise), .cut_i(cut[e]),
        .valid_i(lv_o[e]), .kind_i(lk_o[2*e +: 2]), .data_i(ld_o[DataW*e +: DataW]),
        .valid_o(lv_i[1-e]), .kind_o(lk_i[2*(1-e) +: 2]), .data_o(ld_i[DataW*(1-e) +: DataW]),
        .damaged_o(damaged[e]));
    end

    for (genvar c = 0; c < 6; c++) begin : g_full
      assign full[6*e + c] = 6'(u_link.u_tx.u_credit.limits[c] -
                                u_link.u_tx.u_credit.sents[c]) ==
                             6'(c > 3 ? 8 - 1 : int'(Blocks) - 5);
    end

    always @(posedge clk) begin
      if (rst_n && !lossy && u_link.fell_o)
        $display("# end %0d: link fell: silence %0d, peer %b, word %h, at %0d", e,
                 u_link.u_state.silence_q, u_link.u_state.peer_q, u_link.u_rx.ctl_q, now);
    end

    // ---- sends
    int          words, beat, ch, number;
    logic [14:0] dst, box;
    logic        deposit, stomp, busy, hold;
    logic [63:0] word;

    always_comb begin
      word = mix({3'(ch), 29'(number)}, beat / int'(Beats));
      if (beat / int'(Beats) == 0) begin
        word = '0;
        word[14:0]  = dst;
        word[15]    = deposit;
        word[17:16] = 2'(ch / 2);
        word[25:18] = 8'(words);
        word[46:32] = box;
      end
      if (beat / int'(Beats) == 1) word[31:0] = {3'(ch), 29'(number)};
    end
    assign tv  = busy && !hold;
    assign ts  = beat == 0;
    assign te  = beat == words * int'(Beats) - 1;
    assign tx  = stomp && te;
    assign tvn = 2'(ch / 2);
    assign tdl = 1'(ch % 2);
    assign td  = word[(beat * DataW) % 64 +: DataW];
    assign busy_tx[e] = int'(busy);

    task automatic start;
      int c, pick, bytes;
      logic [7:0] cp;
      pick = $urandom_range(5);
      c    = only >= 0 ? only : pick;
      if (room[c]) begin
        bytes   = c > 3 ? 0 : payload();
        number  <= sent[6*e + c];
        ch      <= c;
        words   <= 5 + bytes / 8;
        beat    <= 0;
        busy    <= 1'b1;
        hold    <= 1'b0;      // the room is known in this cycle; the first beat comes in the next
        stomp   <= $urandom_range(999) < stomps;
        deposit <= $urandom_range(99) < deposits;
        dst     <= address();
        box     <= address();
      end
    endtask

    always @(posedge clk) begin
      if (!rst_n) begin
        busy <= 1'b0;
        hold <= 1'b0;
        beat <= 0;
        words <= 5;
        ch <= 0;
        for (int c = 0; c < 6; c++) sent[6*e + c] = 0;
      end else begin
        if (tv && tr) begin
          // Counts a packet with its first beat.
          if (ts) begin
            attr[(6*e + ch) * Lap + number % Lap] = {7'd0, stomp, copies(dst, box, deposit,
                                                     e == 0 ? int'(Port ^ 1) : int'(Port))};
            sent[6*e + ch] = number + 1;
          end
          beat <= beat + 1;
          if (te) busy <= 1'b0;
        end
        if (!tv || tr) hold <= $urandom_range(99) < bubble;
        if (go[e] && (!busy || (tv && tr && te))) start();
      end
    end

    // ---- receives
    logic [79*64-1:0] packet;
    int               at_beat;
    logic [Ports:0]   may;
    assign may  = owed & (Ports+1)'(open[{rvn, rdl}]);
    assign able = may != '0;

    task automatic judge;
      int c, n, words_in;
      logic [63:0] w, want;
      logic [31:0] id;
      logic [7:0]  cp;
      w        = packet[63:0];
      words_in = int'(w[25:18]);
      c        = int'({pvn, pdl});
      cp       = copies(w[14:0], w[46:32], w[15], int'(At));
      w        = packet[127:64];
      id       = w[31:0];
      n        = int'(id[28:0]);
      if (int'(id[31:29]) != c || at_beat != words_in * int'(Beats) ||
          (8'(grant) & ~cp) != '0) begin
        $display("# end %0d: packet %h on channel %0d, outputs %b of %b, %0d beats", e, id, c,
                 grant, cp, at_beat);
        wrong++;
      end
      w = packet[63:0];
      if (w[17:16] != 2'(c / 2) || w[47] != 1'(c % 2)) begin
        $display("# end %0d: packet %h says channel %0d%b", e, id, w[17:16], w[47]);
        wrong++;
      end
      for (int i = 1; i < words_in; i++) begin
        want = mix(id, i);
        if (i == 1) want[31:0] = id;
        w = packet[64*i +: 64];
        if (i == words_in - 1) {w[63:32], want[63:32]} = '0;
        if (w != want) begin
          $display("# end %0d: word %0d of packet %h is %h, not %h", e, i, id, w, want);
          wrong++;
        end
      end
      for (int o = 0; o <= int'(Ports); o++) if (grant[o]) follow(c, o, n);
      good[e]++;
    endtask

    // Output o gets packet n of channel c: counts its earlier missing packets as lost.
    task automatic follow(input int c, input int o, input int n);
      int p;
      logic [15:0] a;
      p = (6*e + c) * 8 + o;
      if (n < next[p]) begin
        $display("# end %0d: packet %0d of channel %0d comes again at output %0d", e, n, c, o);
        wrong++;
      end
      while (next[p] < n) begin
        a = attr[(6*(1-e) + c) * Lap + next[p] % Lap];
        if (a[o] && !a[8]) begin
          lost++;
          if (!lossy) $display("# end %0d: packet %0d of channel %0d is lost at output %0d", e,
                               next[p], c, o);
        end
        next[p]++;
      end
      next[p] = n + 1;
    endtask

    always @(posedge clk) begin
      if (!rst_n) begin
        grant <= '0;
        pr <= 1'b0;
        good[e] = 0;
        moved[e] = 0;
        again[e] = 0;
        for (int i = 0; i < 48; i++) next[48*e + i] = 0;
        for (int c = 0; c < 6; c++) open[c] <= '0;
      end else begin
        if (pv && pr) begin
          moved[e]++;
          if (ps) at_beat = 0;
          packet[DataW*at_beat +: DataW] = pd;
          at_beat = at_beat < 150 ? at_beat + 1 : at_beat;
          if (pe && !px) judge();
        end
        if (grant == '0 || (pv && pr && pe)) begin
          mask = (Ports+1)'($urandom) & may;
          if (mask == '0) mask = may;
          grant <= req && able && $urandom_range(99) >= slow ? mask : '0;
          if (req && able && mask != owed) again[e]++;
        end
        pr <= $urandom_range(99) >= slow;
        for (int c = 0; c < 6; c++)
          for (int o = 0; o <= int'(Ports); o++)
            if ($urandom_range(15) == 0) open[c][o] <= $urandom_range(99) >= closed;
      end
    end
  end

  // ------------------------------------------------------------------- phases
  task automatic reset;
    rst_n = 1'b0;
    go = '0;
    cut = '0;
    cycles(8);
    rst_n = 1'b1;
    cycles(4 * latency + 200);
  endtask

  // Waits until nothing moves any more; missing packets then count as lost.
  task automatic settle;
    int m;
    go = '0;
    do begin
      m = moved[0] + moved[1];
      cycles(4 * latency + 9500);     // longer than a link waits before it resends
    end while (moved[0] + moved[1] != m);
    for (int e = 0; e < 2; e++)
      for (int c = 0; c < 6; c++)
        for (int o = 0; o <= int'(Ports); o++)
          while (next[(6*e + c) * 8 + o] < sent[6*(1-e) + c]) begin
            if (attr[(6*(1-e) + c) * Lap + next[(6*e + c) * 8 + o] % Lap][o] &&
                !attr[(6*(1-e) + c) * Lap + next[(6*e + c) * 8 + o] % Lap][8]) begin
              lost++;
              if (!lossy) $display("# end %0d: packet %0d of channel %0d never came to output %0d",
                                   e, next[(6*e + c) * 8 + o], c, o);
            end
            next[(6*e + c) * 8 + o]++;
          end
    for (int i = 0; i < 12; i++)
      if (!full[i]) $display("# end %0d: credit of channel %0d is missing", i / 6, i % 6);
  endtask

  task automatic whole(input int length, input string name);
    int g, l, w;
    g = good[0] + good[1];
    l = lost;
    w = wrong;
    go = '1;
    cycles(length);
    settle();
    check(lost == l && wrong == w && good[0] + good[1] > g + 20 && &full, name);
    $display("# %0d packets", good[0] + good[1] - g);
  endtask

  // Counts beats in 1000 cycles at one end, with all outputs ready.
  task automatic rate(input int bytes, input int channel, input int wanted, input string name);
    int b;
    len = bytes;
    only = channel;
    slow = 0;
    bubble = 0;
    closed = 0;
    deposits = 0;
    go = 2'b01;
    cycles(3000);
    b = moved[1];
    cycles(10000);
    $display("# %0s: %0d beats in 1000 cycles", name, (moved[1] - b) / 10);
    if (Cable) $display("# evidence %0s: %0d of 1000 of 1 Gb/s", name, (moved[1] - b) * 4 / 25);
    check((moved[1] - b) / 10 >= wanted, name);
    settle();
    slow = 20;
    bubble = 20;
    closed = 50;
    deposits = 50;
    len = -1;
    only = -1;
  endtask

  int l0, idle_longest;

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    void'($urandom(seed));
    $display("# two links of %0d ports, port %0d, %0d-bit beats, seed %0d", Ports, Port, DataW,
             seed);

    if (Cable) latency = 60;
    reset();
    if (Cable) cycles(600);
    check(up == '1, "links_are_up_soon_after_reset");
    cycles(500);
    idle_longest = longest;
    check(&full, "all_credit_is_told_at_once");
    whole(20000, "each_output_gets_each_packet_once");
    closed = 90;
    slow = 50;
    whole(40000, "outputs_that_are_seldom_able_get_each_packet");
    closed = 0;
    slow = 0;
    bubble = 0;
    whole(10000, "full_speed_loses_nothing");
    closed = 50;
    slow = 20;
    bubble = 20;
    stomps = 100;
    whole(20000, "stomped_packets_cost_no_credit_and_nothing_else");

    if (Cable) begin
      check(strays == 0 && under_way[0].size() + under_way[1].size() < 100,
            "a_cable_without_faults_loses_no_beat_and_swaps_none");
      check(held[0] > 1000 && held[1] > 1000, "both_links_were_held_back");
    end
    strict = 1'b0;

    // Of a thousand beats, or of a hundred frames.
    noise = 400;
    lose = 10;
    flip = 10;
    stomps = 20;
    whole(30000, "damaged_wires_lose_nothing");
    noise = 1000;
    lose = 100;
    flip = 100;
    closed = 80;
    whole(Cable ? 90000 : 30000, "badly_damaged_wires_lose_nothing");
    if (Cable) begin
      $display("# evidence %0d of %0d frames were lost or damaged", damaged[0] + damaged[1],
               frames[0] + frames[1]);
      check(damaged[0] + damaged[1] > 100, "many_frames_were_lost_or_damaged");
    end
    closed = 50;
    noise = 0;
    lose = 0;
    flip = 0;
    stomps = 0;
    check(up == '1, "noise_does_not_take_links_down");
    whole(10000, "links_are_whole_after_noise");

    // Cuts a wire during traffic: packets may be lost, and no other error may occur.
    lossy = 1'b1;
    closed = 80;
    l0 = wrong;
    go = '1;
    cycles(3000);
    cut[0] = 1'b1;
    cycles(Cable ? 3000 : 1000);
    check(up == '0, "cut_takes_both_ends_down");
    cut[0] = 1'b0;
    cycles(6000);
    check(up == '1, "links_come_back");
    settle();
    check(wrong == l0 && &full, "a_cut_costs_no_credit");
    lossy = 1'b0;
    closed = 50;
    whole(10000, "links_are_whole_after_a_cut");

    if (Cable) begin
      rate(512, 2, 537, "one_channel_of_long_packets_runs_at_the_rate_of_the_line");
      rate(512, -1, 537, "all_channels_run_at_the_rate_of_the_line");
      rate(64, 0, 537, "one_channel_of_short_packets_runs_well_on_a_line");
      check(overruns == 0, "a_link_that_is_held_back_sends_no_beat_too_many");
      $display("# evidence a beat takes %0d cycles at most on an idle line, %0d on a busy one",
               idle_longest, longest);
      check(idle_longest < 100 && longest < 150, "a_beat_waits_for_no_frame_to_be_complete");
      check(against[0] == 0 && against[1] == 0 && frames[0] > 1000,
            "every_frame_keeps_the_rules_of_Ethernet");
      check(wrong == 0, "nothing_was_ever_wrong");
      tap_end();
    end
    rate(512, 2, 965, "one_channel_of_long_packets_runs_at_full_rate");
    rate(512, -1, DataW == 64 ? 900 : 900, "all_channels_run_at_full_rate");
    rate(64, 0, 700, "one_channel_of_short_packets_runs_well");
    rate(0, 4, 500, "acks_run_well");

    for (int i = 0; i < 3; i++) begin
      latency = i == 0 ? 64 : i == 1 ? 500 : 2048;
      reset();
      check(up == '1, "longer_wire_comes_up");
      whole(20000, "longer_wire_delivers");
      noise = 200;
      whole(30000, "longer_damaged_wire_loses_nothing");
      noise = 0;
    end

    $display("# %0d packets were read more than once", again[0] + again[1]);
    check(wrong == 0 && again[0] + again[1] > 10, "nothing_was_ever_wrong");
    tap_end();
  end

endmodule

`default_nettype wire
