// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_tree_credit: one group of a child, the link's buffer, and the slots of the
// parent.
//
// Contributions may leave whenever there is credit, arrive later, and are passed on at any time;
// notices may be late, and are damaged to any count that the link would let through: none. The
// parent must never hold more than its slots, and the child must not lose credit.
`default_nettype none

module tree_credit_proof #(
  parameter int unsigned Slots = 4
) (
  input logic clk_i,
  input logic reset_i,
  input logic send_i,
  input logic arrive_i,
  input logic pass_i,
  input logic tell_i,
  input logic hear_i
);

  logic       rst_nq = 1'b0;
  logic [7:0] sent, seen, flying_q, held_q, freed_q, told_q;
  logic       open, sends, arrives, passes, tells, hears, wire_q;

  assign sends   = send_i && open;
  assign arrives = arrive_i && flying_q != '0;
  assign passes  = pass_i && held_q != '0;
  assign tells   = tell_i && !wire_q;          // one notice on the way
  assign hears   = hear_i && wire_q;

  tern_tree_credit #(.Slots(Slots)) dut (
    .clk_i, .rst_ni(rst_nq), .clear_i(1'b0), .sent_i(sends), .told_i(hears), .freed_i(told_q),
    .open_o(open), .sent_o(sent), .seen_o(seen)
  );

  always_ff @(posedge clk_i) begin
    rst_nq <= !reset_i;
    if (!rst_nq) begin
      flying_q <= '0;
      held_q   <= '0;
      freed_q  <= '0;
      told_q   <= '0;
      wire_q   <= 1'b0;
    end else begin
      flying_q <= flying_q + 8'(sends) - 8'(arrives);
      held_q   <= held_q + 8'(arrives) - 8'(passes);
      freed_q  <= freed_q + 8'(passes);
      wire_q   <= tells || (wire_q && !hears);
      if (tells) told_q <= freed_q;
    end
  end

  logic [7:0] known, unheard;
  assign known   = 8'(Slots) - (sent - seen);   // credit that the child has
  assign unheard = freed_q - seen;              // credit that it does not know of
  always_ff @(posedge clk_i) begin
    if (rst_nq) begin
      NoOverflow: assert (held_q + flying_q <= 8'(Slots));
      EverySlot:  assert (known <= 8'(Slots) && unheard <= 8'(Slots) &&
                          known + unheard + held_q + flying_q == 8'(Slots));
      NewsInside: assert (!wire_q || 8'(told_q - seen) <= unheard);
    end
  end

endmodule

`default_nettype wire
