// SPDX-License-Identifier: Apache-2.0
// Predicts which jumps and branches fetch follows at once, and their targets.
//
// Direct jumps are followed. Backward branches are followed and forward ones are not, unless the
// two-bit history at their address says that this guess was wrong lately. The history counts
// disagreement with the guess, so it starts well, and branches that share an entry disturb each
// other less. Both instruction lengths are decoded as fetched, without waiting for the expansion.
//
// Combinational except for the history, whose initial contents are arbitrary: a bad prediction
// costs time, never correctness. Two-bit counters: J. E. Smith, A Study of Branch Prediction
// Strategies, ISCA 1981;
// counting agreement: E. Sprangle et al., The Agree Predictor, ISCA 1997.
`default_nettype none

module tern_core_predict (
  input  logic        clk_i,
  input  logic [31:0] insn_i,     // upper half undefined for a 16-bit instruction
  input  logic [31:1] pc_i,
  output logic        follow_o,
  output logic [31:1] target_o,
  output logic [1:0]  history_o,  // history at pc_i

  input  logic        learn_i,
  input  logic [tern_core_pkg::PlaceW-1:0] learn_place_i,
  input  logic [1:0]  learn_history_i
);
  localparam int unsigned PlaceW = tern_core_pkg::PlaceW;

  logic [1:0] history [0:2**PlaceW-1];

  always_ff @(posedge clk_i) begin
    if (learn_i) history[learn_place_i] <= learn_history_i;
  end

  assign history_o = history[pc_i[PlaceW:1]];

  logic is_long, long_branch, short_branch, long_jump, short_jump, backward, guess;

  assign is_long      = insn_i[1:0] == 2'b11;
  assign long_branch  = insn_i[6:2] == tern_core_pkg::OpcBranch && insn_i[14:13] != 2'b01;
  assign long_jump    = insn_i[6:2] == tern_core_pkg::OpcJal;
  assign short_branch = insn_i[1:0] == 2'b01 && insn_i[15:14] == 2'b11;
  assign short_jump   = insn_i[1:0] == 2'b01 && insn_i[14:13] == 2'b01;
  assign backward     = is_long ? insn_i[31] : insn_i[12];
  assign guess        = backward ^ history_o[1];
  assign follow_o     = is_long ? long_jump || (long_branch && guess) :
                                  short_jump || (short_branch && guess);

  logic [20:1] long_imm, short_imm, imm;

  always_comb begin
    long_imm  = {{9{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8]};
    if (insn_i[2]) long_imm = {insn_i[31], insn_i[19:12], insn_i[20], insn_i[30:21]};
    short_imm = {{10{insn_i[12]}}, insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2],
                 insn_i[11], insn_i[5:3]};
    if (insn_i[14]) short_imm = {{13{insn_i[12]}}, insn_i[6:5], insn_i[2], insn_i[11:10],
                                 insn_i[4:3]};
    imm = is_long ? long_imm : short_imm;
  end

  assign target_o = pc_i + {{11{imm[20]}}, imm};

endmodule
