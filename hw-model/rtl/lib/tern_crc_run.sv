// SPDX-License-Identifier: Apache-2.0
// Running CRC-32C over words of 32 bits, optimised for area, not speed.
//
// `run_o` is c ^ w, where c is the CRC over all words but the last and w the last word: the input
// of a CRC step. Storing it in place of c saves 32 cells between c and the step. If w is 0 it
// equals c; if w is the complement of c, as at the end of a packet, it is all ones. `clear_i`
// restarts it with c = `Start`.

`default_nettype none

module tern_crc_run #(
  parameter logic [31:0] Start = 32'hffffffff
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        en_i,
  input  logic [31:0] data_i,
  output logic [31:0] run_o
);

  // One CRC step backwards: the register value from which the first step reaches `Start`.
  function automatic logic [31:0] before_step(input logic [31:0] c);
    before_step = c;
    for (int i = 0; i < 32; i++)
      before_step = {before_step[30:0] ^ (before_step[31] ? Poly[30:0] : 31'd0), before_step[31]};
  endfunction

  localparam logic [31:0] Poly  = 32'h82f63b78;   // reflected
  localparam logic [31:0] Clear = before_step(Start);
  logic [31:0] run_q, next;

  tern_crc32c_32 u_step (.x_i(run_q), .y_o(next));

  always_ff @(posedge clk_i) begin
    if (clear_i)   run_q <= Clear;
    else if (en_i) run_q <= next ^ data_i;
  end

  assign run_o = run_q;

  logic fresh_q;
  always_ff @(posedge clk_i) begin
    fresh_q <= clear_i || (fresh_q && !en_i);
    if (fresh_q) StartIsStart: assert (next == Start);
    StepIsCrc: assert (next == tern_abi_pkg::crc32c_32(run_q, 32'd0));
  end

endmodule

`default_nettype wire
