// SPDX-License-Identifier: Apache-2.0
// Bench of the boot loader: valid, blank, damaged and too long images, resets by the host and by
// the watchdog. `+seed=N` repeats a run.
`default_nettype none

module boot_tb;

  localparam int unsigned ItcmBytes = 1024;

  localparam int Longest = 2000000;
  `include "tb.svh"

  logic        hold = 1'b0, bite = 1'b0;
  logic        req, valid, we, core_rst_n, counted;
  logic [15:0] addr;
  logic [31:0] data, wdata;
  logic [7:0]  waddr, state, incarnation, life = '0;
  logic [1:0]  cause;

  tern_boot #(.ItcmBytes(ItcmBytes)) dut (
    .clk_i(clk), .rst_ni(rst_n), .life_i(life), .core_hold_i(hold), .wdog_bite_i(bite),
    .fl_req_o(req), .fl_addr_o(addr), .fl_valid_i(valid), .fl_data_i(data),
    .itcm_we_o(we), .itcm_waddr_o(waddr), .itcm_wdata_o(wdata),
    .core_rst_no(core_rst_n), .boot_state_o(state), .incarnation_o(incarnation),
    .reset_cause_o(cause), .st_core_reset_o(counted)
  );

  // Flash with random latency, and the memory that the loader fills.
  logic [31:0] flash [0:1023];
  logic [31:0] itcm [0:255];
  int          wait_q, asked = 0, wild = 0, resets = 0;
  logic        pending = 1'b0;

  always @(posedge clk) begin
    valid <= 1'b0;
    data  <= $urandom;
    if (req) begin
      if (pending) wild <= wild + 1;     // at most one request is outstanding
      pending <= 1'b1;
      wait_q  <= $urandom_range(12);
      asked   <= asked + 1;
    end else if (pending && wait_q == 0) begin
      pending <= 1'b0;
      valid   <= 1'b1;
      data    <= flash[addr[9:0]];
    end else begin
      wait_q <= wait_q - 1;
    end
    if (we) itcm[waddr] <= wdata;
    if (we && core_rst_n) wild <= wild + 1;   // never while the core runs
    if (counted && rst_n) resets <= resets + 1;
  end

  // Computes the same CRC bit by bit.
  function automatic logic [31:0] crc_of(input int words);
    crc_of = '1;
    for (int i = 0; i < words; i++) begin
      for (int b = 0; b < 32; b++) begin
        crc_of = (crc_of >> 1) ^ ((crc_of[0] ^ flash[4 + i][b]) ? 32'h82f63b78 : 32'd0);
      end
    end
    crc_of = ~crc_of;
  endfunction

  task automatic image(input int words);
    for (int i = 0; i < 1024; i++) flash[i] = $urandom;
    flash[0] = 32'(tern_abi_pkg::FW_MAGIC);
    flash[1] = 32'(4 * words);
    flash[2] = crc_of(words);
  endtask

  task automatic settle;
    repeat (3) @(posedge clk);
    while (state == 8'(tern_abi_pkg::FWSTATE_LOADING) ||
           (state == 8'(tern_abi_pkg::FWSTATE_RESET) && !hold)) @(posedge clk);
    repeat (3) @(posedge clk);
  endtask

  task automatic again;
    hold <= 1'b1;
    repeat ($urandom_range(9) + 1) @(posedge clk);
    hold <= 1'b0;
    settle();
  endtask

  function automatic logic loaded(input int words);
    loaded = 1'b1;
    for (int i = 0; i < words; i++) if (itcm[i] !== flash[4 + i]) loaded = 1'b0;
  endfunction

  int seed, words, before_reset, asked0;
  logic good;

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    void'($urandom(seed));
    $display("# seed %0d", seed);
    image(100);
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    settle();
    check(core_rst_n && loaded(100) && state == 8'(tern_abi_pkg::FWSTATE_BOOT),
          "good_image_runs_after_power_on");
    check(incarnation == 8'd1 && cause == 2'd0 && resets == 0, "power_on_is_the_first_life");

    good = 1'b1;
    for (int i = 0; i < 20; i++) begin
      words = i == 0 ? 1 : i == 1 ? 256 : $urandom_range(256, 1);
      image(words);
      again();
      good = good && core_rst_n && loaded(words);
    end
    check(good, "images_of_all_sizes_run");
    check(incarnation == 8'd21 && cause == 2'd1 && resets == 20, "host_reset_starts_a_new_life");

    image(50);
    @(posedge clk) bite <= 1'b1;
    @(posedge clk) bite <= 1'b0;
    repeat (2) @(posedge clk);
    check(!core_rst_n, "watchdog_stops_the_core");
    settle();
    check(core_rst_n && loaded(50) && cause == 2'd2 && incarnation == 8'd22 && resets == 21,
          "watchdog_boots_again");

    image(50);
    flash[0] = 32'hffff_ffff;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_NOIMAGE), "blank_flash_is_named");
    image(50);
    flash[30][7] ^= 1'b1;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_BADIMAGE), "damaged_image_is_named");
    image(256);
    flash[1] = 32'd1028;
    asked0 = asked;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_BADIMAGE) && asked - asked0 < 8,
          "too_long_image_is_refused_before_it_is_read");
    flash[1] = 32'hffff_fff0;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_BADIMAGE), "absurd_length_is_refused");
    flash[1] = 32'd13;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_BADIMAGE), "odd_length_is_refused");
    flash[1] = 32'd0;
    again();
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_BADIMAGE), "empty_image_is_refused");
    image(60);
    again();
    check(core_rst_n && loaded(60), "good_image_runs_after_bad_ones");

    // Short resets during a load: the loader starts over, from a flash that has changed.
    good = 1'b1;
    for (int i = 0; i < 30; i++) begin
      hold <= 1'b1;
      @(posedge clk);
      hold <= 1'b0;
      repeat ($urandom_range(600)) @(posedge clk);
      if (state != 8'(tern_abi_pkg::FWSTATE_BOOT)) begin
        hold <= 1'b1;
        @(posedge clk);
        hold <= 1'b0;
      end
      settle();
      good = good && core_rst_n && loaded(60);
    end
    check(good, "hold_during_a_load_starts_over");

    hold <= 1'b1;
    repeat (500) @(posedge clk);
    check(!core_rst_n && state == 8'(tern_abi_pkg::FWSTATE_RESET) && !pending,
          "held_core_stays_in_reset");
    hold <= 1'b0;
    settle();
    before_reset = int'(incarnation);
    good = 1'b1;
    for (int i = 0; i < 300; i++) begin
      flash[1] = 32'd0;     // quick
      again();
      good = good && incarnation != 8'd0 && incarnation != 8'(before_reset);
      before_reset = int'(incarnation);
    end
    check(good, "incarnations_skip_zero");

    // The number that the flash has kept, and that of a blank one.
    good = 1'b1;
    for (int i = 0; i < 3; i++) begin
      life  <= i == 0 ? 8'd77 : i == 1 ? 8'd255 : 8'd0;
      rst_n <= 1'b0;
      repeat (4) @(posedge clk);
      rst_n <= 1'b1;
      settle();
      good = good && incarnation == (i == 0 ? 8'd78 : 8'd1);
    end
    check(good, "power_on_begins_the_life_after_the_one_kept");
    check(wild == 0, "flash_and_memory_are_used_by_the_rules");
    tap_end();
  end

endmodule

`default_nettype wire
