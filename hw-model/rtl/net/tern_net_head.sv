// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a packet header that routers care for, as its beats go by.
//
// `index_i` counts the beats of the packet from 0.  A field is valid from the cycle after the
// beat that carries it until the next packet's.  `named_o` marks the beat with the operation.
`default_nettype none

module tern_net_head #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             beat_i,
  input  logic [3:0]       index_i,
  input  logic [DataW-1:0] data_i,
  output logic [3:0]       version_o,
  output logic [1:0]       vn_o,
  output logic [14:0]      dst_o,
  output logic [10:0]      length_o,
  output logic             named_o,
  output logic [7:0]       name_o
);

  localparam int unsigned VersionAt = tern_abi_pkg::PKT_VERSION_LSB;
  localparam int unsigned VnAt      = tern_abi_pkg::PKT_VN_LSB;
  localparam int unsigned DstAt     = tern_abi_pkg::PKT_DST_LSB;
  localparam int unsigned LengthAt  = tern_abi_pkg::PKT_LENGTH_LSB;
  localparam int unsigned OpidAt    = tern_abi_pkg::PKT_OPID_LSB;

  assign named_o = beat_i && index_i == 4'(OpidAt / DataW);
  assign name_o  = data_i[OpidAt % DataW +: 8];

  always_ff @(posedge clk_i) begin
    if (beat_i && index_i == 4'(VersionAt / DataW)) begin
      version_o <= data_i[VersionAt % DataW +: tern_abi_pkg::PKT_VERSION_W];
      vn_o      <= data_i[VnAt % DataW +: tern_abi_pkg::PKT_VN_W];
    end
    if (beat_i && index_i == 4'(DstAt / DataW))    dst_o    <= data_i[DstAt % DataW +: 15];
    if (beat_i && index_i == 4'(LengthAt / DataW)) length_o <= data_i[LengthAt % DataW +: 11];
  end

  logic unused;
  assign unused = ^data_i;

endmodule

`default_nettype wire
