// SPDX-License-Identifier: Apache-2.0
// Bench of the gigabit MAC at its RGMII pins, with its FIFOs of frames. The bench judges frames
// that leave byte by byte at the pins, and frames that arrive by their words. The PHY's clock is a
// little faster than the board's.
`default_nettype none

module eth_tb;

  localparam int Longest = 2000000;
`include "tb.svh"

  localparam int unsigned Most    = tern_abi_pkg::HLINK_ETHER_WORDS + tern_abi_pkg::HLINK_DOWN_WORDS
                                    + 1;             // words
  localparam int unsigned MaxByte = 1600;

  logic line_clk = 1'b0;
  always #3 line_clk = !line_clk;

  // ------------------------------------------------------------------- the device
  logic        rxc = 1'b0, rx_ctl = 1'b0, txc, tx_ctl, in_valid, in_error, out_valid;
  logic [3:0]  rxd = '0, txd;
  logic [7:0]  in_byte, out_byte;
  logic        rx_rst_n = 1'b0, line_rst_n = 1'b0;

  tern_rgmii u_rgmii (
    .rxc_i(rxc), .rx_ctl_i(rx_ctl), .rxd_i(rxd), .txc_o(txc), .tx_ctl_o(tx_ctl), .txd_o(txd),
    .valid_o(in_valid), .error_o(in_error), .byte_o(in_byte),
    .clk_i(line_clk), .valid_i(out_valid), .byte_i(out_byte)
  );

  logic        rx_put, rx_keep, rx_forget, rx_room, got_valid, got_ready = 1'b0, got_last;
  logic [31:0] rx_word, got_word;
  tern_eth_rx u_rx (
    .clk_i(rxc), .rst_ni(rx_rst_n), .valid_i(in_valid), .error_i(in_error), .byte_i(in_byte),
    .put_o(rx_put), .keep_o(rx_keep), .forget_o(rx_forget), .word_o(rx_word), .room_i(rx_room)
  );
  tern_frame_fifo #(.Words(256)) u_in (
    .wclk_i(rxc), .wrst_ni(rx_rst_n),
    .put_i(rx_put), .keep_i(rx_keep), .forget_i(rx_forget), .word_i(rx_word), .room_o(rx_room),
    .rclk_i(clk), .rrst_ni(rst_n),
    .valid_o(got_valid), .ready_i(got_ready), .last_o(got_last), .word_o(got_word)
  );

  logic        put = 1'b0, keep = 1'b0, forget = 1'b0, room, tx_valid, tx_ready, tx_last;
  logic [31:0] put_word = '0, tx_word;
  tern_frame_fifo #(.Words(256), .Slack(150), .Registered(1'b1)) u_out (
    .wclk_i(clk), .wrst_ni(rst_n),
    .put_i(put), .keep_i(keep), .forget_i(forget), .word_i(put_word), .room_o(room),
    .rclk_i(line_clk), .rrst_ni(line_rst_n),
    .valid_o(tx_valid), .ready_i(tx_ready), .last_o(tx_last), .word_o(tx_word)
  );
  tern_eth_tx u_tx (
    .clk_i(line_clk), .rst_ni(line_rst_n),
    .valid_i(tx_valid), .ready_o(tx_ready), .last_i(tx_last), .word_i(tx_word),
    .valid_o(out_valid), .byte_o(out_byte)
  );

  // ------------------------------------------------------- CRC-32, highest bit first
  function automatic logic [31:0] fcs(input logic [7:0] data [MaxByte], input int from,
                                      input int count);
    automatic logic [31:0] crc = '1, result;
    for (int i = from; i < from + count; i++)
      for (int b = 0; b < 8; b++)
        crc = {crc[30:0], 1'b0} ^ ((crc[31] != data[i][b]) ? 32'h04c11db7 : 32'h0);
    for (int b = 0; b < 32; b++) result[b] = !crc[31-b];
    fcs = result;
  endfunction

  // -------------------------------------------------------------- what leaves
  logic [7:0] sent [MaxByte];          // of the frame at the pins, preamble and all
  int         sent_bytes = 0, gap = 100, least_gap = 1000, frames_out = 0;
  logic [7:0] last_sent [MaxByte];     // the last complete one
  int         last_bytes = 0, unlike = 0;
  logic [3:0] low;
  logic       low_ctl, in_frame = 1'b0;

  always @(posedge txc) #1 {low_ctl, low} = {tx_ctl, txd};
  always @(negedge txc) begin
    #1;
    if (tx_ctl != low_ctl) unlike++;
    if (low_ctl) begin
      if (!in_frame) begin
        if (frames_out > 0 && gap < least_gap) least_gap = gap;
        sent_bytes = 0;
      end
      in_frame = 1'b1;
      sent[sent_bytes] = {txd, low};
      sent_bytes++;
      gap = 0;
    end else begin
      if (in_frame) begin
        last_sent  = sent;
        last_bytes = sent_bytes;
        frames_out++;
      end
      in_frame = 1'b0;
      gap++;
    end
  end

  logic [31:0] words [MaxByte / 4];
  int bad_preamble = 0, bad_bytes = 0, bad_pad = 0, bad_fcs = 0;

  // Puts a frame of `count` words; with `drop`, forgets it in place of the last word.
  task automatic put_frame(input int count, input logic drop);
    while (!room) @(negedge clk);
    for (int i = 0; i < count; i++) begin
      words[i] = $urandom;
      put <= !(drop && i == count - 1);
      keep <= !drop && i == count - 1;
      forget <= drop && i == count - 1;
      put_word <= words[i];
      @(negedge clk);
    end
    put <= 1'b0;
    keep <= 1'b0;
    forget <= 1'b0;
  endtask

  task automatic judge_frame(input int count);
    automatic int had = frames_out, bytes = 4 * count < 60 ? 60 : 4 * count;
    put_frame(count, 1'b0);
    while (frames_out == had) @(negedge clk);
    for (int i = 0; i < 8; i++)
      if (last_sent[i] != (i == 7 ? 8'hd5 : 8'h55)) bad_preamble++;
    for (int i = 0; i < 4 * count; i++)
      if (last_sent[8+i] != words[i/4][8*(i%4) +: 8]) bad_bytes++;
    for (int i = 4 * count; i < bytes; i++) if (last_sent[8+i] != 8'd0) bad_pad++;
    if (last_bytes != 8 + bytes + 4) bad_pad++;
    if ({last_sent[11+bytes], last_sent[10+bytes], last_sent[9+bytes], last_sent[8+bytes]}
        != fcs(last_sent, 8, bytes)) bad_fcs++;
  endtask

  // -------------------------------------------------------------- what arrives
  logic [7:0] line [MaxByte];          // a frame from the PHY without its preamble
  int         line_bytes;
  logic [31:0] got [4096];
  int got_words = 0, got_frames = 0;

  always @(posedge clk) if (got_valid && got_ready) begin
    got[got_words] = got_word;
    got_words++;
    if (got_last) got_frames++;
  end

  task automatic rgmii(input logic valid, input logic error, input logic [7:0] data);
    {rx_ctl, rxd} = {valid, data[3:0]};
    #1 rxc = 1'b1;
    #1 {rx_ctl, rxd} = {valid != error, data[7:4]};
    #1 rxc = 1'b0;
    #2;
  endtask

  task automatic idle(input int count);
    repeat (count) rgmii(1'b0, 1'b0, 8'd0);
  endtask

  // Makes a frame of `count` bytes, with the FCS, from the host link of a host to a board.
  task automatic make(input int count);
    automatic logic [31:0] check_word;
    for (int i = 0; i < count; i++) line[i] = 8'($urandom);
    for (int i = 0; i < 4; i++) line[i] = tern_abi_pkg::HLINK_ETHER_LOW[8*i +: 8];
    for (int i = 0; i < 2; i++) line[4+i] = tern_abi_pkg::HLINK_ETHER_HIGH[8*i +: 8];
    line[12] = tern_abi_pkg::HLINK_ETHER_TYPE[15:8];
    line[13] = tern_abi_pkg::HLINK_ETHER_TYPE[7:0];
    line_bytes = count;
    seal();
  endtask

  task automatic seal;
    automatic logic [31:0] sum = fcs(line, 0, line_bytes - 4);
    for (int i = 0; i < 4; i++) line[line_bytes-4+i] = sum[8*i +: 8];
  endtask

  // Sends it: `preamble` bytes before its start, an error in byte `error_at`.
  task automatic send(input int preamble, input int error_at);
    for (int i = 0; i < preamble; i++) rgmii(1'b1, 1'b0, 8'h55);
    rgmii(1'b1, 1'b0, 8'hd5);
    for (int i = 0; i < line_bytes; i++) rgmii(1'b1, i == error_at, line[i]);
    idle(12);
  endtask

  int wrong_words = 0;
  // Sends the frame; returns whether it arrived, all of it right.
  task automatic passes(input int preamble, input int error_at, output logic arrived);
    automatic int had = got_frames, first = got_words;
    send(preamble, error_at);
    idle(40);
    cycles(100);
    arrived = got_frames == had + 1 && got_words == first + line_bytes / 4 - 1;
    if (!arrived && got_words != first) wrong_words++;
    if (arrived)
      for (int i = 0; i < line_bytes - 4; i++)
        if (got[first+i/4][8*(i%4) +: 8] != line[i]) wrong_words++;
  endtask

  // ------------------------------------------------------------------------ a run
  logic       arrived, all;
  logic [7:0] digits [MaxByte];
  int         had, first;

  initial begin
    idle(4);
    // A frame is under way when the reset ends.
    make(64);
    for (int i = 0; i < 50; i++) rgmii(1'b1, 1'b0, 8'h55);
    rst_n = 1'b1;
    rx_rst_n = 1'b1;
    line_rst_n = 1'b1;
    send(10, -1);
    got_ready = 1'b1;
    idle(40);
    cycles(100);
    check(got_words == 0, "a_frame_that_is_under_way_at_reset_does_not_arrive");

    for (int i = 0; i < 9; i++) digits[i] = 8'h31 + 8'(i);
    check(fcs(digits, 0, 9) == 32'hcbf43926, "the_bench_knows_the_crc_of_ethernet");

    @(negedge clk);
    for (int n = 1; n < 20; n++) judge_frame(n);
    judge_frame(int'(tern_abi_pkg::HLINK_ETHER_WORDS + tern_abi_pkg::HLINK_UP_WORDS) + 1);
    check(bad_preamble == 0 && unlike == 0, "a_frame_leaves_after_its_preamble");
    check(bad_bytes == 0, "its_bytes_leave_in_order");
    check(bad_pad == 0, "a_short_frame_is_padded_to_60_bytes");
    check(bad_fcs == 0, "the_fcs_of_a_frame_that_leaves_is_right");
    had = frames_out;
    least_gap = 1000;
    repeat (20) put_frame($urandom_range(30, 4), 1'b0);
    while (frames_out != had + 20) @(negedge clk);
    check(least_gap == 12, "frames_in_a_row_leave_12_bytes_apart");
    put_frame(9, 1'b1);
    judge_frame(20);
    check(frames_out == had + 21 && bad_bytes == 0 && bad_fcs == 0,
          "a_frame_that_is_forgotten_does_not_leave");

    all = 1'b1;
    for (int n = 64; n <= int'(Most + 1) * 4; n += 4) begin
      make(n);
      passes(7, -1, arrived);
      all = all && arrived;
    end
    check(all && wrong_words == 0, "frames_of_all_lengths_arrive_whole");
    make(64);
    for (int i = 0; i < 6; i++) line[i] = 8'hff;
    seal();
    passes(1, -1, arrived);
    check(arrived && wrong_words == 0, "a_frame_to_all_with_a_short_preamble_arrives");

    had = got_frames;
    repeat (40) begin
      make($urandom_range(int'(Most) + 1, 16) * 4);
      send(7, -1);
    end
    cycles(200);
    check(got_frames == had + 40 && wrong_words == 0, "frames_in_a_row_arrive");

    all = 1'b0;
    for (int i = 0; i < 80; i++) begin
      make(80);
      line[i] ^= 8'd1 << $urandom_range(7);
      passes(7, -1, arrived);
      all = all || arrived;
    end
    check(!all && wrong_words == 0, "a_frame_with_a_wrong_bit_does_not_arrive");
    all = 1'b0;
    for (int i = 0; i < 80; i += 9) begin
      make(80);
      passes(7, i, arrived);
      all = all || arrived;
    end
    check(!all && wrong_words == 0, "a_frame_with_an_error_of_the_phy_does_not_arrive");
    make(60);
    passes(7, -1, arrived);
    all = arrived;
    make(8);
    passes(7, -1, arrived);
    check(!all && !arrived && wrong_words == 0, "a_frame_that_is_too_short_does_not_arrive");
    make(int'(Most + 2) * 4);
    passes(7, -1, arrived);
    all = arrived;
    make(1500);
    passes(7, -1, arrived);
    check(!all && !arrived && wrong_words == 0, "a_frame_that_is_too_long_does_not_arrive");
    all = 1'b0;
    for (int n = 69; n < 72; n++) begin
      make(n);
      passes(7, -1, arrived);
      all = all || arrived;
    end
    check(!all && wrong_words == 0, "a_frame_that_does_not_end_with_a_word_does_not_arrive");
    make(64);
    line[13] ^= 8'd1;
    seal();
    passes(7, -1, arrived);
    check(!arrived && wrong_words == 0, "a_frame_of_another_type_does_not_arrive");
    all = 1'b0;
    for (int i = 0; i < 6; i++) begin
      make(64);
      line[i] ^= 8'h10;
      seal();
      passes(7, -1, arrived);
      all = all || arrived;
    end
    check(!all && wrong_words == 0, "a_frame_to_another_board_does_not_arrive");
    make(64);
    for (int i = 0; i < 7; i++) rgmii(1'b1, 1'b0, 8'h55);
    rgmii(1'b1, 1'b0, 8'h5d);          // in place of a start
    had = got_frames;
    for (int i = 0; i < 64; i++) rgmii(1'b1, 1'b0, line[i]);
    idle(60);
    cycles(100);
    check(got_frames == had, "a_frame_without_its_start_does_not_arrive");

    // The reader stops: what is stored stays, what does not fit is lost whole.
    @(negedge clk);
    got_ready = 1'b0;
    had = got_frames;
    first = got_words;
    repeat (8) begin
      make(200);
      send(7, -1);
    end
    cycles(100);
    @(negedge clk);
    got_ready = 1'b1;
    cycles(400);
    check(got_frames > had && got_frames < had + 8
          && got_words - first == (got_frames - had) * 49 && got[first][31:16] != 16'd0,
          "a_full_fifo_loses_whole_frames");
    make(200);
    passes(7, -1, arrived);
    check(arrived && wrong_words == 0, "a_frame_after_those_lost_arrives");
    tap_end();
  end

endmodule

`default_nettype wire
