// SPDX-License-Identifier: Apache-2.0
// Shared by the path benches: random numbers with a seed, a bytewise CRC, TAP lines, host bytes.

`default_nettype none

package tap_pkg;

  int unsigned state = 1;
  int          tests = 0;
  int          failures = 0;
  int          complaints = 0;   // since the last TAP line

  function automatic void seed(input int unsigned s);
    state = s * 2654435761 + 1;
    if (state == 0) state = 1;
  endfunction

  // xorshift32: the same numbers with every simulator.
  function automatic int unsigned rnd();
    state = state ^ (state << 13);
    state = state ^ (state >> 17);
    state = state ^ (state << 5);
    return state;
  endfunction

  function automatic int unsigned below(input int unsigned n);
    return rnd() % n;
  endfunction

  function automatic bit one_in(input int unsigned n);
    return below(n) == 0;
  endfunction

  // The CRC bit by bit, independent of the RTL.
  function automatic logic [31:0] crc_byte(input logic [31:0] crc, input logic [7:0] b);
    logic [31:0] c;
    c = crc ^ {24'b0, b};
    for (int i = 0; i < 8; i++) c = c[0] ? (c >> 1) ^ 32'h82f63b78 : c >> 1;
    return c;
  endfunction

  // Returns the byte of host memory at an address.
  function automatic logic [7:0] host_byte(input logic [63:0] a);
    logic [31:0] h;
    h = a[31:0] * 32'h9e3779b1 ^ a[63:32];
    return h[31:24] ^ h[15:8];
  endfunction

  function automatic void expect_true(input bit ok, input string what);
    if (!ok) begin
      complaints++;
      if (complaints <= 10) $display("# %0t: %s", $time, what);
    end
  endfunction

  function automatic void tap(input string name);
    tests++;
    if (complaints == 0) $display("ok %0d - %s", tests, name);
    else begin
      failures++;
      $display("not ok %0d - %s", tests, name);
    end
    complaints = 0;
  endfunction

  function automatic void finish();
    $display("1..%0d", tests);
    if (failures != 0) $fatal(1, "failed");
    $finish;
  endfunction

endpackage

`default_nettype wire
