// SPDX-License-Identifier: Apache-2.0
// Decoder: the control record and the immediate of a 32-bit instruction.
//
// Combinational; bits 1..0 are assumed to be 11. An illegal code sets no effect visible outside the
// core: no load, store, branch, jump or CSR access. The CSR file decides whether a CSR exists and
// may be written. Every other code that is not an instruction of RV32IM_Zicsr_Zifencei in machine
// mode sets `illegal`.
`default_nettype none

module tern_core_decode (
  input  logic [31:2]         insn_i,
  output tern_core_pkg::ctl_t ctl_o,
  output logic [31:0]         imm_o,

  // Offset of the sum in decode: for jumps, branches, upper immediates, and ebreak (its own
  // address).
  output logic [31:0]         offset_o,
  output logic                from_rs1_o,   // base is rs1, not the pc
  output logic                from_zero_o
);
  logic [4:0] opcode;
  logic [2:0] funct3;
  logic [6:0] funct7;

  assign opcode = insn_i[6:2];
  assign funct3 = insn_i[14:12];
  assign funct7 = insn_i[31:25];

  always_comb begin : immediate
    imm_o = {{20{insn_i[31]}}, insn_i[31:20]};
    case (opcode)
      tern_core_pkg::OpcStore:
        imm_o = {{20{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
      default: ;
    endcase
  end

  // Uses only the bits that distinguish those codes.
  always_comb begin : offset
    offset_o = {{20{insn_i[31]}}, insn_i[31:20]};
    if (insn_i[4] && !insn_i[6])
      offset_o = {insn_i[31:12], 12'b0};
    if (insn_i[6] && insn_i[3])
      offset_o = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
    if (insn_i[6] && !insn_i[4] && !insn_i[2])
      offset_o = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
  end

  assign from_rs1_o  = insn_i[6] && !insn_i[3] && insn_i[2];
  assign from_zero_o = !insn_i[6] && insn_i[5] && insn_i[4];

  // Arithmetic with either kind of second operand: funct3 selects the unit.
  logic is_sum, is_shift, is_less, is_logical;

  assign is_sum     = funct3 == 3'b000;
  assign is_shift   = funct3[1:0] == 2'b01;
  assign is_less    = funct3[2:1] == 2'b01;
  assign is_logical = funct3[2] && funct3 != 3'b101;

  logic funct7_zero, funct7_alt, funct7_mul;
  assign funct7_zero = funct7 == 7'h00;
  assign funct7_alt  = funct7 == 7'h20;
  assign funct7_mul  = funct7 == 7'h01;

  always_comb begin : control
    ctl_o = '0;
    case (funct3[1:0])
      2'b10:   ctl_o.logic_op = tern_core_pkg::LogicOr;
      2'b11:   ctl_o.logic_op = tern_core_pkg::LogicAnd;
      default: ctl_o.logic_op = tern_core_pkg::LogicXor;
    endcase
    case (opcode)
      tern_core_pkg::OpcLui: begin
        ctl_o.rd_we = 1'b1;
        ctl_o.lui   = 1'b1;
      end
      tern_core_pkg::OpcAuipc: begin
        ctl_o.rd_we = 1'b1;
        ctl_o.auipc = 1'b1;
      end
      tern_core_pkg::OpcJal: begin
        ctl_o.rd_we = 1'b1;
        ctl_o.jal   = 1'b1;
      end
      tern_core_pkg::OpcJalr: begin
        ctl_o.rd_we    = 1'b1;
        ctl_o.jalr     = funct3 == 3'b000;
        ctl_o.rs1_used = 1'b1;
        ctl_o.illegal  = !ctl_o.jalr;
      end
      tern_core_pkg::OpcBranch: begin
        ctl_o.branch   = funct3[2:1] != 2'b01;
        ctl_o.rs1_used = 1'b1;
        ctl_o.rs2_used = 1'b1;
        ctl_o.subtract = 1'b1;
        ctl_o.illegal  = !ctl_o.branch;
      end
      tern_core_pkg::OpcLoad: begin
        ctl_o.rd_we    = 1'b1;
        ctl_o.load     = funct3[1:0] != 2'b11 && funct3 != 3'b110;
        ctl_o.rs1_used = 1'b1;
        ctl_o.b_imm    = 1'b1;
        ctl_o.sum      = 1'b1;
        ctl_o.illegal  = !ctl_o.load;
      end
      tern_core_pkg::OpcStore: begin
        ctl_o.store    = !funct3[2] && funct3[1:0] != 2'b11;
        ctl_o.rs1_used = 1'b1;
        ctl_o.rs2_used = 1'b1;
        ctl_o.b_imm    = 1'b1;
        ctl_o.sum      = 1'b1;
        ctl_o.illegal  = !ctl_o.store;
      end
      tern_core_pkg::OpcOpImm: begin
        ctl_o.rd_we    = 1'b1;
        ctl_o.rs1_used = 1'b1;
        ctl_o.b_imm    = 1'b1;
        ctl_o.sum      = is_sum;
        ctl_o.logical  = is_logical;
        ctl_o.shift    = is_shift;
        ctl_o.less     = is_less;
        ctl_o.subtract = is_less;
        ctl_o.illegal  = (funct3 == 3'b001 && !funct7_zero) ||
                         (funct3 == 3'b101 && !funct7_zero && !funct7_alt);
      end
      tern_core_pkg::OpcOp: begin
        ctl_o.rd_we    = 1'b1;
        ctl_o.rs1_used = 1'b1;
        ctl_o.rs2_used = 1'b1;
        ctl_o.sum      = !funct7_mul && is_sum;
        ctl_o.logical  = !funct7_mul && is_logical;
        ctl_o.shift    = !funct7_mul && is_shift;
        ctl_o.less     = !funct7_mul && is_less;
        ctl_o.subtract = is_less || funct7_alt;
        ctl_o.mul      = funct7_mul && !funct3[2];
        ctl_o.div      = funct7_mul && funct3[2];
        ctl_o.illegal  = !funct7_zero && !funct7_mul &&
                         !(funct7_alt && (funct3 == 3'b000 || funct3 == 3'b101));
      end
      tern_core_pkg::OpcMiscMem: begin
        // Data accesses already leave one at a time and in order, so a plain fence does nothing.
        ctl_o.fence_i = funct3 == 3'b001;
        ctl_o.illegal = funct3[2:1] != 2'b00;
      end
      tern_core_pkg::OpcSystem: begin
        ctl_o.csr      = funct3[1:0] != 2'b00;
        ctl_o.rd_we    = ctl_o.csr;
        ctl_o.rs1_used = ctl_o.csr && !funct3[2];
        ctl_o.b_imm    = 1'b1;
        if (funct3 == 3'b000) begin
          ctl_o.ecall   = insn_i[31:7] == 25'h0000000;
          ctl_o.ebreak  = insn_i[31:7] == 25'h0002000;
          ctl_o.mret    = insn_i[31:7] == 25'h0604000;
          ctl_o.wfi     = insn_i[31:7] == 25'h020a000;
          ctl_o.illegal = !(ctl_o.ecall || ctl_o.ebreak || ctl_o.mret || ctl_o.wfi);
        end else begin
          ctl_o.illegal = funct3 == 3'b100;
        end
      end
      default: ctl_o.illegal = 1'b1;
    endcase
  end

endmodule
