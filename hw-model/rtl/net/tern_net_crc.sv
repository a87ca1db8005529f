// SPDX-License-Identifier: Apache-2.0
// Link CRC of a packet over its beats as they go by.
//
// `sum_o` is the CRC, not inverted, over the beats before and the bytes before the CRC field in
// this one, by xor with that field: all ones if this beat is the last of the packet and the field
// is right, 0 if it is the complement, the inverted CRC to be where it holds 0.  Combinational in
// `data_i`.  `clear_i` begins anew: in the cycle before the first beat at the latest.
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
`ifdef TERN_MODEL   // quicker where most cycles have no beat
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
    // The step is the one inside tern_crc_run, which synthesis finds.
    logic [31:0] run, crc;
    tern_crc_run #(.Start(Start)) u_run (.clk_i, .clear_i, .en_i(beat_i), .data_i, .run_o(run));
    tern_crc32c_32 u_step (.x_i(run), .y_o(crc));
    assign sum_o = crc ^ data_i;
  end

endmodule

`default_nettype wire
