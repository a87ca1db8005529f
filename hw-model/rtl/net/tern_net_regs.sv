// SPDX-License-Identifier: Apache-2.0
// LINK registers of the ports: up, force down, counters.  Answers one cycle after a write, three
// or more after a read.
`default_nettype none

module tern_net_regs #(
  parameter int unsigned Ports = 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  input  logic [31:0] mm_wdata_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,
  input  logic [Ports-1:0] up_i,
  input  logic [2*Ports-1:0] why_i,
  output logic [Ports-1:0] force_down_o,
  input  logic [Ports-1:0] drop_i,
  input  logic [Ports-1:0] bad_crc_i,
  input  logic [Ports-1:0] good_i
);

  localparam logic [15:0] Base  = tern_abi_pkg::MMIO_LINK;
  localparam int unsigned Blocks = tern_abi_pkg::MMIO_LINK_COUNT;   // 16 bytes each

  if (Base[6:0] != 7'd0 || Blocks > 8 || tern_abi_pkg::MMIO_LINK_STRIDE != 16) begin : g_map
    $error("the LINK registers are decoded as eight blocks of 16 bytes at a multiple of 128");
  end

  logic [2:0]  port;
  logic        hit, access, here, quick_q;
  logic [Ports-1:0]      force_q;
  logic [Ports/2-1:0]    done;        // one bit per pair of ports
  logic [16*Ports-1:0]   value;

  always_comb begin
    hit = 1'b0;
    for (int b = 0; b < Blocks; b++)
      if (mm_addr_i[15:4] == Base[15:4] + 12'(b)) hit = 1'b1;
  end

  assign port         = mm_addr_i[6:4];
  assign access       = mm_valid_i && hit;
  assign here         = 32'(port) < Ports;
  assign mm_ready_o   = hit;
  assign force_down_o = force_q;

  for (genvar k = 0; k < Ports / 2; k++) begin : g_pair
    tern_net_count u_count (
      .clk_i, .rst_ni,
      .drop_i(drop_i[2*k +: 2]), .bad_i(bad_crc_i[2*k +: 2]), .good_i(good_i[2*k +: 2]),
      .read_i(access && !mm_we_i && port[2:1] == 2'(k)), .port_i(port[0]), .which_i(mm_addr_i[3:2]),
      .state_i({why_i[4*k + 2 +: 2], force_q[2*k + 1], up_i[2*k + 1],
                why_i[4*k +: 2], force_q[2*k], up_i[2*k]}),
      .done_o(done[k]), .value_o(value[32*k +: 32])
    );
  end
  assign mm_rvalid_o = quick_q || done != '0;
  always_comb begin
    mm_rdata_o = '0;
    for (int k = 0; k < Ports / 2; k++) mm_rdata_o = mm_rdata_o | value[32*k +: 32];
  end

  always_ff @(posedge clk_i) begin
    quick_q <= rst_ni && access && (mm_we_i || !here);
    if (!rst_ni) begin
      force_q <= '0;
    end else if (access && mm_we_i && mm_addr_i[3:2] == 2'd0) begin
      for (int p = 0; p < Ports; p++) if (port == 3'(p)) force_q[p] <= mm_wdata_i[1];
    end
  end

  logic unused;
  assign unused = ^{mm_wdata_i[31:2], mm_wdata_i[0], mm_addr_i[1:0]};

endmodule

`default_nettype wire
