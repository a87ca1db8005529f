// SPDX-License-Identifier: Apache-2.0
// Replaces the register file where two registers are watched: it stores those; all others read as
// any value at any time. The real one guarantees no less, by its own proof.
//
// `first` and `second` have no driver here: the proof connects them.
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
  (* keep *) logic [4:0] first, second;
  (* anyseq *) logic [31:0] other1, other2;
  logic [31:0] first_q, second_q;

  always_ff @(posedge clk_i) begin
    if (we_i && waddr_i == first) first_q <= wdata_i;
    if (we_i && waddr_i == second) second_q <= wdata_i;
  end

  assign rdata1_o = raddr1_i == first ? first_q : raddr1_i == second ? second_q : other1;
  assign rdata2_o = raddr2_i == first ? first_q : raddr2_i == second ? second_q : other2;

endmodule

`default_nettype wire
