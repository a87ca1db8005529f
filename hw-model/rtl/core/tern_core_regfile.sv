// SPDX-License-Identifier: Apache-2.0
// Register file: 31 registers and x0, two read ports, one write port.
//
// Reads are combinational and return values written in earlier cycles. Distributed RAM, one copy
// per read port. x0 is an ordinary word: the core writes zero there when it leaves reset, and never
// again.
`default_nettype none

module tern_core_regfile (
  input  logic        clk_i,
  input  logic [4:0]  raddr1_i,
  output logic [31:0] rdata1_o,
  input  logic [4:0]  raddr2_i,
  output logic [31:0] rdata2_o,
  input  logic        we_i,
  input  logic [4:0]  waddr_i,
  input  logic [31:0] wdata_i
);
  logic [31:0] regs [0:31];

  always_ff @(posedge clk_i) begin
    if (we_i) regs[waddr_i] <= wdata_i;
  end

  assign rdata1_o = regs[raddr1_i];
  assign rdata2_o = regs[raddr2_i];

endmodule
