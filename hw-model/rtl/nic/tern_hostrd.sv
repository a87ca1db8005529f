// SPDX-License-Identifier: Apache-2.0
// Arbiter of host read requests, for descriptor prefetch, payload reads and atomic operations.
//
// One request per cycle, one cycle of latency; the pins come from flip-flops. Prefetch and transmit
// take turns. The atomic unit shares the prefetch's turn: its request is ORed in when the prefetch
// has none, one cycle later than others, and the prefetch goes first. A request that waits for
// `hrq_ready_i` does not change.

`default_nettype none

module tern_hostrd (
  input  logic        clk_i,
  input  logic        rst_ni,
  // descriptor prefetch: tags 8 to 11 at the pins; address 0 when idle
  input  logic        pf_hrq_valid_i,
  output logic        pf_hrq_ready_o,
  input  logic [7:0]  pf_hrq_fn_i,
  input  logic [63:0] pf_hrq_addr_i,
  input  logic [8:0]  pf_hrq_bytes_i,
  input  logic [1:0]  pf_hrq_tag_i,
  // transmit: tags 0 to 7
  input  logic        tx_hrq_valid_i,
  output logic        tx_hrq_ready_o,
  input  logic [7:0]  tx_hrq_fn_i,
  input  logic [63:0] tx_hrq_addr_i,
  input  logic [8:0]  tx_hrq_bytes_i,
  input  logic [2:0]  tx_hrq_tag_i,
  // atomic unit: an aligned word or node, tag 12
  input  logic        at_hrq_valid_i,
  output logic        at_hrq_ready_o,
  input  logic [7:0]  at_hrq_fn_i,
  input  logic [63:0] at_hrq_addr_i,
  input  logic        at_hrq_node_i,   // held until ready
  // host port
  output logic        hrq_valid_o,
  input  logic        hrq_ready_i,
  output logic [7:0]  hrq_fn_o,
  output logic [63:0] hrq_addr_o,
  output logic [8:0]  hrq_bytes_o,
  output logic [3:0]  hrq_tag_o,
  // statistics and trace
  output logic        st_hrd_o,
  output logic [8:0]  st_hrd_bytes_o,
  output logic        tr_rd_req_o,
  output logic [3:0]  tr_rd_tag_o
);

  localparam logic [3:0] AtTag = 4'd12;
  logic last_pf_q;  // prefetch won last time
  logic sel_pf, asks, free, taken;

  // The atomic unit's request, ready to be ORed in.
  logic        at_q, at_next;
  logic [63:0] at_addr_q;
  logic [7:0]  at_fn_q;

  assign at_next = at_hrq_valid_i && !pf_hrq_valid_i && !at_hrq_ready_o;
  always_ff @(posedge clk_i) begin
    at_q <= rst_ni && at_next;
    if (!at_next) {at_fn_q, at_addr_q} <= '0;
    else          {at_fn_q, at_addr_q} <= {at_hrq_fn_i, at_hrq_addr_i};
  end

  logic [8:0] at_bytes;
  assign at_bytes = at_hrq_node_i ? 9'(tern_abi_pkg::NODE_BYTES) : 9'(tern_abi_pkg::ATOMIC_BYTES);

  // While both ask neither wins: the atomic unit retreats for a cycle.
  assign asks           = pf_hrq_valid_i != at_q;
  assign sel_pf         = asks && (!tx_hrq_valid_i || !last_pf_q);
  assign free           = !hrq_valid_o || hrq_ready_i;
  assign pf_hrq_ready_o = free && sel_pf && !at_q;
  assign at_hrq_ready_o = free && sel_pf && at_q;
  assign tx_hrq_ready_o = free && tx_hrq_valid_i && !sel_pf;
  assign taken          = hrq_valid_o && hrq_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      hrq_valid_o <= 1'b0;
      last_pf_q   <= 1'b0;
    end else if (free) begin
      hrq_valid_o <= asks || tx_hrq_valid_i;
      if (asks || tx_hrq_valid_i) last_pf_q <= sel_pf;
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      hrq_fn_o    <= sel_pf ? (at_q ? at_fn_q : pf_hrq_fn_i) : tx_hrq_fn_i;
      hrq_addr_o  <= sel_pf ? pf_hrq_addr_i | at_addr_q : tx_hrq_addr_i;
      hrq_bytes_o <= sel_pf ? (at_q ? at_bytes : pf_hrq_bytes_i) : tx_hrq_bytes_i;
      hrq_tag_o   <= sel_pf ? (at_q ? AtTag : {2'b10, pf_hrq_tag_i}) : {1'b0, tx_hrq_tag_i};
    end
  end

  assign st_hrd_o       = taken;
  assign st_hrd_bytes_o = hrq_bytes_o;   // counts with st_hrd
  assign tr_rd_req_o    = taken;
  assign tr_rd_tag_o    = hrq_tag_o;

  // A request is within the limits of the host port: not empty, not too long, inside 4096 bytes.
  logic [12:0] end_in_page;
  assign end_in_page = {1'b0, hrq_addr_o[11:0]} + 13'(hrq_bytes_o);
  // A stalled request neither vanishes nor changes.
  logic        stalled_q;
  logic [63:0] held_addr_q;
  always_ff @(posedge clk_i) begin
    stalled_q   <= rst_ni && hrq_valid_o && !hrq_ready_i;
    held_addr_q <= hrq_addr_o;
    if (rst_ni && !pf_hrq_valid_i) PrefetchAway: assert (pf_hrq_addr_i == '0);
    if (rst_ni && stalled_q) RequestHeld: assert (hrq_valid_o && hrq_addr_o == held_addr_q);
    if (rst_ni && hrq_valid_o)
      RequestLegal: assert (hrq_bytes_o != '0
        && hrq_bytes_o <= 9'(tern_abi_pkg::HOST_READ_MAX) && end_in_page <= 13'd4096);
  end

endmodule

`default_nettype wire
