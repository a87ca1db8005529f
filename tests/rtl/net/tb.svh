// SPDX-License-Identifier: Apache-2.0
// Common parts of benches of the network side: clock, reset, TAP lines, and a time limit.
//
// Included inside the bench module, which defines the limit before: localparam int Longest, in
// cycles.

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  int tests = 0, failures = 0;
  task automatic check(input logic ok, input string name);
    tests++;
    if (!ok) failures++;
    $display("%0s %0d - %0s", ok ? "ok" : "not ok", tests, name);
  endtask

  task automatic tap_end;
    $display("1..%0d", tests);
    if (failures != 0) $fatal(1, "%0d of %0d failed", failures, tests);
    $finish;
  endtask

  task automatic cycles(input int count);
    repeat (count) @(posedge clk);
  endtask

  initial begin
    repeat (Longest) @(posedge clk);
    $display("not ok - bench did not end");
    $fatal(1, "timeout");
  end
