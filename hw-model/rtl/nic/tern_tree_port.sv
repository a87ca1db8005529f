// SPDX-License-Identifier: Apache-2.0
// Connects the core to the tree network: contributions of a few bytes, and their ends.
//
// tern_tree_long does the same for packets from host memory; a group has contributions of one kind
// at a time.
//
// TREE_GO takes the value written before and sends it as a contribution of a group. The descriptor
// slot that it names stays in a ring of the group until the operation ends, and then comes back in
// one TREE event: with the combination, or with the reason why the group failed. A group that has
// failed, or is not set up, ends contributions at once. So each contribution has exactly one event.
//
// Events share the place of those of links (`link_*`), which go first. After a TREE event the next
// one waits until the core has read TREE_HI, since the event's value must not change before.
//
// While the core is in reset all groups of the node are given back, so that they fail and name this
// node, and results are discarded.
`default_nettype none

module tern_tree_port #(
  parameter int unsigned Groups = tern_abi_pkg::TREE_GROUPS,
  parameter int unsigned Slots  = tern_abi_pkg::TREE_SLOTS
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              core_rst_ni,
  input  logic [15:0]       node_i,
  // registers
  input  logic              mm_valid_i,
  input  logic              mm_we_i,
  input  logic [15:0]       mm_addr_i,
  input  logic [31:0]       mm_wdata_i,
  output logic              mm_ready_o,
  output logic              mm_rvalid_o,
  output logic [31:0]       mm_rdata_o,
  // events: of links, and both
  input  logic              link_valid_i,
  output logic              link_ready_o,
  input  logic [31:0]       link_i,
  output logic              ev_valid_o,
  input  logic              ev_ready_i,
  output logic [31:0]       ev_o,
  // tree
  output logic [15:0]       rank_o,
  output logic              cfg_valid_o,
  output logic [$clog2(Groups)-1:0] cfg_group_o,
  output logic              cfg_on_o,
  output logic [7:0]        cfg_epoch_o,
  output logic [2:0]        cfg_expect_o,
  output logic              cfg_root_o,
  output logic [23:0]       cfg_patience_o,
  input  logic [Groups-1:0] active_i,       // set up, and has not failed
  output logic              tx_valid_o,
  input  logic              tx_ready_i,
  output logic              tx_eop_o,
  output logic [63:0]       tx_data_o,
  input  logic              rx_valid_i,
  output logic              rx_ready_o,
  input  logic              rx_sop_i,
  input  logic              rx_eop_i,
  input  logic              rx_err_i,
  input  logic              rx_look_i,      // before the first beat; the last cycle counts
  input  logic [$clog2(Groups)-1:0] rx_group_i,   // ... then its group
  input  logic              rx_busy_i,      // from then on to its last beat
  input  logic [63:0]       rx_data_i,
  input  logic              fail_valid_i,
  output logic              fail_ready_o,
  input  logic [14:0]       fail_box_i,
  input  logic [3:0]        fail_status_i,
  input  logic [15:0]       fail_rank_i,
  // packets from host memory; puts that they become, and answers
  input  logic              long_valid_i,
  output logic              long_ready_o,
  input  logic              long_eop_i,
  input  logic [63:0]       long_data_i,
  output logic              put_valid_o,
  input  logic              put_ready_i,
  output logic              put_sop_o,
  output logic              put_eop_o,
  output logic [63:0]       put_data_o,
  output logic              nak_valid_o,
  input  logic              nak_ready_i,
  output logic [15:0]       nak_opid_o
);

  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned SlotW  = $clog2(Slots);

  // ----------------------------------------------------------------- registers
  logic              hit, take, go, arm, set, lo_we, hi_we, hi_read, busy;
  logic [5:0]        at;
  logic [31:0]       lo_q, hi_q, result_lo_q, result_hi_q;
  logic [GroupW-1:0] what_group;
  logic [Groups-1:0] on_q, failed_q;
  logic [8*Groups-1:0] epoch_q, fn_q;

  // TREE_STATE and the registers after it fill 64 bytes. TRS and TRO are of one word (% 32).
  assign hit        = mm_addr_i[15:6] == tern_abi_pkg::MMIO_TREE_STATE[15:6];
  assign at         = mm_addr_i[5:0];
  assign mm_ready_o = mm_valid_i && hit && !busy && !mm_rvalid_o;
  assign take       = mm_ready_o;
  assign arm        = take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_GO[5:0] &&
                      mm_wdata_i[tern_abi_pkg::TRO_LONG_LSB%32];
  assign go         = take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_GO[5:0] && !arm;
  assign set        = take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_SET[5:0];
  assign lo_we      = take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_LO[5:0];
  assign hi_we      = take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_HI[5:0];
  assign hi_read    = take && !mm_we_i && at == tern_abi_pkg::MMIO_TREE_HI[5:0];
  assign what_group = mm_wdata_i[tern_abi_pkg::TRO_GROUP_LSB%32 +: GroupW];

  logic [Groups-1:0]    some_long;
  logic [4*Groups-1:0]  statuses;
  logic [16*Groups-1:0] ranks;
  logic [SlotW:0] pending [Groups];
  logic [31:0]    state;
  always_comb begin
    state = '0;
    for (int g = 0; g < Groups; g++) begin
      if (at[4:2] == 3'(g)) begin
        state[tern_abi_pkg::TRG_EPOCH_LSB +: 8]   = epoch_q[8*g +: 8];
        state[tern_abi_pkg::TRG_ON_LSB]           = on_q[g];
        state[tern_abi_pkg::TRG_ACTIVE_LSB]       = on_q[g] && active_i[g];
        state[tern_abi_pkg::TRG_PENDING_LSB +: 3] = 3'(pending[g]);
        state[tern_abi_pkg::TRG_LONG_LSB]         = some_long[g];
        state[tern_abi_pkg::TRG_FN_LSB +: 8]      = fn_q[8*g +: 8];
      end
      if (at[4:2] == 3'(Groups + g)) begin
        state[tern_abi_pkg::TRW_RANK_LSB +: 16]  = ranks[16*g +: 16];
        state[tern_abi_pkg::TRW_STATUS_LSB +: 4] = statuses[4*g +: 4];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && take;
    mm_rdata_o  <= '0;     // 0 when not read: the consumer ORs all sources
    if (take && !mm_we_i) begin
      if (!at[5])                                               mm_rdata_o <= state;
      else if (at == tern_abi_pkg::MMIO_TREE_LO[5:0])           mm_rdata_o <= result_lo_q;
      else if (at == tern_abi_pkg::MMIO_TREE_HI[5:0])           mm_rdata_o <= result_hi_q;
    end
    if (lo_we) lo_q <= mm_wdata_i;
    if (hi_we) hi_q <= mm_wdata_i;
    if (!rst_ni) begin
      rank_o         <= '0;
      cfg_patience_o <= '1;
    end else begin
      if (take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_RANK[5:0]) rank_o <= mm_wdata_i[15:0];
      if (take && mm_we_i && at == tern_abi_pkg::MMIO_TREE_WAIT[5:0])
        cfg_patience_o <= mm_wdata_i[23:0];
    end
  end

  // -------------------------------------------------------------------- set-up
  logic [GroupW-1:0] off_q;      // while the core is in reset: the group that is given back
  logic              down;

  assign down         = !core_rst_ni;
  assign cfg_valid_o  = rst_ni && (down || set);
  assign cfg_group_o  = down ? off_q : what_group;
  assign cfg_on_o     = !down && mm_wdata_i[tern_abi_pkg::TRS_ON_LSB%32];
  assign cfg_epoch_o  = mm_wdata_i[tern_abi_pkg::TRS_EPOCH_LSB%32 +: 8];
  assign cfg_expect_o = {mm_wdata_i[tern_abi_pkg::TRS_SELF_LSB%32],
                         mm_wdata_i[tern_abi_pkg::TRS_CHILDREN_LSB%32 +: 2]};
  assign cfg_root_o   = mm_wdata_i[tern_abi_pkg::TRS_ROOT_LSB%32];
  always_ff @(posedge clk_i) off_q <= rst_ni ? off_q + 1'b1 : '0;

  // ------------------------------------------------------------- contributions
  // Beats of the packet: four of the header, the value if there is one, the trailer.
  logic [2:0]        beat_q;
  logic              send_q, empty_q, wide_q, signed_q;
  logic [GroupW-1:0] group_q;
  logic [2:0]        op_q;
  logic [3:0]        bytes_q;
  logic [7:0]        number_q, send_epoch_q;

  assign busy = send_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      send_q <= 1'b0;
      beat_q <= '0;
    end else if (go && !down) begin
      // A group that takes nothing more ends it at once.
      send_q <= on_q[what_group] && !failed_q[what_group];
      beat_q <= '0;
    end else if (send_q && tx_ready_i && !up_begun) begin
      send_q <= !short_eop;
      beat_q <= beat_q + 3'd1 + 3'(empty_q && beat_q == 3'd3);
    end
    if (go) begin
      group_q      <= what_group;
      send_epoch_q <= epoch_q[8*what_group +: 8];
      op_q         <= mm_wdata_i[tern_abi_pkg::TRO_OP_LSB%32 +: 3];
      wide_q       <= mm_wdata_i[tern_abi_pkg::TRO_WIDE_LSB%32];
      signed_q     <= mm_wdata_i[tern_abi_pkg::TRO_SIGNED_LSB%32];
      bytes_q      <= mm_wdata_i[tern_abi_pkg::TRO_BYTES_LSB%32 +: 4];
      empty_q      <= mm_wdata_i[tern_abi_pkg::TRO_BYTES_LSB%32 +: 4] == '0;
      number_q     <= mm_wdata_i[tern_abi_pkg::TRO_NUMBER_LSB%32 +: 8];
    end
  end

  // Both kinds share the port, packet by packet.
  logic        short_eop, up_begun, up_valid, up_ready, up_eop;
  logic [63:0] short_data, up_data;
  assign short_eop  = beat_q == 3'd5;
  assign up_ready   = tx_ready_i && (up_begun || !send_q);
  assign tx_valid_o = up_begun || !send_q ? up_valid : send_q;
  assign tx_eop_o   = up_begun || !send_q ? up_eop : short_eop;
  assign tx_data_o  = up_begun || !send_q ? up_data : short_data;
  always_comb begin
    short_data = '0;
    case (beat_q)
      3'd0: begin
        short_data[tern_abi_pkg::PKT_VN_LSB +: 2]    = 2'(tern_abi_pkg::VN_DATA);
        short_data[tern_abi_pkg::PKT_WORDS_LSB +: 8] = empty_q ? 8'd5 : 8'd6;
        short_data[tern_abi_pkg::PKT_BOX_LSB +: 15]  = {send_epoch_q, 7'(group_q)};
      end
      3'd1: begin
        short_data[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8]    = 8'(tern_abi_pkg::TREE_DATA);
        short_data[tern_abi_pkg::TRP_EMPTY_LSB-64] = empty_q;
        short_data[tern_abi_pkg::PKT_VERSION_LSB-64 +: 4] = 4'(tern_abi_pkg::PKT_VERSION);
        short_data[tern_abi_pkg::PKT_SRC_LSB-64 +: 16]    = rank_o;
        short_data[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 11] = 11'(bytes_q);
      end
      3'd3: begin
        short_data[tern_abi_pkg::TRP_OP_LSB%64 +: 3] = op_q;
        short_data[tern_abi_pkg::TRP_WIDE_LSB%64]    = wide_q;
        short_data[tern_abi_pkg::TRP_SIGNED_LSB%64]  = signed_q;
        short_data[tern_abi_pkg::TRP_NUMBER_LSB%64 +: 8] = number_q;
      end
      3'd4: short_data = {hi_q, lo_q};
      default: short_data = '0;
    endcase
  end

  // ------------------------------------------------------------------- results
  logic [2:0]        rx_beat_q;
  logic [14:0]       rx_box_q;
  logic              rx_empty_q, result_q, rx_move, rx_last, free;
  logic [63:0]       rx_value_q;
  logic [GroupW-1:0] rx_group;

  // Combinations of packets from host memory go their own way, found before they begin.
  logic              to_long, long_q, long_ready;
  logic [GroupW-1:0] look_group_q;
  assign to_long    = long_q && !(rx_sop_i && down);
  always_ff @(posedge clk_i) begin
    if (rx_look_i) begin
      long_q       <= some_long[rx_group_i];
      look_group_q <= rx_group_i;
    end else begin
      long_q <= to_long;
    end
  end
  assign rx_ready_o = to_long ? long_ready : !result_q || down;
  assign rx_move    = rx_valid_i && rx_ready_o && !to_long;
  assign rx_last    = rx_move && rx_eop_i && !rx_err_i;
  assign rx_group   = rx_box_q[GroupW-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      rx_beat_q <= '0;
    else if (rx_move) rx_beat_q <= rx_eop_i ? 3'd0 : rx_sop_i ? 3'd1 :
                                   rx_beat_q + 3'(rx_beat_q != '1);
    if (rx_move && rx_sop_i) rx_box_q <= rx_data_i[tern_abi_pkg::PKT_BOX_LSB +: 15];
    if (rx_move && !rx_sop_i && rx_beat_q == 3'd1)
      rx_empty_q <= rx_data_i[tern_abi_pkg::TRP_EMPTY_LSB-64];
    if (rx_move && !rx_sop_i && rx_beat_q == 3'd4) rx_value_q <= rx_data_i;
    if (!rst_ni || down) result_q <= 1'b0;
    else if (rx_last)    result_q <= on_q[rx_group] && epoch_q[8*rx_group +: 8] == rx_box_q[14:7];
    else if (free)       result_q <= 1'b0;
  end

  // -------------------------------------------------------------------- groups
  logic [Groups-1:0] give, owes, waits, pick;      // give: the event takes the group's oldest slot
  logic [6*Groups-1:0]  slots;

  assign fail_ready_o = 1'b1;

  for (genvar g = 0; g < Groups; g++) begin : g_group
    logic [SlotW:0] put_q, get_q;
    logic [5:0]     ring_q [Slots];
    logic           here, fails;
    logic [3:0]     status_q;
    logic [15:0]    who_q;

    assign here  = cfg_valid_o && cfg_group_o == GroupW'(g);
    assign fails = fail_valid_i && fail_box_i == {epoch_q[8*g +: 8], 7'(g)} && on_q[g];
    assign pending[g] = put_q - get_q;
    assign waits[g]   = put_q != get_q;
    assign owes[g]    = waits[g] && (failed_q[g] || !on_q[g]);
    assign slots[6*g +: 6]     = ring_q[get_q[SlotW-1:0]];
    assign statuses[4*g +: 4]  = on_q[g] ? status_q : 4'(tern_abi_pkg::TREE_NO_GROUP);
    assign ranks[16*g +: 16]   = on_q[g] ? who_q : rank_o;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || down) begin
        put_q <= '0;
        get_q <= '0;
      end else begin
        if (go && what_group == GroupW'(g)) put_q <= put_q + 1'b1;
        if (give[g])                        get_q <= get_q + 1'b1;
      end
      if (go && what_group == GroupW'(g)) ring_q[put_q[SlotW-1:0]] <= mm_wdata_i[5:0];
      if (!rst_ni) begin
        on_q[g]     <= 1'b0;
        failed_q[g] <= 1'b0;
      end else if (here && cfg_on_o) begin
        on_q[g]     <= 1'b1;
        failed_q[g] <= !cfg_expect_o[2];    // it forwards only, and takes no contribution
      end else if (fails) begin
        failed_q[g] <= 1'b1;
      end
      if (here && cfg_on_o) begin
        epoch_q[8*g +: 8] <= cfg_epoch_o;
        fn_q[8*g +: 8]    <= mm_wdata_i[31:24];
      end
      if (here && cfg_on_o) begin
        status_q <= 4'(tern_abi_pkg::TREE_NO_GROUP);
        who_q    <= rank_o;
      end else if (fails) begin
        status_q <= fail_status_i;
        who_q    <= fail_rank_i;
      end
      if (rst_ni && !down) begin
        RingRoom: assert (!(go && what_group == GroupW'(g)) || 32'(pending[g]) < Slots);
        RingSome: assert (!give[g] || pending[g] != '0);
      end
    end
  end

  // -------------------------------------------------------------------- events
  // `held_q`: an event was taken and its value may still be read.
  logic        ev_tree_q, held_q, choose;
  logic [5:0]  slot;
  logic [3:0]  status;
  logic [15:0] rank;

  assign free   = result_q && choose;
  assign choose = !ev_valid_o && !held_q && !link_valid_i && !down;
  always_comb begin
    give   = '0;
    pick   = owes & (~owes + 1'b1);
    slot   = '0;
    status = '0;
    rank   = '0;
    for (int g = 0; g < Groups; g++) begin
      give[g] = choose && waits[g] &&
                (result_q ? rx_group == GroupW'(g) : pick[g]);
      if (give[g]) begin
        slot   = slots[6*g +: 6];
        status = result_q ? 4'(tern_abi_pkg::TREE_OK) : statuses[4*g +: 4];
        rank   = result_q ? '0 : ranks[16*g +: 16];
      end
    end
  end

  assign link_ready_o = link_valid_i && !ev_valid_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ev_valid_o <= 1'b0;
      ev_tree_q  <= 1'b0;
      held_q     <= 1'b0;
    end else if (down && ev_tree_q) begin
      ev_valid_o <= 1'b0;
      ev_tree_q  <= 1'b0;
      held_q     <= 1'b0;
    end else begin
      if (link_ready_o || give != '0) ev_valid_o <= 1'b1;
      else if (ev_ready_i)            ev_valid_o <= 1'b0;
      if (link_ready_o)               ev_tree_q <= 1'b0;
      else if (give != '0)            ev_tree_q <= 1'b1;
      held_q <= !down && ((held_q && !hi_read) || (ev_valid_o && ev_ready_i && ev_tree_q));
    end
    if (link_ready_o) begin
      ev_o <= link_i;
    end else if (give != '0) begin
      ev_o <= '0;
      ev_o[tern_abi_pkg::EV_TYPE_LSB +: 4]       <= 4'(tern_abi_pkg::EV_TREE);
      ev_o[tern_abi_pkg::EV_SLOT_LSB +: 6]       <= slot;
      ev_o[tern_abi_pkg::EV_TREESTATUS_LSB +: 4] <= status;
      ev_o[tern_abi_pkg::EV_RANK_LSB +: 16]      <= rank;
      {result_hi_q, result_lo_q} <= result_q && !rx_empty_q ? rx_value_q : 64'd0;
    end
  end

  tern_tree_long #(.Groups(Groups)) u_long (
    .clk_i, .rst_ni, .down_i(down), .node_i, .rank_i(rank_o),
    .arm_i(arm), .arm_group_i(what_group),
    .arm_what_i({mm_wdata_i[tern_abi_pkg::TRO_BYTES_LSB%32 +: 4],
                 mm_wdata_i[tern_abi_pkg::TRO_NUMBER_LSB%32 +: 8],
                 mm_wdata_i[tern_abi_pkg::TRO_SIGNED_LSB%32],
                 mm_wdata_i[tern_abi_pkg::TRO_WIDE_LSB%32],
                 mm_wdata_i[tern_abi_pkg::TRO_OP_LSB%32 +: 3]}),
    .open_i(on_q & ~failed_q), .epoch_i(epoch_q), .some_o(some_long),
    .tx_valid_i(long_valid_i), .tx_ready_o(long_ready_o), .tx_eop_i(long_eop_i),
    .tx_data_i(long_data_i),
    .up_begun_o(up_begun), .up_valid_o(up_valid), .up_ready_i(up_ready), .up_eop_o(up_eop),
    .up_data_o(up_data),
    .rx_valid_i(rx_valid_i && to_long), .rx_ready_o(long_ready), .rx_sop_i, .rx_eop_i, .rx_err_i,
    .rx_near_i(rx_look_i || rx_busy_i), .rx_group_i(look_group_q), .rx_data_i,
    .put_valid_o, .put_ready_i, .put_sop_o, .put_eop_o, .put_data_o,
    .nak_valid_o, .nak_ready_i, .nak_opid_o
  );

  logic unused;
  assign unused = ^rx_box_q[6:GroupW];

endmodule

`default_nettype wire
