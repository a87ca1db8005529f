// SPDX-License-Identifier: Apache-2.0
// One bit of one half-word of instruction memory, any of them: the core executes the memory's code
// there. When the memory refuses it, exactly the instructions that need it trap.
//
// The memory refuses nothing else. If the handler's first instruction is `csrr` of mcause or mtval,
// it reads the state that the trap left.
`default_nettype none

module core_check_fetch (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:1] watched_i,   // these are constant
  input logic [3:0]  bit_i,
  input logic        holds_i,     // value of that bit
  input logic        refused_i,   // refused, with the whole of its word
  input logic        rvfi_valid,
  input logic [31:0] rvfi_insn,
  input logic        rvfi_trap,
  input logic [4:0]  rvfi_rd_addr,
  input logic [31:0] rvfi_rd_wdata,
  input logic [31:0] rvfi_pc_rdata,
  input logic [3:0]  rvfi_mem_rmask,
  input logic [3:0]  rvfi_mem_wmask
);
  logic [31:1] pc;
  logic        first, second, fault, reads;

  assign pc     = rvfi_pc_rdata[31:1];
  assign first  = rvfi_valid && pc == watched_i;
  assign second = rvfi_valid && pc + 31'd1 == watched_i;
  // The refused word is read from its upper half on, or from the word before it.
  assign fault  = first || (second && watched_i[1]) || (second && rvfi_insn[1:0] == 2'b11);

  logic        faulted_q;
  logic [31:0] refused_at_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) faulted_q <= 1'b0;
    else if (rvfi_valid) faulted_q <= refused_i && fault;
    if (rvfi_valid) refused_at_q <= {second && !watched_i[1] ? watched_i : pc, 1'b0};
  end

  // csrrs or csrrc from x0, which changes nothing
  assign reads = rvfi_valid && !rvfi_trap && rvfi_insn[6:0] == 7'h73 && rvfi_insn[13] &&
                 rvfi_insn[19:15] == 5'd0 && rvfi_rd_addr != 5'd0;

  always_comb begin
    if (!refused_i) begin
      if (first) LowHalf: assert (rvfi_insn[bit_i] == holds_i);
      if (second && rvfi_insn[1:0] == 2'b11) HighHalf: assert (rvfi_insn[{1'b1, bit_i}] == holds_i);
    end else if (fault) begin
      RefusalTraps: assert (rvfi_trap && rvfi_rd_addr == '0 && rvfi_mem_rmask == '0 &&
                            rvfi_mem_wmask == '0);
    end
    if (faulted_q && reads && rvfi_insn[31:20] == 12'h342)
      CauseOfRefusal: assert (rvfi_rd_wdata == 32'd1);
    if (faulted_q && reads && rvfi_insn[31:20] == 12'h343)
      PlaceOfRefusal: assert (rvfi_rd_wdata == refused_at_q);
  end

endmodule

`default_nettype wire
