// SPDX-License-Identifier: Apache-2.0
// Proof of the core's register file: a read returns what was last written.
//
// Watches one word, any of them. One of the two read ports always reads it, so that induction sees
// the word; either port may be the one.
`default_nettype none

module unit_regfile (
  input logic        clk_i,
  input logic        we_i,
  input logic [4:0]  waddr_i,
  input logic [31:0] wdata_i,
  input logic [4:0]  other_i
);
  (* anyconst *) logic [4:0] watched;
  (* anyconst *) logic       port;
  logic        known_q = 1'b0;
  logic [31:0] kept_q, rdata1, rdata2;
  logic [4:0]  raddr1, raddr2;

  assign raddr1 = port ? other_i : watched;
  assign raddr2 = port ? watched : other_i;

  tern_core_regfile dut (
    .clk_i, .raddr1_i(raddr1), .rdata1_o(rdata1), .raddr2_i(raddr2), .rdata2_o(rdata2),
    .we_i, .waddr_i, .wdata_i
  );

  always_ff @(posedge clk_i) begin
    if (we_i && waddr_i == watched) begin
      known_q <= 1'b1;
      kept_q  <= wdata_i;
    end
  end

  always_comb begin
    if (known_q && raddr1 == watched) First: assert (rdata1 == kept_q);
    if (known_q && raddr2 == watched) Second: assert (rdata2 == kept_q);
  end

endmodule

`default_nettype wire
