// SPDX-License-Identifier: Apache-2.0
// Both CRCs of a packet on a link, over its beats as they go by.
//
// `header_o` is the header CRC if this beat is the last of the header; `link_o` is the link CRC
// if this beat is the last of the packet.  Both are combinational in `data_i`, whose own CRC
// field does not count.
`default_nettype none

module tern_net_crc #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             beat_i,
  input  logic             first_i,
  input  logic [DataW-1:0] data_i,
  output logic [15:0]      header_o,
  output logic [31:0]      link_o
);

  logic [15:0] header_q, header_run, header_d;
  logic [31:0] link_q, link_run, link_d;

  assign header_run = first_i ? 16'hffff : header_q;
  assign link_run   = first_i ? 32'hffff_ffff : link_q;

  if (DataW == 64) begin : g_64
    assign header_o = tern_abi_pkg::crc16_48(header_run, data_i[47:0]);
    assign header_d = tern_abi_pkg::crc16_64(header_run, data_i);
    assign link_o   = ~tern_abi_pkg::crc32c_32(link_run, data_i[31:0]);
    assign link_d   = tern_abi_pkg::crc32c_64(link_run, data_i);
  end else begin : g_32
    logic [15:0] low, high;
    assign low    = {data_i[7:0], data_i[15:8]};
    assign high   = {data_i[23:16], data_i[31:24]};
    assign link_o = ~link_q;   // no packet is one beat long
    tern_crc16_16 u_header_low (.x_i(header_run ^ low), .y_o(header_o));
    tern_crc16_16 u_header_high (.x_i(header_o ^ high), .y_o(header_d));
    tern_crc32c_32 u_link (.x_i(link_run ^ data_i), .y_o(link_d));
    always_ff @(posedge clk_i) begin
      LowIsCrc:  assert (header_o == tern_abi_pkg::crc16_16(header_run, data_i[15:0]));
      HighIsCrc: assert (header_d == tern_abi_pkg::crc16_32(header_run, data_i));
      LinkIsCrc: assert (link_d == tern_abi_pkg::crc32c_32(link_run, data_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_i) begin
      header_q <= header_d;
      link_q   <= link_d;
    end
  end

endmodule

`default_nettype wire
