// SPDX-License-Identifier: Apache-2.0
// The hardware rows of stat.def: one 32-bit wrapping counter each, and the sum of all drops.
//
// Increments gather in small accumulators; a scan adds one row a cycle to the counters in RAM, so a
// row is at most Rows cycles old. A register read waits for its row to come by and is exact then.

`default_nettype none

module tern_stats (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        st_tx_pkt_i,
  input  logic [10:0] st_tx_bytes_i,
  input  logic        st_rx_pkt_i,
  input  logic        st_rx_put_i,
  input  logic [10:0] st_rx_put_bytes_i,
  input  logic        st_rx_fw_i,
  input  logic        st_rx_ack_i,
  input  logic        st_rx_nak_i,
  input  logic        st_tx_ack_i,
  input  logic        st_tx_nak_i,
  input  logic        st_bad_crc_i,
  input  logic        st_bad_type_i,
  input  logic        st_bad_len_i,
  input  logic        st_bad_dst_i,
  input  logic        st_rx_refused_i,
  input  logic        st_stale_ack_i,
  input  logic        st_hrd_i,
  input  logic [8:0]  st_hrd_bytes_i,
  input  logic        st_hwr_i,
  input  logic [10:0] st_hwr_bytes_i,
  input  logic        st_hrd_fault_i,
  input  logic        st_hwr_fault_i,
  input  logic        st_doorbell_i,
  input  logic        st_inline_i,
  input  logic        st_fetched_i,
  input  logic        st_bad_db_i,
  input  logic        st_check_i,
  input  logic        st_key_refused_i,
  input  logic        st_irq_i,
  input  logic [1:0]  st_link_bad_hdr_i,
  input  logic [1:0]  st_link_bad_crc_i,
  input  logic [1:0]  st_fwd_i,
  input  logic [1:0]  st_down_drop_i,
  input  logic [1:0]  st_link_down_i,
  input  logic [1:0]  st_link_sent_i,
  input  logic        st_core_reset_i,

  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,

  output logic [31:0] drops_o
);

  localparam int unsigned Rows   = tern_abi_pkg::STAT_CORE_RESETS + 1;
  localparam int unsigned IncW   = 11;  // one cycle's increment
  localparam int unsigned AccW   = 17;  // Rows + 1 cycles of the largest increment
  localparam int unsigned SmallW = 7;   // the same for rows that gain at most 3 a cycle

  // Rows that count bytes; the others stay narrow.
  localparam logic [Rows-1:0] Wide =
      (Rows'(1) << tern_abi_pkg::STAT_TX_BYTES) | (Rows'(1) << tern_abi_pkg::STAT_RX_PUT_BYTES) |
      (Rows'(1) << tern_abi_pkg::STAT_HOST_READ_BYTES) |
      (Rows'(1) << tern_abi_pkg::STAT_HOST_WRITE_BYTES);

  logic [Rows*IncW-1:0] inc;
  logic [Rows*AccW-1:0] acc;
  logic [31:0]          mem [0:63];
  logic [5:0]           row_q, want_q;
  logic                 first_q, wait_q, we_q;
  logic [31:0]          sum;
  logic [3:0]           drops_inc;

  always_comb begin
    inc = '0;
    inc[tern_abi_pkg::STAT_TX_PACKETS*IncW       +: IncW] = IncW'(st_tx_pkt_i);
    inc[tern_abi_pkg::STAT_TX_BYTES*IncW         +: IncW] = st_tx_bytes_i;
    inc[tern_abi_pkg::STAT_RX_PACKETS*IncW       +: IncW] = IncW'(st_rx_pkt_i);
    inc[tern_abi_pkg::STAT_RX_PUT_PACKETS*IncW   +: IncW] = IncW'(st_rx_put_i);
    inc[tern_abi_pkg::STAT_RX_PUT_BYTES*IncW     +: IncW] = st_rx_put_bytes_i;
    inc[tern_abi_pkg::STAT_RX_FW_PACKETS*IncW    +: IncW] = IncW'(st_rx_fw_i);
    inc[tern_abi_pkg::STAT_RX_ACKS*IncW          +: IncW] = IncW'(st_rx_ack_i);
    inc[tern_abi_pkg::STAT_RX_NAKS*IncW          +: IncW] = IncW'(st_rx_nak_i);
    inc[tern_abi_pkg::STAT_TX_ACKS*IncW          +: IncW] = IncW'(st_tx_ack_i);
    inc[tern_abi_pkg::STAT_TX_NAKS*IncW          +: IncW] = IncW'(st_tx_nak_i);
    inc[tern_abi_pkg::STAT_RX_BAD_CRC*IncW       +: IncW] = IncW'(st_bad_crc_i);
    inc[tern_abi_pkg::STAT_RX_BAD_TYPE*IncW      +: IncW] = IncW'(st_bad_type_i);
    inc[tern_abi_pkg::STAT_RX_BAD_LENGTH*IncW    +: IncW] = IncW'(st_bad_len_i);
    inc[tern_abi_pkg::STAT_RX_BAD_DST*IncW       +: IncW] = IncW'(st_bad_dst_i);
    inc[tern_abi_pkg::STAT_RX_REFUSED*IncW       +: IncW] = IncW'(st_rx_refused_i);
    inc[tern_abi_pkg::STAT_RX_STALE_ACKS*IncW    +: IncW] = IncW'(st_stale_ack_i);
    inc[tern_abi_pkg::STAT_HOST_READS*IncW       +: IncW] = IncW'(st_hrd_i);
    inc[tern_abi_pkg::STAT_HOST_READ_BYTES*IncW  +: IncW] = IncW'(st_hrd_bytes_i);
    inc[tern_abi_pkg::STAT_HOST_WRITES*IncW      +: IncW] = IncW'(st_hwr_i);
    inc[tern_abi_pkg::STAT_HOST_WRITE_BYTES*IncW +: IncW] = st_hwr_bytes_i;
    inc[tern_abi_pkg::STAT_HOST_FAULTS*IncW      +: IncW] = IncW'(st_hrd_fault_i) + IncW'(st_hwr_fault_i);
    inc[tern_abi_pkg::STAT_DOORBELLS*IncW        +: IncW] = IncW'(st_doorbell_i);
    inc[tern_abi_pkg::STAT_INLINE_DESCS*IncW     +: IncW] = IncW'(st_inline_i);
    inc[tern_abi_pkg::STAT_FETCHED_DESCS*IncW    +: IncW] = IncW'(st_fetched_i);
    inc[tern_abi_pkg::STAT_BAD_DOORBELLS*IncW    +: IncW] = IncW'(st_bad_db_i);
    inc[tern_abi_pkg::STAT_KEY_CHECKS*IncW       +: IncW] = IncW'(st_check_i);
    inc[tern_abi_pkg::STAT_KEY_REFUSALS*IncW     +: IncW] = IncW'(st_key_refused_i);
    inc[tern_abi_pkg::STAT_INTERRUPTS*IncW       +: IncW] = IncW'(st_irq_i);
    inc[tern_abi_pkg::STAT_LINK_BAD_HEADER*IncW  +: IncW] = IncW'(st_link_bad_hdr_i);
    inc[tern_abi_pkg::STAT_LINK_BAD_CRC*IncW     +: IncW] = IncW'(st_link_bad_crc_i);
    inc[tern_abi_pkg::STAT_LINK_FORWARDED*IncW   +: IncW] = IncW'(st_fwd_i);
    inc[tern_abi_pkg::STAT_LINK_DOWN_DROPS*IncW  +: IncW] = IncW'(st_down_drop_i);
    inc[tern_abi_pkg::STAT_LINK_DOWNS*IncW       +: IncW] = IncW'(st_link_down_i);
    inc[tern_abi_pkg::STAT_LINK_SENT*IncW        +: IncW] = IncW'(st_link_sent_i);
    inc[tern_abi_pkg::STAT_CORE_RESETS*IncW      +: IncW] = IncW'(st_core_reset_i);
  end

  // The row under the scan hands its gain over and starts with this cycle's increment.
  for (genvar r = 0; r < Rows; r++) begin : g_row
    localparam int unsigned W = Wide[r] ? AccW : SmallW;
    logic [W-1:0] acc_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                acc_q <= '0;
      else if (row_q == 6'(r))    acc_q <= W'(inc[r*IncW +: IncW]);
      else                        acc_q <= acc_q + W'(inc[r*IncW +: IncW]);
    end
    assign acc[r*AccW +: AccW] = AccW'(acc_q);
  end

  assign sum = (first_q ? '0 : mem[row_q]) + 32'(acc[row_q*AccW +: AccW]);

  always_ff @(posedge clk_i) begin
    if (rst_ni) mem[row_q] <= sum;
  end

  // 64 words from STAT; rows past the hardware's read 0 at once.
  assign mm_ready_o  = mm_addr_i[15:8] == tern_abi_pkg::MMIO_STAT[15:8] && mm_addr_i[1:0] == '0 && !wait_q;
  assign mm_rvalid_o = wait_q && (we_q || want_q >= 6'(Rows) || want_q == row_q);
  assign mm_rdata_o  = mm_rvalid_o && !we_q && want_q < 6'(Rows) ? sum : '0;

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      want_q <= mm_addr_i[7:2];
      we_q   <= mm_we_i;
    end
  end

  // What stopped at this node for good; a packet stomped at a link is counted where it ends.
  assign drops_inc = 4'(st_bad_crc_i) + 4'(st_bad_type_i) + 4'(st_bad_len_i) + 4'(st_bad_dst_i) +
                     4'(st_link_bad_hdr_i) + 4'(st_down_drop_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_q   <= '0;
      first_q <= 1'b1;
      wait_q  <= 1'b0;
      drops_o <= '0;
    end else begin
      row_q   <= row_q == 6'(Rows - 1) ? '0 : row_q + 1'b1;
      if (row_q == 6'(Rows - 1)) first_q <= 1'b0;
      if (mm_valid_i && mm_ready_o) wait_q <= 1'b1;
      else if (mm_rvalid_o)         wait_q <= 1'b0;
      drops_o <= drops_o + 32'(drops_inc);
    end
  end

endmodule

`default_nettype wire
