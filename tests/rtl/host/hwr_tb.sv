// SPDX-License-Identifier: Apache-2.0
// Bench of tern_hwr: the firmware pushes commands of all kinds; checks and writes succeed or fail
// at random. Compares the writes, the events and the freed slots.
`default_nettype none

module hwr_tb #(
  parameter int unsigned DataW  = 64,
  parameter int unsigned Pushes = 1500
);
`include "tb.svh"

  logic         mm_valid, mm_we, mm_ready, mm_rvalid;
  logic [15:0]  mm_addr;
  logic [31:0]  mm_wdata, mm_rdata;
  logic         ck_valid, ck_ready, ck_done;
  logic [31:0]  ck_key, ck_bytes;
  logic [63:0]  ck_addr, ck_haddr;
  logic [7:0]   ck_fn, ck_status;
  logic         fwc_valid, fwc_ready, read_done, fwd_valid, fwd_err;
  logic [1:0]   fwc_kind;
  logic [4:0]   fwc_slot;
  logic [10:0]  fwc_bytes;
  logic [7:0]   fwc_fn;
  logic [11:0]  fwc_id;
  logic [63:0]  fwc_addr;
  logic         fd_req;
  logic         cq_coming, cq_valid, cq_ready, cq_phase, cw_valid, cw_ready, cw_rvalid;
  logic         sf_valid, sf_ready;
  logic [5:0]   cq_slot, cw_slot;
  logic [9:0]   cq_queue, cw_queue;
  logic [63:0]  cq_addr;
  logic [31:0]  cq_key, cw_rdata;
  logic [7:0]   cq_fn;
  logic [23:0]  cq_lap;
  logic [3:0]   cw_word;
  logic [2:0]   fd_beat;
  logic [DataW-1:0] fd_rdata;
  logic         ev_valid, ev_ready, free_valid;
  logic [31:0]  ev_word;
  logic [5:0]   free_slot;

  tern_hwr #(.DataW(DataW)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(mm_ready), .mm_rvalid_o(mm_rvalid), .mm_rdata_o(mm_rdata),
    .ck_valid_o(ck_valid), .ck_ready_i(ck_ready), .ck_key_o(ck_key), .ck_addr_o(ck_addr),
    .ck_bytes_o(ck_bytes), .ck_fn_o(ck_fn), .ck_done_i(ck_done), .ck_status_i(ck_status),
    .ck_haddr_i(ck_haddr),
    .fwc_valid_o(fwc_valid), .fwc_ready_i(fwc_ready), .fwc_kind_o(fwc_kind), .fwc_slot_o(fwc_slot),
    .fwc_bytes_o(fwc_bytes), .fwc_fn_o(fwc_fn), .fwc_addr_o(fwc_addr),
    .cq_coming_i(cq_coming), .cq_valid_i(cq_valid), .cq_ready_o(cq_ready), .cq_slot_i(cq_slot),
    .cq_queue_i(cq_queue), .cq_addr_i(cq_addr), .cq_key_i(cq_key), .cq_fn_i(cq_fn),
    .cq_lap_i(cq_lap), .cq_phase_i(cq_phase),
    .cw_valid_o(cw_valid), .cw_ready_i(cw_ready), .cw_slot_o(cw_slot), .cw_word_o(cw_word),
    .cw_rvalid_i(cw_rvalid), .cw_rdata_i(cw_rdata), .cw_queue_i(cw_queue),
    .slot_free_valid_o(sf_valid), .slot_free_ready_i(sf_ready),
    .fd_req_i(fd_req), .fd_beat_i(fd_beat), .fd_rdata_o(fd_rdata), .fwc_id_o(fwc_id),
    .fwc_read_done_i(read_done), .fwd_valid_i(fwd_valid), .fwd_err_i(fwd_err),
    .ev_hwr_valid_o(ev_valid), .ev_hwr_ready_i(ev_ready), .ev_hwr_o(ev_word),
    .rxfree_valid_o(free_valid), .rxfree_slot_o(free_slot)
  );

  `include "mm.svh"

  // ---- commands by number, which also determines their results -------
  localparam int unsigned Most = 4096;
  logic [1:0]   c_kind   [0:Most-1];
  int unsigned  c_bytes  [0:Most-1];
  logic [4:0]   c_slot   [0:Most-1];
  logic [31:0]  c_key    [0:Most-1];
  logic [63:0]  c_addr   [0:Most-1];
  logic [7:0]   c_fn     [0:Most-1];
  logic [11:0]  c_tag    [0:Most-1];
  bit           c_free   [0:Most-1];
  bit           c_notify [0:Most-1];
  logic [7:0]   c_status [0:Most-1];  // result of its check
  bit           c_fault  [0:Most-1];  // result of its write
  logic [255:0] c_data   [0:Most-1];
  int unsigned  pushed = 0, checked = 0, handed = 0, bad = 0;
  int unsigned  to_check [$], to_hand [$], to_read [$], to_end [$];
  int unsigned  want_events = 0, got_events = 0, want_frees = 0, got_frees = 0;
  int unsigned  owed_event [int unsigned];  // {status, tag}: how many are expected
  int unsigned  owed_free [int unsigned];   // slot: how many times it must be freed
  logic [31:0]  word;

  task automatic wrong(input string what);
    complain(what);
    bad = bad + 1;
  endtask

  task automatic owe(input int unsigned n, input logic [7:0] status);
    int unsigned k;
    k = {12'd0, status, c_tag[n]};
    if (!owed_event.exists(k)) owed_event[k] = 0;
    owed_event[k] = owed_event[k] + 1;
    want_events = want_events + 1;
  endtask

  task automatic owe_free(input int unsigned n);
    int unsigned k;
    if (!c_free[n] || c_kind[n] != 2'd1) return;
    k = 32'(c_slot[n]);
    if (!owed_free.exists(k)) owed_free[k] = 0;
    owed_free[k] = owed_free[k] + 1;
    want_frees = want_frees + 1;
  endtask

  task automatic set_registers(input int unsigned n);
    mm(1'b1, tern_abi_pkg::MMIO_HW_ADDR_LO, c_addr[n][31:0], word);
    mm(1'b1, tern_abi_pkg::MMIO_HW_ADDR_HI, c_addr[n][63:32], word);
    mm(1'b1, tern_abi_pkg::MMIO_HW_KEY, c_key[n], word);
    mm(1'b1, tern_abi_pkg::MMIO_HW_FN, {24'd0, c_fn[n]}, word);
  endtask

  task automatic set_data(input int unsigned n);
    for (int w = 0; w < 8; w++)
      mm(1'b1, tern_abi_pkg::MMIO_HW_DATA + 16'(4 * w), c_data[n][32*w+:32], word);
  endtask

  // A slot's contents, by its number, and the expected completion.
  function automatic logic [31:0] slot_word(input logic [5:0] slot, input logic [3:0] w);
    return (32'(slot) * 32'd40503 + 32'(w) * 32'd2654435) ^ 32'h5a5a0000 ^
           (32'(slot[0]) << tern_abi_pkg::DESC_RESULT_LSB);
  endfunction
  function automatic logic [9:0] slot_owner(input logic [5:0] slot);
    return 10'(slot) * 10'd13;
  endfunction
  function automatic logic [255:0] completion(input logic [5:0] slot, input logic [23:0] lap,
                                              input bit phase);
    logic [31:0] w0, w1, w2, length;
    logic [63:0] value;
    w0 = slot_word(slot, 0);
    w1 = slot_word(slot, 1);
    w2 = slot_word(slot, 2);
    length = w0[9] ? 32'(w0[25:20]) : slot_word(slot, 3);  // flag INLINE
    value  = w0[tern_abi_pkg::DESC_RESULT_LSB] ? {slot_word(slot, 15), slot_word(slot, 14)} : 64'd0;
    return {phase, 7'd0, lap, 16'd0, w2[15:0], value, 32'd0, length, 6'd0, slot_owner(slot),
            w1[15:0], 16'd0, w0[7:0], 8'd0};
  endfunction

  int unsigned completions = 0, freed = 0;
  logic [5:0]  done_slot, old_slot;
  logic [5:0]  done_slots [$];
  task automatic push_completion();
    int unsigned n;
    n = pushed;
    done_slot   = 6'(below(32));
    cq_queue   <= 10'(rnd());
    cq_lap     <= 24'(rnd());
    cq_phase   <= chance(50);
    cq_key     <= rnd();
    cq_addr    <= {rnd(), rnd()};
    cq_fn      <= 8'(rnd());
    cq_slot    <= done_slot;
    cq_coming  <= 1'b1;
    repeat (1 + below(3)) @(posedge clk);
    c_kind[n]   = 2'd0;
    c_bytes[n]  = 32;
    c_key[n]    = cq_key;
    c_addr[n]   = cq_addr;
    c_fn[n]     = cq_fn;
    c_data[n]   = completion(done_slot, cq_lap, cq_phase);
    c_tag[n]    = 12'(tern_abi_pkg::HWTAG_CQ) | 12'(cq_queue);
    c_free[n]   = 1'b0;
    c_notify[n] = 1'b0;
    c_status[n] = chance(75) ? 8'd0 : 8'(5 + below(4));
    c_fault[n]  = chance(10);
    pushed = n + 1;
    to_check.push_back(n);
    done_slots.push_back(done_slot);
    cq_valid <= 1'b1;
    do @(posedge clk); while (!cq_ready);
    cq_valid  <= 1'b0;
    cq_coming <= 1'b0;
    @(posedge clk);
    completions = completions + 1;
  endtask

  // The slots answer after a random time.
  logic [5:0] asked_slot;
  logic [3:0] asked_word;
  always begin
    @(posedge clk);
    cw_rvalid <= 1'b0;
    sf_ready  <= chance(60);
    if (cw_valid && cw_ready) begin
      asked_slot = cw_slot;
      asked_word = cw_word;
      cw_ready <= 1'b0;
      repeat (below(3)) @(posedge clk);
      cw_rvalid <= 1'b1;
      cw_rdata  <= slot_word(asked_slot, asked_word);
      cw_queue  <= slot_owner(asked_slot);
    end else cw_ready <= chance(50);
  end
  always @(posedge clk) if (rst_n && sf_valid && sf_ready) begin
    freed = freed + 1;
    old_slot = done_slots.size() != 0 ? done_slots.pop_front() : 6'd63;
    if (cw_slot != old_slot) wrong("another slot is given back");
  end

  task automatic push();
    int unsigned n;
    bit too_long, same;
    n = pushed;
    same = n != 0 && chance(70);  // the same address
    c_kind[n]   = chance(60) ? 2'd1 : 2'(below(3));
    c_bytes[n]  = c_kind[n] == 2'd0 ? below(34) : below(514);
    c_slot[n]   = 5'(below(8));
    c_key[n]    = same ? c_key[n-1] : rnd();
    c_addr[n]   = same ? c_addr[n-1] : {rnd(), rnd()};
    c_fn[n]     = same ? c_fn[n-1] : 8'(rnd());
    c_data[n]   = {8{rnd()}} ^ {224'd0, rnd()};
    c_tag[n]    = 12'(below(1024));
    c_free[n]   = chance(75);
    c_notify[n] = chance(40);
    c_status[n] = chance(75) ? 8'd0 : 8'(5 + below(4));
    c_fault[n]  = chance(10);
    too_long    = (c_kind[n] == 2'd0 && c_bytes[n] > 32) || (c_kind[n] == 2'd1 && c_bytes[n] > 512);
    set_registers(n);
    if (c_kind[n] == 2'd0) set_data(n);
    pushed = n + 1;
    if (c_kind[n] == 2'd2) to_hand.push_back(n);
    else if (too_long) begin
      owe(n, tern_abi_pkg::ST_BAD_LENGTH);
      owe_free(n);
    end else to_check.push_back(n);
    mm(1'b1, tern_abi_pkg::MMIO_HW_GO,
       {c_tag[n], c_notify[n], c_free[n], c_kind[n], c_slot[n], 11'(c_bytes[n])}, word);
  endtask

  // ---- key check ------------------------------------------------------------------------
  int unsigned k;
  always begin
    @(posedge clk);
    ck_done <= 1'b0;
    if (ck_valid && !ck_ready && chance(60)) begin
      ck_ready <= 1'b1;
      @(posedge clk);
      ck_ready <= 1'b0;
      k = to_check.size() != 0 ? to_check.pop_front() : Most - 1;
      if (ck_key != c_key[k] || ck_addr != c_addr[k] || ck_bytes != c_bytes[k] || ck_fn != c_fn[k])
        wrong("check of something else");
      if (c_status[k] == 0) order_in(k);
      else begin
        owe(k, c_status[k]);
        owe_free(k);
      end
      repeat (below(6)) @(posedge clk);
      ck_done   <= 1'b1;
      ck_status <= c_status[k];
      ck_haddr  <= ~c_addr[k];
      @(posedge clk);
      ck_done <= 1'b0;
      @(posedge clk);
    end
  end

  // Checks that commands leave in order: interrupts wait for earlier checks.
  task automatic order_in(input int unsigned n);
    int unsigned keep [$];
    keep = to_hand;
    to_hand.delete();
    while (keep.size() != 0 && keep[0] < n) begin
      to_hand.push_back(keep[0]);
      keep.delete(0);
    end
    to_hand.push_back(n);
    while (keep.size() != 0) begin
      to_hand.push_back(keep[0]);
      keep.delete(0);
    end
  endtask

  // ---- the write channel --------------------------------------------------------------------
  int unsigned h, e;
  always begin
    @(posedge clk);
    if (fwc_valid && chance(50)) hand_over();
  end

  // Reads the data as tern_dma_wr does: it takes the command with the last request.
  task automatic hand_over();
    int unsigned beats;
    h = to_hand.size() != 0 ? to_hand.pop_front() : Most - 1;
    handed = handed + 1;
    if (fwc_kind != c_kind[h] || fwc_id != c_tag[h] || fwc_fn != c_fn[h]
        || (c_kind[h] != 2'd2 && (fwc_addr != ~c_addr[h] || 32'(fwc_bytes) != c_bytes[h]))
        || (c_kind[h] == 2'd1 && fwc_slot != c_slot[h])
        || (c_kind[h] == 2'd2 && (fwc_addr != '0 || fwc_bytes != 11'd2)))
      wrong($sformatf("command %0d handed on wrongly", h));
    beats = c_kind[h] == 2'd1 ? 0 : c_kind[h] == 2'd2 ? 1 : 256 / DataW;
    if (beats == 0) fwc_ready <= 1'b1;
    for (int unsigned b = 0; b < beats; b++) begin
      fd_req    <= 1'b1;
      fd_beat   <= 3'(b);
      fwc_ready <= b == beats - 1;
      @(posedge clk);
      if (b != 0) check_data(b - 1);
    end
    if (beats == 0) @(posedge clk);
    fd_req    <= 1'b0;
    fwc_ready <= 1'b0;
    to_read.push_back(h);
    @(posedge clk);
    if (beats != 0) check_data(beats - 1);
  endtask

  task automatic check_data(input int unsigned b);
    if (c_kind[h] == 2'd2 && fd_rdata[15:0] != c_key[h][15:0]) wrong("wrong vector");
    for (int unsigned w = 0; w < DataW / 32; w++)
      if (c_kind[h] == 2'd0
          && fd_rdata[32*w+:32] != c_data[h][32*(b * (DataW / 32) + w)+:32]) wrong("wrong data");
  endtask

  always @(posedge clk) begin
    read_done <= 1'b0;
    fwd_valid <= 1'b0;
    if (!fwc_ready && to_read.size() != 0) begin
      e = to_read.pop_front();
      read_done <= 1'b1;
      owe_free(e);
      to_end.push_back(e);
    end
    if (to_end.size() != 0 && chance(30)) begin
      e = to_end.pop_front();
      fwd_valid <= 1'b1;
      fwd_err   <= c_fault[e];
      if (c_fault[e]) owe(e, tern_abi_pkg::ST_HOST_FAULT);
      else if (c_notify[e]) owe(e, tern_abi_pkg::ST_OK);
    end
  end

  // ---- events and slots ------------------------------------------------------------------------
  int unsigned take_percent = 60, ek, fk;
  always @(posedge clk) if (rst_n) begin
    ev_ready <= chance(take_percent);
    if (ev_valid && ev_ready) begin
      ek = {12'd0, ev_word[23:16], ev_word[11:0]};
      got_events = got_events + 1;
      if (ev_word[31:24] != 8'h80 || ev_word[15:12] != 0 || !owed_event.exists(ek) ||
          owed_event[ek] == 0)
        wrong($sformatf("event %h not expected", ev_word));
      else owed_event[ek] = owed_event[ek] - 1;
    end
    if (free_valid) begin
      fk = 32'(free_slot);
      got_frees = got_frees + 1;
      if (!owed_free.exists(fk) || owed_free[fk] == 0) wrong("slot given back that is not read");
      else owed_free[fk] = owed_free[fk] - 1;
    end
  end

  int unsigned full_seen = 0;
  initial begin
    mm_valid  = 1'b0;
    ck_ready  = 1'b0;
    ck_done   = 1'b0;
    fwc_ready = 1'b0;
    fd_req    = 1'b0;
    read_done = 1'b0;
    fwd_valid = 1'b0;
    ev_ready  = 1'b0;
    cq_valid  = 1'b0;
    cq_coming = 1'b0;
    cw_ready  = 1'b0;
    cw_rvalid = 1'b0;
  end
  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    @(posedge clk);
    mm(1'b0, tern_abi_pkg::MMIO_HW_SPACE, 0, word);
    tap(word == 7, "seven commands fit after reset");
    while (pushed < Pushes) begin
      mm(1'b0, tern_abi_pkg::MMIO_HW_SPACE, 0, word);
      if (word == 0) full_seen = full_seen + 1;
      else if (chance(25)) push_completion();
      else push();
      // Takes no events for a while: commands must wait, none may be lost.
      if (pushed % 500 == 100) take_percent = 0;
      if (full_seen % 64 == 63) take_percent = 60;
    end
    take_percent = 60;
    repeat (3000) @(posedge clk);
    tap(bad == 0, "commands are checked and handed on in order, with their own fields");
    tap(want_events == got_events && got_events > Pushes / 4,
        "an event for every failure and every notify");
    tap(want_frees == got_frees && got_frees > Pushes / 16,
        "every slot asked for is given back once");
    tap(completions > Pushes / 8 && freed == completions,
        "every completion gives its slot back once");
    tap(full_seen > 10, "the command queue was full and commands waited");
    tap(to_hand.size() == 0 && to_check.size() == 0 && handed > Pushes / 2, "nothing is left over");
    mm(1'b0, tern_abi_pkg::MMIO_HW_KEY, 0, word);
    tap(word == 0, "write-only registers read 0");
    $display("# pushed %0d, handed on %0d, events %0d, slots %0d, full %0d", pushed, handed,
             got_events, got_frees, full_seen);
    tap_end();
  end

endmodule
`default_nettype wire
