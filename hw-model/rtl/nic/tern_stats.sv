// SPDX-License-Identifier: Apache-2.0
// Counts the hardware rows of stat.def, one 32-bit wrapping counter each. For tern_bar it also sums
// all drops and, in 64 bits each, the core's instructions and its cycles awake.
//
// Each row has a free-running collector of few bits: the low end of its counter, whose 32 bits are
// in RAM. A scan updates one row a cycle. So a row is at most a scan and three cycles old, and a
// collector needs only the bits that its row can gain in a scan. A register read waits until the
// scan passes its row and is then exact. tern_bar sees its sums as the scan passes them: a low
// word, and a cycle later the high word, which adds the carry of the low one.

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
  input  logic        st_not_member_i,
  input  logic        retired_i,
  input  logic        awake_i,

  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,

  output logic [31:0] sum_o,
  output logic [2:0]  sum_of_o          // drops, instructions, cycles awake: low words
);

  localparam int unsigned Rows  = tern_abi_pkg::STAT_RX_NOT_MEMBER + 1;
  localparam int unsigned Drop  = Rows;      // an extra row: the sum of all drops
  localparam int unsigned Instret = Rows + 1;  // then the high word
  localparam int unsigned Awake = Rows + 3;
  localparam int unsigned Turn  = Rows + 5;  // cycles of a scan
  localparam int unsigned SlowW = 4;         // bits of a collector: one event in 3 cycles
  localparam int unsigned FastW = 6;         // one event a cycle
  localparam int unsigned WideW = 12;        // bytes, 8 a cycle and 12 host reads; all drops

  localparam logic [Turn-1:0] Wide =
      (Turn'(1) << tern_abi_pkg::STAT_TX_BYTES) | (Turn'(1) << tern_abi_pkg::STAT_RX_PUT_BYTES) |
      (Turn'(1) << tern_abi_pkg::STAT_HOST_READ_BYTES) |
      (Turn'(1) << tern_abi_pkg::STAT_HOST_WRITE_BYTES) | (Turn'(1) << Drop);
  localparam logic [Turn-1:0] Fast =
      (Turn'(1) << tern_abi_pkg::STAT_HOST_READS) | (Turn'(1) << tern_abi_pkg::STAT_HOST_WRITES) |
      (Turn'(1) << tern_abi_pkg::STAT_HOST_FAULTS) | (Turn'(1) << tern_abi_pkg::STAT_DOORBELLS) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_BAD_HEADER) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_BAD_CRC) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_FORWARDED) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_DOWN_DROPS) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_DOWNS) | (Turn'(1) << tern_abi_pkg::STAT_LINK_SENT) |
      (Turn'(1) << Instret) | (Turn'(1) << Awake);
  localparam logic [Turn-1:0] High = (Turn'(1) << (Instret + 1)) | (Turn'(1) << (Awake + 1));
  localparam logic [Turn-1:0] Dropped =
      (Turn'(1) << tern_abi_pkg::STAT_RX_BAD_CRC) | (Turn'(1) << tern_abi_pkg::STAT_RX_BAD_TYPE) |
      (Turn'(1) << tern_abi_pkg::STAT_RX_BAD_LENGTH) | (Turn'(1) << tern_abi_pkg::STAT_RX_BAD_DST) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_BAD_HEADER) |
      (Turn'(1) << tern_abi_pkg::STAT_LINK_DOWN_DROPS);

  // ---- the scan: a row a cycle -------------------------------------------------------------
  // Pipeline of a row: copy the collector and read the counter; combine the collectors; compute the
  // gain; write the sum.
  logic [Turn-1:0] off_q;                    // one cold: the scanned row
  logic [5:0]      row_q, row1_q, row2_q, row3_q;
  logic            first_q, wrap1_q, v1_q, v2_q, v3_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      off_q   <= ~(Turn'(1));
      row_q   <= '0;
      first_q <= 1'b1;
      {v1_q, v2_q, v3_q, wrap1_q} <= '0;
    end else begin
      off_q   <= {off_q[Turn-2:0], off_q[Turn-1]};
      row_q   <= off_q[Turn-1] ? row_q + 1'b1 : '0;
      wrap1_q <= !off_q[Turn-1];
      if (wrap1_q) first_q <= 1'b0;
      v1_q <= 1'b1;
      v2_q <= v1_q;
      v3_q <= v2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    row1_q <= row_q;
    row2_q <= row1_q;
    row3_q <= row2_q;
  end

  // ---- collectors: free-running low bits of the counters --------------------------------------
  // The simulation model has a variable per row, and copies only the scanned collector.
`ifdef TERN_MODEL
  logic [WideW-1:0] inc [0:Turn-1] /*verilator split_var*/;
  logic [WideW-1:0] copy [0:63] /*verilator split_var*/;
  logic             event_now [0:Turn-1] /*verilator split_var*/;
  for (genvar r = Turn; r < 64; r++) begin : g_none
    assign copy[r] = '0;
  end
`else
  logic [WideW-1:0] inc [0:Turn-1], copy [0:Turn-1];
  logic             event_now [0:Turn-1];
`endif
  logic [FastW-1:0] gain_low;
  logic             dropped, doorbell_q;

  always_ff @(posedge clk_i) doorbell_q <= st_doorbell_i;

  always_comb begin
`ifndef TERN_MODEL   // every row has a line below
    for (int r = 0; r < Turn; r++) inc[r] = '0;
`endif
    inc[tern_abi_pkg::STAT_TX_PACKETS] = WideW'(st_tx_pkt_i);
    inc[tern_abi_pkg::STAT_TX_BYTES] = WideW'(st_tx_bytes_i);
    inc[tern_abi_pkg::STAT_RX_PACKETS] = WideW'(st_rx_pkt_i);
    inc[tern_abi_pkg::STAT_RX_PUT_PACKETS] = WideW'(st_rx_put_i);
    inc[tern_abi_pkg::STAT_RX_PUT_BYTES] = WideW'(st_rx_put_bytes_i);
    inc[tern_abi_pkg::STAT_RX_FW_PACKETS] = WideW'(st_rx_fw_i);
    inc[tern_abi_pkg::STAT_RX_ACKS] = WideW'(st_rx_ack_i);
    inc[tern_abi_pkg::STAT_RX_NAKS] = WideW'(st_rx_nak_i);
    inc[tern_abi_pkg::STAT_TX_ACKS] = WideW'(st_tx_ack_i);
    inc[tern_abi_pkg::STAT_TX_NAKS] = WideW'(st_tx_nak_i);
    inc[tern_abi_pkg::STAT_RX_BAD_CRC] = WideW'(st_bad_crc_i);
    inc[tern_abi_pkg::STAT_RX_BAD_TYPE] = WideW'(st_bad_type_i);
    inc[tern_abi_pkg::STAT_RX_BAD_LENGTH] = WideW'(st_bad_len_i);
    inc[tern_abi_pkg::STAT_RX_BAD_DST] = WideW'(st_bad_dst_i);
    inc[tern_abi_pkg::STAT_RX_REFUSED] = WideW'(st_rx_refused_i);
    inc[tern_abi_pkg::STAT_RX_STALE_ACKS] = WideW'(st_stale_ack_i);
    inc[tern_abi_pkg::STAT_HOST_READS] = WideW'(st_hrd_i);
    inc[tern_abi_pkg::STAT_HOST_READ_BYTES] = WideW'(st_hrd_bytes_i);
    inc[tern_abi_pkg::STAT_HOST_WRITES] = WideW'(st_hwr_i);
    inc[tern_abi_pkg::STAT_HOST_WRITE_BYTES] = WideW'(st_hwr_bytes_i);
    inc[tern_abi_pkg::STAT_HOST_FAULTS] =
        WideW'({st_hrd_fault_i && st_hwr_fault_i, st_hrd_fault_i != st_hwr_fault_i});
    inc[tern_abi_pkg::STAT_DOORBELLS] = WideW'(doorbell_q);
    inc[tern_abi_pkg::STAT_INLINE_DESCS] = WideW'(st_inline_i);
    inc[tern_abi_pkg::STAT_FETCHED_DESCS] = WideW'(st_fetched_i);
    inc[tern_abi_pkg::STAT_BAD_DOORBELLS] = WideW'(st_bad_db_i);
    inc[tern_abi_pkg::STAT_KEY_CHECKS] = WideW'(st_check_i);
    inc[tern_abi_pkg::STAT_KEY_REFUSALS] = WideW'(st_key_refused_i);
    inc[tern_abi_pkg::STAT_INTERRUPTS] = WideW'(st_irq_i);
    inc[tern_abi_pkg::STAT_LINK_BAD_HEADER] = WideW'(st_link_bad_hdr_i);
    inc[tern_abi_pkg::STAT_LINK_BAD_CRC] = WideW'(st_link_bad_crc_i);
    inc[tern_abi_pkg::STAT_LINK_FORWARDED] = WideW'(st_fwd_i);
    inc[tern_abi_pkg::STAT_LINK_DOWN_DROPS] = WideW'(st_down_drop_i);
    inc[tern_abi_pkg::STAT_LINK_DOWNS] = WideW'(st_link_down_i);
    inc[tern_abi_pkg::STAT_LINK_SENT] = WideW'(st_link_sent_i);
    inc[tern_abi_pkg::STAT_CORE_RESETS] = WideW'(st_core_reset_i);
    inc[tern_abi_pkg::STAT_RX_NOT_MEMBER] = WideW'(st_not_member_i);
    inc[Drop] = dropped ? WideW'(gain_low) : '0;
    inc[Instret] = WideW'(retired_i);
    inc[Awake] = WideW'(awake_i);
    inc[Instret + 1] = '0;
    inc[Awake + 1] = '0;
  end

  // Bytes are counted together with their event.
`ifdef TERN_MODEL
  for (genvar r = 0; r < Turn; r++) begin : g_now
    if (r == tern_abi_pkg::STAT_TX_BYTES)              assign event_now[r] = st_tx_pkt_i;
    else if (r == tern_abi_pkg::STAT_RX_PUT_BYTES)     assign event_now[r] = st_rx_put_i;
    else if (r == tern_abi_pkg::STAT_HOST_READ_BYTES)  assign event_now[r] = st_hrd_i;
    else if (r == tern_abi_pkg::STAT_HOST_WRITE_BYTES) assign event_now[r] = st_hwr_i;
    else if (r == Drop)                                assign event_now[r] = dropped;
    else                                               assign event_now[r] = inc[r][1:0] != '0;
  end
`else
  always_comb begin
    for (int r = 0; r < Turn; r++) event_now[r] = inc[r][1:0] != '0;
    event_now[tern_abi_pkg::STAT_TX_BYTES]         = st_tx_pkt_i;
    event_now[tern_abi_pkg::STAT_RX_PUT_BYTES]     = st_rx_put_i;
    event_now[tern_abi_pkg::STAT_HOST_READ_BYTES]  = st_hrd_i;
    event_now[tern_abi_pkg::STAT_HOST_WRITE_BYTES] = st_hwr_i;
    event_now[Drop]                                = dropped;
  end
`endif

  // A short collector is a shift register that passes through all its states, in one LUT; the scan
  // decodes the state to a number.
  function automatic logic [SlowW-1:0] after(input logic [SlowW-1:0] state);
    after = {state[2:0], state[3] ^ state[2] ^ (state[2:0] == '0)};
  endfunction

  function automatic logic [SlowW-1:0] number(input logic [SlowW-1:0] state);
    logic [SlowW-1:0] s;
    s = '0;
    number = '0;
    for (int i = 0; i < (1 << SlowW); i++) begin
      if (s == state) number = SlowW'(i);
      s = after(s);
    end
  endfunction

  for (genvar r = 0; r < Turn; r++) if (High[r]) begin : g_high
    assign copy[r] = '0;
  end else begin : g_row
    localparam int unsigned W = Wide[r] ? WideW : Fast[r] ? FastW : SlowW;
    logic [W-1:0]     low_q;
    logic             came;
    logic [WideW-1:0] more;

    if (Fast[r] || Wide[r]) begin : g_binary
      assign came = event_now[r];
      assign more = inc[r];
      always_ff @(posedge clk_i) begin
        if (!rst_ni)   low_q <= '0;
        else if (came) low_q <= low_q + more[W-1:0];
      end
    end else begin : g_ring
      logic came_q;   // some events come late in the cycle
      assign came = came_q;
      assign more = WideW'(1);
      always_ff @(posedge clk_i) begin
        if (!rst_ni)   low_q <= '0;
        else if (came) low_q <= after(low_q);
        came_q <= event_now[r];
      end
    end
`ifdef TERN_MODEL
    assign copy[r] = WideW'(low_q);
`else
    logic [W-1:0] copy_q;
    always_ff @(posedge clk_i) begin
      if (off_q[r]) copy_q <= '0;
      else          copy_q <= low_q;
    end
    assign copy[r] = WideW'(copy_q);
`endif

    // A collector does not wrap between two scans of its row.
    logic [WideW:0] gained_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)         gained_q <= '0;
      else if (!off_q[r])  gained_q <= came ? {1'b0, more} : '0;
      else if (came)       gained_q <= gained_q + {1'b0, more};
      if (rst_ni) NotRound: assert (gained_q < (WideW+1)'(1 << W));
    end
  end

  // ---- sums --------------------------------------------------------------------------------
  logic [WideW-1:0] together, low1_q, gain_q;
  logic [31:0]      stored, old1_q, old2_q, sum;
  logic             slow, narrow, slow_q, narrow_q, high_q, carry, carry_q;

`ifdef TERN_MODEL
  // In two steps, so that the simulator evaluates few rows.
  logic [WideW-1:0] eighth [0:7];
  for (genvar e = 0; e < 8; e++) begin : g_eighth
    always_comb begin
      eighth[e] = '0;
      if (row_q[5:3] == 3'(e)) begin
        case (row_q[2:0])
          3'd0:    eighth[e] = copy[8*e];
          3'd1:    eighth[e] = copy[8*e+1];
          3'd2:    eighth[e] = copy[8*e+2];
          3'd3:    eighth[e] = copy[8*e+3];
          3'd4:    eighth[e] = copy[8*e+4];
          3'd5:    eighth[e] = copy[8*e+5];
          3'd6:    eighth[e] = copy[8*e+6];
          default: eighth[e] = copy[8*e+7];
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) together <= eighth[row_q[5:3]];
`else
  always_comb begin
    together = '0;
    for (int r = 0; r < Turn; r++) together = together | copy[r];
  end
`endif

  // Short rows use only their bits of the gain; a high word uses none.
  assign slow     = (off_q | ~rotated(Fast | Wide, 1)) == '1;
  assign narrow   = (off_q | ~rotated(Wide, 1)) == '1;
  assign dropped  = (off_q | ~rotated(Dropped, 3)) != '1;
  assign gain_low = gain_q[FastW-1:0];

  function automatic logic [Turn-1:0] rotated(input logic [Turn-1:0] rows, input int unsigned by);
    rotated = (rows << by) | (rows >> (Turn - by));
  endfunction

  logic [WideW-1:0] gain;
  assign gain = low1_q - old1_q[WideW-1:0];

  always_ff @(posedge clk_i) begin
    slow_q   <= slow;
    narrow_q <= narrow;
    low1_q   <= together;
    if (slow) low1_q[SlowW-1:0] <= number(together[SlowW-1:0]);
    if (first_q) old1_q <= '0;
    else         old1_q <= stored;
    old2_q <= old1_q;
    high_q <= (off_q | ~rotated(High, 1)) != '1;
    if (high_q) gain_q[SlowW-1:0] <= '0;
    else        gain_q[SlowW-1:0] <= gain[SlowW-1:0];
    if (slow_q)   gain_q[FastW-1:SlowW] <= '0;
    else        gain_q[FastW-1:SlowW] <= gain[FastW-1:SlowW];
    if (narrow_q) gain_q[WideW-1:FastW] <= '0;
    else        gain_q[WideW-1:FastW] <= gain[WideW-1:FastW];
  end
  assign {carry, sum} = {1'b0, old2_q} + 33'(gain_q) + 33'(carry_q);

  tern_ram #(.Width(32), .Words(64), .Apart(1'b1)) u_sums (
    .clk_i, .ren_i(1'b1), .raddr_i(row_q), .rdata_o(stored),
    .we_i(v3_q), .waddr_i(row3_q), .wdata_i(sum)
  );

  // Carry into the high word, from the low word in the cycle before.
  always_ff @(posedge clk_i) begin
    carry_q <= carry && (off_q | ~rotated(High, 2)) != '1;
  end

  assign sum_o    = sum;
  assign sum_of_o = {!off_q[(Awake + 3) % Turn], !off_q[(Instret + 3) % Turn],
                     !off_q[(Drop + 3) % Turn]};

  // ---- register reads: 64 words from STAT; rows past the hardware's read 0 at once --------------
  logic [5:0] want_q;
  logic       wait_q, we_q, nothing, passes;

  assign mm_ready_o = mm_addr_i[15:8] == tern_abi_pkg::MMIO_STAT[15:8] && mm_addr_i[1:0] == '0 &&
                      !wait_q;
  assign nothing    = we_q || want_q >= 6'(Rows);
  assign passes     = v3_q && want_q == row3_q;

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      want_q <= mm_addr_i[7:2];
      we_q   <= mm_we_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q      <= 1'b0;
      mm_rvalid_o <= 1'b0;
    end else begin
      if (mm_valid_i && mm_ready_o)         wait_q <= 1'b1;
      else if (nothing || passes)           wait_q <= 1'b0;
      mm_rvalid_o <= wait_q && (nothing || passes);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wait_q && passes && !nothing) mm_rdata_o <= sum;
    else                              mm_rdata_o <= '0;
  end

endmodule

`default_nettype wire
