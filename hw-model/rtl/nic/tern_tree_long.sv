// SPDX-License-Identifier: Apache-2.0
// Takes puts of this node to itself on a detour through the tree network.
//
// The transmit unit sends a packet on the network VN_TREE. This block replaces the packet's header
// by that of a contribution to the group in its type field, with the operation that TREE_GO armed,
// and keeps the header in a ring of the group. When the combination comes back, the block puts the
// kept header in front of it again. This node's receive unit then handles it as any put: it checks
// the key, writes the bytes and acknowledges the packet. If the group fails or is not set up, the
// block refuses the packet on `nak_*` instead. So each packet has exactly one answer.
//
// Throughput is one beat per cycle. The first beat of a contribution leaves one cycle after the
// second beat of its packet arrived; a combination becomes a put with one cycle of latency. A
// stalled beat is held. The firmware keeps at most `Slots` packets of a group in flight, so the
// transmit unit never waits for a group.
`default_nettype none

module tern_tree_long #(
  parameter int unsigned Groups = tern_abi_pkg::TREE_GROUPS,
  parameter int unsigned Slots  = tern_abi_pkg::TREE_LONG_SLOTS
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                down_i,       // the core is in reset: forgets all packets
  input  logic [15:0]         node_i,
  input  logic [15:0]         rank_i,
  // groups
  input  logic                arm_i,
  input  logic [$clog2(Groups)-1:0] arm_group_i,
  input  logic [16:0]         arm_what_i,   // packets less one, number, signed, wide, operation
  input  logic [Groups-1:0]   open_i,       // set up, and not failed
  input  logic [8*Groups-1:0] epoch_i,
  output logic [Groups-1:0]   some_o,       // packets wait for their answers
  // packets of the transmit unit
  input  logic                tx_valid_i,
  output logic                tx_ready_o,
  input  logic                tx_eop_i,
  input  logic [63:0]         tx_data_i,
  // contributions
  output logic                up_begun_o,   // a packet's first beat has left
  output logic                up_valid_o,
  input  logic                up_ready_i,
  output logic                up_eop_o,
  output logic [63:0]         up_data_o,
  // combinations, of groups with packets here
  input  logic                rx_valid_i,
  output logic                rx_ready_o,
  input  logic                rx_sop_i,
  input  logic                rx_eop_i,
  input  logic                rx_err_i,
  input  logic                rx_near_i,    // one is on its way, or may be
  input  logic [$clog2(Groups)-1:0] rx_group_i,   // from before its first beat to the last
  input  logic [63:0]         rx_data_i,
  // puts for this node
  output logic                put_valid_o,
  input  logic                put_ready_i,
  output logic                put_sop_o,
  output logic                put_eop_o,
  output logic [63:0]         put_data_o,
  // answers to packets of groups that failed
  output logic                nak_valid_o,
  input  logic                nak_ready_i,
  output logic [15:0]         nak_opid_o
);

  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned SlotW  = $clog2(Slots);

  // ------------------------------------------------------------- contributions
  // The second beat names the group, which the first beat of the contribution needs.
  typedef enum logic [2:0] { StFirst, StGroup, StSecond, StThird, StFourth, StRest } state_e;
  state_e            state_q;
  logic [7:0]        words_q, epoch;
  logic [GroupW-1:0] group_q, group;
  logic [16:0]       what, what_q [Groups];
  logic              drop_q, open, move;

  assign group = state_q == StGroup ? tx_data_i[tern_abi_pkg::PKT_TYPE_LSB-64 +: GroupW] : group_q;
  always_comb begin
    open  = 1'b0;
    epoch = '0;
    for (int g = 0; g < Groups; g++) begin
      if (group == GroupW'(g)) begin
        open  = open_i[g];
        epoch = epoch_i[8*g +: 8];
      end
    end
  end

  assign up_begun_o = !drop_q && (state_q == StSecond || state_q == StThird ||
                                  state_q == StFourth || state_q == StRest);
  assign up_valid_o = tx_valid_i && (state_q == StGroup ? open : up_begun_o);
  assign up_eop_o   = state_q == StRest && tx_eop_i;
  assign tx_ready_o = state_q == StFirst || (state_q != StGroup && (drop_q || up_ready_i));
  assign move       = tx_valid_i && tx_ready_o;

  always_ff @(posedge clk_i) begin
    if (arm_i) what_q[arm_group_i] <= arm_what_i;
    if (!rst_ni) begin
      state_q <= StFirst;
    end else begin
      case (state_q)
        StFirst:  if (move) state_q <= StGroup;
        StGroup:  if (tx_valid_i && (up_ready_i || !open)) state_q <= StSecond;
        StSecond: if (move) state_q <= StThird;
        StThird:  if (move) state_q <= StFourth;
        StFourth: if (move) state_q <= StRest;
        default:  if (move && tx_eop_i) state_q <= StFirst;
      endcase
    end
    if (state_q == StFirst && move) words_q <= tx_data_i[tern_abi_pkg::PKT_WORDS_LSB +: 8];
    if (state_q == StGroup) begin
      group_q <= group;
      drop_q  <= !open;
    end
  end

  assign what = what_q[group_q];
  always_comb begin
    up_data_o = '0;
    case (state_q)
      StGroup: begin
        up_data_o[tern_abi_pkg::PKT_VN_LSB +: 2]    = 2'(tern_abi_pkg::VN_DATA);
        up_data_o[tern_abi_pkg::PKT_WORDS_LSB +: 8] = words_q;
        up_data_o[tern_abi_pkg::PKT_BOX_LSB +: 15]  = {epoch, 7'(group)};
      end
      StSecond: begin
        up_data_o[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8]    = 8'(tern_abi_pkg::TREE_DATA);
        up_data_o[tern_abi_pkg::PKT_VERSION_LSB-64 +: 4] = 4'(tern_abi_pkg::PKT_VERSION);
        up_data_o[tern_abi_pkg::PKT_SRC_LSB-64 +: 16]    = rank_i;
        up_data_o[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 11] =
            tx_data_i[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 11];
      end
      StFourth: begin
        up_data_o[tern_abi_pkg::TRP_OP_LSB%64 +: 3]     = what[2:0];
        up_data_o[tern_abi_pkg::TRP_WIDE_LSB%64]        = what[3];
        up_data_o[tern_abi_pkg::TRP_SIGNED_LSB%64]      = what[4];
        up_data_o[tern_abi_pkg::TRP_NUMBER_LSB%64 +: 8] = what[12:5];
        up_data_o[tern_abi_pkg::TRP_MORE_LSB%64 +: 4]   = what[16:13];
        up_data_o[tern_abi_pkg::TRP_MEMORY_LSB%64]      = 1'b1;
      end
      StRest:  up_data_o = tx_data_i;
      default: up_data_o = '0;
    endcase
  end

  // ------------------------------------------------------------------- headers
  // Beats 1 to 3 of each packet. A read takes a cycle: beat n of a combination reads beat n + 1 of
  // the header when it moves, and an answer reads beat 3 when no combination comes.
  logic [SlotW*Groups-1:0] puts, gets;
  logic [SlotW-1:0]        put, get;
  logic [GroupW-1:0]       read, nak_group;
  logic [1:0]              head_at, rx_at;
  logic [63:0]             head;
  logic                    commit, rx_reads, rx_done, nak_reads, we;

  assign we = move && (state_q == StSecond || state_q == StThird || state_q == StFourth);
  assign head_at = state_q == StSecond ? 2'd1 : state_q == StThird ? 2'd2 : 2'd3;
  always_comb begin
    put = '0;
    get = '0;
    for (int g = 0; g < Groups; g++) begin
      if (group_q == GroupW'(g)) put = puts[SlotW*g +: SlotW];
      if (read == GroupW'(g))    get = gets[SlotW*g +: SlotW];
    end
  end
  tern_ram #(.Width(64), .Words(4 * Groups * Slots), .Apart(1'b1), .Block(1'b1)) u_heads (
    .clk_i,
    .ren_i(rx_reads || nak_reads), .raddr_i({read, get, rx_at}), .rdata_o(head),
    .we_i(we), .waddr_i({group_q, put, head_at}), .wdata_i(tx_data_i)
  );

  assign commit = move && state_q == StRest && tx_eop_i;
  for (genvar g = 0; g < Groups; g++) begin : g_group
    logic [SlotW:0] put_q, get_q, count;
    logic           takes, gives;
    assign takes     = commit && group_q == GroupW'(g);
    assign gives     = (rx_done && rx_group_i == GroupW'(g)) ||
                       (nak_reads && nak_group == GroupW'(g));
    assign count     = put_q - get_q;
    assign some_o[g] = put_q != get_q;
    assign puts[SlotW*g +: SlotW] = put_q[SlotW-1:0];
    assign gets[SlotW*g +: SlotW] = get_q[SlotW-1:0];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || down_i) begin
        put_q <= '0;
        get_q <= '0;
      end else begin
        if (takes) put_q <= put_q + 1'b1;
        if (gives) get_q <= get_q + 1'b1;
        RoomKept: assert (!takes || 32'(count) < Slots);
        SomeHere: assert (!gives || count != '0);
      end
    end
  end

  // ---------------------------------------------------------------------- puts
  logic [2:0]  beat_q;
  logic        on, rx_move, in_q, err_q, eop_q, sop_q;
  logic [63:0] data, data_q, covered_q;
  logic [31:0] crc;

  assign on         = !put_valid_o || put_ready_i;
  assign rx_ready_o = on;
  assign rx_move    = rx_valid_i && on;
  assign rx_done    = rx_move && rx_eop_i && !rx_err_i;
  assign rx_reads   = rx_move && beat_q < 3'd3;
  assign rx_at      = rx_valid_i ? beat_q[1:0] + 2'd1 : 2'd3;
  assign read       = rx_valid_i ? rx_group_i : nak_group;

  always_comb begin
    data = rx_data_i;
    if (rx_sop_i) begin
      data = '0;
      data[tern_abi_pkg::PKT_DST_LSB +: 15]  = node_i[14:0];
      data[tern_abi_pkg::PKT_VN_LSB +: 2]    = 2'(tern_abi_pkg::VN_DATA);
      data[tern_abi_pkg::PKT_WORDS_LSB +: 8] = rx_data_i[tern_abi_pkg::PKT_WORDS_LSB +: 8];
    end else if (!beat_q[2]) begin
      data = head;
      if (beat_q[1:0] == 2'd1)
        data[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8] = 8'(tern_abi_pkg::PTYPE_PUT);
    end
  end

  // Of the first beat the CRC covers only the destination.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)      beat_q <= '0;
    else if (rx_move) beat_q <= rx_eop_i ? 3'd0 : beat_q + 3'(!beat_q[2]);
    if (!rst_ni)      in_q <= 1'b0;
    else if (rx_move) in_q <= !rx_eop_i;
    if (!rst_ni) put_valid_o <= 1'b0;
    else if (on) put_valid_o <= rx_valid_i;
    if (on) begin
      data_q    <= data;
      covered_q <= rx_sop_i ? 64'(data[tern_abi_pkg::PKT_DST_LSB +: 15]) : data;
      sop_q     <= rx_sop_i;
      eop_q     <= rx_eop_i;
      err_q     <= rx_err_i;
    end
  end
  tern_e2e_crc #(.DataW(64)) u_crc (
    .clk_i, .en_i(put_valid_o && put_ready_i && !eop_q), .first_i(sop_q), .data_i(covered_q),
    .crc_o(crc)
  );
  assign put_sop_o  = sop_q;
  assign put_eop_o  = eop_q;
  assign put_data_o = eop_q ? {32'd0, crc ^ {32{err_q}}} : data_q;   // a damaged one is discarded

  // ------------------------------------------------------------------- answers
  // A packet leaves its group when its header is read, while no combination comes.
  logic [Groups-1:0] dead;
  logic              nak_free, nak_read_q;
  assign dead     = some_o & ~open_i;
  assign nak_free = !rx_near_i && !rx_valid_i && !in_q && !nak_read_q && !nak_valid_o;
  always_comb begin
    nak_group = '0;
    for (int g = Groups - 1; g >= 0; g--) if (dead[g]) nak_group = GroupW'(g);
  end
  assign nak_reads = nak_free && dead != '0 && !down_i;
  always_ff @(posedge clk_i) begin
    nak_read_q  <= rst_ni && nak_reads;
    nak_valid_o <= rst_ni && !down_i && (nak_read_q || (nak_valid_o && !nak_ready_i));
    if (nak_read_q) nak_opid_o <= head[tern_abi_pkg::PKT_OPID_LSB%64 +: 16];
  end

  // A stalled beat neither vanishes nor changes.
  logic        stalled_q;
  logic [63:0] held_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && put_valid_o && !put_ready_i;
    held_q    <= data_q;
    if (rst_ni && stalled_q) PutHeld: assert (put_valid_o && data_q == held_q);
  end

  logic unused;
  assign unused = node_i[15];

endmodule

`default_nettype wire
