// SPDX-License-Identifier: Apache-2.0
// Bench of the choice between two images of the firmware in a flash: an update that is cut at each
// place, damaged images, blank ones, images that do not come up. The flash is a model at its SPI
// pins.
//
// With +cuts=DIR +count=N it judges the flash that another program left at each cut of an update
// instead: the files DIR/0 to DIR/N-1 have both slots. With +whole=FILE it judges one where the
// update has ended.
`default_nettype none

module flash_tb;

  localparam int Longest = 20000000;
`include "tb.svh"

  localparam int unsigned Base    = 4096;
  localparam int unsigned Stride  = 262144;      // bytes of a slot
  localparam int unsigned Payload = 2048;        // bytes
  localparam int unsigned Image   = Payload + tern_abi_pkg::FW_HEADER_BYTES;
  localparam int unsigned Page    = 128;
  localparam int unsigned Trial   = 14;          // bits of the cycles that an image has to come up

  logic        chosen, settled, damaged, failed;
  logic        node_req = 1'b0, req, slot, valid, csn, sck, mosi, miso = 1'b1;
  logic        node_rst_n = 1'b1;
  logic [15:0] node_addr = '0, addr;
  logic [31:0] data;
  logic [7:0]  fw_state = '0;

  tern_flash_slots #(.TrialBits(Trial)) dut (
    .clk_i(clk), .rst_ni(rst_n), .chosen_o(chosen), .settled_o(settled), .damaged_o(damaged),
    .failed_o(failed), .node_rst_ni(node_rst_n), .fw_state_i(fw_state),
    .req_i(node_req), .addr_i(node_addr),
    .req_o(req), .slot_o(slot), .addr_o(addr), .valid_i(valid), .data_i(data)
  );
  tern_spi_flash #(.Base(24'(Base))) u_flash (
    .clk_i(clk), .rst_ni(chosen ? node_rst_n : rst_n),
    .req_i(req), .slot_i(slot), .addr_i(addr), .valid_o(valid), .data_o(data),
    .want_o(), .may_i(1'b1),
    .cs_no(csn), .sck_o(sck), .mosi_o(mosi), .miso_i(miso)
  );

  // --------------------------------------------------------------- the flash
  logic [7:0]  store [0:Base+2*Stride-1];
  logic [31:0] head;
  int          bits = 0, at = 0;

  always @(posedge csn) bits = 0;
  always @(posedge sck) if (!csn && bits < 32) begin
    head = {head[30:0], mosi};
    bits = bits + 1;
    at   = int'(head[23:0]) * 8;
  end
  always @(negedge sck) if (!csn && bits == 32) begin
    miso = store[at/8][7-at%8];
    at   = at + 1;
  end

  // -------------------------------------------------------------- the images
  logic [7:0] image [0:1][0:Image-1];

  task automatic put_word(input int which, input int place, input logic [31:0] word);
    for (int i = 0; i < 4; i++) image[which][place+i] = word[8*i +: 8];
  endtask

  task automatic make_image(input int which);
    automatic logic [31:0] crc = '1, word;
    for (int i = 0; i < int'(Payload); i += 4) begin
      word = $urandom;
      put_word(which, 16 + i, word);
      crc = tern_abi_pkg::crc32c_32(crc, word);
    end
    put_word(which, 0, 32'(tern_abi_pkg::FW_MAGIC));
    put_word(which, 4, Payload);
    put_word(which, 8, ~crc);
    put_word(which, 12, 32'h10000);
  endtask

  // Programs `bytes` of an erased slot.
  task automatic program_slot(input int which, input int bytes);
    for (int i = 0; i < int'(Image); i++)
      store[int'(Base) + which * int'(Stride) + i] = i < bytes ? image[which][i] : 8'hff;
  endtask

  // Erases `bytes` of a slot's beginning.
  task automatic erase_slot(input int which, input int bytes);
    for (int i = 0; i < bytes; i++) store[int'(Base) + which * int'(Stride) + i] = 8'hff;
  endtask

  task automatic reset_node;
    @(negedge clk);
    fw_state   = 8'(tern_abi_pkg::FWSTATE_RESET);
    node_rst_n = 1'b0;
    cycles(4);
    @(negedge clk);
    node_rst_n = 1'b1;
  endtask

  task automatic power_up;
    @(negedge clk);
    rst_n = 1'b0;
    cycles(4);
    @(negedge clk);
    rst_n = 1'b1;
    while (!chosen) @(negedge clk);
    reset_node();
  endtask

  // The firmware reports a state for some cycles; returns whether the choice has changed.
  task automatic report_state(input int state, output logic back);
    back = 1'b0;
    @(negedge clk);
    fw_state = 8'(state);
    for (int i = 0; i < 8; i++) begin
      @(negedge clk);
      if (!chosen) back = 1'b1;
    end
  endtask

  task automatic read(input int word, output logic [31:0] value);
    @(negedge clk);
    node_addr = 16'(word);
    node_req  = 1'b1;
    @(negedge clk);
    node_req = 1'b0;
    while (!valid) @(negedge clk);
    value = data;
  endtask

  // Returns whether the node reads image `which`, some words of it.
  task automatic runs(input int which, output logic yes);
    logic [31:0] value;
    yes = 1'b1;
    for (int w = 0; w < 12; w++) begin
      read(w, value);
      for (int i = 0; i < 4; i++) if (value[8*i +: 8] != image[which][4*w+i]) yes = 1'b0;
    end
  endtask

  // ------------------------------------------------------------------ trials
  task automatic trials;
    logic yes, all, back, held;
    int   waited;
    program_slot(0, int'(Image));
    program_slot(1, int'(Image));

    all = 1'b1;
    held = 1'b1;
    for (int i = 0; i < 3; i++) begin
      power_up();
      held = held && !settled;
      report_state(int'(tern_abi_pkg::FWSTATE_BOOT), back);
      all = all && !back;
      report_state(i == 0 ? int'(tern_abi_pkg::FWSTATE_FAILED) :
                   i == 1 ? int'(tern_abi_pkg::FWSTATE_BADIMAGE) :
                            int'(tern_abi_pkg::FWSTATE_NOIMAGE), back);
      all = all && back;
      reset_node();
      runs(0, yes);
      all = all && yes && failed && !damaged && settled;
    end
    check(all, "an_image_that_reports_a_failure_gives_way_to_the_first_and_the_board_says_so");

    power_up();
    waited = 0;
    back = 1'b0;
    while (!back && waited < 4 << Trial) begin
      @(negedge clk);
      back = !chosen;
      waited++;
    end
    held = held && !settled;
    reset_node();
    runs(0, yes);
    check(yes && failed && waited > 1 << Trial && waited < 2 << Trial,
          "an_image_that_is_never_ready_gives_way_to_the_first");

    // Resets in between start the wait again.
    power_up();
    back = 1'b0;
    for (int i = 0; i < 3; i++) begin
      for (int k = 0; k < 3 << (Trial - 2); k++) begin
        @(negedge clk);
        if (!chosen) back = 1'b1;
      end
      held = held && !settled;
      reset_node();
    end
    report_state(int'(tern_abi_pkg::FWSTATE_READY), yes);
    check(!back && !yes && settled && !failed, "a_reset_of_the_node_begins_the_trial_anew");
    check(held, "the_choice_is_not_final_before_the_firmware_is_ready");

    report_state(int'(tern_abi_pkg::FWSTATE_FAILED), back);
    all = !back;
    for (int k = 0; k < 2 << Trial; k++) begin
      @(negedge clk);
      if (!chosen || !settled) all = 1'b0;
    end
    reset_node();
    runs(1, yes);
    check(all && yes && !failed, "an_image_that_was_ready_once_stays");

    program_slot(1, int'(Page));
    power_up();
    report_state(int'(tern_abi_pkg::FWSTATE_FAILED), back);
    for (int k = 0; k < 2 << Trial; k++) begin
      @(negedge clk);
      if (!chosen) back = 1'b1;
    end
    check(!back && settled && !failed, "the_first_image_is_not_on_trial");
  endtask

  // ---------------------------------------------------- what another program left
  localparam int unsigned Compared = 256;        // words

  // Returns whether the node reads the words of a slot, which differ from those of the other.
  task automatic reads_slot(input int which, output logic yes);
    logic [31:0] value;
    logic        differs = 1'b0;
    yes = 1'b1;
    for (int w = 0; w < int'(Compared); w++) begin
      read(w, value);
      for (int i = 0; i < 4; i++) begin
        if (value[8*i +: 8] != store[int'(Base) + which * int'(Stride) + 4*w + i]) yes = 1'b0;
        if (store[int'(Base) + 4*w + i] != store[int'(Base + Stride) + 4*w + i]) differs = 1'b1;
      end
    end
    yes = yes && differs;
  endtask

  task automatic load(input string path, output logic good);
    int fd;
    fd   = $fopen(path, "rb");
    good = fd != 0;
    if (good) begin
      good = $fread(store, fd, int'(Base), int'(2 * Stride)) == int'(2 * Stride);
      $fclose(fd);
    end
  endtask

  task automatic judge_cuts(input string dir, input int count);
    logic good, yes, all = 1'b1, said = 1'b1;
    for (int i = 0; i < count; i++) begin
      load($sformatf("%s/%0d", dir, i), good);
      power_up();
      reads_slot(0, yes);
      if (!good || !yes || !damaged)
        $display("# cut %0d: read %0d first %0d says %0d", i, good, yes, damaged);
      all = all && good && yes;
      said = said && damaged;
    end
    $display("# cuts=%0d", count);
    check(all && count > 0, "after_each_cut_of_the_update_the_first_image_runs");
    check(said && count > 0, "and_the_board_reports_that_the_second_is_not_right");
  endtask

  // ----------------------------------------------------------------- choices
  task automatic choices;
    logic yes, all, told;
    for (int i = 0; i < int'(Base + 2 * Stride); i++) store[i] = 8'hff;
    make_image(0);
    make_image(1);
    program_slot(0, int'(Image));
    power_up();
    runs(0, yes);
    check(yes && damaged && settled, "a_node_without_a_second_image_runs_the_first_and_says_so");

    program_slot(1, int'(Image));
    power_up();
    runs(1, yes);
    check(yes && !damaged, "a_node_runs_the_second_image_if_it_is_right");

    erase_slot(0, int'(Image));
    reset_node();
    runs(1, yes);
    check(yes, "a_reset_of_the_node_does_not_change_its_image");
    program_slot(0, int'(Image));

    all = 1'b1;
    told = 1'b1;
    for (int n = int'(Page); n < int'(Image); n += int'(Page)) begin
      program_slot(1, n);
      power_up();
      runs(0, yes);
      all = all && yes;
      told = told && damaged;
    end
    check(all, "an_update_that_is_cut_at_any_page_leaves_the_first_image_running");
    check(told, "and_the_board_reports_that_the_second_is_damaged");

    all = 1'b1;
    for (int n = int'(Page); n < int'(Image); n += 4 * int'(Page)) begin
      program_slot(1, int'(Image));
      erase_slot(1, n);
      power_up();
      runs(0, yes);
      all = all && yes && damaged;
    end
    check(all, "an_erasure_that_is_cut_leaves_the_first_image_running_and_the_board_says_so");

    all = 1'b1;
    for (int i = 0; i < int'(Image); i += i < 11 ? 1 : 149) begin
      program_slot(1, int'(Image));
      store[int'(Base + Stride) + i] ^= 8'd1 << $urandom_range(7);
      power_up();
      runs(0, yes);
      all = all && yes && damaged;
    end
    check(all, "an_image_with_a_wrong_bit_does_not_run");

    all = 1'b1;
    for (int i = 0; i < 3; i++) begin
      program_slot(1, int'(Image));
      case (i)
        0: for (int k = 4; k < 8; k++) store[int'(Base + Stride) + k] = 8'h00;
        1: store[int'(Base + Stride) + 6] = 8'h10;
        default: store[int'(Base + Stride) + 7] = 8'h80;
      endcase
      power_up();
      runs(0, yes);
      all = all && yes && damaged;
    end
    check(all, "an_image_of_an_impossible_length_does_not_run");
  endtask

  string dir, path;
  int    count;
  logic  good, runs_it, back;
  initial begin
    if ($value$plusargs("cuts=%s", dir)) begin
      void'($value$plusargs("count=%d", count));
      judge_cuts(dir, count);
      if ($value$plusargs("whole=%s", path)) begin
        load(path, good);
        power_up();
        report_state(int'(tern_abi_pkg::FWSTATE_READY), back);
        reads_slot(1, runs_it);
        check(good && runs_it && !damaged, "after_the_update_its_image_runs");
      end
    end else begin
      choices();
      trials();
    end
    tap_end();
  end

endmodule

`default_nettype wire
