// SPDX-License-Identifier: Apache-2.0
// Expands a 16-bit instruction of RV32C into the equivalent 32-bit instruction.
//
// Combinational.  A 32-bit instruction passes unchanged.  `illegal_o` marks the reserved
// 16-bit encodings; their expansion is not used.  Hints expand to an instruction that
// changes nothing.
//
// Instructions arrive directly from memory, late in the cycle. So every field of the result is one
// choice among few, controlled by signals of as few bits as the legal encodings allow.
`default_nettype none
module tern_core_decompress (
  input  logic [31:0] insn_i,
  output logic [31:0] insn_o,
  output logic        illegal_o
);
`ifndef TERN_MODEL
  logic [31:2] i;
  logic [15:0] c;
  logic        wide, q0, q1, q2;

  assign i    = insn_i[31:2];
  assign c    = insn_i[15:0];
  assign wide = c[1:0] == 2'b11;
  assign q0   = c[1:0] == 2'b00;
  assign q1   = c[1:0] == 2'b01;
  assign q2   = c[1:0] == 2'b10;

  // --- forms: exactly one holds for a legal code ----
  logic addi4spn, lw, sw;                                    // quadrant 0
  logic imm6, lui, addi16sp, jump, branch, by_imm, by_reg;   // quadrant 1; imm6: addi, li
  logic slli, lwsp, swsp, move, jalr, ebreak;                // quadrant 2; move: mv, add
  logic rd_is_2, rd_is_0, rs2_is_0, arith, cr, li_like;

  assign rd_is_2  = c[11:7] == 5'd2;
  assign rd_is_0  = c[11:7] == 5'd0;
  assign rs2_is_0 = c[6:2] == 5'd0;

  assign addi4spn = q0 && !c[15] && !c[14];
  assign lw       = q0 && !c[15] && c[14];
  assign sw       = q0 && c[15];

  assign imm6     = q1 && !c[15] && !c[13];
  assign li_like  = q1 && !c[15] && c[14];                   // li, lui, addi16sp
  assign lui      = q1 && !c[15] && c[14] && c[13] && !rd_is_2;
  assign addi16sp = q1 && !c[15] && c[14] && c[13] && rd_is_2;
  assign jump     = q1 && !c[14] && c[13];
  assign arith    = q1 && c[15] && !c[14] && !c[13];
  assign by_imm   = arith && !(c[11] && c[10]);
  assign by_reg   = arith && c[11] && c[10];
  assign branch   = q1 && c[15] && c[14];

  assign slli     = q2 && !c[15] && !c[14];
  assign lwsp     = q2 && !c[15] && c[14];
  assign swsp     = q2 && c[15] && c[14];
  assign cr       = q2 && c[15] && !c[14];
  assign move     = cr && !rs2_is_0;
  assign ebreak   = cr && rs2_is_0 && rd_is_0 && c[12];
  assign jalr     = cr && rs2_is_0 && !(rd_is_0 && c[12]);

  // --- bits 31..25: funct7, upper immediate; a required zero is c[12], or the code is illegal ---
  logic plain;  // quadrant 1, not jump, branch or addi16sp
  assign plain = q1 && !jump && !branch && !addi16sp;

  assign insn_o[31] = (wide && i[31]) || (q1 && c[12]);
  assign insn_o[30] = (wide && i[30]) || (jump && c[8]) ||
                      (q1 && !jump && !arith && c[12]) ||
                      (arith && (c[11] ? c[10] ? c[6:5] == 2'b00 : c[12] : c[10]));
  assign insn_o[29] = (wide && i[29]) || (addi4spn && c[10]) || (jump && c[10]) ||
                      (q1 && !jump && c[12]);
  assign insn_o[28] = (wide && i[28]) || (addi4spn && c[9]) || (jump && c[9]) ||
                      (addi16sp && c[4]) || ((plain || branch) && c[12]);
  assign insn_o[27] = (wide && i[27]) || ((addi4spn || swsp) && c[8]) ||
                      ((jump || branch) && c[6]) || ((addi16sp || lwsp) && c[3]) ||
                      (plain && c[12]);
  assign insn_o[26] = (wide && i[26]) || ((addi4spn || swsp || jump) && c[7]) ||
                      ((lw || sw || branch || addi16sp) && c[5]) || (lwsp && c[2]) ||
                      (plain && c[12]);
  assign insn_o[25] = (wide && i[25]) || ((jump || branch || addi16sp) && c[2]) ||
                      ((q0 || plain || (q2 && c[14])) && c[12]);

  // --- bits 24..20: rs2, shift amount, lower immediate ---
  logic same;  // the bits are in c[6:2]
  assign same = imm6 || arith || (q2 && !lwsp);

  assign insn_o[24] = (wide && i[24]) || ((addi4spn || lw || jump) && c[11]) ||
                      ((imm6 || by_imm || addi16sp || q2) && c[6]) || (lui && c[12]);
  assign insn_o[23] = (wide && i[23]) || (lw && c[10]) || sw || by_reg ||
                      ((addi4spn || jump || imm6 || by_imm || q2) && c[5]) || (lui && c[12]);
  assign insn_o[22] = (wide && i[22]) || ((addi4spn || lw) && c[6]) ||
                      ((sw || jump || imm6 || arith || q2) && c[4]) || (lui && c[12]);
  assign insn_o[21] = (wide && i[21]) || ((sw || jump || same) && c[3]) || (lui && c[12]);
  assign insn_o[20] = (wide && i[20]) || ((sw || same) && c[2]) ||
                      ((lui || jump) && c[12]) || ebreak;

  // --- bits 19..15: rs1, upper immediate ---
  logic rs1_s, rs1_rd, upper;
  assign rs1_s  = (q0 && (c[15] || c[14])) || (q1 && c[15] && (c[14] || !c[13]));
  assign rs1_rd = (imm6 && !c[14]) || (q2 && !c[14] && !(c[15] && !c[12] && !rs2_is_0));
  assign upper  = lui || jump;

  assign insn_o[19] = (wide && i[19]) || (rs1_rd && c[11]) || (upper && c[12]);
  assign insn_o[18] = (wide && i[18]) || (rs1_rd && c[10]) || (upper && c[12]) || rs1_s;
  assign insn_o[17] = (wide && i[17]) || ((rs1_rd || rs1_s) && c[9]) || (upper && c[12]);
  assign insn_o[16] = (wide && i[16]) || ((rs1_rd || rs1_s) && c[8]) || (lui && c[6]) ||
                      (jump && c[12]) || addi4spn || addi16sp || (q2 && c[14]);
  assign insn_o[15] = (wide && i[15]) || ((rs1_rd || rs1_s) && c[7]) || (lui && c[5]) ||
                      (jump && c[12]);

  // --- bits 14..12: funct3 ---
  assign insn_o[14] = (wide && i[14]) || (lui && c[4]) || (jump && c[12]) || by_imm ||
                      (by_reg && c[6:5] != 2'b00);
  assign insn_o[13] = (wide && i[13]) || (lui && c[3]) || (jump && c[12]) ||
                      (by_imm && c[11]) || (by_reg && c[6]) || lw || sw || (q2 && c[14]);
  assign insn_o[12] = (wide && i[12]) || (lui && c[2]) || (jump && c[12]) || by_imm ||
                      (by_reg && c[6] && c[5]) || (branch && c[13]) || slli;

  // --- bits 11..7: rd, lower immediate of stores and branches ---
  logic rd_c, rd_low;
  assign rd_c   = imm6 || li_like || slli || lwsp || move;
  assign rd_low = addi4spn || lw;

  assign insn_o[11] = (wide && i[11]) || ((rd_c || sw || branch || swsp) && c[11]);
  assign insn_o[10] = (wide && i[10]) || ((rd_c || sw || branch || swsp) && c[10]) || rd_low ||
                      arith;
  assign insn_o[9]  = (wide && i[9]) || ((rd_c || arith || swsp) && c[9]) ||
                      ((rd_low || branch) && c[4]) || (sw && c[6]);
  assign insn_o[8]  = (wide && i[8]) || ((rd_c || arith) && c[8]) || ((rd_low || branch) && c[3]);
  assign insn_o[7]  = (wide && i[7]) || ((rd_c || arith) && c[7]) || (rd_low && c[2]) ||
                      ((branch || jalr) && c[12]) || (jump && !c[15]);

  // --- bits 6..0: major code ---
  assign insn_o[6]   = (wide && i[6]) || jump || branch || (cr && rs2_is_0);
  assign insn_o[5]   = (wide && i[5]) || jump || branch || lui || by_reg || sw || swsp || cr;
  assign insn_o[4]   = (wide && i[4]) || addi4spn || imm6 || lui || addi16sp || arith || slli ||
                       move || ebreak;
  assign insn_o[3]   = (wide && i[3]) || jump;
  assign insn_o[2]   = (wide && i[2]) || jump || lui || jalr;
  assign insn_o[1:0] = 2'b11;

  // --- reserved encodings ---
  logic bad0, bad1, bad2;
  assign bad0 = c[14] ? c[13] : c[15] || c[13] || c[12:5] == 8'd0;
  assign bad1 = c[15] ? !c[14] && !c[13] && c[12] && !(c[11] && !c[10])
                      : c[14] && c[13] && {c[12], c[6:2]} == 6'd0;
  assign bad2 = c[13] || (c[15:14] == 2'b00 && c[12]) || (c[15:14] == 2'b01 && rd_is_0) ||
                (c[15:14] == 2'b10 && !c[12] && rd_is_0 && rs2_is_0);
  assign illegal_o = (q0 && bad0) || (q1 && bad1) || (q2 && bad2);
`endif

`ifdef VERILATOR
  // The same with branches, which simulates faster: the model uses it. Where assertions are on, it
  // is compared with the fields below.
  function automatic logic [31:0] expanded(input logic [15:0] h);
    logic [4:0] rd, rs2, near, far;     // near, far: the short fields at [9:7] and [4:2]
    logic       s;
    rd   = h[11:7];
    rs2  = h[6:2];
    near = {2'b01, h[9:7]};
    far  = {2'b01, h[4:2]};
    s    = h[12];
    if (h[1:0] == 2'b00) begin
      if (h[15])      expanded = {5'd0, h[5], s, far, near, 3'b010, h[11:10], h[6], 2'd0, 7'h23};
      else if (h[14]) expanded = {5'd0, h[5], s, h[11:10], h[6], 2'd0, near, 3'b010, far, 7'h03};
      else
        expanded = {2'd0, h[10:7], h[12:11], h[5], h[6], 2'd0, 5'd2, 3'd0, far, 7'h13};
    end else if (h[1:0] == 2'b01) begin
      if (h[14:13] == 2'b01) begin
        expanded = {s, h[8], h[10:9], h[6], h[7], h[2], h[11], h[5:3], {9{s}}, 4'd0, !h[15], 7'h6f};
      end else if (!h[15]) begin
        if (!h[13])          expanded = {{7{s}}, rs2, h[14] ? 5'd0 : rd, 3'd0, rd, 7'h13};
        else if (rd != 5'd2) expanded = {{15{s}}, rs2, rd, 7'h37};
        else
          expanded = {{3{s}}, h[4:3], h[5], h[2], h[6], 4'd0, rd, 3'd0, rd, 7'h13};
      end else if (h[14]) begin
        expanded = {{4{s}}, h[6:5], h[2], 5'd0, near, 2'd0, h[13], h[11:10], h[4:3], s, 7'h63};
      end else if (!h[11]) begin
        expanded = {1'b0, h[10], 5'd0, rs2, near, 3'b101, near, 7'h13};
      end else if (!h[10]) begin
        expanded = {{7{s}}, rs2, near, 3'b111, near, 7'h13};
      end else begin
        expanded = {1'b0, h[6:5] == 2'b00, 5'd0, far, near, h[6:5] != 2'b00, h[6], h[6] && h[5],
                    near, 7'h33};
      end
    end else begin
      if (h[15:14] == 2'b00)
        expanded = {7'd0, rs2, rd, 3'b001, rd, 7'h13};
      else if (h[15:14] == 2'b01)
        expanded = {4'd0, h[3:2], s, h[6:4], 2'd0, 5'd2, 3'b010, rd, 7'h03};
      else if (h[14])
        expanded = {4'd0, h[8:7], s, rs2, 5'd2, 3'b010, h[11:9], 2'd0, 7'h23};
      else if (rs2 != 5'd0)
        expanded = {7'd0, rs2, s ? rd : 5'd0, 3'd0, rd, 7'h33};
      else if (s && rd == 5'd0)
        expanded = 32'h0010_0073;
      else
        expanded = {12'd0, rd, 3'd0, 4'd0, s, 7'h67};
    end
  endfunction

  function automatic logic reserved(input logic [15:0] h);
    if (h[1:0] == 2'b00)
      reserved = h[14] ? h[13] : h[15] || h[13] || h[12:5] == 8'd0;
    else if (h[1:0] == 2'b10)
      reserved = h[13] || (h[15:14] == 2'b00 && h[12]) || (h[15:14] == 2'b01 && h[11:7] == 5'd0) ||
                 (h[15:14] == 2'b10 && h[12:2] == 11'd0);
    else if (h[15])
      reserved = h[14:12] == 3'b001 && h[11:10] != 2'b10;
    else
      reserved = h[14:13] == 2'b11 && {h[12], h[6:2]} == 6'd0;
  endfunction

`ifdef TERN_MODEL
  always_comb begin
    insn_o    = insn_i;
    illegal_o = 1'b0;
    if (insn_i[1:0] != 2'b11) begin
      insn_o    = expanded(insn_i[15:0]);
      illegal_o = reserved(insn_i[15:0]);
    end
  end
`else
  always_comb begin
    SameBad:  assert (illegal_o == (!wide && reserved(c)));
    SameInsn: assert (illegal_o || insn_o == (wide ? insn_i : expanded(c)));
  end
`endif
`endif

endmodule

`default_nettype wire
