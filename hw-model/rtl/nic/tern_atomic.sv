// SPDX-License-Identifier: Apache-2.0
// Atomic operations on words of host memory: compare-and-swap, fetch-and-add and take, one at a
// time, in the order in which the firmware hands over their receive slots.
//
// Meanwhile, beside each other: tern_rx_put reads the header and has the key checked, the operands
// are read from the payload memory, and a write command without bytes, after all earlier ones in
// the write channel, ends when those have been answered. Then the word is read, and written if it
// is to change. From the good check until that write has entered the channel, or none is due,
// `lock_o` keeps deposits near the word from entering, so none comes between. tern_rx_answer sends
// the ACK, with the word as it was; the next begins when that has left.
//
// A take adds as fetch-and-add does, and sets those bits of the mask that are set in the sum: one
// added to a field of bits sets the lowest that is clear.  A carry above the field is ignored.
//
// A walk looks at nodes (NOD) until one has the key that is wanted.  Each is read as a word is, all
// of it, with the right to read; the sum of its key and the operand, the complement of the wanted
// one, says whether it is found, and its carry which way to go.  The link to the next is written
// into the header, and header and operands are read again.  A walk that ends well becomes an event
// for the firmware.
//
// Nothing here chooses: operands, old and new word move through chains of DataW bits, past fixed
// places, lower halves first; of a node only its key and the link that is followed come in.  When
// the core goes down, jobs that wait are forgotten; the one at work goes on to its end, and has its
// receive slot until then: where a walk would raise an event it is answered FLUSHED.

