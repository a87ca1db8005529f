// SPDX-License-Identifier: Apache-2.0
// Byte lanes of loads and stores.
//
// Combinational. The request side aligns a store to its byte lanes and detects misaligned
// addresses. The answer side extracts a loaded value from its word and extends it.
`default_nettype none

module tern_core_lsu (
  input  logic [1:0]  req_size_i,      // funct3[1:0]: byte, half, word
  input  logic [1:0]  req_offset_i,    // address bits 1..0
  input  logic [31:0] req_data_i,
  output logic        misaligned_o,
  output logic [3:0]  be_o,
  output logic [31:0] wdata_o,

  input  logic        rsp_load_i,      // 0: the result is 0
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

`ifdef TERN_MODEL   // simulates faster: most cycles have no load
  logic [15:0] half;
  logic [7:0]  one;

  always_comb begin
    half       = rsp_offset_i[1] ? rsp_word_i[31:16] : rsp_word_i[15:0];
    one        = rsp_offset_i[0] ? half[15:8] : half[7:0];
    rsp_data_o = '0;
    if (rsp_load_i) begin
      case (rsp_funct3_i[1:0])
        2'b00:   rsp_data_o = {{24{!rsp_funct3_i[2] && one[7]}}, one};
        2'b01:   rsp_data_o = {{16{!rsp_funct3_i[2] && half[15]}}, half};
        default: rsp_data_o = rsp_word_i;
      endcase
    end
  end
`else
  // The answer arrives late in its cycle, the control signals early. So every byte of the result is
  // a selection of one byte of the word, the sign, or zero.
  logic       is_byte, is_half, is_word;
  logic [3:0] lane, sign_of;           // lane of the lowest byte; of the byte with the sign
  logic       sign;

  assign is_byte = rsp_funct3_i[1:0] == 2'b00;
  assign is_half = rsp_funct3_i[1:0] == 2'b01;
  assign is_word = rsp_load_i && rsp_funct3_i[1];

  always_comb begin
    lane = 4'b0000;
    if (rsp_load_i) lane[rsp_offset_i] = 1'b1;
    sign_of = 4'b0000;
    if (rsp_load_i && !rsp_funct3_i[2] && !rsp_funct3_i[1])
      sign_of[{rsp_offset_i[1], is_half || rsp_offset_i[0]}] = 1'b1;
    sign = |(sign_of & {rsp_word_i[31], rsp_word_i[23], rsp_word_i[15], rsp_word_i[7]});

    rsp_data_o[7:0]   = (rsp_word_i[7:0] & {8{lane[0]}}) | (rsp_word_i[15:8] & {8{lane[1]}}) |
                        (rsp_word_i[23:16] & {8{lane[2]}}) | (rsp_word_i[31:24] & {8{lane[3]}});
    rsp_data_o[15:8]  = (rsp_word_i[15:8] & {8{lane[0] && !is_byte}}) |
                        (rsp_word_i[31:24] & {8{lane[2] && !is_byte}}) | {8{sign && is_byte}};
    rsp_data_o[31:16] = (rsp_word_i[31:16] & {16{is_word}}) | {16{sign}};
  end
`endif

endmodule

`default_nettype wire
