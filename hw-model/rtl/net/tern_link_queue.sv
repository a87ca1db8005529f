// SPDX-License-Identifier: Apache-2.0
// Queues the packets in the six channels of a link's buffer, and chooses the next candidate.
//
// A channel is a ring of blocks; a packet begins with a block (its place). LUT RAM holds the copies
// owed by the packet of each place, and the beginning and end of each channel. The candidate is the
// first packet of some channel, in registers. If `able_i` is low, or a cycle after the candidate
// was taken (`start_i`), the next channel with packets presents its first packet; without one, the
// packet that arrives in this cycle is presented. A channel whose first packet was taken presents
// nothing until `settle_i`, which says whether that packet still owes copies or is gone.
//
// `cut_i`: the last packet to arrive was damaged. If no copy of it has begun (`!begun_i`), it is
// discarded. In that cycle no packet arrives, no candidate is shown, and none settles.
//
// The LUT RAM is cleared in the eight cycles after reset.
`default_nettype none

module tern_link_queue #(
  parameter int unsigned Owed   = 2,     // copies a packet may owe
  parameter int unsigned Blocks = 10
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // an arriving packet: its channel (late in the cycle), size and copies
  input  logic [2:0]      to_i,
  output logic [3:0]      to_place_o,
  input  logic            header_i,     // a packet may be committed in this cycle
  input  logic            commit_i,
  input  logic [2:0]      blocks_i,
  input  logic [Owed-1:0] owed_i,
  // the latest arrival
  output logic [2:0]      last_ch_o,
  output logic [3:0]      last_place_o,
  input  logic            cut_i,
  input  logic            begun_i,
  // candidate
  output logic            valid_o,
  output logic [2:0]      ch_o,
  output logic [3:0]      place_o,
  output logic [Owed-1:0] owed_o,
  input  logic            able_i,       // it may stay the candidate
  input  logic            start_i,      // it is taken
  // the packet taken
  input  logic            taken_i,      // from the next cycle until settle_i
  input  logic            settle_i,
  input  logic [2:0]      taken_ch_i,
  input  logic [3:0]      taken_place_i,
  input  logic [3:0]      taken_next_i, // the place after it
  input  logic [Owed-1:0] taken_owed_i, // copies it still owes
  output logic [5:0]      some_o
);

  // ------------------------------------------------------------------ clearing
  logic [2:0] clear_q;
  logic       cleared_q;
  always_ff @(posedge clk_i) begin
    clear_q   <= !rst_ni ? '0 : clear_q + 3'd1;
    cleared_q <= rst_ni && (cleared_q || clear_q == '1);
  end

  // ------------------------------------------------ where channels begin and end
  logic            drop, gone, put_tail;
  logic [2:0]      tail_at, head_at, pick, last_ch_q;
  logic [3:0]      tail, tail_d, next_tail, taken_tail, head, head_d, last_head, last_place_q;
  logic [5:0]      some_q, at_to, at_last, at_taken;

  assign drop      = cut_i && !begun_i;
  assign gone      = settle_i && taken_owed_i == '0;
  assign at_to     = 6'd1 << to_i;
  assign at_last   = 6'd1 << last_ch_q;
  assign at_taken  = 6'd1 << taken_ch_i;

  tern_link_next #(.Blocks(Blocks)) u_next (
    .ack_i(to_i[2]), .from_i(tail), .by_i(blocks_i), .to_o(next_tail)
  );
  assign put_tail = commit_i || drop || !cleared_q;
  assign tail_at  = !cleared_q ? clear_q : cut_i ? last_ch_q : to_i;
  assign tail_d   = (cut_i ? last_place_q : next_tail) & {4{cleared_q}};
  tern_lutram #(.Width(4), .Words(8)) u_tail (
    .clk_i, .raddr_i(to_i), .rdata_o(tail),
    .we_i(put_tail), .waddr_i(tail_at), .wdata_i(tail_d)
  );
  tern_lutram #(.Width(4), .Words(8)) u_taken_tail (
    .clk_i, .raddr_i(taken_ch_i), .rdata_o(taken_tail),
    .we_i(put_tail), .waddr_i(tail_at), .wdata_i(tail_d)
  );

  assign head_at = cleared_q ? taken_ch_i : clear_q;
  assign head_d  = taken_next_i & {4{cleared_q}};
  tern_lutram #(.Width(4), .Words(8)) u_head (
    .clk_i, .raddr_i(pick), .rdata_o(head),
    .we_i(gone || !cleared_q), .waddr_i(head_at), .wdata_i(head_d)
  );
  tern_lutram #(.Width(4), .Words(8)) u_last_head (
    .clk_i, .raddr_i(last_ch_q), .rdata_o(last_head),
    .we_i(gone || !cleared_q), .waddr_i(head_at), .wdata_i(head_d)
  );

  always_ff @(posedge clk_i) begin
    if (commit_i) begin
      last_ch_q    <= to_i;
      last_place_q <= tail;
    end
    if (!rst_ni) some_q <= '0;
    else some_q <= (some_q & ~(at_taken & {6{gone && taken_next_i == taken_tail}}) &
                    ~(at_last & {6{drop && last_head == last_place_q}})) |
                   (at_to & {6{commit_i}});
  end

  assign to_place_o   = tail;
  assign last_ch_o    = last_ch_q;
  assign last_place_o = last_place_q;
  assign some_o       = some_q;

  // ---------------------------------------------------------------- owed copies
  // An arriving packet goes first; a taken one that still owes copies waits a cycle then.
  logic [Owed-1:0]   entry;
  logic [6:0]        entry_at;
  logic [Owed-1:0]   entry_d;
  logic [5:0]        entry_we;
  logic [6*Owed-1:0] entries;

  assign entry_at = header_i ? {to_i, tail} : {taken_ch_i, taken_place_i};
  assign entry_d  = header_i ? owed_i : taken_owed_i;
  for (genvar c = 0; c < 6; c++) begin : g_entries
    assign entry_we[c] = (commit_i || (settle_i && !header_i)) && entry_at[6:4] == 3'(c);
    tern_lutram #(.Width(Owed), .Words(16)) u_owed (
      .clk_i, .raddr_i(head), .rdata_o(entries[Owed*c +: Owed]),
      .we_i(entry_we[c]), .waddr_i(entry_at[3:0]), .wdata_i(entry_d)
    );
  end
  always_comb begin
    entry = '0;
    for (int c = 0; c < 6; c++)
      if (pick == 3'(c)) entry = entries[Owed*c +: Owed];
  end

  // ------------------------------------------------------------------ candidate
  logic [5:0]      ready, behind, first, blocked_q;    // blocked: channel of the taken packet
  logic            valid_q, load, any, direct, killed;
  logic [2:0]      ch_q;
  logic [3:0]      place_q;
  logic [Owed-1:0] owed_q;

`ifdef TERN_MODEL   // simulates faster, same value
  assign blocked_q = at_taken & {6{taken_i}};
