// SPDX-License-Identifier: Apache-2.0
// Region table and key check: is this access inside a region whose owner allows it?
//
// One check at a time: the answer comes 5 cycles after the request is accepted, and the next
// request is accepted in the cycle of the answer.  The packet receiver (requester 0) goes first,
// but never twice in a row while others wait; the others take turns.  All comparisons are exact:
// an address range that leaves the 64-bit space is refused, whatever the region says.
//
// An entry is four 64-bit words, as RGN lays it out:
//   0 base   1 tag, length   2 iova   3 valid, rights, owner, counter
// After reset a walk makes all entries invalid, one a cycle; nothing is accepted before its end.

`default_nettype none

module tern_key #(
  parameter int unsigned NumRegions = 4096
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // requesters: 0 packet receiver, 1 transmit, 2 firmware's host writes, 3 prefetch
  input  logic [3:0]   ck_valid_i,
  output logic [3:0]   ck_ready_o,
  input  logic [127:0] ck_key_i,
  input  logic [255:0] ck_addr_i,
  input  logic [127:0] ck_bytes_i,
  input  logic [31:0]  ck_fn_i,
  input  logic [3:0]   ck_fn_any_i,
  input  logic [3:0]   ck_offset_i,
  input  logic [31:0]  ck_right_i,
  output logic [3:0]   ck_done_o,
  output logic [7:0]   ck_status_o,
  output logic [63:0]  ck_haddr_o,
  output logic [7:0]   ck_fn_o,
  output logic [15:0]  ck_ctr_o,
  // register bus
  input  logic         mm_valid_i,
  input  logic         mm_we_i,
  input  logic [15:0]  mm_addr_i,
  input  logic [31:0]  mm_wdata_i,
  output logic         mm_ready_o,
  output logic         mm_rvalid_o,
  output logic [31:0]  mm_rdata_o,
  // statistics
  output logic         st_check_o,
  output logic         st_refused_o
);

  localparam int unsigned IdxW  = $clog2(NumRegions);
  localparam int unsigned AddrW = IdxW + 2;

  // What is read in each state is named by the state before it.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StMeta = 3'd1;  // word 3 is there
  localparam logic [2:0] StLen  = 3'd2;  // word 1
  localparam logic [2:0] StIova = 3'd3;  // word 2
  localparam logic [2:0] StBase = 3'd4;  // word 0
  localparam logic [2:0] StInit = 3'd5;
  localparam logic [2:0] StMm   = 3'd6;

  logic [2:0]       state_q;
  logic [IdxW-1:0]  init_q;
  logic             idle;
  assign idle = state_q == StIdle;

  // ---- register bus: one access is kept until the table is idle --------------
  logic        mm_hit_sel, mm_hit_word, mm_take;
  logic        mm_pend_q, mm_we_q, mm_sel_q;
  logic [2:0]  mm_word_q;
  logic [31:0] mm_wdata_q;
  logic [15:0] rg_sel_q;
  logic        sel_valid;
  logic        mm_go;

  assign mm_hit_sel  = mm_addr_i == tern_abi_pkg::MMIO_RG_SEL;
  assign mm_hit_word = mm_addr_i[15:5] == tern_abi_pkg::MMIO_RG_WORD[15:5];
  assign mm_ready_o  = (mm_hit_sel || mm_hit_word) && !mm_pend_q && state_q != StInit;
  assign mm_take     = mm_valid_i && mm_ready_o;
  assign sel_valid   = 17'(rg_sel_q) < 17'(NumRegions);
  assign mm_go       = mm_pend_q && idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_pend_q <= 1'b0;
      rg_sel_q  <= '0;
    end else begin
      if (mm_take) mm_pend_q <= 1'b1;
      else if (mm_go) mm_pend_q <= 1'b0;
      if (mm_take && mm_hit_sel && mm_we_i) rg_sel_q <= mm_wdata_i[15:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_sel_q   <= mm_hit_sel;
      mm_word_q  <= mm_addr_i[4:2];
      mm_wdata_q <= mm_wdata_i;
    end
  end

  // ---- whose turn ------------------------------------------------------------
  logic [1:0] last_q;    // winner before
  logic [1:0] others_q;  // winner before among 1 to 3
  logic [1:0] win;
  logic       any, accept;
  logic [1:0] other;

  always_comb begin
    other = 2'd1;
    case (others_q)
      2'd1:    other = ck_valid_i[2] ? 2'd2 : ck_valid_i[3] ? 2'd3 : 2'd1;
      2'd2:    other = ck_valid_i[3] ? 2'd3 : ck_valid_i[1] ? 2'd1 : 2'd2;
      default: other = ck_valid_i[1] ? 2'd1 : ck_valid_i[2] ? 2'd2 : 2'd3;
    endcase
    win = other;
    if (ck_valid_i[0] && (last_q != 2'd0 || ck_valid_i[3:1] == 3'b000)) win = 2'd0;
  end

  assign any    = ck_valid_i != 4'b0000;
  assign accept = any && idle && !mm_pend_q;

  always_comb begin
    ck_ready_o = 4'b0000;
    if (accept) ck_ready_o[win] = 1'b1;
  end

  // ---- the request -------------------------------------------------------------
  logic [31:0] in_key;
  logic [31:0] key_q, bytes_q;
  logic [63:0] addr_q;
  logic [7:0]  fn_q, right_q;
  logic        fn_any_q, offset_q;

  assign in_key = ck_key_i[32*win+:32];

  always_ff @(posedge clk_i) begin
    if (accept) begin
      key_q    <= in_key;
      addr_q   <= ck_addr_i[64*win+:64];
      bytes_q  <= ck_bytes_i[32*win+:32];
      fn_q     <= ck_fn_i[8*win+:8];
      right_q  <= ck_right_i[8*win+:8];
      fn_any_q <= ck_fn_any_i[win];
      offset_q <= ck_offset_i[win];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q   <= 2'd3;
      others_q <= 2'd3;
    end else if (accept) begin
      last_q <= win;
      if (win != 2'd0) others_q <= win;
    end
  end

  // ---- states --------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StInit;
      init_q  <= '0;
    end else begin
      case (state_q)
        StIdle:  if (mm_go) state_q <= StMm;
                 else if (accept) state_q <= StMeta;
        StMeta:  state_q <= StLen;
        StLen:   state_q <= StIova;
        StIova:  state_q <= StBase;
        StInit: begin
          init_q <= init_q + 1'b1;
          if (init_q == IdxW'(NumRegions - 1)) state_q <= StIdle;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  // ---- table ---------------------------------------------------------------------
  logic [AddrW-1:0] raddr, waddr;
  logic [63:0]      rdata;
  logic [31:0]      wdata;
  logic             we_lo, we_hi, mm_write;

  always_comb begin
    raddr = {key_q[IdxW-1:0], 2'd0};
    case (state_q)
      StIdle:  raddr = mm_go ? {rg_sel_q[IdxW-1:0], mm_word_q[2:1]} : {in_key[IdxW-1:0], 2'd3};
      StMeta:  raddr = {key_q[IdxW-1:0], 2'd1};
      StLen:   raddr = {key_q[IdxW-1:0], 2'd2};
      default: raddr = {key_q[IdxW-1:0], 2'd0};
    endcase
  end

  assign mm_write = mm_go && mm_we_q && !mm_sel_q && sel_valid;
  assign waddr    = state_q == StInit ? {init_q, 2'd3} : {rg_sel_q[IdxW-1:0], mm_word_q[2:1]};
  assign wdata    = state_q == StInit ? '0 : mm_wdata_q;
  assign we_lo    = mm_write && !mm_word_q[0];
  assign we_hi    = (mm_write && mm_word_q[0]) || state_q == StInit;

  tern_ram #(.Width(32), .Words(4 * NumRegions), .Apart(1'b1)) u_lo (
    .clk_i, .ren_i(!we_lo), .raddr_i(raddr), .rdata_o(rdata[31:0]),
    .we_i(we_lo), .waddr_i(waddr), .wdata_i(wdata)
  );
  tern_ram #(.Width(32), .Words(4 * NumRegions), .Apart(1'b1)) u_hi (
    .clk_i, .ren_i(!we_hi), .raddr_i(raddr), .rdata_o(rdata[63:32]),
    .we_i(we_hi), .waddr_i(waddr), .wdata_i(wdata)
  );

  // ---- the comparisons, one word at a time -----------------------------------------
  logic        key_ok_q, rights_ok_q, owner_ok_q, below_q;
  logic        in_table;
  logic [47:0] length_q;
  logic [63:0] off_q;
  logic [64:0] off_next, last_off, last_addr, host;
  logic        range_ok;
  logic [7:0]  status;

  assign in_table  = 17'(key_q[15:0]) < 17'(NumRegions) && key_q[15:0] != '0;
  // Bit 64 is the borrow: the address lies before the region.
  assign off_next  = offset_q ? {1'b0, addr_q} : {1'b0, addr_q} - {1'b0, rdata};
  assign last_off  = {1'b0, off_q} + 65'(bytes_q);
  assign last_addr = {1'b0, addr_q} + 65'(bytes_q);
  assign host      = {1'b0, rdata} + {1'b0, off_q};
  assign range_ok  = !below_q && last_off <= 65'(length_q) && !host[64]
                     && (!last_addr[64] || last_addr[63:0] == '0);

  always_comb begin
    status = tern_abi_pkg::ST_OK;
    if (!key_ok_q)         status = tern_abi_pkg::ST_BAD_KEY;
    else if (!owner_ok_q)  status = tern_abi_pkg::ST_NOT_OWNER;
    else if (!rights_ok_q) status = tern_abi_pkg::ST_BAD_RIGHTS;
    else if (!range_ok)    status = tern_abi_pkg::ST_BAD_RANGE;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StMeta) begin
      key_ok_q    <= in_table && rdata[tern_abi_pkg::RGN_VALID_LSB - 192];
      rights_ok_q <= (right_q & ~rdata[tern_abi_pkg::RGN_RIGHTS_LSB - 192 +: 8]) == '0;
      owner_ok_q  <= fn_any_q || fn_q == rdata[tern_abi_pkg::RGN_FN_LSB - 192 +: 8];
      ck_fn_o     <= rdata[tern_abi_pkg::RGN_FN_LSB - 192 +: 8];
      ck_ctr_o    <= rdata[tern_abi_pkg::RGN_COUNTER_LSB - 192 +: 16];
    end
    if (state_q == StLen) begin
      key_ok_q <= key_ok_q && rdata[tern_abi_pkg::RGN_TAG_LSB - 64 +: 16] == key_q[31:16];
      length_q <= rdata[tern_abi_pkg::RGN_LENGTH_LSB - 64 +: 48];
    end
    if (state_q == StIova) begin
      off_q   <= off_next[63:0];
      below_q <= off_next[64];
    end
    if (state_q == StBase) begin
      ck_status_o <= status;
      ck_haddr_o  <= host[63:0];
    end
  end

  always_ff @(posedge clk_i) begin
    ck_done_o <= 4'b0000;
    if (rst_ni && state_q == StBase) ck_done_o[last_q] <= 1'b1;
  end

  assign st_check_o   = ck_done_o != 4'b0000;
  assign st_refused_o = st_check_o && ck_status_o != tern_abi_pkg::ST_OK;

  // ---- register answers --------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && state_q == StMm;
    mm_rdata_o  <= '0;
    if (state_q == StMm && !mm_we_q) begin
      if (mm_sel_q) mm_rdata_o <= {16'd0, rg_sel_q};
      else if (sel_valid) mm_rdata_o <= mm_word_q[0] ? rdata[63:32] : rdata[31:0];
    end
  end

  // At most one answer, and what is granted lies inside the region.
  logic [64:0] done_end_q;
  logic [47:0] done_len_q;
  always_ff @(posedge clk_i) begin
    done_end_q <= last_off;
    done_len_q <= length_q;
    if (rst_ni) OneAnswer: assert ((ck_done_o & (ck_done_o - 1'b1)) == '0);
    if (rst_ni && st_check_o && ck_status_o == tern_abi_pkg::ST_OK)
      GrantInside: assert (done_end_q <= 65'(done_len_q));
  end

endmodule

`default_nettype wire
