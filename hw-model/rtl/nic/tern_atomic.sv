// SPDX-License-Identifier: Apache-2.0
// Atomic operations on words of host memory: compare-and-swap and fetch-and-add, one at a time, in
// the order in which the firmware hands over their receive slots.
//
// Meanwhile, beside each other: tern_rx_put reads the header and has the key checked, the operands are
// read from the payload memory, and a write command without bytes, behind all that entered the write
// channel before, tells when those have been answered.  Then the word is read, and written if it is to
// change.  From the good check until that write has entered the channel, or none is due, `lock_o` keeps
// deposits near the word from entering, so none comes between.  tern_rx_answer sends the ACK, with the
// word as it was; the next begins when that has left.
//
// Nothing here chooses: operands, old and new word move through chains of DataW bits, past fixed places,
// lower halves first.  When the core goes down, jobs that wait are forgotten; the one at work goes on to
// its end, and has its receive slot until then.

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

  output logic             busy_o,          // at work on this one, not yet answered:
  output logic [$clog2(RxSlots)-1:0] slot_o,

  output logic             jb_valid_o,      // its header, its key: stands until done
  input  logic             jb_clear_i,      // at work, and all puts before it have entered
  input  logic             jb_done_i,
  input  logic [4:0]       jb_status_i,
  input  logic [63:0]      jb_haddr_i,
  input  logic [7:0]       jb_fn_i,

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
  output logic             wr_word_o,       // a word, else no bytes; like the next two, 0 without a command
  output logic [63:0]      wr_addr_o,
  output logic [7:0]       wr_fn_o,
  input  logic             wr_req_i,        // its next beat: one cycle later
  output logic [DataW-1:0] wr_rdata_o,      // otherwise 0
  input  logic             wr_done_i,
  input  logic             wr_err_i,

  output logic             an_valid_o,      // stands until done
  output logic [4:0]       an_status_o,     // OK: a word comes with it
  input  logic             an_done_i,
  input  logic             an_said_i,       // done, and an ACK leaves
  output logic [DataW-1:0] word_o,
  input  logic             word_next_i      // a beat of the word has been taken
);

  localparam int unsigned Ops   = 256 / DataW;
  localparam int unsigned OpW   = $clog2(Ops);
  localparam int unsigned SlotW = $clog2(RxSlots);

  // ---------------------------------------------------------------- jobs
  logic             job_valid, job_add, start, busy_q, add_q, over;
  logic [SlotW-1:0] job_slot, slot_q;

  logic             unused_room;
  logic [SlotW:0]   unused_space;
  tern_fifo #(.Width(SlotW + 1), .Depth(RxSlots)) u_jobs (
    .clk_i, .rst_ni(rst_ni && core_up_i),
    .valid_i(push_i), .ready_o(unused_room), .data_i({push_slot_i, push_add_i}),
    .valid_o(job_valid), .ready_i(start), .data_o({job_slot, job_add}), .space_o(unused_space)
  );

  always_ff @(posedge clk_i) begin
    if (!busy_q) {slot_q, add_q} <= {job_slot, job_add};
  end

  // ---------------------------------------------------------------- steps of a job
  logic check_q, read_q, data_q, judge_q, want_q, send_q, wait_q, tell_q, word_q;
  logic good, bad, asked, last, unlike, write, done, popped;
  logic fault_q;
  logic [4:0] status_q;

  // The write channel answers in order: at most one command is under way.
  logic mark_q, marked_q, flying_q;

  assign start = job_valid && !busy_q && !mark_q && !flying_q && core_up_i;
  assign good  = jb_done_i && jb_status_i == 5'(tern_abi_pkg::ST_OK) && jb_haddr_i[2:0] == '0;
  assign bad   = jb_done_i && !good;
  assign asked = hrq_valid_o && hrq_ready_i;
  assign last  = data_q && hrd_valid_i && hrd_last_i;
  assign write = judge_q && !unlike && !fault_q;
  assign done  = wait_q && wr_done_i;
  assign over  = (tell_q && an_done_i && !(an_said_i && status_q == '0)) || popped;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, check_q, read_q, data_q, judge_q, want_q, send_q, wait_q, tell_q, word_q} <= '0;
      {mark_q, flying_q, lock_o} <= '0;
    end else begin
      busy_q  <= start || (busy_q && !over);
      check_q <= start || (check_q && !jb_done_i);
      read_q  <= good || (read_q && !asked);
      data_q  <= asked || (data_q && !last);
      judge_q <= last;
      want_q  <= write || (want_q && !quiet_i);
      send_q  <= (want_q && quiet_i) || (send_q && !wr_ready_i);
      wait_q  <= (send_q && wr_ready_i) || (wait_q && !wr_done_i);
      tell_q  <= bad || (judge_q && !write) || done || (tell_q && !an_done_i);
      word_q  <= (tell_q && an_said_i && status_q == '0) || (word_q && !popped);

      mark_q   <= (jb_clear_i && !marked_q) || (mark_q && !wr_ready_i);
      flying_q <= (wr_valid_o && wr_ready_i) || (flying_q && !wr_done_i);
      lock_o   <= good || (lock_o && !(judge_q && !write) && !(send_q && wr_ready_i));
    end
    if (!busy_q)         marked_q <= 1'b0;
    else if (jb_clear_i) marked_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (jb_done_i)
      status_q <= bad && jb_status_i == '0 ? 5'(tern_abi_pkg::ST_BAD_ALIGN) : jb_status_i;
    else if ((judge_q && fault_q) || (done && wr_err_i)) status_q <= 5'(tern_abi_pkg::ST_HOST_FAULT);
  end

  assign busy_o      = busy_q && !word_q;
  assign slot_o      = slot_q;
  assign jb_valid_o  = start || check_q;
  assign hold_o      = mark_q || want_q || send_q;
  assign an_valid_o  = tell_q;
  assign an_status_o = status_q;

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

  always_ff @(posedge clk_i) begin
    there_q <= op_valid_o && op_ready_i;
    if (!busy_q)                       load_q <= '0;
    else if (op_valid_o && op_ready_i) load_q <= load_q + 1'b1;
    if (there_q || step_q) ops_q <= 256'({op_rdata_i, ops_q} >> DataW);
  end

  // ---------------------------------------------------------------- the word, old and new
  localparam int unsigned Base = tern_abi_pkg::ATO_COMPARE_LSB;
  logic [63:0]      old_q, new_q;
  logic [DataW-1:0] beat, sum;
  logic             carry, carry_q, unlike_q, shown_q;

  assign beat   = old_q[64-DataW +: DataW];
  assign word_o = old_q[DataW-1:0];

  tern_unlike #(.Width(DataW)) u_unlike (
    .a_i(beat), .b_i(ops_q[tern_abi_pkg::ATO_COMPARE_LSB - Base +: DataW]),
    .mask_i(ops_q[tern_abi_pkg::ATO_COMPARE_MASK_LSB - Base +: DataW]),
    .unlike_i(unlike_q), .unlike_o(unlike)
  );
  tern_merge #(.Width(DataW)) u_merge (
    .old_i(beat), .with_i(ops_q[tern_abi_pkg::ATO_SWAP_LSB - Base +: DataW]),
    .mask_i(ops_q[tern_abi_pkg::ATO_SWAP_MASK_LSB - Base +: DataW]), .add_i(add_q),
    .carry_i(carry_q), .new_o(sum), .carry_o(carry)
  );

  // A beat that came is judged in the next cycle.
  always_ff @(posedge clk_i) begin
    step_q <= data_q && hrd_valid_i;
    if (read_q)                     {carry_q, unlike_q} <= '0;
    else if (step_q)                {carry_q, unlike_q} <= {carry, unlike};
    if (read_q)                     fault_q <= 1'b0;
    else if (hrd_valid_i)           fault_q <= fault_q || hrd_err_i;
    if (hrd_valid_i || word_next_i) old_q <= 64'({hrd_data_i, old_q} >> DataW);
    if (step_q || wr_req_i)         new_q <= 64'({sum, new_q} >> DataW);
    if (!wr_req_i) wr_rdata_o <= '0;
    else           wr_rdata_o <= new_q[DataW-1:0];
    if (!word_q)          shown_q <= 1'b0;
    else if (word_next_i) shown_q <= 1'b1;
  end
  assign popped = word_q && word_next_i && (DataW == 64 || shown_q);

endmodule

`default_nettype wire
