// SPDX-License-Identifier: Apache-2.0
// Host writes of the firmware: takes commands, has their addresses checked, hands them on.
//
// HW_GO takes a copy of the command registers; four commands wait here (HW_SPACE says how many
// fit), and leave in order.  An interrupt needs no check.  A refused or failed write, or one
// that asks for it, raises HWR.  The receive slot of a command with `free_slot` is given back
// when its payload has been read, or at once when the write is refused.
//
// The registers are a row of block RAM, a command is a row of its own.  HW_GO opens the next row,
// into which the words of the one before are copied, lowest first, in 12 cycles (6 where a beat
// has two words): a register whose word has not been copied yet is not written before it, nor is
// HW_GO.  A command asks for its check 7 cycles after HW_GO.
//
// Eight commands may wait for their answers.  While that many events wait for the firmware,
// commands wait too: no event is lost.

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
  // to tern_dma_wr; an interrupt has two bytes, and its vector is the data
  output logic             fwc_valid_o,
  input  logic             fwc_ready_i,
  output logic [1:0]       fwc_kind_o,
  output logic [4:0]       fwc_slot_o,
  output logic [10:0]      fwc_bytes_o,
  output logic [7:0]       fwc_fn_o,
  output logic [63:0]      fwc_addr_o,
  output logic [7:0]       fwc_id_o,
  input  logic             fwc_read_done_i,
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

  // Words of a row, as the registers lie; the last register before the data is not kept.
  localparam int unsigned Banks = DataW / 32;
  localparam int unsigned BankW = $clog2(Banks);
  localparam int unsigned LineW = 4 - BankW;     // a line: one word of each bank
  localparam logic [3:0] WordKey  = 4'd2;
  localparam logic [3:0] WordGo   = 4'd4;
  localparam logic [3:0] WordRoom = 4'd5;
  localparam logic [3:0] WordData = 4'd8;
  localparam logic [LineW-1:0] LastField = LineW'(4'd3 >> BankW);
  localparam logic [LineW-1:0] FirstData = LineW'(WordData >> BankW);
  localparam logic [LineW-1:0] LastData  = LineW'(4'd15 >> BankW);

  // ---- register bus ------------------------------------------------------------
  logic       hit, blocked, take, write, go;
  logic [3:0] word;
  logic [2:0] space_q, tail_q, head_q;   // tail: the row that the registers are
  logic       c_pop;

  assign word       = mm_addr_i[5:2];
  assign hit        = mm_addr_i[15:6] == tern_abi_pkg::MMIO_HW_ADDR_LO[15:6] && word[3:1] != 3'd3;
  assign mm_ready_o = hit && !blocked;
  assign take       = mm_valid_i && mm_ready_o;
  assign write      = take && mm_we_i && word != WordRoom;
  assign go         = write && word == WordGo && space_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      space_q <= 3'd4;
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
    if (take && !mm_we_i && word == WordRoom) mm_rdata_o <= 32'(space_q);
  end

  // ---- a row becomes the next one ------------------------------------------------
  logic             copy_q, copied_q;      // copied: the line stands at the output of the RAM
  logic [2:0]       from_q;
  logic [LineW-1:0] line_q, line_next, copy_line;
  logic             use_read, copy_write, copy_read;

  assign blocked    = copy_q && word != WordRoom
                      && (word == WordGo || word[3:BankW] >= line_q);
  assign line_next  = line_q == LastField ? FirstData : line_q + 1'b1;
  assign copy_write = copied_q && !write;
  assign copy_read  = copy_q && !use_read && (!copied_q || copy_write);
  assign copy_line  = copied_q ? line_next : line_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      copy_q   <= 1'b0;
      copied_q <= 1'b0;
    end else begin
      copied_q <= (copy_read && !(copy_write && line_q == LastData))
                  || (copied_q && !copy_write && !use_read);
      if (go) copy_q <= 1'b1;
      else if (copy_write && line_q == LastData) copy_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      from_q <= tail_q;
      line_q <= '0;
    end else if (copy_write) line_q <= line_next;
  end

  // ---- rows --------------------------------------------------------------------------
  logic [LineW+2:0] raddr, waddr;
  logic [LineW-1:0] use_line;
  logic             ren;

  assign ren   = use_read || copy_read;
  assign raddr = use_read ? {head_q, use_line} : {from_q, copy_line};
  assign waddr = {tail_q, write ? word[3:BankW] : line_q};

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic        here;
    logic [31:0] rdata;
    assign here = Banks == 1 || 32'(word) % Banks == b;
    tern_ram #(.Width(32), .Words(8 << LineW), .Block(1'b1)) u_rows (
      .clk_i, .ren_i(ren), .raddr_i(raddr), .rdata_o(rdata),
      .we_i((write && here) || copy_write), .waddr_i(waddr),
      .wdata_i(write ? mm_wdata_i : rdata)
    );
    assign fd_rdata_o[32*b+:32] = rdata;
  end

  // ---- a command: its fields are read, then checked, then it is handed on -----------------
  typedef enum logic [2:0] {StIdle, StRead, StJudge, StAsk, StAnswer, StSend, StRefuse} state_e;
  state_e      state_q;
  logic [2:0]  field_q;         // word that is read; the one before it is there
  logic [31:0] field;
  logic [7:0]  status_q;
  logic        begins, too_long, bad_kind, admit, refuse_done;
  logic        notify_q, free_q;

  assign begins = state_q == StIdle && !space_q[2] && admit;
  assign field  = fd_rdata_o[32 * ((32'(field_q) + Banks - 1) % Banks) +: 32];

  // Words 0 to 4, then the data; the vector of an interrupt stands where the key does.
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
      fwc_id_o   <= field[tern_abi_pkg::HWG_TAG_LSB+:8];
      notify_q   <= field[tern_abi_pkg::HWG_NOTIFY_LSB];
      free_q     <= field[tern_abi_pkg::HWG_FREE_SLOT_LSB]
                    && field[tern_abi_pkg::HWG_KIND_LSB+:2] == KindSlot;
    end
    if (state_q == StJudge && fwc_kind_o == KindIrq) fwc_bytes_o <= 11'd2;
    else if (field_q == 3'd5) fwc_bytes_o <= field[tern_abi_pkg::HWG_BYTES_LSB+:11];
  end

  assign too_long = (fwc_kind_o == KindData && fwc_bytes_o > 11'(tern_abi_pkg::INLINE_BYTES_MAX))
                    || (fwc_kind_o == KindSlot && fwc_bytes_o > 11'(MaxPayload));
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
        StSend:   if (fwc_ready_i) state_q <= StIdle;
        StRefuse: if (refuse_done) state_q <= StIdle;
        default:  state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StJudge) begin
      status_q   <= tern_abi_pkg::ST_BAD_LENGTH;
      fwc_addr_o <= '0;
    end else if (ck_done_i) begin
      status_q   <= ck_status_i;
      fwc_addr_o <= ck_haddr_i;
    end
  end

  assign ck_valid_o   = state_q == StAsk;
  assign ck_bytes_o   = 32'(fwc_bytes_o);
  assign fwc_valid_o  = state_q == StSend;
  assign fwc_fn_o     = ck_fn_o;
  assign c_pop        = (fwc_valid_o && fwc_ready_i) || refuse_done;

  // ---- what was handed on: slots to give back, answers to come ---------------------
  logic       handed, r_valid, r_free, r_ready, w_valid, w_notify, w_ready;
  logic [4:0] r_slot;
  logic [7:0] w_tag;
  logic [3:0] r_space, w_space;

  assign handed = fwc_valid_o && fwc_ready_i;
  tern_fifo #(.Width(6), .Depth(Wait)) u_read (
    .clk_i, .rst_ni,
    .valid_i(handed), .ready_o(r_ready), .data_i({free_q, fwc_slot_o}),
    .valid_o(r_valid), .ready_i(fwc_read_done_i), .data_o({r_free, r_slot}), .space_o(r_space)
  );
  tern_fifo #(.Width(9), .Depth(Wait)) u_wait (
    .clk_i, .rst_ni,
    .valid_i(handed), .ready_o(w_ready), .data_i({notify_q, fwc_id_o}),
    .valid_o(w_valid), .ready_i(fwd_valid_i), .data_o({w_notify, w_tag}), .space_o(w_space)
  );

  // The slot of a refused command waits while another one is given back.
  logic read_frees, refuse_frees;
  assign read_frees     = fwc_read_done_i && r_free;
  assign refuse_frees   = state_q == StRefuse && free_q;
  assign rxfree_valid_o = read_frees || (refuse_done && free_q);
  assign rxfree_slot_o  = read_frees ? {1'b0, r_slot} : {1'b0, fwc_slot_o};

  // ---- events -------------------------------------------------------------------------
  logic       e_push, e_ready, end_event;
  logic [4:0] e_space;
  logic [7:0] e_tag, e_status;

  assign end_event   = fwd_valid_i && (fwd_err_i || w_notify);
  assign refuse_done = state_q == StRefuse && !end_event && !(refuse_frees && read_frees);
  assign e_push      = end_event || refuse_done;
  assign e_tag       = end_event ? w_tag : fwc_id_o;
  assign e_status    = !end_event ? status_q
                       : fwd_err_i ? tern_abi_pkg::ST_HOST_FAULT : tern_abi_pkg::ST_OK;
  // Every command that is under way has a place for its event: it and seven others.
  assign admit       = (e_space[4] || e_space[3]) && w_ready;

  logic [15:0] e_word;
  tern_fifo #(.Width(16), .Depth(16)) u_event (
    .clk_i, .rst_ni,
    .valid_i(e_push), .ready_o(e_ready), .data_i({e_status, e_tag}),
    .valid_o(ev_hwr_valid_o), .ready_i(ev_hwr_ready_i), .data_o(e_word), .space_o(e_space)
  );
  assign ev_hwr_o = {tern_abi_pkg::EV_HWR, 12'd0, e_word};

  // No answer without a command, no event without a place; a payload is read before its answer.
  always_ff @(posedge clk_i) begin
    if (rst_ni) AnswerExpected: assert (!fwd_valid_i || w_valid);
    if (rst_ni) ReadExpected: assert (!fwc_read_done_i || r_valid);
    if (rst_ni) EventFits: assert (!e_push || e_ready);
    if (rst_ni) HandedFits: assert (!handed || (r_ready && w_ready));
    if (rst_ni) ReadFirst: assert (r_space >= w_space);
    if (rst_ni) DataOfOne: assert (!fd_req_i || fwc_valid_o);
  end

  logic unused;
  assign unused = &{1'b0, mm_addr_i[1:0], e_space[2:0], field[31:28]};

endmodule

`default_nettype wire
