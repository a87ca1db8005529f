// SPDX-License-Identifier: Apache-2.0
// Free list of descriptor slots: one hand-out and two returns in a cycle.
//
// `slot_o` is free whenever `count_o` is not 0; the lowest free slot goes first.  Slots above
// the pool are not known here: returning one, or a slot that is free, changes nothing.

`default_nettype none

module tern_slot_pool #(
  parameter int unsigned NumPool = 28
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic [5:0]         slot_o,
  output logic [5:0]         count_o,
  output logic [NumPool-1:0] free_o,
  input  logic               take_i,
  input  logic [1:0]         back_valid_i,
  input  logic [11:0]        back_i
);

  logic [NumPool-1:0] back, taken;

  always_comb begin
    slot_o  = '0;
    count_o = '0;
    for (int i = 0; i < NumPool; i++) begin
      if (free_o[NumPool-1-i]) slot_o = 6'(NumPool - 1 - i);
      count_o += 6'(free_o[i]);
    end
  end

  // Numbers above the pool fall out of the word.
  always_comb begin
    back  = (back_valid_i[0] ? NumPool'(1) << back_i[5:0]  : '0)
          | (back_valid_i[1] ? NumPool'(1) << back_i[11:6] : '0);
    taken = take_i ? NumPool'(1) << slot_o : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) free_o <= '1;
    else free_o <= (free_o & ~taken) | back;
  end

  // A slot is handed out only while it is free.
  always_ff @(posedge clk_i) begin
    if (rst_ni) TakeFree: assert (!take_i || (free_o & taken) != '0);
  end

endmodule

`default_nettype wire
