// SPDX-License-Identifier: Apache-2.0
// Attributes every cycle of the core to a cause. For benches only.
//
// `cause` is 0 in a cycle in which an instruction retires, otherwise the reason why none does. So
// instructions and the cycles of all other causes add up to all cycles. If several reasons apply,
// that of the oldest instruction counts. One error: while the instruction memory withholds answers,
// a word requested before a restart counts as half an instruction.
//
// An empty stage passes its reason on to the next stage.
`default_nettype none

module tern_core_lost (
  input  logic        clk_i,
  input  logic        rst_ni,

  // write-back
  input  logic        retire_i,
  input  logic        answer_due_i,  // its instruction waits for the memory's answer
  input  logic        fault_i,       // its instruction meets a fault
  input  logic        trap_i,        // a trap is taken or returned from: fetch restarts
  // execute; the others are valid only with `ex_valid_i`
  input  logic        ex_valid_i,    // holds an instruction
  input  logic        ex_done_i,     // passes it to write-back
  input  logic        ex_trap_i,     // makes it a trap, or returns from one
  input  logic        access_i,      // a load or store
  input  logic        div_i,
  input  logic        csr_i,
  input  logic        asleep_i,
  input  logic        wrong_i,       // restarts fetch: mispredicted branch, fence.i
  // decode
  input  logic        de_valid_i,
  input  logic        de_go_i,       // passes its instruction to execute
  input  logic        hazard_i,      // an operand is not ready
  input  logic        mul_made_i,    // ... it comes from a multiplication
  input  logic        jump_i,        // restarts fetch: jump, correctly predicted branch
  input  logic        ready_i,       // takes another instruction, or is empty
  // fetch
  input  logic        offer_i,       // has an instruction for decode
  // fetch follows a jump; no cycle is lost if the target arrives in time
  input  logic        follow_i,
  input  logic        word_i         // the memory answers
);
  localparam logic [3:0] None      = 4'd0;   // retires
  localparam logic [3:0] Taken     = 4'd1;   // jump, correctly predicted branch
  localparam logic [3:0] Unaligned = 4'd2;   // ... at a 32-bit instruction across two words
  localparam logic [3:0] LoadUse   = 4'd3;
  localparam logic [3:0] Mul       = 4'd4;   // its result is used by the next instruction
  localparam logic [3:0] Div       = 4'd5;
  localparam logic [3:0] Fetch     = 4'd6;   // instruction memory withheld a grant or an answer
  localparam logic [3:0] Data      = 4'd7;   // data memory did
  localparam logic [3:0] CsrTrap   = 4'd8;   // CSR access, trap, interrupt, mret
  localparam logic [3:0] Asleep    = 4'd9;
  localparam logic [3:0] Other     = 4'd10;  // reset, falling asleep, waking, halted
  localparam logic [3:0] Wrong     = 4'd11;  // mispredicted branch, fence.i

  // --- why decode is empty: sampled when it could last take an instruction
  logic       fresh_q;                       // nothing offered since the restart
  logic [3:0] restart, de_empty, de_empty_q;

  always_comb begin
    restart = None;
    if (jump_i) restart = Taken;
    if (wrong_i) restart = Wrong;
    if (ex_trap_i || trap_i || fault_i) restart = CsrTrap;

    de_empty = Other;
    if (restart != None) de_empty = restart;
    else if (!offer_i) de_empty = fresh_q && word_i ? Unaligned : Fetch;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) de_empty_q <= Other;
    else if (ready_i || restart != None) de_empty_q <= de_empty;
    if (restart != None || follow_i) fresh_q <= 1'b1;
    else if (offer_i) fresh_q <= 1'b0;
  end

  // --- why execute is empty: sampled when it could last take an instruction
  logic [3:0] ex_empty, ex_empty_q;

  always_comb begin
    ex_empty = Other;
    if (restart == CsrTrap || restart == Wrong) ex_empty = restart;
    else if (de_go_i) ex_empty = None;
    else if (!de_valid_i) ex_empty = de_empty_q;
    else if (hazard_i) ex_empty = mul_made_i ? Mul : LoadUse;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ex_empty_q <= Other;
    else if (ex_done_i || !ex_valid_i || ex_trap_i) ex_empty_q <= ex_empty;
  end

  // --- why execute passes nothing on --
  logic [3:0] bubble, bubble_q;

  always_comb begin
    bubble = Other;
    if (ex_done_i) bubble = None;
    else if (ex_trap_i || trap_i) bubble = CsrTrap;
    else if (!ex_valid_i) bubble = ex_empty_q;
    else if (asleep_i) bubble = Asleep;
    else if (csr_i) bubble = CsrTrap;
    else if (access_i) bubble = Data;
    else if (div_i) bubble = Div;
  end

  always_ff @(posedge clk_i) bubble_q <= rst_ni ? bubble : Other;

  // --- why nothing retires: execute's reason, one cycle later --------------
  logic [3:0] cause /* verilator public_flat_rd */;

  always_comb begin
    cause = bubble_q == None ? Other : bubble_q;
    if (answer_due_i) cause = Data;
    if (fault_i || trap_i) cause = CsrTrap;
    if (retire_i) cause = None;
  end

endmodule
