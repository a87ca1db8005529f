// SPDX-License-Identifier: Apache-2.0
// The NIC: wiring only. hw-model/README.md describes pins and parameters; the defaults are the
// simulated configuration. Simulation and synthesis use the same top.
//
// Every input pin passes a flip-flop before use, except the `ready` of the two host request
// channels: it only enables flip-flops that drive pins.
`default_nettype none

module tern_node #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned Ports      = 2,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumFn      = 64,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 4096,
  parameter int unsigned NumCtr     = 256,
  parameter int unsigned RxSlots    = 8,
  parameter int unsigned BufWords   = 512,
  parameter int unsigned ItcmBytes  = tern_abi_pkg::MEM_ITCM_BYTES,
  parameter int unsigned DtcmBytes  = tern_abi_pkg::MEM_DTCM_BYTES,
  parameter int unsigned Tree       = 0,   // 1: links of the tree network follow those of the torus
  parameter bit          Held       = 1'b0 // 1: the wires of the torus may hold their links back
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // host reads
  output logic                   hrq_valid_o,
  input  logic                   hrq_ready_i,
  output logic [7:0]             hrq_fn_o,
  output logic [63:0]            hrq_addr_o,
  output logic [8:0]             hrq_bytes_o,
  output logic [7:0]             hrq_tag_o,
  input  logic                   hrd_valid_i,
  input  logic [7:0]             hrd_tag_i,
  input  logic [DataW-1:0]       hrd_data_i,
  input  logic                   hrd_last_i,
  input  logic                   hrd_err_i,
  // host writes
  output logic                   hwr_valid_o,
  input  logic                   hwr_ready_i,
  output logic [7:0]             hwr_fn_o,
  output logic [63:0]            hwr_addr_o,
  output logic [10:0]            hwr_bytes_o,
  output logic [DataW-1:0]       hwr_data_o,
  output logic                   hwr_last_o,
  output logic                   hwr_irq_o,
  output logic [7:0]             hwr_tag_o,
  input  logic                   hwb_valid_i,
  input  logic [7:0]             hwb_tag_i,
  input  logic                   hwb_err_i,
  // registers
  input  logic                   bar_valid_i,
  output logic                   bar_ready_o,
  input  logic                   bar_write_i,
  input  logic [7:0]             bar_fn_i,
  input  logic [16:0]            bar_addr_i,
  input  logic [63:0]            bar_wdata_i,
  input  logic [7:0]             bar_be_i,
  output logic                   bar_rvalid_o,
  output logic [63:0]            bar_rdata_o,
  // flash
  output logic                   fl_req_o,
  output logic [15:0]            fl_addr_o,
  input  logic                   fl_valid_i,
  input  logic [31:0]            fl_data_i,
  output logic [7:0]             fl_life_o,
  output logic [7:0]             fw_state_o,   // FWSTATE_*
  // straps
  input  logic [15:0]            strap_node_i,
  input  logic [15:0]            strap_dims_i,
  input  logic [31:0]            strap_clock_hz_i,
  input  logic [15:0]            strap_host_latency_i,
  input  logic [7:0]             strap_life_i,
  // debug port of the core
  input  logic [2:0]             dbg_op_i,
  input  logic [13:0]            dbg_addr_i,
  input  logic [31:0]            dbg_data_i,
  output logic [3:0]             dbg_state_o,
  output logic [31:0]            dbg_pc_o,
  output logic [31:0]            dbg_insn_o,
  output logic [31:0]            dbg_value_o,
  // links
  input  logic [Ports-1:0]                ltx_hold_i,
  output logic [Ports+3*Tree-1:0]         ltx_valid_o,
  output logic [2*(Ports+3*Tree)-1:0]     ltx_kind_o,
  output logic [(Ports+3*Tree)*DataW-1:0] ltx_data_o,
  input  logic [Ports+3*Tree-1:0]         lrx_valid_i,
  input  logic [2*(Ports+3*Tree)-1:0]     lrx_kind_i,
  input  logic [(Ports+3*Tree)*DataW-1:0] lrx_data_i,
  // trace
  output logic [tern_abi_pkg::TRACE_LANES-1:0]    tr_valid_o,
  output logic [16*tern_abi_pkg::TRACE_LANES-1:0] tr_id_o,
  output logic [31:0]            tr_cycle_o,
  output logic                   retire_valid_o,
  output logic [31:0]            retire_pc_o
);

  localparam int unsigned MmBlocks = 10 + Tree;

  // Headers, buffers and firmware store the payload size in a fixed number of bits. The slot window
  // of the registers and events with two slots have six bits per slot.
  if (MaxPayload != 512) begin : g_payload
    $error("MaxPayload must be 512");
  end
  if (NumSlots < 8 || NumSlots > 32 || NumSlots % 4 != 0) begin : g_slots
    $error("NumSlots must be 8 to 32, a multiple of 4");
  end

  if (Tree > 1) begin : g_tree_once
    $error("Tree must be 0 or 1");
  end

  // ---------------------------------------------------------------- input flops
  logic                   rst_n, path_rst, path_rst_n;   // path: of the datapath alone
  logic [15:0]            node, dims, host_latency;
  logic [7:0]             life, hwb_tag;
  logic [3:0]             period;
  logic [31:0]            clock_hz;
  logic                   hrd_valid, hrd_last, hrd_err, hwb_valid, hwb_err, fl_valid;
  logic [3:0]             hrd_tag;
  logic [DataW-1:0]       hrd_data;
  logic [31:0]            fl_data;
  logic [2:0]             dbg_op;
  logic [13:0]            dbg_addr;
  logic [31:0]            dbg_data;
  logic [Ports+3*Tree-1:0]         lrx_valid;
  logic [2*(Ports+3*Tree)-1:0]     lrx_kind;
  logic [(Ports+3*Tree)*DataW-1:0] lrx_data;

  // Answers of host reads are checked on their way into flip-flops.
  logic                   read_given_up, read_late, reads_open;
  tern_hostrd_back #(.DataW(DataW)) u_hostrd_back (
    .clk_i, .rst_ni(rst_n), .host_latency_i(host_latency),
    .hrq_valid_i(hrq_valid_o), .hrq_ready_i(hrq_ready), .hrq_tag_i(hrq_tag_o[3:0]),
    .hrq_period_o(hrq_tag_o[7:4]),
    .period_o(period),
    .hrd_valid_i, .hrd_tag_i, .hrd_data_i, .hrd_last_i, .hrd_err_i,
    .hrd_valid_o(hrd_valid), .hrd_tag_o(hrd_tag), .hrd_data_o(hrd_data), .hrd_last_o(hrd_last),
    .hrd_err_o(hrd_err), .open_o(reads_open), .given_up_o(read_given_up), .late_o(read_late)
  );
  logic unused_back;
  assign unused_back = ^{read_given_up, read_late};

  // These two have no flip-flop. The model samples them at the falling edge, so that logic behind
  // them is evaluated once a cycle and not at each call.
  logic                   hrq_ready, hwr_ready;
`ifdef TERN_MODEL
  always_ff @(negedge clk_i) begin
    hrq_ready <= hrq_ready_i;
    hwr_ready <= hwr_ready_i;
  end
