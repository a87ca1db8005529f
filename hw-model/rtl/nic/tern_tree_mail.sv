// SPDX-License-Identifier: Apache-2.0
// Brings puts for other nodes from the transmit unit into the tree network, and out of it.
//
// On its way through the tree a packet has its target's rank in the place of the box, and no
// destination; at the target it becomes the put that it was, for that node. Its end-to-end CRC
// covers the destination, so a packet that arrives at a wrong node is discarded there.
//
// The first beat of a packet waits for two cycles, in which the rank is computed.
`default_nettype none

module tern_tree_mail (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [14:0] node_i,
  input  logic [14:0] dims_i,
  output logic [15:0] rank_o,        // of this node
  // transmit unit
  input  logic        tx_valid_i,
  output logic        tx_ready_o,
  input  logic        tx_eop_i,
  input  logic [63:0] tx_data_i,
  // to the tree
  output logic        up_valid_o,
  input  logic        up_ready_i,
  output logic        up_eop_o,
  output logic [63:0] up_data_o,
  // from the tree
  input  logic        rx_sop_i,
  input  logic [63:0] rx_data_i,
  output logic [63:0] put_data_o
);

  logic        in_q, ready;
  logic [1:0]  wait_q;
  logic [15:0] rank;

  tern_tree_rank u_own (.clk_i, .dims_i, .node_i, .rank_o);
  tern_tree_rank u_target (
    .clk_i, .dims_i, .node_i(tx_data_i[tern_abi_pkg::PKT_DST_LSB +: 15]), .rank_o(rank)
  );

  assign ready      = in_q || wait_q == 2'd2;
  assign tx_ready_o = ready && up_ready_i;
  assign up_valid_o = ready && tx_valid_i;
  assign up_eop_o   = tx_eop_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                       in_q <= 1'b0;
    else if (tx_valid_i && tx_ready_o) in_q <= !tx_eop_i;
    if (!rst_ni || !tx_valid_i || in_q || tx_ready_o) wait_q <= '0;
    else if (wait_q != 2'd2)                          wait_q <= wait_q + 2'd1;
  end

  always_comb begin
    up_data_o = tx_data_i;
    if (!in_q) begin
      up_data_o[tern_abi_pkg::PKT_DST_LSB +: 15] = '0;
      up_data_o[tern_abi_pkg::PKT_VN_LSB +: 2]   = 2'(tern_abi_pkg::VN_REQUEST);
      up_data_o[tern_abi_pkg::PKT_BOX_LSB +: 15] = rank[14:0];
    end
    put_data_o = rx_data_i;
    if (rx_sop_i) begin
      put_data_o[tern_abi_pkg::PKT_DST_LSB +: 15] = node_i;
      put_data_o[tern_abi_pkg::PKT_VN_LSB +: 2]   = 2'(tern_abi_pkg::VN_DATA);
      put_data_o[tern_abi_pkg::PKT_BOX_LSB +: 15] = '0;
    end
  end

  logic unused;
  assign unused = rank[15];

endmodule

`default_nettype wire
