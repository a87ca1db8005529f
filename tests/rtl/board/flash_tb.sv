// SPDX-License-Identifier: Apache-2.0
// Bench of the choice between two images of the firmware in a flash: an update that is cut at each
// place, damaged images, blank ones. The flash is a model at its SPI pins.
`default_nettype none

module flash_tb;

  localparam int Longest = 20000000;
`include "tb.svh"

  localparam int unsigned Base    = 4096;
  localparam int unsigned Stride  = 262144;      // bytes of a slot
  localparam int unsigned Payload = 2048;        // bytes
  localparam int unsigned Image   = Payload + tern_abi_pkg::FW_HEADER_BYTES;
  localparam int unsigned Page    = 128;

  logic        chosen, damaged, node_req = 1'b0, req, slot, valid, csn, sck, mosi, miso = 1'b1;
  logic        node_rst_n = 1'b1;
  logic [15:0] node_addr = '0, addr;
  logic [31:0] data;

  tern_flash_slots dut (
    .clk_i(clk), .rst_ni(rst_n), .chosen_o(chosen), .damaged_o(damaged),
    .req_i(node_req), .addr_i(node_addr),
    .req_o(req), .slot_o(slot), .addr_o(addr), .valid_i(valid), .data_i(data)
  );
  tern_spi_flash #(.Base(24'(Base))) u_flash (
    .clk_i(clk), .rst_ni(chosen ? node_rst_n : rst_n),
    .req_i(req), .slot_i(slot), .addr_i(addr), .valid_o(valid), .data_o(data),
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

  task automatic power_up;
    @(negedge clk);
    rst_n = 1'b0;
    cycles(4);
    @(negedge clk);
    rst_n = 1'b1;
    while (!chosen) @(negedge clk);
    node_rst_n = 1'b0;
    cycles(4);
    @(negedge clk);
    node_rst_n = 1'b1;
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

  logic yes, all, told;
  initial begin
    for (int i = 0; i < int'(Base + 2 * Stride); i++) store[i] = 8'hff;
    make_image(0);
    make_image(1);
    program_slot(0, int'(Image));
    power_up();
    runs(0, yes);
    check(yes && !damaged, "a_node_without_an_update_runs_the_first_image");

    program_slot(1, int'(Image));
    power_up();
    runs(1, yes);
    check(yes && !damaged, "a_node_runs_the_second_image_if_it_is_right");

    erase_slot(0, int'(Image));
    @(negedge clk);
    node_rst_n = 1'b0;
    cycles(4);
    @(negedge clk);
    node_rst_n = 1'b1;
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
      all = all && yes && !damaged;
    end
    check(all, "an_erasure_that_is_cut_leaves_the_first_image_running");

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
    tap_end();
  end

endmodule

`default_nettype wire
