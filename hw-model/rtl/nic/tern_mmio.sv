// SPDX-License-Identifier: Apache-2.0
// The soft core's door to the NIC: system registers here, everything else over the register bus.
//
// One access outstanding. System registers, EV_POP among them, answer in the cycle after the accept;
// an access to another block appears on the bus in that cycle and is answered the moment the block
// answers. Sub-word accesses, unknown system registers, and addresses that no block takes within
// 64 cycles end with `cm_err_o`. An event is taken from its source in the cycle EV_POP is accepted.

`default_nettype none

module tern_mmio #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned Ports      = 2,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumFn      = 64,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumRegions = 4096,
  parameter int unsigned NumCtr     = 256,
  parameter int unsigned RxSlots    = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        core_rst_ni,

  input  logic        cm_valid_i,
  output logic        cm_ready_o,
  input  logic        cm_we_i,
  input  logic [3:0]  cm_be_i,
  input  logic [15:0] cm_addr_i,
  input  logic [31:0] cm_wdata_i,
  output logic        cm_rvalid_o,
  output logic [31:0] cm_rdata_o,
  output logic        cm_err_o,

  output logic        mm_valid_o,
  output logic        mm_we_o,
  output logic [15:0] mm_addr_o,
  output logic [31:0] mm_wdata_o,
  input  logic        mm_ready_i,
  input  logic        mm_rvalid_i,
  input  logic [31:0] mm_rdata_i,

  input  logic        ev_op_valid_i,
  output logic        ev_op_ready_o,
  input  logic [31:0] ev_op_i,
  input  logic        ev_hwr_valid_i,
  output logic        ev_hwr_ready_o,
  input  logic [31:0] ev_hwr_i,
  input  logic        ev_rx_valid_i,
  output logic        ev_rx_ready_o,
  input  logic [31:0] ev_rx_i,
  input  logic        ev_link_valid_i,
  output logic        ev_link_ready_o,
  input  logic [31:0] ev_link_i,
  input  logic        ev_bar_valid_i,
  output logic        ev_bar_ready_o,
  input  logic [31:0] ev_bar_i,
  input  logic        ev_dberr_valid_i,
  output logic        ev_dberr_ready_o,
  input  logic [31:0] ev_dberr_i,
  input  logic        ev_ctr_valid_i,
  output logic        ev_ctr_ready_o,
  input  logic [31:0] ev_ctr_i,
  input  logic        ev_desc_valid_i,
  output logic        ev_desc_ready_o,
  input  logic [31:0] ev_desc_i,

  output logic        irq_external_o,
  output logic        irq_timer_o,

  output logic        wdog_bite_o,
  input  logic [7:0]  boot_state_i,
  output logic [31:0] fw_status_o,
  output logic [31:0] fw_version_o,
  output logic [63:0] cycle_o,
  output logic [63:0] instret_o,
  output logic [63:0] busy_o,
  input  logic        retire_i,
  input  logic        sleep_i,
  input  logic        dbg_stopped_i,   // a debugger holds the core: the watchdog waits
  input  logic [7:0]  incarnation_i,
  input  logic [1:0]  reset_cause_i,
  input  logic [15:0] node_i,
  input  logic [15:0] dims_i,
  input  logic [31:0] clock_hz_i,
  input  logic [15:0] host_latency_i,

  input  logic        log_pop_i,
  output logic [31:0] log_data_o,

  output logic        tr_fw_pop_o,
  output logic [15:0] tr_fw_pop_id_o,
  output logic        tr_fw_write_o,
  output logic [15:0] tr_fw_write_id_o,
  output logic        tr_sleep_o,
  output logic        tr_wake_o
);

  localparam int unsigned FwSlots   = 4;   // descriptor slots the prefetcher never gets
  localparam int unsigned BusCycles = 64;  // how long an address may stay without a taker

  // ---------------------------------------------------------------- accepting an access
  logic        take, own, word, wr, rd;
  logic        own_q, own_err_q, bus_q, taken_q;
  logic [31:0] own_rdata_q;
  logic [6:0]  patience_q;
  logic        bus_lost;

  assign cm_ready_o = !bus_q || mm_rvalid_i;
  assign take       = cm_valid_i && cm_ready_o;
  assign word       = cm_be_i == 4'hf;
  assign own        = cm_addr_i[15:7] == '0;
  assign wr         = take && own && word && cm_we_i;
  assign rd         = take && own && word && !cm_we_i;

  // ---------------------------------------------------------------- events
  logic [15:0] mask_q, pending, offered;
  logic [7:0]  pick;        // one hot in the order of EV_POP
  logic [31:0] event_word;
  logic        pop;

  always_comb begin
    pending = '0;
    pending[tern_abi_pkg::EV_OP]    = ev_op_valid_i;
    pending[tern_abi_pkg::EV_HWR]   = ev_hwr_valid_i;
    pending[tern_abi_pkg::EV_RX]    = ev_rx_valid_i;
    pending[tern_abi_pkg::EV_LINK]  = ev_link_valid_i;
    pending[tern_abi_pkg::EV_BAR]   = ev_bar_valid_i;
    pending[tern_abi_pkg::EV_DBERR] = ev_dberr_valid_i;
    pending[tern_abi_pkg::EV_CTR]   = ev_ctr_valid_i;
    pending[tern_abi_pkg::EV_DESC]  = ev_desc_valid_i;
  end
  assign offered = pending & mask_q;

  always_comb begin
    pick       = '0;
    event_word = '0;
    if (offered[tern_abi_pkg::EV_OP]) begin
      pick[0]    = 1'b1;
      event_word = ev_op_i;
    end else if (offered[tern_abi_pkg::EV_HWR]) begin
      pick[1]    = 1'b1;
      event_word = ev_hwr_i;
    end else if (offered[tern_abi_pkg::EV_RX]) begin
      pick[2]    = 1'b1;
      event_word = ev_rx_i;
    end else if (offered[tern_abi_pkg::EV_LINK]) begin
      pick[3]    = 1'b1;
      event_word = ev_link_i;
    end else if (offered[tern_abi_pkg::EV_BAR]) begin
      pick[4]    = 1'b1;
      event_word = ev_bar_i;
    end else if (offered[tern_abi_pkg::EV_DBERR]) begin
      pick[5]    = 1'b1;
      event_word = ev_dberr_i;
    end else if (offered[tern_abi_pkg::EV_CTR]) begin
      pick[6]    = 1'b1;
      event_word = ev_ctr_i;
    end else if (offered[tern_abi_pkg::EV_DESC]) begin
      pick[7]    = 1'b1;
      event_word = ev_desc_i;
    end
  end

  assign pop = rd && cm_addr_i == tern_abi_pkg::MMIO_EV_POP;
  assign {ev_desc_ready_o, ev_ctr_ready_o, ev_dberr_ready_o, ev_bar_ready_o,
          ev_link_ready_o, ev_rx_ready_o, ev_hwr_ready_o, ev_op_ready_o} = pop ? pick : 8'b0;

  assign tr_fw_pop_o    = pop && pick != '0;
  assign tr_fw_pop_id_o = event_word[15:0];

  // ---------------------------------------------------------------- log of the firmware
  logic        log_valid, log_push, log_fw_pop;
  logic [31:0] log_head;

  assign log_push   = wr && cm_addr_i == tern_abi_pkg::MMIO_LOG_PUSH;
  assign log_fw_pop = rd && cm_addr_i == tern_abi_pkg::MMIO_LOG_POP;
  assign log_data_o = log_valid ? log_head : '0;

  tern_fifo_ram #(.Width(32), .Depth(256)) u_log (
    .clk_i, .rst_ni,
    .valid_i(log_push), .data_i(cm_wdata_i),
    .valid_o(log_valid), .ready_i(log_fw_pop || log_pop_i), .data_o(log_head),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // ---------------------------------------------------------------- system registers
  logic [63:0] cmp_q;
  logic [31:0] wdog_q, status_q;
  logic [31:0] rdata;
  logic        known;

  assign fw_status_o = core_rst_ni ? status_q : 32'(boot_state_i);

  always_comb begin
    known = 1'b1;
    rdata = '0;
    case (cm_addr_i[6:2])
      tern_abi_pkg::MMIO_EV_POP[6:2]:       rdata = event_word;
      tern_abi_pkg::MMIO_EV_MASK[6:2]:      rdata = 32'(mask_q);
      tern_abi_pkg::MMIO_EV_PENDING[6:2]:   rdata = 32'(pending);
      tern_abi_pkg::MMIO_MTIME_LO[6:2]:     rdata = cycle_o[31:0];
      tern_abi_pkg::MMIO_MTIME_HI[6:2]:     rdata = cycle_o[63:32];
      tern_abi_pkg::MMIO_MTIMECMP_LO[6:2]:  rdata = cmp_q[31:0];
      tern_abi_pkg::MMIO_MTIMECMP_HI[6:2]:  rdata = cmp_q[63:32];
      tern_abi_pkg::MMIO_WDOG[6:2]:         rdata = wdog_q;
      tern_abi_pkg::MMIO_RESET_CAUSE[6:2]:  rdata = 32'(reset_cause_i);
      tern_abi_pkg::MMIO_CONFIG[6:2]:       rdata = {16'(MaxPayload / 8), 8'(Ports), 8'(DataW)};
      tern_abi_pkg::MMIO_LIMITS[6:2]:       rdata = {16'(NumFn), 16'(NumQ)};
      tern_abi_pkg::MMIO_NODE[6:2]:         rdata = 32'(node_i);
      tern_abi_pkg::MMIO_DIMS[6:2]:         rdata = 32'(dims_i);
      tern_abi_pkg::MMIO_INCARNATION[6:2]:  rdata = 32'(incarnation_i);
      tern_abi_pkg::MMIO_FW_STATUS[6:2]:    rdata = status_q;
      tern_abi_pkg::MMIO_FW_VERSION[6:2]:   rdata = fw_version_o;
      tern_abi_pkg::MMIO_LOG_PUSH[6:2]:     rdata = '0;
      tern_abi_pkg::MMIO_LOG_POP[6:2]:      rdata = log_data_o;
      tern_abi_pkg::MMIO_REGIONS[6:2]:      rdata = {16'(NumCtr), 16'(NumRegions)};
      tern_abi_pkg::MMIO_SIZES[6:2]:        rdata = {8'd0, 8'(RxSlots), 8'(FwSlots), 8'(NumSlots)};
      tern_abi_pkg::MMIO_CLOCK_HZ[6:2]:     rdata = clock_hz_i;
      tern_abi_pkg::MMIO_HOST_LATENCY[6:2]: rdata = 32'(host_latency_i);
      tern_abi_pkg::MMIO_CONSOLE[6:2]:      rdata = '0;
      default:                         known = 1'b0;
    endcase
    if (cm_addr_i[1:0] != '0) known = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!core_rst_ni || !rst_ni) begin
      mask_q   <= '1;
      cmp_q    <= '1;
      wdog_q   <= '0;
      status_q <= tern_abi_pkg::FWSTATE_BOOT;
    end else begin
      if (wdog_q != '0 && !dbg_stopped_i) wdog_q <= wdog_q - 1'b1;
      if (wr) begin
        case (cm_addr_i)
          tern_abi_pkg::MMIO_EV_MASK:     mask_q       <= cm_wdata_i[15:0];
          tern_abi_pkg::MMIO_MTIMECMP_LO: cmp_q[31:0]  <= cm_wdata_i;
          tern_abi_pkg::MMIO_MTIMECMP_HI: cmp_q[63:32] <= cm_wdata_i;
          tern_abi_pkg::MMIO_WDOG:        wdog_q       <= cm_wdata_i;
          tern_abi_pkg::MMIO_FW_STATUS:   status_q     <= cm_wdata_i;
          default: ;
        endcase
      end
    end
  end

  // A rewrite in the very last cycle still saves the core.
  assign wdog_bite_o = core_rst_ni && wdog_q == 32'd1 && !(wr && cm_addr_i == tern_abi_pkg::MMIO_WDOG);

  assign tr_fw_write_o    = wr && cm_addr_i == tern_abi_pkg::MMIO_CONSOLE;
  assign tr_fw_write_id_o = 16'(cm_wdata_i[7:0]);

  // ---------------------------------------------------------------- clocks and interrupts
  logic sleep_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_o        <= '0;
      instret_o      <= '0;
      busy_o         <= '0;
      fw_version_o   <= '0;
      sleep_q        <= 1'b0;
      irq_external_o <= 1'b0;
      irq_timer_o    <= 1'b0;
    end else begin
      cycle_o <= cycle_o + 1'b1;
      if (retire_i)                instret_o <= instret_o + 1'b1;
      if (core_rst_ni && !sleep_i) busy_o    <= busy_o + 1'b1;
      if (wr && cm_addr_i == tern_abi_pkg::MMIO_FW_VERSION) fw_version_o <= cm_wdata_i;
      sleep_q        <= sleep_i;
      irq_external_o <= offered != '0;
      irq_timer_o    <= cycle_o >= cmp_q;
    end
  end

  assign tr_sleep_o = sleep_i && !sleep_q;
  assign tr_wake_o  = !sleep_i && sleep_q;

  // ---------------------------------------------------------------- answers
  assign mm_valid_o  = bus_q && !taken_q && !bus_lost;
  assign bus_lost    = bus_q && !taken_q && patience_q == 7'(BusCycles);
  assign cm_rvalid_o = own_q || bus_lost || (bus_q && mm_rvalid_i);
  assign cm_rdata_o  = own_q ? own_rdata_q : mm_rdata_i;
  assign cm_err_o    = own_q ? own_err_q : bus_lost;

  always_ff @(posedge clk_i) begin
    if (take) begin
      mm_we_o     <= cm_we_i;
      mm_addr_o   <= cm_addr_i;
      mm_wdata_o  <= cm_wdata_i;
      own_rdata_q <= rdata;
      own_err_q   <= !word || !known;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_q      <= 1'b0;
      bus_q      <= 1'b0;
      taken_q    <= 1'b0;
      patience_q <= '0;
    end else begin
      own_q <= take && (own || !word);
      if (take && !own && word) begin
        bus_q      <= 1'b1;
        taken_q    <= 1'b0;
        patience_q <= '0;
      end else if (bus_lost || (bus_q && mm_rvalid_i)) begin
        bus_q      <= 1'b0;
      end else if (bus_q) begin
        taken_q    <= taken_q || mm_ready_i;
        patience_q <= patience_q + 1'b1;
      end
    end
  end

  // At most one event is taken at a time, and never one that is not there.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneEvent:  assert ((pick & (pick - 1'b1)) == '0);
      AnswerDue: assert (!mm_rvalid_i || bus_q);
    end
  end

endmodule

`default_nettype wire