`else
  always_ff @(posedge clk_i) blocked_q <= at_taken & {6{rst_ni &&
                                                        (start_i || (taken_i && !settle_i))}};
`endif
  assign ready  = some_q & ~blocked_q;
  assign any    = ready != '0;
  // Search the channels after the candidate's first, then all of them.
  assign behind = ready & (6'h3e << ch_q);
  assign first  = behind != '0 ? behind : ready;
  always_comb begin
    pick = 3'd5;
    for (int c = 4; c >= 0; c--) if (first[c]) pick = 3'(c);
  end

  assign load   = (!valid_q || !able_i) && !cut_i;
  assign direct = commit_i && !any && !(taken_i && taken_ch_i == to_i);
  assign killed = drop && ch_q == last_ch_q && place_q == last_place_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   valid_q <= 1'b0;
    else if (load) valid_q <= any || direct;
    else           valid_q <= valid_q && !start_i && !killed;
    if (load) begin
      ch_q    <= any ? pick : to_i;
      place_q <= any ? head : tail;
      owed_q  <= any ? entry : owed_i;
    end
  end

  assign valid_o = valid_q;
  assign ch_o    = ch_q;
  assign place_o = place_q;
  assign owed_o  = owed_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni && cleared_q) begin
      TakenStays: assert (!start_i || (valid_q && able_i));
      Blocked:    assert (blocked_q == (at_taken & {6{taken_i}}));
      OwesSome:   assert (!valid_q || owed_q != '0);
      CutAlone:   assert (!cut_i || !(commit_i || settle_i));
      OneEntry:   assert (!(header_i && settle_i && !gone));
    end
  end

endmodule

`default_nettype wire
