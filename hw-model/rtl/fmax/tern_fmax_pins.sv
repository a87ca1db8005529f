// SPDX-License-Identifier: Apache-2.0
// A flip-flop at every pin of a block, and two pads: only for place and route.
//
// One pad feeds a row of flip-flops that drive the block's inputs. Its outputs go into flip-flops,
// then through a registered tree of exclusive ors to the other pad, so that nothing is optimised
// away. No path of this module is longer than one LUT.
`default_nettype none

module tern_fmax_pins #(
  parameter int unsigned WIn  = 32,
  parameter int unsigned WOut = 32
) (
  input  logic            clk_i,
  input  logic            pad_i,
  output logic            pad_o,
  output logic [WIn-1:0]  in_o,
  input  logic [WOut-1:0] out_i
);

  // Widths of the tree's levels: a quarter of the level before, up to 1024 outputs.
  localparam int unsigned W1 = (WOut + 3) / 4;
  localparam int unsigned W2 = (W1 + 3) / 4;
  localparam int unsigned W3 = (W2 + 3) / 4;
  localparam int unsigned W4 = (W3 + 3) / 4;

  logic [4*W1-1:0] out_q;
  logic [4*W2-1:0] one_q;
  logic [4*W3-1:0] two_q;
  logic [4*W4-1:0] three_q;
  logic [W4-1:0]   four_q;

  always_ff @(posedge clk_i) begin
    in_o    <= {in_o[WIn-2:0], pad_i};
    out_q   <= (4*W1)'(out_i);
    one_q   <= '0;
    two_q   <= '0;
    three_q <= '0;
    for (int i = 0; i < W1; i++) one_q[i]   <= ^out_q[4*i+:4];
    for (int i = 0; i < W2; i++) two_q[i]   <= ^one_q[4*i+:4];
    for (int i = 0; i < W3; i++) three_q[i] <= ^two_q[4*i+:4];
    for (int i = 0; i < W4; i++) four_q[i]  <= ^three_q[4*i+:4];
    pad_o   <= ^four_q;
  end

endmodule

`default_nettype wire
