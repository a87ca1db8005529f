// SPDX-License-Identifier: Apache-2.0
// The data port and the retired instructions agree.
//
// Each granted request belongs to the next memory instruction that retires. The instruction
// reports the same lanes, the same data and the same answer, and traps when the answer is an error.
// At most two granted requests wait for their instruction. Of each word one arbitrary bit is
// compared.
`default_nettype none

module core_check_bus (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  bit_i,       // constant
  input logic        dmem_req_o,
  input logic        dmem_we_o,
  input logic [3:0]  dmem_be_o,
  input logic [31:0] dmem_addr_o,
  input logic [31:0] dmem_wdata_o,
  input logic        dmem_gnt_i,
  input logic        dmem_rvalid_i,
  input logic [31:0] dmem_rdata_i,
  input logic        dmem_err_i,
  input logic        rvfi_valid,
  input logic        rvfi_trap,
  input logic [31:0] rvfi_mem_addr,
  input logic [3:0]  rvfi_mem_rmask,
  input logic [3:0]  rvfi_mem_wmask,
  input logic [31:0] rvfi_mem_rdata,
  input logic [31:0] rvfi_mem_wdata
);
  logic       taken, retired;
  logic [6:0] request;

  assign taken   = dmem_req_o && dmem_gnt_i;
  assign retired = rvfi_valid && (rvfi_mem_rmask != '0 || rvfi_mem_wmask != '0);
  assign request = {dmem_we_o, dmem_be_o, dmem_addr_o[bit_i], dmem_wdata_o[bit_i]};

  // Older and younger request between grant and retirement; the older's answer, which may come in
  // the cycle of its retirement.
  logic [1:0] count_q;
  logic [6:0] old_q, young_q;
  logic       answered_q, answered, err_q, err, rdata_q, rdata;

  assign answered = answered_q || dmem_rvalid_i;
  assign err      = answered_q ? err_q : dmem_err_i;
  assign rdata    = answered_q ? rdata_q : dmem_rdata_i[bit_i];

  always_ff @(posedge clk_i) begin
    rdata_q <= rdata;
    err_q   <= err;
    if (!rst_ni) begin
      count_q    <= 2'd0;
      answered_q <= 1'b0;
    end else begin
      count_q    <= count_q + 2'(taken) - 2'(retired);
      answered_q <= answered && !retired && count_q != 2'd0;
      if (retired) old_q <= young_q;
      if (taken && count_q == 2'(retired)) old_q <= request;
      if (taken) young_q <= request;
    end
  end

  logic       we, addr, wdata;
  logic [3:0] be;

  assign {we, be, addr, wdata} = old_q;

  always_comb begin
    if (taken) OneAnswerAwaited: assert (count_q == 2'd0 || answered);
    if (count_q == 2'd2 && taken) TwoAtMost: assert (retired);
    if (retired) begin
      RequestedBefore: assert (count_q != 2'd0 && answered);
      SameLanes:       assert (we ? rvfi_mem_wmask == be && rvfi_mem_rmask == '0
                                  : rvfi_mem_rmask == be && rvfi_mem_wmask == '0);
      SameAddress:     assert (rvfi_mem_addr[bit_i] == addr);
      SameStored:      assert (!we || !be[bit_i[4:3]] || rvfi_mem_wdata[bit_i] == wdata);
      SameLoaded:      assert (we || rvfi_mem_rdata[bit_i] == rdata);
      RefusalTraps:    assert (rvfi_trap == err);
    end
  end

endmodule

`default_nettype wire
