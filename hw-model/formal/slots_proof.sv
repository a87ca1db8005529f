// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_slot_pool: a descriptor slot is never allocated twice.
//
// Watches one slot, any of them. It is held from its allocation, to a fetch or as the slot of an
// inline descriptor, until it is freed. Slots may be freed at any time, even free ones and the
// reserved one. The user must only take a slot while the count is not 0, and the reserved one while
// there is one.

`default_nettype none

module slots_proof #(
  parameter int unsigned NumPool = 12
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        take_i,
  input logic [5:0]  promised_i,
  input logic        stage_take_i,
  input logic [1:0]  back_valid_i,
  input logic [11:0] back_i,
  input logic [5:0]  watched_i
);

  logic [5:0]         slot, count, stage, listed;
  logic [NumPool-1:0] list;
  logic               stage_ok, waits;

  tern_slot_pool #(.NumPool(NumPool)) dut (
    .clk_i, .rst_ni, .slot_o(slot), .count_o(count), .list_o(list),
    .take_i, .promised_i, .stage_ok_o(stage_ok), .stage_o(stage), .wait_o(waits), .stage_take_i,
    .back_valid_i, .back_i
  );

  logic       started_q = 1'b0;
  logic       held_q;
  logic [5:0] watched_q;
  logic       given, back;

  assign given = (take_i && slot == watched_q) || (stage_take_i && stage == watched_q);
  assign back  = (back_valid_i[0] && back_i[5:0] == watched_q)
                 || (back_valid_i[1] && back_i[11:6] == watched_q);

  always_comb begin
    listed = '0;
    for (int i = 0; i < NumPool; i++) listed += 6'(list[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else if (given) held_q <= 1'b1;   // a slot freed in that cycle is not held
    else if (back) held_q <= 1'b0;
    if (!rst_ni) watched_q <= watched_i;
    started_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!started_q) StartInReset: assume (!rst_ni);
    else begin
      TakeWhatIsThere: assume (!take_i || count != '0);
      TakeWhatIsKept: assume (!stage_take_i || stage_ok);
    end
    if (started_q && rst_ni) begin
      NotTwice: assert (!given || !held_q);
      NotBoth: assert (!take_i || !stage_take_i || slot != stage);
      InPool: assert (!take_i || slot < 6'(NumPool));
      // The invariants that close the induction.
      HeldOrFree: assert (watched_q >= 6'(NumPool) ? !held_q
                          : held_q == !(list[watched_q] || (stage_ok && stage == watched_q)));
      KeptIsOne: assert (!stage_ok || (stage < 6'(NumPool) && !list[stage]));
      Counted: assert (count == listed);
    end
  end

  logic unused;
  assign unused = waits;

endmodule

`default_nettype wire
