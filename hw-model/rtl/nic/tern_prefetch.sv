// SPDX-License-Identifier: Apache-2.0
// Doorbells and descriptor prefetch: fetches descriptors into slots and raises their events.
//
// The state of each queue is a row of words in a block RAM. One engine reads and writes it, a word
// a cycle. It serves a doorbell, a firmware access, the end of a burst, or the next waiting queue.
// The words that a doorbell needs (configuration, head, doorbell) come first, then base and key, so
// a fetch may begin with the doorbell.
//
// An inline descriptor is already in a slot when its doorbell comes: tern_bar writes it into a
// reserved one. If none of its queue is ahead of it, it keeps that slot, and its event is offered 4
// cycles after the doorbell. All other descriptors are fetched from the ring (tern_fetch): up to
// four in one host read, one read per queue, four reads in all. Waiting queues are in a list, each
// once. After a burst a queue goes to the end of the list if more was rung than requested. So does
// a queue whose function has too many slots: `Spare` slots always remain for other functions, so
// the next one to ring finds a slot.
//
// Events of a queue come in ring order. Every descriptor that was rung gets a slot and an event,
// also if its ring could not be read (HOST_FAULT, slot of zeros). A ring that is not 64-byte
// aligned in host memory counts as unreadable.
//
// This block never waits for the firmware: there are as many DESC event entries as slots, and a
// DBERR event without room is dropped (but counted in the statistics). After reset a sweep marks
// all queues unused, one a cycle.

