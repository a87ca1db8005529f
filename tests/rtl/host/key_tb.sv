// SPDX-License-Identifier: Apache-2.0
// Bench of tern_key: random regions with edge-case borders, four requesters at once; compares each
// answer with exact 128-bit arithmetic.
`default_nettype none

module key_tb #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned NumRegions = DataW == 64 ? 64 : 16,
  parameter int unsigned Rounds     = 40
);
`include "tb.svh"

  logic [3:0]   ck_valid, ck_ready, ck_fn_any, ck_offset, ck_done;
  logic [127:0] ck_key, ck_bytes;
  logic [255:0] ck_addr;
  logic [31:0]  ck_fn, ck_right;
  logic [7:0]   ck_status, ck_owner;
  logic [63:0]  ck_haddr;
  logic [15:0]  ck_ctr;
  logic         mm_valid, mm_we, mm_ready, mm_rvalid, st_check, st_refused;
  logic [15:0]  mm_addr;
  logic [31:0]  mm_wdata, mm_rdata;

  tern_key #(.NumRegions(NumRegions)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .ck_valid_i(ck_valid), .ck_ready_o(ck_ready), .ck_key_i(ck_key), .ck_addr_i(ck_addr),
    .ck_bytes_i(ck_bytes), .ck_fn_i(ck_fn), .ck_fn_any_i(ck_fn_any), .ck_offset_i(ck_offset),
    .ck_right_i(ck_right), .ck_done_o(ck_done), .ck_status_o(ck_status), .ck_haddr_o(ck_haddr),
    .ck_fn_o(ck_owner), .ck_ctr_o(ck_ctr),
    .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
    .mm_ready_o(mm_ready), .mm_rvalid_o(mm_rvalid), .mm_rdata_o(mm_rdata),
    .st_check_o(st_check), .st_refused_o(st_refused)
  );

  `include "mm.svh"

  // ---- the table, as words --------------------------------------------------------
  logic [255:0] region [0:NumRegions-1];
  logic [31:0]  unused_word;

  task automatic region_write(input int unsigned r);
    mm(1'b1, tern_abi_pkg::MMIO_RG_SEL, r, unused_word);
    for (int w = 0; w < 8; w++)
      mm(1'b1, tern_abi_pkg::MMIO_RG_WORD + 16'(4 * w), region[r][32*w+:32], unused_word);
  endtask

  // Returns small and large numbers, and those next to the end of the address space.
  function automatic logic [63:0] awkward();
    logic [63:0] v;
    v = {rnd(), rnd()};
    case (below(5))
      0: awkward = 64'(below(64));
      1: awkward = 64'd0 - 64'(below(64));
      2: awkward = v & 64'h0000_0000_ffff_ffc0;
      default: awkward = v;
    endcase
  endfunction

  task automatic region_random(input int unsigned r);
    logic [47:0] len;
    len = chance(50) ? 48'(below(100)) : 48'({rnd(), rnd()}) >> below(47);
    region[r] = '0;
    region[r][63:0]    = awkward();
    region[r][111:64]  = len;
    region[r][127:112] = 16'(below(3));
    region[r][191:128] = awkward();
    region[r][207:192] = 16'(rnd());
    region[r][215:208] = 8'(below(3));
    region[r][231:224] = 8'(rnd());
    region[r][255]     = chance(90);
  endtask

  // --- Returns the expected answer. ------------------------------------------
  function automatic logic [71:0] want(input logic [31:0] key, input logic [63:0] addr,
                                       input logic [31:0] bytes, input logic [7:0] fn,
                                       input bit any, input bit offset, input logic [7:0] right);
    logic [255:0] g;
    logic [127:0] lo, hi, first, past, top, host;
    top   = 128'd1 << 64;
    g     = region[32'(key[15:0]) % NumRegions];
    lo    = offset ? 128'd0 : 128'(g[191:128]);
    hi    = lo + 128'(g[111:64]);
    first = 128'(addr);
    past  = first + 128'(bytes);
    host  = 128'(g[63:0]) + (first - lo);
    want  = {8'd0, host[63:0]};
    if (first < lo || past > hi || past > top || host >= top) want[71:64] = 8'd6;
    if ((right & ~g[231:224]) != 0) want[71:64] = 8'd7;
    if (!any && fn != g[215:208]) want[71:64] = 8'd8;
    if (key[15:0] == 0 || 32'(key[15:0]) >= NumRegions || !g[255] || key[31:16] != g[127:112])
      want[71:64] = 8'd5;
  endfunction

  // ---- requesters -------------------------------------------------------------------------
  bit          running = 1'b0, flood = 1'b0;
  bit          waiting [4];      // accepted, no answer yet
  int unsigned since [4], asked [4];
  int unsigned wrong = 0, slow = 0, late = 0, unfair = 0, answered = 0, kinds [16];
  int          winner = -1;
  logic [71:0] w;

  task automatic ask(input int r);
    logic [255:0] g;
    logic [63:0]  a;
    int unsigned  idx;
    idx = below(20) == 0 ? below(65536) : below(NumRegions);
    g = region[idx % NumRegions];
    ck_offset[r] <= chance(30);
    ck_fn_any[r] <= r == 0;
    a = chance(30) ? 64'd0 : g[191:128];
    case (below(6))
      0: a = awkward();
      1: a = a + 64'(g[111:64]);
      2: a = a - 64'd1;
      3: a = a + 64'(g[111:64]) - 64'(below(20));
      default: a = a + 64'(below(100));
    endcase
    ck_addr[64*r+:64]  <= a;
    ck_bytes[32*r+:32] <= chance(10) ? rnd() : chance(20) ? 32'd0 : below(24);
    ck_key[32*r+:32]   <= {14'd0, 2'(chance(85) ? 32'(g[113:112]) : below(4)), 16'(idx)};
    ck_fn[8*r+:8]      <= chance(85) ? g[215:208] : 8'(rnd());
    ck_right[8*r+:8]   <= chance(70) ? g[231:224] & 8'(rnd()) : 8'(8'd1 << below(8));
    ck_valid[r]        <= 1'b1;
    asked[r] = cycle;
  endtask

  always @(posedge clk) if (rst_n) begin
    for (int r = 0; r < 4; r++) begin
      if (ck_valid[r] && ck_ready[r]) begin
        if (winner == 0 && r == 0 && ck_valid[3:1] != 0) unfair = unfair + 1;
        if (r != 0 && ck_valid[0] && winner != 0) unfair = unfair + 1;
        if (cycle - asked[r] > 60) late = late + 1;
        winner = r;
        waiting[r] = 1'b1;
        since[r] = cycle;
        ck_valid[r] <= 1'b0;
      end else if (!ck_valid[r] && !waiting[r] && running && (flood || chance(20))) ask(r);
      if (ck_done[r]) begin
        w = want(ck_key[32*r+:32], ck_addr[64*r+:64], ck_bytes[32*r+:32], ck_fn[8*r+:8],
                 ck_fn_any[r], ck_offset[r], ck_right[8*r+:8]);
        kinds[w[67:64]] = kinds[w[67:64]] + 1;
        if (!waiting[r] || ck_status != w[71:64] || !st_check || st_refused != (ck_status != 0)
            || (ck_status == 0 && ck_haddr != w[63:0])
            || (ck_status == 0 && ck_ctr != region[32'(ck_key[32*r+:16])][207:192])
            || (ck_status == 0 && ck_owner != region[32'(ck_key[32*r+:16])][215:208])) begin
          complain($sformatf(
              "requester %0d key %h addr %h bytes %h offset %0d: got %0d %h, want %0d %h",
                             r,
                   ck_key[32*r+:32], ck_addr[64*r+:64], ck_bytes[32*r+:32], ck_offset[r], ck_status,
                   ck_haddr, w[71:64], w[63:0]));
          wrong = wrong + 1;
        end
        if (cycle - since[r] > 6) slow = slow + 1;
        waiting[r] = 1'b0;
        answered = answered + 1;
      end
    end
  end

  bit blank_ok, back_ok;
  logic [31:0] got;
  initial begin
    ck_valid = '0;
    mm_valid = 1'b0;
  end
  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    // Reset makes every region invalid until the firmware writes it, whatever the memory held.
    for (int unsigned r = 0; r < NumRegions; r++) region[r] = '0;
    running = 1'b1;
    repeat (2000) @(posedge clk);
    running = 1'b0;
    repeat (40) @(posedge clk);
    blank_ok = wrong == 0 && kinds[5] == answered && answered > 100;
    late = 0;  // the walk after reset delayed the first checks
    tap(blank_ok, "after reset every key is refused");

    back_ok = 1'b1;
    for (int unsigned k = 0; k < Rounds; k++) begin
      for (int unsigned r = 0; r < NumRegions; r++) begin
        if (k == 0 || chance(30)) begin
          region_random(r);
          region_write(r);
        end
      end
      flood = chance(50);
      running = 1'b1;
      // Reads registers back while checks go on.
      repeat (50) begin
        mm(1'b1, tern_abi_pkg::MMIO_RG_SEL, below(NumRegions), unused_word);
        mm(1'b0, tern_abi_pkg::MMIO_RG_SEL, 0, got);
        unused_word = below(8);
        mm(1'b0, tern_abi_pkg::MMIO_RG_WORD + 16'(4 * unused_word), 0, mm_got);
        if (mm_got != (got == 0 ? 0 : region[got][32*unused_word+:32])) back_ok = 1'b0;
      end
      repeat (400) @(posedge clk);
      running = 1'b0;
      repeat (40) @(posedge clk);
    end
    tap(wrong == 0, "every check agrees with exact arithmetic");
    tap(kinds[0] > 500 && kinds[5] > 100 && kinds[6] > 500 && kinds[7] > 100 && kinds[8] > 100,
        "all five answers came by");
    tap(slow == 0, "an answer comes at most 6 cycles after the request is accepted");
    tap(unfair == 0 && late == 0, "the receiver goes first, not twice, and nobody starves");
    tap(back_ok, "the region window reads back what was written");
    mm(1'b1, tern_abi_pkg::MMIO_RG_SEL, NumRegions, unused_word);
    mm(1'b1, tern_abi_pkg::MMIO_RG_WORD + 16'd28, 32'hffffffff, unused_word);
    mm(1'b0, tern_abi_pkg::MMIO_RG_WORD + 16'd28, 0, got);
    mm(1'b1, tern_abi_pkg::MMIO_RG_SEL, 0, unused_word);
    mm(1'b0, tern_abi_pkg::MMIO_RG_WORD + 16'd28, 0, mm_got);
    tap(got == 0 && mm_got == 0,
        "entry 0 and what is outside the table read 0 and are not written");
    $display("# checks %0d: ok %0d, key %0d, range %0d, rights %0d, owner %0d", answered, kinds[0],
             kinds[5], kinds[6], kinds[7], kinds[8]);
    $display("# evidence key.check cycles=6 regions=%0d", NumRegions);
    tap_end();
  end
  logic [31:0] mm_got;

endmodule
`default_nettype wire
