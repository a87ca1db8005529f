// SPDX-License-Identifier: Apache-2.0
// The core does not hang: while the memories keep their bound, an instruction retires (or traps) at
// least every `Within` cycles, or the core reports that it sleeps.
//
// An enabled interrupt that is pending ends the sleep.
`default_nettype none

module core_check_live #(
  parameter int unsigned Within = 24
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       sleep_o,
  input logic       imem_req_o,
  input logic       dmem_req_o,
  input logic [2:0] imem_owed_i,
  input logic       dmem_owed_i,
  input logic       rvfi_valid
);
  logic [5:0] idle_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || rvfi_valid || sleep_o) idle_q <= '0;
    else idle_q <= idle_q + 6'd1;
  end

  always_comb begin
    if (rst_ni) NoHang: assert (idle_q < 6'(Within));
    if (rst_ni && sleep_o)
      SleepIsQuiet: assert (!imem_req_o && !dmem_req_o && imem_owed_i == '0 && !dmem_owed_i);
  end

endmodule

`default_nettype wire
