// SPDX-License-Identifier: Apache-2.0
// Marks signals that come late in the cycle, directly from a block RAM: a hint without logic.
//
// Mapping to LUTs takes the outputs of block RAM to be there with the clock, though they need half
// of a cycle, and makes chains after them as long as any.  TERN_LATE is a box with that delay, and
// becomes a wire once it has been minded (hw-model/lint/late.v, synth_check.sh).
`default_nettype none

module tern_late #(
  parameter int unsigned Width = 32
) (
  input  logic [Width-1:0] value_i,
  output logic [Width-1:0] value_o
);
`ifdef TERN_ECP5
  for (genvar i = 0; i < Width; i++) begin : g_late
    TERN_LATE u_late (.I(value_i[i]), .O(value_o[i]));
  end
`else
  assign value_o = value_i;
`endif
endmodule

`default_nettype wire
