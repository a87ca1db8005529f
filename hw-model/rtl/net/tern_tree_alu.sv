// SPDX-License-Identifier: Apache-2.0
// ALU of the tree: combines two beats of 64 bits, as one or as two words.
//
// Sum (modulo 2^64 or 2^32), minimum, maximum, and, or, xor. Sum and the bit operations have no
// sign. All of them are associative and commutative, so a result does not depend on the order in
// which contributions arrive. An operation that it does not know gives `a_i`; the node refuses it
// before. Combinational.
`default_nettype none

module tern_tree_alu (
  input  logic [2:0]  op_i,
  input  logic        wide_i,      // one 64-bit word; else two of 32 bits
  input  logic        signed_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  output logic [63:0] y_o
);

  logic [32:0] low, high;
  assign low  = {1'b0, a_i[31:0]} + {1'b0, b_i[31:0]};
  assign high = {1'b0, a_i[63:32]} + {1'b0, b_i[63:32]} + {32'd0, wide_i && low[32]};

  // A sign bit is inverted, so that signed words compare as unsigned ones.
  logic [31:0] a_high, b_high, a_low, b_low;
  logic        less_high, less_low, less_wide, b_less_high, b_less_low;
  assign a_high    = a_i[63:32] ^ {signed_i, 31'd0};
  assign b_high    = b_i[63:32] ^ {signed_i, 31'd0};
  assign a_low     = a_i[31:0] ^ {signed_i && !wide_i, 31'd0};
  assign b_low     = b_i[31:0] ^ {signed_i && !wide_i, 31'd0};
  assign less_high = b_high < a_high;
  assign less_low  = b_low < a_low;
  assign less_wide = less_high || (a_high == b_high && less_low);
  assign b_less_high = wide_i ? less_wide : less_high;
  assign b_less_low  = wide_i ? less_wide : less_low;

  logic take_high, take_low;        // of min and max: the word of b
  assign take_high = b_less_high ^ (op_i == 3'(tern_abi_pkg::TREE_MAX));
  assign take_low  = b_less_low ^ (op_i == 3'(tern_abi_pkg::TREE_MAX));

  always_comb begin
    y_o = a_i;
    case (op_i)
      3'(tern_abi_pkg::TREE_SUM): y_o = {high[31:0], low[31:0]};
      3'(tern_abi_pkg::TREE_MIN),
      3'(tern_abi_pkg::TREE_MAX): begin
        if (take_high) y_o[63:32] = b_i[63:32];
        if (take_low)  y_o[31:0]  = b_i[31:0];
      end
      3'(tern_abi_pkg::TREE_AND): y_o = a_i & b_i;
      3'(tern_abi_pkg::TREE_OR):  y_o = a_i | b_i;
      3'(tern_abi_pkg::TREE_XOR): y_o = a_i ^ b_i;
      default: y_o = a_i;
    endcase
  end

  logic unused;
  assign unused = high[32];

endmodule

`default_nettype wire
