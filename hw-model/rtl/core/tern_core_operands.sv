// SPDX-License-Identifier: Apache-2.0
// The operands of the instruction in decode: register file, forwarding, and hazards that forwarding
// cannot resolve.
//
// Combinational except for the register file. A result is forwarded from execute in the cycle that
// computes it, and from write-back in the cycle that writes it. Results that execute does not have
// (`ex_late_i`: loads, multiplications, divisions, CSRs) raise `hazard_o`. The base of a jump is
// not forwarded: it comes from the register file or raises `base_hazard_o`.
`default_nettype none

module tern_core_operands (
  input  logic        clk_i,
  input  logic [4:0]  rs1_i,
  input  logic [4:0]  rs2_i,
  input  logic        rs1_used_i,
  input  logic        rs2_used_i,
  input  logic        b_imm_i,
  input  logic [31:0] imm_i,

  input  logic        ex_we_i,       // execute will write ex_rd_i, never x0
  input  logic        ex_late_i,
  input  logic [4:0]  ex_rd_i,
  input  logic [31:0] ex_value_i,

  input  logic        clear_x0_i,    // when the core leaves reset: writes 0 to wb_rd_i
  input  logic        wb_write_i,    // write-back writes now
  input  logic        wb_we_i,       // its instruction writes, now or later
  input  logic [4:0]  wb_rd_i,
  input  logic [31:0] wb_data_i,

  output logic        hazard_o,
  output logic        base_hazard_o, // base_o is not final
  output logic [31:0] op1_o,
  output logic [31:0] op2_o,         // rs2
  output logic [31:0] b_o,           // rs2 or the immediate
  output logic [31:0] base_o         // rs1 as the register file has it
);
  logic [31:0] rdata1, rdata2;
  logic        ex_hit1, ex_hit2, wb_hit1, wb_hit2;

  tern_core_regfile u_regfile (
    .clk_i,
    .raddr1_i(rs1_i), .rdata1_o(rdata1), .raddr2_i(rs2_i), .rdata2_o(rdata2),
    .we_i(clear_x0_i || wb_write_i), .waddr_i(wb_rd_i), .wdata_i(wb_data_i)
  );

  assign ex_hit1 = ex_we_i && ex_rd_i == rs1_i;
  assign ex_hit2 = ex_we_i && ex_rd_i == rs2_i;
  assign wb_hit1 = wb_we_i && wb_rd_i == rs1_i;
  assign wb_hit2 = wb_we_i && wb_rd_i == rs2_i;

  // Late signals are ORed in last, each gated by an early one.
  logic        old_hit1, old_hit2;
  logic [31:0] old1, old2;  // without execute's result

  assign old_hit1 = wb_hit1 && !ex_hit1;
  assign old_hit2 = wb_hit2 && !ex_hit2;
  assign old1     = (rdata1 & {32{!ex_hit1 && !wb_hit1}}) | (wb_data_i & {32{old_hit1}});
  assign old2     = (rdata2 & {32{!ex_hit2 && !wb_hit2}}) | (wb_data_i & {32{old_hit2}});
  assign op1_o    = old1 | (ex_value_i & {32{ex_hit1}});
  assign op2_o    = old2 | (ex_value_i & {32{ex_hit2}});
  assign b_o      = (b_imm_i ? imm_i : old2) | (ex_value_i & {32{ex_hit2 && !b_imm_i}});
  assign base_o = rdata1;

  assign hazard_o      = ex_late_i && ((rs1_used_i && ex_hit1) || (rs2_used_i && ex_hit2));
  assign base_hazard_o = ex_hit1 || wb_hit1;

endmodule
