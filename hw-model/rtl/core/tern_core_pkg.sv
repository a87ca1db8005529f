// SPDX-License-Identifier: Apache-2.0
// Constants and the decoded-instruction record shared by the blocks of the soft core.
//
// Internal to hw-model/rtl/core: used only by the core, and independent of other packages.
`default_nettype none

package tern_core_pkg;

  // Major opcodes, instruction bits 6..2.
  localparam logic [4:0] OpcLoad    = 5'b00000;
  localparam logic [4:0] OpcMiscMem = 5'b00011;
  localparam logic [4:0] OpcOpImm   = 5'b00100;
  localparam logic [4:0] OpcAuipc   = 5'b00101;
  localparam logic [4:0] OpcStore   = 5'b01000;
  localparam logic [4:0] OpcOp      = 5'b01100;
  localparam logic [4:0] OpcLui     = 5'b01101;
  localparam logic [4:0] OpcBranch  = 5'b11000;
  localparam logic [4:0] OpcJalr    = 5'b11001;
  localparam logic [4:0] OpcJal     = 5'b11011;
  localparam logic [4:0] OpcSystem  = 5'b11100;

  // The branch history is indexed by so many bits of the pc above bit 0.
  localparam int unsigned PlaceW = 6;

  localparam logic [1:0] LogicXor = 2'd0;
  localparam logic [1:0] LogicOr  = 2'd1;
  localparam logic [1:0] LogicAnd = 2'd2;

  localparam logic [1:0] CsrWrite = 2'd1;
  localparam logic [1:0] CsrSet   = 2'd2;
  localparam logic [1:0] CsrClear = 2'd3;

  // mcause codes; the interrupt flag travels separately.
  localparam logic [3:0] CauseFetchFault   = 4'd1;
  localparam logic [3:0] CauseIllegal      = 4'd2;
  localparam logic [3:0] CauseBreakpoint   = 4'd3;
  localparam logic [3:0] CauseLoadAlign    = 4'd4;
  localparam logic [3:0] CauseLoadFault    = 4'd5;
  localparam logic [3:0] CauseStoreAlign   = 4'd6;
  localparam logic [3:0] CauseStoreFault   = 4'd7;
  localparam logic [3:0] CauseEcallM       = 4'd11;
  localparam logic [3:0] CauseIrqSoftware  = 4'd3;
  localparam logic [3:0] CauseIrqTimer     = 4'd7;
  localparam logic [3:0] CauseIrqExternal  = 4'd11;

  // Units of execute, whose outputs are ORed: at most one of sum, logic, shift and less is set.
  // Memory operations set `sum`, so that the write-back register holds the address until the answer
  // arrives; a fault reports it.
  typedef struct packed {
    logic       illegal;   // no such instruction
    logic       rs1_used;
    logic       rs2_used;
    logic       rd_we;
    logic       b_imm;     // second operand is the immediate
    logic       subtract;  // also set for every comparison
    logic       sum;
    logic       logical;
    logic       shift;
    logic       less;
    logic [1:0] logic_op;
    logic       lui;
    logic       auipc;
    logic       branch;
    logic       jal;
    logic       jalr;
    logic       load;
    logic       store;
    logic       mul;
    logic       div;
    logic       csr;
    logic       ecall;
    logic       ebreak;
    logic       mret;
    logic       wfi;
    logic       fence_i;
  } ctl_t;

endpackage
