// SPDX-License-Identifier: Apache-2.0
// Proof of the divider, all four operations: any dividend, and divisors from -8 to 7.
//
// Two dividers get the same operands; the definition of division checks quotient and remainder.
`default_nettype none

module unit_div (
  input logic        clk_i,
  input logic        clear_i
);
  (* anyconst *) logic [31:0] a;
  (* anyconst *) logic [3:0]  small;
  (* anyconst *) logic        no_sign;
  logic [31:0] b, quo, rem;
  logic        start_q = 1'b1, cleared_q = 1'b0, done, done_rem;
  logic [5:0]  cycle_q = '0;

  assign b = {{28{small[3]}}, small};

  always_ff @(posedge clk_i) begin
    cleared_q <= 1'b1;
    if (cleared_q) begin
      start_q <= 1'b0;
      cycle_q <= cycle_q + 6'd1;
    end
  end

  tern_core_div u_quo (
    .clk_i, .clear_i(!cleared_q), .start_i(start_q && cleared_q), .a_i(a), .b_i(b),
    .unsigned_i(no_sign), .remainder_i(1'b0), .done_o(done), .result_o(quo)
  );
  tern_core_div u_rem (
    .clk_i, .clear_i(!cleared_q), .start_i(start_q && cleared_q), .a_i(a), .b_i(b),
    .unsigned_i(no_sign), .remainder_i(1'b1), .done_o(done_rem), .result_o(rem)
  );

  // quotient * divisor; the divisor is small or, unsigned, nearly 2^32
  logic [31:0] times, rem_abs, b_abs;
  logic        overflow;
  assign times    = (small[0] ? quo : '0) + (small[1] ? quo << 1 : '0) +
                    (small[2] ? quo << 2 : '0) -
                    (small[3] ? quo << 3 : '0);
  assign rem_abs  = !no_sign && rem[31] ? -rem : rem;
  assign b_abs    = !no_sign && b[31] ? -b : b;
  assign overflow = !no_sign && a == 32'h80000000 && b == 32'hffffffff;

  logic unused_clear;
  assign unused_clear = clear_i;

  always_comb begin
    if (cleared_q) InTime: assert (done == (cycle_q == 6'd33) || cycle_q > 6'd33);
    if (cleared_q) Together: assert (done == done_rem);
    if (cleared_q && done) begin
      if (b == '0) begin
        ByZero: assert (quo == '1 && rem == a);
      end else begin
        Adds:    assert (times + rem == a);
        Smaller: assert (rem_abs < b_abs);
        Signs:   assert (no_sign || rem == '0 || rem[31] == a[31]);
        NoWrap:  assert (no_sign ? quo <= a : overflow || quo == '0 || quo[31] == (a[31] != b[31]));
      end
    end
  end

endmodule

`default_nettype wire
