// SPDX-License-Identifier: Apache-2.0
// A node's part of the tree network: three links (two children, the parent), and the ALU.
//
// Ranks count layer by layer: the children of rank r are 2r + 1 and 2r + 2. A group is set up at
// each of its nodes, from the root down, with the ports it waits for. A node that is no member but
// lies between members forwards only. Each member sends contributions (headers as in tern_tree_pkg)
// and gets results in the same order, or one event with a status and the rank that failed.
//
// Contributions go up: a node combines those of its ports (tern_tree_merge) once all have come, and
// passes one on. At the group's root it becomes the result and goes down (tern_tree_down). A group
// has slots of its own at each port (tern_tree_ring), and contributions leave only with credit for
// one, so no group waits for another's missing member. A group that misses a port for the patience,
// loses a link, gets contributions that do not fit or is given back by a node fails at all its
// nodes (tern_tree_groups). Why nothing blocks: docs/decisions/0093.
//
// Packets for one rank pass each node on their way (tern_tree_unicast), in a virtual network of
// their own.
//
// Links are those of the torus: sequence numbers, CRC, retry, liveness. Their beats have `DataW`
// bits, 32 or 64; those of the node and inside have 64 (docs/decisions/0099).
`default_nettype none

module tern_tree #(
  parameter int unsigned DataW        = 64,    // of the links
  parameter int unsigned Groups       = 4,
  parameter int unsigned Slots        = 4,     // ... of a group, at a child's port
  parameter int unsigned SelfSlots    = Slots, // ... at the node's own, not fewer
  parameter int unsigned MaxPayload   = 512,
  parameter int unsigned BufWords     = 512,
  parameter int unsigned TimeoutTicks = 8,
  parameter int unsigned HoldTicks    = 128,
  parameter int unsigned CtlEvery     = 64,    // cycles of a tick of the links
  parameter int unsigned WaitEvery    = tern_abi_pkg::TREE_TICK   // ... of the patience
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [15:0]       rank_i,
  input  logic              spoil_i,         // for tests: stores a wrong bit
  // packets for one rank: of the node, and for it
  input  logic [15:0]       place_i,         // rank of this node, known from the beginning
  input  logic              mtx_valid_i,
  output logic              mtx_ready_o,
  input  logic              mtx_eop_i,
  input  logic [63:0]       mtx_data_i,
  output logic              mrx_valid_o,
  input  logic              mrx_ready_i,
  output logic              mrx_sop_o,
  output logic              mrx_eop_o,
  output logic [63:0]       mrx_data_o,
  // set-up of a group
  input  logic              cfg_valid_i,
  input  logic [$clog2(Groups)-1:0] cfg_group_i,
  input  logic              cfg_on_i,
  input  logic [7:0]        cfg_epoch_i,
  input  logic [2:0]        cfg_expect_i,    // children, the node
  input  logic              cfg_root_i,
  input  logic [23:0]       cfg_patience_i,  // ticks that the group's ports may wait for another
  output logic [Groups-1:0] active_o,
  // contributions of the node
  output logic [Groups-1:0] room_o,
  input  logic              tx_valid_i,
  output logic              tx_ready_o,
  input  logic              tx_eop_i,
  input  logic [63:0]       tx_data_i,
  // results for the node
  output logic              rx_valid_o,
  input  logic              rx_ready_i,
  output logic              rx_sop_o,
  output logic              rx_eop_o,
  output logic              rx_err_o,
  output logic              rx_look_o,       // before the first beat; the last cycle counts
  output logic [$clog2(Groups)-1:0] rx_group_o,   // ... then its group
  output logic              rx_busy_o,       // from then on to its last beat
  output logic [63:0]       rx_data_o,
  // failures
  output logic              ev_valid_o,
  input  logic              ev_ready_i,
  output logic [14:0]       ev_box_o,
  output logic [3:0]        ev_status_o,
  output logic [15:0]       ev_rank_o,
  // links: children, parent
  output logic [2:0]        up_o,
  output logic [2:0]        fell_o,
  output logic [5:0]        why_o,
  output logic [2:0]        bad_crc_o,
  output logic [2:0]        bad_hdr_o,
  output logic [2:0]        ltx_valid_o,
  output logic [5:0]        ltx_kind_o,
  output logic [3*DataW-1:0] ltx_data_o,
  input  logic [2:0]        lrx_valid_i,
  input  logic [5:0]        lrx_kind_i,
  input  logic [3*DataW-1:0] lrx_data_i
);

  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned SlotW  = $clog2(SelfSlots);
  localparam int unsigned BeatW  = $clog2(MaxPayload / 8);
  localparam int unsigned AddrW  = GroupW + SlotW + BeatW;
  localparam int unsigned Child0 = tern_tree_pkg::Child0;
  localparam int unsigned Child1 = tern_tree_pkg::Child1;
  localparam int unsigned Parent = tern_tree_pkg::Parent;

  // --------------------------------------------------------------------- ticks
  localparam int unsigned TickW = $clog2(CtlEvery);
  localparam int unsigned WaitW = $clog2(WaitEvery);
  logic [TickW-1:0] tick_q;
  logic [WaitW-1:0] wait_q;
  logic             tick, wait_tick;
  assign tick      = tick_q == TickW'(CtlEvery - 1);
  assign wait_tick = wait_q == WaitW'(WaitEvery - 1);
  always_ff @(posedge clk_i) begin
    tick_q <= !rst_ni || tick ? '0 : tick_q + 1'b1;
    wait_q <= !rst_ni || wait_tick ? '0 : wait_q + 1'b1;
  end

  // -------------------------------------------------------------------- groups
  logic [Groups-1:0]    clear, on, active, fell, root, taken, sent, wrong, credit;
  logic [8*Groups-1:0]  epoch;
  logic [3*Groups-1:0]  expects, some, bad, gone, by_port;
  logic [4*Groups-1:0]  status;
  logic [16*Groups-1:0] failed_rank;
  logic [24*Groups-1:0] freed;
  logic [3:0]           wrong_why;
  logic [15:0]          wrong_rank;
  logic [11:0]          bad_why;
  logic [47:0]          bad_rank;
  logic [2:0]           n_freed, n_failed;
  logic [44:0]          n_box;
  logic [23:0]          n_count;
  logic [11:0]          n_status;
  logic [47:0]          n_rank;

  tern_tree_groups #(.Groups(Groups)) u_groups (
    .clk_i, .rst_ni, .tick_i(wait_tick), .rank_i, .up_i(up_o),
    .cfg_valid_i, .cfg_group_i, .cfg_on_i, .cfg_epoch_i, .cfg_expect_i, .cfg_root_i,
    .cfg_patience_i,
    .have_i(some), .taken_i(taken), .wrong_i(wrong), .wrong_why_i(wrong_why),
    .wrong_rank_i(wrong_rank), .bad_i(bad), .bad_why_i(bad_why), .bad_rank_i(bad_rank),
    .failed_i(n_failed), .failed_box_i(n_box), .failed_why_i(n_status), .failed_rank_i(n_rank),
    .clear_o(clear), .on_o(on), .active_o(active), .fell_o(fell), .epoch_o(epoch),
    .expect_o(expects), .root_o(root), .status_o(status), .failed_rank_o(failed_rank)
  );
  assign active_o = active;

  for (genvar g = 0; g < Groups; g++) begin : g_group
    logic told;
    for (genvar p = 0; p < 3; p++) begin : g_port
      assign by_port[Groups*p + g] = active[g] && expects[3*g + p];
    end
    assign told = n_freed[Parent] &&
                  n_box[15*Parent +: 15] == {epoch[8*g +: 8], 7'(g)};
    tern_tree_credit #(.Slots(Slots)) u_credit (
      .clk_i, .rst_ni, .clear_i(clear[g]), .sent_i(sent[g]), .told_i(told),
      .freed_i(n_count[8*Parent +: 8]), .open_o(credit[g])
    );
  end

  // --------------------------------------------------------------------- links
  logic [2:0]   o_valid, o_ready, o_sop, o_eop, o_err, o_open, req, able, grant, pk_ready, pk_valid;
  logic [2:0]   pk_sop, pk_eop, pk_err, take_able, asks, begins, in_valid, in_ready;
  logic [5:0]   o_vn, req_vn;
  logic [191:0] o_data, pk_data;
  logic [17:0]  room;
  logic [3:0]   m_able, m_came, m_wants, m_opens, m_sends, m_takes, m_sops, m_eops;
  logic [255:0] m_beats;

  for (genvar p = 0; p < 3; p++) begin : g_link
    // A torus of one node: all packets are for it.
    logic [2:0] owed;
    logic [5:0] weight;
    logic [1:0] pk_vn;
    logic       rose, req_dl, pk_dl, l_sent, l_drop, l_good, l_out, l_in;
    logic [7:0] l_out_name, l_in_name;
    logic       l_tx_valid, l_tx_near, l_tx_ready, l_tx_sop, l_tx_eop, l_tx_err;
    logic       l_pk_valid, l_pk_ready, l_pk_sop;
    logic [1:0] l_tx_vn;
    logic [DataW-1:0] l_tx_data, l_pk_data;
    tern_tree_narrow #(.DataW(DataW)) u_narrow (
      .clk_i, .rst_ni, .valid_i(o_valid[p]), .near_i(o_open[p]), .ready_o(o_ready[p]),
      .sop_i(o_sop[p]), .eop_i(o_eop[p]), .err_i(o_err[p]), .vn_i(o_vn[2*p +: 2]),
      .data_i(o_data[64*p +: 64]),
      .valid_o(l_tx_valid), .near_o(l_tx_near), .ready_i(l_tx_ready), .sop_o(l_tx_sop),
      .eop_o(l_tx_eop), .err_o(l_tx_err), .vn_o(l_tx_vn), .data_o(l_tx_data)
    );
    tern_tree_widen #(.DataW(DataW)) u_widen (
      .clk_i, .rst_ni, .valid_i(l_pk_valid), .ready_o(l_pk_ready), .sop_i(l_pk_sop),
      .data_i(l_pk_data), .valid_o(pk_valid[p]), .ready_i(pk_ready[p]),
      .sop_o(pk_sop[p]), .data_o(pk_data[64*p +: 64])
    );
    tern_link #(
      .DataW(DataW), .MaxPayload(MaxPayload), .BufWords(BufWords), .TimeoutTicks(TimeoutTicks),
      .HoldTicks(HoldTicks)
    ) u_link (
      .clk_i, .rst_ni, .tick_i(tick), .dims_i(16'h8000), .node_i(15'd0), .force_down_i(1'b0),
      .up_o(up_o[p]), .rose_o(rose), .fell_o(fell_o[p]), .why_o(why_o[2*p +: 2]),
      .tx_valid_i(l_tx_valid), .tx_near_i(l_tx_near), .tx_ready_o(l_tx_ready), .tx_sop_i(l_tx_sop),
      .tx_eop_i(l_tx_eop), .tx_err_i(l_tx_err), .tx_vn_i(l_tx_vn), .tx_dl_i(1'b0),
      .tx_data_i(l_tx_data), .room_o(room[6*p +: 6]), .origins_i(6'd1), .weight_o(weight),
      .req_o(req[p]), .owed_o(owed), .req_vn_o(req_vn[2*p +: 2]), .req_dl_o(req_dl),
      .able_i(able[p]), .grant_i({grant[p], 2'b00}), .pk_ready_i(l_pk_ready),
      .pk_valid_o(l_pk_valid), .pk_sop_o(l_pk_sop), .pk_eop_o(pk_eop[p]), .pk_err_o(pk_err[p]),
      .pk_vn_o(pk_vn), .pk_dl_o(pk_dl), .pk_data_o(l_pk_data),
      .ltx_hold_i(1'b0), .ltx_valid_o(ltx_valid_o[p]), .ltx_kind_o(ltx_kind_o[2*p +: 2]),
      .ltx_data_o(ltx_data_o[DataW*p +: DataW]),
      .lrx_valid_i(lrx_valid_i[p]), .lrx_kind_i(lrx_kind_i[2*p +: 2]),
      .lrx_data_i(lrx_data_i[DataW*p +: DataW]),
      .sent_o(l_sent), .drop_o(l_drop), .good_o(l_good), .bad_hdr_o(bad_hdr_o[p]),
      .bad_crc_o(bad_crc_o[p]), .out_o(l_out), .out_name_o(l_out_name), .in_o(l_in),
      .in_name_o(l_in_name)
    );
    tern_tree_in u_in (
      .clk_i, .rst_ni, .req_i(req[p]), .req_vn_i(req_vn[2*p +: 2]), .able_o(able[p]),
      .grant_o(grant[p]), .pk_ready_o(pk_ready[p]), .pk_valid_i(pk_valid[p]),
      .pk_sop_i(pk_sop[p]), .pk_eop_i(pk_eop[p]), .pk_err_i(pk_err[p]),
      .pk_data_i(pk_data[64*p +: 64]), .able_i(take_able[p]), .asks_o(asks[p]),
      .begins_o(begins[p]), .valid_o(in_valid[p]), .ready_i(in_ready[p]),
      .mail_able_i(m_able[p]), .mail_valid_o(m_came[p]),
      .freed_o(n_freed[p]), .failed_o(n_failed[p]), .box_o(n_box[15*p +: 15]),
      .count_o(n_count[8*p +: 8]), .status_o(n_status[4*p +: 4]), .rank_o(n_rank[16*p +: 16])
    );
    logic unused;
    assign unused = ^{owed, weight, pk_vn, rose, req_dl, pk_dl, l_sent, l_drop, l_good, l_out,
                      l_in, l_out_name, l_in_name};
  end

  // -------------------------------------------------------- packets for one rank
  assign m_came[3]   = mtx_valid_i && mtx_ready_o;
  assign mtx_ready_o = m_able[3];
  tern_tree_unicast #(.MaxPayload(MaxPayload)) u_unicast (
    .clk_i, .rst_ni, .rank_i(place_i), .able_o(m_able), .valid_i(m_came),
    .eop_i({mtx_eop_i, pk_eop}), .err_i({1'b0, pk_err}), .data_i({mtx_data_i, pk_data}),
    .want_o(m_wants), .open_i(m_opens), .valid_o(m_sends), .ready_i(m_takes), .sop_o(m_sops),
    .eop_o(m_eops), .data_o(m_beats)
  );
  assign m_opens[3] = 1'b1;
  assign m_takes[3] = mrx_ready_i;
  assign {mrx_valid_o, mrx_sop_o, mrx_eop_o, mrx_data_o} =
         {m_sends[3], m_sops[3], m_eops[3], m_beats[255:192]};

  // ------------------------------------------------------------------------ up
  logic [GroupW-1:0]  look;
  logic [2:0]         take, empty, odd, refuse, refused;
  logic [32:0]        length;
  logic [47:0]        rank;
  logic [191:0]       what, rdata;
  logic [3*SlotW-1:0] slot;
  logic [3*AddrW-1:0] raddr;
  logic [44:0]        refuse_box;
  logic [3*Groups-1:0] ring_room;
  logic               look_en, ren, m_want, m_down, m_open, m_valid, m_ready, m_sop, m_eop, m_err;
  logic [63:0]        m_data;
  logic [14:0]        m_box;

  // Ports: the children's links, the node.
  for (genvar p = 0; p < 3; p++) begin : g_ring
    localparam int unsigned Own  = p == tern_tree_pkg::Self ? SelfSlots : Slots;
    localparam int unsigned OwnW = $clog2(Own);
    logic        valid, ready, eop, err;
    logic [63:0] data;
    logic [OwnW-1:0] own;
    assign slot[SlotW*p +: SlotW] = SlotW'(own);
    logic unused;
    assign unused = ^raddr[AddrW*p +: AddrW];
    if (p == tern_tree_pkg::Self) begin : g_self
      assign {valid, eop, err, data} = {tx_valid_i, tx_eop_i, 1'b0, tx_data_i};
      assign tx_ready_o = ready;
    end else begin : g_child
      assign {valid, eop, err, data} = {in_valid[p], pk_eop[p], pk_err[p], pk_data[64*p +: 64]};
      assign in_ready[p]  = ready;
      assign take_able[p] = 1'b1;
    end
    tern_tree_ring #(.Groups(Groups), .Slots(Own), .MaxPayload(MaxPayload)) u_ring (
      .clk_i, .rst_ni, .spoil_i, .clear_i(clear), .known_i(on),
      .open_i(by_port[Groups*p +: Groups]), .epoch_i(epoch),
      .valid_i(valid), .ready_o(ready), .eop_i(eop), .err_i(err), .data_i(data),
      .refuse_o(refuse[p]), .refuse_box_o(refuse_box[15*p +: 15]), .refused_i(refused[p]),
      .bad_o(bad[Groups*p +: Groups]), .bad_why_o(bad_why[4*p +: 4]),
      .bad_rank_o(bad_rank[16*p +: 16]), .room_o(ring_room[Groups*p +: Groups]),
      .some_o(some[Groups*p +: Groups]), .look_i(look), .look_en_i(look_en), .empty_o(empty[p]),
      .length_o(length[11*p +: 11]), .rank_o(rank[16*p +: 16]), .what_o(what[64*p +: 64]),
      .slot_o(own), .take_i(take[p]), .gone_i(gone[Groups*p +: Groups]),
      .freed_o(freed[8*Groups*p +: 8*Groups]), .ren_i(ren),
      .raddr_i({raddr[AddrW*p+BeatW+SlotW +: GroupW], raddr[AddrW*p +: BeatW+OwnW]}),
      .rdata_o(rdata[64*p +: 64]), .odd_o(odd[p])
    );
  end
  assign room_o = ring_room[3*Groups-1 -: Groups] & by_port[3*Groups-1 -: Groups];

  tern_tree_merge #(.Groups(Groups), .Slots(SelfSlots), .MaxPayload(MaxPayload)) u_merge (
    .clk_i, .rst_ni, .clear_i(clear), .active_i(active), .expect_i(expects), .epoch_i(epoch),
    .root_i(root), .credit_i(credit), .sent_o(sent), .taken_o(taken), .wrong_o(wrong),
    .wrong_why_o(wrong_why), .wrong_rank_o(wrong_rank),
    .some_i(some), .look_o(look), .look_en_o(look_en), .empty_i(empty), .length_i(length),
    .rank_i(rank), .what_i(what), .slot_i(slot), .take_o(take), .gone_o(gone), .ren_o(ren),
    .raddr_o(raddr), .rdata_i(rdata), .odd_i(odd),
    .want_o(m_want), .down_o(m_down), .box_o(m_box), .open_i(m_open),
    .valid_o(m_valid), .ready_i(m_ready), .sop_o(m_sop), .eop_o(m_eop), .err_o(m_err),
    .data_o(m_data)
  );

  // ---------------------------------------------------------------------- down
  logic [1:0]  d_ready, d_want, d_valid;
  logic        d_open, d_busy, d_sop, d_eop, d_err;
  logic [63:0] d_data;
  logic [8:0]  open, x_ready;     // by link: data, notices, packets for a rank

  tern_tree_down #(.Groups(Groups)) u_down (
    .clk_i, .rst_ni, .active_i(active), .expect_i(expects), .epoch_i(epoch),
    .able_o(take_able[Parent]), .asks_i(asks[Parent]), .begins_i(begins[Parent]),
    .want_i(m_want && m_down), .root_box_i(m_box), .open_o(d_open),
    .valid_i({m_valid && m_down, in_valid[Parent]}), .ready_o(d_ready),
    .eop_i({m_eop, pk_eop[Parent]}), .err_i({m_err, pk_err[Parent]}),
    .data_i({m_data, pk_data[64*Parent +: 64]}),
    .want_o(d_want), .open_i({open[3*Child1], open[3*Child0]}), .valid_o(d_valid),
    .ready_i({x_ready[3*Child1], x_ready[3*Child0]}),
    .own_busy_o(d_busy), .look_o(rx_look_o), .look_group_o(rx_group_o),
    .own_valid_o(rx_valid_o), .own_ready_i(rx_ready_i),
    .sop_o(d_sop), .eop_o(d_eop), .err_o(d_err), .data_o(d_data)
  );
  assign in_ready[Parent] = d_ready[0];
  assign rx_busy_o = d_busy;
  assign m_open  = m_down ? d_open : open[3*Parent];
  assign m_ready = m_down ? d_ready[1] : x_ready[3*Parent];
  assign {rx_sop_o, rx_eop_o, rx_err_o, rx_data_o} = {d_sop, d_eop, d_err, d_data};

  // -------------------------------------------------------------- outputs, notices
  for (genvar p = 0; p < 3; p++) begin : g_out
    logic              n_want, n_valid, n_sop, n_eop, want, valid, sop, eop, err;
    logic [63:0]       n_data, data;
    logic [Groups-1:0] n_gone, n_fell;
    if (p == tern_tree_pkg::Parent) begin : g_up
      assign {want, valid, sop, eop, err} = {m_want && !m_down, m_valid && !m_down, m_sop, m_eop,
                                             m_err};
      assign data   = m_data;
      assign n_gone = '0;
      assign n_fell = fell & ~root;
      logic p_refused;
      tern_tree_notes #(.Groups(Groups)) u_notes (
        .clk_i, .rst_ni, .rank_i, .clear_i(clear), .epoch_i(epoch),
        .status_i(status), .failed_rank_i(failed_rank), .freed_i('0), .gone_i(n_gone),
        .fell_i(n_fell),
        .refuse_i(1'b0), .refuse_box_i('0), .refused_o(p_refused),
        .want_o(n_want), .open_i(open[3*p + 1]), .valid_o(n_valid), .ready_i(x_ready[3*p + 1]),
        .sop_o(n_sop), .eop_o(n_eop), .data_o(n_data)
      );
      logic unused;
      assign unused = p_refused;
    end else begin : g_down
      assign {want, valid, sop, eop, err} = {d_want[p], d_valid[p], d_sop, d_eop, d_err};
      assign data   = d_data;
      assign n_gone = gone[Groups*p +: Groups];
      for (genvar g = 0; g < Groups; g++) begin : g_fell
        assign n_fell[g] = fell[g] && expects[3*g + p];
      end
      tern_tree_notes #(.Groups(Groups)) u_notes (
        .clk_i, .rst_ni, .rank_i, .clear_i(clear), .epoch_i(epoch),
        .status_i(status), .failed_rank_i(failed_rank), .freed_i(freed[8*Groups*p +: 8*Groups]),
        .gone_i(n_gone), .fell_i(n_fell), .refuse_i(refuse[p]),
        .refuse_box_i(refuse_box[15*p +: 15]),
        .refused_o(refused[p]),
        .want_o(n_want), .open_i(open[3*p + 1]), .valid_o(n_valid), .ready_i(x_ready[3*p + 1]),
        .sop_o(n_sop), .eop_o(n_eop), .data_o(n_data)
      );
    end
    tern_tree_out u_out (
      .clk_i, .rst_ni, .room_i(room[6*p +: 6]), .want_i({m_wants[p], n_want, want}),
      .open_o(open[3*p +: 3]), .valid_i({m_sends[p], n_valid, valid}),
      .ready_o(x_ready[3*p +: 3]), .sop_i({m_sops[p], n_sop, sop}),
      .eop_i({m_eops[p], n_eop, eop}), .err_i({1'b0, 1'b0, err}),
      .data_i({m_beats[64*p +: 64], n_data, data}),
      .valid_o(o_valid[p]), .ready_i(o_ready[p]), .sop_o(o_sop[p]), .eop_o(o_eop[p]),
      .err_o(o_err[p]), .vn_o(o_vn[2*p +: 2]), .data_o(o_data[64*p +: 64])
    );
    assign o_open[p]  = open[3*p +: 3] != '0;
    assign m_opens[p] = open[3*p + 2];
    assign m_takes[p] = x_ready[3*p + 2];
  end

  logic [Groups-1:0] own_fell;
  for (genvar g = 0; g < Groups; g++) begin : g_own
    assign own_fell[g] = fell[g] && expects[3*g + tern_tree_pkg::Self];
  end
  tern_tree_event #(.Groups(Groups)) u_event (
    .clk_i, .rst_ni, .rank_i, .clear_i(clear), .epoch_i(epoch), .status_i(status),
    .failed_rank_i(failed_rank), .fell_i(own_fell), .refuse_i(refuse[tern_tree_pkg::Self]),
    .refuse_box_i(refuse_box[15*tern_tree_pkg::Self +: 15]),
    .hold_i(d_busy), .refused_o(refused[tern_tree_pkg::Self]),
    .valid_o(ev_valid_o), .ready_i(ev_ready_i), .box_o(ev_box_o), .status_o(ev_status_o),
    .rank_o(ev_rank_o)
  );

  logic unused;
  assign unused = ^{freed[24*Groups-1 -: 8*Groups], n_count[15:0], n_freed[1:0],
                    ring_room[2*Groups-1:0], m_wants[3]};

endmodule

`default_nettype wire
