// SPDX-License-Identifier: Apache-2.0
// One fetch of descriptors at a time: address, key check, host read, slots. Also finds the next
// entry of a completion queue, whose address is computed the same way.
//
// The engine of tern_prefetch starts a fetch and reads the queue's base and key for it, a word per
// cycle. The fetch takes the descriptors that were rung, at most four, within the free slots, and
// up to the end of the ring; with the host address, up to the end of its page. It takes slots and
// updates the ring's head while the request is in flight.

`default_nettype none

module tern_fetch #(
  parameter int unsigned NumFn = 64,
  parameter int unsigned NumQ  = 512
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // start: word_i is base low in that cycle, then base high, then key
  input  logic        start_i,
  input  logic        start_done_i,     // an entry of a completion queue
  input  logic [$clog2(NumQ)-1:0]  queue_i,
  input  logic [$clog2(NumFn)-1:0] fn_i,
  input  logic [23:0] head_i,
  input  logic        phase_i,
  input  logic [31:0] offset_i,         // from the base; 0 in the cycle after start
  input  logic [1:0]  n1_i,             // descriptors rung, up to the ring's end; less one, 3: 3 or
                                        // more
  input  logic        more_i,           // more are rung than n1_i covers
  input  logic [1:0]  tag_i,
  input  logic [31:0] word_i,
  output logic        idle_o,
  output logic        sizing_o,         // the queue's head is about to change
  output logic [$clog2(NumQ)-1:0] queue_o,
  // new head: written when the port is free
  output logic        head_valid_o,
  input  logic        head_ready_i,
  output logic [23:0] head_o,
  output logic [2:0]  head_add_o,
  // slots
  input  logic [5:0]  free_count_i,
  output logic [5:0]  promised_o,
  input  logic        alloc_ready_i,
  output logic        alloc_o,
  output logic [7:0]  fn_o,
  // burst
  output logic        b_we_o,
  output logic [1:0]  b_tag_o,
  output logic [1:0]  b_n1_o,
  output logic        b_more_o,
  output logic [1:0]  slot_n_o,
  output logic        refused_o,
  input  logic        refused_ready_i,
  // key check, right LOCAL_READ
  output logic        ck_valid_o,
  input  logic        ck_ready_i,
  output logic [31:0] ck_key_o,
  output logic [63:0] ck_addr_o,
  output logic [31:0] ck_bytes_o,
  input  logic        ck_done_i,
  input  logic [7:0]  ck_status_i,
  input  logic [63:0] ck_haddr_i,
  // host read
  output logic        hrq_valid_o,
  input  logic        hrq_ready_i,
  output logic [63:0] hrq_addr_o,
  output logic [8:0]  hrq_bytes_o,
  // completion
  output logic        cq_valid_o,
  input  logic        cq_ready_i,
  output logic [23:0] cq_lap_o,
  output logic        cq_phase_o
);

  localparam int unsigned QW  = $clog2(NumQ);
  localparam int unsigned FnW = $clog2(NumFn);

  typedef enum logic [2:0] {FIdle, FHigh, FKey, FCheck, FWait, FRun, FDone} state_e;
  state_e         state_q;
  logic           done_q, more_q, head_q, refused_q, refuse, over, over_page;
  logic [QW-1:0]  queue_q;
  logic [FnW-1:0] fn_q;
  logic [23:0]    lap_q;
  logic           phase_q;
  logic [1:0]     n1_q, n1_slots, n1_page, room_page, tag_q, slot_q;
  logic [2:0]     reserved_q;
  logic [31:0]    lo_q, hi_q, key_q;
  logic [57:0]    haddr_q;

  // ---- address in host memory: low half, then high half ---------------------------------
  logic        carry_q, carry;
  logic [31:0] sum;
  assign {carry, sum} = {1'b0, word_i} + {1'b0, offset_i} + 33'(carry_q);

  always_ff @(posedge clk_i) begin
    carry_q <= start_i && carry;
    if (start_i)          lo_q  <= sum;
    if (state_q == FHigh) hi_q  <= sum;
    if (state_q == FKey)  key_q <= word_i;
  end

  // ---- number of descriptors less one, three at most ------------------------------
  assign n1_slots  = free_count_i[5:2] != '0 || free_count_i[1:0] > n1_q
                     ? n1_q : free_count_i[1:0] - 2'd1;
  // Lines of 64 bytes after this one, to the end of the page.
  assign room_page = ck_haddr_i[11:8] == '1 ? ~ck_haddr_i[7:6] : 2'd3;
  assign over_page = room_page < n1_q;
  assign n1_page   = over_page ? room_page : n1_q;
  assign refuse    = ck_status_i != tern_abi_pkg::ST_OK || ck_haddr_i[5:0] != '0;
  assign over      = state_q == FWait && ck_done_i;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      queue_q <= queue_i;
      fn_q    <= fn_i;
      lap_q   <= head_i;
      phase_q <= phase_i;
      done_q  <= start_done_i;
      tag_q   <= tag_i;
    end
    if (start_i) begin
      n1_q   <= start_done_i ? 2'd0 : n1_i;
      more_q <= more_i;
    end else if (state_q == FHigh && !done_q) begin
      n1_q   <= n1_slots;
      more_q <= more_q || n1_slots != n1_q;
    end else if (over && !refuse) begin
      n1_q   <= n1_page;
      more_q <= more_q || over_page;
    end
    if (over) refused_q <= refuse;
    // 0 without a request: the consumer ORs all sources.
    if (over && !refuse)             haddr_q <= ck_haddr_i[63:6];
    else if (!rst_ni || hrq_ready_i) haddr_q <= '0;
  end

  // ---- states -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= FIdle;
      head_q      <= 1'b0;
      hrq_valid_o <= 1'b0;
    end else begin
      case (state_q)
        FIdle:   if (start_i) state_q <= FHigh;
        FHigh:   state_q <= FKey;
        FKey:    state_q <= done_q ? FDone : FCheck;
        FCheck:  if (ck_ready_i) state_q <= FWait;
        FWait:   if (ck_done_i) state_q <= FRun;
        FRun:    if (!head_q && !hrq_valid_o && reserved_q == '0
                     && (!refused_q || refused_ready_i)) state_q <= FIdle;
        FDone:   if (cq_valid_o && cq_ready_i) state_q <= FIdle;
        default: state_q <= FIdle;
      endcase
      if (over || (state_q == FKey && done_q)) head_q <= 1'b1;
      else if (head_ready_i) head_q <= 1'b0;
      if (over) hrq_valid_o <= !refuse;
      else if (hrq_ready_i) hrq_valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= '0;
    else if (start_i && !start_done_i) reserved_q <= 3'd4;   // until the number is computed
    else if (state_q == FHigh && !done_q) reserved_q <= {1'b0, n1_slots} + 3'd1;
    else if (over && !refuse) reserved_q <= {1'b0, n1_page} + 3'd1;
    else if (alloc_o) reserved_q <= reserved_q - 1'b1;
    if (over) slot_q <= 2'd0;
    else if (alloc_o) slot_q <= slot_q + 1'b1;
  end

  assign idle_o       = state_q == FIdle;
  assign sizing_o     = (state_q != FIdle && state_q != FRun) || head_q;
  assign queue_o      = queue_q;
  assign head_valid_o = head_q;
  assign head_o       = lap_q;
  assign head_add_o   = {1'b0, n1_q} + 3'd1;
  assign promised_o   = reserved_q == '0 ? 6'd1 : 6'(reserved_q);  // one is kept for the rings
  assign alloc_o      = state_q == FRun && reserved_q != '0 && alloc_ready_i;
  assign fn_o         = 8'(fn_q);

  assign b_we_o       = state_q == FRun;
  assign b_tag_o      = tag_q;
  assign b_n1_o       = n1_q;
  assign b_more_o     = more_q;
  assign slot_n_o     = slot_q;
  assign refused_o    = state_q == FRun && refused_q && !head_q && reserved_q == '0;

  assign ck_valid_o   = state_q == FCheck;
  assign ck_key_o     = key_q;
  assign ck_addr_o    = {hi_q, lo_q};
  assign ck_bytes_o   = {23'd0, head_add_o, 6'd0};
  assign hrq_addr_o   = {haddr_q, 6'd0};
  assign hrq_bytes_o  = {head_add_o, 6'd0};

  assign cq_valid_o   = state_q == FDone && !head_q;
  assign cq_lap_o     = lap_q;
  assign cq_phase_o   = phase_q;

endmodule

`default_nettype wire
