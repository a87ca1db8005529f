// SPDX-License-Identifier: Apache-2.0
// Proof that credits keep the peer's buffer from overflowing.
//
// The sender's tern_link_credit, two cycles of wire each way, and one channel of the buffer, any of
// them. Packets enter and leave it at any time; the other channels are arbitrary. Every block of
// the channel is in exactly one place: free and known to the sender, freed but not yet known, on
// the wire, or occupied.
`default_nettype none

module credit_proof #(
  parameter int unsigned MaxWords = 69
) (
  input logic       clk_i,
  input logic       start_i,
  input logic [2:0] start_ch_i,
  input logic [6:0] words_i,
  input logic [2:0] pop_i,
  input logic       tell_i,
  input logic       tell_other_i,
  input logic [2:0] tell_ch_i,
  input logic [5:0] tell_any_i
);

  localparam int unsigned MaxBlocks = (MaxWords + 15) / 16;

  logic [3:0] age_q = 4'd0;          // the link is down for the first cycles
  logic [2:0] which_q;               // the observed channel
  logic [5:0] limit, topped, occupied_q, freed_q, told1_q, told2_q, size, need, cost, room;
  logic [5:0] wire1_q, wire2_q;
  logic [2:0] look, tell_ch_q, pops;
  logic       up, ack, sends, send, sent_q, mine, tell1_q, tell2_q, late, other;

  assign up   = age_q == 4'd12;
  assign ack  = which_q[2];
  assign size = ack ? 6'd8 : 6'd10;
  assign need = ack ? 6'd1 : 6'(MaxBlocks);

  always_ff @(posedge clk_i) begin
    if (!up) age_q <= age_q + 4'd1;
    which_q <= which_q;
    sent_q  <= send;
    assume (!(up && sent_q && start_i));   // a packet is many beats long
    assume (which_q < 3'd6 && start_ch_i < 3'd6);
    assume (words_i != '0 && words_i <= (start_ch_i[2] ? 7'd5 : 7'(MaxWords)));
  end

  assign sends = start_i && (room & (6'd1 << start_ch_i)) != '0;
  assign send  = up && sends;
  assign mine  = send && start_ch_i == which_q;
  assign cost  = 6'(words_i[6:4]) + 6'(words_i[3:0] != '0);

  tern_link_credit #(.MaxWords(MaxWords)) u_credit (
    .clk_i,
    .rst_ni     (age_q != '0),
    .up_i       (up),
    .ctl_valid_i(tell2_q),
    .ctl_ch_i   (tell_ch_q),
    .ctl_freed_i(told2_q),
    .sent_i     (send),
    .sent_ch_i  (start_ch_i),
    .words_i,
    .room_o     (room),
    .which_i    (which_q),
    .look_o     (look),
    .late_o     (late),
    .limit_o    (limit),
    .topped_o   (topped)
  );

  assign other = tell_other_i && tell_ch_i != which_q && tell_ch_i < 3'd6;
  assign pops = 6'(pop_i) <= occupied_q ? pop_i : 3'd0;

  always_ff @(posedge clk_i) begin
    if (!up) begin
      occupied_q <= '0;
      freed_q    <= size;
      wire1_q    <= '0;
      wire2_q    <= '0;
      tell1_q    <= 1'b0;
      tell2_q    <= 1'b0;
      tell_ch_q  <= which_q;
      told1_q    <= '0;
      told2_q    <= '0;
    end else begin
      wire1_q    <= mine ? cost : 6'd0;
      wire2_q    <= wire1_q;
      occupied_q <= occupied_q + wire2_q - 6'(pops);
      freed_q    <= freed_q + 6'(pops);
      tell1_q    <= tell_i;
      told1_q    <= freed_q;
      // A word's contents hold until the next word.
      tell2_q    <= tell1_q || other;
      if (tell1_q) begin
        tell_ch_q <= which_q;
        told2_q   <= told1_q;
      end else if (other) begin
        tell_ch_q <= tell_ch_i;
        told2_q   <= tell_any_i;
      end
    end
  end

  // Credit that the sender does not know yet, from the newest word on the wire to the oldest.
  logic [5:0] known, news, news1, news2;
  assign known = limit - topped + need;
  assign news  = freed_q - limit;
  assign news1 = freed_q - told1_q;
  assign news2 = freed_q - told2_q;

  always_ff @(posedge clk_i) begin
    if (up) begin
      NoOverflow:  assert (occupied_q <= size);
      KnownInside: assert (known <= size);
      NewsInside:  assert (news <= size);
      NewsInOrder: assert (!tell1_q || news1 <= 6'd7);
      NewsInTurn:  assert (!tell2_q || tell_ch_q != which_q || news2 <= 6'd14);
      NewsSoon:    assert (!late || (sent_q && (tell_ch_q != which_q || news2 <= 6'd21)));
      EveryBlock:  assert (known + news + wire1_q + wire2_q + occupied_q == size);
      WiresSmall:  assert (wire1_q <= need && wire2_q <= need);
      RoomKnown:   assert ((room & (6'd1 << which_q)) == '0 || known >= need);
    end else begin
      Young:       assert (age_q < 4'd12);
      InTurn:      assert (age_q == '0 || look == 3'(age_q - 4'd1));
      CountsSet:   assert (age_q < 4'd2 + 4'(which_q) || (limit == '0 && topped == need));
      Quiet:       assert (age_q == '0 || (!late && !tell2_q && !tell1_q));
      NoRoom:      assert (age_q == '0 || room == '0);
    end
  end

endmodule

`default_nettype wire
