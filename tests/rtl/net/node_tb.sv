// SPDX-License-Identifier: Apache-2.0
// Bench of two whole nodes connected as a ring: they boot from flash, each puts a few bytes into
// the other's host memory (node_fw.c), and the host reads registers. `+hex=FILE` is the firmware.
`default_nettype none

module node_tb #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned NumFn      = 64,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 4096,
  parameter int unsigned NumCtr     = 256,
  parameter int unsigned RxSlots    = 8,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned ItcmBytes  = tern_abi_pkg::MEM_ITCM_BYTES,
  parameter int unsigned DtcmBytes  = tern_abi_pkg::MEM_DTCM_BYTES
);

  localparam int HostBase = 'h4000;   // the same values as in node_fw.c
  localparam int PutAddr  = 'h123;
  localparam int PutBytes = 24;

  localparam int Longest = 1000000;
  `include "tb.svh"

  // ------------------------------------------------------- flash image, shared
  logic [31:0] flash [0:8195];
  logic [31:0] payload [0:8191];
  string       file;
  int          words;

  task automatic load_image;
    logic [31:0] crc;
    for (int i = 0; i < 8192; i++) payload[i] = 32'hffff_ffff;
    $readmemh(file, payload);
    words = 0;
    while (words < 8192 && payload[words] != 32'hffff_ffff) words++;
    for (int i = 0; i < words; i++) flash[4 + i] = payload[i];
    crc = '1;
    for (int i = 0; i < words; i++) begin
      for (int b = 0; b < 32; b++) begin
        crc = (crc >> 1) ^ ((crc[0] ^ flash[4 + i][b]) ? 32'h82f63b78 : 32'd0);
      end
    end
    flash[0] = 32'(tern_abi_pkg::FW_MAGIC);
    flash[1] = 32'(4 * words);
    flash[2] = ~crc;
    flash[3] = 32'd1;
  endtask

  // ------------------------------------------------------------------ two nodes
  logic [1:0]         bar_valid = '0, bar_ready, bar_rvalid;
  logic [16:0]        bar_addr;
  logic [127:0]       bar_rdata;
  logic [3:0]         tx_valid, rx_valid;
  logic [7:0]         tx_kind, rx_kind;
  logic [4*DataW-1:0] tx_data, rx_data;
  logic [1:0]         said = '0;
  logic [7:0]         host [0:2*65536-1];
  int                 strays = 0;

  for (genvar n = 0; n < 2; n++) begin : g_node
    logic                   wv, wr, wl, wi, bv, fr, fv;
    logic [63:0]            wa;
    logic [10:0]            wb;
    logic [DataW-1:0]       wd, skipped_data;
    logic [7:0]             wf, wt, bt;
    logic [15:0]            fa;
    logic [31:0]            fd;
    logic [tern_abi_pkg::TRACE_LANES-1:0]    tv;
    logic [16*tern_abi_pkg::TRACE_LANES-1:0] ti;
    logic [63:0]            at;
    logic                   first = 1'b1;

    tern_node #(
      .DataW(DataW), .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots), .NumRegions(NumRegions),
      .NumCtr(NumCtr), .RxSlots(RxSlots), .BufWords(BufWords),
      .ItcmBytes(ItcmBytes), .DtcmBytes(DtcmBytes)
    ) u_node (
      .clk_i(clk), .rst_ni(rst_n),
      .hrq_valid_o(), .hrq_ready_i(1'b1), .hrq_fn_o(), .hrq_addr_o(), .hrq_bytes_o(),
      .hrq_tag_o(), .hrd_valid_i(1'b0), .hrd_tag_i('0), .hrd_data_i('0), .hrd_last_i(1'b0),
      .hrd_err_i(1'b0),
      .hwr_valid_o(wv), .hwr_ready_i(wr), .hwr_fn_o(wf), .hwr_addr_o(wa), .hwr_bytes_o(wb),
      .hwr_data_o(wd), .hwr_last_o(wl), .hwr_irq_o(wi), .hwr_tag_o(wt),
      .hwb_valid_i(bv), .hwb_tag_i(bt), .hwb_err_i(1'b0),
      .bar_valid_i(bar_valid[n]), .bar_ready_o(bar_ready[n]), .bar_write_i(1'b0), .bar_fn_i('0),
      .bar_addr_i(bar_addr), .bar_wdata_i('0), .bar_be_i('1), .bar_rvalid_o(bar_rvalid[n]),
      .bar_rdata_o(bar_rdata[64*n +: 64]),
      .fl_req_o(fr), .fl_addr_o(fa), .fl_valid_i(fv), .fl_data_i(fd), .fl_life_o(),
      .fw_state_o(),
      .strap_node_i(16'(n)), .strap_dims_i(16'd1), .strap_clock_hz_i(32'd1000),
      .strap_host_latency_i(16'd7), .strap_life_i('0),
      .ltx_hold_i('0), .ltx_valid_o(tx_valid[2*n +: 2]), .ltx_kind_o(tx_kind[4*n +: 4]),
      .ltx_data_o(tx_data[2*n*DataW +: 2*DataW]),
      .lrx_valid_i(rx_valid[2*n +: 2]), .lrx_kind_i(rx_kind[4*n +: 4]),
      .lrx_data_i(rx_data[2*n*DataW +: 2*DataW]),
      .tr_valid_o(tv), .tr_id_o(ti), .tr_cycle_o(), .retire_valid_o(), .retire_pc_o(),
      .dbg_op_i('0), .dbg_addr_i('0), .dbg_data_i('0), .dbg_state_o(), .dbg_pc_o(),
      .dbg_insn_o(), .dbg_value_o()
    );

    // Port 0 of each node connects to port 1 of the other.
    assign rx_valid[2*n +: 2]                = {tx_valid[2*(1-n)], tx_valid[2*(1-n) + 1]};
    assign rx_kind[4*n +: 4]                 = {tx_kind[4*(1-n) +: 2], tx_kind[4*(1-n) + 2 +: 2]};
    assign rx_data[2*n*DataW +: DataW]         = tx_data[(2*(1-n) + 1)*DataW +: DataW];
    assign rx_data[(2*n + 1)*DataW +: DataW] = tx_data[2*(1-n)*DataW +: DataW];

    // Flash and host memory.
    always @(posedge clk) begin
      fv <= fr;
      fd <= flash[fa[12:0]];
      wr <= $urandom_range(3) != 0;
      bv <= wv && wr && wl;
      bt <= wt;
      if (rst_n && wv && wr) begin
        at = first ? wa & ~64'(DataW/8 - 1) : at;
        for (int i = 0; i < int'(DataW/8); i++) begin
          if (at + 64'(i) >= wa && at + 64'(i) < wa + 64'(wb)) begin
            host[65536*n + int'(16'(at) + 16'(i))] = wd[8*i +: 8];
          end
        end
        if (wf != '0 || wi || wa[63:16] != '0) strays <= strays + 1;
        at = at + 64'(DataW/8);
        first <= wl;
      end
      if (tv[tern_abi_pkg::TRACE_FW_WRITE] &&
          ti[16*tern_abi_pkg::TRACE_FW_WRITE +: 8] == 8'h6b) begin
        said[n] <= 1'b1;
      end
    end
  end

  // --------------------------------------------------------------------- checks
  logic [63:0] got;
  task automatic bar_read(input int node, input logic [16:0] addr);
    bar_addr        <= {addr[16:3], 3'b000};
    bar_valid[node] <= 1'b1;
    do @(posedge clk); while (!bar_ready[node]);
    bar_valid <= '0;
    do @(posedge clk); while (!bar_rvalid[node]);
    got = bar_rdata[64*node +: 64];
    if (addr[2]) got = got >> 32;
  endtask

  task automatic expect_register(input int node, input logic [16:0] addr, input logic [31:0] want,
                                 input string name);
    bar_read(node, addr);
    if (got[31:0] != want) $display("# %h instead of %h", got[31:0], want);
    check(got[31:0] == want, name);
  endtask

  logic good;
  int   written;

  initial begin
    if (!$value$plusargs("hex=%s", file)) file = "build/rtl/net/node_fw.hex";
    $display("# two nodes, %0d-bit beats", DataW);
    load_image();
    for (int i = 0; i < 2*65536; i++) host[i] = 8'ha5;
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    while (said != 2'b11) @(posedge clk);
    repeat (100) @(posedge clk);
    check(1'b1, "both_nodes_boot_and_say_so");

    good = 1'b1;
    for (int n = 0; n < 2; n++) begin
      for (int i = 0; i < PutBytes; i++) begin
        got  = 64'(32'h1111_1111 * (i / 4 + 1) + n);
        good = good && host[65536*n + HostBase + PutAddr + i] == got[8*(i % 4) +: 8];
      end
    end
    check(good, "each_put_lands_byte_for_byte");
    written = 0;
    for (int i = 0; i < 2*65536; i++) if (host[i] != 8'ha5) written++;
    check(written <= 2*PutBytes && strays == 0, "nothing_else_is_written");
    expect_register(0, tern_abi_pkg::REG_MAGIC, 32'(tern_abi_pkg::ABI_MAGIC), "bar_magic");
    expect_register(1, tern_abi_pkg::REG_NODE, 32'd1, "bar_node");
    expect_register(0, tern_abi_pkg::REG_DIMS, 32'd1, "bar_dims");
    expect_register(0, tern_abi_pkg::REG_CONFIG, {16'd64, 8'd2, 8'(DataW)}, "bar_config");
    expect_register(1, tern_abi_pkg::REG_LIMITS, {16'(NumFn), 16'(NumQ)}, "bar_limits");
    expect_register(1, tern_abi_pkg::REG_STATUS,
                    {16'(tern_abi_pkg::ST_OK), 8'd3, 8'(tern_abi_pkg::FWSTATE_READY)},
                    "bar_status_ready_links_up");
    expect_register(0, tern_abi_pkg::REG_FW_VERSION, 32'(tern_abi_pkg::ABI_VERSION),
                    "bar_firmware_version");
    expect_register(0, tern_abi_pkg::REG_INCARNATION, 32'd1, "bar_incarnation");
    expect_register(0, tern_abi_pkg::REG_DROPS, 32'd0, "bar_drops");
    bar_read(0, tern_abi_pkg::REG_INSTRET_LO);
    check(got[31:0] > 32'd100, "instructions_were_retired");
    tap_end();
  end

endmodule

`default_nettype wire
