// SPDX-License-Identifier: Apache-2.0
// Free list of descriptor slots: one hand-out and two returns in a cycle, and one slot kept ready
// for the next inline descriptor.
//
// `slot_o` may be taken whenever `count_o` is not 0; the lowest free slot goes first.  The kept
// slot (`stage_o`) is filled from the same list, but leaves `promised_i` slots there; `wait_o`
// says that it will be there in a few cycles.  Slots above the pool are not known here: returning
// one, or a slot that nobody holds, changes nothing.

`default_nettype none

module tern_slot_pool #(
  parameter int unsigned NumPool = 28
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output logic [5:0]         slot_o,
  output logic [5:0]         count_o,
  output logic [NumPool-1:0] free_o,       // nobody holds them
  input  logic               take_i,
  input  logic [5:0]         promised_i,
  // kept for the next inline descriptor
  output logic               stage_ok_o,
  output logic [5:0]         stage_o,
  output logic               wait_o,
  input  logic               stage_take_i,
  input  logic [1:0]         back_valid_i,
  input  logic [11:0]        back_i
);

  logic [NumPool-1:0] back, taken, kept, kept_d, free_d, list, list_d;
  logic               fill;
  logic [5:0]         count_d;

  // What can be handed out: free, and not the kept one.
  assign kept = stage_ok_o ? NumPool'(1) << stage_o : '0;
  assign list = free_o & ~kept;
  always_comb begin
    slot_o = '0;
`ifdef VERILATOR
    if (take_i || fill)   // nobody looks at it in other cycles
`endif
    for (int i = 0; i < NumPool; i++) begin
      if (list[NumPool-1-i]) slot_o = 6'(NumPool - 1 - i);
    end
  end

  // Numbers above the pool fall out of the word.
  always_comb begin
    back  = (back_valid_i[0] ? NumPool'(1) << back_i[5:0]  : '0)
          | (back_valid_i[1] ? NumPool'(1) << back_i[11:6] : '0);
    taken = (take_i ? NumPool'(1) << slot_o : '0) | (stage_take_i ? kept : '0);
  end

  assign wait_o  = !stage_ok_o && count_o > promised_i;
  assign fill    = (!stage_ok_o || stage_take_i) && count_o > promised_i && !take_i;
  assign kept_d  = fill ? NumPool'(1) << slot_o : stage_take_i ? '0 : kept;
  assign free_d  = (free_o & ~taken) | back;
  assign list_d  = free_d & ~kept_d;
  always_comb begin
    count_d = '0;
`ifdef VERILATOR
    count_d = 6'($countones(list_d));
`else
    for (int i = 0; i < NumPool; i++) count_d += 6'(list_d[i]);
`endif
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_o     <= '1;
      stage_ok_o <= 1'b0;
      count_o    <= 6'(NumPool);
    end else begin
      free_o     <= free_d;
      stage_ok_o <= fill || (stage_ok_o && !stage_take_i);
      count_o    <= count_d;
    end
  end
  always_ff @(posedge clk_i) if (fill) stage_o <= slot_o;

  // A slot is handed out only while it is free.
  always_ff @(posedge clk_i) begin
    if (rst_ni) TakeFree: assert (!take_i || (list & taken) != '0);
    if (rst_ni) TakeKept: assert (!stage_take_i || stage_ok_o);
  end

endmodule

`default_nettype wire
