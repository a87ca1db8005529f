// SPDX-License-Identifier: Apache-2.0
// Marks signals that arrive late in the cycle, directly from a block RAM: a hint without logic.
//
// LUT mapping assumes that block RAM outputs are valid at the clock edge, though they take half a
// cycle, so it builds chains after them that are too long. TERN_LATE is a black box with that
// delay. After mapping it becomes a wire (hw-model/lint/late.v, synth_check.sh).
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
