// SPDX-License-Identifier: Apache-2.0
// Host writes of the firmware: takes commands, has their addresses checked, passes them on.
//
// HW_GO makes a command of the register writes since the one before. Seven commands wait here
// (HW_SPACE reads the free places) and leave in order. An interrupt needs no check. HWR is raised
// for a refused or failed write, or on request. A receive slot named with `free_slot` is freed once
// its payload was read, or at once if the write is refused.
//
// The registers are a row of block RAM, and each command is a row; HW_GO opens the next. A command
// asks for its check 8 cycles after HW_GO.
//
// Completions (Q_COMPLETE) come from tern_prefetch, which finds the entry in the queue. They are
// written into a row word by word, mostly from the descriptor slot, which is then freed. The
// destination comes first in the row: with no command before it, it is checked while the rest is
// written. Firmware accesses wait meanwhile, so all commands keep their order; HW_SPACE counts the
// place at once.
//
// Eight commands may await answers. While as many events wait for the firmware, commands wait too:
// no event is lost.

`default_nettype none

module tern_hwr #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // register bus
  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,
  // completions: `cq_coming_i` holds from the write of Q_COMPLETE until this block takes it
  input  logic             cq_coming_i,
  input  logic             cq_valid_i,
  output logic             cq_ready_o,
  input  logic [5:0]       cq_slot_i,
  input  logic [9:0]       cq_queue_i,
  input  logic [63:0]      cq_addr_i,
  input  logic [31:0]      cq_key_i,
  input  logic [7:0]       cq_fn_i,
  input  logic [23:0]      cq_lap_i,
  input  logic             cq_phase_i,
  // words of the slot and its queue; freeing of the slot
  output logic             cw_valid_o,
  input  logic             cw_ready_i,
  output logic [5:0]       cw_slot_o,
  output logic [3:0]       cw_word_o,
  input  logic             cw_rvalid_i,
  input  logic [31:0]      cw_rdata_i,
  input  logic [9:0]       cw_queue_i,
  output logic             slot_free_valid_o,
  input  logic             slot_free_ready_i,
  // key check, right LOCAL_WRITE
  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,
  // to tern_dma_wr; an interrupt has two bytes, its vector as data
  output logic             fwc_valid_o,
  input  logic             fwc_ready_i,
  output logic [1:0]       fwc_kind_o,
  output logic [4:0]       fwc_slot_o,
  output logic [10:0]      fwc_bytes_o,
  output logic [7:0]       fwc_fn_o,
  output logic [63:0]      fwc_addr_o,
  output logic [11:0]      fwc_id_o,
  input  logic             fwc_read_done_i,   // before the next command shows
  input  logic             fwd_valid_i,
  input  logic             fwd_err_i,
  // data of the command, while it is valid: a beat one cycle after the request
  input  logic             fd_req_i,
  input  logic [2:0]       fd_beat_i,
  output logic [DataW-1:0] fd_rdata_o,
  // event and receive slot
  output logic             ev_hwr_valid_o,
  input  logic             ev_hwr_ready_i,
  output logic [31:0]      ev_hwr_o,
  output logic             rxfree_valid_o,
  output logic [5:0]       rxfree_slot_o
);

  localparam logic [1:0] KindData = 2'd0;
  localparam logic [1:0] KindSlot = 2'd1;
  localparam logic [1:0] KindIrq  = 2'd2;
  localparam int unsigned Wait  = 8;
  localparam int unsigned TagW  = 12;
  localparam logic [2:0] Rows   = 3'd7;  // plus the one being written

  // Words of a row, in the order of the registers; the last register before the data is not stored.
  localparam int unsigned Banks = DataW / 32;
  localparam int unsigned BankW = $clog2(Banks);
  localparam int unsigned LineW = 4 - BankW;     // a line: one word of each bank
  localparam logic [3:0] WordKey  = 4'd2;
  localparam logic [3:0] WordGo   = 4'd4;
  localparam logic [3:0] WordRoom = 4'd5;
  localparam logic [3:0] WordData = 4'd8;
  localparam logic [LineW-1:0] FirstData = LineW'(WordData >> BankW);

  // ---- register bus ------------------------------------------------------------
  logic       hit, take, mm_write, write, go;
  logic [3:0] mm_word;
  logic [31:0] wdata;
  logic [2:0] space_q, tail_q, head_q;   // tail: the row being written
  logic       c_pop;

  logic       done_busy_q, done_mine;    // a completion is being written
  logic       put_q, last_q;             // it writes a word now; the last one
  logic       mm_write_q;                // the firmware writes a word now
  logic [3:0] word_q;

  assign mm_word    = mm_addr_i[5:2];
  assign hit        = mm_addr_i[15:6] == tern_abi_pkg::MMIO_HW_ADDR_LO[15:6] &&
      mm_word[3:1] != 3'd3;
  assign done_mine  = cq_coming_i || done_busy_q || put_q;
  assign mm_ready_o = hit && (mm_word == WordRoom || !done_mine);
  assign take       = mm_valid_i && mm_ready_o;
  assign mm_write   = take && mm_we_i && mm_word != WordRoom;
  assign write      = mm_write_q || put_q;
  assign go         = (mm_write_q && word_q == WordGo && space_q != '0) || last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      space_q <= Rows;
      tail_q  <= '0;
      head_q  <= '0;
    end else begin
      if (go)    tail_q <= tail_q + 1'b1;
      if (c_pop) head_q <= head_q + 1'b1;
      if (go != c_pop) space_q <= space_q + {{2{go}}, 1'b1};
    end
  end

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && take;
    mm_rdata_o  <= '0;
    if (take && !mm_we_i && mm_word == WordRoom) mm_rdata_o[2:0] <= space_q - 3'(done_mine);
  end

  // ---- completions: the words of a row, most of them from the slot ---------------------
  // Address, owner and entry come first, so that tern_prefetch can drop them. If there is room at
  // StepGo, there still is at the end.
  localparam logic [3:0] StepGo    = WordGo;
  localparam logic [3:0] StepLap   = 4'd5;
  localparam logic [3:0] StepWords = 4'd6;   // words 0 to 6 of the completion
  logic [3:0] step_q;
  logic [9:0] queue_q;
  logic [5:0] slot_q, inline_len_q;
  logic       inline_q, result_q, asked_q, freeing_q, reads, step_end;
  logic       is_opcode, is_index, is_length, is_value, is_node, done_end;

  assign is_opcode = step_q == StepWords;
  assign is_index  = step_q == StepWords + 4'd1;
  assign is_length = step_q == StepWords + 4'd2;
  assign is_value  = result_q && (step_q == StepWords + 4'd4 || step_q == StepWords + 4'd5);
  assign is_node   = step_q == StepWords + 4'd6;

  assign reads      = is_opcode || is_index || is_length || is_value || is_node;
  assign step_end   = reads ? cw_rvalid_i : step_q != StepGo || space_q != '0;
  assign done_end   = done_busy_q && is_node && step_end;   // node is the last word
  assign cq_ready_o = done_busy_q && step_q == StepLap;
  assign cw_valid_o = done_busy_q && reads && !asked_q;
  assign cw_slot_o  = slot_q;
  assign slot_free_valid_o = freeing_q;

  // Each source has a register of its own, 0 unless it writes now, and the row gets their OR. The
  // firmware's write of the cycle before is one of them.
  logic [31:0] mm_q, addr_lo_q, addr_hi_q, key_q, slot_word_q, lap_q, other, other_q;

  always_comb begin
    cw_word_o = 4'(tern_abi_pkg::DESC_OPCODE_LSB / 32);
    other = '0;
    case (step_q)
      4'd3: other = 32'(cq_fn_i);
      StepWords: other[tern_abi_pkg::CQE_OPCODE_LSB+:8] =
                   cw_rdata_i[tern_abi_pkg::DESC_OPCODE_LSB+:8];
      StepWords + 4'd1: begin
        cw_word_o = 4'(tern_abi_pkg::DESC_INDEX_LSB / 32);
        other[tern_abi_pkg::CQE_QUEUE_LSB%32+:10] = cw_queue_i;
      end
      StepWords + 4'd2: begin
        cw_word_o = 4'(tern_abi_pkg::DESC_LENGTH_LSB / 32);
        if (inline_q) other = 32'(inline_len_q);
      end
      StepWords + 4'd4: cw_word_o = 4'(tern_abi_pkg::ATR_VALUE_LSB / 32);
      StepWords + 4'd5: cw_word_o = 4'(tern_abi_pkg::ATR_VALUE_LSB / 32 + 1);
      StepWords + 4'd6: cw_word_o = 4'(tern_abi_pkg::DESC_DST_NODE_LSB / 32);
      StepGo: begin
        other[tern_abi_pkg::HWG_BYTES_LSB+:11] = 11'(tern_abi_pkg::CQE_BYTES);
        other[tern_abi_pkg::HWG_TAG_LSB+:TagW] = TagW'(tern_abi_pkg::HWTAG_CQ) | TagW'(queue_q);
      end
      default: ;
    endcase
  end

  assign wdata = mm_q | addr_lo_q | addr_hi_q | key_q | slot_word_q | lap_q | other_q;
  always_ff @(posedge clk_i) begin
    mm_write_q <= rst_ni && mm_write;
    put_q      <= rst_ni && done_busy_q && step_end;
    last_q     <= rst_ni && done_end;
    word_q     <= !done_busy_q ? mm_word : step_q < StepLap ? step_q : step_q == StepLap ? 4'd15
                  : step_q + (WordData - StepWords);
    if (mm_write)       mm_q <= mm_wdata_i;
    else                mm_q <= '0;
    if (step_q == 4'd0 && done_busy_q) addr_lo_q <= cq_addr_i[31:0];
    else                               addr_lo_q <= '0;
    if (step_q == 4'd1) addr_hi_q <= cq_addr_i[63:32];
    else                addr_hi_q <= '0;
    if (step_q == 4'd2) key_q <= cq_key_i;
    else                key_q <= '0;
    if (step_q == StepLap) lap_q <= {cq_phase_i, 7'd0, cq_lap_i};
    else                   lap_q <= '0;
    // Index and node (16 bits each) have the same place in the slot's words as in the completion's.
    if (is_value || (is_length && !inline_q)) slot_word_q[31:16] <= cw_rdata_i[31:16];
    else                        slot_word_q[31:16] <= '0;
    if (is_index || is_value || is_node ||
        (is_length && !inline_q)) slot_word_q[15:0] <= cw_rdata_i[15:0];
    else                                                 slot_word_q[15:0] <= '0;
    other_q <= other;
  end

  // Freeing the slot runs on its own; the next completion waits for it.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_busy_q <= 1'b0;
      asked_q     <= 1'b0;
      freeing_q   <= 1'b0;
    end else begin
      if (!done_busy_q) done_busy_q <= cq_valid_i && !freeing_q;
      else if (done_end) done_busy_q <= 1'b0;
      if (cw_valid_o && cw_ready_i) asked_q <= 1'b1;
      else if (step_end) asked_q <= 1'b0;
      if (done_end) freeing_q <= 1'b1;
      else if (slot_free_ready_i) freeing_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!done_busy_q) step_q <= '0;
    else if (step_end) step_q <= step_q + 1'b1;
    if (!done_busy_q && !freeing_q) begin
      slot_q  <= cq_slot_i;
      queue_q <= cq_queue_i;
    end
    if (is_opcode && cw_rvalid_i) begin
      result_q     <= cw_rdata_i[tern_abi_pkg::DESC_RESULT_LSB];
      inline_q     <= (cw_rdata_i[tern_abi_pkg::DESC_FLAGS_LSB+:8]
                       & 8'(tern_abi_pkg::DFLAG_INLINE)) != '0;
      inline_len_q <= cw_rdata_i[tern_abi_pkg::DESC_INLINE_LEN_LSB+:6];
    end
  end

  // ---- rows --------------------------------------------------------------------------
  logic [LineW+2:0] raddr, waddr;
  logic [LineW-1:0] use_line;
  logic             ren, use_read;

  assign ren   = use_read;
  assign raddr = {head_q, use_line};
  assign waddr = {tail_q, word_q[3:BankW]};

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic        here;
    logic [31:0] rdata;
    assign here = Banks == 1 || 32'(word_q) % Banks == b;
    tern_ram #(.Width(32), .Words(8 << LineW), .Block(1'b1)) u_rows (
      .clk_i, .ren_i(ren), .raddr_i(raddr), .rdata_o(rdata),
      .we_i(write && here), .waddr_i(waddr), .wdata_i(wdata)
    );
    assign fd_rdata_o[32*b+:32] = rdata;
  end

  // ---- a command: read its fields, check them, pass it on ---------------------------------
  typedef enum logic [2:0] {StIdle, StRead, StJudge, StAsk, StAnswer, StSend, StRefuse} state_e;
  state_e      state_q;
  logic [2:0]  field_q;         // word being read; the one before has arrived
  logic [31:0] field;
  logic [3:0]  status_q;
  logic        begins, too_long, bad_kind, admit, refuse_done;
  logic        notify_q, free_q;

  // With no complete command waiting, a completion begins once its first fields are in the row.
  logic whole;
  assign whole  = space_q != Rows;
  assign begins = state_q == StIdle && (whole || (done_busy_q && step_q > StepLap)) && admit;
  assign field  = fd_rdata_o[32 * ((32'(field_q) + Banks - 1) % Banks) +: 32];

  // Words 0 to 4, then the data. An interrupt's vector is in the place of the key.
  always_comb begin
    use_line = LineW'({1'b0, field_q} >> BankW);
    if (fwc_valid_o)
      use_line = fwc_kind_o == KindIrq ? LineW'(WordKey >> BankW)
                                       : FirstData + LineW'(fd_beat_i);
  end
  assign use_read = begins || state_q == StRead || fd_req_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) field_q <= '0;
    else if (begins || state_q == StRead) field_q <= field_q + 1'b1;
    else field_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (field_q == 3'd1) ck_addr_o[31:0]  <= field;
    if (field_q == 3'd2) ck_addr_o[63:32] <= field;
    if (field_q == 3'd3) ck_key_o         <= field;
    if (field_q == 3'd4) ck_fn_o          <= field[7:0];
    if (field_q == 3'd5) begin
      fwc_kind_o <= field[tern_abi_pkg::HWG_KIND_LSB+:2];
      fwc_slot_o <= field[tern_abi_pkg::HWG_RXSLOT_LSB+:5];
      fwc_id_o   <= field[tern_abi_pkg::HWG_TAG_LSB+:TagW];
      notify_q   <= field[tern_abi_pkg::HWG_NOTIFY_LSB];
      free_q     <= field[tern_abi_pkg::HWG_FREE_SLOT_LSB]
                    && field[tern_abi_pkg::HWG_KIND_LSB+:2] == KindSlot;
    end
    if (state_q == StJudge && fwc_kind_o == KindIrq) fwc_bytes_o <= 11'd2;
    else if (field_q == 3'd5) fwc_bytes_o <= field[tern_abi_pkg::HWG_BYTES_LSB+:11];
  end

  // Both limits are powers of two.
  localparam int unsigned DataL = $clog2(tern_abi_pkg::INLINE_BYTES_MAX);
  localparam int unsigned SlotL = $clog2(MaxPayload);
  logic over_data, over_slot;
  assign over_data = fwc_bytes_o[10:DataL+1] != '0
                     || (fwc_bytes_o[DataL] && fwc_bytes_o[DataL-1:0] != '0);
  assign over_slot = fwc_bytes_o[10:SlotL+1] != '0
                     || (fwc_bytes_o[SlotL] && fwc_bytes_o[SlotL-1:0] != '0);
  assign too_long  = (fwc_kind_o == KindData && over_data) || (fwc_kind_o == KindSlot && over_slot);
  assign bad_kind = fwc_kind_o == 2'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      case (state_q)
        StIdle:   if (begins) state_q <= StRead;
        StRead:   if (field_q == 3'd5) state_q <= StJudge;
        StJudge:  state_q <= fwc_kind_o == KindIrq ? StSend
                             : too_long || bad_kind ? StRefuse : StAsk;
        StAsk:    if (ck_ready_i) state_q <= StAnswer;
        StAnswer: if (ck_done_i)
                    state_q <= ck_status_i == tern_abi_pkg::ST_OK ? StSend : StRefuse;
        StSend:   if (fwc_valid_o && fwc_ready_i) state_q <= StIdle;
        StRefuse: if (refuse_done) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StJudge) begin
      status_q   <= tern_abi_pkg::ST_BAD_LENGTH[3:0];
      fwc_addr_o <= '0;
    end else if (ck_done_i) begin
      status_q   <= ck_status_i[3:0];
      fwc_addr_o <= ck_haddr_i;
    end
  end

  assign ck_valid_o   = state_q == StAsk;
  assign ck_bytes_o   = 32'(fwc_bytes_o);
  assign fwc_valid_o  = state_q == StSend && whole;
  assign fwc_fn_o     = ck_fn_o;
  assign c_pop        = (fwc_valid_o && fwc_ready_i) || refuse_done;

  // ---- commands passed on: slots to free, answers to come ---------------------------
  // A payload is read before its answer comes, so one count serves both.
  localparam int unsigned WaitW = $clog2(Wait);
  logic             handed, r_free_q, w_notify, w_ready;
  logic [4:0]       r_slot_q;
  logic [TagW-1:0]  w_tag;
  logic [WaitW-1:0] wait_tail_q, w_head_q;
  logic [WaitW:0]   waits_q;

  assign handed  = fwc_valid_o && fwc_ready_i;
  assign w_ready = !waits_q[WaitW];
  always_ff @(posedge clk_i) if (handed) {r_free_q, r_slot_q} <= {free_q, fwc_slot_o};
  tern_lutram #(.Width(TagW + 1), .Words(Wait)) u_wait (
    .clk_i, .raddr_i(w_head_q), .rdata_o({w_notify, w_tag}),
    .we_i(handed), .waddr_i(wait_tail_q), .wdata_i({notify_q, fwc_id_o})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_tail_q <= '0;
      w_head_q    <= '0;
      waits_q     <= '0;
    end else begin
      if (handed)                wait_tail_q <= wait_tail_q + 1'b1;
      if (fwd_valid_i)           w_head_q <= w_head_q + 1'b1;
      if (handed != fwd_valid_i) waits_q <= waits_q + {{WaitW{fwd_valid_i}}, 1'b1};
    end
  end

  // A refused command's slot waits while another slot is freed.
  logic read_frees, refuse_frees;
  assign read_frees     = fwc_read_done_i && r_free_q;
  assign refuse_frees   = state_q == StRefuse && free_q;
  assign rxfree_valid_o = read_frees || (refuse_done && free_q);
  assign rxfree_slot_o  = read_frees ? {1'b0, r_slot_q} : {1'b0, fwc_slot_o};

  // ---- events -------------------------------------------------------------------------
  logic       e_push, e_ready, end_event;
  logic [4:0] e_space;
  logic [3:0] e_status;   // higher codes do not occur here
  logic [TagW-1:0] e_tag;

  assign end_event   = fwd_valid_i && (fwd_err_i || w_notify);
  assign refuse_done = state_q == StRefuse && whole && !end_event && !(refuse_frees && read_frees);
  assign e_push      = end_event || refuse_done;
  assign e_tag       = end_event ? w_tag : fwc_id_o;
  assign e_status    = !end_event ? status_q
                       : fwd_err_i ? tern_abi_pkg::ST_HOST_FAULT[3:0] : tern_abi_pkg::ST_OK[3:0];
  // Every command in flight has an event entry: this one and seven others.
  assign admit       = (e_space[4] || e_space[3]) && w_ready;

  logic [TagW+3:0] e_word;
  tern_fifo #(.Width(TagW + 4), .Depth(16)) u_event (
    .clk_i, .rst_ni,
    .valid_i(e_push), .ready_o(e_ready), .data_i({e_status, e_tag}),
    .valid_o(ev_hwr_valid_o), .ready_i(ev_hwr_ready_i), .data_o(e_word), .space_o(e_space)
  );
  assign ev_hwr_o = {tern_abi_pkg::EV_HWR, 8'd0, e_word[TagW+3:TagW], 4'd0, e_word[TagW-1:0]};

  // No answer without a command, no event without an entry; a payload is read before its answer.
  logic [WaitW:0] reads_q;   // payloads still to read
  always_ff @(posedge clk_i) begin
    reads_q <= !rst_ni ? '0 : reads_q + (WaitW+1)'(handed) - (WaitW+1)'(fwc_read_done_i);
    if (rst_ni) AnswerExpected: assert (!fwd_valid_i || waits_q != '0);
    if (rst_ni) ReadSoon: assert (!fwc_valid_o || reads_q == '0);
    if (rst_ni) ReadExpected: assert (!fwc_read_done_i || reads_q != '0);
    if (rst_ni) EventFits: assert (!e_push || e_ready);
    if (rst_ni) HandedFits: assert (!handed || w_ready);
    if (rst_ni) ReadFirst: assert (reads_q <= waits_q);
    if (rst_ni) DataOfOne: assert (!fd_req_i || fwc_valid_o);
    if (rst_ni) StatusFits: assert (!ck_done_i || ck_status_i[7:4] == '0);
    if (rst_ni) RowOfOne: assert (!(mm_write_q && put_q));
  end

  logic unused;
  assign unused = &{1'b0, mm_addr_i[1:0], e_space[2:0], ck_status_i[7:4], reads_q};

endmodule

`default_nettype wire
