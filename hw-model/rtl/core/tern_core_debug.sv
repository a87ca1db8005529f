// SPDX-License-Identifier: Apache-2.0
// Debug port of the soft core: halts it, single-steps it, and injects instructions.
//
// The block controls a gate between fetch and execute. Injection: the debugger writes an
// instruction over the first word of the instruction memory, fetch restarts there, and the gate
// opens for one instruction. So `addi x0,xN,0` reads a register, `csrrs x0,csr,x0` a CSR, a load
// memory, and `jal` sets the pc. The debugger restores the first word before the core runs on.
//
// `op_i` is one pulse. After any but NONE the core may be busy. The next one may come once
// `halted_o` is high again, at least two cycles later.
//   HALT    take no more instructions; from now on ebreak halts instead of trapping
//   GO      run
//   DETACH  run; ebreak traps again
//   STEP    run one instruction; no interrupt is taken, an exception is
//   INJECT  run the first word of the instruction memory without interrupts and without counting
//           it; an exception ends it, without a trap, and sets `fault_o`
//   PEEK    fetch the first word and stop there: `pc_o` and `insn_o` of the core show it
//   WRITE   write a word of the instruction memory (its address and data go to the cluster)
`default_nettype none

module tern_core_debug (
  input  logic       clk_i,
  input  logic       rst_ni,      // of the node: a core reset does not end a halt
  input  logic [2:0] op_i,

  output logic       run_o,       // the core may take instructions
  output logic       quiet_o,     // no interrupts
  output logic       inject_o,    // no traps, nothing counted
  output logic       ebreak_o,    // ebreak halts
  output logic       flush_o,     // fetch again from the first word
  input  logic       taken_i,     // an instruction is in execute
  input  logic       busy_i,      // the core has work, or does not know its next instruction
  input  logic       hit_i,       // an ebreak that does not trap
  input  logic       trap_i,

  output logic       write_o,
  output logic       stopped_o,   // halted or single-stepping
  output logic       halted_o,
  output logic       hit_o,       // the last halt came from an ebreak
  output logic       fault_o
);

  localparam logic [2:0] None   = 3'(tern_abi_pkg::DBG_NONE);
  localparam logic [2:0] Halt   = 3'(tern_abi_pkg::DBG_HALT);
  localparam logic [2:0] Go     = 3'(tern_abi_pkg::DBG_GO);
  localparam logic [2:0] Detach = 3'(tern_abi_pkg::DBG_DETACH);
  localparam logic [2:0] Step   = 3'(tern_abi_pkg::DBG_STEP);
  localparam logic [2:0] Inject = 3'(tern_abi_pkg::DBG_INJECT);
  localparam logic [2:0] Peek   = 3'(tern_abi_pkg::DBG_PEEK);
  localparam logic [2:0] Write  = 3'(tern_abi_pkg::DBG_WRITE);

  logic run_q, single_q, waits_q;  // waits_q: open the gate once the fetch has arrived
  logic idle;

  assign idle = !run_q && !busy_i && !flush_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q    <= 1'b1;
      single_q <= 1'b0;
      waits_q  <= 1'b0;
      inject_o <= 1'b0;
      ebreak_o <= 1'b0;
      flush_o  <= 1'b0;
    end else begin
      flush_o <= op_i == Inject || op_i == Peek;
      if (waits_q && idle) begin
        run_q   <= 1'b1;
        waits_q <= 1'b0;
      end
      if (hit_i || (single_q && taken_i)) run_q <= 1'b0;
      case (op_i)
        Halt: begin
          run_q    <= 1'b0;
          ebreak_o <= 1'b1;
          waits_q  <= 1'b0;
        end
        Go, Detach, Step: begin
          run_q    <= 1'b1;
          single_q <= op_i == Step;
          inject_o <= 1'b0;
          if (op_i == Detach) ebreak_o <= 1'b0;
        end
        Inject: begin
          waits_q  <= 1'b1;
          single_q <= 1'b1;
          inject_o <= 1'b1;
        end
        default: ;
      endcase
    end
  end

  // Status for the debugger.
  always_ff @(posedge clk_i) begin
    halted_o <= rst_ni && idle && !waits_q && op_i == None;
    if (op_i != None) hit_o <= 1'b0;
    else if (hit_i) hit_o <= 1'b1;
    if (op_i != None) fault_o <= 1'b0;
    else if (trap_i && inject_o) fault_o <= 1'b1;
  end

  // The gate is closed while the single instruction is still in execute.
  assign run_o     = run_q && !(single_q && taken_i);
  assign quiet_o   = single_q;
  assign stopped_o = !run_q || single_q;
  assign write_o   = op_i == Write && !run_q;

endmodule
