// SPDX-License-Identifier: Apache-2.0
// Divider: DIV, DIVU, REM and REMU, one quotient bit a cycle.
//
// `start_i` in one cycle, `done_o` with the result 33 cycles later, for one cycle.  `clear_i`
// gives a division up.  Division by zero and overflow need no special case: the restoring
// algorithm yields all ones and the dividend by itself, and only the sign of a quotient by zero
// has to be left alone.
`default_nettype none

module tern_core_div (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        start_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic        unsigned_i,   // these two held until done
  input  logic        remainder_i,
  output logic        done_o,
  output logic [31:0] result_o
);
  logic        busy_q;
  logic [5:0]  left_q;
  logic [31:0] rem_q, quo_q, div_q;
  logic        neg_quo_q, neg_rem_q;

  logic        a_neg, b_neg;
  logic [31:0] a_abs, b_abs;

  assign a_neg = !unsigned_i && a_i[31];
  assign b_neg = !unsigned_i && b_i[31];
  assign a_abs = (a_i ^ {32{a_neg}}) + 32'(a_neg);
  assign b_abs = (b_i ^ {32{b_neg}}) + 32'(b_neg);

  logic [32:0] trial_in, trial;
  logic        fits;

  assign trial_in = {rem_q, quo_q[31]};
  assign trial    = trial_in - {1'b0, div_q};
  assign fits     = !trial[32];

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      rem_q     <= '0;
      quo_q     <= a_abs;
      div_q     <= b_abs;
      neg_quo_q <= (a_neg != b_neg) && b_i != '0;
      neg_rem_q <= a_neg;
    end else if (!done_o) begin
      rem_q <= fits ? trial[31:0] : trial_in[31:0];
      quo_q <= {quo_q[30:0], fits};
    end
  end

  always_ff @(posedge clk_i) begin
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

  logic [31:0] magnitude;
  logic        negate;

  assign done_o    = busy_q && left_q == '0;
  assign magnitude = remainder_i ? rem_q : quo_q;
  assign negate    = remainder_i ? neg_rem_q : neg_quo_q;
  assign result_o  = (magnitude ^ {32{negate}}) + 32'(negate);

endmodule
