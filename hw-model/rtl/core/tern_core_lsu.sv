// SPDX-License-Identifier: Apache-2.0
// Byte lanes of loads and stores.
//
// Combinational.  The request side lays a store out on its lanes and finds misaligned
// addresses; the answer side picks a loaded value out of its word and extends it.
`default_nettype none

module tern_core_lsu (
  input  logic [1:0]  req_size_i,      // funct3[1:0]: byte, half, word
  input  logic [1:0]  req_offset_i,    // address bits 1..0
  input  logic [31:0] req_data_i,
  output logic        misaligned_o,
  output logic [3:0]  be_o,
  output logic [31:0] wdata_o,

  input  logic [2:0]  rsp_funct3_i,
  input  logic [1:0]  rsp_offset_i,
  input  logic [31:0] rsp_word_i,
  output logic [31:0] rsp_data_o
);
  always_comb begin
    misaligned_o = 1'b0;
    be_o         = 4'b1111;
    wdata_o      = req_data_i;
    case (req_size_i)
      2'b00: begin
        be_o    = 4'b0001 << req_offset_i;
        wdata_o = {4{req_data_i[7:0]}};
      end
      2'b01: begin
        be_o         = req_offset_i[1] ? 4'b1100 : 4'b0011;
        wdata_o      = {2{req_data_i[15:0]}};
        misaligned_o = req_offset_i[0];
      end
      default: misaligned_o = req_offset_i != 2'b00;
    endcase
  end

  logic [15:0] half;
  logic [7:0]  one;
  logic        extend;

  assign half   = rsp_offset_i[1] ? rsp_word_i[31:16] : rsp_word_i[15:0];
  assign one    = rsp_offset_i[0] ? half[15:8] : half[7:0];
  assign extend = !rsp_funct3_i[2];

  always_comb begin
    case (rsp_funct3_i[1:0])
      2'b00:   rsp_data_o = {{24{extend && one[7]}}, one};
      2'b01:   rsp_data_o = {{16{extend && half[15]}}, half};
      default: rsp_data_o = rsp_word_i;
    endcase
  end

endmodule
