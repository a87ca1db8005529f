// SPDX-License-Identifier: Apache-2.0
// Input buffer of a link: a queue of packets for each virtual network, all in one block RAM, and
// the reader that hands one packet after the other to the router.
//
// A packet begins with `start_i` and may be dropped until `commit_i`, which comes with the last
// beat of its header and makes it visible; from then on it is closed by `close_i`.  One beat in
// and one out per cycle; two cycles from commit to the request, a third to the first beat.
// `fits_o`: a whole packet of network `to_i` finds room.
//
// The reader looks at the head of each queue once, to learn whether the packet is `here` (at its
// destination) or travels on, and asks for the way of the highest network whose packet may go.
// Asking and granting may be repeated in every cycle; a packet that was granted keeps the reader.
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
  input  logic [1:0]        vn_i,         // network of the packet under way
  input  logic              start_i,
  input  logic              we_i,
  input  logic              here_i,       // the header's beat with the destination names this node
  input  logic              close_i,
  input  logic              close_err_i,
  input  logic [DataW-1:0]  data_i,
  input  logic              commit_i,
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
  localparam int unsigned CountW      = $clog2(Depth / (5 * BeatsPerWord) + 2);
  localparam bit          Second      = DataW <= tern_abi_pkg::PKT_DST_LSB;
  localparam int unsigned Columns     = (DataW + 3 + 8) / 9;
  localparam logic [1:0]  Ack         = 2'(tern_abi_pkg::VN_ACK);

  // ------------------------------------------------------------------ clearing
  logic [1:0] clear_q;
  logic       cleared_q;
  always_ff @(posedge clk_i) begin
    clear_q   <= !rst_ni ? 2'd0 : clear_q + 2'd1;
    cleared_q <= rst_ni && (cleared_q || clear_q == 2'd3);
  end

  // ------------------------------------------------------------------- writing
  logic [PtrW:0]   put_q, put, put_next, tail, to_head;
  logic            live_q;              // the packet under way is visible and not closed

  assign put      = start_i ? tail : put_q;
  assign put_next = put + 1'b1;
  assign used_o   = tail - to_head;
  assign fits_o   = used_o <= (to_i == Ack ? (PtrW+1)'(AckUsedMost) : (PtrW+1)'(UsedMost));

  tern_lutram #(.Width(PtrW + 1), .Words(4)) u_tail (
    .clk_i,
    .raddr_i(to_i), .rdata_o(tail),
    .we_i(close_i || !cleared_q), .waddr_i(cleared_q ? vn_i : clear_q),
    .wdata_i(put_next & {PtrW+1{cleared_q}})
  );

  always_ff @(posedge clk_i) begin
    if (we_i) put_q <= put_next;
    if (!rst_ni || close_i) live_q <= 1'b0;
    else if (commit_i)      live_q <= 1'b1;
  end

  // ---------------------------------------------------------- the reader's state
  logic [2:0]        some, known_q, known, here_q, here, may, fresh, done_vn;
  logic [1:0]        at_q, look, look_q, pick, head_vn;
  logic              loaded_q, looked_q, first_q, none_q, busy, take, done, there, load, ask, peek;
  logic [PtrW:0]     head, head_next, next_q, next_next;
  logic [9*Columns-1:0] out;

  assign busy    = grant_i && !done;
  assign valid_o = grant_i && loaded_q;
  assign take    = valid_o && ready_i;
  assign done    = take && eop_o;
  assign done_vn = done ? 3'b001 << at_q : 3'b000;

  for (genvar v = 0; v < 3; v++) begin : g_vn
    logic [CountW-1:0] count_q;     // visible packets
    logic              more, fewer, looked;
    assign more   = commit_i && vn_i == 2'(v);
    assign fewer  = done_vn[v];
    assign looked = looked_q && look_q == 2'(v);
    always_ff @(posedge clk_i) begin
      if (!rst_ni)            count_q <= '0;
      else if (more != fewer) count_q <= count_q + {{CountW-1{fewer}}, 1'b1};
    end
    assign some[v]  = count_q[CountW-1:1] != '0 || (count_q[0] && !fewer);
    assign known[v] = (known_q[v] || looked) && !fewer;
    assign here[v]  = looked ? out[DataW + 2] : here_q[v];
    assign may[v]   = known[v] && (here[v] ? room_here_i[v] : room_on_i[v]);
  end

  // ------------------------------------------------------------ what comes next
  // A head not looked at yet goes first; it costs its queue's neighbours one cycle a packet.
  assign fresh = some & ~known;
  assign peek  = !busy && fresh != '0;
  assign ask   = !busy && fresh == '0 && may != '0;
  assign look  = fresh[2] ? 2'd2 : {1'b0, fresh[1]};
  assign pick  = may[2] ? 2'd2 : {1'b0, may[1]};

  assign req_o      = ask;
  assign req_here_o = |(here & may & {1'b1, !may[2], may[2:1] == 2'b00});
  assign req_vn_o   = pick;

  assign head_vn   = fresh != '0 ? look : pick;
  assign head_next = head + 1'b1;
  assign next_next = next_q + 1'b1;
  assign there     = !(live_q && vn_i == at_q) || next_q[PtrW-1:0] != put_q[PtrW-1:0];
  assign load      = busy && there && !stop_i && (take || !loaded_q);

  always_ff @(posedge clk_i) begin
    if (busy) begin
      if (load) next_q <= next_next;
    end else begin
      next_q <= head_next;
      at_q   <= pick;
    end
    first_q <= !busy || (first_q && !take);
    none_q  <= !busy || (none_q && !load);
    look_q  <= look;
    here_q  <= here;
    if (!rst_ni) begin
      known_q  <= '0;
      loaded_q <= 1'b0;
      looked_q <= 1'b0;
    end else begin
      known_q  <= known;
      loaded_q <= busy ? load || (loaded_q && !take) : ask;
      looked_q <= peek;
    end
  end

  // The read pointer in two places: for the reader and for the writer.
  tern_lutram #(.Width(PtrW + 1), .Words(4)) u_head (
    .clk_i, .raddr_i(head_vn), .rdata_o(head),
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
  // In columns of nine bits, the shape of block RAM with the most words.
  logic [PtrW+1:0]      waddr, raddr;
  logic [9*Columns-1:0] in;
  logic [1:0]           read_vn;
  logic [PtrW-1:0]      read_at;

  // A network for acks has a shorter buffer behind the other two.
  function automatic logic [PtrW+1:0] place(input logic [1:0] vn, input logic [PtrW-1:0] at);
    place = {vn, at};
    if (vn == Ack) place[PtrW-1:AckPtrW] = '0;
  endfunction

  assign in      = (9*Columns)'({here_i, close_i, close_err_i, data_i});
  assign read_vn = busy ? at_q : head_vn;
  assign read_at = busy ? next_q[PtrW-1:0] : peek && Second ? head_next[PtrW-1:0] : head[PtrW-1:0];
  assign waddr   = place(start_i ? to_i : vn_i, put[PtrW-1:0]);
  assign raddr   = place(read_vn, read_at);

  for (genvar c = 0; c < Columns; c++) begin : g_column
    // No beat is read in the cycle that writes it, so the memory needs no rule for that.
    (* no_rw_check *)
    logic [8:0] mem [0:2*Depth+AckDepth-1];
    always_ff @(posedge clk_i) begin
      if (we_i) mem[waddr] <= in[9*c +: 9];
    end
    always_ff @(posedge clk_i) begin
      if (load || peek || ask) out[9*c +: 9] <= mem[raddr];
    end
  end

  assign sop_o = first_q;
  assign eop_o = out[DataW + 1];
  assign err_o = out[DataW];
  assign vn_o  = at_q;
  assign data_o = out[DataW-1:0];

  // A packet is granted only with its first beat at hand, and the writer never meets the reader.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      GrantedLoaded: assert (!(grant_i && first_q) || loaded_q);
      RoomForBeat:   assert (!we_i || (!start_i && to_i != vn_i) ||
                             (PtrW+1)'(put - to_head) <
                             (PtrW+1)'((start_i ? to_i : vn_i) == Ack ? AckDepth : Depth));
      Apart:         assert (!(we_i && (load || peek || ask) && waddr == raddr));
    end
  end

endmodule

`default_nettype wire
