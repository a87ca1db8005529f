// SPDX-License-Identifier: Apache-2.0
// What the peer is told of its credit: buffer words freed since the link came up, plus the
// buffer's size, one count a virtual network.
//
// Freed is what leaves the buffer, and words that the
// peer sent and that never came in a good packet.  When the link goes down a count begins anew
// with what is free in the buffer; that takes eight cycles.
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
  input  logic             accept_i,      // its header is good; it has words_i words
  input  logic [6:0]       words_i,
  // a believable control word: words the peer sent on network told_vn_i
  input  logic             told_i,
  input  logic [1:0]       told_vn_i,
  input  logic [6:0]       told_sent_i,
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
  logic [1:0]      come_vn, more_vn_q, at;
  logic [6:0]      come, missing;
  logic            more_q;              // one count grows by more than a beat
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

  // ------------------------------------------------------------ words that came
  assign come_vn = !up_i ? look_vn_o : told_i ? told_vn_i : vn_i;
  assign missing = told_sent_i - come;

  tern_lutram #(.Width(7), .Words(4)) u_come (
    .clk_i,
    .raddr_i(come_vn), .rdata_o(come),
    .we_i(!up_i || told_i || accept_i), .waddr_i(come_vn),
    .wdata_i((told_i ? told_sent_i : come + words_i) & {7{up_i}})
  );

  // A cycle for what is found now to be counted in the next.
  always_ff @(posedge clk_i) begin
    more_q       <= rst_ni && up_i && told_i && missing != '0;
    more_vn_q    <= told_vn_i;
    more_beats_q <= 9'(missing) * 9'(BeatsPerWord);
  end

  // -------------------------------------------------------------------- counts
  // The sizes are powers of two: the complement of the beats used is what is free, less one.
  function automatic logic [CntW-1:0] unused_beats(input logic [1:0] vn, input logic [PtrW-1:0] used);
    unused_beats = {{CntW-PtrW{1'b0}}, ~used};
    if (vn == Ack) unused_beats[PtrW-1:AckPtrW] = '0;
  endfunction

  assign at      = anew_q ? look_vn_o : more_q ? more_vn_q : left_vn_i;
  assign freed_d = freed + {{CntW-9{1'b0}}, more_q ? more_beats_q : left_two_i ? 9'd2 : 9'd1};

  tern_lutram #(.Width(CntW), .Words(4)) u_freed (
    .clk_i, .raddr_i(at), .rdata_o(freed), .we_i(anew_q || more_q || left_i), .waddr_i(at),
    .wdata_i(anew_q ? unused_beats(look_vn_o, look_used_i[PtrW-1:0]) : freed_d)
  );
  tern_lutram #(.Width(CntW), .Words(4)) u_told (
    .clk_i, .raddr_i(tell_vn_i), .rdata_o(told), .we_i(anew_q || more_q || left_i), .waddr_i(at),
    .wdata_i(anew_q ? unused_beats(look_vn_o, look_used_i[PtrW-1:0]) : freed_d)
  );

  assign busy_o  = more_q || anew_q;
  assign freed_o = told[CntW-1 -: 14];

  always_comb begin
    news_o = '0;
    for (int v = 0; v < 3; v++) news_o[v] = (more_q || left_i) && at == 2'(v);
  end

  logic unused;
  assign unused = look_used_i[UsedW-1] ^ told[0];

  // One packet begins or one control word arrives; nothing leaves unseen.
  always_ff @(posedge clk_i) begin
    if (rst_ni && up_i) OneAtATime: assert (!(told_i && accept_i));
    if (rst_ni) BusyKeeps: assert (!(busy_o && left_i));
  end

endmodule

`default_nettype wire
