// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: requests words ahead and aligns instructions on half-word boundaries.
//
// One instruction a cycle from a memory that answers in the next cycle, for any mix of 16-bit and
// 32-bit instructions. A 32-bit instruction across two words costs one extra cycle, but only as a
// jump target. A redirect requests its target in its own cycle, so the target is offered one cycle
// later. `valid_o` and its data hold until `ready_i` or a redirect.
//
// A direct jump or a predicted branch that lies entirely in buffered words is followed when decode
// takes it, without a lost cycle (`followed_o`). In a word that just arrived this would be a path
// from memory to memory, too long for one cycle; decode then executes the jump.
//
// A redirect replaces an address that waits for `imem_gnt_i`: fetching has no side effects. Answers
// to requests before a redirect are counted and dropped.
`default_nettype none

module tern_core_fetch (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Three redirects with increasing priority; the last one is also the latest in the cycle.
  input  logic        redirect_i,
  input  logic [31:1] redirect_pc_i,
  input  logic        jump_i,
  input  logic [31:1] jump_pc_i,
  input  logic        flush_i,
  input  logic [31:1] flush_pc_i,

  input  logic        ready_i,
  output logic        valid_o,
  output logic [31:0] insn_o,      // upper half undefined when `rvc_o`
  output logic        rvc_o,       // a 16-bit instruction
  output logic        fault_o,     // the memory refused (part of) it
  output logic        fault_hi_o,  // it refused the second half
  output logic        followed_o,  // the next instruction is its target
  output logic [1:0]  history_o,   // history of branches at this pc
  output logic [31:1] pc_o,        // of the instruction offered next, also while none is
  output logic [31:1] next_pc_o,   // of the instruction after it
  output logic        idle_o,      // no request and no answer outstanding

  input  logic        learn_i,     // outcome of a branch: its new history
  input  logic [tern_core_pkg::PlaceW-1:0] learn_place_i,
  input  logic [1:0]  learn_history_i,

  output logic        imem_req_o,
  output logic [31:0] imem_addr_o,
  input  logic        imem_gnt_i,
  input  logic        imem_rvalid_i,
  input  logic [31:0] imem_rdata_i,
  input  logic        imem_err_i
);

  // Buffered words: the one being consumed, its successor, and an arriving one.
  logic [32:0] word0_q, word1_q, word2_q;  // {refused, data}
  logic [1:0]  held_q, held_d;             // words buffered
  logic [1:0]  owed_q, owed_d;             // answers outstanding
  logic [1:0]  drop_q, drop_d;             // of those, answers to drop
  logic [31:2] addr_q;                     // last address requested
  logic        ahead_q;                    // that address was taken
  logic [31:1] pc_q;

  // --- jumps followed by fetch itself
  logic        follow, restart, in_kept, kept_fault, predicted;
  logic        upper;                      // the next instruction begins in an upper half
  logic [31:0] kept_insn;
  logic [31:1] target;

  assign upper            = pc_q[1];
  assign kept_insn[15:0]  = upper ? word0_q[31:16] : word0_q[15:0];
  assign kept_insn[31:16] = upper ? word1_q[15:0] : word0_q[31:16];

  tern_core_predict u_predict (
    .clk_i, .insn_i(kept_insn), .pc_i(pc_q), .follow_o(predicted), .target_o(target),
    .history_o, .learn_i, .learn_place_i, .learn_history_i
  );

  assign in_kept    = held_q[1] || (held_q[0] && !(upper && kept_insn[1:0] == 2'b11));
  assign kept_fault = word0_q[32] || (upper && kept_insn[1:0] == 2'b11 && word1_q[32]);
  assign followed_o = in_kept && predicted && !kept_fault;
  assign follow     = followed_o && ready_i;
  assign restart    = flush_i || jump_i || redirect_i || follow;

  // --- requests ---
  logic [31:2] next_addr, known_addr;
  logic [31:1] known_pc;
  logic        taken, room;
  logic [2:0]  promised;

  assign next_addr   = addr_q + 30'(ahead_q);
  assign promised    = 3'(held_q) + 3'(owed_q) - 3'(drop_q);
  assign room        = promised < 3'd3;
  // The later a signal arrives, the fewer multiplexers it passes. Latest is whether decode takes
  // the instruction. So before a jump that may be followed, no word after it is requested.
  assign imem_req_o  = rst_ni && (restart || (room && !followed_o)) && owed_q != 2'd3;
  assign known_addr  = redirect_i ? redirect_pc_i[31:2] : followed_o ? target[31:2] : next_addr;
  assign known_pc    = redirect_i ? redirect_pc_i : followed_o ? target : next_pc_o;
  assign imem_addr_o = {flush_i ? flush_pc_i[31:2] : jump_i ? jump_pc_i[31:2] : known_addr, 2'b00};
  assign taken       = imem_req_o && imem_gnt_i;
  assign idle_o      = owed_q == 2'd0 && !imem_req_o;

  // --- answers ---
  logic        in_valid;
  logic [32:0] in_word;

  assign in_valid = imem_rvalid_i && drop_q == 2'd0;
  assign in_word  = {imem_err_i, imem_rdata_i};
  assign owed_d   = owed_q + 2'(taken) - 2'(imem_rvalid_i);

  always_comb begin
    drop_d = drop_q;
    if (restart) drop_d = owed_q - 2'(imem_rvalid_i);
    else if (imem_rvalid_i && drop_q != 2'd0) drop_d = drop_q - 2'd1;
  end

  // --- aligner ---
  // A word that just arrives is late in the cycle; all other signals are early, so it is ORed in
  // last.
  logic        take_lower, take_upper;  // the lowest half is in the arriving word
  logic        have_first, have_second, enough, wide, first_fault, second_fault, pop;
  logic [15:0] kept_half, low_half, high_half;

  assign take_lower   = held_q == 2'd0 && !upper;
  assign take_upper   = held_q == 2'd0 && upper;
  assign kept_half    = kept_insn[15:0] & {16{held_q != 2'd0}};
  assign low_half     = kept_half | (in_word[15:0] & {16{take_lower}}) |
                        (in_word[31:16] & {16{take_upper}});
  assign wide         = &kept_half[1:0] || (take_lower && &in_word[1:0]) ||
                        (take_upper && &in_word[17:16]);
  assign high_half    = upper ? held_q[1] ? word1_q[15:0] : in_word[15:0]
                              : held_q != 2'd0 ? word0_q[31:16] : in_word[31:16];
  assign rvc_o        = !wide;

  assign have_first   = held_q != 2'd0 || in_valid;
  assign have_second  = held_q[1] || (held_q[0] && in_valid);
  assign first_fault  = held_q != 2'd0 ? word0_q[32] : in_word[32];
  assign second_fault = held_q[1] ? word1_q[32] : in_word[32];
  assign enough       = !upper || have_second || first_fault;  // for a 32-bit instruction

  assign insn_o      = {high_half, low_half};
  assign valid_o     = have_first && (!wide || enough);
  assign fault_o     = first_fault || (upper && wide && second_fault);
  assign fault_hi_o  = !first_fault;
  assign pc_o        = pc_q;
  // The instruction length arrives late, so the sum does not depend on it.
  logic [31:2] next_word;
  assign next_word   = pc_q[31:2] + 30'd1;
  assign next_pc_o   = {!wide && !upper ? pc_q[31:2] : next_word, !wide ^ upper};

  assign pop         = ready_i && have_first && (wide ? enough : upper);
  assign held_d      = held_q + 2'(in_valid) - 2'(pop);

  always_ff @(posedge clk_i) begin
    // Words move up as one is used; words after the last buffered one do not matter.
    if (pop || held_q == 2'd0) word0_q <= held_q[1] ? word1_q : in_word;
    if (pop || !held_q[1]) word1_q <= held_q == 2'd3 ? word2_q : in_word;
    if (pop || held_q != 2'd3) word2_q <= in_word;
  end

  always_ff @(posedge clk_i) begin
    if (restart || !followed_o) begin
      addr_q  <= imem_addr_o[31:2];
      ahead_q <= taken;
    end
    if (restart || (valid_o && ready_i))
      pc_q <= flush_i ? flush_pc_i : jump_i ? jump_pc_i : known_pc;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 2'd0;
      owed_q <= 2'd0;
      drop_q <= 2'd0;
    end else begin
      held_q <= restart ? 2'd0 : held_d;
      owed_q <= owed_d;
      drop_q <= drop_d;
    end
  end

`ifndef SYNTHESIS
  // The memory answers only requests, and every requested word has a buffer.
  always_ff @(posedge clk_i) begin
    if (rst_ni && imem_rvalid_i) AnswerOwed: assert (owed_q != 2'd0);
    if (rst_ni) DropsOwed: assert (drop_q <= owed_q);
    if (rst_ni) PlaceForAll: assert (promised <= 3'd3);
  end
`endif

endmodule
