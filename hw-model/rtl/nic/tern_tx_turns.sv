// SPDX-License-Identifier: Apache-2.0
// Messages of the transmit unit that are under way, and whose turn comes next.
//
// A message that has packets left is here between two of them. Its turn is `Turn` packets long, if
// nothing else of the front's comes between them, and then it goes to the end of a ring: so
// messages of one length that began together do not end together, which leaves time to begin
// others. The state that the front needs to go on with a message (`state`) is kept here, in a row
// for each slot.
//
// Messages of one queue keep their order: one that finds an older one of its queue unfinished
// (`check_i`) waits behind it (`behind_i`) and joins the ring when that has ended. So at any time
// at most one message of a queue is in the ring, and a message waits in it for one turn of every
// other queue and reply that has one there. Replies wait for no other message (`loose_i`).
//
// `blocked_o` counts in the cycle after `check_i`.

`default_nettype none

module tern_tx_turns #(
  parameter int unsigned NumSlots = 32,
  parameter int unsigned NumQ     = 512,
  parameter int unsigned Turn     = 32,
  parameter int unsigned StateW   = 112
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // the message in the front
  input  logic [$clog2(NumSlots)-1:0] slot_i,
  input  logic [$clog2(NumQ)-1:0]     queue_i,
  input  logic                        loose_i,
  input  logic                        check_i,
  output logic                        blocked_o,
  input  logic                        behind_i,    // it waits for the one that was found
  input  logic                        park_i,      // it goes on later
  input  logic                        taken_i,     // its packet was one of the ring
  input  logic                        close_i,     // it has ended, as far as the front goes
  input  logic [StateW-1:0]           state_i,     // with behind_i and park_i
  output logic                        any_o,       // some message of a queue is unfinished

  // the next of the ring
  output logic                        valid_o,
  output logic [$clog2(NumSlots)-1:0] slot_o,
  output logic [StateW-1:0]           state_o,
  input  logic                        take_i
);

  localparam int unsigned SlotW = $clog2(NumSlots);
  localparam int unsigned QW    = $clog2(NumQ);

  // Of unfinished messages of queues: whether another one waits behind it.
  logic [NumSlots-1:0] open_q, followed_q;
  logic [SlotW-1:0]    last, next;         // last of the queue that was asked for; behind slot_i
  logic [QW-1:0]       last_queue;
  logic                opens, follows;

  assign opens   = behind_i || (park_i && !loose_i && !open_q[slot_i]);
  assign follows = close_i && open_q[slot_i] && followed_q[slot_i];
  assign any_o   = open_q != '0;

  // The youngest of each queue. A row says nothing when its message has ended: then it is not open,
  // or is another queue's.
  tern_ram #(.Width(SlotW), .Words(NumQ)) u_last (
    .clk_i, .ren_i(check_i), .raddr_i(queue_i), .rdata_o(last),
    .we_i(opens), .waddr_i(queue_i), .wdata_i(slot_i)
  );
  tern_lutram #(.Width(QW), .Words(NumSlots)) u_queue (
    .clk_i, .raddr_i(last), .rdata_o(last_queue),
    .we_i(opens), .waddr_i(slot_i), .wdata_i(queue_i)
  );
  tern_lutram #(.Width(SlotW), .Words(NumSlots)) u_next (
    .clk_i, .raddr_i(slot_i), .rdata_o(next),
    .we_i(behind_i), .waddr_i(last), .wdata_i(slot_i)
  );
  assign blocked_o = open_q[last] && last_queue == queue_i;

  logic [NumSlots-1:0] here, there;
  assign here  = NumSlots'(1) << slot_i;
  assign there = NumSlots'(1) << last;
  always_ff @(posedge clk_i) begin
    open_q     <= {NumSlots{rst_ni}} & (open_q | ({NumSlots{opens}} & here)) & ~({NumSlots{close_i}} & here);
    followed_q <= (followed_q | ({NumSlots{behind_i}} & there)) & ~({NumSlots{opens || close_i}} & here);
  end

  // ---------------------------------------------------------------- the ring and what it keeps
  localparam int unsigned TurnW = $clog2(Turn);
  logic             ring_room, ring_valid, stay, stays_q;
  logic [TurnW-1:0] had_q;                 // packets of this turn before the present one
  logic [SlotW-1:0] ring_slot, stays_at_q;

  assign stay    = park_i && taken_i && had_q != TurnW'(Turn - 1);
  assign valid_o = stays_q || ring_valid;
  assign slot_o  = stays_q ? stays_at_q : ring_slot;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)     stays_q <= 1'b0;
    else if (stay)   stays_q <= 1'b1;
    else if (take_i) stays_q <= 1'b0;
    if (stay) stays_at_q <= slot_i;
    if (take_i) had_q <= stays_q ? had_q + 1'b1 : '0;
  end

  tern_fifo #(.Width(SlotW), .Depth(NumSlots)) u_ring (
    .clk_i, .rst_ni,
    .valid_i((park_i && !stay) || follows), .ready_o(ring_room), .data_i(park_i ? slot_i : next),
    .valid_o(ring_valid), .ready_i(take_i && !stays_q), .data_o(ring_slot),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  tern_lutram #(.Width(StateW), .Words(NumSlots)) u_state (
    .clk_i, .raddr_i(slot_o), .rdata_o(state_o),
    .we_i(park_i || behind_i), .waddr_i(slot_i), .wdata_i(state_i)
  );

  // A message waits behind another one that is unfinished; the ring has a place for each slot.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      BehindOpen: assert (!behind_i || (open_q[last] && last != slot_i && !followed_q[last]));
      RingRoom:   assert (!(park_i || follows) || ring_room);
      OneThing:   assert ($onehot0({behind_i, park_i, close_i}));
    end
  end

endmodule

`default_nettype wire
