// SPDX-License-Identifier: Apache-2.0
// What the peer is told of its credit: buffer words freed since the link came up, plus the
// buffer's size, one count a virtual network.
//
// Freed is what leaves the buffer, less what came damaged and will come again: that takes room, but
// the peer counts it once.  When the link goes down a count begins anew with what is free in the
// buffer; that takes eight cycles.
//
// `freed_o` is that of network `tell_vn_i`.  In a cycle with `busy_o` it means nothing, and nothing
// may leave the buffer.
`default_nettype none

module tern_link_freed #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned BufWords = 512,
  parameter int unsigned UsedW    = 10
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  // the packet under way
  input  logic [1:0]       vn_i,
  input  logic             under_way_i,   // it has not ended: its words are not told as freed
  input  logic             undo_i,        // it ended damaged, and leaves; it had words_i words
  input  logic             add_i,         // it ended well and was dropped
  input  logic [6:0]       words_i,
  // the buffer
  input  logic             left_i,        // a beat of network left_vn_i leaves
  input  logic             left_two_i,    // two at once
  input  logic [1:0]       left_vn_i,
  output logic [1:0]       look_vn_o,     // while the link is down: beats in the buffer of this
  input  logic [UsedW-1:0] look_used_i,
  // to the peer
  input  logic [1:0]       tell_vn_i,
  output logic             busy_o,
  output logic [13:0]      freed_o,
  output logic [2:0]       news_o
);

  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam int unsigned CntW = $clog2(BeatsPerWord) + 14;
  localparam int unsigned PtrW = $clog2(BufWords * BeatsPerWord);
  localparam int unsigned AckPtrW = $clog2(64 * BeatsPerWord);
  localparam logic [1:0]  Ack = 2'(tern_abi_pkg::VN_ACK);

  logic            was_up_q, anew_q;    // counts begin anew
  logic [2:0]      look_q;
  logic [1:0]      more_vn_q, at;
  logic            more_q, plus_q;      // one count moves by a packet; forth
  logic [8:0]      more_beats_q;
  logic [CntW-1:0] freed, freed_d, told;

  // ---------------------------------------------------------------- a new life
  always_ff @(posedge clk_i) begin
    was_up_q <= rst_ni && up_i;
    if (!rst_ni || (was_up_q && !up_i)) begin
      anew_q <= 1'b1;
      look_q <= '0;
    end else begin
      anew_q <= anew_q && look_q != '1;
      look_q <= look_q + 3'd1;
    end
  end
  assign look_vn_o = look_q[1:0];

  // ------------------------------------------------------- words that come again
  // A cycle for what is found now to be counted in the next.
  always_ff @(posedge clk_i) begin
    more_q       <= rst_ni && up_i && (undo_i || add_i);
    plus_q       <= add_i;
    more_vn_q    <= vn_i;
    more_beats_q <= 9'(add_i ? 32'(words_i) * BeatsPerWord : 0 - 32'(words_i) * BeatsPerWord);
  end

  // -------------------------------------------------------------------- counts
  // The sizes are powers of two: the complement of the beats used is what is free, less one.
  function automatic logic [CntW-1:0] unused_beats(input logic [1:0] vn, input logic [PtrW-1:0] used);
    unused_beats = {{CntW-PtrW{1'b0}}, ~used};
    if (vn == Ack) unused_beats[PtrW-1:AckPtrW] = '0;
  endfunction

  assign at      = anew_q ? look_vn_o : more_q ? more_vn_q : left_vn_i;
  assign freed_d = freed + (more_q ? {{CntW-9{!plus_q}}, more_beats_q} :
                            {{CntW-2{1'b0}}, left_two_i, !left_two_i});

  tern_lutram #(.Width(CntW), .Words(4)) u_freed (
    .clk_i, .raddr_i(at), .rdata_o(freed), .we_i(anew_q || more_q || left_i), .waddr_i(at),
    .wdata_i(anew_q ? unused_beats(look_vn_o, look_used_i[PtrW-1:0]) : freed_d)
  );
  tern_lutram #(.Width(CntW), .Words(4)) u_told (
    .clk_i, .raddr_i(tell_vn_i), .rdata_o(told), .we_i(anew_q || more_q || left_i), .waddr_i(at),
    .wdata_i(anew_q ? unused_beats(look_vn_o, look_used_i[PtrW-1:0]) : freed_d)
  );

  assign busy_o  = more_q || anew_q;
  assign freed_o = told[CntW-1 -: 14] -
                   (under_way_i && vn_i == tell_vn_i ? 14'(words_i) : 14'd0);

  always_comb begin
    news_o = '0;
    for (int v = 0; v < 3; v++) news_o[v] = (more_q || left_i) && at == 2'(v);
  end

  logic unused;
  assign unused = look_used_i[UsedW-1] ^ told[0];

  // Nothing leaves unseen.
  always_ff @(posedge clk_i) begin
    if (rst_ni) BusyKeeps: assert (!(busy_o && left_i));
  end

endmodule

`default_nettype wire
