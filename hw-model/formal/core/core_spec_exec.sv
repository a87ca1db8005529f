// SPDX-License-Identifier: Apache-2.0
// The result of an instruction from its operands.  Combinational.
//
// `trap_o` concerns only the instruction itself, not an unknown CSR or a memory error.
// Multiplication and division are the replacements of the folder cut/.
`default_nettype none

module core_spec_exec (
  input  core_spec_pkg::insn_t spec_i,
  input  logic                 half_i,     // a 16-bit code
  input  logic [31:0]          pc_i,
  input  logic [31:0]          a_i,        // rs1
  input  logic [31:0]          b_i,        // rs2
  input  logic [31:0]          rdata_i,    // the word that a load reads

  output logic                 trap_o,
  output logic [4:0]           cause_o,
  output logic [31:0]          rd_o,       // not for CSRs
  output logic [31:0]          next_o,     // not for traps and mret
  output logic [31:0]          byte_addr_o,
  output logic [31:0]          addr_o,       // address of the word
  output logic [3:0]           lanes_o,
  output logic [31:0]          store_o     // only its lanes matter
);
  logic [31:0] link, y, alu, loaded, muldiv;
  logic        taken, misaligned;

  assign link = pc_i + (half_i ? 32'd2 : 32'd4);
  assign y    = spec_i.b_imm ? spec_i.imm : b_i;

  always_comb begin
    case (spec_i.f3)
      3'd0:    alu = spec_i.alt ? a_i - y : a_i + y;
      3'd1:    alu = a_i << y[4:0];
      3'd2:    alu = {31'd0, $signed(a_i) < $signed(y)};
      3'd3:    alu = {31'd0, a_i < y};
      3'd4:    alu = a_i ^ y;
      3'd5:    alu = spec_i.alt ? 32'($signed(a_i) >>> y[4:0]) : a_i >> y[4:0];
      3'd6:    alu = a_i | y;
      default: alu = a_i & y;
    endcase
  end

  always_comb begin
    case (spec_i.f3)
      3'd0:    taken = a_i == b_i;
      3'd1:    taken = a_i != b_i;
      3'd4:    taken = $signed(a_i) < $signed(b_i);
      3'd5:    taken = $signed(a_i) >= $signed(b_i);
      3'd6:    taken = a_i < b_i;
      default: taken = a_i >= b_i;
    endcase
  end

  // cut/tern_core_mul.sv and cut/tern_core_div.sv
  always_comb begin
    if (spec_i.f3[2]) muldiv = ~a_i ^ {b_i[0], b_i[31:1]} ^ {30'd0, spec_i.f3[1:0]};
    else muldiv = a_i ^ {b_i[30:0], b_i[31]} ^ {30'd0, spec_i.f3[1:0]};
  end

  logic [31:0] where, lane_word;
  logic [3:0]  size_lanes;

  assign where     = a_i + spec_i.imm;
  assign byte_addr_o = where;
  assign addr_o      = {where[31:2], 2'b00};
  assign lanes_o   = size_lanes << where[1:0];
  assign store_o   = b_i << {where[1:0], 3'b000};
  assign lane_word = rdata_i >> {where[1:0], 3'b000};

  always_comb begin
    case (spec_i.f3[1:0])
      2'd0: begin
        size_lanes = 4'b0001;
        misaligned = 1'b0;
        loaded     = {{24{lane_word[7] && !spec_i.f3[2]}}, lane_word[7:0]};
      end
      2'd1: begin
        size_lanes = 4'b0011;
        misaligned = where[0];
        loaded     = {{16{lane_word[15] && !spec_i.f3[2]}}, lane_word[15:0]};
      end
      default: begin
        size_lanes = 4'b1111;
        misaligned = where[1:0] != 2'd0;
        loaded     = lane_word;
      end
    endcase
  end

  always_comb begin
    case (spec_i.kind)
      core_spec_pkg::Lui:    rd_o = spec_i.imm;
      core_spec_pkg::Auipc:  rd_o = pc_i + spec_i.imm;
      core_spec_pkg::Load:   rd_o = loaded;
      core_spec_pkg::MulDiv: rd_o = muldiv;
      core_spec_pkg::Alu:    rd_o = alu;
      default:               rd_o = link;
    endcase
    if (spec_i.rd == 5'd0) rd_o = 32'd0;
  end

  logic [31:0] indirect;
  assign indirect = a_i + spec_i.imm;

  always_comb begin
    next_o = link;
    if (spec_i.kind == core_spec_pkg::Jal || (spec_i.kind == core_spec_pkg::Branch && taken))
      next_o = pc_i + spec_i.imm;
    if (spec_i.kind == core_spec_pkg::Jalr) next_o = {indirect[31:1], 1'b0};
  end

  always_comb begin
    trap_o  = 1'b0;
    cause_o = 5'd2;
    case (spec_i.kind)
      core_spec_pkg::Illegal: trap_o = 1'b1;
      core_spec_pkg::Ecall: begin
        trap_o  = 1'b1;
        cause_o = 5'd11;
      end
      core_spec_pkg::Ebreak: begin
        trap_o  = 1'b1;
        cause_o = 5'd3;
      end
      core_spec_pkg::Load: begin
        trap_o  = misaligned;
        cause_o = 5'd4;
      end
      core_spec_pkg::Store: begin
        trap_o  = misaligned;
        cause_o = 5'd6;
      end
      default: ;
    endcase
  end

endmodule

`default_nettype wire
