// SPDX-License-Identifier: Apache-2.0
// Contributions that arrive at one port of a tree node, in a ring of `Slots` for each group.
//
// A contribution counts (`some_o` of its group) once all of it has arrived undamaged; a damaged one
// is overwritten, because the link brings it again. It is discarded if its group is not open here,
// and refused if the node has no such group in this epoch: `refuse_o` holds with the packet's box
// until `refused_i`, and the port takes no packet meanwhile. `bad_o` reports a contribution that
// contradicts itself, or comes without room, a cycle after its last beat; the group then fails.
//
// The head of the ring of group `look_i` is visible from the cycle after `look_en_i` on, except
// `slot_o`, which follows `look_i` at once. `take_i` removes the head of group `look_i`; its
// payload may be read until `gone_i`, which frees the slot and counts it. A beat read (`ren_i`)
// comes a cycle later, with the parity that was stored with it.
`default_nettype none

module tern_tree_ring #(
  parameter int unsigned Groups     = 4,
  parameter int unsigned Slots      = 4,
  parameter int unsigned MaxPayload = 512
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                spoil_i,     // for tests: stores a wrong bit
  // groups
  input  logic [Groups-1:0]   clear_i,     // set up anew
  input  logic [Groups-1:0]   known_i,     // set up here, maybe failed
  input  logic [Groups-1:0]   open_i,      // ... waits for contributions of this port
  input  logic [8*Groups-1:0] epoch_i,
  // packets
  input  logic                valid_i,
  output logic                ready_o,
  input  logic                eop_i,
  input  logic                err_i,
  input  logic [63:0]         data_i,
  output logic                refuse_o,
  output logic [14:0]         refuse_box_o,
  input  logic                refused_i,
  output logic [Groups-1:0]   bad_o,       // pulse, a cycle after the last beat
  output logic [3:0]          bad_why_o,
  output logic [15:0]         bad_rank_o,
  output logic [Groups-1:0]   room_o,      // one more may come
  // contributions
  output logic [Groups-1:0]   some_o,
  input  logic [$clog2(Groups)-1:0] look_i,
  input  logic                look_en_i,
  output logic                empty_o,
  output logic [10:0]         length_o,
  output logic [15:0]         rank_o,
  output logic [63:0]         what_o,      // key, opid, number
  output logic [$clog2(Slots)-1:0] slot_o,
  input  logic                take_i,
  input  logic [Groups-1:0]   gone_i,
  output logic [8*Groups-1:0] freed_o,
  input  logic                ren_i,
  input  logic [$clog2(Groups*Slots*MaxPayload/8)-1:0] raddr_i,   // group, slot, beat
  output logic [63:0]         rdata_o,
  output logic                odd_o        // parity error in rdata_o
);

  localparam int unsigned Beats = MaxPayload / 8;
  localparam int unsigned BeatW = $clog2(Beats);
  localparam int unsigned SlotW = $clog2(Slots);
  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned HeadW = 1 + 11 + 16 + 64;

  // ------------------------------------------------------------------- arrival
  // Beat of the packet: 0 to 3 the header, then payload, up to 7 bits.
  logic [7:0]        beat_q, words_q;
  logic [14:0]       box_q;
  logic [10:0]       length_q;
  logic [15:0]       src_q;
  logic [63:0]       what_q;
  logic              empty_q, data_q, version_q, fits_q;
  logic [GroupW-1:0] group;
  logic              in_range, current, mine, proper, room, move, last, commit, we;
  logic [7:0]        payload, expected;
  logic [2:0]        op;
  logic              wide, refuse_q;

  assign ready_o  = !refuse_q;
  assign move     = valid_i && ready_o;
  assign last     = move && eop_i && !err_i && beat_q >= 8'd4;
  assign group    = box_q[GroupW-1:0];
  assign in_range = 32'(box_q[6:0]) < Groups;
  assign payload  = 8'(length_q[10:3]) + 8'(length_q[2:0] != '0);
  assign expected = 8'd5 + (empty_q ? 8'd0 : payload);
  assign op       = what_q[tern_abi_pkg::TRP_OP_LSB%64 +: 3];
  assign wide     = what_q[tern_abi_pkg::TRP_WIDE_LSB%64];
  assign proper   = fits_q && beat_q + 8'd1 == words_q &&
                    !(wide && length_q[2]) && op <= 3'(tern_abi_pkg::TREE_XOR);

  always_comb begin
    current = 1'b0;
    mine    = 1'b0;
    for (int g = 0; g < Groups; g++) begin
      if (in_range && group == GroupW'(g) && known_i[g] && epoch_i[8*g +: 8] == box_q[14:7]) begin
        current = 1'b1;
        mine    = open_i[g];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   beat_q <= '0;
    else if (move) beat_q <= eop_i ? '0 : beat_q + 8'(beat_q != '1);
    if (move && beat_q == 8'd0) begin
      box_q   <= data_i[tern_abi_pkg::PKT_BOX_LSB +: 15];
      words_q <= data_i[tern_abi_pkg::PKT_WORDS_LSB +: 8];
    end
    if (move && beat_q == 8'd1) begin
      data_q    <= data_i[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8] == 8'(tern_abi_pkg::TREE_DATA);
      version_q <= data_i[tern_abi_pkg::PKT_VERSION_LSB-64 +: 4] == 4'(tern_abi_pkg::PKT_VERSION);
      empty_q   <= data_i[tern_abi_pkg::TRP_EMPTY_LSB-64];
      src_q     <= data_i[tern_abi_pkg::PKT_SRC_LSB-64 +: 16];
      length_q  <= data_i[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 11];
    end
    if (move && beat_q == 8'd3) what_q <= data_i;
    // Long before the last beat.
    fits_q <= data_q && version_q && words_q == expected && length_q <= 11'(MaxPayload) &&
              length_q[1:0] == '0;
  end

  // ----------------------------------------------------------------- decision
  assign commit     = last && mine && proper && room;
  // Reported a cycle later: from the link to the state of a group is a long way.
  assign bad_rank_o = src_q;
  always_ff @(posedge clk_i) begin
    for (int g = 0; g < Groups; g++)
      bad_o[g] <= rst_ni && !clear_i[g] && last && mine && group == GroupW'(g) &&
                  !(proper && room);
    bad_why_o <= proper ? 4'(tern_abi_pkg::TREE_OVERRUN) : 4'(tern_abi_pkg::TREE_MALFORMED);
  end

  assign refuse_o = refuse_q;
  assign refuse_box_o = box_q;
  always_ff @(posedge clk_i) begin
    refuse_q <= rst_ni && ((last && !current) || (refuse_q && !refused_i));
  end

  // -------------------------------------------------------------------- rings
  logic [SlotW-1:0]        put, get;
  logic [(SlotW+1)*Groups-1:0] used, kept;    // used: until gone; kept: until taken
  logic [SlotW*Groups-1:0] puts, gets;

  for (genvar g = 0; g < Groups; g++) begin : g_ring
    logic [SlotW:0]   put_q, get_q, end_q;    // end_q: up to here freed
    logic [7:0]       freed_q;
    assign puts[SlotW*g +: SlotW]         = put_q[SlotW-1:0];
    assign gets[SlotW*g +: SlotW]         = get_q[SlotW-1:0];
    assign used[(SlotW+1)*g +: SlotW+1]   = put_q - end_q;
    assign kept[(SlotW+1)*g +: SlotW+1]   = put_q - get_q;
    assign some_o[g]                      = put_q != get_q;
    assign freed_o[8*g +: 8]              = freed_q;
    assign room_o[g]                      = put_q != {!end_q[SlotW], end_q[SlotW-1:0]};
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[g]) begin
        put_q   <= '0;
        get_q   <= '0;
        end_q   <= '0;
        freed_q <= '0;
      end else begin
        if (commit && group == GroupW'(g))  put_q <= put_q + 1'b1;
        if (take_i && look_i == GroupW'(g)) get_q <= get_q + 1'b1;
        if (gone_i[g]) begin
          end_q   <= end_q + 1'b1;
          freed_q <= freed_q + 8'd1;
        end
        SlotsKept: assert (32'(used[(SlotW+1)*g +: SlotW+1]) <= Slots &&
                           kept[(SlotW+1)*g +: SlotW+1] <= used[(SlotW+1)*g +: SlotW+1]);
        TookOne:   assert (!(take_i && look_i == GroupW'(g)) || some_o[g]);
      end
    end
  end

  always_comb begin
    room = 1'b0;
    put  = '0;
    get  = '0;
    for (int g = 0; g < Groups; g++) begin
      if (group == GroupW'(g)) begin
        room = room_o[g];
        put  = puts[SlotW*g +: SlotW];
      end
      if (look_i == GroupW'(g)) get = gets[SlotW*g +: SlotW];
    end
  end
  assign slot_o = get;

  // ------------------------------------------------------------------- memory
  // A contribution without room must not touch the slots in use.
  logic [7:0]       place;
  logic [HeadW-1:0] head;
  logic             parity;
  assign place = beat_q - 8'd4;
  assign we    = move && beat_q >= 8'd4 && !eop_i && in_range && room && 32'(place) < Beats;

  // Many heads in LUT RAM would need wide multiplexers.
  tern_ram #(
    .Width(HeadW), .Words(Groups * Slots), .Apart(1'b1), .Block(Groups * Slots > 16)
  ) u_heads (
    .clk_i,
    .ren_i  (look_en_i), .raddr_i({look_i, get}), .rdata_o(head),
    .we_i   (commit),
    .waddr_i({group, put}), .wdata_i({empty_q, length_q, src_q, what_q})
  );
  assign {empty_o, length_o, rank_o, what_o} = head;

  tern_ram #(.Width(65), .Words(Groups * Slots * Beats), .Apart(1'b1)) u_beats (
    .clk_i,
    .ren_i, .raddr_i, .rdata_o({parity, rdata_o}),
    .we_i(we), .waddr_i({group, put, place[BeatW-1:0]}),
    .wdata_i({^data_i, data_i[63:1], data_i[0] ^ spoil_i})
  );
  assign odd_o = parity != ^rdata_o;

endmodule

`default_nettype wire
