// SPDX-License-Identifier: Apache-2.0
// Keeps the messages in progress of the transmit unit, and chooses whose turn comes next.
//
// A message with packets left is here between two packets. Its turn is `Turn` packets long, unless
// the front handles another message in between; then it goes to the end of a ring. So messages of
// equal length that began together end at different times, which leaves time to begin others. Each
// slot has a row for the state (`state`) with which the front resumes the message.
//
// Messages of one queue keep their order. A message that finds an older one of its queue unfinished
// (`check_i`) waits for it (`behind_i`) and joins the ring when that one has ended. So the ring
// holds at most one message per queue. A message waits in the ring for one turn of every other
// queue and reply there. Replies wait for no other message (`loose_i`).
//
// `blocked_o` is valid in the cycle after `check_i`.

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
  input  logic                        behind_i,    // it waits for the older one that was found
  input  logic                        park_i,      // it resumes later
  input  logic                        taken_i,     // its packet came from the ring
  input  logic                        close_i,     // the front has finished it
  input  logic [StateW-1:0]           state_i,     // with behind_i and park_i
  output logic                        any_o,       // some message of a queue is unfinished

  // the next message of the ring
  output logic                        valid_o,
  output logic [$clog2(NumSlots)-1:0] slot_o,
  output logic [StateW-1:0]           state_o,
  input  logic                        take_i
);

  localparam int unsigned SlotW = $clog2(NumSlots);
  localparam int unsigned QW    = $clog2(NumQ);

  // One bit per slot: unfinished message of a queue; another one waits for it.
  logic [NumSlots-1:0] open_q, followed_q;
  logic [SlotW-1:0]    last, next;         // youngest of the queue asked for; waiting for slot_i
  logic [QW-1:0]       last_queue;
  logic                opens, follows;

  assign opens   = behind_i || (park_i && !loose_i && !open_q[slot_i]);
  assign follows = close_i && open_q[slot_i] && followed_q[slot_i];
  assign any_o   = open_q != '0;

  // The youngest message of each queue. The row is stale once that message has ended: its slot is
  // then not open, or open for another queue.
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
    open_q     <= {NumSlots{rst_ni}} & (open_q | ({NumSlots{opens}} & here)) &
                  ~({NumSlots{close_i}} & here);
    followed_q <= (followed_q | ({NumSlots{behind_i}} & there)) &
                  ~({NumSlots{opens || close_i}} & here);
  end

  // ---------------------------------------------------------------- the ring and the saved states
  localparam int unsigned TurnW = $clog2(Turn);
  logic             ring_room, ring_valid, stay, stays_q;
  logic [TurnW-1:0] had_q;                 // packets of this turn so far
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

  // A message waits only for an unfinished one; the ring has a place for each slot.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      BehindOpen: assert (!behind_i || (open_q[last] && last != slot_i && !followed_q[last]));
      RingRoom:   assert (!(park_i || follows) || ring_room);
      OneThing:   assert ($onehot0({behind_i, park_i, close_i}));
    end
  end

endmodule

`default_nettype wire
