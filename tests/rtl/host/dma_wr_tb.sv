// SPDX-License-Identifier: Apache-2.0
// Bench of tern_dma_wr: deposits and firmware writes of all lengths and alignments, words of the
// atomic unit and its commands without bytes; every byte, the order of bursts and the answers are
// compared, and idle beats are counted. The host loses answers, and gives some of them much later.
`default_nettype none

module dma_wr_tb #(
  parameter int unsigned DataW  = 64,
  parameter int unsigned Rounds = 3000
);
`include "tb.svh"
  localparam int unsigned Lanes = DataW / 8;

  logic             rxc_valid, rxc_ready, rxc_read_done, rxd_valid, rxd_ready, rxd_err;
  logic [4:0]       rxc_slot;
  logic [10:0]      rxc_bytes;
  logic [7:0]       rxc_fn;
  logic [63:0]      rxc_addr;
  logic [15:0]      rxc_id;
  logic             fwc_valid, fwc_ready, fwc_read_done, fwd_valid, fwd_err;
  logic [1:0]       fwc_kind;
  logic [4:0]       fwc_slot;
  logic [10:0]      fwc_bytes;
  logic [7:0]       fwc_fn;
  logic [11:0]      fwc_id;
  logic [63:0]      fwc_addr;
  logic             at_valid, at_ready, at_word, at_req, at_done, at_err;
  logic [7:0]       at_fn;
  logic [63:0]      at_addr;
  logic [DataW-1:0] at_rdata;
  logic             fd_req;
  logic [2:0]       fd_beat;
  logic [DataW-1:0] fd_rdata;
  logic             pb_req;
  logic [4:0]       pb_slot;
  logic [7:0]       pb_word;
  logic [DataW-1:0] pb_rdata;
  logic             hwr_valid, hwr_ready, hwr_last, hwr_irq, hwb_valid, hwb_err;
  logic [7:0]       hwr_fn, hwr_tag, hwb_tag;
  logic [3:0]       period = '0;
  logic [63:0]      hwr_addr;
  logic [10:0]      hwr_bytes, st_bytes;
  logic [DataW-1:0] hwr_data;
  logic             tr_dep_first, tr_dep_last, tr_hwr_first, tr_irq, st_hwr, st_irq, st_fault;
  logic [15:0]      tr_dep_id, tr_hwr_id, tr_irq_id;

  tern_dma_wr #(.DataW(DataW)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .rxc_valid_i(rxc_valid), .rxc_ready_o(rxc_ready), .rxc_slot_i(rxc_slot),
    .rxc_bytes_i(rxc_bytes), .rxc_fn_i(rxc_fn), .rxc_addr_i(rxc_addr), .rxc_id_i(rxc_id),
    .rxc_read_done_o(rxc_read_done), .rxd_valid_o(rxd_valid), .rxd_ready_i(rxd_ready),
    .rxd_err_o(rxd_err), .fwc_valid_i(fwc_valid), .fwc_ready_o(fwc_ready), .fwc_kind_i(fwc_kind),
    .fwc_slot_i(fwc_slot), .fwc_bytes_i(fwc_bytes), .fwc_fn_i(fwc_fn), .fwc_addr_i(fwc_addr),
    .at_valid_i(at_valid), .at_ready_o(at_ready), .at_word_i(at_word), .at_fn_i(at_fn),
    .at_addr_i(at_addr), .at_req_o(at_req), .at_rdata_i(at_rdata), .at_done_o(at_done),
    .at_err_o(at_err), .fd_req_o(fd_req), .fd_beat_o(fd_beat), .fd_rdata_i(fd_rdata),
    .fwc_id_i(fwc_id), .fwc_read_done_o(fwc_read_done), .fwd_valid_o(fwd_valid),
    .fwd_err_o(fwd_err), .pb_req_o(pb_req), .pb_slot_o(pb_slot), .pb_word_o(pb_word),
    .pb_rdata_i(pb_rdata), .hwr_valid_o(hwr_valid), .hwr_ready_i(hwr_ready), .hwr_fn_o(hwr_fn),
    .hwr_addr_o(hwr_addr), .hwr_bytes_o(hwr_bytes), .hwr_data_o(hwr_data), .hwr_last_o(hwr_last),
    .hwr_irq_o(hwr_irq), .hwr_tag_o(hwr_tag),
    .hwb_valid_i(hwb_valid), .hwb_tag_i(hwb_tag), .hwb_err_i(hwb_err), .period_i(period),
    .hold_i(1'b0), .commands_o(), .writes_o(),
    .tr_dep_first_o(tr_dep_first), .tr_dep_last_o(tr_dep_last), .tr_dep_id_o(tr_dep_id),
    .tr_hwr_first_o(tr_hwr_first), .tr_hwr_id_o(tr_hwr_id), .tr_irq_o(tr_irq),
    .tr_irq_id_o(tr_irq_id), .st_hwr_o(st_hwr), .st_hwr_bytes_o(st_bytes), .st_irq_o(st_irq),
    .st_hwr_fault_o(st_fault)
  );

  // --- payload RAM: each byte depends on its address -------------------------
  function automatic logic [7:0] payload(input logic [4:0] slot, input int unsigned at);
    return 8'((32'(slot) * 37 + at * 101 + at / 256) ^ 32'h5a);
  endfunction
  always @(posedge clk) begin
    pb_rdata <= {(DataW / 32){rnd()}};
    if (at_req) pb_rdata <= '0;
    if (pb_req)
      for (int unsigned i = 0; i < Lanes;
           i++) pb_rdata[8*i+:8] <= payload(pb_slot, 32'(pb_word) * Lanes + i);
  end

  // ---- commands as given, by source ---------------------------------------
  // A command has a number; deposits have even numbers, those of the atomic unit count down.
  localparam int unsigned Most = 65536;
  logic [1:0]  c_kind  [0:Most-1];
  logic [4:0]  c_slot  [0:Most-1];
  int unsigned c_bytes [0:Most-1];
  logic [7:0]  c_fn    [0:Most-1];
  logic [63:0] c_addr  [0:Most-1];
  logic [15:0] c_vec   [0:Most-1];
  logic [15:0] c_id    [0:Most-1];
  int unsigned rx_sent [$], fw_sent [$], at_sent [$];     // not yet seen at the port

  function automatic logic [7:0] own_data(input int unsigned n, input int unsigned at);
    return 8'(n * 59 + at * 83 + 7);
  endfunction
  bit   running = 1'b0, only_rx = 1'b0;
  int unsigned rx_n = 0, fw_n = 0, rx_done = 0, fw_done = 0, rx_read = 0, fw_read = 0;
  int unsigned bad = 0, ready_percent = 60, bursts = 0, fixed_bytes = 0;
  int unsigned rx_taken = 0, latency = 0;

  function automatic int unsigned length();
    case (below(4))
      0: return below(10);
      1: return 512 - below(10);
      default: return below(513);
    endcase
  endfunction

  always begin
    @(posedge clk);
    if (running && !at_wants && (only_rx || chance(30))) begin
      do begin
        deposit();
        @(posedge clk);
        while (!rxc_ready) @(posedge clk);
      end while (only_rx && running);  // the next command is valid in the very next cycle
      rxc_valid <= 1'b0;
      {rxc_bytes, rxc_fn, rxc_addr} <= '0;
    end
  end

  // The atomic unit requests when no deposit does, and no deposit begins meanwhile.
  bit          at_wants = 1'b0;
  int unsigned at_n = 0, at_ended = 0, at_beat;
  always begin
    @(posedge clk);
    if (running && !only_rx && chance(20)) begin
      at_wants = 1'b1;
      repeat (2) @(posedge clk);
      while (rxc_valid) @(posedge clk);
      at_write();
      @(posedge clk);
      while (!at_ready) @(posedge clk);
      {at_valid, at_word, at_fn, at_addr} <= '0;
      repeat (2) @(posedge clk);
      at_wants = 1'b0;
    end
  end

  task automatic at_write();
    int unsigned c;
    c = Most - 1 - at_n;
    c_kind[c]  = 2'd0;
    c_bytes[c] = chance(50) ? 8 : 0;
    c_fn[c]    = c_bytes[c] != 0 ? 8'(rnd()) : 8'd0;
    c_addr[c]  = c_bytes[c] != 0 ? {rnd(), rnd() & ~32'd7} : 64'd0;
    at_valid <= 1'b1;
    at_word  <= c_bytes[c] != 0;
    at_fn    <= c_fn[c];
    at_addr  <= c_addr[c];
    at_n = at_n + 1;
    at_beat = 0;
    if (c_bytes[c] != 0) at_sent.push_back(c);
    at_zero.push_back(c_bytes[c] == 0);
  endtask

  // Drives its beats in order; 0 when it has no request.
  always @(posedge clk) begin
    at_rdata <= '0;
    if (at_req) begin
      for (int unsigned i = 0; i < Lanes;
           i++) at_rdata[8*i+:8] <= own_data(Most - at_n, at_beat * Lanes + i);
      if (!at_valid) bad = bad + 1;
      at_beat = at_beat + 1;
    end
  end

  task automatic deposit();
    int unsigned c;
    c = 2 * rx_n;
    c_kind[c]  = 2'd1;
    c_slot[c]  = 5'(below(12));
    c_bytes[c] = fixed_bytes != 0 ? fixed_bytes : length();
    c_fn[c]    = 8'(rnd());
    c_addr[c]  = {rnd(), rnd()};
    if (fixed_bytes != 0) c_addr[c][5:0] = '0;
    c_id[c]    = 16'(rnd());
    rxc_valid <= 1'b1;
    rxc_slot  <= c_slot[c];
    rxc_bytes <= 11'(c_bytes[c]);
    rxc_fn    <= c_fn[c];
    rxc_addr  <= c_addr[c];
    rxc_id    <= c_id[c];
    rx_n = rx_n + 1;
    if (c_bytes[c] != 0) rx_sent.push_back(c);
    rx_zero.push_back(c_bytes[c] == 0);
  endtask

  always begin
    @(posedge clk);
    if (running && !only_rx && chance(30)) begin
      fw_write();
      @(posedge clk);
      while (!fwc_ready) @(posedge clk);
      fwc_valid <= 1'b0;
    end
  end

  task automatic fw_write();
    int unsigned c;
    c = 2 * fw_n + 1;
    c_kind[c]  = 2'(below(3));
    c_slot[c]  = 5'(below(12));
    c_bytes[c] = c_kind[c] == 2'd0 ? below(33) : length();
    c_fn[c]    = 8'(rnd());
    c_addr[c]  = {rnd(), rnd()};
    c_vec[c]   = 16'(rnd());
    c_id[c]    = {8'd0, 8'(rnd())};
    fwc_valid  <= 1'b1;
    fwc_kind   <= c_kind[c];
    fwc_slot   <= c_slot[c];
    fwc_bytes  <= c_kind[c] == 2'd2 ? 11'd2 : 11'(c_bytes[c]);
    fwc_fn     <= c_fn[c];
    fwc_addr   <= c_kind[c] == 2'd2 ? '0 : c_addr[c];
    fwc_id     <= 12'(c_id[c][7:0]);
    fw_n = fw_n + 1;
    if (c_bytes[c] != 0 || c_kind[c] == 2'd2) fw_sent.push_back(c);
    fw_zero.push_back(c_bytes[c] == 0 && c_kind[c] != 2'd2);
  endtask

  // The block reads a command's data, and an interrupt's vector, while the command is valid.
  int unsigned fw_at;
  always @(posedge clk) begin
    fd_rdata <= {(DataW / 32){rnd()}};
    if (fd_req) begin
      fw_at = 2 * (fw_n - 1) + 1;
      if (!fwc_valid) bad = bad + 1;
      for (int unsigned i = 0; i < Lanes; i++)
        fd_rdata[8*i+:8] <= own_data(fw_at, 32'(fd_beat) * Lanes + i);
      if (c_kind[fw_at] == 2'd2) fd_rdata[15:0] <= c_vec[fw_at];
    end
  end

  // ---- the port ----------------------------------------------------------------------------
  int unsigned now;
  bit          now_fw, now_at, in_burst = 1'b0;
  int unsigned beat, idle = 0, longest_idle = 0, beats = 0;
  bit          b_err [$];     // bursts that wait for their answer
  bit          b_fw [$], b_at [$], b_lost [$];
  logic [7:0]  b_tag [$];
  localparam int unsigned Period = 400;
  int unsigned lose_percent = 3, lost = 0, late = 0;
  always @(posedge clk) if (cycle % Period == 0) period <= period + 1'b1;

  always @(posedge clk) begin
    hwr_ready <= chance(ready_percent);
    if (hwr_valid && hwr_ready) take_beat();
    if (!in_burst && !hwr_valid) idle = idle + 1;
  end

  task automatic take_beat();
    int unsigned at, total, off;
    bit fits;
    if (!in_burst) begin
      if (idle > longest_idle) longest_idle = idle;
      idle = 0;
      beat = 0;
      now_fw = tr_hwr_first || tr_irq;
      now_at = !now_fw && !tr_dep_first;
      if (now_fw ? fw_sent.size() == 0 : now_at ? at_sent.size() == 0 : rx_sent.size() == 0) begin
        complain("burst out of nothing");
        bad = bad + 1;
        return;
      end
      if (now_fw) now = fw_sent.pop_front();
      else if (now_at) now = at_sent.pop_front();
      else now = rx_sent.pop_front();
      bursts = bursts + 1;
      if (!now_fw && !now_at && (!tr_dep_first || tr_dep_id != c_id[now])) bad = bad + 1;
      if (now_fw && c_kind[now] != 2'd2 && (tr_hwr_id != c_id[now] || !st_hwr)) bad = bad + 1;
      if (st_hwr && st_bytes != 11'(c_bytes[now])) bad = bad + 1;
    end
    beats = beats + 1;
    if (c_kind[now] == 2'd2 && now_fw) begin
      if (!hwr_irq || !hwr_last || hwr_data[15:0] != c_vec[now] || hwr_fn != c_fn[now] || !st_irq
          || tr_irq_id != {c_vec[now][7:0], c_fn[now]}) begin
        complain("wrong interrupt");
        bad = bad + 1;
      end
    end else begin
      off = 32'(c_addr[now] % Lanes);
      total = (off + c_bytes[now] + Lanes - 1) / Lanes;
      if (hwr_irq || hwr_fn != c_fn[now] || hwr_addr != c_addr[now] ||
          32'(hwr_bytes) != c_bytes[now]
          || hwr_last != (beat == total - 1)) begin
        complain($sformatf("wrong burst: addr %h bytes %0d beat %0d of %0d last %0d", hwr_addr,
                           hwr_bytes, beat,
                 total, hwr_last));
        bad = bad + 1;
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        at = beat * Lanes + l - off;
        fits = beat * Lanes + l >= off && at < c_bytes[now];
        if (fits && hwr_data[8*l+:8] != (c_kind[now] == 2'd1 ? payload(c_slot[now], at)
                                         : own_data(now, at)))
        begin
          complain($sformatf("wrong byte %0d of %0d, kind %0d", at, c_bytes[now], c_kind[now]));
          bad = bad + 1;
        end
      end
    end
    beat = beat + 1;
    in_burst = !hwr_last;
    if (hwr_last) begin
      b_fw.push_back(now_fw);
      b_err.push_back(chance(10));
      b_at.push_back(now_at);
      b_lost.push_back(chance(lose_percent));
      b_tag.push_back(hwr_tag);
      if (tr_dep_last != (!now_fw && !now_at)) bad = bad + 1;
    end
  endtask

  // --- answers: commands without bytes succeed, others as the host answers ---
  bit rx_zero [$], fw_zero [$], at_zero [$];
  bit rx_ans [$], fw_ans [$], at_ans [$];
  int unsigned faults = 0;
  bit zero, want_err;
  // Answers that were lost; those before one that was given may come after all, and change nothing.
  logic [7:0]  gone_tag [$], late_tag [$];
  int unsigned late_at [$];
  always @(posedge clk) begin
    hwb_valid <= 1'b0;
    hwb_tag   <= 8'(rnd());
    hwb_err   <= chance(50);
    if (b_err.size() != 0 && chance(40)) begin
      b_err[0] = b_err[0] || b_lost[0];
      if (b_lost[0]) begin
        lost = lost + 1;
        gone_tag.push_back(b_tag[0]);
      end else begin
        hwb_valid <= 1'b1;
        hwb_tag   <= b_tag[0];
        hwb_err   <= b_err[0];
        while (gone_tag.size() != 0) begin
          late_tag.push_back(gone_tag.pop_front());
          late_at.push_back(bursts);
        end
      end
      if (b_fw[0]) fw_ans.push_back(b_err[0]);
      else if (b_at[0]) at_ans.push_back(b_err[0]);
      else rx_ans.push_back(b_err[0]);
      void'(b_at.pop_front());
      void'(b_err.pop_front());
      void'(b_fw.pop_front());
      void'(b_lost.pop_front());
      void'(b_tag.pop_front());
    end else if (late_tag.size() != 0 && chance(20)) begin
      if (bursts - late_at[0] < 200) begin
        hwb_valid <= 1'b1;
        hwb_tag   <= late_tag[0];
        late = late + 1;
      end
      void'(late_tag.pop_front());
      void'(late_at.pop_front());
    end
    if (st_fault) faults = faults + 1;
    rxd_ready <= chance(60);
    if (rxd_valid && rxd_ready) begin
      rx_done = rx_done + 1;
      zero = rx_zero.pop_front();
      want_err = 1'b0;
      if (!zero && rx_ans.size() != 0) want_err = rx_ans.pop_front();
      else if (!zero) want_err = !rxd_err;
      if (rxd_err != want_err) begin
        complain("wrong answer of a deposit");
        bad = bad + 1;
      end
    end
    if (fwd_valid) begin
      fw_done = fw_done + 1;
      zero = fw_zero.pop_front();
      want_err = 1'b0;
      if (!zero && fw_ans.size() != 0) want_err = fw_ans.pop_front();
      else if (!zero) want_err = !fwd_err;
      if (fwd_err != want_err) begin
        complain("wrong answer of a firmware write");
        bad = bad + 1;
      end
    end
    if (at_done) begin
      at_ended = at_ended + 1;
      zero = at_zero.pop_front();
      want_err = 1'b0;
      if (!zero && at_ans.size() != 0) want_err = at_ans.pop_front();
      else if (!zero) want_err = !at_err;
      if (at_err != want_err) begin
        complain("wrong answer of an atomic operation");
        bad = bad + 1;
      end
    end
    if (rxc_read_done) rx_read = rx_read + 1;
    if (fwc_read_done) fw_read = fw_read + 1;
  end

  int unsigned from;
  initial begin
    rxc_valid = 1'b0;
    fwc_valid = 1'b0;
    {rxc_bytes, rxc_fn, rxc_addr} = '0;
    {at_valid, at_word, at_fn, at_addr} = '0;
    rxd_ready = 1'b0;
    hwb_valid = 1'b0;
    hwr_ready = 1'b0;
  end
  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    repeat (4) @(posedge clk);
    running = 1'b1;
    repeat (Rounds * 20) @(posedge clk);
    running = 1'b0;
    repeat (2000) @(posedge clk);
    tap(bad == 0 && bursts > Rounds / 4,
        "every burst has its bytes in their lanes, in the order given");
    tap(rx_done == rx_n && fw_done == fw_n && at_ended == at_n && rx_n > 200 && fw_n > 200 &&
        at_n > 200
        && faults > 20 && lost > 20 && late > 10,
        "every command is answered once, in order, with its own error");
    tap(rx_read == rx_n && fw_read == fw_n, "every command says once that its payload was read");

    // One burst, and no answer.
    lose_percent = 100;
    fixed_bytes = 64;
    only_rx = 1'b1;
    running = 1'b1;
    while (!rxc_valid) @(posedge clk);
    running = 1'b0;
    while (!(hwr_valid && hwr_ready && hwr_last)) @(posedge clk);
    from = cycle;
    while (!rxd_valid && cycle < from + 4 * Period) @(posedge clk);
    tap(rxd_err && cycle - from >= 2 * Period && cycle - from <= 3 * Period + 4,
        "a burst without an answer ends with an error after two to three periods");
    $display("# evidence dma_wr.lost cycles=%0d period=%0d", cycle - from, Period);
    repeat (200) @(posedge clk);
    lose_percent = 0;

    // Full rate: 512-byte deposits, always ready.
    ready_percent = 100;
    fixed_bytes = 512;
    only_rx = 1'b1;
    running = 1'b1;
    repeat (300) @(posedge clk);
    longest_idle = 0;
    beats = 0;
    repeat (4096) @(posedge clk);
    from = beats;
    tap(bad == 0 && longest_idle <= 2 && from >= 4096 * 97 / 100,
        "deposits follow each other with no more than two idle beats");
    $display("# evidence dma_wr.rate beats=%0d cycles=4096 idle=%0d data_w=%0d", from,
             longest_idle, DataW);
    running = 1'b0;
    only_rx = 1'b0;
    repeat (1000) @(posedge clk);

    // Idle: counts cycles from the command to its first beat.
    fixed_bytes = 64;
    only_rx = 1'b1;
    running = 1'b1;
    while (!rxc_valid) @(posedge clk);
    from = cycle;
    running = 1'b0;
    while (!hwr_valid) @(posedge clk);
    latency = cycle - from;
    tap(latency <= 2, "the first beat stands at the port two cycles after the command");
    repeat (200) @(posedge clk);
    tap(bad == 0 && rx_done == rx_n, "nothing is left over");
    $display("# bursts %0d, deposits %0d, firmware writes %0d, faults %0d", bursts, rx_n, fw_n,
             faults);
    tap_end();
  end

endmodule
`default_nettype wire
