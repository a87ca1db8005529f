// SPDX-License-Identifier: Apache-2.0
// Decodes a 16-bit instruction directly to its effect. Combinational.
`default_nettype none

module core_spec_half (
  input  logic [15:0]          insn_i,
  output core_spec_pkg::insn_t spec_o
);
  logic [4:0]  full1, full2, short1, short2;
  logic [31:0] imm6, imm_jump, imm_branch;

  assign full1      = insn_i[11:7];
  assign full2      = insn_i[6:2];
  assign short1     = {2'b01, insn_i[9:7]};
  assign short2     = {2'b01, insn_i[4:2]};
  assign imm6       = {{27{insn_i[12]}}, insn_i[6:2]};
  assign imm_branch = {{24{insn_i[12]}}, insn_i[6:5], insn_i[2], insn_i[11:10], insn_i[4:3], 1'b0};
  assign imm_jump   = {{21{insn_i[12]}}, insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2],
                       insn_i[11], insn_i[5:3], 1'b0};

  core_spec_pkg::insn_t first, second, third, arith;

  // Quadrant 0: from and to the short registers, and addresses on the stack.
  always_comb begin
    first = '0;
    case (insn_i[15:13])
      3'd0: begin  // c.addi4spn
        if (insn_i[12:5] != 8'd0) first.kind = core_spec_pkg::Alu;
        first.b_imm = 1'b1;
        first.rd    = short2;
        first.rs1   = 5'd2;
        first.imm   = {22'd0, insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 2'd0};
      end
      3'd2: begin  // c.lw
        first.kind = core_spec_pkg::Load;
        first.f3   = 3'd2;
        first.rd   = short2;
        first.rs1  = short1;
        first.imm  = {25'd0, insn_i[5], insn_i[12:10], insn_i[6], 2'd0};
      end
      3'd6: begin  // c.sw
        first.kind = core_spec_pkg::Store;
        first.f3   = 3'd2;
        first.rs1  = short1;
        first.rs2  = short2;
        first.imm  = {25'd0, insn_i[5], insn_i[12:10], insn_i[6], 2'd0};
      end
      default: ;
    endcase
  end

  // Quadrant 1, 100: arithmetic on the short registers.
  always_comb begin
    arith     = '0;
    arith.rd  = short1;
    arith.rs1 = short1;
    if (insn_i[11:10] == 2'd3) begin
      arith.kind = insn_i[12] ? core_spec_pkg::Illegal : core_spec_pkg::Alu;
      arith.rs2  = short2;
      arith.alt  = insn_i[6:5] == 2'd0;
      case (insn_i[6:5])
        2'd0:    arith.f3 = 3'd0;  // c.sub
        2'd1:    arith.f3 = 3'd4;  // c.xor
        2'd2:    arith.f3 = 3'd6;  // c.or
        default: arith.f3 = 3'd7;  // c.and
      endcase
    end else begin
      arith.b_imm = 1'b1;
      arith.imm   = imm6;
      arith.alt   = insn_i[10];
      arith.f3    = insn_i[11] ? 3'd7 : 3'd5;  // c.andi; c.srli, c.srai
      arith.kind  = insn_i[12] && !insn_i[11] ? core_spec_pkg::Illegal : core_spec_pkg::Alu;
    end
  end

  // Quadrant 1: immediates and jumps.
  always_comb begin
    second = '0;
    case (insn_i[15:13])
      3'd0, 3'd2: begin  // c.addi, c.li
        second.kind  = core_spec_pkg::Alu;
        second.b_imm = 1'b1;
        second.rd    = full1;
        second.rs1   = insn_i[14] ? 5'd0 : full1;
        second.imm   = imm6;
      end
      3'd1, 3'd5: begin  // c.jal, c.j
        second.kind = core_spec_pkg::Jal;
        second.rd   = insn_i[15] ? 5'd0 : 5'd1;
        second.imm  = imm_jump;
      end
      3'd3: begin  // c.addi16sp, c.lui
        if (insn_i[12] || insn_i[6:2] != 5'd0)
          second.kind = full1 == 5'd2 ? core_spec_pkg::Alu : core_spec_pkg::Lui;
        second.b_imm = 1'b1;
        second.rd    = full1;
        second.rs1   = full1 == 5'd2 ? 5'd2 : 5'd0;
        second.imm   = {{15{insn_i[12]}}, insn_i[6:2], 12'd0};
        if (full1 == 5'd2)
          second.imm = {{23{insn_i[12]}}, insn_i[4:3], insn_i[5], insn_i[2], insn_i[6], 4'd0};
      end
      3'd4: second = arith;
      default: begin  // c.beqz, c.bnez
        second.kind = core_spec_pkg::Branch;
        second.f3   = {2'b00, insn_i[13]};
        second.rs1  = short1;
        second.imm  = imm_branch;
      end
    endcase
  end

  // Quadrant 2: all registers.
  always_comb begin
    third = '0;
    case (insn_i[15:13])
      3'd0: begin  // c.slli
        third.kind  = insn_i[12] ? core_spec_pkg::Illegal : core_spec_pkg::Alu;
        third.f3    = 3'd1;
        third.b_imm = 1'b1;
        third.rd    = full1;
        third.rs1   = full1;
        third.imm   = imm6;
      end
      3'd2: begin  // c.lwsp
        third.kind = full1 == 5'd0 ? core_spec_pkg::Illegal : core_spec_pkg::Load;
        third.f3   = 3'd2;
        third.rd   = full1;
        third.rs1  = 5'd2;
        third.imm  = {24'd0, insn_i[3:2], insn_i[12], insn_i[6:4], 2'd0};
      end
      3'd4: begin
        if (full2 != 5'd0) begin  // c.mv, c.add
          third.kind = core_spec_pkg::Alu;
          third.rd   = full1;
          third.rs1  = insn_i[12] ? full1 : 5'd0;
          third.rs2  = full2;
        end else if (full1 != 5'd0) begin  // c.jr, c.jalr
          third.kind = core_spec_pkg::Jalr;
          third.rd   = insn_i[12] ? 5'd1 : 5'd0;
          third.rs1  = full1;
        end else if (insn_i[12]) begin
          third.kind = core_spec_pkg::Ebreak;
        end
      end
      3'd6: begin  // c.swsp
        third.kind = core_spec_pkg::Store;
        third.f3   = 3'd2;
        third.rs1  = 5'd2;
        third.rs2  = full2;
        third.imm  = {24'd0, insn_i[8:7], insn_i[12:9], 2'd0};
      end
      default: ;
    endcase
  end

  always_comb begin
    case (insn_i[1:0])
      2'd0:    spec_o = first;
      2'd1:    spec_o = second;
      default: spec_o = third;
    endcase
  end

endmodule

`default_nettype wire
