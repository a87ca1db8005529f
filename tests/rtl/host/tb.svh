// SPDX-License-Identifier: Apache-2.0
// Common parts of the benches of host-side blocks: clock, reset, random numbers, TAP lines.
//
// Included inside the bench module. Benches drive signals by nonblocking assignments at a rising
// edge, and sample their values from before the edge (use `always`: in `initial` Verilator makes
// such assignments blocking). `+seed=N` repeats a run; the bench prints the seed.

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  int unsigned cycle = 0;
  always @(posedge clk) cycle <= cycle + 1;

  // xorshift: the same numbers on every simulator
  longint unsigned random_state;
  function automatic logic [31:0] rnd();
    random_state = random_state ^ (random_state << 13);
    random_state = random_state ^ (random_state >> 7);
    random_state = random_state ^ (random_state << 17);
    return random_state[47:16];
  endfunction
  function automatic int unsigned below(input int unsigned n);
    return rnd() % n;
  endfunction
  function automatic bit chance(input int unsigned percent);
    return below(100) < percent;
  endfunction

  int unsigned bench_seed;
  task automatic seed_start();
    int unsigned s;
    s = 1;
    if ($value$plusargs("seed=%d", s)) ;
    bench_seed = s;
    random_state = 64'h9e3779b97f4a7c15 * (64'(s) + 64'd1);
    $display("# seed %0d", s);
  endtask

  // A check made many times: counts its failures and shows the first.
  int unsigned tap_count = 0;
  int unsigned tap_failed = 0;
  task automatic tap(input bit pass, input string name);
    tap_count = tap_count + 1;
    if (!pass) tap_failed = tap_failed + 1;
    if (pass) $display("ok %0d - %s", tap_count, name);
    else $display("not ok %0d - %s", tap_count, name);
  endtask

  task automatic tap_end();
    $display("1..%0d", tap_count);
    if (tap_failed != 0) $fatal(1, "%0d of %0d failed, seed %0d", tap_failed, tap_count,
                                bench_seed);
    $finish;
    forever @(posedge clk);
  endtask

  int unsigned bad_shown = 0;
  task automatic complain(input string what);
    bad_shown = bad_shown + 1;
    if (bad_shown <= 20) $display("# cycle %0d: %s", cycle, what);
  endtask
