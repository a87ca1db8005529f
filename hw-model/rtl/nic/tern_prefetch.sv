// SPDX-License-Identifier: Apache-2.0
// Doorbells and descriptor prefetch: brings descriptors into slots and tells the firmware.
//
// The state of every queue stands in RAMs, which one engine reads and writes: a doorbell, an
// access of the firmware, the end of a burst, or the next queue to be served, two cycles each.
// An inline descriptor goes straight into a slot when nothing of its queue is ahead of it; its
// event is offered 3 cycles after the doorbell's last beat at the BAR.  Everything else is
// fetched from the ring, up to four descriptors in one host read, one read per queue and four in
// all.  Queues that wait stand in a list, each once; after one burst a queue goes to its end.
//
// Events of a queue come in ring order.  Every descriptor that was rung gets a slot and an
// event, also when its ring could not be read (HOST_FAULT, slot of zeros).  A ring that is not
// 64-byte aligned in host memory counts as unreadable.
//
// Nothing here waits for the firmware: DESC events have as many places as there are slots, and
// a DBERR event that finds no place is dropped (statistics count it all the same).
// After reset a walk marks all queues unused, one a cycle.

`default_nettype none

module tern_prefetch #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumQ     = 512,
  parameter int unsigned NumSlots = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // doorbells
  input  logic             db_valid_i,
  output logic             db_ready_o,
  input  logic [7:0]       db_fn_i,
  input  logic [15:0]      db_queue_i,
  input  logic             db_inline_i,
  input  logic             db_commit_i,
  input  logic [23:0]      db_index_i,
  input  logic [511:0]     db_desc_i,
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
  output logic [511:0]     sl_desc_o,
  output logic [DataW-1:0] sl_data_o,
  output logic [15:0]      sl_queue_o,
  output logic [7:0]       sl_fn_o,
  input  logic [5:0]       own_slot_i,
  output logic [9:0]       own_queue_o,
  input  logic [1:0]       slot_free_valid_i,
  input  logic [11:0]      slot_free_i,
  // completions, to tern_hwr: coming from the write of Q_COMPLETE until taken
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
  // words of slots for tern_hwr; while one is asked for, the register bus waits
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
  localparam int unsigned CfgW = 16;  // stop, type, function, log2 entries

  localparam logic [1:0] TypeNone = 2'(tern_abi_pkg::QTYPE_NONE);
  localparam logic [1:0] TypeSq   = 2'(tern_abi_pkg::QTYPE_SQ);

  // What the firmware has to know of a descriptor before it looks: its flags when they are the
  // ordinary ones, or what is wrong, from its first two words and the index it should have.
  function automatic logic [3:0] desc_news(input logic [7:0] flags, input logic [3:0] version,
                                           input logic [15:0] index, input logic [15:0] want);
    desc_news = flags[7:3] == '0 ? {1'b0, flags[2:0]} : 4'(tern_abi_pkg::EVERR_NONE);
    if (index != want) desc_news = 4'(tern_abi_pkg::EVERR_INDEX);
    if (version != 4'(tern_abi_pkg::DESC_VERSION)) desc_news = 4'(tern_abi_pkg::EVERR_VERSION);
  endfunction

  // ---- register bus: one access is kept until the engine takes it; writes are answered at once --
  logic        mm_hit, mm_take, mm_pend_q, mm_we_q, mm_end;
  logic [2:0]  mm_reg_q;
  logic [31:0] mm_wdata_q, mm_value;
  logic [15:0] q_sel_q;
  logic        mm_q_ready, mm_q_rvalid, mm_s_ready, mm_s_rvalid;
  logic [31:0] mm_q_rdata, mm_s_rdata;
  logic        init_q;

  localparam logic [2:0] RegSel    = tern_abi_pkg::MMIO_Q_SEL[4:2];
  localparam logic [2:0] RegBaseLo = tern_abi_pkg::MMIO_Q_BASE_LO[4:2];
  localparam logic [2:0] RegBaseHi = tern_abi_pkg::MMIO_Q_BASE_HI[4:2];
  localparam logic [2:0] RegKey    = tern_abi_pkg::MMIO_Q_KEY[4:2];
  localparam logic [2:0] RegCfg    = tern_abi_pkg::MMIO_Q_CFG[4:2];
  localparam logic [2:0] RegHead   = tern_abi_pkg::MMIO_Q_HEAD[4:2];
  localparam logic [2:0] RegDb     = tern_abi_pkg::MMIO_Q_DB[4:2];
  localparam logic [2:0] RegDone   = tern_abi_pkg::MMIO_Q_COMPLETE[4:2];

  assign mm_hit     = mm_addr_i[15:5] == tern_abi_pkg::MMIO_Q_SEL[15:5]
                      && mm_addr_i <= tern_abi_pkg::MMIO_Q_COMPLETE;
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
      mm_wdata_q <= mm_wdata_i;
    end
    mm_q_rvalid <= rst_ni && (mm_take ? mm_we_i : mm_end && !mm_we_q);
    mm_q_rdata  <= mm_end && !mm_we_q ? mm_value : '0;
  end

  // The slots have one door for words: tern_hwr first.
  logic        sw_ready, sw_rvalid, sw_mine_q;
  logic [31:0] sw_rdata;
  assign mm_s_ready  = sw_ready && !cw_valid_i;
  assign mm_s_rvalid = sw_rvalid && !sw_mine_q;
  assign mm_s_rdata  = sw_mine_q ? '0 : sw_rdata;
  assign cw_ready_o  = sw_ready;
  assign cw_rvalid_o = sw_rvalid && sw_mine_q;
  assign cw_rdata_o  = sw_rdata;
  always_ff @(posedge clk_i) if (sw_ready) sw_mine_q <= cw_valid_i;

  assign mm_ready_o  = mm_q_ready || mm_s_ready;
  assign mm_rvalid_o = mm_q_rvalid || mm_s_rvalid;
  assign mm_rdata_o  = mm_q_rdata | mm_s_rdata;

  // ---- engine, first cycle: what to do next ---------------------------------------
  localparam logic [1:0] OpDb    = 2'd0;
  localparam logic [1:0] OpMm    = 2'd1;
  localparam logic [1:0] OpEnd   = 2'd2;  // a burst has been delivered
  localparam logic [1:0] OpServe = 2'd3;

  logic          work_q, last_db_q, pick, step_end;
  logic [1:0]    op_q, op_next;
  logic [15:0]   queue_next;
  logic [QW-1:0] op_queue_q;
  logic          op_in_q;
  logic          want_db, want_mm, want_end, want_serve;
  logic          list_valid, list_pop, list_push;
  logic [QW-1:0] list_queue;
  logic          fetch_idle, fetch_sizing, tag_free, burst_end, mm_done, complete;
  logic [9:0]    end_queue;
  logic [5:0]    free_count;

  assign want_db    = db_valid_i;
  // The firmware must not change a queue between the reading of its head and the advance of it.
  assign mm_done    = mm_we_q && mm_reg_q == RegDone;
  // Nor does anybody see a completion queue between the taking of an entry and the count of it.
  assign want_mm    = mm_pend_q && !(mm_we_q && fetch_sizing) && !f_done_q && !(mm_done && !fetch_idle);
  assign want_end   = burst_end;
  assign want_serve = list_valid && fetch_idle && tag_free && free_count != '0;

  // Doorbells go first, but not twice in a row while something else waits.
  always_comb begin
    op_next    = OpDb;
    queue_next = db_queue_i;
    if (!want_db || last_db_q) begin
      if (want_mm) begin
        op_next    = OpMm;
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
  assign pick = !work_q && !init_q && (want_db || want_mm || want_end || want_serve);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      work_q    <= 1'b0;
      last_db_q <= 1'b0;
    end else begin
      if (pick) begin
        work_q    <= 1'b1;
        last_db_q <= op_next == OpDb;
      end else if (step_end) work_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick) begin
      op_q       <= op_next;
      op_queue_q <= queue_next[QW-1:0];
      op_in_q    <= 17'(queue_next) < 17'(NumQ);
    end
  end

  // ---- queue RAMs ---------------------------------------------------------------------
  logic [QW-1:0]   qr, qw, init_cnt_q, head_w;
  logic [31:0]     base_lo, base_hi, key;
  logic [CfgW-1:0] cfg, cfg_new;
  logic [23:0]     head, db, head_new, db_new, head_wdata;
  logic            mm_write, cfg_we, head_we, db_we, f_head_we, f_head_go;
  logic [QW-1:0]   f_queue_q;
  logic [23:0]     f_head_next;

  assign qr       = queue_next[QW-1:0];
  assign qw       = op_queue_q;
  assign mm_write = work_q && op_q == OpMm && mm_we_q && op_in_q;
  assign complete = mm_write && mm_reg_q == RegDone;
  assign cfg_we   = mm_write && mm_reg_q == RegCfg;
  assign cfg_new  = {mm_wdata_q[24], mm_wdata_q[17:16], mm_wdata_q[15:8], mm_wdata_q[4:0]};
  // The fetcher advances a head when the engine does not need the port.
  assign f_head_go  = f_head_we && !head_we;
  assign head_w     = head_we ? qw : f_queue_q;
  assign head_wdata = head_we ? head_new : f_head_next;

  tern_ram #(.Width(32), .Words(NumQ)) u_base_lo (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(base_lo),
    .we_i(mm_write && mm_reg_q == RegBaseLo), .waddr_i(qw), .wdata_i(mm_wdata_q)
  );
  tern_ram #(.Width(32), .Words(NumQ)) u_base_hi (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(base_hi),
    .we_i(mm_write && mm_reg_q == RegBaseHi), .waddr_i(qw), .wdata_i(mm_wdata_q)
  );
  tern_ram #(.Width(32), .Words(NumQ)) u_key (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(key),
    .we_i(mm_write && mm_reg_q == RegKey), .waddr_i(qw), .wdata_i(mm_wdata_q)
  );
  tern_ram #(.Width(CfgW), .Words(NumQ)) u_cfg (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(cfg),
    .we_i(cfg_we || init_q), .waddr_i(init_q ? init_cnt_q : qw), .wdata_i(init_q ? '0 : cfg_new)
  );
  tern_ram #(.Width(24), .Words(NumQ)) u_head (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(head),
    .we_i(head_we || f_head_go), .waddr_i(head_w), .wdata_i(head_wdata)
  );
  tern_ram #(.Width(24), .Words(NumQ)) u_db (
    .clk_i, .ren_i(pick), .raddr_i(qr), .rdata_o(db),
    .we_i(db_we), .waddr_i(qw), .wdata_i(db_new)
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

  // ---- engine, second cycle: decide and write back ---------------------------------------
  logic        stop, is_sq;
  logic [1:0]  qtype;
  logic [7:0]  q_fn;
  logic [4:0]  q_log2;
  logic [23:0] rung, entries;
  logic        do_db, do_mm, do_end, do_serve;
  logic        known, leaves, db_bad, in_order, inl, inl_wait, row_ready, ev_space_ok;
  logic [NumQ-1:0] listed_q, flying_q;  // stands in the list; has a burst under way
  logic        listed, flying;
  logic [2:0]  reserved_q;

  assign {stop, qtype, q_fn, q_log2} = cfg;
  assign is_sq    = qtype == TypeSq;
  assign do_db    = work_q && op_q == OpDb;
  assign do_mm    = work_q && op_q == OpMm;
  assign do_end   = work_q && op_q == OpEnd;
  assign do_serve = work_q && op_q == OpServe;
  assign listed   = listed_q[qw];
  assign flying   = flying_q[qw];

  assign known    = op_in_q && qtype != TypeNone && q_fn == db_fn_i;
  assign rung     = db_commit_i ? db + 24'd1 : db_index_i;
  assign entries  = 24'd1 << q_log2;
  assign leaves   = is_sq && (rung - head) > entries;
  assign db_bad   = !known || leaves;
  // Inline only if no descriptor of the queue is ahead of this one, in the ring or on its way.
  assign in_order = head == db && !flying && !stop;
  assign inl      = do_db && db_inline_i && db_commit_i && known && is_sq && in_order
                    && free_count > 6'(reserved_q) && ev_space_ok;
  assign inl_wait = inl && !row_ready;

  assign step_end   = work_q && !inl_wait;
  assign db_ready_o = do_db && step_end;
  assign mm_end     = do_mm;

  assign st_doorbell_o = db_ready_o && !db_bad;
  assign st_bad_db_o   = db_ready_o && db_bad;
  assign st_inline_o   = inl && row_ready;

  always_comb begin
    head_we  = st_inline_o;
    head_new = head + 24'd1;
    db_we    = st_doorbell_o;
    db_new   = rung;
    if (mm_write) begin
      head_we  = mm_reg_q == RegHead;
      head_new = mm_wdata_q[23:0];
      db_we    = mm_reg_q == RegDb;
      db_new   = mm_wdata_q[23:0];
    end
  end

  always_comb begin
    mm_value = '0;
    if (op_in_q) begin
      case (mm_reg_q)
        RegBaseLo: mm_value = base_lo;
        RegBaseHi: mm_value = base_hi;
        RegKey:    mm_value = key;
        RegCfg:    mm_value = {7'd0, stop, 6'd0, qtype, q_fn, 3'd0, q_log2};
        RegHead:   mm_value = {8'd0, head};
        RegDb:     mm_value = {8'd0, db};
        default: ;
      endcase
    end
    if (mm_reg_q == RegSel) mm_value = {16'd0, q_sel_q};
  end

  // ---- the list of queues that wait ------------------------------------------------------
  logic behind, may_wait, serve;

  // Something is rung and not fetched, as it will stand after this step.
  always_comb begin
    behind   = head != db;
    may_wait = is_sq && !stop;
    if (do_db) behind = !db_bad && rung != head;
    if (do_mm && mm_reg_q == RegDb) behind = mm_wdata_q[23:0] != head;
    if (do_mm && mm_reg_q == RegCfg) may_wait = cfg_new[14:13] == TypeSq && !cfg_new[15];
  end

  assign list_push = step_end && behind && may_wait && !listed && (!flying || do_end)
                     && (do_end || (do_db && !inl)
                         || (mm_write && (mm_reg_q == RegDb || mm_reg_q == RegCfg)));
  assign list_pop  = do_serve;
  assign serve     = do_serve && behind && may_wait;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      listed_q <= '0;
      flying_q <= '0;
    end else begin
      if (list_push) listed_q[qw] <= 1'b1;
      if (list_pop)  listed_q[qw] <= 1'b0;
      if (serve)  flying_q[qw] <= 1'b1;
      if (do_end) flying_q[qw] <= 1'b0;
    end
  end

  logic          list_ready;
  logic [QW:0]   list_space;
  tern_fifo #(.Width(QW), .Depth(NumQ)) u_list (
    .clk_i, .rst_ni,
    .valid_i(list_push), .ready_o(list_ready), .data_i(qw),
    .valid_o(list_valid), .ready_i(list_pop), .data_o(list_queue), .space_o(list_space)
  );

  // ---- fetch: size, key check, slots, host read --------------------------------------------
  typedef enum logic [2:0] {FIdle, FSize, FCheck, FWait, FAlloc, FIssue, FRefuse, FDone} fetch_e;
  fetch_e      f_state_q;
  logic [63:0] f_base_q, f_addr_q;
  logic [31:0] f_key_q;
  logic [23:0] f_head_q, f_avail_q;
  logic [4:0]  f_log2_q;
  logic [7:0]  f_fn_q;
  logic [1:0]  f_tag_q, f_slot_q;
  logic [2:0]  f_n_q, f_n, f_n_page;
  logic        f_refused_q, f_refuse, f_head_done_q, f_alloc, f_alloc_last, refuse_done;
  logic        f_done_q;   // not a fetch: the next entry of a completion queue
  logic [3:0]  tag_busy_q;
  logic [1:0]  tag_next;
  logic [23:0] f_pos, f_to_end;
  logic [6:0]  f_to_page;
  logic [5:0]  alloc_slot;

  assign fetch_idle   = f_state_q == FIdle;
  assign fetch_sizing = f_state_q != FIdle && f_state_q != FIssue && f_state_q != FRefuse;
  assign tag_free     = tag_busy_q != 4'hf;
  assign tag_next     = !tag_busy_q[0] ? 2'd0 : !tag_busy_q[1] ? 2'd1 : !tag_busy_q[2] ? 2'd2 : 2'd3;

  assign f_pos     = f_head_q & ((24'd1 << f_log2_q) - 24'd1);
  assign f_to_end  = (24'd1 << f_log2_q) - f_pos;
  assign f_to_page = 7'd64 - {1'b0, ck_haddr_i[11:6]};
  always_comb begin
    f_n = 3'd4;
    if (f_avail_q < 24'd4)   f_n = f_avail_q[2:0];
    if (f_to_end < 24'(f_n)) f_n = f_to_end[2:0];
    if (free_count < 6'(f_n)) f_n = free_count[2:0];
  end
  assign f_n_page = f_to_page < 7'(f_n_q) ? f_to_page[2:0] : f_n_q;
  assign f_refuse = ck_status_i != tern_abi_pkg::ST_OK || ck_haddr_i[5:0] != '0;

  // The engine's inline descriptor takes its slot first.
  assign f_alloc      = f_state_q == FAlloc && !st_inline_o && reserved_q != '0;
  assign f_alloc_last = reserved_q == '0 && f_head_done_q;
  assign f_head_we    = (f_state_q == FAlloc || f_state_q == FDone) && !f_head_done_q;
  assign f_head_next  = f_head_q + 24'(f_n_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_state_q  <= FIdle;
      reserved_q <= '0;
    end else begin
      case (f_state_q)
        FIdle:  if (serve || complete) f_state_q <= FSize;
        FSize: begin
          if (!f_done_q) reserved_q <= f_n;
          f_state_q  <= f_done_q ? FDone : FCheck;
        end
        FCheck: if (ck_ready_i) f_state_q <= FWait;
        FWait: if (ck_done_i) begin
          if (!f_refuse) reserved_q <= f_n_page;
          f_state_q <= FAlloc;
        end
        FAlloc: begin
          if (f_alloc) reserved_q <= reserved_q - 1'b1;
          if (f_alloc_last) f_state_q <= f_refused_q ? FRefuse : FIssue;
        end
        FIssue:  if (pf_hrq_ready_i) f_state_q <= FIdle;
        FRefuse: if (refuse_done) f_state_q <= FIdle;
        FDone:   if (f_head_done_q && cq_ready_i) f_state_q <= FIdle;
        default: f_state_q <= FIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (serve || complete) begin
      f_base_q  <= {base_hi, base_lo};
      f_key_q   <= key;
      f_head_q  <= head;
      f_avail_q <= db - head;
      f_log2_q  <= q_log2;
      f_fn_q    <= q_fn;
      f_queue_q <= qw;
      f_tag_q   <= tag_next;
    end
    if (f_state_q == FSize) begin
      f_n_q    <= f_done_q ? 3'd1 : f_n;
      f_addr_q <= f_base_q + (f_done_q ? {35'd0, f_pos, 5'd0} : {34'd0, f_pos, 6'd0});
      f_head_done_q <= 1'b0;
    end
    if (f_state_q == FWait && ck_done_i) begin
      f_refused_q   <= f_refuse;
      f_head_done_q <= 1'b0;
      f_slot_q      <= 2'd0;
      if (!f_refuse) begin
        f_n_q    <= f_n_page;
        f_addr_q <= ck_haddr_i;
      end
    end
    if (f_head_go) f_head_done_q <= 1'b1;
    if (f_alloc) f_slot_q <= f_slot_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_done_q <= 1'b0;
    else if (complete) f_done_q <= 1'b1;
    else if (cq_valid_o && cq_ready_i) f_done_q <= 1'b0;
  end
  always_ff @(posedge clk_i) if (complete) cq_slot_o <= mm_wdata_q[tern_abi_pkg::QDN_SLOT_LSB+:6];

  assign cq_coming_o = f_done_q || (mm_pend_q && mm_done);
  assign cq_valid_o  = f_state_q == FDone && f_head_done_q;
  assign cq_queue_o  = 10'(f_queue_q);
  assign cq_addr_o   = f_addr_q;
  assign cq_key_o    = f_key_q;
  assign cq_fn_o     = f_fn_q;
  assign cq_lap_o    = f_head_q;
  assign cq_phase_o  = !f_head_q[f_log2_q];

  assign ck_valid_o     = f_state_q == FCheck;
  assign ck_key_o       = f_key_q;
  assign ck_addr_o      = f_addr_q;
  assign ck_bytes_o     = {23'd0, f_n_q, 6'd0};
  assign ck_fn_o        = f_fn_q;
  assign pf_hrq_valid_o = f_state_q == FIssue;
  assign pf_hrq_fn_o    = f_fn_q;
  assign pf_hrq_addr_o  = f_addr_q;
  assign pf_hrq_bytes_o = {f_n_q, 6'd0};
  assign pf_hrq_tag_o   = f_tag_q;

  // What each burst under way was asked for.
  logic [QW-1:0] b_queue [0:3];
  logic [2:0]    b_n     [0:3];
  logic [15:0]   b_index [0:3];
  logic [5:0]    b_slot  [0:15];
  always_ff @(posedge clk_i) begin
    if (f_state_q == FAlloc) begin
      b_queue[f_tag_q] <= f_queue_q;
      b_n[f_tag_q]     <= f_n_q;
      b_index[f_tag_q] <= f_head_q[15:0];
    end
    if (f_alloc) b_slot[{f_tag_q, f_slot_q}] <= alloc_slot;
  end

  // ---- read data into the slots -----------------------------------------------------------
  localparam int unsigned DescBeats = 512 / DataW;
  localparam int unsigned DescBeatW = $clog2(DescBeats);

  logic                 beat_mine, beat_we, beat_meta, fault_q, burst_last, burst_fault;
  logic [DescBeatW+2:0] beat_q, beat_count;
  logic [1:0]           beat_tag;
  logic [2:0]           beat_desc;
  logic [5:0]           beat_slot;
  logic [11:0]          beat_status, meta;
  logic [63:0]          first_words;

  assign beat_mine   = hrd_valid_i && hrd_tag_i[3:2] == 2'b10;
  assign beat_tag    = hrd_tag_i[1:0];
  assign beat_desc   = beat_q[DescBeatW+2:DescBeatW];
  assign beat_we     = beat_mine && beat_desc < b_n[beat_tag];
  assign beat_slot   = b_slot[{beat_tag, beat_desc[1:0]}];
  assign beat_count  = {b_n[beat_tag], {DescBeatW{1'b0}}};
  assign burst_last  = beat_mine && hrd_last_i;
  // An answer that is too short or too long is no better than a failed one.
  assign burst_fault = fault_q || hrd_err_i || beat_q + 1'b1 != beat_count;

  if (DataW == 64) begin : g_first64
    assign first_words = hrd_data_i;
    assign beat_meta   = beat_we && beat_q[DescBeatW-1:0] == '0;
  end else begin : g_first32
    logic [31:0] word0_q;
    always_ff @(posedge clk_i) if (beat_mine) word0_q <= hrd_data_i;
    assign first_words = {hrd_data_i, word0_q};
    assign beat_meta   = beat_we && beat_q[DescBeatW-1:0] == DescBeatW'(1);
  end

  assign beat_status = {desc_news(first_words[tern_abi_pkg::DESC_FLAGS_LSB+:8],
                                  first_words[tern_abi_pkg::DESC_VERSION_LSB+:4],
                                  first_words[tern_abi_pkg::DESC_INDEX_LSB+:16],
                                  b_index[beat_tag] + 16'(beat_desc)),
                        first_words[tern_abi_pkg::DESC_OPCODE_LSB+:8]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      fault_q <= 1'b0;
    end else if (beat_mine) begin
      beat_q  <= hrd_last_i ? '0 : beat_q == '1 ? beat_q : beat_q + 1'b1;
      fault_q <= !hrd_last_i && (fault_q || hrd_err_i);
    end
  end

  // ---- bursts that ended: one event for each descriptor, then the engine ---------------------
  logic        d_push, d_ready, d_valid, d_fault, d_pop;
  logic [1:0]  d_tag;
  logic [2:0]  d_space;
  logic [2:0]  walk_q;
  logic        walk, walk_event, walk_row;
  logic [5:0]  walk_slot;
  logic [27:0] walk_word, inl_word, ev_in, ev_out;
  logic        ev_push, ev_ready;
  logic [11:0] inl_status;

  assign refuse_done = f_state_q == FRefuse && !burst_last;
  assign d_push      = burst_last || refuse_done;

  tern_fifo #(.Width(3), .Depth(4)) u_ended (
    .clk_i, .rst_ni,
    .valid_i(d_push), .ready_o(d_ready),
    .data_i(burst_last ? {beat_tag, burst_fault} : {f_tag_q, 1'b1}),
    .valid_o(d_valid), .ready_i(d_pop), .data_o({d_tag, d_fault}), .space_o(d_space)
  );
  tern_lutram #(.Width(12), .Words(16)) u_meta (
    .clk_i, .raddr_i({d_tag, walk_q[1:0]}), .rdata_o(meta),
    .we_i(beat_meta), .waddr_i({beat_tag, beat_desc[1:0]}), .wdata_i(beat_status)
  );

  // The engine's inline descriptor uses row port and event FIFO first.
  assign walk       = d_valid && walk_q != b_n[d_tag];
  assign walk_row   = walk && d_fault && !inl;
  assign walk_event = walk && !inl && ev_space_ok && (!d_fault || row_ready);
  assign walk_slot  = b_slot[{d_tag, walk_q[1:0]}];
  assign burst_end  = d_valid && !walk;
  assign end_queue  = 10'(b_queue[d_tag]);
  assign d_pop      = do_end;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_q     <= '0;
      tag_busy_q <= '0;
    end else begin
      if (d_pop) walk_q <= '0;
      else if (walk_event) walk_q <= walk_q + 1'b1;
      if (serve) tag_busy_q[tag_next] <= 1'b1;
      if (d_pop) tag_busy_q[d_tag] <= 1'b0;
    end
  end
  assign st_fetched_o = walk_event && !d_fault;

  // ---- DESC events ----------------------------------------------------------------------------
  logic [$clog2(NumSlots):0] ev_space;

  assign inl_status = {desc_news(db_desc_i[tern_abi_pkg::DESC_FLAGS_LSB+:8],
                                 db_desc_i[tern_abi_pkg::DESC_VERSION_LSB+:4],
                                 db_desc_i[tern_abi_pkg::DESC_INDEX_LSB+:16], head[15:0]),
                       db_desc_i[tern_abi_pkg::DESC_OPCODE_LSB+:8]};
  assign inl_word   = {inl_status, 10'(qw), alloc_slot};
  assign walk_word  = {d_fault ? {4'(tern_abi_pkg::EVERR_HOST_FAULT), 8'd0} : meta,
                       10'(b_queue[d_tag]), walk_slot};
  assign ev_push     = st_inline_o || walk_event;
  assign ev_in       = st_inline_o ? inl_word : walk_word;
  assign ev_space_ok = ev_ready;

  tern_fifo #(.Width(28), .Depth(NumSlots)) u_desc (
    .clk_i, .rst_ni,
    .valid_i(ev_push), .ready_o(ev_ready), .data_i(ev_in),
    .valid_o(ev_desc_valid_o), .ready_i(ev_desc_ready_i), .data_o(ev_out), .space_o(ev_space)
  );
  assign ev_desc_o       = {tern_abi_pkg::EV_DESC, ev_out};
  assign tr_desc_ready_o = ev_push;
  assign tr_desc_slot_o  = {10'd0, ev_in[5:0]};

  // ---- DBERR events ---------------------------------------------------------------------------
  logic [18:0] err_out;
  logic        err_ready;
  logic [2:0]  err_space;
  tern_fifo #(.Width(19), .Depth(4)) u_dberr (
    .clk_i, .rst_ni,
    .valid_i(st_bad_db_o), .ready_o(err_ready), .data_i({known, db_queue_i[9:0], db_fn_i}),
    .valid_o(ev_dberr_valid_o), .ready_i(ev_dberr_ready_i), .data_o(err_out), .space_o(err_space)
  );
  assign ev_dberr_o = {tern_abi_pkg::EV_DBERR, 3'd0, err_out[18], err_out[7:0], err_out[17:8], 6'd0};

  // ---- slots ----------------------------------------------------------------------------------
  tern_slots #(.DataW(DataW), .NumSlots(NumSlots)) u_slots (
    .clk_i, .rst_ni,
    .alloc_slot_o(alloc_slot), .free_count_o(free_count), .alloc_i(st_inline_o || f_alloc),
    .alloc_queue_i(st_inline_o ? 10'(qw) : 10'(f_queue_q)),
    .alloc_fn_i(st_inline_o ? db_fn_i : f_fn_q),
    .slot_free_valid_i, .slot_free_i,
    .beat_we_i(beat_we), .beat_slot_i(beat_slot),
    .beat_index_i(4'(beat_q[DescBeatW-1:0])), .beat_data_i(hrd_data_i),
    .row_we_i(inl || walk_row), .row_ready_o(row_ready),
    .row_slot_i(inl ? alloc_slot : walk_slot), .row_zero_i(!inl), .row_data_i(db_desc_i),
    .sl_req_i, .sl_slot_i, .sl_word_i, .sl_gnt_o, .sl_rvalid_o, .sl_desc_o, .sl_data_o, .sl_queue_o,
    .sl_fn_o,
    .own_slot_i, .own_queue_o,
    .mm_valid_i(cw_valid_i || mm_valid_i), .mm_we_i(!cw_valid_i && mm_we_i),
    .mm_addr_i(cw_valid_i ? {tern_abi_pkg::MMIO_SLOT[15:12], cw_slot_i, cw_word_i, 2'b0} : mm_addr_i), .mm_wdata_i,
    .mm_ready_o(sw_ready), .mm_rvalid_o(sw_rvalid), .mm_rdata_o(sw_rdata), .mm_queue_o(cw_queue_o)
  );

  logic unused;
  assign unused = &{1'b0, list_space, d_space, ev_space, err_ready, err_space, f_to_end[23:3],
                    first_words[63:48], first_words[31:20]};

  // A queue stands in the list once, a burst has a tag of its own, slots that were promised exist.
  always_ff @(posedge clk_i) begin
    if (rst_ni) ListFits: assert (!list_push || list_ready);
    if (rst_ni) EndedFits: assert (!d_push || d_ready);
    if (rst_ni) Reserved: assert (free_count >= 6'(reserved_q));
    if (rst_ni && burst_last) TagFlies: assert (tag_busy_q[beat_tag]);
    if (rst_ni && serve) OneBurst: assert (!flying && !tag_busy_q[tag_next]);
  end

endmodule

`default_nettype wire
