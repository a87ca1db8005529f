// SPDX-License-Identifier: Apache-2.0
// Region table and key check: does this access lie inside a region whose owner allows it?
//
// One check at a time. The answer comes 6 cycles after the request is accepted; the next request is
// accepted in the cycle of the answer. A requester holds its fields until then. The packet receiver
// (requester 0) goes first, but never twice in a row while others wait; the others take turns.
// Comparisons are exact: an address range that wraps around 2^64 is refused, whatever the region's
// bounds.
//
// An entry is four 64-bit words with the layout of RGN:
//   0 base   1 tag, length   2 iova   3 valid, rights, owner, counter
// Entry 0 is never valid. It cannot be written and its iova is 0: a check with an address from the
// region's start (`offset`) reads this iova in place of the region's. After reset a sweep
// invalidates all entries, one a cycle; no request is accepted before it ends.

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

  // Each state is named after the word that is used in it.
  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StAsk  = 3'd1;   // no word yet
  localparam logic [2:0] StIova = 3'd2;
  localparam logic [2:0] StLen  = 3'd3;
  localparam logic [2:0] StMeta = 3'd4;
  localparam logic [2:0] StBase = 3'd5;
  localparam logic [2:0] StInit = 3'd6;

  logic [2:0]      state_q;
  logic [IdxW-1:0] init_q;
  logic            idle, init, mm_there_q;     // the word of a register access has been read
  assign idle = state_q == StIdle && !mm_there_q;
  assign init = state_q == StInit;

  // ---- register bus: one access waits here until the table is idle -----------
  logic        mm_hit_sel, mm_hit_word, mm_take;
  logic        mm_pend_q, mm_we_q, mm_sel_q;
  logic [2:0]  mm_word_q;
  logic [31:0] mm_wdata_q;
  logic [15:0] rg_sel_q;
  logic        sel_valid;
  logic        mm_go;

  assign mm_hit_sel  = mm_addr_i == tern_abi_pkg::MMIO_RG_SEL;
  assign mm_hit_word = mm_addr_i[15:5] == tern_abi_pkg::MMIO_RG_WORD[15:5];
  assign mm_ready_o  = (mm_hit_sel || mm_hit_word) && !mm_pend_q && !init;
  assign mm_take     = mm_valid_i && mm_ready_o;
  assign sel_valid   = rg_sel_q[15:IdxW] == '0 && rg_sel_q[IdxW-1:0] != '0;
  assign mm_go       = mm_pend_q && idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_pend_q  <= 1'b0;
      mm_there_q <= 1'b0;
      rg_sel_q   <= '0;
    end else begin
      mm_there_q <= mm_go;
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
    end
    if (!rst_ni || init) mm_wdata_q <= '0;   // for the sweep
    else if (mm_take)    mm_wdata_q <= mm_wdata_i;
  end

  // ---- arbiter ---------------------------------------------------------------
  logic [1:0] last_q;    // last winner, whose check is at work
  logic [1:0] others_q;  // last winner among 1 to 3
  logic [1:0] win;
  logic       any, accept;
  logic [3:0] turn_q;    // the winner, one hot
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_q   <= 2'd3;
      others_q <= 2'd3;
      turn_q   <= 4'b0000;
    end else if (accept) begin
      last_q <= win;
      turn_q <= 4'b0001 << win;
      if (win != 2'd0) others_q <= win;
    end
  end

  // ---- the request: its requester holds the fields ---------------------------------------
  // The winner's fields are copied and all others read 0, so one LUT per bit ORs the four. Valid
  // from StIova on.
  localparam int unsigned CopyW = 16 + 16 - IdxW + 8 + 32;
  logic [CopyW-1:0] copy [4];
  logic [63:0]      place [4];
  logic [31:0]      bytes;
  logic [63:0]      addr;
  logic [15:0]      tag;
  logic [15:IdxW]   beyond;                  // not 0: the index exceeds the table
  logic [7:0]       fn, right;
  logic             fn_any;
  logic [IdxW-1:0]  entry, entry_q;
  logic             offset_q;

  for (genvar r = 0; r < 4; r++) begin : g_copy
    logic [CopyW-1:0] copy_q;
    always_ff @(posedge clk_i) begin
      if (!turn_q[r]) copy_q <= '0;
      else copy_q <= {ck_key_i[32*r+IdxW+:32-IdxW], ck_fn_i[8*r+:8], ck_bytes_i[32*r+:32]};
    end
    assign copy[r] = copy_q;
    logic [63:0] place_q;
    always_ff @(posedge clk_i) begin
      if (!turn_q[r]) place_q <= '0;
      else            place_q <= ck_addr_i[64*r+:64];
    end
    assign place[r] = place_q;
  end

  assign entry     = ck_key_i[32*win+:IdxW];
  assign right     = ck_right_i[8*last_q+:8];
  assign fn_any    = ck_fn_any_i[last_q];
  assign addr      = place[0] | place[1] | place[2] | place[3];
  assign {tag, beyond, fn, bytes} = copy[0] | copy[1] | copy[2] | copy[3];

  always_ff @(posedge clk_i) begin
    if (accept) begin
      entry_q  <= entry;
      offset_q <= ck_offset_i[win];
    end
  end

  // ---- states --------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StInit;
      init_q  <= '0;
    end else begin
      case (state_q)
        StIdle:  if (accept) state_q <= StAsk;
        StAsk:   state_q <= StIova;
        StIova:  state_q <= StLen;
        StLen:   state_q <= StMeta;
        StMeta:  state_q <= StBase;
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
  logic             we_lo, we_hi, mm_write;

  always_comb begin
    raddr = {entry_q, 2'd0};
    case (state_q)
      StIdle:  raddr = {rg_sel_q[IdxW-1:0], mm_word_q[2:1]};
      StAsk:   raddr = {offset_q ? '0 : entry_q, 2'd2};
      StIova:  raddr = {entry_q, 2'd1};
      StLen:   raddr = {entry_q, 2'd3};
      default: raddr = {entry_q, 2'd0};
    endcase
  end

  assign mm_write = mm_go && mm_we_q && !mm_sel_q && sel_valid;
  assign waddr    = init ? {init_q, 1'b1, init_q != '0} : {rg_sel_q[IdxW-1:0], mm_word_q[2:1]};
  assign we_lo    = (mm_write && !mm_word_q[0]) || init;
  assign we_hi    = (mm_write && mm_word_q[0]) || init;

  tern_ram #(.Width(32), .Words(4 * NumRegions), .Apart(1'b1)) u_lo (
    .clk_i, .ren_i(!we_lo), .raddr_i(raddr), .rdata_o(rdata[31:0]),
    .we_i(we_lo), .waddr_i(waddr), .wdata_i(mm_wdata_q)
  );
  tern_ram #(.Width(32), .Words(4 * NumRegions), .Apart(1'b1)) u_hi (
    .clk_i, .ren_i(!we_hi), .raddr_i(raddr), .rdata_o(rdata[63:32]),
    .we_i(we_hi), .waddr_i(waddr), .wdata_i(mm_wdata_q)
  );

  // ---- the range's offset in the region, and whether the range wraps around 2^64 ----------------
  // The same adder later checks the length: bytes + ~(bytes left) carries if more bytes are
  // requested than are left.
  logic [63:0] off, off_q;
  logic [31:0] past;            // low word of the first address after the range
  logic [47:0] no_room_q;       // complement of the bytes left
  logic        not_below, carries, leaves_q, below_q;

  tern_addsub #(.Width(64)) u_off (
    .a_i(addr), .b_i(rdata), .subtract_i(1'b1), .sum_o(off), .carry_o(not_below)
  );
  tern_addsel #(.Width(32)) u_past (
    .a_i(bytes), .b_i(addr[31:0]), .c_i(no_room_q[31:0]), .select_i(state_q == StIova),
    .sum_o(past), .carry_o(carries)
  );

  always_ff @(posedge clk_i) begin
    if (state_q == StIova) begin
      off_q    <= off;
      below_q  <= !not_below;
      leaves_q <= carries && past != '0 && addr[63:32] == '1;
    end
  end

  // ---- bytes left in the region after the offset; later, the range's address in host memory
  logic        is_len, over, fits_q;
  logic [63:0] sum;
  logic        short_q;

  assign is_len = state_q == StLen;
  tern_addless #(.Width(64)) u_sum (
    .a_i(off_q), .b_i({is_len ? 16'd0 : rdata[63:48], rdata[47:0]}), .less_i(is_len),
    .sum_o(sum), .carry_o(over)
  );

  // ---- the comparisons, one word at a time -----------------------------------------
  logic        key_ok_q, rights_ok_q, owner_ok_q, in_table;
  logic [7:0]  status;

  assign in_table = beyond == '0 && entry_q != '0;

  always_comb begin
    status = tern_abi_pkg::ST_OK;
    if (!key_ok_q)                   status = tern_abi_pkg::ST_BAD_KEY;
    else if (!owner_ok_q)            status = tern_abi_pkg::ST_NOT_OWNER;
    else if (!rights_ok_q)           status = tern_abi_pkg::ST_BAD_RIGHTS;
    else if (!fits_q || over)        status = tern_abi_pkg::ST_BAD_RANGE;
  end

  logic tag_ok_q;
  always_ff @(posedge clk_i) begin
    if (is_len) begin
      tag_ok_q  <= in_table && rdata[tern_abi_pkg::RGN_TAG_LSB - 64 +: 16] == tag;
      no_room_q <= sum[47:0];
      short_q   <= over;
    end
    if (state_q == StMeta) begin
      key_ok_q    <= tag_ok_q && rdata[tern_abi_pkg::RGN_VALID_LSB - 192];
      rights_ok_q <= (right & ~rdata[tern_abi_pkg::RGN_RIGHTS_LSB - 192 +: 8]) == '0;
      owner_ok_q  <= fn_any || fn == rdata[tern_abi_pkg::RGN_FN_LSB - 192 +: 8];
      ck_fn_o     <= rdata[tern_abi_pkg::RGN_FN_LSB - 192 +: 8];
      ck_ctr_o    <= rdata[tern_abi_pkg::RGN_COUNTER_LSB - 192 +: 16];
      fits_q      <= !below_q && !short_q && !leaves_q
                     && (no_room_q[47:32] != '1 || !carries);
    end
    if (state_q == StBase) begin
      ck_status_o <= status;
      ck_haddr_o  <= sum;
    end
  end

  always_ff @(posedge clk_i) begin
    ck_done_o <= 4'b0000;
    if (rst_ni && state_q == StBase) ck_done_o[last_q] <= 1'b1;
  end

  assign st_check_o   = ck_done_o != 4'b0000;
  assign st_refused_o = st_check_o && ck_status_o != tern_abi_pkg::ST_OK;

  // ---- register answers: each half of a word is 0 unless it is read
  logic        mm_read;
  logic [31:0] mm_low_q, mm_high_q;
  logic [15:0] mm_said_q;
  assign mm_read    = mm_there_q && !mm_we_q && !mm_sel_q && sel_valid;
  assign mm_rdata_o = mm_low_q | mm_high_q | {16'd0, mm_said_q};

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && mm_there_q;
    if (!mm_read || mm_word_q[0])  mm_low_q <= '0;
    else                           mm_low_q <= rdata[31:0];
    if (!mm_read || !mm_word_q[0]) mm_high_q <= '0;
    else                           mm_high_q <= rdata[63:32];
    if (!mm_there_q || mm_we_q || !mm_sel_q) mm_said_q <= '0;
    else                                     mm_said_q <= rg_sel_q;
  end

  // At most one answer; a granted range lies inside the region; a requester holds its fields.
  logic [64:0]  granted_end_q;
  logic [63:0]  granted_len_q;
  logic [103:0] fields, held_q;
  assign fields = {tag, 16'({beyond, entry_q}), bytes[7:0], addr};
  always_ff @(posedge clk_i) begin
    granted_end_q <= {1'b0, off_q} + 65'(bytes);
    granted_len_q <= {16'd0, ~no_room_q} + off_q;
    held_q        <= fields;
    if (rst_ni) OneAnswer: assert ((ck_done_o & (ck_done_o - 1'b1)) == '0);
    if (rst_ni && st_check_o && ck_status_o == tern_abi_pkg::ST_OK)
      GrantInside: assert (granted_end_q <= {1'b0, granted_len_q});
    if (rst_ni && (is_len || state_q == StMeta || state_q == StBase))
      FieldsHeld: assert (fields == held_q);
  end

endmodule

`default_nettype wire
