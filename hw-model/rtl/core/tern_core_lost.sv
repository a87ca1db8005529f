// SPDX-License-Identifier: Apache-2.0
// Says of every cycle of the core what it was for.  For benches only.
//
// `cause` is 0 in a cycle in which an instruction retires, otherwise why none does, so the
// instructions and the cycles of all other causes together are all cycles.  Where several
// things hold an instruction up, the oldest instruction's one counts.  Where the instruction memory
// withholds answers, a word that was asked for before a restart passes for half an instruction.
`default_nettype none

module tern_core_lost (
  input  logic        clk_i,
  input  logic        rst_ni,

  // write-back
  input  logic        retire_i,
  input  logic        answer_due_i,  // its instruction waits for the memory's answer
  input  logic        fault_i,       // its instruction meets a fault
  // execute; those behind `valid_i` only mean something with it
  input  logic        valid_i,       // holds an instruction
  input  logic        done_i,        // hands it to write-back
  input  logic        ready_i,       // takes another one, or is empty
  input  logic        trap_i,        // a trap is taken, or its handler is being asked for
  input  logic        load_use_i,    // operand still being loaded
  input  logic        access_i,      // a load or store
  input  logic        mul_i,
  input  logic        div_i,
  input  logic        csr_i,
  input  logic        asleep_i,
  // fetch
  input  logic        restart_i,     // what was fetched is dropped: fetches somewhere else
  input  logic        offer_i,       // has an instruction for execute
  input  logic        word_i         // the memory answers
);
  localparam logic [3:0] None      = 4'd0;   // retires
  localparam logic [3:0] Taken     = 4'd1;   // fetching restarted: branch, jump, mret, fence.i
  localparam logic [3:0] Unaligned = 4'd2;   // ... at a 32-bit instruction across two words
  localparam logic [3:0] LoadUse   = 4'd3;
  localparam logic [3:0] Mul       = 4'd4;
  localparam logic [3:0] Div       = 4'd5;
  localparam logic [3:0] Fetch     = 4'd6;   // instruction memory withheld a grant or an answer
  localparam logic [3:0] Data      = 4'd7;   // data memory did
  localparam logic [3:0] CsrTrap   = 4'd8;   // CSR access, trap, interrupt
  localparam logic [3:0] Asleep    = 4'd9;
  localparam logic [3:0] Other     = 4'd10;  // reset, falling asleep, waking, halted

  // --- why execute is empty: asked when it last could take something ---
  logic       fresh_q;                       // nothing offered since a restart
  logic [3:0] empty, empty_q;

  always_comb begin
    empty = Other;
    if (trap_i) empty = CsrTrap;
    else if (restart_i) empty = Taken;
    else if (!offer_i) empty = fresh_q && word_i ? Unaligned : Fetch;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) empty_q <= Other;
    else if (ready_i || restart_i || trap_i) empty_q <= empty;
    if (restart_i) fresh_q <= 1'b1;
    else if (offer_i) fresh_q <= 1'b0;
  end

  // --- why execute hands nothing on ---
  logic [3:0] bubble, bubble_q;

  always_comb begin
    bubble = Other;
    if (done_i) bubble = None;
    else if (trap_i) bubble = CsrTrap;
    else if (!valid_i) bubble = empty_q;
    else if (asleep_i) bubble = Asleep;
    else if (load_use_i) bubble = LoadUse;
    else if (csr_i) bubble = CsrTrap;
    else if (access_i) bubble = Data;
    else if (mul_i) bubble = Mul;
    else if (div_i) bubble = Div;
  end

  always_ff @(posedge clk_i) bubble_q <= rst_ni ? bubble : Other;

  // --- why nothing retires: what execute handed on is here a cycle later ---
  logic [3:0] cause /* verilator public_flat_rd */;

  always_comb begin
    cause = bubble_q == None ? Other : bubble_q;
    if (answer_due_i) cause = Data;
    if (fault_i) cause = CsrTrap;
    if (retire_i) cause = None;
  end

endmodule
