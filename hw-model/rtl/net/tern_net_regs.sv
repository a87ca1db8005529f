// SPDX-License-Identifier: Apache-2.0
// LINK registers of two ports: up, force down, counters.  Answers one cycle after an access.
`default_nettype none

module tern_net_regs (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  input  logic [31:0] mm_wdata_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,
  input  logic [1:0]  up_i,
  output logic [1:0]  force_down_o,
  input  logic [1:0]  drop_i,
  input  logic [1:0]  bad_crc_i,
  input  logic [1:0]  good_i
);

  localparam logic [15:0] Base  = tern_abi_pkg::MMIO_LINK;
  localparam logic [15:0] Bytes =
      16'(tern_abi_pkg::MMIO_LINK_STRIDE * tern_abi_pkg::MMIO_LINK_COUNT);

  logic [15:0] offset;
  logic [11:0] port;
  logic        hit;
  logic [1:0]  force_q;
  logic [31:0] port0, port1;

  assign offset       = mm_addr_i - Base;
  assign hit          = mm_addr_i >= Base && offset < Bytes;
  assign port         = offset[15:4];
  assign mm_ready_o   = hit;
  assign force_down_o = force_q;

  for (genvar p = 0; p < 2; p++) begin : g_port
    logic [31:0] drops_q, bad_q, good_q, word;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        drops_q <= '0;
        bad_q   <= '0;
        good_q  <= '0;
      end else begin
        drops_q <= drops_q + 32'(drop_i[p]);
        bad_q   <= bad_q + 32'(bad_crc_i[p]);
        good_q  <= good_q + 32'(good_i[p]);
      end
    end
    always_comb begin
      case (offset[3:2])
        2'd0:    word = {30'd0, force_q[p], up_i[p]};
        2'd1:    word = drops_q;
        2'd2:    word = bad_q;
        default: word = good_q;
      endcase
    end
  end
  assign port0 = g_port[0].word;
  assign port1 = g_port[1].word;

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && mm_valid_i && hit;
    mm_rdata_o  <= '0;
    if (mm_valid_i && hit && !mm_we_i && port == 12'd0) mm_rdata_o <= port0;
    if (mm_valid_i && hit && !mm_we_i && port == 12'd1) mm_rdata_o <= port1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      force_q <= '0;
    end else if (mm_valid_i && mm_we_i && hit && offset[3:2] == 2'd0) begin
      if (port == 12'd0) force_q[0] <= mm_wdata_i[1];
      if (port == 12'd1) force_q[1] <= mm_wdata_i[1];
    end
  end

  logic unused;
  assign unused = ^{mm_wdata_i[31:2], mm_wdata_i[0]};

endmodule

`default_nettype wire
