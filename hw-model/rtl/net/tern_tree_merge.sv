// SPDX-License-Identifier: Apache-2.0
// Combines the contributions of a group's ports to one, beat by beat.
//
// Groups whose ports all have a contribution, and credit at the parent, take turns. The
// contributions must be equal in operation, type, length and number, else the group fails and names
// a rank of the port that differs from the first. Then the output is requested (`want_o`) until the
// packet's last beat has moved, which frees the slots.
//
// One beat a cycle; four cycles from `want_o` to the first beat. A failure is reported in the cycle
// after the one in which it is found. A packet whose stored beats are damaged, or whose group was
// set up anew meanwhile, ends with `err_o`, so that all who receive it discard it.
`default_nettype none

module tern_tree_merge #(
  parameter int unsigned Groups     = 4,
  parameter int unsigned Slots      = 4,
  parameter int unsigned MaxPayload = 512
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // groups
  input  logic [Groups-1:0]    clear_i,
  input  logic [Groups-1:0]    active_i,
  input  logic [3*Groups-1:0]  expect_i,
  input  logic [8*Groups-1:0]  epoch_i,
  input  logic [Groups-1:0]    root_i,
  input  logic [Groups-1:0]    credit_i,
  output logic [Groups-1:0]    sent_o,         // pulse: one leaves to the parent
  output logic [Groups-1:0]    taken_o,
  output logic [Groups-1:0]    wrong_o,
  output logic [3:0]           wrong_why_o,
  output logic [15:0]          wrong_rank_o,
  // rings: children, the node
  input  logic [3*Groups-1:0]  some_i,
  output logic [$clog2(Groups)-1:0] look_o,
  output logic                 look_en_o,      // the heads come a cycle later, and stay
  input  logic [2:0]           empty_i,
  input  logic [32:0]          length_i,
  input  logic [47:0]          rank_i,
  input  logic [191:0]         what_i,
  input  logic [3*$clog2(Slots)-1:0] slot_i,
  output logic [2:0]           take_o,
  output logic [3*Groups-1:0]  gone_o,
  output logic                 ren_o,
  output logic [3*$clog2(Groups*Slots*MaxPayload/8)-1:0] raddr_o,
  input  logic [191:0]         rdata_i,
  input  logic [2:0]           odd_i,
  // packet, up or down
  output logic                 want_o,
  output logic                 down_o,         // the root is here
  output logic [14:0]          box_o,
  input  logic                 open_i,         // until the last beat has moved
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic                 sop_o,
  output logic                 eop_o,
  output logic                 err_o,
  output logic [63:0]          data_o
);

  localparam int unsigned GroupW = $clog2(Groups);
  localparam int unsigned SlotW  = $clog2(Slots);
  localparam int unsigned BeatW  = $clog2(MaxPayload / 8);

  typedef enum logic [2:0] { StPick, StLook, StCompare, StCheck, StReady } state_e;
  state_e state_q;

  // ------------------------------------------------------------------ choosing
  // The next group is chosen and checked while the one before is sent.
  logic [Groups-1:0] complete, pick, next, here;
  logic [GroupW-1:0] look_q, group_q, picked;
  logic              go, busy_q, done;
  for (genvar g = 0; g < Groups; g++) begin : g_complete
    logic [2:0] have;
    assign have = {some_i[2*Groups + g], some_i[Groups + g], some_i[g]};
    assign complete[g] = active_i[g] && !clear_i[g] && expect_i[3*g +: 3] != '0 &&
                         (expect_i[3*g +: 3] & ~have) == '0 && (root_i[g] || credit_i[g]);
    assign next[g] = look_q == GroupW'(g);
    assign here[g] = group_q == GroupW'(g);
  end
  tern_tree_turn #(.N(Groups)) u_turn (
    .clk_i, .rst_ni, .req_i(complete), .take_i(state_q == StPick && complete != '0), .pick_o(pick)
  );
  always_comb begin
    picked = '0;
    for (int g = 0; g < Groups; g++) if (pick[g]) picked = GroupW'(g);
  end

  // The chosen group. Only a new set-up changes the ports that it waits for.
  logic [2:0] want;
  logic [7:0] epoch;
  logic       live, root, cleared;
  always_comb begin
    want    = '0;
    epoch   = '0;
    live    = 1'b0;
    root    = 1'b0;
    cleared = 1'b0;
    for (int g = 0; g < Groups; g++) begin
      if (next[g]) begin
        want  = expect_i[3*g +: 3];
        epoch = epoch_i[8*g +: 8];
        live  = active_i[g] && !clear_i[g];
        root  = root_i[g];
      end
      if (here[g]) cleared = clear_i[g];
    end
  end
  assign look_o    = look_q;
  assign look_en_o = state_q == StLook;

  // ------------------------------------------------------------------ checking
  // Each port is compared with the first one that the group waits for.
  logic [2:0]  unlike_q, differs, full, full_q, want_q;
  logic [63:0] what, what_q;
  logic [10:0] length, length_q;
  logic [15:0] rank, rank_q;
  logic        root_q;
  logic [7:0]  words_q, epoch_q;
  logic [3*SlotW-1:0] slot_q;
  logic [47:0] ranks_q;
  assign what   = want[0] ? what_i[63:0] : want[1] ? what_i[127:64] : what_i[191:128];
  assign length = want[0] ? length_i[10:0] : want[1] ? length_i[21:11] : length_i[32:22];
  assign rank   = want[0] ? rank_i[15:0] : want[1] ? rank_i[31:16] : rank_i[47:32];
  for (genvar p = 0; p < 3; p++) begin : g_unlike
    localparam int unsigned Q = (p + 1) % 3;
    always_ff @(posedge clk_i) unlike_q[p] <= what_i[64*p +: 64] != what_i[64*Q +: 64] ||
                                              length_i[11*p +: 11] != length_i[11*Q +: 11];
  end
  assign differs = {want[2] && (want[0] ? unlike_q[2] : want[1] && unlike_q[1]),
                    want[1] && want[0] && unlike_q[0], 1'b0};
  assign full    = want & ~empty_i;

  // ------------------------------------------------------------------- sending
  logic [2:0] odd;                // parity errors in this cycle
  logic [7:0] beat_q;
  logic       issue, killed_q, advance, last_q;
  assign go      = state_q == StReady && live && (!busy_q || done);
  assign want_o  = busy_q;
  assign down_o  = root_q;
  assign box_o   = {epoch_q, 7'(group_q)};
  assign issue   = busy_q && advance && !last_q;
  assign take_o  = want & {3{go}};
  assign taken_o = next & {Groups{go}};
  assign sent_o  = next & {Groups{go && !root}};
  assign done    = valid_o && ready_i && eop_o;
  for (genvar p = 0; p < 3; p++) begin : g_gone
    assign gone_o[Groups*p +: Groups] = here & ~clear_i &
                                        {Groups{done && want_q[p] && !killed_q}};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StPick;
      busy_q  <= 1'b0;
    end else begin
      case (state_q)
        StPick: if (complete != '0) begin
          state_q <= StLook;
          look_q  <= picked;
        end
        // A new set-up empties the rings.
        StLook:    state_q <= live ? StCompare : StPick;
        StCompare: state_q <= live ? StCheck : StPick;
        // One failure at a time: damage of the packet before comes first.
        StCheck: if (odd == '0) state_q <= live && differs == '0 ? StReady : StPick;
        default: if (go || !live) state_q <= StPick;
      endcase
      busy_q <= go || (busy_q && !done);
    end
    if (go) begin
      group_q  <= look_q;
      what_q   <= what;
      length_q <= length;
      rank_q   <= rank;
      ranks_q  <= rank_i;
      root_q   <= root;
      full_q   <= full;
      want_q   <= want;
      slot_q   <= slot_i;
      epoch_q  <= epoch;
      words_q  <= 8'd5 + (full == '0 ? 8'd0 : 8'(length[10:3]) + 8'(length[2:0] != '0));
    end
    killed_q <= busy_q && !done && (killed_q || cleared);
    if (go || !busy_q) begin
      beat_q <= '0;
      last_q <= 1'b0;
    end else if (issue) begin
      beat_q <= beat_q + 8'd1;
      last_q <= beat_q + 8'd1 == words_q;
    end
  end

  logic [63:0] header;
  logic        payload, ends;
  assign ends    = beat_q + 8'd1 == words_q;
  assign payload = beat_q >= 8'd4 && !ends;
  always_comb begin
    header = '0;
    case (beat_q)
      8'd0: begin
        header[tern_abi_pkg::PKT_VN_LSB +: 2]    = 2'(tern_abi_pkg::VN_DATA);
        header[tern_abi_pkg::PKT_WORDS_LSB +: 8] = words_q;
        header[tern_abi_pkg::PKT_BOX_LSB +: 15]  = {epoch_q, 7'(group_q)};
      end
      8'd1: begin
        header[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8]    = 8'(tern_abi_pkg::TREE_DATA);
        header[tern_abi_pkg::TRP_EMPTY_LSB-64] = full_q == '0;
        header[tern_abi_pkg::PKT_VERSION_LSB-64 +: 4] = 4'(tern_abi_pkg::PKT_VERSION);
        header[tern_abi_pkg::PKT_SRC_LSB-64 +: 16]    = rank_q;
        header[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 11] = length_q;
      end
      8'd3:    header = what_q;
      default: header = '0;
    endcase
  end

  logic [BeatW-1:0] place;
  assign place = BeatW'(beat_q - 8'd4);
  assign ren_o = issue && payload && !killed_q;
  for (genvar p = 0; p < 3; p++) begin : g_address
    assign raddr_o[(GroupW+SlotW+BeatW)*p +: GroupW+SlotW+BeatW] =
        {group_q, slot_q[SlotW*p +: SlotW], place};
  end

  // ------------------------------------- pipeline: read, register, children, the node
  // The register is there because block RAM answers late.
  logic        v0_q, sop0_q, eop0_q, pay0_q, v1_q, sop1_q, eop1_q, pay1_q;
  logic        v2_q, sop2_q, eop2_q, pay2_q, v3_q, sop3_q, eop3_q, spoilt_q;
  logic [2:0]  op, odd1_q;
  logic [63:0] head0_q, head1_q, a2_q, b2_q, out_q, sum1, sum2;
  logic [191:0] beats1_q;

  assign op      = what_q[tern_abi_pkg::TRP_OP_LSB%64 +: 3];
  assign advance = !v3_q || ready_i;
  assign odd     = odd1_q & full_q & {3{v1_q && pay1_q && !killed_q && advance}};

  tern_tree_alu u_children (
    .op_i(op), .wide_i(what_q[tern_abi_pkg::TRP_WIDE_LSB%64]),
    .signed_i(what_q[tern_abi_pkg::TRP_SIGNED_LSB%64]),
    .a_i(beats1_q[63:0]), .b_i(beats1_q[127:64]), .y_o(sum1)
  );
  tern_tree_alu u_self (
    .op_i(op), .wide_i(what_q[tern_abi_pkg::TRP_WIDE_LSB%64]),
    .signed_i(what_q[tern_abi_pkg::TRP_SIGNED_LSB%64]),
    .a_i(a2_q), .b_i(b2_q), .y_o(sum2)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      v0_q <= 1'b0;
      v1_q <= 1'b0;
      v2_q <= 1'b0;
      v3_q <= 1'b0;
    end else if (advance) begin
      v0_q <= issue;
      v1_q <= v0_q;
      v2_q <= v1_q;
      v3_q <= v2_q;
    end
    if (advance) begin
      sop0_q  <= beat_q == 8'd0;
      eop0_q  <= ends;
      pay0_q  <= payload;
      head0_q <= header;
      sop1_q  <= sop0_q;
      eop1_q  <= eop0_q;
      pay1_q  <= pay0_q;
      head1_q <= head0_q;
      odd1_q  <= odd_i;
      beats1_q <= rdata_i;
      sop2_q  <= sop1_q;
      eop2_q  <= eop1_q;
      pay2_q  <= pay1_q;
      a2_q    <= !pay1_q ? head1_q : full_q[1:0] == 2'b11 ? sum1 :
                 full_q[1] ? beats1_q[127:64] : beats1_q[63:0];
      b2_q    <= beats1_q[191:128];
      sop3_q  <= sop2_q;
      eop3_q  <= eop2_q;
      out_q   <= !pay2_q || !full_q[2] ? a2_q : full_q[1:0] == '0 ? b2_q : sum2;
    end
    spoilt_q <= busy_q && !done && (spoilt_q || odd != '0 || killed_q || cleared);
  end

  assign valid_o = v3_q;
  assign sop_o   = sop3_q;
  assign eop_o   = eop3_q;
  assign err_o   = spoilt_q;
  assign data_o  = out_q;

  // ------------------------------------------------------------------ failures
  logic        unlike;
  logic [1:0]  named;
  logic [47:0] ranks;
  assign unlike       = state_q == StCheck && odd == '0 && live && differs != '0;
  assign named        = unlike ? differs[1:0] : odd[1:0];
  assign ranks        = unlike ? rank_i : ranks_q;
  always_ff @(posedge clk_i) begin
    wrong_o      <= ((next & {Groups{unlike}}) | (here & {Groups{odd != '0}})) & ~clear_i &
                    {Groups{rst_ni}};
    wrong_why_o  <= unlike ? 4'(tern_abi_pkg::TREE_MISMATCH) : 4'(tern_abi_pkg::TREE_DAMAGED);
    wrong_rank_o <= named[0] ? ranks[15:0] : named[1] ? ranks[31:16] : ranks[47:32];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OpenFirst: assert (!(valid_o && ready_i) || open_i);
    end
  end

endmodule

`default_nettype wire