`else
  assign hrq_ready = hrq_ready_i;
  assign hwr_ready = hwr_ready_i;
`endif

  always_ff @(posedge clk_i) begin
    rst_n        <= rst_ni;
    path_rst_n   <= rst_ni && !path_rst;
    node         <= strap_node_i;
    dims         <= strap_dims_i;
    clock_hz     <= strap_clock_hz_i;
    host_latency <= strap_host_latency_i;
    life         <= strap_life_i;
    hwb_valid    <= hwb_valid_i && rst_ni;
    hwb_tag      <= hwb_tag_i;
    hwb_err      <= hwb_err_i;
    fl_valid     <= fl_valid_i && rst_ni;
    fl_data      <= fl_data_i;
    dbg_op       <= rst_ni ? dbg_op_i : '0;
    dbg_addr     <= dbg_addr_i;
    dbg_data     <= dbg_data_i;
    lrx_valid    <= rst_ni ? lrx_valid_i : '0;
    lrx_kind     <= lrx_kind_i;
    lrx_data     <= lrx_data_i;
  end

  logic        bar_valid, bar_ready, bar_write;
  logic [7:0]  bar_fn, bar_be;
  logic [16:0] bar_addr;
  logic [63:0] bar_wdata;

  // A register that may be refilled in the cycle in which tern_bar takes its contents.
  assign bar_ready_o = !bar_valid || bar_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_n)           bar_valid <= 1'b0;
    else if (bar_ready_o) bar_valid <= bar_valid_i;
    if (bar_ready_o)
      {bar_write, bar_fn, bar_addr, bar_be, bar_wdata} <=
          {bar_write_i, bar_fn_i, bar_addr_i, bar_be_i, bar_wdata_i};
  end

  // ------------------------------------------------------------- register bus
  logic                   mm_valid, mm_we;
  logic [15:0]            mm_addr;
  logic [31:0]            mm_wdata, mm_rdata;
  logic [MmBlocks-1:0]    mm_ready, mm_rvalid;
  logic [32*MmBlocks-1:0] mm_rdatas;

  always_comb begin
    mm_rdata = '0;
    for (int i = 0; i < MmBlocks; i++) mm_rdata = mm_rdata | mm_rdatas[32*i +: 32];
  end

  // ------------------------------------------------------------- core cluster
  logic        core_hold, wdog_bite, core_rst_n, irq_external, irq_timer, sleep;
  logic        path_ask, path_busy, path_hold;
  logic        cm_valid, cm_ready, cm_we, cm_rvalid, cm_err;
  logic [3:0]  cm_be;
  logic [15:0] cm_addr;
  logic [31:0] cm_wdata, cm_rdata;
  logic [63:0] cycle;
  logic [7:0]  boot_state, incarnation;
  logic [1:0]  reset_cause;
  logic        st_core_reset, dbg_stopped;

  tern_cluster #(.ItcmBytes(ItcmBytes), .DtcmBytes(DtcmBytes)) u_cluster (
    .clk_i,
    .rst_ni         (rst_n),
    .node_i         (node),
    .life_i         (life),
    .core_hold_i    (core_hold || path_busy),
    .wdog_bite_i    (wdog_bite),
    .fl_req_o,
    .fl_addr_o,
    .fl_valid_i     (fl_valid),
    .fl_data_i      (fl_data),
    .cm_valid_o     (cm_valid),
    .cm_ready_i     (cm_ready),
    .cm_we_o        (cm_we),
    .cm_be_o        (cm_be),
    .cm_addr_o      (cm_addr),
    .cm_wdata_o     (cm_wdata),
    .cm_rvalid_i    (cm_rvalid),
    .cm_rdata_i     (cm_rdata),
    .cm_err_i       (cm_err),
    .dbg_op_i       (dbg_op),
    .dbg_addr_i     (dbg_addr),
    .dbg_data_i     (dbg_data),
    .dbg_state_o, .dbg_pc_o, .dbg_insn_o, .dbg_value_o,
    .dbg_stopped_o  (dbg_stopped),
    .irq_external_i (irq_external),
    .irq_timer_i    (irq_timer),
    .core_rst_no    (core_rst_n),
    .boot_state_o   (boot_state),
    .incarnation_o  (incarnation),
    .reset_cause_o  (reset_cause),
    .st_core_reset_o(st_core_reset),
    .sleep_o        (sleep),
    .retire_o       (retire_valid_o),
    .retire_pc_o
  );

  logic        ev_op_valid, ev_op_ready, ev_hwr_valid, ev_hwr_ready, ev_rx_valid, ev_rx_ready;
  logic        ev_link_valid, ev_link_ready, ev_bar_valid, ev_bar_ready;
  logic        ev_dberr_valid, ev_dberr_ready, ev_ctr_valid, ev_ctr_ready;
  logic        ev_desc_valid, ev_desc_ready;
  logic [31:0] ev_op, ev_hwr, ev_rx, ev_link, ev_bar, ev_dberr, ev_ctr, ev_desc;
  logic        ev_links_valid, ev_links_ready;    // of links, and of the tree
  logic [31:0] ev_links;
  logic [31:0] fw_status, fw_version, log_data, sum;
  always_ff @(posedge clk_i) fw_state_o <= fw_status[7:0];
  logic [2:0]  sum_of;
  logic        log_pop, retired, awake, copy_near;
  logic        tr_fw_pop, tr_fw_write, tr_sleep, tr_wake;
  logic [15:0] tr_fw_pop_id, tr_fw_write_id;

  tern_mmio #(
    .DataW(DataW), .Ports(Ports), .MaxPayload(MaxPayload), .NumFn(NumFn), .NumQ(NumQ),
    .NumSlots(NumSlots), .NumRegions(NumRegions), .NumCtr(NumCtr),
    .RxSlots(RxSlots), .TreeGroups(Tree * tern_abi_pkg::TREE_GROUPS)
  ) u_mmio (
    .clk_i,
    .rst_ni          (rst_n),
    .core_rst_ni     (core_rst_n),
    .cm_valid_i      (cm_valid),
    .cm_ready_o      (cm_ready),
    .cm_we_i         (cm_we),
    .cm_be_i         (cm_be),
    .cm_addr_i       (cm_addr),
    .cm_wdata_i      (cm_wdata),
    .cm_rvalid_o     (cm_rvalid),
    .cm_rdata_o      (cm_rdata),
    .cm_err_o        (cm_err),
    .mm_valid_o      (mm_valid),
    .mm_we_o         (mm_we),
    .mm_addr_o       (mm_addr),
    .mm_wdata_o      (mm_wdata),
    .mm_ready_i      (mm_ready != '0),
    .mm_rvalid_i     (mm_rvalid != '0),
    .mm_rdata_i      (mm_rdata),
    .ev_op_valid_i   (ev_op_valid),    .ev_op_ready_o   (ev_op_ready),    .ev_op_i   (ev_op),
    .ev_hwr_valid_i  (ev_hwr_valid),   .ev_hwr_ready_o  (ev_hwr_ready),   .ev_hwr_i  (ev_hwr),
    .ev_rx_valid_i   (ev_rx_valid),    .ev_rx_ready_o   (ev_rx_ready),    .ev_rx_i   (ev_rx),
    .ev_link_valid_i (ev_links_valid), .ev_link_ready_o (ev_links_ready), .ev_link_i (ev_links),
    .ev_bar_valid_i  (ev_bar_valid),   .ev_bar_ready_o  (ev_bar_ready),   .ev_bar_i  (ev_bar),
    .ev_dberr_valid_i(ev_dberr_valid), .ev_dberr_ready_o(ev_dberr_ready), .ev_dberr_i(ev_dberr),
    .ev_ctr_valid_i  (ev_ctr_valid),   .ev_ctr_ready_o  (ev_ctr_ready),   .ev_ctr_i  (ev_ctr),
    .ev_desc_valid_i (ev_desc_valid),  .ev_desc_ready_o (ev_desc_ready),  .ev_desc_i (ev_desc),
    .irq_external_o  (irq_external),
    .irq_timer_o     (irq_timer),
    .wdog_bite_o     (wdog_bite),
    .boot_state_i    (boot_state),
    .fw_status_o     (fw_status),
    .fw_version_o    (fw_version),
    .cycle_o         (cycle),
    .retired_o       (retired),
    .awake_o         (awake),
    .retire_i        (retire_valid_o),
    .sleep_i         (sleep),
    .copy_near_i     (copy_near),
    .dbg_stopped_i   (dbg_stopped),
    .incarnation_i   (incarnation),
    .reset_cause_i   (reset_cause),
    .node_i          (node),
    .dims_i          (dims),
    .clock_hz_i      (clock_hz),
    .host_latency_i  (host_latency),
    .log_pop_i       (log_pop),
    .log_data_o      (log_data),
    .tr_fw_pop_o     (tr_fw_pop),
    .tr_fw_pop_id_o  (tr_fw_pop_id),
    .tr_fw_write_o   (tr_fw_write),
    .tr_fw_write_id_o(tr_fw_write_id),
    .tr_sleep_o      (tr_sleep),
    .tr_wake_o       (tr_wake)
  );

  // ------------------------------------------------------- host registers, rings
  logic             db_valid, db_ready, db_inline, db_commit;
  logic [7:0]       db_fn;
  logic [15:0]      db_queue;
  logic [23:0]      db_index;
  logic [47:0]      db_frame;
  logic [9:0]       db_soon;
  logic             in_near;
  logic [DataW/32-1:0] in_we;
  logic [3:0]       in_word;
  logic [DataW-1:0] in_data;
  logic             in_ready, in_slot;
  logic [Ports-1:0] link_up;
  logic             tr_db_first, tr_desc_ready;
  logic [15:0]      tr_db_queue, tr_desc_slot;
  logic             st_doorbell, st_inline, st_fetched, st_bad_db;

  tern_bar #(
    .DataW(DataW), .Ports(Ports), .MaxPayload(MaxPayload), .NumFn(NumFn), .NumQ(NumQ),
    .NumRegions(NumRegions), .NumCtr(NumCtr)
  ) u_bar (
    .clk_i,
    .rst_ni        (rst_n),
    .bar_valid_i   (bar_valid),
    .bar_ready_o   (bar_ready),
    .bar_write_i   (bar_write),
    .bar_fn_i      (bar_fn),
    .bar_addr_i    (bar_addr),
    .bar_wdata_i   (bar_wdata),
    .bar_be_i      (bar_be),
    .bar_rvalid_o,
    .bar_rdata_o,
    .mm_valid_i    (mm_valid),
    .mm_we_i       (mm_we),
    .mm_addr_i     (mm_addr),
    .mm_wdata_i    (mm_wdata),
    .mm_ready_o    (mm_ready[0]),
    .mm_rvalid_o   (mm_rvalid[0]),
    .mm_rdata_o    (mm_rdatas[32*0 +: 32]),
    .node_i        (node),
    .dims_i        (dims),
    .clock_hz_i    (clock_hz),
    .fw_status_i   (fw_status),
    .link_up_i     (link_up),
    .incarnation_i (incarnation),
    .fw_version_i  (fw_version),
    .cycle_i       (cycle),
    .sum_i         (sum),
    .sum_of_i      (sum_of),
    .core_hold_o   (core_hold),
    .path_ask_o    (path_ask),
    .path_busy_i   (path_busy),
    .log_pop_o     (log_pop),
    .log_data_i    (log_data),
    .db_valid_o    (db_valid),
    .db_ready_i    (db_ready),
    .db_fn_o       (db_fn),
    .db_queue_o    (db_queue),
    .db_inline_o   (db_inline),
    .db_commit_o   (db_commit),
    .db_index_o    (db_index),
    .db_frame_o    (db_frame),
    .db_soon_o     (db_soon),
    .in_near_o     (in_near),
    .in_we_o       (in_we),
    .in_word_o     (in_word),
    .in_data_o     (in_data),
    .in_ready_i    (in_ready),
    .in_slot_i     (in_slot),
    .ev_bar_valid_o(ev_bar_valid),
    .ev_bar_ready_i(ev_bar_ready),
    .ev_bar_o      (ev_bar),
    .tr_db_first_o (tr_db_first),
    .tr_db_queue_o (tr_db_queue)
  );

  // Key check requesters: 0 packet receiver, 1 transmit, 2 firmware's host writes, 3 prefetch.
  logic [3:0]   ck_valid, ck_ready, ck_done;
  logic [127:0] ck_key, ck_bytes;
  logic [255:0] ck_addr;
  logic [31:0]  ck_fn;
  logic         ck_offset, ck_atomic, ck_read, tx_ck_remote, tx_ck_offset;
  logic [7:0]   ck_status, ck_owner;
  logic [63:0]  ck_haddr;
  logic [15:0]  ck_ctr;
  logic         st_check, st_key_refused;

  logic         pf_hrq_valid, pf_hrq_ready, tx_hrq_valid, tx_hrq_ready;
  logic [7:0]   pf_hrq_fn, tx_hrq_fn;
  logic [63:0]  pf_hrq_addr, tx_hrq_addr;
  logic [8:0]   pf_hrq_bytes, tx_hrq_bytes;
  logic [1:0]   pf_hrq_tag;
  logic [2:0]   tx_hrq_tag;
  logic         at_hrq_valid, at_hrq_ready, at_hrq_node;
  logic [7:0]   at_hrq_fn;
  logic [63:0]  at_hrq_addr;

  logic         sl_req, sl_gnt, sl_rvalid;
  logic [5:0]   sl_slot;
  logic [3:0]   sl_word;
  logic [DataW-1:0] sl_data;
  logic [15:0]  sl_queue;
  logic [7:0]   sl_fn;
  logic [1:0]   slot_free_valid;
  logic [11:0]  slot_free;
  logic         cq_coming, cq_valid, cq_ready, cq_phase, cw_valid, cw_ready, cw_rvalid;
  logic [5:0]   cq_slot, cw_slot;
  logic [9:0]   cq_queue, cw_queue;
  logic [63:0]  cq_addr;
  logic [31:0]  cq_key, cw_rdata;
  logic [7:0]   cq_fn;
  logic [23:0]  cq_lap;
  logic [3:0]   cw_word;
  logic         word_valid, word_ready, word_high;
  logic         copy, copy_may, copy_valid, copy_ready, copy_known;
  logic [31:0]  copy_data;
  logic [1:0]   copy_slot;
  logic [3:0]   copy_word;
  logic [5:0]   word_slot;
  logic [DataW-1:0] word_data;
  logic         op_free_valid, cq_free_valid;
  logic [5:0]   op_free_slot;
  logic [5:0]   ev_op_slot;
  logic [9:0]   ev_op_queue;
  logic [7:0]   ev_op_status;

  tern_prefetch #(
    .DataW(DataW), .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots)
  ) u_prefetch (
    .clk_i,
    .rst_ni           (path_rst_n),
    .in_near_i        (in_near),
    .in_we_i          (in_we),
    .in_word_i        (in_word),
    .in_data_i        (in_data),
    .in_ready_o       (in_ready),
    .in_slot_o        (in_slot),
    .db_valid_i       (db_valid),
    .db_ready_o       (db_ready),
    .db_fn_i          (db_fn),
    .db_queue_i       (db_queue),
    .db_inline_i      (db_inline),
    .db_commit_i      (db_commit),
    .db_index_i       (db_index),
    .db_frame_i       (db_frame),
    .db_soon_i        (db_soon),
    .mm_valid_i       (mm_valid),
    .mm_we_i          (mm_we),
    .mm_addr_i        (mm_addr),
    .mm_wdata_i       (mm_wdata),
    .mm_ready_o       (mm_ready[1]),
    .mm_rvalid_o      (mm_rvalid[1]),
    .mm_rdata_o       (mm_rdatas[32*1 +: 32]),
    .pf_hrq_valid_o   (pf_hrq_valid),
    .pf_hrq_ready_i   (pf_hrq_ready),
    .pf_hrq_fn_o      (pf_hrq_fn),
    .pf_hrq_addr_o    (pf_hrq_addr),
    .pf_hrq_bytes_o   (pf_hrq_bytes),
    .pf_hrq_tag_o     (pf_hrq_tag),
    .hrd_valid_i      (hrd_valid),
    .hrd_tag_i        (hrd_tag),
    .hrd_data_i       (hrd_data),
    .hrd_last_i       (hrd_last),
    .hrd_err_i        (hrd_err),
    .ck_valid_o       (ck_valid[3]),
    .ck_ready_i       (ck_ready[3]),
    .ck_key_o         (ck_key[32*3 +: 32]),
    .ck_addr_o        (ck_addr[64*3 +: 64]),
    .ck_bytes_o       (ck_bytes[32*3 +: 32]),
    .ck_fn_o          (ck_fn[8*3 +: 8]),
    .ck_done_i        (ck_done[3]),
    .ck_status_i      (ck_status),
    .ck_haddr_i       (ck_haddr),
    .ev_desc_valid_o  (ev_desc_valid),
    .ev_desc_ready_i  (ev_desc_ready),
    .ev_desc_o        (ev_desc),
    .ev_dberr_valid_o (ev_dberr_valid),
    .ev_dberr_ready_i (ev_dberr_ready),
    .ev_dberr_o       (ev_dberr),
    .sl_req_i         (sl_req),
    .sl_slot_i        (sl_slot),
    .sl_word_i        (sl_word),
    .sl_gnt_o         (sl_gnt),
    .sl_rvalid_o      (sl_rvalid),
    .sl_data_o        (sl_data),
    .sl_queue_o       (sl_queue),
    .sl_fn_o          (sl_fn),
    .own_slot_i       (ev_op_slot),
    .own_queue_o      (ev_op_queue),
    .slot_free_valid_i(slot_free_valid),
    .slot_free_i      (slot_free),
    .cq_coming_o      (cq_coming),
    .cq_valid_o       (cq_valid),
    .cq_ready_i       (cq_ready),
    .cq_slot_o        (cq_slot),
    .cq_queue_o       (cq_queue),
    .cq_addr_o        (cq_addr),
    .cq_key_o         (cq_key),
    .cq_fn_o          (cq_fn),
    .cq_lap_o         (cq_lap),
    .cq_phase_o       (cq_phase),
    .word_valid_i     (word_valid),
    .word_ready_o     (word_ready),
    .word_slot_i      (word_slot),
    .word_high_i      (word_high),
    .word_data_i      (word_data),
    .copy_may_o       (copy_may),
    .copy_i           (copy),
    .copy_slot_i      (copy_slot),
    .copy_valid_i     (copy_valid),
    .copy_ready_o     (copy_ready),
    .copy_word_i      (copy_word),
    .copy_data_i      (copy_data),
    .cw_valid_i       (cw_valid),
    .cw_ready_o       (cw_ready),
    .cw_slot_i        (cw_slot),
    .cw_word_i        (cw_word),
    .cw_rvalid_o      (cw_rvalid),
    .cw_rdata_o       (cw_rdata),
    .cw_queue_o       (cw_queue),
    .tr_desc_ready_o  (tr_desc_ready),
    .tr_desc_slot_o   (tr_desc_slot),
    .st_doorbell_o    (st_doorbell),
    .st_inline_o      (st_inline),
    .st_fetched_o     (st_fetched),
    .st_bad_db_o      (st_bad_db)
  );

  logic       st_hrd, tr_rd_req, hrq_wants;
  logic [8:0] st_hrd_bytes;
  logic [3:0] tr_rd_tag;

  tern_hostrd u_hostrd (
    .clk_i,
    .rst_ni        (path_rst_n),
    .pf_hrq_valid_i(pf_hrq_valid),
    .pf_hrq_ready_o(pf_hrq_ready),
    .pf_hrq_fn_i   (pf_hrq_fn),
    .pf_hrq_addr_i (pf_hrq_addr),
    .pf_hrq_bytes_i(pf_hrq_bytes),
    .pf_hrq_tag_i  (pf_hrq_tag),
    .tx_hrq_valid_i(tx_hrq_valid),
    .tx_hrq_ready_o(tx_hrq_ready),
    .tx_hrq_fn_i   (tx_hrq_fn),
    .tx_hrq_addr_i (tx_hrq_addr),
    .tx_hrq_bytes_i(tx_hrq_bytes),
    .tx_hrq_tag_i  (tx_hrq_tag),
    .at_hrq_valid_i(at_hrq_valid),
    .at_hrq_ready_o(at_hrq_ready),
    .at_hrq_fn_i   (at_hrq_fn),
    .at_hrq_addr_i (at_hrq_addr),
    .at_hrq_node_i (at_hrq_node),
    .hrq_valid_o   (hrq_wants),
    .hrq_ready_i   (hrq_ready && !path_hold),
    .hrq_fn_o, .hrq_addr_o, .hrq_bytes_o,
    .hrq_tag_o     (hrq_tag_o[3:0]),
    .st_hrd_o      (st_hrd),
    .st_hrd_bytes_o(st_hrd_bytes),
    .tr_rd_req_o   (tr_rd_req),
    .tr_rd_tag_o   (tr_rd_tag)
  );

  assign hrq_valid_o = hrq_wants && !path_hold;

  assign ck_fn[7:0] = '0;   // packets belong to no function

  tern_key #(.NumRegions(NumRegions)) u_key (
    .clk_i,
    .rst_ni      (path_rst_n),
    .ck_valid_i  (ck_valid),
    .ck_ready_o  (ck_ready),
    .ck_key_i    (ck_key),
    .ck_addr_i   (ck_addr),
    .ck_bytes_i  (ck_bytes),
    .ck_fn_i     (ck_fn),
    .ck_fn_any_i ({2'b00, tx_ck_remote, 1'b1}),
    .ck_offset_i ({2'b00, tx_ck_offset, ck_offset}),
    .ck_right_i  ({8'(tern_abi_pkg::RIGHT_LOCAL_READ), 8'(tern_abi_pkg::RIGHT_LOCAL_WRITE),
                   tx_ck_remote ? 8'(tern_abi_pkg::RIGHT_REMOTE_READ)
                                : 8'(tern_abi_pkg::RIGHT_LOCAL_READ),
                   ck_atomic ? 8'(tern_abi_pkg::RIGHT_REMOTE_ATOMIC)
                   : ck_read ? 8'(tern_abi_pkg::RIGHT_REMOTE_READ)
                             : 8'(tern_abi_pkg::RIGHT_REMOTE_WRITE)}),
    .ck_done_o   (ck_done),
    .ck_status_o (ck_status),
    .ck_haddr_o  (ck_haddr),
    .ck_fn_o     (ck_owner),
    .ck_ctr_o    (ck_ctr),
    .mm_valid_i  (mm_valid),
    .mm_we_i     (mm_we),
    .mm_addr_i   (mm_addr),
    .mm_wdata_i  (mm_wdata),
    .mm_ready_o  (mm_ready[2]),
    .mm_rvalid_o (mm_rvalid[2]),
    .mm_rdata_o  (mm_rdatas[32*2 +: 32]),
    .st_check_o  (st_check),
    .st_refused_o(st_key_refused)
  );

  // --------------------------------------------------------------- host writes
  logic             rxc_valid, rxc_ready, rxc_read_done, rxd_valid, rxd_ready, rxd_err;
  logic             fwc_valid, fwc_ready, fwc_read_done, fwd_valid, fwd_err;
  logic [4:0]       rxc_slot, fwc_slot, pb_slot;
  logic [10:0]      rxc_bytes, fwc_bytes;
  logic [7:0]       rxc_fn, fwc_fn, pb_word;
  logic [11:0]      fwc_id;
  logic [63:0]      rxc_addr, fwc_addr;
  logic [15:0]      rxc_id;
  logic [1:0]       fwc_kind;
  logic             at_valid, at_ready, at_word, at_req, at_done, at_err;
  logic [7:0]       at_fn;
  logic [63:0]      at_addr;
  logic [DataW-1:0] at_rdata;
  logic             fd_req;
  logic [2:0]       fd_beat;
  logic [DataW-1:0] fd_rdata;
  logic             pb_req;
  logic [DataW-1:0] pb_rdata;
  logic             tr_dep_first, tr_dep_last, tr_hwr_first, tr_irq;
  logic [15:0]      tr_dep_id, tr_hwr_id, tr_irq_id;
  logic             st_hwr, st_irq, st_hwr_fault, commands_open, writes_open;
  logic [10:0]      st_hwr_bytes;
  logic             rxfree_valid;
  logic [5:0]       rxfree_slot;

  tern_dma_wr #(.DataW(DataW)) u_dma_wr (
    .clk_i,
    .rst_ni         (rst_n),
    .rxc_valid_i    (rxc_valid),
    .rxc_ready_o    (rxc_ready),
    .rxc_slot_i     (rxc_slot),
    .rxc_bytes_i    (rxc_bytes),
    .rxc_fn_i       (rxc_fn),
    .rxc_addr_i     (rxc_addr),
    .rxc_id_i       (rxc_id),
    .rxc_read_done_o(rxc_read_done),
    .rxd_valid_o    (rxd_valid),
    .rxd_ready_i    (rxd_ready),
    .rxd_err_o      (rxd_err),
    .fwc_valid_i    (fwc_valid),
    .fwc_ready_o    (fwc_ready),
    .fwc_kind_i     (fwc_kind),
    .fwc_slot_i     (fwc_slot),
    .fwc_bytes_i    (fwc_bytes),
    .fwc_fn_i       (fwc_fn),
    .fwc_addr_i     (fwc_addr),
    .at_valid_i     (at_valid),
    .at_ready_o     (at_ready),
    .at_word_i      (at_word),
    .at_fn_i        (at_fn),
    .at_addr_i      (at_addr),
    .at_req_o       (at_req),
    .at_rdata_i     (at_rdata),
    .at_done_o      (at_done),
    .at_err_o       (at_err),
    .fd_req_o       (fd_req),
    .fd_beat_o      (fd_beat),
    .fd_rdata_i     (fd_rdata),
    .fwc_id_i       (fwc_id),
    .fwc_read_done_o(fwc_read_done),
    .fwd_valid_o    (fwd_valid),
    .fwd_err_o      (fwd_err),
    .pb_req_o       (pb_req),
    .pb_slot_o      (pb_slot),
    .pb_word_o      (pb_word),
    .pb_rdata_i     (pb_rdata),
    .hwr_valid_o, .hwr_ready_i(hwr_ready), .hwr_fn_o, .hwr_addr_o, .hwr_bytes_o, .hwr_data_o,
    .hwr_last_o, .hwr_irq_o, .hwr_tag_o,
    .hwb_valid_i    (hwb_valid),
    .hwb_tag_i      (hwb_tag),
    .hwb_err_i      (hwb_err),
    .period_i       (period),
    .hold_i         (path_hold),
    .commands_o     (commands_open),
    .writes_o       (writes_open),
    .tr_dep_first_o (tr_dep_first),
    .tr_dep_last_o  (tr_dep_last),
    .tr_dep_id_o    (tr_dep_id),
    .tr_hwr_first_o (tr_hwr_first),
    .tr_hwr_id_o    (tr_hwr_id),
    .tr_irq_o       (tr_irq),
    .tr_irq_id_o    (tr_irq_id),
    .st_hwr_o       (st_hwr),
    .st_hwr_bytes_o (st_hwr_bytes),
    .st_irq_o       (st_irq),
    .st_hwr_fault_o (st_hwr_fault)
  );

  tern_hwr #(.DataW(DataW), .MaxPayload(MaxPayload)) u_hwr (
    .clk_i,
    .rst_ni         (path_rst_n),
    .mm_valid_i     (mm_valid),
    .mm_we_i        (mm_we),
    .mm_addr_i      (mm_addr),
    .mm_wdata_i     (mm_wdata),
    .mm_ready_o     (mm_ready[3]),
    .mm_rvalid_o    (mm_rvalid[3]),
    .mm_rdata_o     (mm_rdatas[32*3 +: 32]),
    .ck_valid_o     (ck_valid[2]),
    .ck_ready_i     (ck_ready[2]),
    .ck_key_o       (ck_key[32*2 +: 32]),
    .ck_addr_o      (ck_addr[64*2 +: 64]),
    .ck_bytes_o     (ck_bytes[32*2 +: 32]),
    .ck_fn_o        (ck_fn[8*2 +: 8]),
    .ck_done_i      (ck_done[2]),
    .ck_status_i    (ck_status),
    .ck_haddr_i     (ck_haddr),
    .fwc_valid_o    (fwc_valid),
    .fwc_ready_i    (fwc_ready),
    .fwc_kind_o     (fwc_kind),
    .fwc_slot_o     (fwc_slot),
    .fwc_bytes_o    (fwc_bytes),
    .fwc_fn_o       (fwc_fn),
    .fwc_addr_o     (fwc_addr),
    .fd_req_i       (fd_req),
    .fd_beat_i      (fd_beat),
    .fd_rdata_o     (fd_rdata),
    .fwc_id_o       (fwc_id),
    .fwc_read_done_i(fwc_read_done),
    .fwd_valid_i    (fwd_valid),
    .fwd_err_i      (fwd_err),
    .cq_coming_i    (cq_coming),
    .cq_valid_i     (cq_valid),
    .cq_ready_o     (cq_ready),
    .cq_slot_i      (cq_slot),
    .cq_queue_i     (cq_queue),
    .cq_addr_i      (cq_addr),
    .cq_key_i       (cq_key),
    .cq_fn_i        (cq_fn),
    .cq_lap_i       (cq_lap),
    .cq_phase_i     (cq_phase),
    .cw_valid_o     (cw_valid),
    .cw_ready_i     (cw_ready),
    .cw_slot_o      (cw_slot),
    .cw_word_o      (cw_word),
    .cw_rvalid_i    (cw_rvalid),
    .cw_rdata_i     (cw_rdata),
    .cw_queue_i     (cw_queue),
    .slot_free_valid_o(cq_free_valid),
    .slot_free_ready_i(!op_free_valid),
    .ev_hwr_valid_o (ev_hwr_valid),
    .ev_hwr_ready_i (ev_hwr_ready),
    .ev_hwr_o       (ev_hwr),
    .rxfree_valid_o (rxfree_valid),
    .rxfree_slot_o  (rxfree_slot)
  );

  // ------------------------------------------------------------------ transmit
  // Two bits of an operation's number tell the lives of this node apart; they are 0 in the first.
  logic [1:0]       op_life;
  assign op_life = incarnation[1:0] ^ 2'd1;
  assign fl_life_o = incarnation;

  logic             txo_sent, txo_end, txo_ack, txo_notify;
  logic             tx_ck_ahead, tx_ck_adopted, check_told, check_owed_q;
  // A check made ahead counts when a command adopts it; two in one cycle count one after the other.
  assign check_told = st_check && !(tx_ck_ahead && ck_done[1]);
  always_ff @(posedge clk_i)
    check_owed_q <= rst_ni && (tx_ck_adopted || (check_owed_q && check_told));
  logic [7:0]       txo_op, txo_status, txo_gen;
  logic             tx_valid, tx_ready, tx_more, tx_sop, tx_eop, tx_self, tx_again;
  logic [1:0]       tx_vn;
  logic [DataW-1:0] tx_data;
  logic             tr_tx_cmd, tr_tx_sop, tr_rd_last;
  logic [15:0]      tr_tx_cmd_id, tr_tx_sop_id;
  logic [3:0]       tr_rd_last_tag;
  logic             st_tx_pkt, st_hrd_fault;
  logic [10:0]      st_tx_bytes;

  tern_tx #(.DataW(DataW), .MaxPayload(MaxPayload), .NumSlots(NumSlots), .NumQ(NumQ)) u_tx (
    .clk_i,
    .rst_ni           (path_rst_n),
    .node_i           (node),
    .dims_i           (dims),
    .life_i           (op_life),
    .mm_valid_i       (mm_valid),
    .mm_we_i          (mm_we),
    .mm_addr_i        (mm_addr),
    .mm_wdata_i       (mm_wdata),
    .mm_ready_o       (mm_ready[4]),
    .mm_rvalid_o      (mm_rvalid[4]),
    .mm_rdata_o       (mm_rdatas[32*4 +: 32]),
    .sl_req_o         (sl_req),
    .sl_slot_o        (sl_slot),
    .sl_word_o        (sl_word),
    .sl_gnt_i         (sl_gnt),
    .sl_rvalid_i      (sl_rvalid),
    .sl_data_i        (sl_data),
    .sl_queue_i       (sl_queue),
    .sl_fn_i          (sl_fn),
    .slot_free_valid_o(slot_free_valid[0]),
    .slot_free_slot_o (slot_free[5:0]),
    .copy_i           (copy_near),
    .hint_valid_i     (tr_desc_ready || copy_known),
    .hint_slot_i      (copy_known ? {4'(NumSlots / 4 - 1), copy_slot} : tr_desc_slot[5:0]),
    .hint_next_i      (!ev_desc_valid || copy_known),
    .hint_reply_i     (copy_known),
    .ck_valid_o       (ck_valid[1]),
    .ck_ready_i       (ck_ready[1]),
    .ck_key_o         (ck_key[32*1 +: 32]),
    .ck_addr_o        (ck_addr[64*1 +: 64]),
    .ck_bytes_o       (ck_bytes[32*1 +: 32]),
    .ck_fn_o          (ck_fn[8*1 +: 8]),
    .ck_remote_o      (tx_ck_remote),
    .ck_offset_o      (tx_ck_offset),
    .ck_ahead_o       (tx_ck_ahead),
    .ck_adopted_o     (tx_ck_adopted),
    .ck_done_i        (ck_done[1]),
    .ck_status_i      (ck_status),
    .ck_haddr_i       (ck_haddr),
    .ck_fn_i          (ck_owner),
    .tx_hrq_valid_o   (tx_hrq_valid),
    .tx_hrq_ready_i   (tx_hrq_ready),
    .tx_hrq_fn_o      (tx_hrq_fn),
    .tx_hrq_addr_o    (tx_hrq_addr),
    .tx_hrq_bytes_o   (tx_hrq_bytes),
    .tx_hrq_tag_o     (tx_hrq_tag),
    .hrd_valid_i      (hrd_valid),
    .hrd_tag_i        (hrd_tag),
    .hrd_data_i       (hrd_data),
    .hrd_last_i       (hrd_last),
    .hrd_err_i        (hrd_err),
    .txo_sent_o       (txo_sent),
    .txo_end_o        (txo_end),
    .txo_op_o         (txo_op),
    .txo_ack_o        (txo_ack),
    .txo_notify_o     (txo_notify),
    .txo_status_o     (txo_status),
    .txo_gen_i        (txo_gen),
    .tx_valid_o       (tx_valid),
    .tx_ready_i       (tx_ready),
    .tx_more_i        (tx_more),
    .tx_sop_o         (tx_sop),
    .tx_eop_o         (tx_eop),
    .tx_vn_o          (tx_vn),
    .tx_self_o        (tx_self),
    .tx_data_o        (tx_data),
    .tx_again_i       (tx_again),
    .tr_tx_cmd_o      (tr_tx_cmd),
    .tr_tx_cmd_id_o   (tr_tx_cmd_id),
    .tr_tx_sop_o      (tr_tx_sop),
    .tr_tx_sop_id_o   (tr_tx_sop_id),
    .tr_rd_last_o     (tr_rd_last),
    .tr_rd_last_tag_o (tr_rd_last_tag),
    .st_tx_pkt_o      (st_tx_pkt),
    .st_tx_bytes_o    (st_tx_bytes),
    .st_hrd_fault_o   (st_hrd_fault)
  );

  logic       rxo_ack, rxo_free, rxo_final, rxo_word, rxo_take, rxo_drop, tr_op_done, st_stale_ack;
  logic [5:0] rxo_slot;
  logic [7:0] rxo_op, rxo_gen, rxo_status;
  logic [15:0] tr_op_done_id;

  // Freed by an operation that ended well without an event, or by its completion.
  assign slot_free_valid[1] = op_free_valid || cq_free_valid;
  assign slot_free[11:6]    = op_free_valid ? op_free_slot : cw_slot;

  assign ev_op = {tern_abi_pkg::EV_OP, 4'd0, ev_op_status, ev_op_queue, ev_op_slot};

  tern_optab #(.NumOps(NumSlots)) u_optab (
    .clk_i,
    .rst_ni         (path_rst_n),
    .cmd_i          (tr_tx_cmd),
    .cmd_slot_i     (tr_tx_cmd_id[5:0]),
    .txo_sent_i     (txo_sent),
    .txo_end_i      (txo_end),
    .txo_op_i       (txo_op),
    .txo_ack_i      (txo_ack),
    .txo_notify_i   (txo_notify),
    .txo_status_i   (txo_status),
    .txo_gen_o      (txo_gen),
    .rxo_ack_i      (rxo_ack),
    .rxo_free_o     (rxo_free),
    .rxo_op_i       (rxo_op),
    .rxo_gen_i      (rxo_gen),
    .rxo_status_i   (rxo_status),
    .rxo_final_i    (rxo_final),
    .rxo_word_i     (rxo_word),
    .rxo_take_o     (rxo_take),
    .rxo_drop_o     (rxo_drop),
    .rxo_slot_o     (rxo_slot),
    .mm_valid_i     (mm_valid),
    .mm_we_i        (mm_we),
    .mm_addr_i      (mm_addr),
    .mm_wdata_i     (mm_wdata),
    .mm_ready_o     (mm_ready[5]),
    .mm_rvalid_o    (mm_rvalid[5]),
    .mm_rdata_o     (mm_rdatas[32*5 +: 32]),
    .ev_op_valid_o  (ev_op_valid),
    .ev_op_ready_i  (ev_op_ready),
    .ev_op_slot_o   (ev_op_slot),
    .ev_op_status_o (ev_op_status),
    .slot_free_valid_o(op_free_valid),
    .slot_free_slot_o (op_free_slot),
    .tr_op_done_o   (tr_op_done),
    .tr_op_done_id_o(tr_op_done_id),
    .st_stale_ack_o (st_stale_ack)
  );

  // ------------------------------------------------------------------- receive
  logic             rx_valid, rx_ready, rx_sop, rx_eop, rx_err;
  logic [1:0]       rx_vn;
  logic [2:0]       rx_vn_ready;
  logic [DataW-1:0] rx_data;
  logic             ra_valid, ctr_valid;
  logic             ra_ready, ra_final, ra_word, word_next;
  logic [DataW-1:0] word;
  logic [15:0]      ra_dst, ra_opid, ctr_index;
  logic [7:0]       ra_status;
  logic [10:0]      ctr_bytes;
  logic             tr_rx_good, tr_ack_in;
  logic [15:0]      tr_rx_good_id, tr_ack_in_id;
  logic             st_rx_pkt, st_rx_put, st_rx_fw, st_rx_ack, st_rx_nak, st_bad_crc;
  logic             st_bad_type, st_bad_len, st_bad_dst, st_rx_refused, st_not_member;
  logic [10:0]      st_rx_put_bytes;

  tern_rx #(.DataW(DataW), .MaxPayload(MaxPayload), .RxSlots(RxSlots)) u_rx (
    .clk_i,
    .rst_ni           (path_rst_n),
    .node_i           (node),
    .dims_i           (dims),
    .incarnation_i    (incarnation),
    .op_life_i        (op_life),
    .core_up_i        (core_rst_n),
    .rx_valid_i       (rx_valid),
    .rx_ready_o       (rx_ready),
    .rx_sop_i         (rx_sop),
    .rx_eop_i         (rx_eop),
    .rx_err_i         (rx_err),
    .rx_vn_i          (rx_vn),
    .rx_data_i        (rx_data),
    .rx_vn_ready_o    (rx_vn_ready),
    .mm_valid_i       (mm_valid),
    .mm_we_i          (mm_we),
    .mm_addr_i        (mm_addr),
    .mm_wdata_i       (mm_wdata),
    .mm_ready_o       (mm_ready[6]),
    .mm_rvalid_o      (mm_rvalid[6]),
    .mm_rdata_o       (mm_rdatas[32*6 +: 32]),
    .ck_valid_o       (ck_valid[0]),
    .ck_ready_i       (ck_ready[0]),
    .ck_key_o         (ck_key[31:0]),
    .ck_addr_o        (ck_addr[63:0]),
    .ck_bytes_o       (ck_bytes[31:0]),
    .ck_offset_o      (ck_offset),
    .ck_atomic_o      (ck_atomic),
    .ck_read_o        (ck_read),
    .ck_done_i        (ck_done[0]),
    .ck_status_i      (ck_status),
    .ck_haddr_i       (ck_haddr),
    .ck_fn_i          (ck_owner),
    .ck_ctr_i         (ck_ctr),
    .rxc_valid_o      (rxc_valid),
    .rxc_ready_i      (rxc_ready),
    .rxc_slot_o       (rxc_slot),
    .rxc_bytes_o      (rxc_bytes),
    .rxc_fn_o         (rxc_fn),
    .rxc_addr_o       (rxc_addr),
    .rxc_id_o         (rxc_id),
    .rxc_read_done_i  (rxc_read_done),
    .rxd_valid_i      (rxd_valid),
    .rxd_ready_o      (rxd_ready),
    .rxd_err_i        (rxd_err),
    .pb_req_i         (pb_req),
    .pb_slot_i        (pb_slot),
    .pb_word_i        (pb_word),
    .pb_rdata_o       (pb_rdata),
    .at_hrq_valid_o   (at_hrq_valid),
    .at_hrq_ready_i   (at_hrq_ready),
    .at_hrq_fn_o      (at_hrq_fn),
    .at_hrq_addr_o    (at_hrq_addr),
    .at_hrq_node_o    (at_hrq_node),
    .hrd_valid_i      (hrd_valid),
    .hrd_tag_i        (hrd_tag),
    .hrd_data_i       (hrd_data),
    .hrd_last_i       (hrd_last),
    .hrd_err_i        (hrd_err),
    .at_valid_o       (at_valid),
    .at_ready_i       (at_ready),
    .at_word_o        (at_word),
    .at_fn_o          (at_fn),
    .at_addr_o        (at_addr),
    .at_req_i         (at_req),
    .at_rdata_o       (at_rdata),
    .at_done_i        (at_done),
    .at_err_i         (at_err),
    .ctr_valid_o      (ctr_valid),
    .ctr_index_o      (ctr_index),
    .ctr_bytes_o      (ctr_bytes),
    .rxo_ack_o        (rxo_ack),
    .rxo_free_i       (rxo_free),
    .rxo_op_o         (rxo_op),
    .rxo_gen_o        (rxo_gen),
    .rxo_status_o     (rxo_status),
    .rxo_final_o      (rxo_final),
    .rxo_word_o       (rxo_word),
    .rxo_take_i       (rxo_take),
    .rxo_drop_i       (rxo_drop),
    .rxo_slot_i       (rxo_slot),
    .word_valid_o     (word_valid),
    .word_ready_i     (word_ready),
    .word_slot_o      (word_slot),
    .word_high_o      (word_high),
    .word_data_o      (word_data),
    .ra_valid_o       (ra_valid),
    .ra_ready_i       (ra_ready),
    .ra_dst_o         (ra_dst),
    .ra_opid_o        (ra_opid),
    .ra_status_o      (ra_status),
    .ra_final_o       (ra_final),
    .ra_word_o        (ra_word),
    .word_o           (word),
    .word_next_i      (word_next),
    .ev_rx_valid_o    (ev_rx_valid),
    .ev_rx_ready_i    (ev_rx_ready),
    .ev_rx_o          (ev_rx),
    .copy_may_i       (copy_may),
    .copy_o           (copy),
    .copy_slot_o      (copy_slot),
    .copy_valid_o     (copy_valid),
    .copy_ready_i     (copy_ready),
    .copy_word_o      (copy_word),
    .copy_data_o      (copy_data),
    .copy_near_o      (copy_near),
    .copy_known_o     (copy_known),
    .rxfree_valid_i   (rxfree_valid),
    .rxfree_slot_i    (rxfree_slot),
    .tr_rx_good_o     (tr_rx_good),
    .tr_rx_good_id_o  (tr_rx_good_id),
    .tr_ack_in_o      (tr_ack_in),
    .tr_ack_in_id_o   (tr_ack_in_id),
    .st_rx_pkt_o      (st_rx_pkt),
    .st_rx_put_o      (st_rx_put),
    .st_rx_put_bytes_o(st_rx_put_bytes),
    .st_rx_fw_o       (st_rx_fw),
    .st_rx_ack_o      (st_rx_ack),
    .st_rx_nak_o      (st_rx_nak),
    .st_bad_crc_o     (st_bad_crc),
    .st_bad_type_o    (st_bad_type),
    .st_bad_len_o     (st_bad_len),
    .st_bad_dst_o     (st_bad_dst),
    .st_refused_o     (st_rx_refused),
    .st_not_member_o  (st_not_member)
  );

  logic             ack_valid, ack_ready, ack_more, ack_sop, ack_eop, st_tx_ack, st_tx_nak;
  logic [DataW-1:0] ack_data;
  logic             an_valid, an_ready, an_final, an_word;   // answers: of tern_rx, and of the tree
  logic [15:0]      an_dst, an_opid;
  logic [7:0]       an_status;

  tern_ack #(.DataW(DataW)) u_ack (
    .clk_i,
    .rst_ni     (path_rst_n),
    .node_i     (node),
    .ra_valid_i (an_valid),
    .ra_ready_o (an_ready),
    .ra_dst_i   (an_dst),
    .ra_opid_i  (an_opid),
    .ra_status_i(an_status),
    .ra_final_i (an_final),
    .ra_word_i  (an_word),
    .word_i     (word),
    .word_next_o(word_next),
    .ack_valid_o(ack_valid),
    .ack_ready_i(ack_ready),
    .ack_more_i (ack_more),
    .ack_sop_o  (ack_sop),
    .ack_eop_o  (ack_eop),
    .ack_data_o (ack_data),
    .st_tx_ack_o(st_tx_ack),
    .st_tx_nak_o(st_tx_nak)
  );

  tern_ctr #(.NumCtr(NumCtr)) u_ctr (
    .clk_i,
    .rst_ni        (path_rst_n),
    .ctr_valid_i   (ctr_valid),
    .ctr_index_i   (ctr_index),
    .ctr_bytes_i   (ctr_bytes),
    .mm_valid_i    (mm_valid),
    .mm_we_i       (mm_we),
    .mm_addr_i     (mm_addr),
    .mm_wdata_i    (mm_wdata),
    .mm_ready_o    (mm_ready[7]),
    .mm_rvalid_o   (mm_rvalid[7]),
    .mm_rdata_o    (mm_rdatas[32*7 +: 32]),
    .ev_ctr_valid_o(ev_ctr_valid),
    .ev_ctr_ready_i(ev_ctr_ready),
    .ev_ctr_o      (ev_ctr)
  );

  // -------------------------------------------------------- reset of the datapath
  logic       net_tx_valid, net_tx_ready, net_tx_more;   // of the transmit unit
  logic [2:0] net_vn_ready;

  tern_path_reset u_path_reset (
    .clk_i,
    .rst_ni       (rst_n),
    .ask_i        (path_ask),
    .busy_o       (path_busy),
    .path_rst_o   (path_rst),
    .tx_valid_i   (tx_valid),
    .tx_valid_o   (net_tx_valid),
    .tx_ready_i   (net_tx_ready),
    .tx_ready_o   (tx_ready),
    .tx_more_i    (net_tx_more),
    .tx_more_o    (tx_more),
    .tx_eop_i     (tx_eop),
    .tx_again_i   (tx_again),
    .ack_valid_i  (ack_valid),
    .ack_ready_i  (ack_ready),
    .ack_eop_i    (ack_eop),
    .rx_valid_i   (rx_valid),
    .rx_ready_i   (rx_ready),
    .rx_eop_i     (rx_eop),
    .rx_vn_ready_i(rx_vn_ready),
    .rx_vn_ready_o(net_vn_ready),
    .reads_i      (reads_open),
    .writes_i     (writes_open),
    .commands_i   (commands_open),
    .wants_i      (hrq_wants),
    .hold_o       (path_hold)
  );

  // ------------------------------------------------------------------- network
  logic        tr_link_out, tr_link_in;
  logic [15:0] tr_link_out_id, tr_link_in_id;
  logic [1:0]  st_link_bad_hdr, st_link_bad_crc, st_fwd, st_down_drop, st_link_down, st_link_sent;

  // Packets of the transmit unit, and those that come back from the tree.
  logic             nt_valid, nt_ready, nt_more, nt_sop, nt_eop, nt_self, nt_again;
  logic [1:0]       nt_vn;
  logic [DataW-1:0] nt_data;

  tern_net #(
    .DataW(DataW), .Ports(Ports), .MaxPayload(MaxPayload), .BufWords(BufWords), .Held(Held)
  ) u_net (
    .clk_i,
    .rst_ni           (rst_n),
    .node_i           (node),
    .dims_i           (dims),
    .ltx_hold_i,
    .ltx_valid_o      (ltx_valid_o[Ports-1:0]),
    .ltx_kind_o       (ltx_kind_o[2*Ports-1:0]),
    .ltx_data_o       (ltx_data_o[Ports*DataW-1:0]),
    .lrx_valid_i      (lrx_valid[Ports-1:0]),
    .lrx_kind_i       (lrx_kind[2*Ports-1:0]),
    .lrx_data_i       (lrx_data[Ports*DataW-1:0]),
    .tx_valid_i       (nt_valid),
    .tx_ready_o       (nt_ready),
    .tx_more_o        (nt_more),
    .tx_sop_i         (nt_sop),
    .tx_eop_i         (nt_eop),
    .tx_self_i        (nt_self),
    .tx_vn_i          (nt_vn),
    .tx_data_i        (nt_data),
    .tx_again_o       (nt_again),
    .ack_valid_i      (ack_valid),
    .ack_ready_o      (ack_ready),
    .ack_more_o       (ack_more),
    .ack_sop_i        (ack_sop),
    .ack_eop_i        (ack_eop),
    .ack_data_i       (ack_data),
    .rx_valid_o       (rx_valid),
    .rx_ready_i       (rx_ready),
    .rx_sop_o         (rx_sop),
    .rx_eop_o         (rx_eop),
    .rx_err_o         (rx_err),
    .rx_vn_o          (rx_vn),
    .rx_data_o        (rx_data),
    .rx_vn_ready_i    (net_vn_ready),
    .mm_valid_i       (mm_valid),
    .mm_we_i          (mm_we),
    .mm_addr_i        (mm_addr),
    .mm_wdata_i       (mm_wdata),
    .mm_ready_o       (mm_ready[8]),
    .mm_rvalid_o      (mm_rvalid[8]),
    .mm_rdata_o       (mm_rdatas[32*8 +: 32]),
    .ev_link_valid_o  (ev_link_valid),
    .ev_link_ready_i  (ev_link_ready),
    .ev_link_o        (ev_link),
    .link_up_o        (link_up),
    .tr_link_out_o    (tr_link_out),
    .tr_link_out_id_o (tr_link_out_id),
    .tr_link_in_o     (tr_link_in),
    .tr_link_in_id_o  (tr_link_in_id),
    .st_link_bad_hdr_o(st_link_bad_hdr),
    .st_link_bad_crc_o(st_link_bad_crc),
    .st_fwd_o         (st_fwd),
    .st_down_drop_o   (st_down_drop),
    .st_link_down_o   (st_link_down),
    .st_link_sent_o   (st_link_sent)
  );

  // -------------------------------------------------------------- tree network
  if (Tree != 0) begin : g_tree
    localparam int unsigned Groups = tern_abi_pkg::TREE_GROUPS;
    logic [15:0]       rank, fail_rank;
    logic              cfg_valid, cfg_on, cfg_root, tt_valid, tt_ready, tt_eop;
    logic              tr_valid, tr_ready, tr_sop, tr_eop, tr_err, tr_look, tr_busy;
    logic              fail_valid, fail_ready;
    logic [$clog2(Groups)-1:0] cfg_group, tr_group;
    logic [7:0]        cfg_epoch;
    logic [2:0]        cfg_expect, up, fell, bad_crc, bad_hdr;
    logic [23:0]       cfg_patience;
    logic [Groups-1:0] active, room;
    logic [63:0]       tt_data, tr_data;
    logic [14:0]       fail_box;
    logic [3:0]        fail_status;
    logic [5:0]        why;

    tern_tree_port u_tree_port (
      .clk_i, .rst_ni(rst_n), .core_rst_ni(core_rst_n), .node_i(node),
      .mm_valid_i(mm_valid), .mm_we_i(mm_we), .mm_addr_i(mm_addr), .mm_wdata_i(mm_wdata),
      .mm_ready_o(mm_ready[10]), .mm_rvalid_o(mm_rvalid[10]), .mm_rdata_o(mm_rdatas[32*10 +: 32]),
      .link_valid_i(ev_link_valid), .link_ready_o(ev_link_ready), .link_i(ev_link),
      .ev_valid_o(ev_links_valid), .ev_ready_i(ev_links_ready), .ev_o(ev_links),
      .rank_o(rank), .cfg_valid_o(cfg_valid), .cfg_group_o(cfg_group), .cfg_on_o(cfg_on),
      .cfg_epoch_o(cfg_epoch), .cfg_expect_o(cfg_expect), .cfg_root_o(cfg_root),
      .cfg_patience_o(cfg_patience), .active_i(active),
      .tx_valid_o(tt_valid), .tx_ready_i(tt_ready), .tx_eop_o(tt_eop), .tx_data_o(tt_data),
      .rx_valid_i(tr_valid), .rx_ready_o(tr_ready), .rx_sop_i(tr_sop), .rx_eop_i(tr_eop),
      .rx_err_i(tr_err), .rx_look_i(tr_look), .rx_group_i(tr_group),
      .rx_busy_i(tr_busy), .rx_data_i(tr_data),
      .fail_valid_i(fail_valid), .fail_ready_o(fail_ready), .fail_box_i(fail_box),
      .fail_status_i(fail_status), .fail_rank_i(fail_rank),
      .long_valid_i(go_valid && !other), .long_ready_o(long_ready), .long_eop_i(tx_eop),
      .long_data_i(go_data),
      .put_valid_o(long_valid), .put_ready_i(put_take && !mail_q), .put_sop_o(long_sop),
      .put_eop_o(long_eop), .put_data_o(long_data),
      .nak_valid_o(nak_valid), .nak_ready_i(an_ready && !ra_valid), .nak_opid_o(nak_opid)
    );

    // Packets of the network VN_TREE turn off here: contributions, which are puts to this node
    // itself, and puts to others. Puts out of the tree enter between two other packets; both kinds
    // take turns.
    logic        to_tree, other, other_q, tree_ready, go_valid, go_ready, go_sop;
    logic        put_valid, put_ready, put_sop, put_eop, put_take, put_all_q, put_q;
    logic        out_valid, out_near, out_sop, out_eop, out_err;
    logic        tx_on, tx_in_q, tx_in, nak_valid;
    logic        long_ready, long_valid, long_sop, long_eop;
    logic        mail_ready, mail_valid, mail_sop, mail_eop, mail_q;
    logic [1:0]  out_vn;
    logic [63:0] go_data, put_data, long_data, mail_data, mrx_data, mtx_data;
    logic [DataW-1:0] out_data;
    logic [15:0] nak_opid, place;
    logic        mtx_valid, mtx_ready, mtx_eop;
    assign to_tree  = tx_vn == 2'(tern_abi_pkg::VN_TREE);
    tern_tree_widen #(.DataW(DataW)) u_tree_widen (
      .clk_i, .rst_ni(rst_n), .valid_i(net_tx_valid && to_tree), .ready_o(tree_ready),
      .sop_i(tx_sop), .data_i(tx_data), .valid_o(go_valid), .ready_i(go_ready),
      .sop_o(go_sop), .data_o(go_data)
    );
    assign other    = go_sop ? go_data[tern_abi_pkg::PKT_DST_LSB +: 15] != node[14:0] : other_q;
    assign go_ready = other ? mail_ready : long_ready;
    always_ff @(posedge clk_i) if (go_valid && go_sop) other_q <= other;

    tern_tree_mail u_tree_mail (
      .clk_i, .rst_ni(rst_n), .node_i(node[14:0]), .dims_i(dims[14:0]), .rank_o(place),
      .tx_valid_i(go_valid && other), .tx_ready_o(mail_ready), .tx_eop_i(tx_eop),
      .tx_data_i(go_data),
      .up_valid_o(mtx_valid), .up_ready_i(mtx_ready), .up_eop_o(mtx_eop), .up_data_o(mtx_data),
      .rx_sop_i(mail_sop), .rx_data_i(mrx_data), .put_data_o(mail_data)
    );
    // Of one packet at a time: the next one waits for another turn.
    assign put_valid = put_q && !put_all_q && (mail_q ? mail_valid : long_valid);
    assign put_sop   = mail_q ? mail_sop : long_sop;
    assign put_eop   = mail_q ? mail_eop : long_eop;
    assign put_data  = mail_q ? mail_data : long_data;
    assign put_take  = put_q && put_ready && !put_all_q;
    tern_tree_narrow #(.DataW(DataW)) u_tree_narrow (
      .clk_i, .rst_ni(rst_n), .valid_i(put_valid), .near_i(1'b0), .ready_o(put_ready),
      .sop_i(put_sop), .eop_i(put_eop), .err_i(1'b0), .vn_i(2'(tern_abi_pkg::VN_DATA)),
      .data_i(put_data), .valid_o(out_valid), .near_o(out_near), .ready_i(nt_ready),
      .sop_o(out_sop), .eop_o(out_eop), .err_o(out_err), .vn_o(out_vn), .data_o(out_data)
    );
    assign tx_on    = net_tx_valid && !to_tree && !put_q;
    assign tx_in    = tx_on && nt_ready ? !tx_eop || nt_again : tx_in_q;
    assign nt_valid = put_q ? out_valid : tx_on;
    assign nt_sop   = put_q ? out_sop : tx_sop;
    assign nt_eop   = put_q ? out_eop : tx_eop;
    assign nt_self  = !put_q && tx_self;
    assign nt_vn    = put_q ? out_vn : tx_vn;
    assign nt_data  = put_q ? out_data : tx_data;
    assign tx_again = nt_again && !put_q && !to_tree;
    assign net_tx_ready = to_tree ? tree_ready : nt_ready && !put_q;
    assign net_tx_more  = to_tree ? tree_ready : nt_more && !put_q;
    always_ff @(posedge clk_i) begin
      tx_in_q <= rst_n && tx_in;
      // A beat that waits must not change.
      if (!rst_n)      put_q <= 1'b0;
      else if (put_q)  put_q <= !(out_valid && out_eop && nt_ready);
      else             put_q <= (long_valid || mail_valid) && !tx_in && !(tx_on && !nt_ready);
      if (!rst_n)      mail_q <= 1'b0;
      else if (!put_q) mail_q <= mail_valid && !(mail_q && long_valid);
      put_all_q <= put_q && (put_all_q || (put_valid && put_ready && put_eop));
    end

    assign an_valid  = ra_valid || nak_valid;
    assign ra_ready  = an_ready;
    assign an_dst    = ra_valid ? ra_dst : node;
    assign an_opid   = ra_valid ? ra_opid : nak_opid;
    assign an_status = ra_valid ? ra_status : tern_abi_pkg::ST_NO_GROUP;
    assign an_final  = ra_valid && ra_final;
    assign an_word   = ra_valid && ra_word;

    tern_tree #(
      .DataW(DataW), .Groups(Groups), .Slots(tern_abi_pkg::TREE_SLOTS),
      .SelfSlots(tern_abi_pkg::TREE_LONG_SLOTS), .MaxPayload(MaxPayload),
      .BufWords(BufWords), .CtlEvery(40)   // as the links of the torus
    ) u_tree (
      .clk_i, .rst_ni(rst_n), .rank_i(rank), .spoil_i(1'b0),
      .place_i(place), .mtx_valid_i(mtx_valid), .mtx_ready_o(mtx_ready), .mtx_eop_i(mtx_eop),
      .mtx_data_i(mtx_data), .mrx_valid_o(mail_valid), .mrx_ready_i(put_take && mail_q),
      .mrx_sop_o(mail_sop), .mrx_eop_o(mail_eop), .mrx_data_o(mrx_data),
      .cfg_valid_i(cfg_valid), .cfg_group_i(cfg_group), .cfg_on_i(cfg_on),
      .cfg_epoch_i(cfg_epoch), .cfg_expect_i(cfg_expect), .cfg_root_i(cfg_root),
      .cfg_patience_i(cfg_patience), .active_o(active), .room_o(room),
      .tx_valid_i(tt_valid), .tx_ready_o(tt_ready), .tx_eop_i(tt_eop), .tx_data_i(tt_data),
      .rx_valid_o(tr_valid), .rx_ready_i(tr_ready), .rx_sop_o(tr_sop), .rx_eop_o(tr_eop),
      .rx_err_o(tr_err), .rx_look_o(tr_look), .rx_group_o(tr_group),
      .rx_busy_o(tr_busy), .rx_data_o(tr_data),
      .ev_valid_o(fail_valid), .ev_ready_i(fail_ready), .ev_box_o(fail_box),
      .ev_status_o(fail_status), .ev_rank_o(fail_rank),
      .up_o(up), .fell_o(fell), .why_o(why), .bad_crc_o(bad_crc), .bad_hdr_o(bad_hdr),
      .ltx_valid_o(ltx_valid_o[Ports +: 3]), .ltx_kind_o(ltx_kind_o[2*Ports +: 6]),
      .ltx_data_o(ltx_data_o[Ports*DataW +: 3*DataW]),
      .lrx_valid_i(lrx_valid[Ports +: 3]), .lrx_kind_i(lrx_kind[2*Ports +: 6]),
      .lrx_data_i(lrx_data[Ports*DataW +: 3*DataW])
    );

    logic unused;
    assign unused = ^{room, up, fell, why, bad_crc, bad_hdr, out_near, out_err};
  end else begin : g_no_tree
    assign {ev_links_valid, ev_links, ev_link_ready} = {ev_link_valid, ev_link, ev_links_ready};
    assign {an_valid, an_dst, an_opid, an_status, an_final, an_word} =
           {ra_valid, ra_dst, ra_opid, ra_status, ra_final, ra_word};
    assign ra_ready = an_ready;
    assign {nt_valid, nt_sop, nt_eop, nt_self, nt_vn, nt_data} =
           {net_tx_valid, tx_sop, tx_eop, tx_self, tx_vn, tx_data};
    assign {net_tx_ready, net_tx_more, tx_again} = {nt_ready, nt_more, nt_again};
  end

  // ---------------------------------------------------------- statistics, trace
  tern_stats u_stats (
    .clk_i,
    .rst_ni           (rst_n),
    .st_tx_pkt_i      (st_tx_pkt),
    .st_tx_bytes_i    (st_tx_bytes),
    .st_rx_pkt_i      (st_rx_pkt),
    .st_rx_put_i      (st_rx_put),
    .st_rx_put_bytes_i(st_rx_put_bytes),
    .st_rx_fw_i       (st_rx_fw),
    .st_rx_ack_i      (st_rx_ack),
    .st_rx_nak_i      (st_rx_nak),
    .st_tx_ack_i      (st_tx_ack),
    .st_tx_nak_i      (st_tx_nak),
    .st_bad_crc_i     (st_bad_crc),
    .st_bad_type_i    (st_bad_type),
    .st_bad_len_i     (st_bad_len),
    .st_bad_dst_i     (st_bad_dst),
    .st_rx_refused_i  (st_rx_refused),
    .st_stale_ack_i   (st_stale_ack),
    .st_hrd_i         (st_hrd),
    .st_hrd_bytes_i   (st_hrd_bytes),
    .st_hwr_i         (st_hwr),
    .st_hwr_bytes_i   (st_hwr_bytes),
    .st_hrd_fault_i   (st_hrd_fault),
    .st_hwr_fault_i   (st_hwr_fault),
    .st_doorbell_i    (st_doorbell),
    .st_inline_i      (st_inline),
    .st_fetched_i     (st_fetched),
    .st_bad_db_i      (st_bad_db),
    .st_check_i       (check_told || check_owed_q),
    .st_key_refused_i (st_key_refused && check_told),
    .st_irq_i         (st_irq),
    .st_link_bad_hdr_i(st_link_bad_hdr),
    .st_link_bad_crc_i(st_link_bad_crc),
    .st_fwd_i         (st_fwd),
    .st_down_drop_i   (st_down_drop),
    .st_link_down_i   (st_link_down),
    .st_link_sent_i   (st_link_sent),
    .st_core_reset_i  (st_core_reset),
    .st_not_member_i  (st_not_member),
    .retired_i        (retired),
    .awake_i          (awake),
    .mm_valid_i       (mm_valid),
    .mm_we_i          (mm_we),
    .mm_addr_i        (mm_addr),
    .mm_ready_o       (mm_ready[9]),
    .mm_rvalid_o      (mm_rvalid[9]),
    .mm_rdata_o       (mm_rdatas[32*9 +: 32]),
    .sum_o            (sum),
    .sum_of_o         (sum_of)
  );

  assign tr_cycle_o = cycle[31:0];

  // Simulates faster than setting each bit.
  function automatic logic [tern_abi_pkg::TRACE_LANES-1:0] lane(input logic valid,
                                                                input int unsigned which);
    lane = tern_abi_pkg::TRACE_LANES'(valid) << which;
  endfunction

  // Without the lanes that depend on the host port's ready, which arrives late.
  logic [tern_abi_pkg::TRACE_LANES-1:0] tr_early;

  assign tr_early =
    lane(tr_db_first, tern_abi_pkg::TRACE_DB_FIRST) |
    lane(tr_desc_ready, tern_abi_pkg::TRACE_DESC_READY) |
    lane(tr_fw_pop, tern_abi_pkg::TRACE_FW_POP) |
    lane(tr_tx_cmd, tern_abi_pkg::TRACE_TX_CMD) |
    lane(tr_rd_last, tern_abi_pkg::TRACE_RD_LAST) |
    lane(tr_tx_sop, tern_abi_pkg::TRACE_TX_SOP) |
    lane(tr_link_out, tern_abi_pkg::TRACE_LINK_OUT) |
    lane(tr_link_in, tern_abi_pkg::TRACE_LINK_IN) |
    lane(tr_rx_good, tern_abi_pkg::TRACE_RX_GOOD) |
    lane(tr_ack_in, tern_abi_pkg::TRACE_ACK_IN) |
    lane(tr_op_done, tern_abi_pkg::TRACE_OP_DONE) |
    lane(tr_fw_write, tern_abi_pkg::TRACE_FW_WRITE) |
    lane(tr_sleep, tern_abi_pkg::TRACE_CORE_SLEEP) |
    lane(tr_wake, tern_abi_pkg::TRACE_CORE_WAKE);
  assign tr_valid_o = tr_early |
    lane(tr_rd_req, tern_abi_pkg::TRACE_RD_REQ) |
    lane(tr_dep_first, tern_abi_pkg::TRACE_DEP_FIRST) |
    lane(tr_dep_last, tern_abi_pkg::TRACE_DEP_LAST) |
    lane(tr_hwr_first, tern_abi_pkg::TRACE_HWR_FIRST) |
    lane(tr_irq, tern_abi_pkg::TRACE_IRQ);

  always_comb begin
    tr_id_o = '0;
`ifdef TERN_MODEL   // not used in other cycles
    if (tr_early != '0 || hrq_valid_o || hwr_valid_o) begin
`endif
    tr_id_o[16*tern_abi_pkg::TRACE_DB_FIRST +: 16]   = tr_db_queue;
    tr_id_o[16*tern_abi_pkg::TRACE_DESC_READY +: 16] = tr_desc_slot;
    tr_id_o[16*tern_abi_pkg::TRACE_FW_POP +: 16]     = tr_fw_pop_id;
    tr_id_o[16*tern_abi_pkg::TRACE_TX_CMD +: 16]     = tr_tx_cmd_id;
    tr_id_o[16*tern_abi_pkg::TRACE_RD_REQ +: 4]      = tr_rd_tag;
    tr_id_o[16*tern_abi_pkg::TRACE_RD_LAST +: 4]     = tr_rd_last_tag;
    tr_id_o[16*tern_abi_pkg::TRACE_TX_SOP +: 16]     = tr_tx_sop_id;
    tr_id_o[16*tern_abi_pkg::TRACE_LINK_OUT +: 16]   = tr_link_out_id;
    tr_id_o[16*tern_abi_pkg::TRACE_LINK_IN +: 16]    = tr_link_in_id;
    tr_id_o[16*tern_abi_pkg::TRACE_RX_GOOD +: 16]    = tr_rx_good_id;
    tr_id_o[16*tern_abi_pkg::TRACE_DEP_FIRST +: 16]  = tr_dep_id;
    tr_id_o[16*tern_abi_pkg::TRACE_DEP_LAST +: 16]   = tr_dep_id;
    tr_id_o[16*tern_abi_pkg::TRACE_ACK_IN +: 16]     = tr_ack_in_id;
    tr_id_o[16*tern_abi_pkg::TRACE_OP_DONE +: 16]    = tr_op_done_id;
    tr_id_o[16*tern_abi_pkg::TRACE_HWR_FIRST +: 16]  = tr_hwr_id;
    tr_id_o[16*tern_abi_pkg::TRACE_IRQ +: 16]        = tr_irq_id;
    tr_id_o[16*tern_abi_pkg::TRACE_FW_WRITE +: 16]   = tr_fw_write_id;
`ifdef TERN_MODEL
    end
`endif
  end

endmodule

`default_nettype wire
