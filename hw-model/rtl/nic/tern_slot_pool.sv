// SPDX-License-Identifier: Apache-2.0
// Free list of descriptor slots: gives out one and takes back two per cycle, and keeps one slot
// reserved for the next inline descriptor.
//
// `slot_o`, the lowest free slot, may be taken whenever `count_o` is not 0. The reserved slot
// (`stage_o`) comes from the same list, but leaves `promised_i` slots there; `wait_o` announces it
// a few cycles ahead. Slots above the pool are ignored: returning one, or a free slot, has no
// effect.

`default_nettype none

module tern_slot_pool #(
  parameter int unsigned NumPool = 28
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic [5:0]         slot_o,
  output logic [5:0]         count_o,
  output logic [NumPool-1:0] list_o,       // free slots, without the reserved one
  input  logic               take_i,
  input  logic [5:0]         promised_i,
  // reserved for the next inline descriptor
  output logic               stage_ok_o,
  output logic [5:0]         stage_o,
  output logic               wait_o,
  input  logic               stage_take_i,
  input  logic [1:0]         back_valid_i,
  input  logic [11:0]        back_i
);

  localparam int unsigned SlotW = $clog2(NumPool);

  logic [NumPool-1:0] pick, back, all, list_d;
  logic [1:0]         known;
  logic               fill, goes;
  logic [5:0]         count_d;

  // The lowest free slot, one hot and as a number.
`ifdef TERN_MODEL
  assign pick = list_o & (~list_o + 1'b1);
`else
  for (genvar i = 0; i < NumPool; i++) begin : g_pick
    assign pick[i] = (list_o & NumPool'((1 << (i + 1)) - 1)) == NumPool'(1) << i;
  end
`endif
  always_comb begin
    slot_o = '0;
`ifdef TERN_MODEL
    if (take_i || fill)   // not used in other cycles
`endif
    for (int i = 0; i < NumPool; i++) begin
      if (pick[i]) slot_o = slot_o | 6'(i);
    end
  end

  // Returns of the reserved slot are ignored: it has no owner.
  for (genvar i = 0; i < 2; i++) begin : g_known
    assign known[i] = back_valid_i[i] && back_i[6*i+SlotW+:6-SlotW] == '0
                      && !(stage_ok_o && back_i[6*i+:SlotW] == stage_o[SlotW-1:0]);
  end
`ifdef TERN_MODEL
  always_comb begin
    back = '0;
    if (back_valid_i != '0) begin
      if (known[0]) back = back | NumPool'(1) << back_i[SlotW-1:0];
      if (known[1]) back = back | NumPool'(1) << back_i[6+SlotW-1:6];
    end
  end
`else
  // Decoded in two halves; the half of the high bits includes `known`.
  logic [3:0] row0, row1;
  localparam int unsigned Fours = (NumPool + 3) / 4;
  logic [Fours-1:0] four0, four1;
  assign row0  = 4'd1 << back_i[1:0];
  assign row1  = 4'd1 << back_i[7:6];
  assign four0 = known[0] ? Fours'(1) << back_i[SlotW-1:2] : '0;
  assign four1 = known[1] ? Fours'(1) << back_i[6+SlotW-1:8] : '0;
  for (genvar i = 0; i < NumPool; i++) begin : g_back
    assign back[i] = (four0[i/4] && row0[i%4]) || (four1[i/4] && row1[i%4]);
  end
`endif

  // Announce a slot that came back a cycle ago, but not one that comes back now.
  logic more, more_q;
  assign more    = count_o > promised_i;
  always_ff @(posedge clk_i) more_q <= more;
  assign wait_o  = !stage_ok_o && more_q;
  assign fill    = !stage_ok_o && more && !take_i;
  assign goes    = take_i || fill;
  assign all     = list_o | back;
  assign list_d  = all & ~(pick & {NumPool{goes}});
  // `goes` arrives late, so it is added last.
  always_comb begin
    count_d = {6{goes}};
`ifdef TERN_MODEL
    count_d += 6'($countones(all));
`else
    for (int i = 0; i < NumPool; i++) count_d += 6'(all[i]);
`endif
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      list_o     <= '1;
      stage_ok_o <= 1'b0;
      count_o    <= 6'(NumPool);
    end else begin
      list_o     <= list_d;
      stage_ok_o <= fill || (stage_ok_o && !stage_take_i);
      count_o    <= count_d;
    end
  end
  always_ff @(posedge clk_i) if (fill) stage_o <= slot_o;

  // A slot is handed out only while it is free.
  always_ff @(posedge clk_i) begin
    if (rst_ni) TakeFree: assert (!take_i || pick != '0);
    if (rst_ni) TakeKept: assert (!stage_take_i || stage_ok_o);
  end

endmodule

`default_nettype wire
