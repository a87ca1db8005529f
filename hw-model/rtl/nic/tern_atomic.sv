// SPDX-License-Identifier: Apache-2.0
// Atomic operations on words of host memory: compare-and-swap, fetch-and-add and take, one at a
// time, in the order in which the firmware passes their receive slots.
//
// Three things run in parallel first. tern_rx_put reads the header and has the key checked. The
// operands are read from the payload memory. A write command without bytes passes through the write
// channel and so waits until all earlier writes were answered. Then the word is read, and written
// if it changes. From the good check until that write has entered the channel (or the word stays
// unchanged), `lock_o` stops deposits near the word, so none comes between read and write.
// tern_rx_answer sends the ACK with the old word; the next job begins after that.
//
// A take adds as fetch-and-add does, then sets those bits of the mask that are set in the sum.
// So adding one to a field of bits sets its lowest clear bit. A carry out of the field is ignored.
//
// A walk visits linked nodes (NOD) until one has the wanted key. Each is read whole, like a word,
// with the right to read. The operand is the complement of the wanted key: its sum with the node's
// key shows whether it is found, and the carry shows the direction. The link to the next node is
// written into the header, and header and operands are read again. A walk that ends well raises an
// event for the firmware.
//
// The data path has no multiplexers: operands, old and new word shift through registers of DataW
// bits past fixed taps, lower halves first. Of a node only its key and the followed link are
// captured. When the core goes down, waiting jobs are dropped. The current job completes and keeps
// its receive slot until then; where a walk would raise an event it is answered FLUSHED.

`default_nettype none

module tern_atomic #(
  parameter int unsigned DataW   = 64,
  parameter int unsigned RxSlots = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             core_up_i,

  input  logic             push_i,          // a new job; all slots fit
  input  logic [$clog2(RxSlots)-1:0] push_slot_i,
  input  logic             push_add_i,
  input  logic             push_walk_i,     // 1: a walk, with the next three; 0 without add: a take
  input  logic             push_tree_i,
  input  logic             push_on_i,
  input  logic [3:0]       push_nodes_i,    // at most, less one

  output logic             busy_o,          // a job is at work or unanswered:
  output logic [$clog2(RxSlots)-1:0] slot_o,
  output logic             walk_o,

  output logic             jb_valid_o,      // header read and key check; held until done
  input  logic             jb_clear_i,      // granted, and all earlier puts have entered
  input  logic             jb_done_i,
  input  logic [4:0]       jb_status_i,
  input  logic [63:0]      jb_haddr_i,
  input  logic [7:0]       jb_fn_i,
  // generation that the node must have, 0: any; valid until the next header is read
  input  logic [15:0]      jb_generation_i,

  output logic             hold_o,          // let no put begin its key check
  input  logic             quiet_i,         // no put is checked or waits for the write channel
  output logic             lock_o,          // let no put pass that may touch this line:
  output logic [3:0]       line_o,          // lowest bits of address / 512

  output logic             op_valid_o,      // read a beat of operands: data one cycle later
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

  output logic             wr_valid_o,      // never together with the command of a put
  input  logic             wr_ready_i,
  // 1: write a word, 0: no bytes. These three are 0 without a command: the consumer ORs them.
  output logic             wr_word_o,
  output logic [63:0]      wr_addr_o,
  output logic [7:0]       wr_fn_o,
  input  logic             wr_req_i,        // asks for the next beat: one cycle later
  output logic [DataW-1:0] wr_rdata_o,      // 0 unless asked for
  input  logic             wr_done_i,
  input  logic             wr_err_i,

  output logic             link_valid_o,    // writes a beat of the link into the header
  input  logic             link_ready_i,
  output logic             link_high_o,
  output logic             note_valid_o,    // event of the walk, which keeps its slot
  input  logic             note_ready_i,
  output logic             note_found_o,

  output logic             an_valid_o,      // held until done
  output logic [5:0]       an_status_o,     // OK: with a word
  input  logic             an_done_i,
  input  logic             an_said_i,       // done, and an ACK leaves
  output logic [DataW-1:0] word_o,          // a beat of the word or link
  input  logic             word_next_i      // a beat of the word was taken
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

  // The write channel answers in order, and at most one command is in flight.
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

  // Walk, in turn: the node is valid; it is the wanted one or has a link; that link is in the
  // header.
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

  // ---------------------------------------------------------------- address of the word
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
  // The last operand arrives long before the word.
  assign hrq_valid_o = read_q && load_q[OpW] && !mark_q && !flying_q;

  // Zeros follow the used operands, so that nothing is added to links.
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
  logic [OpW-1:0]   beat_q;             // next beat to arrive
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

  // Captured are the key (or the word), then `less`; in a tree `more` may replace it.
  logic comes, first_q, low_q;
  logic [1:0] part;
  assign part    = beat_q[OpW-1-:2];
  assign comes   = data_q && hrd_valid_i && (!part[1] || (!part[0] && tree_q && !carry_q));
  assign linking = link_q && link_ready_i;
  assign linked  = linking && (DataW == 64 || shown_q);

  // A captured beat is evaluated in the next cycle.
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

  // The key matches if the sum is zero; there is no link if its low word is zero. The generation is
  // at the end of the last beat.
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
