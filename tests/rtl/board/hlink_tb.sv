// SPDX-License-Identifier: Apache-2.0
// Bench of the host link: the board's end in RTL, the host's end in C, a serial line or (`Ether`)
// an Ethernet cable between them that damages, loses and repeats frames. A node reads and writes
// the host's memory while the host writes and reads the node's registers; all of it must happen
// once, in order, with the right bytes. With `Shared`, another node has the same line; the host
// reads its registers all the time.
`default_nettype none

module hlink_tb #(
  parameter int unsigned Rounds = 150,
  parameter bit          Ether  = 1'b0,
  parameter bit          Shared = 1'b0      // serial only
);

  localparam int Longest = 40000000;
`include "tb.svh"

  localparam int unsigned Clock  = 50_000_000;
  // of a serial line, faster than a board's: shorter to simulate
  localparam int unsigned Baud   = Ether ? 0 : 10_000_000;
  localparam longint      BitsPerByte = Ether ? 8 : 10;
  localparam longint      LineBits    = Ether ? 1_000_000_000 : longint'(Baud);
  localparam int unsigned Long   = 32768;        // bytes that are read in a row
  localparam int unsigned Memory = 65536;

  import "DPI-C" function void hlink_begin(input int seed, input int faults, input int baud,
                                           input int clock, input int memory);
  import "DPI-C" function int hlink_level(input int level);
  import "DPI-C" function int hlink_rgmii(input int pins);
  import "DPI-C" function int hlink_strangers();
  import "DPI-C" function void hlink_share();
  import "DPI-C" function int hlink_other();
  import "DPI-C" function int hlink_again();
  import "DPI-C" function longint hlink_register(input int write, input int fn, input int addr,
                                                 input int be, input longint data);
  import "DPI-C" function int hlink_registers(input int more);
  import "DPI-C" function int hlink_wrong();
  import "DPI-C" function int hlink_faults();
  import "DPI-C" function int hlink_interrupts();

  // ------------------------------------------------------------------ the link
  logic        start, valid, ready, tx_valid, tx_ready, tx_first, tx_last, node_rst, known;
  logic [31:0] word, tx_word, session;
  logic        hrq_valid = 1'b0, hrq_ready, hrd_valid, hrd_last, hrd_err;
  logic        hwr_valid = 1'b0, hwr_ready, hwr_last, hwr_irq = 1'b0, hwb_valid, hwb_err;
  logic        bar_valid, bar_ready = 1'b0, bar_write, bar_rvalid = 1'b0;
  logic [7:0]  hrq_fn = 8'd0, hrq_tag = 8'd0, hrd_tag, hwr_fn = 8'd0, hwr_tag = 8'd0, hwb_tag;
  logic [7:0]  bar_fn, bar_be;
  logic [63:0] hrq_addr = '0, hwr_addr = '0, bar_wdata, bar_rdata = '0;
  logic [8:0]  hrq_bytes = '0;
  logic [10:0] hwr_bytes = '0;
  logic [31:0] hrd_data, hwr_data;
  logic [16:0] bar_addr;

  if (Ether) begin : g_ether
    logic       line_clk = 1'b0, rxc = 1'b0, rx_ctl = 1'b0, txc, tx_ctl;
    logic       in_valid, in_error, out_valid, rx_rst_n, line_rst_n;
    logic [3:0] rxd = '0, txd;
    logic [7:0] in_byte, out_byte;

    always #2 line_clk = !line_clk;      // 125 MHz, if `clk` is 50 MHz

    // The PHY gives data ahead of its clock, and looks between the edges of the board's.
    initial #1 forever begin
      automatic logic [5:0] pins = 6'(hlink_rgmii(int'({txc, tx_ctl, txd})));
      {rx_ctl, rxd} = pins[4:0];
      #1 rxc = pins[5];
      #1;
    end

    tern_cdc_reset u_rx_reset   (.clk_i(rxc), .ok_i(rst_n), .rst_no(rx_rst_n));
    tern_cdc_reset u_line_reset (.clk_i(line_clk), .ok_i(rst_n), .rst_no(line_rst_n));

    tern_rgmii u_rgmii (
      .rxc_i(rxc), .rx_ctl_i(rx_ctl), .rxd_i(rxd), .txc_o(txc), .tx_ctl_o(tx_ctl), .txd_o(txd),
      .valid_o(in_valid), .error_o(in_error), .byte_o(in_byte),
      .clk_i(line_clk), .valid_i(out_valid), .byte_i(out_byte)
    );

    tern_hlink_eth u_eth (
      .clk_i(clk), .rst_ni(rst_n), .sync_i(node_rst), .session_i(session[15:0]),
      .rx_clk_i(rxc), .rx_rst_ni(rx_rst_n),
      .rx_valid_i(in_valid), .rx_error_i(in_error), .rx_byte_i(in_byte),
      .tx_clk_i(line_clk), .tx_rst_ni(line_rst_n), .tx_valid_o(out_valid), .tx_byte_o(out_byte),
      .start_o(start), .valid_o(valid), .ready_i(ready), .word_o(word),
      .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last),
      .word_i(tx_word)
    );
  end else begin : g_serial
    logic pin_in = 1'b1, pin_out;

    tern_hlink_uart #(.ClockHz(Clock), .Baud(Baud)) u_uart (
      .clk_i(clk), .rst_ni(rst_n), .rx_i(pin_in), .tx_o(pin_out),
      .start_o(start), .valid_o(valid), .word_o(word),
      .valid_i(tx_valid), .ready_o(tx_ready), .first_i(tx_first), .last_i(tx_last),
      .word_i(tx_word)
    );

    always_ff @(posedge clk) pin_in <= hlink_level(int'(pin_out)) != 0;
    always_ff @(posedge clk) if (rst_n && valid) LineIsSlow: assert (ready);
  end

  logic        up_valid, up_ready, up_first, up_last;
  logic [31:0] up_word;
  int          other_resets = 0;
  if (Shared) begin : g_shared
    logic        o_valid, o_ready, o_first, o_last, o_rst, o_known, o_rx_ready;
    logic        o_bar_valid, o_bar_write, o_rvalid = 1'b0;
    logic        o_hrq, o_hrd, o_hrd_last, o_hrd_err, o_hwr, o_hwb, o_hwb_err;
    logic [7:0]  o_hrd_tag, o_hwb_tag, o_fn, o_be;
    logic [16:0] o_addr;
    logic [31:0] o_word, o_session, o_hrd_data;
    logic [63:0] o_wdata, o_rdata = '0;

    tern_hlink #(.Channel(4'd0)) u_other (
      .clk_i(clk), .rst_ni(rst_n), .node_rst_o(o_rst), .known_o(o_known), .session_o(o_session),
      .flags_i(8'd0),
      .rx_start_i(start), .rx_valid_i(valid), .rx_ready_o(o_rx_ready), .rx_word_i(word),
      .tx_valid_o(o_valid), .tx_ready_i(o_ready), .tx_first_o(o_first), .tx_last_o(o_last),
      .tx_word_o(o_word),
      .hrq_valid_i(1'b0), .hrq_ready_o(o_hrq), .hrq_fn_i('0), .hrq_addr_i('0),
      .hrq_bytes_i('0), .hrq_tag_i('0), .hrd_valid_o(o_hrd), .hrd_tag_o(o_hrd_tag),
      .hrd_data_o(o_hrd_data), .hrd_last_o(o_hrd_last), .hrd_err_o(o_hrd_err),
      .hwr_valid_i(1'b0), .hwr_ready_o(o_hwr), .hwr_fn_i('0), .hwr_addr_i('0),
      .hwr_bytes_i('0), .hwr_data_i('0), .hwr_last_i(1'b0), .hwr_irq_i(1'b0), .hwr_tag_i('0),
      .hwb_valid_o(o_hwb), .hwb_tag_o(o_hwb_tag), .hwb_err_o(o_hwb_err),
      .bar_valid_o(o_bar_valid), .bar_ready_i(1'b1), .bar_write_o(o_bar_write), .bar_fn_o(o_fn),
      .bar_addr_o(o_addr), .bar_wdata_o(o_wdata), .bar_be_o(o_be),
      .bar_rvalid_i(o_rvalid), .bar_rdata_i(o_rdata)
    );
    always_ff @(posedge clk) begin
      o_rvalid <= o_bar_valid && !o_bar_write;
      o_rdata  <= ~64'(o_addr);
      if (o_rst) other_resets <= other_resets + 1;
    end

    tern_hlink_merge u_merge (
      .clk_i(clk), .rst_ni(rst_n),
      .valid_i({up_valid, o_valid}), .ready_o({up_ready, o_ready}),
      .first_i({up_first, o_first}), .last_i({up_last, o_last}), .word_i({up_word, o_word}),
      .valid_o(tx_valid), .ready_i(tx_ready), .first_o(tx_first), .last_o(tx_last),
      .word_o(tx_word)
    );
  end else begin : g_alone
    assign {tx_valid, tx_first, tx_last, tx_word} = {up_valid, up_first, up_last, up_word};
    assign up_ready = tx_ready;
  end

  tern_hlink #(
    .AckWait(Ether ? 256 : 4096), .Timeout(Ether ? 65536 : 262144), .Channel(4'(Shared))
  ) dut (
    .clk_i(clk), .rst_ni(rst_n), .node_rst_o(node_rst), .known_o(known), .session_o(session),
    .flags_i(8'd0),
    .rx_start_i(start), .rx_valid_i(valid), .rx_ready_o(ready), .rx_word_i(word),
    .tx_valid_o(up_valid), .tx_ready_i(up_ready), .tx_first_o(up_first), .tx_last_o(up_last),
    .tx_word_o(up_word),
    .hrq_valid_i(hrq_valid), .hrq_ready_o(hrq_ready), .hrq_fn_i(hrq_fn), .hrq_addr_i(hrq_addr),
    .hrq_bytes_i(hrq_bytes), .hrq_tag_i(hrq_tag),
    .hrd_valid_o(hrd_valid), .hrd_tag_o(hrd_tag), .hrd_data_o(hrd_data), .hrd_last_o(hrd_last),
    .hrd_err_o(hrd_err),
    .hwr_valid_i(hwr_valid), .hwr_ready_o(hwr_ready), .hwr_fn_i(hwr_fn), .hwr_addr_i(hwr_addr),
    .hwr_bytes_i(hwr_bytes), .hwr_data_i(hwr_data), .hwr_last_i(hwr_last), .hwr_irq_i(hwr_irq),
    .hwr_tag_i(hwr_tag),
    .hwb_valid_o(hwb_valid), .hwb_tag_o(hwb_tag), .hwb_err_o(hwb_err),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready), .bar_write_o(bar_write), .bar_fn_o(bar_fn),
    .bar_addr_o(bar_addr), .bar_wdata_o(bar_wdata), .bar_be_o(bar_be),
    .bar_rvalid_i(bar_rvalid), .bar_rdata_i(bar_rdata)
  );

  int resets = 0;
  always_ff @(posedge clk) if (node_rst) resets <= resets + 1;

  // ------------------------------------------------- registers: the host checks
  always_ff @(posedge clk) begin
    bar_ready  <= $urandom_range(3) == 0;
    bar_rvalid <= 1'b0;
    if (bar_valid && bar_ready) begin
      bar_rdata  <= hlink_register(int'(bar_write), int'(bar_fn), int'(bar_addr), int'(bar_be),
                                   bar_wdata);
      bar_rvalid <= !bar_write;
    end
  end

  // ---------------------------------------------------- memory, as it should be
  logic [7:0] mirror [0:Memory-1];
  int wrong_bytes = 0, wrong_answers = 0;

  // Reads on their way, oldest first: the host answers in order.
  int read_addr [0:255];
  int read_bytes [0:255];
  logic [7:0] read_tag [0:255];
  logic [7:0] reads_asked = '0, reads_done = '0;
  int lane = 0;

  always @(posedge clk) if (hrd_valid) begin
    automatic int base = read_addr[reads_done] & ~3;
    automatic int fault = read_addr[reads_done] >= Memory ? 1 : 0;
    if (reads_asked == reads_done || hrd_tag != read_tag[reads_done] || hrd_err != (fault != 0))
      wrong_answers++;
    for (int i = 0; i < 4; i++) begin
      automatic int at = base + lane + i;
      if (fault == 0 && at >= read_addr[reads_done]
          && at < read_addr[reads_done] + read_bytes[reads_done]
          && hrd_data[8*i +: 8] != mirror[at]) wrong_bytes++;
    end
    lane = lane + 4;
    if (hrd_last) begin
      if (fault == 0 && base + lane < read_addr[reads_done] + read_bytes[reads_done])
        wrong_answers++;
      reads_done <= reads_done + 8'd1;
      lane = 0;
    end
  end

  int writes = 0, written = 0, write_faults = 0;
  always @(posedge clk) if (hwb_valid) begin
    if (hwb_tag != 8'(written)) wrong_answers++;
    if (hwb_err) write_faults++;
    written++;
  end

  // What the link has taken. The tasks change its inputs at the other edge of the clock.
  int requests = 0, beats_taken = 0;
  always_ff @(posedge clk) begin
    if (hrq_valid && hrq_ready) requests <= requests + 1;
    if (hwr_valid && hwr_ready) beats_taken <= beats_taken + 1;
  end

  task automatic ask(input int addr, input int bytes);
    automatic int had = requests;
    while (8'(reads_asked - reads_done) >= 8'd8) @(negedge clk);
    read_addr[reads_asked]  = addr;
    read_bytes[reads_asked] = bytes;
    read_tag[reads_asked]   = 8'($urandom);
    hrq_tag   <= read_tag[reads_asked];
    hrq_addr  <= 64'(addr);
    hrq_bytes <= 9'(bytes);
    hrq_valid <= 1'b1;
    reads_asked <= reads_asked + 8'd1;
    do @(negedge clk); while (requests == had);
    hrq_valid <= 1'b0;
    @(negedge clk);
  endtask

  task automatic write(input int addr, input int bytes, input logic irq);
    automatic int beats = irq ? 1 : (addr % 4 + bytes + 3) / 4;
    automatic int had;
    automatic logic [31:0] data;
    hwr_addr  <= 64'(addr);
    hwr_bytes <= 11'(bytes);
    hwr_irq   <= irq;
    hwr_tag   <= 8'(writes);
    writes++;
    for (int b = 0; b < beats; b++) begin
      data = $urandom;
      // Bytes that a line must escape.
      if ($urandom_range(7) == 0) data[15:0] = 16'h7d7e;
      if (irq) data = 32'h0005;
      for (int i = 0; i < 4 && !irq; i++) begin
        automatic int at = (addr & ~3) + 4 * b + i;
        if (at >= addr && at < addr + bytes && at < Memory) mirror[at] = data[8*i +: 8];
      end
      hwr_data  <= data;
      hwr_last  <= b == beats - 1;
      hwr_valid <= 1'b1;
      had = beats_taken;
      do @(negedge clk); while (beats_taken == had);
      if ($urandom_range(15) == 0) begin
        hwr_valid <= 1'b0;
        cycles($urandom_range(20));
        @(negedge clk);
      end
    end
    hwr_valid <= 1'b0;
    @(negedge clk);
  endtask

  task automatic settle;
    while (reads_asked != reads_done || writes != written) @(negedge clk);
  endtask

  // --------------------------------------------------------------------- a run
  int irqs = 0, faults = 0, begun, took;   // faults: of 1000 frames, so many have each kind
  longint share;
  initial begin
    void'($value$plusargs("faults=%d", faults));
    for (int i = 0; i < Memory; i++) mirror[i] = 8'd0;
    cycles(8);
    @(negedge clk);
    rst_n <= 1'b1;
    cycles(40);
    @(negedge clk);
    hlink_begin(7, faults, Baud, Clock, Memory);
    if (Shared) hlink_share();
    while (!known) @(negedge clk);
    check(resets == 1, "a_session_begins_with_one_reset_of_the_node");

    for (int n = 0; n < Rounds; n++) begin
      automatic int addr = $urandom_range(Memory - 600);
      void'(hlink_registers($urandom_range(3)));
      case ($urandom_range(9))
        0, 1, 2, 3: write(addr, $urandom_range(512, 1), 1'b0);
        4: begin
          write(0, 2, 1'b1);
          irqs++;
        end
        5: if ($urandom_range(3) == 0) ask(Memory + addr, 64);
           else write(addr, $urandom_range(8, 1), 1'b0);
        default: begin
          automatic int most = 4096 - addr % 4096;
          ask(addr, $urandom_range(most < 256 ? most : 256, 1));
        end
      endcase
      // a write that changes bytes must not overtake the comparison of a read
      settle();
    end
    while (hlink_registers(0) != 0) @(negedge clk);
    check(wrong_bytes == 0, "no_byte_of_memory_is_wrong");
    check(wrong_answers == 0 && write_faults == 0,
          "every_access_to_memory_ends_once_and_in_order");
    check(hlink_wrong() == 0, "registers_are_accessed_once_and_in_order");
    check(hlink_interrupts() == irqs, "every_interrupt_comes_once");
    check(resets == 1 && (hlink_faults() > 0) == (faults > 0), "the_line_has_the_faults_asked_for");
    if (Ether) check((hlink_strangers() > 9) == (faults > 0),
                     "frames_of_other_sessions,_types_and_receivers_change_nothing");

    if (Shared) begin
      $display("# evidence the other node answered %0d reads meanwhile", hlink_other());
      check(hlink_other() > 100 && hlink_wrong() == 0 && other_resets == 1,
            "each_of_two_nodes_on_a_line_gets_its_own_frames");
    end

    // Reads in a row, as the node makes them.
    begun = int'($time / 10);
    for (int at = 0; at < int'(Long); at += 256) ask(at, 256);
    settle();
    took = int'($time / 10) - begun;
    share = longint'(Long) * BitsPerByte * Clock / LineBits * 100 / longint'(took);
    $display("# %0d bytes in %0d cycles: %0d %% of the line", Long, took,
             share);
    check(wrong_bytes == 0 && wrong_answers == 0, "long_reads_are_right");
    if (faults == 0) begin
      check(hlink_again() == 0, "a_line_without_faults_carries_no_frame_twice");
      if (!Shared) check(share >= 80, "long_reads_take_four_fifths_of_the_line");
    end
    tap_end();
  end

endmodule

`default_nettype wire
