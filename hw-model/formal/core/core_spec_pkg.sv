// SPDX-License-Identifier: Apache-2.0
// Description of an instruction for the proofs of the core.
//
// Written from the RISC-V manual and docs/core.md. It is independent of the core's sources, so that
// a mistake in one does not hide in the other.
`default_nettype none

package core_spec_pkg;

  localparam logic [3:0] Illegal = 4'd0;   // no such instruction; a CSR may still turn out unknown
  localparam logic [3:0] Lui     = 4'd1;
  localparam logic [3:0] Auipc   = 4'd2;
  localparam logic [3:0] Jal     = 4'd3;
  localparam logic [3:0] Jalr    = 4'd4;
  localparam logic [3:0] Branch  = 4'd5;
  localparam logic [3:0] Load    = 4'd6;
  localparam logic [3:0] Store   = 4'd7;
  localparam logic [3:0] Alu     = 4'd8;
  localparam logic [3:0] MulDiv  = 4'd9;
  localparam logic [3:0] Fence   = 4'd10;  // and fence.i
  localparam logic [3:0] Ecall   = 4'd11;
  localparam logic [3:0] Ebreak  = 4'd12;
  localparam logic [3:0] Mret    = 4'd13;
  localparam logic [3:0] Wfi     = 4'd14;
  localparam logic [3:0] Csr     = 4'd15;

  typedef struct packed {
    logic [3:0]  kind;
    logic [2:0]  f3;     // variant within its kind: as in the 32-bit code
    logic        alt;    // subtract, arithmetic shift
    logic        b_imm;  // the second operand is `imm`
    logic [4:0]  rs1;    // 0 when not read
    logic [4:0]  rs2;
    logic [4:0]  rd;     // 0 when nothing is written
    logic [31:0] imm;
  } insn_t;

  // Checks, one proof each.
  localparam int unsigned CheckDecode  = 0;
  localparam int unsigned CheckTrap    = 1;
  localparam int unsigned CheckCompute = 2;
  localparam int unsigned CheckMulDiv  = 3;
  localparam int unsigned CheckJump    = 4;
  localparam int unsigned CheckMemory  = 5;
  localparam int unsigned CheckCsr     = 6;
  localparam int unsigned CheckIntr    = 7;
  localparam int unsigned CheckFlow    = 8;
  localparam int unsigned CheckRegs    = 9;
  localparam int unsigned CheckBus     = 10;
  localparam int unsigned CheckHold    = 11;
  localparam int unsigned CheckFetch   = 12;
  localparam int unsigned CheckLive    = 13;

endpackage

`default_nettype wire
