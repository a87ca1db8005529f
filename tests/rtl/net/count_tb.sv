// SPDX-License-Identifier: Apache-2.0
// Bench of the LINK registers, which must count every packet: events at the maximum rate, reads in
// between.
//
// Events of a source are 5 or more cycles apart, and a port counts one kind per cycle. Counters
// start near the wrap of their lower half, so carries are common.
`default_nettype none

module count_tb;

  localparam int Longest = 1000000;
  `include "tb.svh"

  logic [1:0]  drop = '0, bad = '0, good = '0, force_down;
  logic        valid = 1'b0, we = 1'b0, ready, rvalid;
  logic [15:0] addr = '0;
  logic [31:0] wdata = '0, rdata;
  int          seed = 1, stray = 0;
  int          want [0:7];                       // by port and kind
  int          gap [0:1];

  tern_net_regs u_regs (
    .clk_i(clk), .rst_ni(rst_n), .mm_valid_i(valid), .mm_we_i(we), .mm_addr_i(addr),
    .mm_wdata_i(wdata), .mm_ready_o(ready), .mm_rvalid_o(rvalid), .mm_rdata_o(rdata),
    .up_i(2'b10), .why_i(4'b0), .force_down_o(force_down), .drop_i(drop), .bad_crc_i(bad),
    .good_i(good));

  always @(posedge clk) if (!rvalid && rdata != 0) stray++;

  // One cycle of events.
  task automatic tick(input logic busy);
    drop <= '0; bad <= '0; good <= '0;
    for (int p = 0; p < 2; p++) begin
      gap[p]++;
      if (busy && gap[p] >= 5 && $urandom(seed) % 4 != 0) begin
        automatic int which = 1 + int'($urandom % 3);
        gap[p] = 0;
        want[4*p + which]++;
        drop[p] <= which == 1;
        bad[p]  <= which == 2;
        good[p] <= which == 3;
      end
      seed++;
    end
    @(posedge clk);
  endtask

  // The last answer since an access began.
  logic        seen = 1'b0;
  logic [31:0] answer;
  always @(posedge clk) begin
    if (valid) seen <= 1'b0;
    if (rvalid) begin
      seen   <= 1'b1;
      answer <= rdata;
    end
  end

  task automatic access(input logic [15:0] at, input logic write, input logic busy,
                        output logic [31:0] value);
    valid <= 1'b1; we <= write; addr <= at; wdata <= 32'd2;
    tick(busy);
    valid <= 1'b0;
    do tick(busy); while (!seen);
    value = answer;
  endtask

  logic [31:0] got, again;
  int          wrong, back;

  task automatic compare_all(input string name);
    wrong = 0;
    for (int n = 0; n < 8; n++) begin
      access(16'(tern_abi_pkg::MMIO_LINK + 4 * n), 1'b0, 1'b0, got);
      if (n % 4 != 0 && got != want[n]) begin
        wrong++;
        $display("# word %0d: %0d instead of %0d", n, got, want[n]);
      end
    end
    check(wrong == 0, name);
  endtask

  initial begin
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    repeat (3) @(posedge clk);
    compare_all("counters_start_at_0_whenever_they_are_asked");
    for (int w = 1; w < 4; w++) begin     // some events before the wrap of the lower half
      for (int p = 0; p < 2; p++) begin
        u_regs.g_pair[0].u_count.u_mem.mem[4*p + w] = 16'hfff0;
        want[4*p + w] = 32'hfff0;
      end
    end
    repeat (2000) tick(1'b1);
    repeat (10) tick(1'b0);
    compare_all("every_event_is_counted_across_the_carry");

    back = 0;
    again = '0;
    repeat (500) begin                    // values never decrease while events come
      access(16'(tern_abi_pkg::MMIO_LINK + 12), 1'b0, 1'b1, got);
      if (got < again) back++;
      again = got;
    end
    repeat (10) tick(1'b0);
    check(back == 0, "a_counter_read_under_load_never_runs_back");
    compare_all("reads_lose_no_event");

    access(16'(tern_abi_pkg::MMIO_LINK + 16), 1'b0, 1'b0, got);
    check(got == 32'd1, "the_state_of_a_port_is_told");
    access(16'(tern_abi_pkg::MMIO_LINK), 1'b1, 1'b0, got);
    check(got == 32'd0 && force_down == 2'b01, "a_port_is_forced_down");
    access(16'(tern_abi_pkg::MMIO_LINK), 1'b0, 1'b0, got);
    check(got == 32'd2, "a_forced_port_says_so");
    access(16'(tern_abi_pkg::MMIO_LINK + 16 * 5), 1'b0, 1'b0, got);
    check(got == 32'd0, "a_port_that_is_not_there_reads_0");
    addr <= 16'(tern_abi_pkg::MMIO_LINK + 16 * 6);
    tick(1'b0);
    check(!ready, "what_follows_is_not_answered");
    check(stray == 0, "data_is_0_without_an_answer");
    tap_end();
  end

endmodule

`default_nettype wire
