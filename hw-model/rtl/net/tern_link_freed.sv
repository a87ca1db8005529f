// SPDX-License-Identifier: Apache-2.0
// Computes the credit reported to the peer: blocks of the buffer freed since the link came up, plus
// the buffer's size; one count per channel, modulo 64.
//
// A packet's blocks count once the last of it has left, unless it was damaged and will come again.
// So the peer pays for each packet once, whatever happens on the wire. When the link goes down the
// counts restart. A channel that still holds packets from before reports 0 until they are gone.
//
// `fits_o`: a packet of `ask_blocks_i` blocks has room in channel `ask_ch_i`; always true for a
// peer that respects its credit. The room of an accepted packet (`take_i`) is deducted when all of
// it has arrived (`came_i`). A damaged packet leaves before another is accepted, and is deducted
// when it comes again.
`default_nettype none

module tern_link_freed #(
  parameter int unsigned Blocks    = 10,   // of a data or request channel
  parameter int unsigned AckBlocks = 8
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       up_i,
  input  logic [5:0] some_i,        // channels with packets, including one that is leaving
  input  logic       left_i,        // a packet has left channel left_ch_i
  input  logic [2:0] left_ch_i,
  input  logic [2:0] blocks_i,      // ... and freed so many blocks
  input  logic       take_i,
  input  logic       came_i,
  input  logic [2:0] ask_ch_i,
  input  logic [2:0] ask_blocks_i,
  output logic       fits_o,
  input  logic [2:0] tell_ch_i,
  output logic [5:0] freed_o,       // of channel tell_ch_i
  output logic [5:0] news_o
);

  logic       anew, add;
  logic [2:0] sweep_q, at;
  logic [5:0] stale_q, freed, freed_d, mine;

  assign anew = !rst_ni || !up_i;
  assign mine = 6'd1 << left_ch_i;
  assign add  = left_i && (stale_q & mine) == '0;

  always_ff @(posedge clk_i) begin
    sweep_q <= !rst_ni ? '0 : sweep_q + 3'd1;
    stale_q <= {6{anew}} | (stale_q & some_i);
  end

  assign at      = anew ? sweep_q : left_ch_i;
  assign freed_d = anew ? (sweep_q[2] ? 6'(AckBlocks) : 6'(Blocks)) : freed + 6'(blocks_i);

  tern_lutram #(.Width(6), .Words(8)) u_freed (
    .clk_i, .raddr_i(left_ch_i), .rdata_o(freed),
    .we_i(anew || add), .waddr_i(at), .wdata_i(freed_d)
  );
  logic [5:0] told, told_at;
  tern_lutram #(.Width(6), .Words(8)) u_told (
    .clk_i, .raddr_i(tell_ch_i), .rdata_o(told),
    .we_i(anew || add), .waddr_i(at), .wdata_i(freed_d)
  );

  // ------------------------------------------------------------------------ room
  // One count changes per cycle; a leaving packet waits for an arriving one. The end of an arrival
  // is seen late in the cycle, so both sums are computed beforehand.
  localparam int unsigned FreeW = 5;
  logic             back, back_q;
  logic [2:0]       came_ch_q, came_blocks_q, back_ch_q, back_blocks_q;
  logic [FreeW-1:0] free [0:5];
  logic [FreeW-1:0] came_here, back_here, came_free, back_free, asked;
  logic [5:0]       ask_at;

  assign ask_at = 6'd1 << ask_ch_i;
  always_comb begin
    asked = '0;
    for (int c = 0; c < 6; c++) asked = asked | (free[c] & {FreeW{ask_at[c]}});
  end
  assign fits_o = asked >= {2'b00, ask_blocks_i} && (stale_q & ask_at) == '0;

  assign back = back_q && !came_i;
  always_comb begin
    came_here = '0;
    back_here = '0;
    for (int c = 0; c < 6; c++) begin
      came_here = came_here | (free[c] & {FreeW{came_ch_q == 3'(c)}});
      back_here = back_here | (free[c] & {FreeW{back_ch_q == 3'(c)}});
    end
  end
  assign came_free = came_here - {2'b00, came_blocks_q};
  assign back_free = back_here + {2'b00, back_blocks_q};

  always_ff @(posedge clk_i) begin
    back_q <= !anew && (add || (back_q && came_i));
    if (take_i) begin
      came_ch_q     <= ask_ch_i;
      came_blocks_q <= ask_blocks_i;
    end
    if (add) begin
      back_ch_q     <= left_ch_i;
      back_blocks_q <= blocks_i;
    end
    for (int c = 0; c < 6; c++) begin
      if (anew) free[c] <= c >= 4 ? FreeW'(AckBlocks) : FreeW'(Blocks);
      else if (came_i) begin
        if (came_ch_q == 3'(c)) free[c] <= came_free;
      end else if (back_q && back_ch_q == 3'(c)) free[c] <= back_free;
    end
  end

  assign told_at = 6'd1 << tell_ch_i;
  assign freed_o = told & {6{(stale_q & told_at) == '0}};
  assign news_o  = stale_q | (mine & {6{left_i}});

  always_ff @(posedge clk_i) begin
    if (rst_ni && !anew) begin
      OneWaits: assert (!(add && back_q && !back));
      Fits:     assert (!take_i || fits_o);
    end
  end

endmodule

`default_nettype wire
