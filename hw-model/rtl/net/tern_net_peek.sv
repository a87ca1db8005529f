// SPDX-License-Identifier: Apache-2.0
// Tells where the packet at the head of a stream wants to go.
//
// `dst_o` is valid with the first beat.  With 64-bit beats it stands in that beat and the stream
// passes untouched; with 32-bit beats it stands in the second one, so one beat is held back.
`default_nettype none

module tern_net_peek #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [DataW-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic             sop_o,
  output logic             eop_o,
  output logic             err_o,
  output logic [DataW-1:0] data_o,
  output logic [15:0]      dst_o
);

  localparam int unsigned DstAt = tern_abi_pkg::PKT_DST_LSB % DataW;

  logic first_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                 first_q <= 1'b1;
    else if (valid_o && ready_i) first_q <= eop_o;
  end

  assign sop_o = first_q;
  assign dst_o = data_i[DstAt +: 16];

  if (DataW > tern_abi_pkg::PKT_DST_LSB) begin : g_pass
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign eop_o   = eop_i;
    assign err_o   = err_i;
    assign data_o  = data_i;
  end else begin : g_hold
    logic             held_q;
    logic [DataW+1:0] beat_q;

    // The first beat waits for the second.
    assign valid_o = held_q && (!first_q || valid_i);
    assign ready_o = !held_q || (valid_o && ready_i);
    assign {eop_o, err_o, data_o} = beat_q;

    always_ff @(posedge clk_i) begin
      if (ready_o) beat_q <= {eop_i, err_i, data_i};
      if (!rst_ni)      held_q <= 1'b0;
      else if (ready_o) held_q <= valid_i;
    end
  end

endmodule

`default_nettype wire
