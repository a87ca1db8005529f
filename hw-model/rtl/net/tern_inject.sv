// SPDX-License-Identifier: Apache-2.0
// Injects this node's packets into the router: one register each for transmit unit and acks.
//
// While the first beat of a packet is in its register, `want_*_o` names the outputs it needs. The
// header gets its direction bits: the shorter way in each dimension; if both are equal, up, but
// down for an ack. A broadcast leaves through the outputs towards its box. It keeps the copies
// still owed after a pass, and `tx_again_o` asks for the packet once more. A broadcast that owes no
// copy is dropped.
//
// `second_o`: a packet that crosses no dateline in its first dimension may use either channel. Half
// the destinations use the second, so that two streams need not wait for each other. A pair of
// nodes always uses the same one, which keeps its packets in order.
//
// With 32-bit beats the lower corner of a broadcast is in the second beat, so the packet waits
// until that beat is seen after the first.
`default_nettype none

module tern_inject #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Ports = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [14:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic             tx_valid_i,
  output logic             tx_ready_o,
  // early tx_ready_o, valid after the second beat
  output logic             tx_more_o,
  input  logic             tx_sop_i,
  input  logic             tx_eop_i,
  input  logic             tx_self_i,
  input  logic             tx_vn_i,
  input  logic [DataW-1:0] tx_data_i,
  output logic             tx_again_o,
  input  logic             ack_valid_i,
  output logic             ack_ready_o,
  output logic             ack_more_o,
  input  logic             ack_sop_i,
  input  logic             ack_eop_i,
  input  logic [DataW-1:0] ack_data_i,
  // outputs that copies wait for; the last one is the node
  output logic [Ports:0]   want_tx_o,
  output logic [Ports:0]   want_ack_o,
  output logic             tx_vn_o,
  output logic [1:0]       second_o,       // ack, tx
  // the packet that leaves
  input  logic             ack_i,          // it comes from the acks
  input  logic [Ports:0]   grant_i,
  input  logic             move_i,         // its beat leaves
  // the same, if another beat of it left before or it was granted before
  input  logic             on_i,
  output logic             valid_o,
  output logic             sop_o,
  output logic             eop_o,
  output logic [DataW-1:0] data_o
);

  localparam int unsigned Dims  = Ports / 2;
  localparam bit          Wide  = DataW == 64;      // dst and box in one beat
  localparam int unsigned DstAt = tern_abi_pkg::PKT_DST_LSB;
  localparam int unsigned BoxAt = tern_abi_pkg::PKT_BOX_LSB % DataW;

  // -------------------------------------------------------------------- directions
  // Both registers share this logic; acks wait for the transmit unit.
  logic             use_tx, deposit, known_q;
  logic [DataW-1:0] way_data;
  logic [Dims-1:0]  differ, down, crosses, box_differ, turn, low;
  logic [Ports-1:0] alone;                 // output of a unicast packet, unless it is the node

  assign use_tx   = tx_valid_i && (tx_sop_i || !known_q);
  assign way_data = use_tx ? tx_data_i : ack_data_i;
  assign deposit  = tx_data_i[tern_abi_pkg::PKT_DEPOSIT_LSB];

  tern_way #(.Ports(Ports)) u_way (
    .clk_i, .node_i, .dims_i, .at_i(way_data[DstAt +: 15]), .ack_i(!use_tx),
    .differ_o(differ), .down_o(down), .cross_o(crosses)
  );

  for (genvar k = 0; k < Dims; k++) begin : g_dim
    if (k == 0) begin : g_first
      assign turn[k] = differ[k];
    end else begin : g_later
      assign turn[k] = differ[k] && differ[k-1:0] == '0;
    end
    assign alone[2*k +: 2] = {turn[k] && down[k], turn[k] && !down[k]};
    assign low[k]        = way_data[DstAt + 5*k];
    assign box_differ[k] = Wide && tx_data_i[BoxAt + 5*k +: 5] != node_i[5*k +: 5];
  end

  // ------------------------------------------------------------------- registers
  logic [1:0]       valid_q, valid_d, sop_q, sop_d, eop_q, eop_d, ready, on, in_ready, in_more,
      load, first;
  logic [1:0]       plain_q;               // the packet has direction bits
  logic [2*Dims-1:0]  down_q;
  logic [2*DataW-1:0] data_q, data_d;

  assign valid_d     = {ack_valid_i, tx_valid_i};
  assign sop_d       = {ack_sop_i, tx_sop_i};
  assign eop_d       = {ack_eop_i, tx_eop_i};
  assign in_ready    = {(!valid_q[1] || ready[1]) && !(use_tx && ack_sop_i), !valid_q[0] ||
                        ready[0]};
`ifdef TERN_MODEL   // simulates faster: differs only where it is not used
  assign in_more     = in_ready;
  logic unused_on;
  assign unused_on   = ^on;
