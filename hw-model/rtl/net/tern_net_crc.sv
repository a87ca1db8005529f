// SPDX-License-Identifier: Apache-2.0
// Link CRC of a packet over its beats as they go by.
//
// `crc_o` is the CRC if this beat is the last of the packet: combinational in `data_i`, whose own
// CRC field does not count.
`default_nettype none

module tern_net_crc #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             beat_i,
  input  logic             first_i,
  input  logic [DataW-1:0] data_i,
  output logic [31:0]      crc_o
);

  logic [31:0] crc_q, run, crc_d;

  assign run = first_i ? 32'hffff_ffff : crc_q;

  if (DataW == 64) begin : g_64
`ifdef VERILATOR   // quicker where most cycles have no beat
    always_comb begin
      crc_o = '0;
      crc_d = '0;
      if (beat_i) begin
        crc_o = ~tern_abi_pkg::crc32c_32(run, data_i[31:0]);
        crc_d = tern_abi_pkg::crc32c_64(run, data_i);
      end
    end
`else
    assign crc_o = ~tern_abi_pkg::crc32c_32(run, data_i[31:0]);
    assign crc_d = tern_abi_pkg::crc32c_64(run, data_i);
`endif
  end else begin : g_32
    assign crc_o = ~crc_q;   // no packet is one beat long
    tern_crc32c_32 u_step (.x_i(run ^ data_i), .y_o(crc_d));
    always_ff @(posedge clk_i) begin
      StepIsCrc: assert (crc_d == tern_abi_pkg::crc32c_32(run, data_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_i) crc_q <= crc_d;
  end

endmodule

`default_nettype wire
