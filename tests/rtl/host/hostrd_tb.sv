// SPDX-License-Identifier: Apache-2.0
// Bench of tern_hostrd: three requesters and a port that stalls. No request is lost, changed or
// repeated, and no requester starves: the atomic unit gets its turn when the prefetcher pauses.
`default_nettype none

module hostrd_tb #(
  parameter int unsigned DataW  = 64,
  parameter int unsigned Rounds = 5000
);
`include "tb.svh"

  logic        at_valid, at_ready;
  logic [7:0]  at_fn;
  logic [63:0] at_addr;
  logic        at_node;
  logic        pf_valid, pf_ready, tx_valid, tx_ready, hrq_valid, hrq_ready, st_hrd, tr_req;
  logic [7:0]  pf_fn, tx_fn, hrq_fn;
  logic [63:0] pf_addr, tx_addr, hrq_addr;
  logic [8:0]  pf_bytes, tx_bytes, hrq_bytes, st_bytes;
  logic [1:0]  pf_tag;
  logic [2:0]  tx_tag;
  logic [3:0]  hrq_tag, tr_tag;

  tern_hostrd dut (
    .clk_i(clk), .rst_ni(rst_n),
    .pf_hrq_valid_i(pf_valid), .pf_hrq_ready_o(pf_ready), .pf_hrq_fn_i(pf_fn),
    .pf_hrq_addr_i(pf_valid ? pf_addr : '0), .pf_hrq_bytes_i(pf_bytes), .pf_hrq_tag_i(pf_tag),
    .tx_hrq_valid_i(tx_valid), .tx_hrq_ready_o(tx_ready), .tx_hrq_fn_i(tx_fn),
    .tx_hrq_addr_i(tx_addr), .tx_hrq_bytes_i(tx_bytes), .tx_hrq_tag_i(tx_tag),
    .at_hrq_valid_i(at_valid), .at_hrq_ready_o(at_ready), .at_hrq_fn_i(at_fn),
    .at_hrq_addr_i(at_addr), .at_hrq_node_i(at_node), .hrq_valid_o(hrq_valid),
    .hrq_ready_i(hrq_ready), .hrq_fn_o(hrq_fn), .hrq_addr_o(hrq_addr), .hrq_bytes_o(hrq_bytes),
    .hrq_tag_o(hrq_tag), .st_hrd_o(st_hrd), .st_hrd_bytes_o(st_bytes), .tr_rd_req_o(tr_req),
    .tr_rd_tag_o(tr_tag)
  );

  // A request's fields depend on its number; requester 1 is the prefetcher, 2 the atomic unit.
  function automatic logic [84:0] fields(input int unsigned who, input int unsigned n);
    logic [3:0]  tag;
    logic [8:0]  bytes;
    logic [63:0] addr;
    tag   = who == 2 ? 4'd12 : who == 1 ? {2'b10, 2'(n)} : {1'b0, 3'(n)};
    bytes = who == 2 ? (n % 3 == 0 ? 9'd32 : 9'd8) : 9'(n * 7 % 256 + 1);
    addr  = {32'(n * 32'h9e3779b1), 20'(n * 13 + who), 12'(n * 64 % 3840)};
    fields = {tag, bytes, addr, 8'(n * 3 + who)};
  endfunction

  int unsigned made [3], seen [3], bad = 0, load = 50, ready_percent = 50, busy = 0, run [3],
      starved = 0;
  int unsigned at_load = 30, pf_pause = 0, pf_quiet = 0, at_waits = 0, at_longest = 0, who;

  task automatic offer(input bit p);
    logic [84:0] f;
    f = fields(32'(p), made[p]);
    made[p] = made[p] + 1;
    if (p) {pf_tag, pf_bytes, pf_addr, pf_fn} <= f[82:0];
    else {tx_tag, tx_bytes, tx_addr, tx_fn} <= f[83:0];
  endtask

  always @(posedge clk) begin
    hrq_ready <= chance(ready_percent);
    if (rst_n) begin
      if (!pf_valid || pf_ready) begin
        if (pf_ready) pf_quiet = pf_pause;
        pf_valid <= pf_quiet == 0 && chance(load);
        if (pf_quiet != 0) pf_quiet = pf_quiet - 1;
        offer_if(1'b1);
      end
      at_waits = at_valid && !at_ready ? at_waits + 1 : 0;
      if (at_waits > at_longest) at_longest = at_waits;
      if (!at_valid || at_ready) begin
        at_valid <= chance(at_load);
        if (at_valid) made[2] = made[2] + 1;
        {at_addr, at_fn} <= 72'(fields(2, made[2]));
        at_node          <= made[2] % 3 == 0;
      end
      if (!tx_valid || tx_ready) begin
        tx_valid <= chance(load);
        offer_if(1'b0);
      end
      if (hrq_valid && hrq_ready) take();
    end
  end

  // The fields of a request that is not valid do not matter.
  bit pf_pending = 1'b0, tx_pending = 1'b0;
  task automatic offer_if(input bit p);
    if (p && pf_valid && pf_ready) pf_pending = 1'b0;
    if (!p && tx_valid && tx_ready) tx_pending = 1'b0;
    if (p && !pf_pending) begin
      offer(p);
      pf_pending = 1'b1;
    end
    if (!p && !tx_pending) begin
      offer(p);
      tx_pending = 1'b1;
    end
  endtask

  task automatic take();
    who = hrq_tag == 4'd12 ? 2 : 32'(hrq_tag[3]);
    busy = busy + 1;
    if ({hrq_tag, hrq_bytes, hrq_addr, hrq_fn} != fields(who, seen[who])) begin
      complain("request lost, changed or repeated");
      bad = bad + 1;
    end
    if (!st_hrd || st_bytes != hrq_bytes || !tr_req || tr_tag != hrq_tag) bad = bad + 1;
    seen[who] = seen[who] + 1;
    run[who] = run[who] + 1;
    for (int unsigned i = 0; i < 3; i++) if (i != who) run[i] = 0;
    if (load == 100 && run[who] > 2) starved = starved + 1;
  endtask

  initial begin
    pf_valid = 1'b0;
    tx_valid = 1'b0;
    at_valid = 1'b0;
    {at_addr, at_fn} = 72'(fields(2, 0));
    at_node = 1'b1;
    hrq_ready = 1'b0;
  end
  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    repeat (Rounds) @(posedge clk);
    tap(bad == 0 && seen[0] > Rounds / 8 && seen[1] > Rounds / 8 && seen[2] > Rounds / 50,
        "requests arrive once, unchanged, in order");
    load = 100;
    at_load = 0;
    repeat (20) @(posedge clk);
    run[0] = 0;
    run[1] = 0;
    starved = 0;
    repeat (Rounds) @(posedge clk);
    tap(starved == 0, "prefetch and transmit take turns when both always ask");
    ready_percent = 100;
    repeat (10) @(posedge clk);
    busy = 0;
    repeat (1000) @(posedge clk);
    tap(bad == 0 && busy >= 999, "one request per cycle");
    // The next descriptor fetch comes after a key check.
    pf_pause = 6;
    at_load = 100;
    repeat (20) @(posedge clk);
    at_longest = 0;
    busy = 0;
    repeat (Rounds) @(posedge clk);
    tap(bad == 0 && at_longest <= 8 && busy >= Rounds - 1,
        "the atomic unit has its turn, and costs no cycle");
    ready_percent = 40;
    repeat (Rounds) @(posedge clk);
    tap(bad == 0, "nor does it in a port that stalls");
    tap_end();
  end

endmodule
`default_nettype wire
