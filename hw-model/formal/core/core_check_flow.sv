// SPDX-License-Identifier: Apache-2.0
// The stream of retired instructions is numbered without gaps, and each is where the one before
// said.
`default_nettype none

module core_check_flow (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [31:0] boot_pc_i,
  input logic        rvfi_valid,
  input logic [63:0] rvfi_order,
  input logic        rvfi_trap,
  input logic        rvfi_halt,
  input logic        rvfi_intr,
  input logic [1:0]  rvfi_mode,
  input logic [1:0]  rvfi_ixl,
  input logic [31:0] rvfi_pc_rdata,
  input logic [31:0] rvfi_pc_wdata
);
  logic [63:0] count_q;
  logic        trapped_q;
  logic [31:0] next_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      trapped_q <= 1'b0;
      next_q    <= {boot_pc_i[31:2], 2'b00};
    end else if (rvfi_valid) begin
      count_q   <= count_q + 64'd1;
      trapped_q <= rvfi_trap;
      next_q    <= rvfi_pc_wdata;
    end
  end

  always_comb begin
    if (rvfi_valid) begin
      EachNumberOnce: assert (rvfi_order == count_q);
      NextWhereSaid:  assert (rvfi_pc_rdata == next_q || (rvfi_intr && !trapped_q));
      HandlerMarked:  assert (rvfi_intr || !trapped_q);
      BootNotMarked:  assert (!rvfi_intr || count_q != '0);
      EvenAddress:    assert (!rvfi_pc_rdata[0] && !rvfi_pc_wdata[0]);
      Constants:      assert (rvfi_mode == 2'd3 && rvfi_ixl == 2'd1 && !rvfi_halt);
    end
  end

endmodule

`default_nettype wire
