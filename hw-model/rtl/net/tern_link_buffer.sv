// SPDX-License-Identifier: Apache-2.0
// Input buffer of a link: a queue of packets for each virtual network, all in one block RAM, and
// the reader that hands one packet after the other to the router.
//
// A packet begins with `start_i` and may be dropped until `commit_i`, which makes it visible; from
// then on it has `words_i` words, whatever comes, and `close_i` ends it.  A queue
// has places for 16 packets.  `fits_o`: a whole packet of network `to_i` finds room.
//
// A packet that is closed with an error and has not begun to leave is dropped in the next cycle
// (`closed_o`, `dropped_o`), in which none begins: what is damaged never waits, so it cannot fill a
// ring.
//
// What the router must know of a packet (it is `here`, at its destination, or travels on) and its
// size stand in a queue beside the memory, so the reader knows every head without a look at it, and
// block RAM drives nothing but data.  It asks for the way of the highest network whose packet may
// go.  Asking and granting may be repeated in every cycle; a packet that was granted keeps the
// reader.  One beat in and one out per cycle; the request comes a cycle after the commit, the first
// beat another later.
//
// Pointers are kept per network in LUT RAM, which is cleared in the four cycles after reset.
`default_nettype none

module tern_link_buffer #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned BufWords   = 512
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from the wire
  input  logic [1:0]        to_i,         // network of the packet that starts, or to look at
  input  logic [1:0]        vn_i,         // network of the packet under way, committed or closed
  input  logic              begins_i,     // its first beat is on the wire
  input  logic              start_i,      // ... and it is taken; known late
  input  logic [7:0]        words_i,      // with commit_i, of that packet: size, is it here
  input  logic              here_i,
  input  logic              commit_i,
  input  logic              we_i,
  input  logic              close_i,
  input  logic              close_err_i,
  input  logic [DataW-1:0]  data_i,
  output logic              closed_o,     // the cycle after a packet was closed with an error
  output logic              dropped_o,    // ... and it is dropped
  output logic              fits_o,
  output logic [$clog2(BufWords*64/DataW):0] used_o,   // beats in the buffer of network to_i
  // to the router
  input  logic [2:0]        room_on_i,    // per network: the way on takes a whole packet
  input  logic [2:0]        room_here_i,
  output logic              req_o,
  output logic              req_here_o,
  output logic [1:0]        req_vn_o,
  input  logic              grant_i,      // the cycle after the request, until the last beat moved
  input  logic              ready_i,
  output logic              valid_o,
  output logic              sop_o,
  output logic              eop_o,
  output logic              err_o,
  output logic [1:0]        vn_o,
  output logic [DataW-1:0]  data_o,
  // credit
  input  logic              stop_i,       // nothing may leave in this cycle
  output logic              left_o,       // a beat of network vn_o leaves
  output logic              left_two_o    // two of them, the first of a packet
);

  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam int unsigned Depth        = BufWords * BeatsPerWord;
  localparam int unsigned AckDepth     = 64 * BeatsPerWord;
  localparam int unsigned PtrW         = $clog2(Depth);
  localparam int unsigned AckPtrW      = $clog2(AckDepth);
  // What an honest peer still finds room for behind it; its counts never use the last word.
  localparam int unsigned UsedMost    = Depth - (6 + MaxPayload / 8) * BeatsPerWord;
  localparam int unsigned AckUsedMost = AckDepth - 6 * BeatsPerWord;
  localparam logic [1:0]  Ack         = 2'(tern_abi_pkg::VN_ACK);

  // ------------------------------------------------------------------ clearing
  logic [1:0] clear_q;
  logic       cleared_q;
  always_ff @(posedge clk_i) begin
    clear_q   <= !rst_ni ? 2'd0 : clear_q + 2'd1;
    cleared_q <= rst_ni && (cleared_q || clear_q == 2'd3);
  end

  // ------------------------------------------------------------------- writing
  logic [PtrW:0] begin_q, put_q, put, start_at, next_tail, tail, to_head;
  logic [1:0]    to;
  logic [2:0]    full;
  logic          live_q;                // the packet under way is visible and not closed
  logic          closed_q, drop;        // the last packet was damaged; it goes
  logic [1:0]    closed_vn_q;

  assign to        = begins_i ? to_i : vn_i;
  assign put       = begins_i ? tail : put_q;
  assign start_at  = begins_i ? tail : begin_q;
  assign next_tail = start_at + (PtrW+1)'(32'(words_i) * BeatsPerWord);
  assign used_o    = tail - to_head;
  assign fits_o    = used_o <= (to_i == Ack ? (PtrW+1)'(AckUsedMost) : (PtrW+1)'(UsedMost)) &&
                     !full[to_i] && !closed_q;

  tern_lutram #(.Width(PtrW + 1), .Words(4)) u_tail (
    .clk_i,
    .raddr_i(to_i), .rdata_o(tail),
    .we_i(commit_i || drop || !cleared_q),
    .waddr_i(!cleared_q ? clear_q : drop ? closed_vn_q : vn_i),
    .wdata_i((drop ? begin_q : next_tail) & {PtrW+1{cleared_q}})
  );

  always_ff @(posedge clk_i) begin
    if (start_i) begin_q <= tail;
    closed_q    <= rst_ni && close_i && close_err_i;
    closed_vn_q <= vn_i;
    if (we_i) put_q <= put + 1'b1;
    if (!rst_ni || close_i) live_q <= 1'b0;
    else if (commit_i)      live_q <= 1'b1;
  end

  // ------------------------------------------------------------- queues of packets
  logic [2:0]  some, here, may, only;
  logic [23:0] sizes;         // words of the first packet of each
  logic [7:0]  pick_words;
  logic [1:0]  at_q, pick;
  logic        pop;

  for (genvar v = 0; v < 3; v++) begin : g_vn
    logic [4:0] first_q, last_q;
    logic       push;
    assign push    = commit_i && vn_i == 2'(v);
    assign some[v] = first_q != last_q;
    assign full[v] = first_q[4] != last_q[4] && first_q[3:0] == last_q[3:0];
    assign only[v] = last_q == first_q + 5'd1;
    assign may[v]  = some[v] && !(closed_q && closed_vn_q == 2'(v)) &&
                     (here[v] ? room_here_i[v] : room_on_i[v]);
    if (v == tern_abi_pkg::VN_ACK) begin : g_ack
      assign sizes[8*v +: 8] = 8'd5;
      tern_lutram #(.Width(1), .Words(16)) u_entries (
        .clk_i, .raddr_i(first_q[3:0]), .rdata_o(here[v]),
        .we_i(push), .waddr_i(last_q[3:0]), .wdata_i(here_i)
      );
    end else begin : g_other
      tern_lutram #(.Width(9), .Words(16)) u_entries (
        .clk_i, .raddr_i(first_q[3:0]), .rdata_o({sizes[8*v +: 8], here[v]}),
        .we_i(push), .waddr_i(last_q[3:0]), .wdata_i({words_i, here_i})
      );
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        first_q <= '0;
        last_q  <= '0;
      end else begin
        if (push)                                last_q <= last_q + 5'd1;
        else if (drop && closed_vn_q == 2'(v)) last_q <= last_q - 5'd1;
        if (pop && at_q == 2'(v)) first_q <= first_q + 5'd1;
      end
    end
  end

  // It has begun to leave when it is in no queue any more, or is granted.
  assign drop      = closed_q && |(some & (3'b001 << closed_vn_q)) &&
                     !(grant_i && first_q && at_q == closed_vn_q &&
                       |(only & (3'b001 << closed_vn_q)));
  assign closed_o  = closed_q;
  assign dropped_o = drop;

  assign pick       = may[2] ? 2'd2 : {1'b0, may[1]};
  assign pick_words = may[2] ? sizes[23:16] : may[1] ? sizes[15:8] : sizes[7:0];

  // -------------------------------------------------------------------- reading
  logic                 loaded_q, first_q, none_q, busy, take, done, there, load, ask;
  logic                 spoilt_q;       // what leaves was closed with an error
  logic [PtrW:0]        head, head_next, next_q, next_next;
  logic [8:0]           more_q;         // beats of the packet that have not moved
  logic [DataW-1:0]     out;

  assign busy    = grant_i && !done;
  assign valid_o = grant_i && loaded_q;
  assign take    = valid_o && ready_i;
  assign eop_o   = more_q == 9'd1;
  assign done    = take && eop_o;
  assign pop     = take && first_q;
  assign ask     = !busy && may != '0;

  assign req_o      = ask;
  assign req_here_o = |(here & may & {1'b1, !may[2], may[2:1] == 2'b00});
  assign req_vn_o   = pick;

  assign head_next = head + 1'b1;
  assign next_next = next_q + 1'b1;
  assign there     = !(live_q && vn_i == at_q) || next_q[PtrW-1:0] != put_q[PtrW-1:0];
  assign load      = busy && there && !stop_i && (take || !loaded_q);

  always_ff @(posedge clk_i) begin
    if (busy) begin
      if (load) next_q <= next_next;
      if (take) more_q <= more_q - 9'd1;
    end else begin
      next_q <= head_next;
      more_q <= 9'(32'(pick_words) * BeatsPerWord);
      at_q   <= pick;
    end
    first_q <= !busy || (first_q && !take);
    none_q  <= !busy || (none_q && !load);
    spoilt_q <= rst_ni && ((closed_q && !drop) || (spoilt_q && !done));
    if (!rst_ni) loaded_q <= 1'b0;
    else         loaded_q <= busy ? load || (loaded_q && !take) : ask;
  end

  // The read pointer in two places: for the reader and for the writer.
  tern_lutram #(.Width(PtrW + 1), .Words(4)) u_head (
    .clk_i, .raddr_i(pick), .rdata_o(head),
    .we_i(load || !cleared_q), .waddr_i(cleared_q ? at_q : clear_q),
    .wdata_i(next_next & {PtrW+1{cleared_q}})
  );
  tern_lutram #(.Width(PtrW + 1), .Words(4)) u_used (
    .clk_i, .raddr_i(to_i), .rdata_o(to_head),
    .we_i(load || !cleared_q), .waddr_i(cleared_q ? at_q : clear_q),
    .wdata_i(next_next & {PtrW+1{cleared_q}})
  );
  // The pointer of a packet moves first with its second beat.
  assign left_o     = load;
  assign left_two_o = none_q;

  // -------------------------------------------------------------------- memory
  // Data and requests fill whole block RAMs; acks, whose buffer is shorter, have one of their own.
  logic [PtrW:0]      waddr, raddr;
  logic [AckPtrW-1:0] ack_waddr, ack_raddr;
  logic [1:0]         read_vn;
  logic               ack_q;
  logic [DataW-1:0]   out_long, out_ack;

  assign read_vn   = busy ? at_q : pick;
  assign waddr     = {to[0], put[PtrW-1:0]};
  assign raddr     = {read_vn[0], busy ? next_q[PtrW-1:0] : head[PtrW-1:0]};
  assign ack_waddr = waddr[AckPtrW-1:0];
  assign ack_raddr = raddr[AckPtrW-1:0];

  // No beat is read in the cycle that writes it, so the memories need no rule for that.
  (* no_rw_check *)
  logic [DataW-1:0] mem [0:2*Depth-1];
  (* no_rw_check, ram_style = "block" *)
  logic [DataW-1:0] ack_mem [0:AckDepth-1];
  always_ff @(posedge clk_i) begin
    if (we_i && to != Ack) mem[waddr] <= data_i;
    if (we_i && to == Ack) ack_mem[ack_waddr] <= data_i;
  end
  always_ff @(posedge clk_i) begin
    if (load || ask) begin
      out_long <= mem[raddr];
      out_ack  <= ack_mem[ack_raddr];
      ack_q    <= read_vn == Ack;
    end
  end
  assign out = ack_q ? out_ack : out_long;

  assign sop_o  = first_q;
  assign err_o  = spoilt_q;
  assign vn_o   = at_q;
  assign data_o = out;

  // A packet is granted only with its first beat at hand, and the writer never meets the reader.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      GrantedLoaded: assert (!(grant_i && first_q) || loaded_q);
      RoomForBeat:   assert (!we_i || (!start_i && to_i != vn_i) ||
                             (PtrW+1)'(put - to_head) <
                             (PtrW+1)'(to == Ack ? AckDepth : Depth));
      Apart:         assert (!(we_i && (load || ask) && to == read_vn && waddr == raddr));
    end
  end

endmodule

`default_nettype wire
