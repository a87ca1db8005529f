// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: asks for words ahead, lines instructions up on half-word boundaries.
//
// One instruction a cycle from a memory that answers in the next cycle, whatever mix of 16-bit
// and 32-bit instructions; a 32-bit instruction across two words costs one extra cycle only as
// the target of a jump.  A redirect asks for the target in its own cycle, so the target is
// offered one cycle after it.  `valid_o` and what it qualifies stay until `ready_i` or a
// redirect.
//
// An address waiting for `imem_gnt_i` is replaced when a redirect comes: fetching has no side
// effects.  Answers to requests made before a redirect are counted and dropped.
`default_nettype none

module tern_core_fetch (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        redirect_i,
  input  logic [31:1] redirect_pc_i,

  input  logic        ready_i,
  output logic        valid_o,
  output logic [31:0] insn_o,      // upper half meaningless when `rvc_o`
  output logic        rvc_o,       // a 16-bit instruction
  output logic        fault_o,     // the memory refused (part of) it
  output logic        fault_hi_o,  // it refused the second half
  output logic [31:1] pc_o,        // of the instruction offered next, also while none is
  output logic        idle_o,      // nothing asked, nothing owed

  output logic        imem_req_o,
  output logic [31:0] imem_addr_o,
  input  logic        imem_gnt_i,
  input  logic        imem_rvalid_i,
  input  logic [31:0] imem_rdata_i,
  input  logic        imem_err_i
);

  // Words kept: one being taken apart, its successor, and one on its way.
  logic [32:0] word0_q, word1_q, word2_q;  // {refused, data}
  logic [1:0]  held_q, held_d;             // words kept
  logic [1:0]  owed_q, owed_d;             // answers still to come
  logic [1:0]  drop_q, drop_d;             // of those, answers to forget
  logic [31:2] addr_q;                     // last address put out
  logic        ahead_q;                    // that address was taken
  logic [31:1] pc_q;

  // --- requests ---
  logic [31:2] next_addr;
  logic        taken, room;
  logic [2:0]  promised;

  assign next_addr   = addr_q + 30'(ahead_q);
  assign promised    = 3'(held_q) + 3'(owed_q) - 3'(drop_q);
  assign room        = promised < 3'd3;
  assign imem_req_o  = rst_ni && (redirect_i || room) && owed_q != 2'd3;
  assign imem_addr_o = {redirect_i ? redirect_pc_i[31:2] : next_addr, 2'b00};
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
    if (redirect_i) drop_d = owed_q - 2'(imem_rvalid_i);
    else if (imem_rvalid_i && drop_q != 2'd0) drop_d = drop_q - 2'd1;
  end

  // --- aligner ---
  logic [32:0] first;
  logic [16:0] second;  // only its lower half is ever taken with the word before
  logic        have_first, have_second, upper, need_second, pop;
  logic [15:0] low_half, high_half;

  assign first       = held_q != 2'd0 ? word0_q : in_word;
  assign second      = held_q[1] ? {word1_q[32], word1_q[15:0]} : {in_word[32], in_word[15:0]};
  assign have_first  = held_q != 2'd0 || in_valid;
  assign have_second = held_q[1] || (held_q[0] && in_valid);

  assign upper       = pc_q[1];
  assign low_half    = upper ? first[31:16] : first[15:0];
  assign high_half   = upper ? second[15:0] : first[31:16];
  assign rvc_o       = low_half[1:0] != 2'b11;
  assign need_second = upper && !rvc_o && !first[32];

  assign insn_o      = {high_half, low_half};
  assign valid_o     = have_first && (!need_second || have_second);
  assign fault_o     = first[32] || (need_second && second[16]);
  assign fault_hi_o  = !first[32];
  assign pc_o        = pc_q;

  assign pop         = valid_o && ready_i && (upper || !rvc_o);
  assign held_d      = held_q + 2'(in_valid) - 2'(pop);

  // Where an arriving word lands; 3 (nowhere) when it is used up as it arrives.
  logic [1:0] slot;
  assign slot = held_q - 2'(pop);

  always_ff @(posedge clk_i) begin
    if (pop) begin
      word0_q <= word1_q;
      word1_q <= word2_q;
    end
    if (in_valid && slot == 2'd0) word0_q <= in_word;
    if (in_valid && slot == 2'd1) word1_q <= in_word;
    if (in_valid && slot == 2'd2) word2_q <= in_word;
  end

  always_ff @(posedge clk_i) begin
    addr_q  <= imem_addr_o[31:2];
    ahead_q <= taken;
    if (redirect_i) pc_q <= redirect_pc_i;
    else if (valid_o && ready_i) pc_q <= pc_q + (rvc_o ? 31'd1 : 31'd2);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q <= 2'd0;
      owed_q <= 2'd0;
      drop_q <= 2'd0;
    end else begin
      held_q <= redirect_i ? 2'd0 : held_d;
      owed_q <= owed_d;
      drop_q <= drop_d;
    end
  end

`ifndef SYNTHESIS
  // The memory answers only what was asked, and every word asked for has a place.
  always_ff @(posedge clk_i) begin
    if (rst_ni && imem_rvalid_i) AnswerOwed: assert (owed_q != 2'd0);
    if (rst_ni) DropsOwed: assert (drop_q <= owed_q);
    if (rst_ni) PlaceForAll: assert (promised <= 3'd3);
  end
`endif

endmodule
