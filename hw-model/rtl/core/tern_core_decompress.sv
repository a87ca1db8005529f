// SPDX-License-Identifier: Apache-2.0
// Expands a 16-bit instruction of RV32C into the 32-bit instruction it stands for.
//
// Combinational.  A 32-bit instruction passes unchanged.  `illegal_o` marks the reserved
// 16-bit encodings; hints expand to an instruction that changes nothing.
`default_nettype none

module tern_core_decompress (
  input  logic [31:0] insn_i,
  output logic [31:0] insn_o,
  output logic        illegal_o
);
  localparam logic [6:0] Load   = 7'h03;
  localparam logic [6:0] OpImm  = 7'h13;
  localparam logic [6:0] Store  = 7'h23;
  localparam logic [6:0] Op     = 7'h33;
  localparam logic [6:0] Lui    = 7'h37;
  localparam logic [6:0] Branch = 7'h63;
  localparam logic [6:0] Jalr   = 7'h67;
  localparam logic [6:0] Jal    = 7'h6f;

  logic [15:0] c;
  logic [4:0]  rd, rs2, rd_s, rs1_s;  // _s: the short three-bit register fields
  logic [31:0] quad0, quad1, quad2;
  logic        bad0, bad1, bad2;

  assign c     = insn_i[15:0];
  assign rd    = c[11:7];
  assign rs2   = c[6:2];
  assign rd_s  = {2'b01, c[4:2]};
  assign rs1_s = {2'b01, c[9:7]};

  // Immediates, by the shape of the instruction they appear in.
  logic [11:0] imm6, imm_addi4spn, imm_addi16sp, imm_lw, imm_lwsp, imm_swsp;
  logic [20:1] imm_j;
  logic [12:1] imm_b;

  assign imm6         = {{7{c[12]}}, c[6:2]};
  assign imm_addi4spn = {2'b0, c[10:7], c[12:11], c[5], c[6], 2'b0};
  assign imm_addi16sp = {{3{c[12]}}, c[4:3], c[5], c[2], c[6], 4'b0};
  assign imm_lw       = {5'b0, c[5], c[12:10], c[6], 2'b0};
  assign imm_lwsp     = {4'b0, c[3:2], c[12], c[6:4], 2'b0};
  assign imm_swsp     = {4'b0, c[8:7], c[12:9], 2'b0};
  assign imm_j        = {{10{c[12]}}, c[8], c[10:9], c[6], c[7], c[2], c[11], c[5:3]};
  assign imm_b        = {{5{c[12]}}, c[6:5], c[2], c[11:10], c[4:3]};

  always_comb begin : quadrant0
    quad0 = {imm_lw, rs1_s, 3'b010, rd_s, Load};
    bad0  = 1'b0;
    case (c[15:13])
      3'b000: begin
        quad0 = {imm_addi4spn, 5'd2, 3'b000, rd_s, OpImm};
        bad0  = c[12:5] == 8'd0;
      end
      3'b010: ;
      3'b110: quad0 = {imm_lw[11:5], rd_s, rs1_s, 3'b010, imm_lw[4:0], Store};
      default: bad0 = 1'b1;
    endcase
  end

  // Register-register and shift forms share one major code.
  logic [31:0] arith;
  logic        bad_arith;

  always_comb begin : quadrant1_arith
    arith     = {imm6, rs1_s, 3'b111, rs1_s, OpImm};
    bad_arith = 1'b0;
    case (c[11:10])
      2'b00, 2'b01: begin
        arith     = {1'b0, c[10], 5'b0, c[6:2], rs1_s, 3'b101, rs1_s, OpImm};
        bad_arith = c[12];
      end
      2'b10: ;
      default: begin
        bad_arith = c[12];
        case (c[6:5])
          2'b00:   arith = {7'h20, rd_s, rs1_s, 3'b000, rs1_s, Op};
          2'b01:   arith = {7'h00, rd_s, rs1_s, 3'b100, rs1_s, Op};
          2'b10:   arith = {7'h00, rd_s, rs1_s, 3'b110, rs1_s, Op};
          default: arith = {7'h00, rd_s, rs1_s, 3'b111, rs1_s, Op};
        endcase
      end
    endcase
  end

  always_comb begin : quadrant1
    quad1 = {imm6, rd, 3'b000, rd, OpImm};
    bad1  = 1'b0;
    case (c[15:13])
      3'b000: ;
      3'b010: quad1 = {imm6, 5'd0, 3'b000, rd, OpImm};
      3'b011: begin
        quad1 = {{15{c[12]}}, c[6:2], rd, Lui};
        if (rd == 5'd2) quad1 = {imm_addi16sp, 5'd2, 3'b000, 5'd2, OpImm};
        bad1 = {c[12], c[6:2]} == 6'd0;
      end
      3'b100: begin
        quad1 = arith;
        bad1  = bad_arith;
      end
      3'b001, 3'b101:
        quad1 = {imm_j[20], imm_j[10:1], imm_j[11], imm_j[19:12], 4'b0, !c[15], Jal};
      default:
        quad1 = {imm_b[12], imm_b[10:5], 5'd0, rs1_s, 2'b00, c[13], imm_b[4:1], imm_b[11], Branch};
    endcase
  end

  always_comb begin : quadrant2
    quad2 = {7'b0, rs2, rd, 3'b001, rd, OpImm};
    bad2  = 1'b0;
    case (c[15:13])
      3'b000: bad2 = c[12];
      3'b010: begin
        quad2 = {imm_lwsp, 5'd2, 3'b010, rd, Load};
        bad2  = rd == 5'd0;
      end
      3'b100:
        if (rs2 != 5'd0) begin
          quad2 = {7'b0, rs2, c[12] ? rd : 5'd0, 3'b000, rd, Op};
        end else if (c[12] && rd == 5'd0) begin
          quad2 = 32'h00100073;
        end else begin
          quad2 = {12'b0, rd, 3'b000, 4'b0, c[12], Jalr};
          bad2  = rd == 5'd0;
        end
      3'b110: quad2 = {imm_swsp[11:5], rs2, 5'd2, 3'b010, imm_swsp[4:0], Store};
      default: bad2 = 1'b1;
    endcase
  end

  always_comb begin
    insn_o    = insn_i;
    illegal_o = 1'b0;
    case (c[1:0])
      2'b00: begin
        insn_o    = quad0;
        illegal_o = bad0;
      end
      2'b01: begin
        insn_o    = quad1;
        illegal_o = bad1;
      end
      2'b10: begin
        insn_o    = quad2;
        illegal_o = bad2;
      end
      default: ;
    endcase
  end

endmodule
