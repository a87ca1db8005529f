// SPDX-License-Identifier: Apache-2.0
// Divider: DIV, DIVU, REM and REMU, one quotient bit a cycle.
//
// `start_i` lasts one cycle; `done_o` comes 33 cycles later for one cycle, with the result.
// Operands and kind must hold in between. `clear_i` aborts a division. Division by zero and
// overflow need no special case: the restoring algorithm itself yields all ones and the dividend.
// Only the sign of a quotient by zero must stay unchanged.
`default_nettype none

module tern_core_div (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        unsigned_i,
  input  logic        remainder_i,
  output logic        done_o,
  output logic [31:0] result_o
);
  logic        busy_q, last_q;
  logic [5:0]  left_q;
  logic [31:0] rem_q, quo_q;

  // One negation unit serves the dividend at the start and the result at the end.
  logic        a_neg, b_neg, by_zero, negate;
  logic [31:0] magnitude;

  assign a_neg   = !unsigned_i && a_i[31];
  assign b_neg   = !unsigned_i && b_i[31];
  // A signed quotient is at most 2^31, except all ones (division by zero).
  assign by_zero = quo_q[31] && quo_q[30];

  always_comb begin
    negate    = a_neg;
    magnitude = a_i;
    if (busy_q) begin
      magnitude = remainder_i ? rem_q : quo_q;
      if (!remainder_i) negate = (a_neg != b_neg) && !by_zero;
    end
  end

  logic unused_negation_carry;
  tern_addsub #(.Width(32)) u_negation (
    .a_i('0), .b_i(magnitude), .subtract_i(negate), .sum_o(result_o),
    .carry_o(unused_negation_carry)
  );

  // To subtract the magnitude of a negative divisor, add the divisor.
  logic [33:0] trial;
  logic        fits, unused_trial_carry;

`ifdef TERN_MODEL   // simulates faster: not used in other cycles
  always_comb begin
    trial = '0;
    if (busy_q) trial = b_neg ? {1'b0, rem_q, quo_q[31]} + {2'b11, b_i}
                              : {1'b0, rem_q, quo_q[31]} - {2'b00, b_i};
  end
  assign unused_trial_carry = 1'b0;
`else
  tern_addsub #(.Width(34)) u_trial (
    .a_i({1'b0, rem_q, quo_q[31]}), .b_i({{2{b_neg}}, b_i}), .subtract_i(!b_neg),
    .sum_o(trial), .carry_o(unused_trial_carry)
  );
`endif

  assign fits = !trial[32];

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      rem_q <= '0;
      quo_q <= result_o;
`ifdef TERN_MODEL
    end else if (busy_q && !done_o) begin
`else
    end else if (!done_o) begin
`endif
      rem_q <= fits ? trial[31:0] : {rem_q[30:0], quo_q[31]};
      quo_q <= {quo_q[30:0], fits};
    end
  end

  always_ff @(posedge clk_i) begin
    last_q <= !clear_i && busy_q && left_q == 6'd1;
    if (clear_i) begin
      busy_q <= 1'b0;
      left_q <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      left_q <= 6'd32;
    end else if (busy_q) begin
      busy_q <= left_q != '0;
      left_q <= left_q - 6'd1;
    end
  end

  assign done_o = last_q;

  logic unused_trial;
  assign unused_trial = trial[33];

endmodule
