// SPDX-License-Identifier: Apache-2.0
// Computes the link CRC of a packet from its passing beats.
//
// `sum_o` is the CRC, not inverted, over all beats before and the bytes before the CRC field in
// this one, xored with that field. In a packet's last beat it is all ones if the field is right, 0
// if the field holds the complement, and the inverted CRC to send if the field holds 0.
// Combinational in `data_i`. `clear_i` restarts it, at the latest in the cycle before the first
// beat.
`default_nettype none

module tern_net_crc #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             beat_i,
  input  logic [DataW-1:0] data_i,
  output logic [31:0]      sum_o
);

  localparam logic [31:0] Start = 32'hffff_ffff;

  if (DataW == 64) begin : g_64
    logic [31:0] crc_q, crc_d;
`ifdef TERN_MODEL   // simulates faster: most cycles have no beat
    always_comb begin
      sum_o = '0;
      crc_d = '0;
      if (beat_i) begin
        sum_o = tern_abi_pkg::crc32c_32(crc_q, data_i[31:0]) ^ data_i[63:32];
        crc_d = tern_abi_pkg::crc32c_64(crc_q, data_i);
      end
    end
`else
    assign sum_o = tern_abi_pkg::crc32c_32(crc_q, data_i[31:0]) ^ data_i[63:32];
    assign crc_d = tern_abi_pkg::crc32c_64(crc_q, data_i);
`endif
    always_ff @(posedge clk_i) begin
      if (clear_i)     crc_q <= Start;
      else if (beat_i) crc_q <= crc_d;
    end
  end else begin : g_32
    // The step is part of tern_crc_run; synthesis merges the two.
    logic [31:0] run, crc;
    tern_crc_run #(.Start(Start)) u_run (.clk_i, .clear_i, .en_i(beat_i), .data_i, .run_o(run));
    tern_crc32c_32 u_step (.x_i(run), .y_o(crc));
    assign sum_o = crc ^ data_i;
  end

endmodule

`default_nettype wire
