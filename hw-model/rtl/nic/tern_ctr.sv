// SPDX-License-Identifier: Apache-2.0
// Byte counters: deposits subtract their bytes; a counter that reaches zero raises CTR once.
//
// A deposit is always taken, one a cycle. An event is never lost: each counter stands in the event
// FIFO at most once, so the FIFO has room for all. Register accesses wait for a cycle without a deposit.

`default_nettype none

module tern_ctr #(
  parameter int unsigned NumCtr = 256
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        ctr_valid_i,
  input  logic [15:0] ctr_index_i,
  input  logic [10:0] ctr_bytes_i,

  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  input  logic [31:0] mm_wdata_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,

  output logic        ev_ctr_valid_o,
  input  logic        ev_ctr_ready_i,
  output logic [31:0] ev_ctr_o
);

  localparam int unsigned IdxW = $clog2(NumCtr);

  logic [31:0]       mem [0:NumCtr-1];
  logic [IdxW:0]     init_q;              // counts up to NumCtr while the counters are cleared
  logic [15:0]       sel_q;
  logic              req_q, we_q, value_q; // a register access that waits
  logic [31:0]       wdata_q;
  logic              hit_sel, hit_value, initial_pass, deposit, access;
  logic              sel_ok;
  logic [IdxW-1:0]   addr;
  logic [31:0]       old, left, wdata;
  logic              reached, we;
  logic [NumCtr-1:0] listed_q;            // counter stands in the event FIFO
  logic              push;
  logic [IdxW-1:0]   ev_index;

  assign initial_pass = !init_q[IdxW];
  assign hit_sel      = mm_addr_i == tern_abi_pkg::MMIO_CTR_SEL;
  assign hit_value    = mm_addr_i == tern_abi_pkg::MMIO_CTR_VALUE;
  assign mm_ready_o   = (hit_sel || hit_value) && !req_q && !initial_pass;
  assign deposit      = ctr_valid_i && ctr_index_i < 16'(NumCtr);
  assign access       = req_q && !deposit;
  assign sel_ok       = sel_q < 16'(NumCtr);

  // One place of the memory a cycle: the deposit's, else the register's.
  assign addr    = initial_pass ? init_q[IdxW-1:0] :
                   deposit ? ctr_index_i[IdxW-1:0] : sel_q[IdxW-1:0];
  assign old     = mem[addr];
  assign left    = old > 32'(ctr_bytes_i) ? old - 32'(ctr_bytes_i) : '0;
  assign reached = deposit && old != '0 && left == '0;
  assign we      = initial_pass || deposit || (access && we_q && value_q && sel_ok);
  assign wdata   = initial_pass ? '0 : deposit ? left : wdata_q;
  assign push    = reached && !listed_q[ctr_index_i[IdxW-1:0]];

  always_ff @(posedge clk_i) begin
    if (we) mem[addr] <= wdata;
  end

  tern_fifo #(.Width(IdxW), .Depth(NumCtr)) u_events (
    .clk_i, .rst_ni,
    .valid_i(push), .data_i(ctr_index_i[IdxW-1:0]),
    .valid_o(ev_ctr_valid_o), .ready_i(ev_ctr_ready_i), .data_o(ev_index),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ev_ctr_o = {tern_abi_pkg::EV_CTR, 12'b0, 16'(ev_index)};

  assign mm_rvalid_o = access;
  assign mm_rdata_o  = !access || we_q ? '0 : !value_q ? 32'(sel_q) : sel_ok ? old : '0;

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      we_q    <= mm_we_i;
      value_q <= hit_value;
      wdata_q <= mm_wdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q   <= '0;
      req_q    <= 1'b0;
      sel_q    <= '0;
      listed_q <= '0;
    end else begin
      if (initial_pass) init_q <= init_q + 1'b1;
      if (mm_valid_i && mm_ready_o) req_q <= 1'b1;
      else if (access)              req_q <= 1'b0;
      if (access && we_q && !value_q) sel_q <= wdata_q[15:0];
      if (ev_ctr_valid_o && ev_ctr_ready_i) listed_q[ev_index] <= 1'b0;
      if (push) listed_q[ctr_index_i[IdxW-1:0]] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
