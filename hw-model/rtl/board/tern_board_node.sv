// SPDX-License-Identifier: Apache-2.0
// All of a board between the words of its host link and the pins of its flash: the host link's end,
// a node, and the flash with its firmware.
//
// A session of the host begins with a reset of the node. At power-up, the node is in reset until
// its image is chosen. The host may have a session before the choice is final; its accesses to
// registers wait.
`default_nettype none

module tern_board_node #(
  parameter int unsigned NumFn       = 16,
  parameter int unsigned NumQ        = 128,
  parameter int unsigned NumSlots    = 32,
  parameter int unsigned NumRegions  = 1024,
  parameter int unsigned NumCtr      = 128,
  parameter int unsigned RxSlots     = 8,
  parameter int unsigned ClockHz     = 50_000_000,
  parameter int unsigned FlashBase   = 0,
  parameter int unsigned HostLatency = 65535,    // cycles of a host round trip
  parameter int unsigned AckWait     = 4096,     // of tern_hlink
  parameter int unsigned Timeout     = 262144,
  parameter bit          Held        = 1'b0,     // of tern_node
  parameter logic [3:0]  Channel     = 4'd0,     // its number on the board
  parameter logic [3:0]  More        = 4'd0      // further nodes on the board
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        session_rst_o,   // pulse: a session begins
  output logic        known_o,         // there is a session
  output logic [31:0] session_o,       // its number
  output logic        works_o,         // the core ends an instruction
  // its place in the torus, and its links
  input  logic [15:0] strap_node_i,
  input  logic [15:0] strap_dims_i,
  input  logic [1:0]  ltx_hold_i,
  output logic [1:0]  ltx_valid_o,
  output logic [3:0]  ltx_kind_o,
  output logic [63:0] ltx_data_o,
  input  logic [1:0]  lrx_valid_i,
  input  logic [3:0]  lrx_kind_i,
  input  logic [63:0] lrx_data_i,
  // words from the line, to the line
  input  logic        rx_start_i,
  input  logic        rx_valid_i,
  output logic        rx_ready_o,
  input  logic [31:0] rx_word_i,
  output logic        tx_valid_o,
  input  logic        tx_ready_i,
  output logic        tx_first_o,
  output logic        tx_last_o,
  output logic [31:0] tx_word_o,
  // the flash; its pins may be shared (tern_spi_flash)
  output logic        flash_want_o,
  input  logic        flash_may_i,
  output logic        flash_cs_no,
  output logic        flash_sck_o,
  output logic        flash_mosi_o,
  input  logic        flash_miso_i
);

  localparam int unsigned Ports = 2;

  // The image of the firmware is chosen, finally; the second one has an error, did not come up.
  logic       chosen, settled, damaged, failed;
  logic [7:0] fw_state;

  // A node in reset takes accesses and forgets them, so they are kept from it. It registers its
  // reset, so it needs a cycle more.
  logic       node_rst_n, serves_q;
  logic [3:0] hold_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || session_rst_o || !chosen) hold_q <= '0;
    else if (!hold_q[3])                     hold_q <= hold_q + 4'd1;
    node_rst_n <= hold_q[3];
    serves_q   <= node_rst_n && hold_q[3] && settled;
  end

  // --------------------------------------------------------------- host link
  logic        hrq_valid, hrq_ready, hrd_valid, hrd_last, hrd_err, hwr_valid, hwr_ready, hwr_last;
  logic        hwr_irq, hwb_valid, hwb_err, bar_valid, bar_ready, bar_write, bar_rvalid;
  logic [7:0]  hrq_fn, hrq_tag, hrd_tag, hwr_fn, hwr_tag, hwb_tag, bar_fn, bar_be;
  logic [63:0] hrq_addr, hwr_addr, bar_wdata, bar_rdata;
  logic [8:0]  hrq_bytes;
  logic [10:0] hwr_bytes;
  logic [31:0] hrd_data, hwr_data;
  logic [16:0] bar_addr;

  logic [7:0] flags;                 // for the answer to a request for a session
  always_comb begin
    flags = (damaged ? 8'(tern_abi_pkg::HLINK_ARG_FIRST) : 8'd0)
          | (failed ? 8'(tern_abi_pkg::HLINK_ARG_BACK) : 8'd0);
    flags[tern_abi_pkg::HLINK_ARG_MORE +: 4] = More;
  end

  tern_hlink #(.AckWait(AckWait), .Timeout(Timeout), .Channel(Channel)) u_hlink (
    .clk_i, .rst_ni, .node_rst_o(session_rst_o), .known_o,
    .session_o, .flags_i(flags),
    .rx_start_i, .rx_valid_i, .rx_ready_o, .rx_word_i,
    .tx_valid_o, .tx_ready_i, .tx_first_o, .tx_last_o, .tx_word_o,
    .hrq_valid_i(hrq_valid), .hrq_ready_o(hrq_ready), .hrq_fn_i(hrq_fn), .hrq_addr_i(hrq_addr),
    .hrq_bytes_i(hrq_bytes), .hrq_tag_i(hrq_tag),
    .hrd_valid_o(hrd_valid), .hrd_tag_o(hrd_tag), .hrd_data_o(hrd_data), .hrd_last_o(hrd_last),
    .hrd_err_o(hrd_err),
    .hwr_valid_i(hwr_valid), .hwr_ready_o(hwr_ready), .hwr_fn_i(hwr_fn), .hwr_addr_i(hwr_addr),
    .hwr_bytes_i(hwr_bytes), .hwr_data_i(hwr_data), .hwr_last_i(hwr_last), .hwr_irq_i(hwr_irq),
    .hwr_tag_i(hwr_tag),
    .hwb_valid_o(hwb_valid), .hwb_tag_o(hwb_tag), .hwb_err_o(hwb_err),
    .bar_valid_o(bar_valid), .bar_ready_i(bar_ready && serves_q), .bar_write_o(bar_write),
    .bar_fn_o(bar_fn), .bar_addr_o(bar_addr), .bar_wdata_o(bar_wdata), .bar_be_o(bar_be),
    .bar_rvalid_i(bar_rvalid), .bar_rdata_i(bar_rdata)
  );

  // ------------------------------------------------------------------- flash
  logic        fl_req, fl_valid, read_req, read_slot;
  logic [15:0] fl_addr, read_addr;
  logic [31:0] fl_data;
  logic [7:0]  fl_life, life_q;

  tern_spi_flash #(.Base(24'(FlashBase))) u_flash (
    .clk_i, .rst_ni(chosen ? node_rst_n : rst_ni),
    .req_i(read_req), .slot_i(read_slot), .addr_i(read_addr),
    .valid_o(fl_valid), .data_o(fl_data),
    .want_o(flash_want_o), .may_i(flash_may_i),
    .cs_no(flash_cs_no), .sck_o(flash_sck_o), .mosi_o(flash_mosi_o), .miso_i(flash_miso_i)
  );
  tern_flash_slots u_slots (
    .clk_i, .rst_ni, .chosen_o(chosen), .settled_o(settled), .damaged_o(damaged),
    .failed_o(failed), .node_rst_ni(node_rst_n), .fw_state_i(fw_state),
    .req_i(fl_req), .addr_i(fl_addr),
    .req_o(read_req), .slot_o(read_slot), .addr_o(read_addr), .valid_i(fl_valid), .data_i(fl_data)
  );

  // The number of the life outlasts a session, not the power.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)     life_q <= '0;
    else if (fl_req) life_q <= fl_life;
  end

  // -------------------------------------------------------------------- node
  logic unused_node;

  logic [3:0]  dbg_state;
  logic [31:0] dbg_pc, dbg_insn, dbg_value, tr_cycle, retire_pc;
  logic [tern_abi_pkg::TRACE_LANES-1:0]    tr_valid;
  logic [16*tern_abi_pkg::TRACE_LANES-1:0] tr_id;
  assign unused_node = ^{dbg_state, dbg_pc, dbg_insn, dbg_value, tr_valid, tr_id, tr_cycle,
                         retire_pc};

  tern_node #(
    .DataW(32), .Ports(Ports), .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots),
    .NumRegions(NumRegions), .NumCtr(NumCtr), .RxSlots(RxSlots), .Held(Held)
  ) u_node (
    .clk_i, .rst_ni(node_rst_n),
    .hrq_valid_o(hrq_valid), .hrq_ready_i(hrq_ready), .hrq_fn_o(hrq_fn), .hrq_addr_o(hrq_addr),
    .hrq_bytes_o(hrq_bytes), .hrq_tag_o(hrq_tag),
    .hrd_valid_i(hrd_valid), .hrd_tag_i(hrd_tag), .hrd_data_i(hrd_data), .hrd_last_i(hrd_last),
    .hrd_err_i(hrd_err),
    .hwr_valid_o(hwr_valid), .hwr_ready_i(hwr_ready), .hwr_fn_o(hwr_fn), .hwr_addr_o(hwr_addr),
    .hwr_bytes_o(hwr_bytes), .hwr_data_o(hwr_data), .hwr_last_o(hwr_last), .hwr_irq_o(hwr_irq),
    .hwr_tag_o(hwr_tag),
    .hwb_valid_i(hwb_valid), .hwb_tag_i(hwb_tag), .hwb_err_i(hwb_err),
    .bar_valid_i(bar_valid && serves_q), .bar_ready_o(bar_ready), .bar_write_i(bar_write),
    .bar_fn_i(bar_fn), .bar_addr_i(bar_addr), .bar_wdata_i(bar_wdata), .bar_be_i(bar_be),
    .bar_rvalid_o(bar_rvalid), .bar_rdata_o(bar_rdata),
    .fl_req_o(fl_req), .fl_addr_o(fl_addr), .fl_valid_i(fl_valid), .fl_data_i(fl_data),
    .fl_life_o(fl_life), .fw_state_o(fw_state),
    .strap_node_i, .strap_dims_i, .strap_clock_hz_i(32'(ClockHz)),
    .strap_host_latency_i(16'(HostLatency)), .strap_life_i(life_q),
    .dbg_op_i(3'd0), .dbg_addr_i(14'd0), .dbg_data_i(32'd0),
    .dbg_state_o(dbg_state), .dbg_pc_o(dbg_pc), .dbg_insn_o(dbg_insn), .dbg_value_o(dbg_value),
    .ltx_hold_i, .ltx_valid_o, .ltx_kind_o, .ltx_data_o,
    .lrx_valid_i, .lrx_kind_i, .lrx_data_i,
    .tr_valid_o(tr_valid), .tr_id_o(tr_id), .tr_cycle_o(tr_cycle),
    .retire_valid_o(works_o), .retire_pc_o(retire_pc)
  );

endmodule

`default_nettype wire
