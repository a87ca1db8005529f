// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5 multiplier block as synthesis uses it: 18 x 18 bits, without registers.
//
// The synthesiser's technology library has only an empty module of this name. Modes without a model
// stop the simulation instead of giving wrong products.
`default_nettype none

module MULT18X18D #(
  parameter REG_INPUTA_CLK = "NONE",
  parameter REG_INPUTA_CE = "CE0",
  parameter REG_INPUTA_RST = "RST0",
  parameter REG_INPUTB_CLK = "NONE",
  parameter REG_INPUTB_CE = "CE0",
  parameter REG_INPUTB_RST = "RST0",
  parameter REG_INPUTC_CLK = "NONE",
  parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_OUTPUT_CLK = "NONE",
  parameter CLK0_DIV = "ENABLED",
  parameter GSR = "ENABLED",
  parameter SOURCEB_MODE = "B_SHIFT",
  parameter RESETMODE = "SYNC"
) (
  input  wire A0, A1, A2, A3, A4, A5, A6, A7, A8,
  input  wire A9, A10, A11, A12, A13, A14, A15, A16, A17,
  input  wire B0, B1, B2, B3, B4, B5, B6, B7, B8,
  input  wire B9, B10, B11, B12, B13, B14, B15, B16, B17,
  input  wire C0, C1, C2, C3, C4, C5, C6, C7, C8,
  input  wire C9, C10, C11, C12, C13, C14, C15, C16, C17,
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output wire P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11,
  output wire P12, P13, P14, P15, P16, P17, P18, P19, P20, P21, P22, P23,
  output wire P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  if (REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_INPUTC_CLK != "NONE" ||
      REG_PIPELINE_CLK != "NONE" || REG_OUTPUT_CLK != "NONE") begin : g_unmodelled
    initial $fatal(1, "MULT18X18D: registered modes are not modelled");
  end

  wire [17:0] a, b;
  wire signed [35:0] product;
  assign a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  assign b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};

  // One more bit per operand makes signed and unsigned operands one case.
  assign product = 36'($signed({SIGNEDA && a[17], a}) * $signed({SIGNEDB && b[17], b}));
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
          P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product;

  wire unused_inputs;
  assign unused_inputs = &{1'b0, SOURCEA, SOURCEB, C0, C1, C2, C3, C4, C5, C6, C7, C8,
                           C9, C10, C11, C12, C13, C14, C15, C16, C17};

endmodule