`else
  assign in_more     = {(!valid_q[1] || on[1]) && !(use_tx && ack_sop_i), !valid_q[0] || on[0]};
`endif
  assign {ack_ready_o, tx_ready_o} = in_ready;
  assign {ack_more_o, tx_more_o}   = in_more;
  assign load        = valid_d & in_ready;
  assign first       = load & sop_d;

  for (genvar i = 0; i < 2; i++) begin : g_data
    logic bits;                            // 1: the beat with the direction bits
    logic plain;
    logic [Dims-1:0] way;
    assign plain = i == 1 || !deposit;
    assign bits  = Wide ? sop_d[i] && plain : sop_q[i] && plain_q[i];
    assign way   = Wide ? down : down_q[Dims*i +: Dims];
    always_comb begin
      data_d[DataW*i +: DataW] = i == 0 ? tx_data_i : ack_data_i;
      if (bits) begin
        data_d[DataW*i + BoxAt +: 3]    = '0;
        data_d[DataW*i + BoxAt +: Dims] = way;
      end
    end
    always_ff @(posedge clk_i) begin
      if (load[i]) begin
        data_q[DataW*i +: DataW] <= data_d[DataW*i +: DataW];
        sop_q[i] <= sop_d[i];
        eop_q[i] <= eop_d[i];
      end
      if (first[i]) begin
        plain_q[i] <= plain;
        second_o[i] <= plain && ^low && (turn & crosses) == '0;
        down_q[Dims*i +: Dims] <= down;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q <= {2{rst_ni}} & (load | (valid_q & ~ready));
    if (first[0]) tx_vn_o <= tx_vn_i;
  end

  // ------------------------------------------------------------------ copies owed
  logic [Ports:0] owed_q, owed_ack_q, box_owed;
  logic           waits, none, none_q, gone;

  always_comb begin
    box_owed = '0;
    for (int k = 0; k < Dims; k++) begin
      if (Wide) {box_owed[2*k + 1], box_owed[2*k]} = {box_differ[k], differ[k]};
      else      {box_owed[2*k + 1], box_owed[2*k]} = {1'b0, differ[k]};
    end
    box_owed[Ports] = tx_self_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q  <= '0;
      known_q <= 1'b1;
    end else if (first[0]) begin
      if (!tx_again_o) begin
        owed_q  <= deposit ? box_owed : {differ == '0, alone};
        known_q <= Wide || !deposit;
      end
    end else if (!known_q) begin
      if (tx_valid_i) begin
        for (int k = 0; k < Dims; k++) owed_q[2*k + 1] <= differ[k];
        known_q <= 1'b1;
      end
    end else if (move_i && !ack_i && sop_q[0]) begin
      owed_q <= owed_q & ~grant_i;
    end
    if (first[1]) owed_ack_q <= {differ == '0, alone};
  end

  assign waits      = valid_q[0] && sop_q[0] && known_q;
  assign want_tx_o  = owed_q & {Ports+1{waits}};
  assign want_ack_o = owed_ack_q & {Ports+1{valid_q[1] && sop_q[1]}};
  assign tx_again_o = owed_q != '0;

  // A packet without a copy to send is dropped.
  assign none = waits && owed_q == '0;
  assign gone = none || (valid_q[0] && !sop_q[0] && none_q);
  always_ff @(posedge clk_i) begin
    if (valid_q[0] && sop_q[0]) none_q <= none;
  end

  // ------------------------------------------------------------------- output
  assign ready   = {move_i && ack_i, (move_i && !ack_i) || gone};
  assign on      = {on_i && ack_i, (on_i && !ack_i) || gone};
  assign valid_o = ack_i ? valid_q[1] : valid_q[0];
  assign sop_o   = ack_i ? sop_q[1] : sop_q[0];
  assign eop_o   = ack_i ? eop_q[1] : eop_q[0];
  assign data_o  = ack_i ? data_q[2*DataW-1:DataW] : data_q[DataW-1:0];

  logic unused;
  assign unused = ^{box_differ, way_data};

  // A repeated packet is the same packet; a beat counts as the second only right after the first.
`ifdef VERILATOR
  logic [14:0] held_q;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (first[0]) held_q <= tx_data_i[DstAt +: 15];
      if (first[0] && tx_again_o) SameAgain: assert (deposit && tx_data_i[DstAt +: 15] == held_q);
      MoreIsReady: assert (in_more == in_ready || (sop_o && valid_o && move_i && !on_i));
      GrantedOwed: assert (!(move_i && sop_o) ||
                           (grant_i & ~(ack_i ? want_ack_o : want_tx_o)) == '0);
    end
  end
`endif

endmodule

`default_nettype wire