`default_nettype none

module tern_prefetch #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumFn    = 64,
  parameter int unsigned NumQ     = 512,
  parameter int unsigned NumSlots = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // words of an inline descriptor, in ascending order; only while they are taken
  input  logic             in_near_i,     // one may come in this cycle
  input  logic [DataW/32-1:0] in_we_i,
  input  logic [3:0]       in_word_i,
  input  logic [DataW-1:0] in_data_i,
  output logic             in_ready_o,
  output logic             in_slot_o,     // a slot is reserved for it
  // doorbells
  input  logic             db_valid_i,
  output logic             db_ready_o,
  input  logic [7:0]       db_fn_i,
  input  logic [15:0]      db_queue_i,
  input  logic             db_inline_i,
  input  logic             db_commit_i,
  input  logic [23:0]      db_index_i,
  input  logic [47:0]      db_frame_i,    // words 0 and 1 of the inline descriptor
  input  logic [9:0]       db_soon_i,     // queue of a doorbell that may come next cycle
  // register bus
  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,
  // host reads
  output logic             pf_hrq_valid_o,
  input  logic             pf_hrq_ready_i,
  output logic [7:0]       pf_hrq_fn_o,
  output logic [63:0]      pf_hrq_addr_o,
  output logic [8:0]       pf_hrq_bytes_o,
  output logic [1:0]       pf_hrq_tag_o,
  input  logic             hrd_valid_i,
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,
  // key check, right LOCAL_READ
  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,
  // events
  output logic             ev_desc_valid_o,
  input  logic             ev_desc_ready_i,
  output logic [31:0]      ev_desc_o,
  output logic             ev_dberr_valid_o,
  input  logic             ev_dberr_ready_i,
  output logic [31:0]      ev_dberr_o,
  // slots
  input  logic             sl_req_i,
  input  logic [5:0]       sl_slot_i,
  input  logic [3:0]       sl_word_i,
  output logic             sl_gnt_o,
  output logic             sl_rvalid_o,
  output logic [DataW-1:0] sl_data_o,
  output logic [15:0]      sl_queue_o,
  output logic [7:0]       sl_fn_o,
  input  logic [5:0]       own_slot_i,
  output logic [9:0]       own_queue_o,
  input  logic [1:0]       slot_free_valid_i,
  input  logic [11:0]      slot_free_i,
  // completions, to tern_hwr: `cq_coming_o` from the write of Q_COMPLETE until taken
  output logic             cq_coming_o,
  output logic             cq_valid_o,
  input  logic             cq_ready_i,
  output logic [5:0]       cq_slot_o,
  output logic [9:0]       cq_queue_o,
  output logic [63:0]      cq_addr_o,
  output logic [31:0]      cq_key_o,
  output logic [7:0]       cq_fn_o,
  output logic [23:0]      cq_lap_o,
  output logic             cq_phase_o,
  // the word of an answer, for its slot
  input  logic             word_valid_i,
  output logic             word_ready_o,
  input  logic [5:0]       word_slot_i,
  input  logic             word_high_i,
  input  logic [DataW-1:0] word_data_i,
  // words that RX_COPY writes into an own slot
  output logic             copy_may_o,
  input  logic             copy_i,
  input  logic [1:0]       copy_slot_i,
  input  logic             copy_valid_i,
  output logic             copy_ready_o,
  input  logic [3:0]       copy_word_i,
  input  logic [31:0]      copy_data_i,
  // words of slots for tern_hwr
  input  logic             cw_valid_i,
  output logic             cw_ready_o,
  input  logic [5:0]       cw_slot_i,
  input  logic [3:0]       cw_word_i,
  output logic             cw_rvalid_o,
  output logic [31:0]      cw_rdata_o,
  output logic [9:0]       cw_queue_o,
  // trace and statistics
  output logic             tr_desc_ready_o,
  output logic [15:0]      tr_desc_slot_o,
  output logic             st_doorbell_o,
  output logic             st_inline_o,
  output logic             st_fetched_o,
  output logic             st_bad_db_o
);

  localparam int unsigned QW   = $clog2(NumQ);
  localparam int unsigned FnW  = $clog2(NumFn);
  localparam int unsigned LogW = tern_abi_pkg::CQ_LOG2_MAX;   // bits of a ring index

  localparam int unsigned Spare = 3;
  localparam int unsigned Burst = 4;
  localparam int unsigned NumPool = NumSlots - 4;

  localparam logic [1:0] TypeNone = 2'(tern_abi_pkg::QTYPE_NONE);
  localparam logic [1:0] TypeSq   = 2'(tern_abi_pkg::QTYPE_SQ);

  // Words of a row, in the order of the registers.
  localparam logic [2:0] RegSel    = tern_abi_pkg::MMIO_Q_SEL[4:2];
  localparam logic [2:0] RegBaseLo = tern_abi_pkg::MMIO_Q_BASE_LO[4:2];
  localparam logic [2:0] RegBaseHi = tern_abi_pkg::MMIO_Q_BASE_HI[4:2];
  localparam logic [2:0] RegKey    = tern_abi_pkg::MMIO_Q_KEY[4:2];
  localparam logic [2:0] RegCfg    = tern_abi_pkg::MMIO_Q_CFG[4:2];
  localparam logic [2:0] RegHead   = tern_abi_pkg::MMIO_Q_HEAD[4:2];
  localparam logic [2:0] RegDb     = tern_abi_pkg::MMIO_Q_DB[4:2];
  localparam logic [2:0] RegDone   = tern_abi_pkg::MMIO_Q_COMPLETE[4:2];

  // ---- register bus: an access waits until the engine takes it; writes are answered at once
  logic        mm_hit, mm_take, mm_pend_q, mm_we_q, mm_end;
  logic [2:0]  mm_reg_q;
  logic [31:0] mm_wdata_q;
  logic [15:0] q_sel_q;
  logic        mm_q_ready, mm_q_rvalid, mm_s_ready, mm_s_rvalid;
  logic [31:0] mm_q_rdata, mm_s_rdata, row;
  logic        init_q, op_in_q;

  assign mm_hit     = mm_addr_i[15:5] == tern_abi_pkg::MMIO_Q_SEL[15:5];
  assign mm_q_ready = mm_hit && !mm_pend_q && !init_q;
  assign mm_take    = mm_valid_i && mm_q_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mm_pend_q <= 1'b0;
      q_sel_q   <= '0;
    end else begin
      if (mm_take) mm_pend_q <= 1'b1;
      else if (mm_end) mm_pend_q <= 1'b0;
      if (mm_take && mm_we_i && mm_addr_i[4:2] == RegSel) q_sel_q <= mm_wdata_i[15:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_reg_q   <= mm_addr_i[4:2];
    end
    if (!rst_ni)      mm_wdata_q <= '0;   // for the sweep
    else if (mm_take) mm_wdata_q <= mm_wdata_i;
    mm_q_rvalid <= rst_ni && (mm_take ? mm_we_i : mm_end && !mm_we_q);
    if (!mm_end || mm_we_q)       mm_q_rdata <= '0;
    else if (mm_reg_q == RegSel)  mm_q_rdata <= {16'd0, q_sel_q};
    else                          mm_q_rdata <= op_in_q && mm_reg_q != RegDone ? row : '0;
  end

  assign mm_ready_o  = mm_q_ready || mm_s_ready;
  assign mm_rvalid_o = mm_q_rvalid || mm_s_rvalid;
  assign mm_rdata_o  = mm_q_rdata | mm_s_rdata;

  // ---- engine: choice of the next job --------------------------------------------------
  localparam logic [2:0] OpDb    = 3'd0;
  localparam logic [2:0] OpMm    = 3'd1;
  localparam logic [2:0] OpEnd   = 3'd2;  // a burst has been delivered
  localparam logic [2:0] OpServe = 3'd3;
  localparam logic [2:0] OpDone  = 3'd4;  // the next entry of a completion queue

  logic          idle, last_db_q, pick, step_end, guess, guessed_q, known_next;
  logic [2:0]    op_q, op_next, step_q;
  logic [15:0]   queue_next;
  logic [QW-1:0] op_queue_q;
  logic          want_db, want_mm, want_end, want_serve, row_read;
  logic          list_valid, list_push;
  logic [QW-1:0] list_queue, end_queue, f_queue;
  logic          fetch_idle, fetch_sizing, tag_free, burst_end, mm_done, done_q;
  logic [5:0]    free_count;

  assign idle       = step_q == 3'd0;
  assign want_db    = db_valid_i;
  // The firmware must not change a queue between the read of its head and the write of the new one.
  // No access sees a completion queue between the taking of an entry and its count.
  assign mm_done    = mm_we_q && mm_reg_q == RegDone;
  assign want_mm    = mm_pend_q && !(mm_we_q && fetch_sizing) && !done_q
                      && !(mm_done && !fetch_idle);
  assign want_end   = burst_end;
  assign want_serve = list_valid && fetch_idle && tag_free && free_count != '0;

  // Speculation: while idle, read the row of the queue that tern_bar addresses, so that its first
  // word is there when the doorbell comes.
  assign guess      = idle && !init_q && !pick && !want_db;
  assign known_next = guessed_q && want_db && op_next == OpDb;

  // Doorbells go first, but not twice in a row while something else waits.
  always_comb begin
    op_next    = OpDb;
    queue_next = db_valid_i ? db_queue_i : 16'(db_soon_i);
    if (!want_db || last_db_q) begin
      if (want_mm) begin
        op_next    = mm_done ? OpDone : OpMm;
        queue_next = mm_done ? 16'(mm_wdata_q[tern_abi_pkg::QDN_CQ_LSB+:10]) : q_sel_q;
      end else if (want_end) begin
        op_next    = OpEnd;
        queue_next = 16'(end_queue);
      end else if (want_serve) begin
        op_next    = OpServe;
        queue_next = 16'(list_queue);
      end
    end
  end
  assign pick = idle && !init_q && (want_db || want_mm || want_end || want_serve);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= '0;
      last_db_q <= 1'b0;
      guessed_q <= 1'b0;
    end else begin
      if (pick) step_q <= known_next ? 3'd2 : 3'd1;
      else if (!idle && !step_end) step_q <= step_q + 1'b1;
      else step_q <= '0;
      if (pick) last_db_q <= op_next == OpDb;
      guessed_q <= guess;
    end
  end

  logic is_db, is_mm, is_end, is_serve, is_done, decide, after;
  always_ff @(posedge clk_i) begin
    if (pick) begin
      op_q       <= op_next;
      op_queue_q <= queue_next[QW-1:0];
      op_in_q    <= 17'(queue_next) < 17'(NumQ);
    end
  end
  assign is_db    = op_q == OpDb;
  assign is_mm    = op_q == OpMm && step_q == 3'd1;
  assign is_end   = op_q == OpEnd && step_q == 3'd1;
  assign is_serve = op_q == OpServe;
  assign is_done  = op_q == OpDone;
  assign decide   = step_q == 3'd4;
  assign after    = step_q == 3'd5;

  // ---- rows of the queues: one word read and one written per cycle ----------------------
  logic [2:0]    read_word, write_word;
  logic [QW-1:0] read_queue, write_queue, init_cnt_q;
  logic          mm_write, db_write, inl, inl_q, good, row_we;
  logic          f_head_valid, f_head_ready;
  logic [23:0]   f_head, new_value_q, counted;
  logic [2:0]    f_add, add;
  logic [31:0]   row_wdata;
  logic          unused_carry, row_mm;

  always_comb begin
    case (step_q)
      3'd0:    read_word = op_next == OpMm ? mm_reg_q : known_next ? RegHead : RegCfg;
      3'd1:    read_word = RegHead;
      3'd2:    read_word = RegDb;
      3'd3:    read_word = RegBaseLo;
      3'd4:    read_word = RegBaseHi;
      default: read_word = RegKey;
    endcase
  end
  assign read_queue = idle ? queue_next[QW-1:0] : op_queue_q;
  assign row_read   = pick || guess || (!idle && !is_mm && !is_end);

  assign mm_write = is_mm && mm_we_q && op_in_q && mm_reg_q != RegSel;
  assign db_write = decide && good;
  // The fetcher updates a head while the engine neither reads nor writes one.
  assign f_head_ready = f_head_valid && (step_q == 3'd2 || step_q == 3'd3 || is_end
                                         || (idle && !want_db && (!mm_pend_q || mm_we_q)));

  // One adder counts rung numbers, heads, and entries of completion queues. After an inline
  // descriptor the new head equals the number that its commit rang.
  assign add     = f_head_ready ? f_add : {2'd0, is_db && (db_commit_i || after)};
  tern_addsel #(.Width(24)) u_counted (
    .a_i(24'(add)), .b_i(f_head), .c_i(new_value_q), .select_i(f_head_ready),
    .sum_o(counted), .carry_o(unused_carry)
  );

  // The sweep after reset writes the firmware's data register, which is still 0.
  assign row_mm = is_mm || init_q;
  always_comb begin
    write_queue = init_q ? init_cnt_q : f_head_ready ? f_queue : op_queue_q;
    write_word  = init_q ? RegCfg : is_mm ? mm_reg_q : decide ? RegDb : RegHead;
    row_wdata   = {8'd0, counted};
    if (row_mm) row_wdata = mm_wdata_q;
    if (mm_reg_q == RegHead || mm_reg_q == RegDb) row_wdata[31:24] = '0;
  end
  assign row_we = init_q || mm_write || db_write || inl_q || f_head_ready;

  tern_ram #(.Width(32), .Words(8 * NumQ), .Block(1'b1)) u_rows (
    .clk_i, .ren_i(row_read), .raddr_i({read_queue, read_word}), .rdata_o(row),
    .we_i(row_we), .waddr_i({write_queue, write_word}), .wdata_i(row_wdata)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q     <= 1'b1;
      init_cnt_q <= '0;
    end else if (init_q) begin
      init_cnt_q <= init_cnt_q + 1'b1;
      init_q     <= init_cnt_q != QW'(NumQ - 1);
    end
  end

  // ---- fields of the words, as they arrive -------------------------------------------------
  logic            stop_q, is_sq_q, known_q, commit;
  logic [1:0]      type_q;
  logic [FnW-1:0]  fn_q;
  logic [4:0]      log2_q;
  logic [LogW-1:0] wraps, wraps_q;   // bits of a number that index the ring
  logic [LogW-1:0] place;
  logic [23:0]     head_q, to_end, rung, behind_q;
  logic [31:0]     offset_q;
  logic            unused_bit;

`ifdef TERN_MODEL
  assign wraps = ~({LogW{1'b1}} << log2_q);
`else
  for (genvar i = 0; i < LogW; i++) begin : g_wraps
    assign wraps[i] = log2_q > 5'(i);
  end
`endif
  assign place  = head_q[LogW-1:0] & wraps_q;
  assign to_end = {{(24-LogW){1'b0}}, ~head_q[LogW-1:0] & wraps_q};   // less one
  assign commit = is_db && db_commit_i;
  assign rung   = is_db && !db_commit_i ? db_index_i : row[23:0];

  always_ff @(posedge clk_i) begin
    if (step_q == 3'd1 || idle) begin
      stop_q  <= row[24];
      type_q  <= row[17:16];
      fn_q    <= row[8+:FnW];
      log2_q  <= row[4:0];
      is_sq_q <= row[17:16] == TypeSq;
    end
    if (step_q == 3'd2) begin
      head_q   <= row[23:0];
      wraps_q <= wraps;
      known_q  <= op_in_q && type_q != TypeNone && 8'(fn_q) == db_fn_i;
    end
    if (step_q == 3'd3) begin
      new_value_q <= rung;
      // Descriptors rung and not fetched after this job, less one; a commit rings one more than
      // `rung`.
      {behind_q, unused_bit} <= {rung, 1'b1} + {~head_q, commit};
    end
    offset_q <= step_q != 3'd3 ? '0 : is_done ? 32'({place, 5'd0}) : 32'({place, 6'd0});
  end

  // ---- decide ----------------------------------------------------------------------------
  logic [5:0] share;
  logic       crowded, crowded1;
  logic       none, leaves, db_bad, may_fetch, at_once, go, listed, flying, more, ev_space_ok;
  logic       end_more;
  logic       flags_we, set_listed, set_flying, set_more, wakes;
  logic [1:0] behind1, end1, n1;
  logic [3:0] tag_busy_q;
  logic [1:0] tag_next, end_tag;

  // No new descriptor: the rung number equals the head.
  assign none    = !commit && behind_q == '1;
  assign leaves  = is_sq_q && !none && (behind_q & ~{{(24-LogW){1'b0}}, wraps_q}) != '0;
  assign db_bad  = !known_q || leaves;
  assign good    = is_db && !db_bad;
  // The function's slots: a burst, or one slot more, would leave too few to others.
  assign crowded   = share > 6'(NumPool - Spare - Burst);
  assign crowded1  = share >= 6'(NumPool - Spare);
  // Inline only if no descriptor of the queue is ahead, in the ring or in flight.
  assign inl     = decide && good && db_inline_i && commit && is_sq_q && behind_q == '0
                   && !flying && !stop_q && ev_space_ok && !crowded1;

  assign tag_free  = tag_busy_q != 4'hf;
  assign tag_next  = !tag_busy_q[0] ? 2'd0 : !tag_busy_q[1] ? 2'd1 : !tag_busy_q[2] ? 2'd2 : 2'd3;
  // A doorbell starts a fetch at once if no queue waits; otherwise its queue joins the list.
  assign may_fetch = is_sq_q && !stop_q && !none;
  assign wakes     = good && !inl && may_fetch && !listed;
  assign at_once   = !list_valid && fetch_idle && tag_free && free_count != '0 && !crowded;
  always_comb begin
    go = 1'b0;
    if (decide && is_done)  go = op_in_q;
    if (decide && is_serve) go = may_fetch && !crowded;
    if (decide && wakes && !flying) go = at_once;
  end

  assign behind1 = behind_q[23:2] != '0 ? 2'd3 : behind_q[1:0];
  assign end1    = to_end[23:2] != '0 ? 2'd3 : to_end[1:0];
  assign n1      = behind1 < end1 ? behind1 : end1;

  assign step_end   = is_mm || is_end || (decide && !go && !inl) || after;
  assign db_ready_o = is_db && decide;
  assign mm_end     = is_mm || (decide && is_done);

  assign st_doorbell_o = db_ready_o && !db_bad;
  assign st_bad_db_o   = db_ready_o && db_bad;
  assign st_inline_o   = inl;

  always_ff @(posedge clk_i) begin
    inl_q <= rst_ni && inl;
    if (!rst_ni) done_q <= 1'b0;
    else if (go && is_done) done_q <= 1'b1;
    else if (cq_valid_o && cq_ready_i) done_q <= 1'b0;
  end
  always_ff @(posedge clk_i)
    if (go && is_done) cq_slot_o <= mm_wdata_q[tern_abi_pkg::QDN_SLOT_LSB+:6];

  // ---- per queue: is in the list; has a burst in flight; was rung since that began
  tern_lutram #(.Width(3), .Words(NumQ)) u_flags (
    .clk_i, .raddr_i(op_queue_q), .rdata_o({listed, flying, more}),
    .we_i(init_q || flags_we), .waddr_i(init_q ? init_cnt_q : op_queue_q),
    .wdata_i(init_q ? 3'b000 : {set_listed, set_flying, set_more})
  );

  // A firmware write may make a queue fetchable: put it in the list, to decide at its turn.
  logic changed;
  assign changed = mm_write && (mm_reg_q == RegDb || mm_reg_q == RegCfg) && !listed;
  always_comb begin
    list_push = 1'b0;
    flags_we  = 1'b0;
    {set_listed, set_flying, set_more} = {listed, flying, more};
    if (changed || (decide && wakes)) begin
      flags_we   = 1'b1;
      list_push  = !flying && !(decide && at_once);
      set_listed = list_push;
      set_flying = flying || (decide && at_once);
      set_more   = flying;
    end
    if (decide && is_serve) begin
      flags_we   = 1'b1;
      list_push  = may_fetch && crowded;
      set_listed = list_push;
      set_flying = go;
      set_more   = 1'b0;
    end
    if (is_end) begin
      flags_we   = 1'b1;
      list_push  = more || end_more;
      set_listed = list_push;
      set_flying = 1'b0;
      set_more   = 1'b0;
    end
  end

  // ---- the list of waiting queues --------------------------------------------------------
  logic        list_ready;
  logic [QW:0] list_space;
  tern_fifo #(.Width(QW), .Depth(NumQ)) u_list (
    .clk_i, .rst_ni,
    .valid_i(list_push), .ready_o(list_ready), .data_i(op_queue_q),
    .valid_o(list_valid), .ready_i(is_serve && step_q == 3'd1), .data_o(list_queue),
    .space_o(list_space)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tag_busy_q <= '0;
    else begin
      if (go && !is_done) tag_busy_q[tag_next] <= 1'b1;
      if (is_end)         tag_busy_q[end_tag] <= 1'b0;
    end
  end

  // ---- fetch ---------------------------------------------------------------------------------
  logic       alloc, slot_we, b_we, b_more, refused, refused_ready;
  logic [1:0] b_tag, b_n1, slot_n;
  logic [5:0] promised, alloc_slot, stage_slot;
  logic [7:0] f_fn;
  logic       stage_wait, beat_mine, beat_we, zero, zero_ready;
  logic [5:0] beat_slot, zero_slot, pushed_slot;
  logic [3:0] beat_index, zero_index;

  tern_fetch #(.NumFn(NumFn), .NumQ(NumQ)) u_fetch (
    .clk_i, .rst_ni,
    .start_i(go), .start_done_i(is_done), .queue_i(op_queue_q), .fn_i(fn_q), .head_i(head_q),
    .phase_i((head_q[LogW:0] & {wraps_q, 1'b1} & ~{1'b0, wraps_q}) == '0),
    .offset_i(offset_q), .n1_i(n1), .more_i(n1 != behind1 || behind_q[23:2] != '0),
    .tag_i(tag_next), .word_i(row),
    .idle_o(fetch_idle), .sizing_o(fetch_sizing), .queue_o(f_queue),
    .head_valid_o(f_head_valid), .head_ready_i(f_head_ready), .head_o(f_head), .head_add_o(f_add),
    .free_count_i(free_count), .promised_o(promised),
    .alloc_ready_i(!(decide && db_inline_i)), .alloc_o(alloc),
    .fn_o(f_fn),
    .b_we_o(b_we), .b_tag_o(b_tag), .b_n1_o(b_n1), .b_more_o(b_more), .slot_n_o(slot_n),
    .refused_o(refused), .refused_ready_i(refused_ready),
    .ck_valid_o, .ck_ready_i, .ck_key_o, .ck_addr_o, .ck_bytes_o,
    .ck_done_i, .ck_status_i, .ck_haddr_i,
    .hrq_valid_o(pf_hrq_valid_o), .hrq_ready_i(pf_hrq_ready_i), .hrq_addr_o(pf_hrq_addr_o),
    .hrq_bytes_o(pf_hrq_bytes_o),
    .cq_valid_o, .cq_ready_i, .cq_lap_o, .cq_phase_o
  );
  assign slot_we      = alloc;
  assign ck_fn_o      = f_fn;
  assign pf_hrq_fn_o  = f_fn;
  assign pf_hrq_tag_o = b_tag;
  assign cq_coming_o  = done_q || (mm_pend_q && mm_done);
  assign cq_queue_o   = 10'(f_queue);
  assign cq_addr_o    = ck_addr_o;
  assign cq_key_o     = ck_key_o;
  assign cq_fn_o      = f_fn;

  // ---- read data and events --------------------------------------------------------------
  tern_desc_events #(.DataW(DataW), .NumQ(NumQ), .NumSlots(NumSlots)) u_events (
    .clk_i, .rst_ni,
    .b_we_i(b_we), .b_tag_i(b_tag), .b_queue_i(f_queue), .b_n1_i(b_n1), .b_more_i(b_more),
    .b_index_i(f_head[15:0]), .slot_we_i(slot_we), .slot_n_i(slot_n), .slot_i(alloc_slot),
    .refused_i(refused), .refused_ready_o(refused_ready),
    .hrd_valid_i, .hrd_tag_i, .hrd_data_i, .hrd_last_i, .hrd_err_i,
    .beat_mine_o(beat_mine), .beat_we_o(beat_we), .beat_slot_o(beat_slot),
    .beat_index_o(beat_index),
    .zero_o(zero), .zero_ready_i(zero_ready), .zero_slot_o(zero_slot), .zero_index_o(zero_index),
    .space_o(ev_space_ok), .inl_i(inl), .inl_frame_i(db_frame_i), .inl_index_i(head_q[15:0]),
    .inl_queue_i(op_queue_q), .inl_slot_i(stage_slot),
    .ended_o(burst_end), .ended_take_i(is_end), .ended_tag_o(end_tag), .ended_queue_o(end_queue),
    .ended_more_o(end_more),
    .ev_valid_o(ev_desc_valid_o), .ev_ready_i(ev_desc_ready_i), .ev_o(ev_desc_o),
    .pushed_o(tr_desc_ready_o), .pushed_slot_o(pushed_slot), .st_fetched_o
  );
  assign tr_desc_slot_o = {10'd0, pushed_slot};

  // ---- DBERR events ---------------------------------------------------------------------------
  logic [18:0] err_out;
  logic        err_ready;
  logic [2:0]  err_space;
  tern_fifo #(.Width(19), .Depth(4)) u_dberr (
    .clk_i, .rst_ni,
    .valid_i(st_bad_db_o), .ready_o(err_ready), .data_i({known_q, db_queue_i[9:0], db_fn_i}),
    .valid_o(ev_dberr_valid_o), .ready_i(ev_dberr_ready_i), .data_o(err_out), .space_o(err_space)
  );
  assign ev_dberr_o = {tern_abi_pkg::EV_DBERR, 3'd0, err_out[18], err_out[7:0], err_out[17:8],
                       6'd0};

  // ---- slots ----------------------------------------------------------------------------------
  assign in_ready_o = !beat_mine && !stage_wait;
  tern_slots #(.DataW(DataW), .NumFn(NumFn), .NumQ(NumQ), .NumSlots(NumSlots)) u_slots (
    .clk_i, .rst_ni,
    .alloc_slot_o(alloc_slot), .free_count_o(free_count), .alloc_i(alloc), .promised_i(promised),
    .stage_ok_o(in_slot_o), .stage_wait_o(stage_wait), .stage_slot_o(stage_slot),
    .stage_take_i(inl),
    .alloc_queue_i(inl ? 10'(op_queue_q) : 10'(f_queue)), .alloc_fn_i(inl ? 8'(fn_q) : f_fn),
    .slot_free_valid_i, .slot_free_i,
    .beat_near_i(beat_mine), .beat_we_i(beat_we), .beat_slot_i(beat_slot),
    .beat_index_i(beat_index), .beat_data_i(hrd_data_i),
    .in_near_i, .in_we_i, .in_word_i, .in_data_i,
    .zero_i(zero), .zero_ready_o(zero_ready), .zero_slot_i(zero_slot), .zero_index_i(zero_index),
    .sl_req_i, .sl_slot_i, .sl_word_i, .sl_gnt_o, .sl_rvalid_o, .sl_data_o, .sl_queue_o, .sl_fn_o,
    .word_valid_i, .word_ready_o, .word_slot_i, .word_high_i, .word_data_i,
    .copy_may_o, .copy_i, .copy_slot_i, .copy_valid_i, .copy_ready_o, .copy_word_i, .copy_data_i,
    .cw_valid_i, .cw_ready_o, .cw_slot_i, .cw_word_i, .cw_rvalid_o, .cw_rdata_o, .cw_queue_o,
    .own_slot_i, .own_queue_o, .share_fn_i(8'(fn_q)), .share_o(share),
    .mm_valid_i, .mm_we_i, .mm_addr_i, .mm_wdata_i,
    .mm_ready_o(mm_s_ready), .mm_rvalid_o(mm_s_rvalid), .mm_rdata_o(mm_s_rdata)
  );

  logic unused;
  assign unused = &{1'b0, list_space, err_ready, err_space, unused_bit, unused_carry};

  // A queue is in the list once, a burst has a tag of its own, promised slots exist.
  logic [9:0] soon_q;
  always_ff @(posedge clk_i) soon_q <= db_soon_i;
  always_ff @(posedge clk_i) begin
    if (rst_ni && guessed_q && db_valid_i) AsAnnounced: assert (db_queue_i == 16'(soon_q));
    if (rst_ni) ListFits: assert (!list_push || list_ready);
    if (rst_ni && alloc) Reserved: assert (free_count >= promised);
    if (rst_ni && beat_mine && hrd_last_i) TagFlies: assert (tag_busy_q[hrd_tag_i[1:0]]);
    if (rst_ni && go && !is_done) OneBurst: assert (!flying && !tag_busy_q[tag_next]);
    if (rst_ni && inl) Staged: assert (in_slot_o);
  end

endmodule

`default_nettype wire
