// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_tree_alu: its specification, in the operators of the language, for any
// operands, all operations and both widths.
`default_nettype none

module tree_alu_proof (
  input logic [2:0]  op_i,
  input logic        wide_i,
  input logic        signed_i,
  input logic [63:0] a_i,
  input logic [63:0] b_i
);

  logic [63:0] y, want, least, most;
  logic [31:0] least_high, least_low, most_high, most_low;

  tern_tree_alu dut (.op_i, .wide_i, .signed_i, .a_i, .b_i, .y_o(y));

  always_comb begin
    least      = a_i < b_i ? a_i : b_i;
    most       = a_i > b_i ? a_i : b_i;
    least_high = a_i[63:32] < b_i[63:32] ? a_i[63:32] : b_i[63:32];
    least_low  = a_i[31:0] < b_i[31:0] ? a_i[31:0] : b_i[31:0];
    most_high  = a_i[63:32] > b_i[63:32] ? a_i[63:32] : b_i[63:32];
    most_low   = a_i[31:0] > b_i[31:0] ? a_i[31:0] : b_i[31:0];
    if (signed_i) begin
      least      = $signed(a_i) < $signed(b_i) ? a_i : b_i;
      most       = $signed(a_i) > $signed(b_i) ? a_i : b_i;
      least_high = $signed(a_i[63:32]) < $signed(b_i[63:32]) ? a_i[63:32] : b_i[63:32];
      least_low  = $signed(a_i[31:0]) < $signed(b_i[31:0]) ? a_i[31:0] : b_i[31:0];
      most_high  = $signed(a_i[63:32]) > $signed(b_i[63:32]) ? a_i[63:32] : b_i[63:32];
      most_low   = $signed(a_i[31:0]) > $signed(b_i[31:0]) ? a_i[31:0] : b_i[31:0];
    end
  end

  always_comb begin
    want = a_i;
    case (op_i)
      tern_abi_pkg::TREE_SUM: want = wide_i ? a_i + b_i
                                     : {a_i[63:32] + b_i[63:32], a_i[31:0] + b_i[31:0]};
      tern_abi_pkg::TREE_MIN: want = wide_i ? least : {least_high, least_low};
      tern_abi_pkg::TREE_MAX: want = wide_i ? most : {most_high, most_low};
      tern_abi_pkg::TREE_AND: want = a_i & b_i;
      tern_abi_pkg::TREE_OR:  want = a_i | b_i;
      tern_abi_pkg::TREE_XOR: want = a_i ^ b_i;
      default:                want = a_i;
    endcase
  end

  always_comb Specified: assert (y == want);

endmodule

`default_nettype wire
