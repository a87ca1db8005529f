// SPDX-License-Identifier: Apache-2.0
// Extracts the operation id of a packet from its passing beats, for the trace.
`default_nettype none

module tern_net_name #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             beat_i,
  input  logic             first_i,
  input  logic [DataW-1:0] data_i,
  output logic             named_o,    // with the beat that carries it
  output logic [7:0]       name_o
);

  localparam int unsigned At = tern_abi_pkg::PKT_OPID_LSB / DataW;

  logic [3:0] index_q;

  assign named_o = beat_i && !first_i && index_q == 4'(At);
  assign name_o  = data_i[tern_abi_pkg::PKT_OPID_LSB % DataW +: 8];

  always_ff @(posedge clk_i) begin
    if (beat_i) index_q <= first_i ? 4'd1 : index_q == 4'(At + 1) ? index_q : index_q + 4'd1;
  end

  logic unused;
  assign unused = ^data_i;

endmodule

`default_nettype wire