`default_nettype none

module tern_atomic #(
  parameter int unsigned DataW   = 64,
  parameter int unsigned RxSlots = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             core_up_i,

  input  logic             push_i,          // a job; there is room for all slots
  input  logic [$clog2(RxSlots)-1:0] push_slot_i,
  input  logic             push_add_i,
  input  logic             push_walk_i,     // with add; the next three belong to it.  Without: take
  input  logic             push_tree_i,
  input  logic             push_on_i,
  input  logic [3:0]       push_nodes_i,    // less one

  output logic             busy_o,          // at work on this one, not yet answered:
  output logic [$clog2(RxSlots)-1:0] slot_o,
  output logic             walk_o,

  output logic             jb_valid_o,      // its header, its key: stands until done
  input  logic             jb_clear_i,      // at work, and all puts before it have entered
  input  logic             jb_done_i,
  input  logic [4:0]       jb_status_i,
  input  logic [63:0]      jb_haddr_i,
  input  logic [7:0]       jb_fn_i,
  // that the node is to have, 0: any; until the next header is read
  input  logic [15:0]      jb_generation_i,

  output logic             hold_o,          // no put begins its key check
  input  logic             quiet_i,         // none is checked, none stands before the write channel
  output logic             lock_o,          // nor passes it, if it may touch this line:
  output logic [3:0]       line_o,          // address in 512 bytes, lowest bits

  output logic             op_valid_o,      // a beat of operands: one cycle later
  input  logic             op_ready_i,
  output logic [$clog2(256/DataW)-1:0] op_beat_o,
  input  logic [DataW-1:0] op_rdata_i,

  output logic             hrq_valid_o,
  input  logic             hrq_ready_i,
  output logic [7:0]       hrq_fn_o,
  output logic [63:0]      hrq_addr_o,
  input  logic             hrd_valid_i,     // a beat for this unit
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,

  output logic             wr_valid_o,      // never beside the command of a put
  input  logic             wr_ready_i,
  // a word, else no bytes; like the next two, 0 without a command
  output logic             wr_word_o,
  output logic [63:0]      wr_addr_o,
  output logic [7:0]       wr_fn_o,
  input  logic             wr_req_i,        // its next beat: one cycle later
  output logic [DataW-1:0] wr_rdata_o,      // otherwise 0
  input  logic             wr_done_i,
  input  logic             wr_err_i,

  output logic             link_valid_o,    // a beat of the link, into the header
  input  logic             link_ready_i,
  output logic             link_high_o,
  output logic             note_valid_o,    // the walk's event; with the slot, which stays taken
  input  logic             note_ready_i,
  output logic             note_found_o,

  output logic             an_valid_o,      // stands until done
  output logic [5:0]       an_status_o,     // OK: a word comes with it
  input  logic             an_done_i,
  input  logic             an_said_i,       // done, and an ACK leaves
  output logic [DataW-1:0] word_o,          // a beat of word or link
  input  logic             word_next_i      // one of the word has been taken
);

  localparam int unsigned Ops   = 256 / DataW;
  localparam int unsigned OpW   = $clog2(Ops);
  localparam int unsigned SlotW = $clog2(RxSlots);

  // ---------------------------------------------------------------- jobs
  logic             job_valid, job_add, job_walk, job_tree, job_on, start, busy_q, add_q, over;
  logic             tree_q, on_q, take_q;
  logic [3:0]       job_nodes, nodes_q;
  logic [SlotW-1:0] job_slot, slot_q;

  logic             unused_room;
  logic [SlotW:0]   unused_space;
  tern_fifo #(.Width(SlotW + 8), .Depth(RxSlots)) u_jobs (
    .clk_i, .rst_ni(rst_ni && core_up_i),
    .valid_i(push_i), .ready_o(unused_room),
    .data_i({push_slot_i, push_add_i, push_walk_i, push_tree_i, push_on_i, push_nodes_i}),
    .valid_o(job_valid), .ready_i(start),
    .data_o({job_slot, job_add, job_walk, job_tree, job_on, job_nodes}), .space_o(unused_space)
  );

  always_ff @(posedge clk_i) begin
    if (!busy_q) {slot_q, tree_q} <= {job_slot, job_tree};
    if (!busy_q) {add_q, walk_o, take_q} <= {job_add || job_walk, job_walk && job_add, job_walk &&
                                             !job_add};
    if (!busy_q)    {on_q, nodes_q} <= {job_on, job_nodes};
    else if (again) {on_q, nodes_q} <= {1'b1, nodes_q - 1'b1};
  end

  // ---------------------------------------------------------------- steps of a job
  logic check_q, read_q, data_q, judge_q, want_q, send_q, wait_q, tell_q, word_q, link_q, note_q;
  logic good, bad, asked, last, unlike, write, done, popped, linked, again, noted, lost_q;
  logic aligned, whole, walked;
  logic fault_q, stale_q, found_q, nil_q;
  logic [5:0] status_q;

  // The write channel answers in order: at most one command is under way.
  logic mark_q, marked_q, flying_q;

  assign start   = job_valid && !busy_q && !mark_q && !flying_q && core_up_i;
  assign aligned = jb_haddr_i[2:0] == '0 && !(walk_o && jb_haddr_i[4:3] != '0);
  assign good    = jb_done_i && jb_status_i == 5'(tern_abi_pkg::ST_OK) && aligned;
  assign bad     = jb_done_i && !good;
  assign asked   = hrq_valid_o && hrq_ready_i;
  assign last    = data_q && hrd_valid_i && hrd_last_i;
  assign write   = judge_q && !unlike && !fault_q && !walk_o;
  assign done    = wait_q && wr_done_i;
  assign over    = (tell_q && an_done_i && !(an_said_i && status_q == '0)) || popped || noted;

  // Of a walk: the node is one, and this it says; the link is in the header.
  assign whole  = judge_q && walk_o && !fault_q && !stale_q;
  assign walked = whole && (found_q || !nil_q);
  assign again  = linked && nodes_q != '0 && !lost_q;
  assign noted  = note_valid_o && note_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, check_q, read_q, data_q, judge_q, want_q, send_q, wait_q, tell_q, word_q} <= '0;
      {mark_q, flying_q, lock_o, link_q, note_q, lost_q} <= '0;
    end else begin
      busy_q  <= start || (busy_q && !over);
      check_q <= start || again || (check_q && !jb_done_i);
      read_q  <= good || (read_q && !asked);
      data_q  <= asked || (data_q && !last);
      judge_q <= last;
      want_q  <= write || (want_q && !quiet_i);
      send_q  <= (want_q && quiet_i) || (send_q && !wr_ready_i);
      wait_q  <= (send_q && wr_ready_i) || (wait_q && !wr_done_i);
      tell_q  <= bad || (judge_q && !write && !walked) || done || (note_q && lost_q) ||
          (tell_q && !an_done_i);
      word_q  <= (tell_q && an_said_i && status_q == '0) || (word_q && !popped);
      link_q  <= (walked && !found_q) || (link_q && !linked);
      note_q  <= (walked && found_q) || (linked && !again) || (note_q && !noted && !lost_q);
      lost_q  <= busy_q && (lost_q || !core_up_i);

      mark_q   <= (jb_clear_i && !marked_q) || (mark_q && !wr_ready_i);
      flying_q <= (wr_valid_o && wr_ready_i) || (flying_q && !wr_done_i);
      lock_o   <= good || (lock_o && !(judge_q && !write) && !(send_q && wr_ready_i));
    end
    if (!busy_q)         marked_q <= 1'b0;
    else if (jb_clear_i) marked_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (jb_done_i) begin
      status_q <= {1'b0, jb_status_i};
      if (good)                   status_q <= '0;
      else if (walk_o && lost_q)  status_q <= 6'(tern_abi_pkg::ST_FLUSHED);
      else if (walk_o && on_q)    status_q <= 6'(tern_abi_pkg::ST_BAD_LINK);
      else if (jb_status_i == '0) status_q <= 6'(tern_abi_pkg::ST_BAD_ALIGN);
    end else if ((judge_q && fault_q) ||
                 (done && wr_err_i)) status_q <= 6'(tern_abi_pkg::ST_HOST_FAULT);
    else if (judge_q && walk_o && stale_q) status_q <= 6'(tern_abi_pkg::ST_STALE_POINTER);
    else if (judge_q && walk_o && !walked) status_q <= 6'(tern_abi_pkg::ST_NOT_FOUND);
    else if (note_q && lost_q)             status_q <= 6'(tern_abi_pkg::ST_FLUSHED);
  end

  assign busy_o       = busy_q && !word_q;
  assign slot_o       = slot_q;
  assign jb_valid_o   = start || check_q;
  assign hold_o       = mark_q || want_q || send_q;
  assign an_valid_o   = tell_q;
  assign an_status_o  = status_q;
  assign link_valid_o = link_q;
  assign link_high_o  = shown_q;
  assign note_valid_o = note_q && core_up_i && !lost_q;
  assign note_found_o = found_q;

  // ---------------------------------------------------------------- where
  logic [63:0] haddr_q;
  logic [7:0]  fn_q;

  always_ff @(posedge clk_i) begin
    if (jb_done_i) {fn_q, haddr_q} <= {jb_fn_i, jb_haddr_i};
    if (!rst_ni || (send_q && wr_ready_i)) {wr_fn_o, wr_addr_o} <= '0;
    else if (want_q && quiet_i)            {wr_fn_o, wr_addr_o} <= {fn_q, haddr_q};
  end

  assign line_o      = haddr_q[12:9];
  assign hrq_fn_o    = fn_q;
  assign hrq_addr_o  = haddr_q;
  assign wr_valid_o  = mark_q || send_q;
  assign wr_word_o   = send_q;

  // ---------------------------------------------------------------- operands
  logic [OpW:0]  load_q;
  logic          there_q, step_q;
  logic [255:0]  ops_q;

  assign op_valid_o  = busy_q && !load_q[OpW];
  assign op_beat_o   = load_q[OpW-1:0];
  // The last operand is there long before the word.
  assign hrq_valid_o = read_q && load_q[OpW] && !mark_q && !flying_q;

  // Behind what has been used follow zeros: to links nothing is added.
  always_ff @(posedge clk_i) begin
    there_q <= op_valid_o && op_ready_i;
    if (!busy_q || again)              load_q <= '0;
    else if (op_valid_o && op_ready_i) load_q <= load_q + 1'b1;
    if (there_q || step_q) ops_q[255-DataW:0] <= ops_q[255:DataW];
    if (step_q)            ops_q[255-:DataW]  <= '0;
    else if (there_q)      ops_q[255-:DataW]  <= op_rdata_i;
  end

  // ---------------------------------------------------------------- the word, old and new
  localparam int unsigned Base = tern_abi_pkg::ATO_COMPARE_LSB;
  logic [63:0]      old_q, new_q;
  logic [DataW-1:0] beat, mask, sum, made;
  logic [OpW-1:0]   beat_q;             // the one that comes next
  logic             carry, carry_q, unlike_q, shown_q, linking;

  assign beat   = old_q[64-DataW +: DataW];
  assign word_o = old_q[DataW-1:0];

  tern_unlike #(.Width(DataW)) u_unlike (
    .a_i(beat), .b_i(ops_q[tern_abi_pkg::ATO_COMPARE_LSB - Base +: DataW]),
    .mask_i(ops_q[tern_abi_pkg::ATO_COMPARE_MASK_LSB - Base +: DataW]),
    .unlike_i(unlike_q), .unlike_o(unlike)
  );
  tern_merge #(.Width(DataW)) u_merge (
    .old_i(beat), .with_i(ops_q[tern_abi_pkg::ATO_SWAP_LSB - Base +: DataW]),
    .mask_i(mask), .add_i(add_q),
    .carry_i(carry_q && first_q), .new_o(sum), .carry_o(carry)
  );
  assign mask = ops_q[tern_abi_pkg::ATO_SWAP_MASK_LSB - Base +: DataW];
  assign made = take_q ? beat | (sum & mask) : sum;

  // Of a node what comes in is its key, which a word is, too, and less, over which more may go.
  logic comes, first_q, low_q;
  logic [1:0] part;
  assign part    = beat_q[OpW-1-:2];
  assign comes   = data_q && hrd_valid_i && (!part[1] || (!part[0] && tree_q && !carry_q));
  assign linking = link_q && link_ready_i;
  assign linked  = linking && (DataW == 64 || shown_q);

  // A beat that came is judged in the next cycle.
  always_ff @(posedge clk_i) begin
    step_q  <= comes;
    first_q <= part == '0;
    low_q   <= DataW == 64 || !beat_q[0];
    if (read_q)           beat_q <= '0;
    else if (hrd_valid_i) beat_q <= beat_q + 1'b1;
    if (read_q)                     {carry_q, unlike_q} <= '0;
    else if (step_q && first_q)     {carry_q, unlike_q} <= {carry, unlike};
    if (read_q)                     fault_q <= 1'b0;
    else if (hrd_valid_i)           fault_q <= fault_q || hrd_err_i;
    if (comes || word_next_i || linking) old_q <= 64'({hrd_data_i, old_q} >> DataW);
    if (step_q || wr_req_i)         new_q <= 64'({made, new_q} >> DataW);
    if (!wr_req_i) wr_rdata_o <= '0;
    else           wr_rdata_o <= new_q[DataW-1:0];
    if (!word_q && !link_q)           shown_q <= 1'b0;
    else if (word_next_i || linking) shown_q <= 1'b1;
  end
  assign popped = word_q && word_next_i && (DataW == 64 || shown_q);

  // The node's key is the one when nothing is left; no link when nothing is in its low word.  The
  // generation stands at the end of the last beat.
  logic none, none_low;
  assign none_low = sum[31:0] == '0;
  assign none     = none_low && (sum >> 32) == '0;

  always_ff @(posedge clk_i) begin
    if (read_q)                 found_q <= 1'b1;
    else if (step_q && first_q) found_q <= found_q && none;
    if (step_q && !first_q && low_q) nil_q <= none_low;
    stale_q <= jb_generation_i != '0 && jb_generation_i != hrd_data_i[DataW-1-:16];
  end

endmodule

`default_nettype wire
