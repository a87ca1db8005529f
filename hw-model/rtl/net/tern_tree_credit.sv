// SPDX-License-Identifier: Apache-2.0
// Credit of one group on the way to the parent: the parent stores `Slots` contributions of it.
//
// `sent_i` counts contributions that began to leave. The parent reports (`told_i`) how many it has
// passed on since the group was set up, modulo 256. A report that counts what was never sent is
// ignored. `open_o`: the parent has room for one more; it falls a cycle after `sent_i`, and no
// contribution may be sent while it is low. `clear_i` sets the group up.
`default_nettype none

module tern_tree_credit #(
  parameter int unsigned Slots = 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,
  input  logic       sent_i,
  input  logic       told_i,
  input  logic [7:0] freed_i,
  output logic       open_o
`ifdef TERN_FORMAL
  ,
  output logic [7:0] sent_o,
  output logic [7:0] seen_o
`endif
);

  logic [7:0] sent_q, seen_q, flying, reported;

  assign flying   = sent_q - seen_q;
  assign reported = freed_i - seen_q;
  assign open_o   = flying < 8'(Slots);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sent_q <= '0;
      seen_q <= '0;
    end else begin
      if (sent_i)                       sent_q <= sent_q + 8'd1;
      if (told_i && reported <= flying) seen_q <= freed_i;
    end
  end

`ifdef TERN_FORMAL
  assign sent_o = sent_q;
  assign seen_o = seen_q;
`endif

`ifndef TERN_FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) CreditKept: assert (!sent_i || open_o);
  end
`endif

endmodule

`default_nettype wire
