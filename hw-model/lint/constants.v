// SPDX-License-Identifier: Apache-2.0
// Maps arithmetic with constants, and comparisons of few bits, to LUTs (synth_check.sh).
//
// Yosys maps every sum, and every comparison of more than four bits, to carry cells: a cell per
// bit, plus one or two to read the carry. With a constant, a LUT compares three bits, and a short
// sum fits into the LUTs that select its result. Two numbers of five bits take a LUT per bit: 36
// COMB less.

(* techmap_celltype = "$lt $le $gt $ge" *)
module tern_compare_constant (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_A_ = 0;
  parameter _TECHMAP_CONSTMSK_B_ = 0;
  parameter _TECHMAP_CELLTYPE_ = "";

  (* force_downto *)
  input [A_WIDTH-1:0] A;
  (* force_downto *)
  input [B_WIDTH-1:0] B;
  (* force_downto *)
  output [Y_WIDTH-1:0] Y;

  localparam Width   = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
  localparam Known   = (&_TECHMAP_CONSTMSK_A_) || (&_TECHMAP_CONSTMSK_B_);
  localparam Greater = _TECHMAP_CELLTYPE_ == "$gt" || _TECHMAP_CELLTYPE_ == "$ge";
  localparam Equal   = _TECHMAP_CELLTYPE_ == "$le" || _TECHMAP_CELLTYPE_ == "$ge";
  wire _TECHMAP_FAIL_ = (!Known && Width > 5) || A_SIGNED || B_SIGNED || Width > 32;

  (* force_downto *)
  wire [Width-1:0] a = A;
  (* force_downto *)
  wire [Width-1:0] b = B;
  wire [Width:0] yes;       // for so many low bits
  assign yes[0] = Equal;
  genvar i;
  generate
    for (i = 0; i < Width; i = i + 1) begin : bits
      wire low = Greater ? b[i] : a[i];
      wire high = Greater ? a[i] : b[i];
      assign yes[i+1] = (!low && high) || ((!low || high) && yes[i]);
    end
  endgenerate
  assign Y = yes[Width];
endmodule

(* techmap_celltype = "$alu" *)
module tern_add_constant (A, B, CI, BI, X, Y, CO);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_A_ = 0;
  parameter _TECHMAP_CONSTMSK_B_ = 0;

  (* force_downto *)
  input [A_WIDTH-1:0] A;
  (* force_downto *)
  input [B_WIDTH-1:0] B;
  input CI, BI;
  (* force_downto *)
  output [Y_WIDTH-1:0] X, Y, CO;

  localparam Known = (&_TECHMAP_CONSTMSK_A_) || (&_TECHMAP_CONSTMSK_B_);
  localparam Most  = Known ? 8 : 4;
  wire _TECHMAP_FAIL_ = Y_WIDTH > Most;

  (* force_downto *)
  wire [Y_WIDTH-1:0] a;
  (* force_downto *)
  wire [Y_WIDTH-1:0] b;
  wire [Y_WIDTH-1:0] c;
  wire [Y_WIDTH:0] carry;
  \$pos #(.A_SIGNED(A_SIGNED), .A_WIDTH(A_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_a (.A(A), .Y(a));
  \$pos #(.A_SIGNED(B_SIGNED), .A_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)) wide_b (.A(B), .Y(b));
  assign c = b ^ {Y_WIDTH{BI}};
  assign carry[0] = CI;
  genvar i;
  generate
    for (i = 0; i < Y_WIDTH; i = i + 1) begin : bits
      assign carry[i+1] = (a[i] && c[i]) || ((a[i] || c[i]) && carry[i]);
    end
  endgenerate
  assign X = a ^ c;
  assign Y = X ^ carry[Y_WIDTH-1:0];
  assign CO = carry[Y_WIDTH:1];
endmodule
