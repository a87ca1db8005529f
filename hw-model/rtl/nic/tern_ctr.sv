// SPDX-License-Identifier: Apache-2.0
// Byte counters: deposits subtract their bytes; a counter that reaches zero raises CTR once.
//
// Counters are in block RAM. A deposit, an event that leaves and a register access take four cycles
// each, with priority in this order. Deposits are at least four cycles apart. The firmware
// subtracts any number of bytes in the same way (CTR_TAKE).
//
// No event is lost: a flag beside each counter shows that it is in the event FIFO, so each is there
// at most once, and the FIFO has room for all. The flag is cleared before the event is offered.

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
  localparam int unsigned RowW = 32 + 2;

  // ---- waiting requests: a deposit, an event, a register access ----------------------------
  logic            deposit_q;
  logic [IdxW-1:0] deposit_index_q;
  logic [10:0]     deposit_bytes_q;
  logic            req_q, we_q, value_q, take_q;
  logic [31:0]     wdata_q;
  logic [15:0]     sel_q;
  logic            ev_any, list, hit, sel_ok;
  logic [IdxW-1:0] ev_head, ev_index_q;

  // ---- the request at work -------------------------------------------------------------------
  localparam logic [1:0] StChoose = 2'd0;
  localparam logic [1:0] StRead   = 2'd1;
  localparam logic [1:0] StReckon = 2'd2;
  localparam logic [1:0] StWrite  = 2'd3;

  logic            init_q;           // reset sweep: clears one counter a cycle
  logic [1:0]      step_q;
  logic            is_deposit_q, is_take_q, is_list_q, is_reg_q;
  logic [IdxW-1:0] index_q;
  logic [10:0]     bytes_q;          // 0 unless it is a deposit
  logic            begins, writes, ends, take, set;

  assign list   = ev_any && !ev_ctr_valid_o;
  assign begins = step_q == StChoose && !init_q && (deposit_q || list || req_q);
  assign writes = step_q == StWrite;
  assign ends   = writes && is_reg_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q  <= 1'b1;
      step_q  <= StChoose;
      index_q <= '0;
    end else begin
      if (begins || step_q != StChoose) step_q <= step_q + 1'b1;
      if (init_q && index_q == IdxW'(NumCtr - 1)) init_q <= 1'b0;
      if (init_q) index_q <= index_q + 1'b1;
      else if (begins)
        index_q <= deposit_q ? deposit_index_q : list ? ev_head : sel_q[IdxW-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      is_deposit_q <= deposit_q;
      is_list_q    <= !deposit_q && list;
      is_reg_q     <= !deposit_q && !list;
      is_take_q    <= !deposit_q && !list && take && sel_ok;
    end
    if (begins) bytes_q <= deposit_q ? deposit_bytes_q : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                             deposit_q <= 1'b0;
    else if (ctr_valid_i && ctr_index_i[15:IdxW] == '0)      deposit_q <= 1'b1;
    else if (begins)                                         deposit_q <= 1'b0;
    if (ctr_valid_i) begin
      deposit_index_q <= ctr_index_i[IdxW-1:0];
      deposit_bytes_q <= ctr_bytes_i;
    end
  end

  // ---- counters: value, whether it is nonzero, whether it is in the event FIFO -----------------
  logic [RowW-1:0] row;
  logic [31:0]     value, less, left, new_q;
  logic            armed, listed, enough, reached, push, listed_new, we;

  tern_ram #(.Width(RowW), .Words(NumCtr), .Block(1'b1)) u_rows (
    .clk_i, .ren_i(step_q == StRead), .raddr_i(index_q), .rdata_o(row),
    .we_i(we), .waddr_i(index_q), .wdata_i({new_q != '0, listed_new, new_q})
  );

  assign {armed, listed, value} = row;
  assign less = is_take_q ? wdata_q : 32'(bytes_q);
  tern_addsel #(.Width(32), .Subtract(1'b1)) u_left (
    .a_i(less), .b_i(wdata_q), .c_i(value), .select_i(is_reg_q && !is_take_q),
    .sum_o(left), .carry_o(enough)
  );

  always_ff @(posedge clk_i) begin
    if (!enough || init_q || !rst_ni) new_q <= '0;
    else if (step_q == StReckon)      new_q <= left;
  end

  assign reached    = writes && (is_deposit_q || is_take_q) && armed && new_q == '0;
  assign push       = reached && !listed;
  assign listed_new = !init_q && !is_list_q && (listed || reached);
  assign we         = init_q || (writes && (!is_reg_q || ((set || take) && sel_ok)));

  // ---- events -----------------------------------------------------------------------------------
  tern_fifo #(.Width(IdxW), .Depth(NumCtr)) u_events (
    .clk_i, .rst_ni,
    .valid_i(push), .data_i(index_q),
    .valid_o(ev_any), .ready_i(writes && is_list_q), .data_o(ev_head),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  ev_ctr_valid_o <= 1'b0;
    else if (writes && is_list_q) ev_ctr_valid_o <= 1'b1;
    else if (ev_ctr_ready_i)      ev_ctr_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (writes && is_list_q) ev_index_q <= index_q;
  end
  assign ev_ctr_o = {tern_abi_pkg::EV_CTR, 12'b0, 16'(ev_index_q)};

  // ---- registers --------------------------------------------------------------------------------
  assign hit        = mm_addr_i[15:4] == tern_abi_pkg::MMIO_CTR_SEL[15:4] && mm_addr_i[3:2] != 2'b11
                      && mm_addr_i[1:0] == '0;
  assign take       = we_q && take_q;
  assign set        = we_q && value_q;
  assign mm_ready_o = hit && !req_q && !init_q;
  assign sel_ok     = sel_q[15:IdxW] == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_q       <= 1'b0;
      sel_q       <= '0;
      mm_rvalid_o <= 1'b0;
    end else begin
      if (mm_valid_i && mm_ready_o) req_q <= 1'b1;
      else if (ends)                req_q <= 1'b0;
      if (ends && we_q && !value_q && !take_q) sel_q <= wdata_q[15:0];
      mm_rvalid_o <= ends;
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      we_q    <= mm_we_i;
      value_q <= mm_addr_i[2];
      take_q  <= mm_addr_i[3];
      wdata_q <= mm_wdata_i;
    end
  end

  // 0 when not read: the consumer ORs all sources.
  always_ff @(posedge clk_i) begin
    if (!ends || we_q || !value_q || !sel_ok) mm_rdata_o <= '0;
    else                                      mm_rdata_o <= value;
  end

  // A deposit never finds another waiting, nor an event the FIFO full.
  always_ff @(posedge clk_i) begin
    if (rst_ni && ctr_valid_i) DepositRoom: assert (!deposit_q || begins);
    if (rst_ni && armed && !init_q && writes) Armed: assert (value != '0);
  end

endmodule

`default_nettype wire
