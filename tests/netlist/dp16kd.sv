// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5 block RAM as synthesis uses it: 18 Kbit, two ports of equal width, no output
// registers, no initial contents; with 36 bits port A writes and port B reads.
//
// The synthesiser's technology library has only an empty module of this name. Modes without a model
// stop the simulation. A port that reads what the other writes in the same cycle gets the old
// contents; synthesis builds nothing that depends on that.
`default_nettype none

module DP16KD #(
  parameter DATA_WIDTH_A = 18,
  parameter DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG",
  parameter REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC",
  parameter ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA",
  parameter CLKBMUX = "CLKB",
  parameter GSR = "ENABLED",
  parameter [319:0] INITVAL_00 = 320'h0, INITVAL_01 = 320'h0, INITVAL_02 = 320'h0,
  INITVAL_03 = 320'h0,
      INITVAL_04 = 320'h0, INITVAL_05 = 320'h0, INITVAL_06 = 320'h0, INITVAL_07 = 320'h0,
      INITVAL_08 = 320'h0, INITVAL_09 = 320'h0, INITVAL_0A = 320'h0, INITVAL_0B = 320'h0,
      INITVAL_0C = 320'h0, INITVAL_0D = 320'h0, INITVAL_0E = 320'h0, INITVAL_0F = 320'h0,
  parameter [319:0] INITVAL_10 = 320'h0, INITVAL_11 = 320'h0, INITVAL_12 = 320'h0, INITVAL_13 =
      320'h0,
      INITVAL_14 = 320'h0, INITVAL_15 = 320'h0, INITVAL_16 = 320'h0, INITVAL_17 = 320'h0,
      INITVAL_18 = 320'h0, INITVAL_19 = 320'h0, INITVAL_1A = 320'h0, INITVAL_1B = 320'h0,
      INITVAL_1C = 320'h0, INITVAL_1D = 320'h0, INITVAL_1E = 320'h0, INITVAL_1F = 320'h0,
  parameter [319:0] INITVAL_20 = 320'h0, INITVAL_21 = 320'h0, INITVAL_22 = 320'h0, INITVAL_23 =
      320'h0,
      INITVAL_24 = 320'h0, INITVAL_25 = 320'h0, INITVAL_26 = 320'h0, INITVAL_27 = 320'h0,
      INITVAL_28 = 320'h0, INITVAL_29 = 320'h0, INITVAL_2A = 320'h0, INITVAL_2B = 320'h0,
      INITVAL_2C = 320'h0, INITVAL_2D = 320'h0, INITVAL_2E = 320'h0, INITVAL_2F = 320'h0,
  parameter [319:0] INITVAL_30 = 320'h0, INITVAL_31 = 320'h0, INITVAL_32 = 320'h0, INITVAL_33 =
      320'h0,
      INITVAL_34 = 320'h0, INITVAL_35 = 320'h0, INITVAL_36 = 320'h0, INITVAL_37 = 320'h0,
      INITVAL_38 = 320'h0, INITVAL_39 = 320'h0, INITVAL_3A = 320'h0, INITVAL_3B = 320'h0,
      INITVAL_3C = 320'h0, INITVAL_3D = 320'h0, INITVAL_3E = 320'h0, INITVAL_3F = 320'h0
) (
  input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
              DIA4, DIA3, DIA2, DIA1, DIA0,
  input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1,
              ADA0,
  input  wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
              DOA4, DOA3, DOA2, DOA1, DOA0,
  input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
              DIB4, DIB3, DIB2, DIB1, DIB0,
  input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1,
              ADB0,
  input  wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
              DOB4, DOB3, DOB2, DOB1, DOB0
);
  localparam Width = DATA_WIDTH_A;
  localparam Low   = Width == 36 ? 5 : Width == 18 ? 4 : Width == 9 ? 3 : Width == 4 ? 2 : Width ==
      2 ? 1 : 0;
  localparam Words = 16384 >> Low;
  localparam Bytes = Width < 18 ? 1 : Width / 9;
  localparam Byte  = Width < 18 ? Width : 9;

  if (DATA_WIDTH_A != DATA_WIDTH_B || REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A !=
      "0b000" ||
      CSDECODE_B != "0b000" || WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_B == "WRITETHROUGH" ||
      CLKAMUX != "CLKA" || CLKBMUX != "CLKB") begin : g_unmodelled
    initial $fatal(1, "DP16KD: this mode is not modelled");
  end
  if (|{INITVAL_00, INITVAL_01, INITVAL_02, INITVAL_03, INITVAL_04, INITVAL_05, INITVAL_06,
      INITVAL_07,
         INITVAL_08, INITVAL_09, INITVAL_0A, INITVAL_0B, INITVAL_0C, INITVAL_0D, INITVAL_0E,
      INITVAL_0F,
         INITVAL_10, INITVAL_11, INITVAL_12, INITVAL_13, INITVAL_14, INITVAL_15, INITVAL_16,
      INITVAL_17,
         INITVAL_18, INITVAL_19, INITVAL_1A, INITVAL_1B, INITVAL_1C, INITVAL_1D, INITVAL_1E,
      INITVAL_1F,
         INITVAL_20, INITVAL_21, INITVAL_22, INITVAL_23, INITVAL_24, INITVAL_25, INITVAL_26,
      INITVAL_27,
         INITVAL_28, INITVAL_29, INITVAL_2A, INITVAL_2B, INITVAL_2C, INITVAL_2D, INITVAL_2E,
      INITVAL_2F,
         INITVAL_30, INITVAL_31, INITVAL_32, INITVAL_33, INITVAL_34, INITVAL_35, INITVAL_36,
      INITVAL_37,
         INITVAL_38, INITVAL_39, INITVAL_3A, INITVAL_3B, INITVAL_3C, INITVAL_3D, INITVAL_3E,
      INITVAL_3F}) begin : g_contents
    initial $fatal(1, "DP16KD: initial contents are not modelled");
  end

  wire [13:0] at_a, at_b;
  wire [35:0] in_a;
  wire [17:0] in_b;
  assign at_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1,
              ADA0};
  assign at_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1,
              ADB0};
  assign in_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6,
              DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  assign in_a = {in_b, DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7,
              DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};

  // A reset, which clears the read data, blocks writes.
  wire [3:0] bytes_a, bytes_b;
  wire       write_a, write_b;
  assign bytes_a = Width < 18 ? 4'b0001 : at_a[3:0];
  assign bytes_b = Width < 18 ? 4'b0001 : at_b[3:0];
  assign write_a = CEA && WEA && !RSTA;
  assign write_b = CEB && WEB && !RSTB && Width != 36;

  reg [Width-1:0] mem [0:Words-1];
  reg [Width-1:0] out_a, out_b;
  integer i, j;
  always @(posedge CLKA)
    for (i = 0; i < Bytes; i = i + 1)
      if (write_a && bytes_a[i]) mem[at_a[13:Low]][Byte*i +: Byte] <= in_a[Byte*i +: Byte];
  always @(posedge CLKB)
    for (j = 0; j < Bytes && Width != 36; j = j + 1)
      if (write_b && bytes_b[j]) mem[at_b[13:Low]][Byte*j +: Byte] <= in_b[Byte*j +: Byte];

  if (RESETMODE == "ASYNC") begin : g_async
    always @(posedge CLKA or posedge RSTA)
      if (RSTA) out_a <= 0;
      else if (CEA && Width != 36 && (WRITEMODE_A != "NORMAL" || !WEA)) out_a <= mem[at_a[13:Low]];
    always @(posedge CLKB or posedge RSTB)
      if (RSTB) out_b <= 0;
      else if (CEB && (WRITEMODE_B != "NORMAL" || !WEB)) out_b <= mem[at_b[13:Low]];
  end else begin : g_sync
    always @(posedge CLKA)
      if (RSTA) out_a <= 0;
      else if (CEA && Width != 36 && (WRITEMODE_A != "NORMAL" || !WEA)) out_a <= mem[at_a[13:Low]];
    always @(posedge CLKB)
      if (RSTB) out_b <= 0;
      else if (CEB && (WRITEMODE_B != "NORMAL" || !WEB)) out_b <= mem[at_b[13:Low]];
  end

  wire [35:0] wide_a, wide_b;
  assign wide_a = out_a;
  assign wide_b = out_b;
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
              DOA4, DOA3, DOA2, DOA1, DOA0} = Width == 36 ? wide_b[17:0] : wide_a[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
              DOB4, DOB3, DOB2, DOB1, DOB0} = Width == 36 ? wide_b[35:18] : wide_b[17:0];

  wire unused_pins;
  assign unused_pins = &{1'b0, OCEA, OCEB, CSA2, CSA1, CSA0, CSB2, CSB1, CSB0};

endmodule
