// SPDX-License-Identifier: Apache-2.0
// Keeps the records of packets that wait in the transmit unit, and chooses which leaves next.
//
// A record has the row of its packet's buffer. A packet may leave when its bytes are there and no
// older packet of its order (`id_i`: a queue's, or one reply's) waits. Among those, packets of
// one-packet messages (`small_i`) and packets of longer messages take turns. Within its kind a
// packet waits for at most seven others: the search begins after the one that left last. So a
// packet that may leave does so after at most 14 others, even with every buffer taken.
//
// If no other packet waits, a packet is chosen in the cycle in which its record comes. A waiting
// packet is chosen in the cycle in which its last byte arrives, if no other may leave; else it may
// leave from the next cycle on, so that the search does not begin with the end of a host read. The
// next is chosen while one is sent, so packets follow without a gap.
//
// `buf_o` is the buffer assigned to the front, valid with `have_o`; `next_i` asks for another one.

`default_nettype none

module tern_tx_pick #(
  parameter int unsigned RecW = 24,
  parameter int unsigned IdW  = 10,
  parameter int unsigned Bufs = 8
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  // the front: its assigned buffer, and the record for the packet in it
  output logic            have_o,
  output logic [$clog2(Bufs)-1:0] buf_o,
  output logic [Bufs-1:0] clear_o,         // the buffer being assigned in this cycle
  input  logic            next_i,
  input  logic            push_i,
  input  logic [RecW-1:0] rec_i,
  input  logic [IdW-1:0]  id_i,
  input  logic            small_i,
  input  logic            reads_i,         // payload comes from host memory
  output logic            long_room_o,     // two stay free if a long message takes one
  output logic            quiet_o,         // no record waits

  // the store: buffers whose bytes are all there, and one whose last byte arrives (late)
  input  logic [Bufs-1:0] ready_i,
  input  logic            whole_i,
  input  logic [$clog2(Bufs)-1:0] whole_buf_i,

  // the sender
  output logic            valid_o,
  output logic [$clog2(Bufs)-1:0] sel_o,
  output logic [RecW-1:0] rec_o,
  input  logic            pop_i
);

  localparam int unsigned BufW = $clog2(Bufs);

  logic [Bufs-1:0] held_q, used_q, small_q, reads_q, free, now, coming;
  logic            valid_q, last_small_q;
  logic [BufW-1:0] sel_q, free_at;

  assign now    = {Bufs{valid_q}} & (Bufs'(1) << sel_q);
  assign coming = {Bufs{push_i}} & (Bufs'(1) << buf_o);
  assign quiet_o = used_q == '0;

  // ---------------------------------------------------------------- buffers
  logic take;
  assign free = ~held_q;
  assign take = (!have_o || next_i) && free != '0;
  always_comb begin
    free_at = '0;
    for (int i = Bufs - 1; i >= 0; i--) if (free[i]) free_at = BufW'(i);
  end
  assign clear_o = {Bufs{take}} & (Bufs'(1) << free_at);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      have_o <= 1'b0;
      held_q <= '0;
      used_q <= '0;
    end else begin
      have_o <= take || (have_o && !next_i);
      held_q <= (held_q | clear_o) & ~({Bufs{pop_i}} & now);
      used_q <= (used_q | coming) & ~({Bufs{pop_i}} & now);
    end
    if (take) buf_o <= free_at;
  end

  logic [BufW:0] count;
  always_comb begin
    count = '0;
    for (int i = 0; i < Bufs; i++) count += (BufW+1)'(used_q[i]);
  end
  always_ff @(posedge clk_i) long_room_o <= count <= (BufW+1)'(Bufs - 3);

  // ---------------------------------------------------------------- records
  tern_lutram #(.Width(RecW), .Words(Bufs)) u_records (
    .clk_i, .raddr_i(sel_q), .rdata_o(rec_o),
    .we_i(push_i), .waddr_i(buf_o), .wdata_i(rec_i)
  );

  // Older packets of the same order, a bit for each buffer.
  logic [Bufs-1:0] same, older;
  logic [Bufs-1:0] free_to_go;             // no older packet waits, except the one being sent
  for (genvar i = 0; i < Bufs; i++) begin : g_row
    logic [IdW-1:0]  id_q;
    logic [Bufs-1:0] older_q;
    assign same[i]       = id_q == id_i;
    assign free_to_go[i] = (older_q & ~now) == '0;
    always_ff @(posedge clk_i) begin
      if (coming[i]) id_q <= id_i;
      older_q <= (coming[i] ? older : older_q) & ~({Bufs{pop_i}} & now);
    end
  end
  assign older = used_q & same;

  always_ff @(posedge clk_i) begin
    small_q <= (small_q & ~coming) | ({Bufs{small_i}} & coming);
    reads_q <= (reads_q & ~coming) | ({Bufs{reads_i}} & coming);
  end

  // ---------------------------------------------------------------- the next one
  // Both kinds are searched at once, each among all buffers and among those after its last one:
  // this is the slowest path of the node, and a rotated search would be twice as deep.
  logic [Bufs-1:0] waits, may, may_small, may_long, then_small, then_long;
  logic            take_small, first, alone, last_came, came_small;
  logic [BufW-1:0] any_small, any_long, after_small, after_long, next;
  logic [BufW-1:0] small_at_q, long_at_q;  // the last of each kind

  assign waits     = used_q & ~now & free_to_go;
  assign may       = waits & (~reads_q | ready_i);
  assign may_small = may & small_q;
  assign may_long  = may & ~small_q;
  assign take_small = may_small != '0 && (may_long == '0 || !last_small_q);

  assign then_small[0] = 1'b0;
  assign then_long[0]  = 1'b0;
  for (genvar i = 1; i < Bufs; i++) begin : g_then
    assign then_small[i] = may_small[i] && small_at_q < BufW'(i);
    assign then_long[i]  = may_long[i] && long_at_q < BufW'(i);
  end
  always_comb begin
    any_small   = '0;
    any_long    = '0;
    after_small = '0;
    after_long  = '0;
    for (int i = Bufs - 1; i >= 0; i--) begin
      if (may_small[i])  any_small   = BufW'(i);
      if (may_long[i])   any_long    = BufW'(i);
      if (then_small[i]) after_small = BufW'(i);
      if (then_long[i])  after_long  = BufW'(i);
    end
  end
  assign next = take_small ? (then_small != '0 ? after_small : any_small)
                           : (then_long != '0 ? after_long : any_long);

  // A record that comes when no other waits; the packet whose last byte arrives.
  assign first      = push_i && used_q == '0;
  assign alone      = first && (!reads_i || ready_i[buf_o]);
  assign last_came  = whole_i && (waits[whole_buf_i] || (first && buf_o == whole_buf_i));
  assign came_small = first ? small_i : small_q[whole_buf_i];

  assign valid_o = valid_q;
  assign sel_o   = sel_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      last_small_q <= 1'b0;
      small_at_q   <= '0;
      long_at_q    <= '0;
      sel_q        <= '0;
    end else if (!valid_q || pop_i) begin
      valid_q <= may != '0 || alone || last_came;
      if (may != '0) begin
        sel_q        <= next;
        last_small_q <= take_small;
        if (take_small) small_at_q <= next;
        else            long_at_q  <= next;
      end else if (alone) begin
        sel_q        <= buf_o;
        last_small_q <= small_i;
      end else begin
        sel_q        <= whole_buf_i;       // without effect unless its last byte came
        if (last_came) begin
          last_small_q <= came_small;
          if (came_small) small_at_q <= whole_buf_i;
          else            long_at_q  <= whole_buf_i;
        end
      end
    end
  end

  // No older packet of the sent one's order waits; the assigned buffer has no record.
  logic [Bufs-1:0] sent_older, late;
  for (genvar i = 0; i < Bufs; i++) begin : g_check
    logic [4:0] passed_q;                  // packets that passed it since it may leave
    assign sent_older[i] = now[i] && g_row[i].older_q != '0;
    assign late[i]       = passed_q > 5'(2 * (Bufs - 1));
    always_ff @(posedge clk_i) begin
      if (!may[i] || !rst_ni) passed_q <= '0;
      else if (pop_i)         passed_q <= passed_q + 5'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      Ordered:  assert (sent_older == '0);
      InHand:   assert (!push_i || (have_o && !used_q[buf_o]));
      Chosen:   assert (!valid_q || used_q[sel_q]);
      PopTaken: assert (!pop_i || valid_q);
      Bounded:  assert (late == '0);
    end
  end

endmodule

`default_nettype wire
