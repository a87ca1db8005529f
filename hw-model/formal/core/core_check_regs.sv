// SPDX-License-Identifier: Apache-2.0
// One bit of one register, any of them: an instruction reads there the bit written last.
//
// Reset leaves registers unknown: the first read determines the value.
`default_nettype none

module core_check_regs (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  watched_i,   // these two are constant
  input logic [4:0]  bit_i,
  input logic        rvfi_valid,
  input logic [4:0]  rvfi_rs1_addr,
  input logic [4:0]  rvfi_rs2_addr,
  input logic [31:0] rvfi_rs1_rdata,
  input logic [31:0] rvfi_rs2_rdata,
  input logic [4:0]  rvfi_rd_addr,
  input logic [31:0] rvfi_rd_wdata
);
  logic known_q, value_q, read1, read2, written;

  assign read1   = rvfi_valid && rvfi_rs1_addr == watched_i;
  assign read2   = rvfi_valid && rvfi_rs2_addr == watched_i;
  assign written = rvfi_valid && rvfi_rd_addr == watched_i && watched_i != 5'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= watched_i == 5'd0;
      value_q <= 1'b0;
    end else begin
      if (read1 || read2 || written) known_q <= 1'b1;
      if (read1) value_q <= rvfi_rs1_rdata[bit_i];
      if (read2) value_q <= rvfi_rs2_rdata[bit_i];
      if (written) value_q <= rvfi_rd_wdata[bit_i];
    end
  end

  always_comb begin
    if (read1 && known_q) FirstOperand: assert (rvfi_rs1_rdata[bit_i] == value_q);
    if (read2 && known_q) SecondOperand: assert (rvfi_rs2_rdata[bit_i] == value_q);
    if (read1 && read2) BothAlike: assert (rvfi_rs1_rdata[bit_i] == rvfi_rs2_rdata[bit_i]);
  end

endmodule

`default_nettype wire
