// SPDX-License-Identifier: Apache-2.0
// Decodes a 32-bit instruction. Combinational; bits 1..0 are 11.
`default_nettype none

module core_spec_word (
  input  logic [31:0]          insn_i,
  output core_spec_pkg::insn_t spec_o
);
  logic [6:0]  f7;
  logic [2:0]  f3;
  logic [4:0]  rd, rs1, rs2;
  logic [31:0] imm_i, imm_s, imm_b, imm_u, imm_j;

  assign f7    = insn_i[31:25];
  assign rs2   = insn_i[24:20];
  assign rs1   = insn_i[19:15];
  assign f3    = insn_i[14:12];
  assign rd    = insn_i[11:7];
  assign imm_i = {{21{insn_i[31]}}, insn_i[30:20]};
  assign imm_s = {{21{insn_i[31]}}, insn_i[30:25], insn_i[11:7]};
  assign imm_b = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
  assign imm_u = {insn_i[31:12], 12'd0};
  assign imm_j = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};

  logic shift, shift_bad;
  assign shift     = f3 == 3'd1 || f3 == 3'd5;
  assign shift_bad = f7 != 7'h00 && !(f7 == 7'h20 && f3 == 3'd5);

  // funct12 of the instructions without operands, whose other fields are 0.
  logic [3:0] plain;
  always_comb begin
    plain = core_spec_pkg::Illegal;
    if (rs1 == 5'd0 && rd == 5'd0) begin
      case (insn_i[31:20])
        12'h000: plain = core_spec_pkg::Ecall;
        12'h001: plain = core_spec_pkg::Ebreak;
        12'h302: plain = core_spec_pkg::Mret;
        12'h105: plain = core_spec_pkg::Wfi;
        default: ;
      endcase
    end
  end

  always_comb begin
    spec_o    = '0;
    spec_o.f3 = f3;
    case (insn_i[6:0])
      7'h37: begin
        spec_o.kind = core_spec_pkg::Lui;
        spec_o.rd   = rd;
        spec_o.imm  = imm_u;
      end
      7'h17: begin
        spec_o.kind = core_spec_pkg::Auipc;
        spec_o.rd   = rd;
        spec_o.imm  = imm_u;
      end
      7'h6f: begin
        spec_o.kind = core_spec_pkg::Jal;
        spec_o.rd   = rd;
        spec_o.imm  = imm_j;
      end
      7'h67: begin
        spec_o.kind = f3 == 3'd0 ? core_spec_pkg::Jalr : core_spec_pkg::Illegal;
        spec_o.rd   = rd;
        spec_o.rs1  = rs1;
        spec_o.imm  = imm_i;
      end
      7'h63: begin
        spec_o.kind = f3 == 3'd2 || f3 == 3'd3 ? core_spec_pkg::Illegal : core_spec_pkg::Branch;
        spec_o.rs1  = rs1;
        spec_o.rs2  = rs2;
        spec_o.imm  = imm_b;
      end
      7'h03: begin
        spec_o.kind = f3 == 3'd3 || f3 > 3'd5 ? core_spec_pkg::Illegal : core_spec_pkg::Load;
        spec_o.rd   = rd;
        spec_o.rs1  = rs1;
        spec_o.imm  = imm_i;
      end
      7'h23: begin
        spec_o.kind = f3 > 3'd2 ? core_spec_pkg::Illegal : core_spec_pkg::Store;
        spec_o.rs1  = rs1;
        spec_o.rs2  = rs2;
        spec_o.imm  = imm_s;
      end
      7'h13: begin
        spec_o.kind  = shift && shift_bad ? core_spec_pkg::Illegal : core_spec_pkg::Alu;
        spec_o.b_imm = 1'b1;
        spec_o.alt   = shift && f7[5];
        spec_o.rd    = rd;
        spec_o.rs1   = rs1;
        spec_o.imm   = imm_i;
      end
      7'h33: begin
        if (f7 == 7'h01) spec_o.kind = core_spec_pkg::MulDiv;
        else if (f7 == 7'h00 || (f7 == 7'h20 && (f3 == 3'd0 || f3 == 3'd5)))
          spec_o.kind = core_spec_pkg::Alu;
        spec_o.alt = f7 == 7'h20;
        spec_o.rd  = rd;
        spec_o.rs1 = rs1;
        spec_o.rs2 = rs2;
      end
      7'h0f: spec_o.kind = f3 > 3'd1 ? core_spec_pkg::Illegal : core_spec_pkg::Fence;
      7'h73: begin
        if (f3 == 3'd0) spec_o.kind = plain;
        else if (f3 != 3'd4) begin
          spec_o.kind  = core_spec_pkg::Csr;
          spec_o.b_imm = f3[2];
          spec_o.imm   = {27'd0, rs1};
          spec_o.rd    = rd;
          spec_o.rs1   = f3[2] ? 5'd0 : rs1;
        end
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
