// SPDX-License-Identifier: Apache-2.0
// Bytes of a serial line -> words of frames. A flag begins a frame; bytes of a word come lowest
// first.
`default_nettype none

module tern_hlink_unstuff (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [7:0]  byte_i,
  output logic        start_o,   // a frame begins
  output logic        valid_o,
  output logic [31:0] word_o
);

  logic       escape_q, flag, escape;
  logic [1:0] count_q;

  assign flag   = valid_i && byte_i == 8'(tern_abi_pkg::HLINK_FLAG);
  assign escape = valid_i && byte_i == 8'(tern_abi_pkg::HLINK_ESCAPE);

  always_ff @(posedge clk_i) begin
    start_o <= rst_ni && flag;
    valid_o <= 1'b0;
    if (!rst_ni || flag) begin
      escape_q <= 1'b0;
      count_q  <= '0;
    end else if (escape) begin
      escape_q <= 1'b1;
    end else if (valid_i) begin
      escape_q <= 1'b0;
      count_q  <= count_q + 2'd1;
      valid_o  <= count_q == 2'd3;
      word_o   <= {byte_i ^ (escape_q ? 8'(tern_abi_pkg::HLINK_CHANGE) : 8'd0), word_o[31:8]};
    end
  end

endmodule

`default_nettype wire
