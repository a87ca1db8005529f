// SPDX-License-Identifier: Apache-2.0
// A data request holds, unchanged, until it is granted; none comes during reset.
`default_nettype none

module core_check_hold (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  bit_i,       // constant
  input logic        dmem_req_o,
  input logic        dmem_we_o,
  input logic [3:0]  dmem_be_o,
  input logic [31:0] dmem_addr_o,
  input logic [31:0] dmem_wdata_o,
  input logic        dmem_gnt_i
);
  logic       waiting_q;
  logic [6:0] request, request_q;  // one bit of each word

  assign request = {dmem_we_o, dmem_be_o, dmem_addr_o[bit_i], dmem_we_o && dmem_wdata_o[bit_i]};

  always_ff @(posedge clk_i) begin
    waiting_q <= rst_ni && dmem_req_o && !dmem_gnt_i;
    request_q <= request;
  end

  always_comb begin
    if (rst_ni && waiting_q) begin
      NotTakenBack: assert (dmem_req_o);
      Unchanged:    assert (request == request_q);
    end
    if (dmem_req_o) OneWord: assert (dmem_addr_o[1:0] == 2'd0 && dmem_be_o != 4'd0);
  end

endmodule

`default_nettype wire
