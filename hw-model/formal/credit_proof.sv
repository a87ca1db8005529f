// SPDX-License-Identifier: Apache-2.0
// Proof that credits keep the peer's buffer from overflowing.
//
// The sender's tern_link_credit, two cycles of wire each way, and the count of a buffer that packets
// enter and words leave at any time.  Every word of the buffer is in exactly one place: free and
// known to the sender, freed but not yet known, on the wire, or occupied.
`default_nettype none

module credit_proof #(
  parameter int unsigned Words    = 511,
  parameter int unsigned MaxWords = 69
) (
  input logic       clk_i,
  input logic       start_i,
  input logic [6:0] words_i,
  input logic       entering_i,
  input logic       ring_i,
  input logic       pop_i,
  input logic       tell_i
);

  logic        rst_n = 1'b0;
  logic [13:0] limit, sent, occupied_q, freed_q, told1_q, told2_q;
  logic [6:0]  wire1_q, wire2_q;
  logic        tell1_q, tell2_q, room, enter, send, unused_fits;

  always_ff @(posedge clk_i) rst_n <= 1'b1;

  assign send = rst_n && start_i && (entering_i ? enter : room) && words_i != '0 &&
                words_i <= 7'(MaxWords);

  tern_link_credit #(.Words(Words), .MaxWords(MaxWords)) u_credit (
    .clk_i,
    .rst_ni    (rst_n),
    .up_i      (1'b1),
    .ring_i,
    .told_i    (tell2_q),
    .freed_i   (told2_q),
    .sent_i    (send),
    .words_i,
    .fits_o    (unused_fits),
    .room_o    (room),
    .enter_o   (enter),
    .limit_o   (limit),
    .all_sent_o(sent)
  );

  logic pop;
  assign pop = pop_i && occupied_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      occupied_q <= '0;
      freed_q    <= 14'(Words);
      wire1_q    <= '0;
      wire2_q    <= '0;
      tell1_q    <= 1'b0;
      tell2_q    <= 1'b0;
    end else begin
      wire1_q    <= send ? words_i : 7'd0;
      wire2_q    <= wire1_q;
      occupied_q <= occupied_q + 14'(wire2_q) - 14'(pop);
      freed_q    <= freed_q + 14'(pop);
      tell1_q    <= tell_i;
      tell2_q    <= tell1_q;
      told1_q    <= freed_q;
      told2_q    <= told1_q;
    end
  end

  // What the sender does not know yet, from the newest word on the wire to the oldest.
  logic [13:0] known, news1, news2;
  assign known = limit - sent;
  assign news1 = freed_q - told1_q;
  assign news2 = freed_q - told2_q;

  always_ff @(posedge clk_i) begin
    if (rst_n) begin
      NoOverflow:  assert (occupied_q <= 14'(Words));
      KnownInside: assert (known <= 14'(Words));
      NewsInside:  assert (freed_q - limit <= 14'(Words));
      NewsInOrder: assert (!tell1_q || news1 <= freed_q - limit);
      NewsInTurn:  assert (!tell2_q || (news2 <= freed_q - limit && (!tell1_q || news1 <= news2)));
      EveryWord:   assert (known + (freed_q - limit) + 14'(wire1_q) + 14'(wire2_q) + occupied_q ==
                           14'(Words));
      WiresSmall:  assert (14'(wire1_q) + 14'(wire2_q) <= 14'(Words));
    end
  end

endmodule

`default_nettype wire
