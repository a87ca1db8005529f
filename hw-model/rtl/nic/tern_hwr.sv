// SPDX-License-Identifier: Apache-2.0
// Host writes of the firmware: takes commands, has their addresses checked, hands them on.
//
// HW_GO takes a copy of the command registers; four commands wait here (HW_SPACE says how many
// fit), and leave in order.  An interrupt needs no check.  A refused or failed write, or one
// that asks for it, raises HWR.  The receive slot of a command with `free_slot` is given back
// when its payload has been read, or at once when the write is refused.
//
// Eight commands may wait for their answers.  While that many events wait for the firmware,
// commands wait too: no event is lost.

`default_nettype none

module tern_hwr #(
  parameter int unsigned MaxPayload = 512
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // register bus
  input  logic         mm_valid_i,
  input  logic         mm_we_i,
  input  logic [15:0]  mm_addr_i,
  input  logic [31:0]  mm_wdata_i,
  output logic         mm_ready_o,
  output logic         mm_rvalid_o,
  output logic [31:0]  mm_rdata_o,
  // key check, right LOCAL_WRITE
  output logic         ck_valid_o,
  input  logic         ck_ready_i,
  output logic [31:0]  ck_key_o,
  output logic [63:0]  ck_addr_o,
  output logic [31:0]  ck_bytes_o,
  output logic [7:0]   ck_fn_o,
  input  logic         ck_done_i,
  input  logic [7:0]   ck_status_i,
  input  logic [63:0]  ck_haddr_i,
  // to tern_dma_wr
  output logic         fwc_valid_o,
  input  logic         fwc_ready_i,
  output logic [1:0]   fwc_kind_o,
  output logic [4:0]   fwc_slot_o,
  output logic [10:0]  fwc_bytes_o,
  output logic [7:0]   fwc_fn_o,
  output logic [63:0]  fwc_addr_o,
  output logic [15:0]  fwc_vector_o,
  output logic [255:0] fwc_data_o,
  output logic [7:0]   fwc_id_o,
  input  logic         fwc_read_done_i,
  input  logic         fwd_valid_i,
  input  logic         fwd_err_i,
  // event and receive slot
  output logic         ev_hwr_valid_o,
  input  logic         ev_hwr_ready_i,
  output logic [31:0]  ev_hwr_o,
  output logic         rxfree_valid_o,
  output logic [5:0]   rxfree_slot_o
);

  localparam logic [1:0] KindData = 2'd0;
  localparam logic [1:0] KindSlot = 2'd1;
  localparam logic [1:0] KindIrq  = 2'd2;
  localparam int unsigned Depth = 4;
  localparam int unsigned Wait  = 8;

  // ---- registers -------------------------------------------------------------
  logic         hit_reg, hit_data, take, go;
  logic [63:0]  addr_q;
  logic [31:0]  key_q;
  logic [7:0]   fn_q;
  logic [255:0] data_q;
  logic [2:0]   space;

  assign hit_reg    = mm_addr_i[15:5] == tern_abi_pkg::MMIO_HW_ADDR_LO[15:5]
                      && mm_addr_i <= tern_abi_pkg::MMIO_HW_SPACE;
  assign hit_data   = mm_addr_i[15:5] == tern_abi_pkg::MMIO_HW_DATA[15:5];
  assign mm_ready_o = hit_reg || hit_data;
  assign take       = mm_valid_i && mm_ready_o;
  assign go         = take && mm_we_i && mm_addr_i == tern_abi_pkg::MMIO_HW_GO;

  always_ff @(posedge clk_i) begin
    if (take && mm_we_i) begin
      case (mm_addr_i)
        tern_abi_pkg::MMIO_HW_ADDR_LO: addr_q[31:0]  <= mm_wdata_i;
        tern_abi_pkg::MMIO_HW_ADDR_HI: addr_q[63:32] <= mm_wdata_i;
        tern_abi_pkg::MMIO_HW_KEY:     key_q         <= mm_wdata_i;
        tern_abi_pkg::MMIO_HW_FN:      fn_q          <= mm_wdata_i[7:0];
        default: ;
      endcase
      for (int i = 0; i < 8; i++)
        if (hit_data && mm_addr_i[4:2] == 3'(i)) data_q[32*i+:32] <= mm_wdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && take;
    mm_rdata_o  <= '0;
    if (take && !mm_we_i && mm_addr_i == tern_abi_pkg::MMIO_HW_SPACE) mm_rdata_o <= 32'(space);
  end

  // ---- commands that wait ------------------------------------------------------
  localparam int unsigned GoW  = 28;
  localparam int unsigned CmdW = 64 + 32 + 8 + GoW + 256;
  logic           c_valid, c_pop, c_ready;
  logic [GoW-1:0] c_go;
  logic [31:0]    c_key;
  logic [63:0]    c_addr;
  logic [7:0]     c_fn;
  logic [1:0]     c_kind;
  logic [10:0]    c_bytes;
  logic           c_notify, c_free;

  tern_fifo #(.Width(CmdW), .Depth(Depth)) u_cmd (
    .clk_i, .rst_ni,
    .valid_i(go), .ready_o(c_ready), .data_i({addr_q, key_q, fn_q, mm_wdata_i[GoW-1:0], data_q}),
    .valid_o(c_valid), .ready_i(c_pop), .data_o({c_addr, c_key, c_fn, c_go, fwc_data_o}),
    .space_o(space)
  );
  assign c_kind   = c_go[tern_abi_pkg::HWG_KIND_LSB+:2];
  assign c_bytes  = c_go[tern_abi_pkg::HWG_BYTES_LSB+:11];
  assign c_notify = c_go[tern_abi_pkg::HWG_NOTIFY_LSB];
  assign c_free   = c_go[tern_abi_pkg::HWG_FREE_SLOT_LSB] && c_kind == KindSlot;

  // ---- check, then hand on -------------------------------------------------------
  typedef enum logic [2:0] {StIdle, StAsk, StAnswer, StSend, StRefuse} state_e;
  state_e      state_q;
  logic [7:0]  status_q;
  logic [63:0] haddr_q;
  logic        too_long, bad_kind, admit, refuse_done;

  assign too_long = (c_kind == KindData && c_bytes > 11'(tern_abi_pkg::INLINE_BYTES_MAX))
                    || (c_kind == KindSlot && c_bytes > 11'(MaxPayload));
  assign bad_kind = c_kind == 2'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      case (state_q)
        StIdle:   if (c_valid && admit)
                    state_q <= c_kind == KindIrq ? StSend : too_long || bad_kind ? StRefuse : StAsk;
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
    if (state_q == StIdle) status_q <= tern_abi_pkg::ST_BAD_LENGTH;
    if (state_q == StAnswer && ck_done_i) begin
      status_q <= ck_status_i;
      haddr_q  <= ck_haddr_i;
    end
  end

  assign ck_valid_o   = state_q == StAsk;
  assign ck_key_o     = c_key;
  assign ck_addr_o    = c_addr;
  assign ck_bytes_o   = 32'(c_bytes);
  assign ck_fn_o      = c_fn;
  assign fwc_valid_o  = state_q == StSend;
  assign fwc_kind_o   = c_kind;
  assign fwc_slot_o   = c_go[tern_abi_pkg::HWG_RXSLOT_LSB+:5];
  assign fwc_bytes_o  = c_bytes;
  assign fwc_fn_o     = c_fn;
  assign fwc_addr_o   = haddr_q;
  assign fwc_vector_o = c_key[15:0];
  assign fwc_id_o     = c_go[tern_abi_pkg::HWG_TAG_LSB+:8];
  assign c_pop        = (fwc_valid_o && fwc_ready_i) || refuse_done;

  // ---- what was handed on: slots to give back, answers to come ---------------------
  logic       handed, r_valid, r_free, r_ready, w_valid, w_notify, w_ready;
  logic [4:0] r_slot;
  logic [7:0] w_tag;
  logic [3:0] r_space, w_space;

  assign handed = fwc_valid_o && fwc_ready_i;
  tern_fifo #(.Width(6), .Depth(Wait)) u_read (
    .clk_i, .rst_ni,
    .valid_i(handed), .ready_o(r_ready), .data_i({c_free, fwc_slot_o}),
    .valid_o(r_valid), .ready_i(fwc_read_done_i), .data_o({r_free, r_slot}), .space_o(r_space)
  );
  tern_fifo #(.Width(9), .Depth(Wait)) u_wait (
    .clk_i, .rst_ni,
    .valid_i(handed), .ready_o(w_ready), .data_i({c_notify, fwc_id_o}),
    .valid_o(w_valid), .ready_i(fwd_valid_i), .data_o({w_notify, w_tag}), .space_o(w_space)
  );

  // The slot of a refused command waits while another one is given back.
  logic read_frees, refuse_frees;
  assign read_frees     = fwc_read_done_i && r_free;
  assign refuse_frees   = state_q == StRefuse && c_free;
  assign rxfree_valid_o = read_frees || (refuse_done && c_free);
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
  // Every command that is under way has a place for its event.
  assign admit       = e_space > 5'(Wait) - 5'(w_space) && w_space != '0 && r_space != '0;

  logic [15:0] e_word;
  tern_fifo #(.Width(16), .Depth(16)) u_event (
    .clk_i, .rst_ni,
    .valid_i(e_push), .ready_o(e_ready), .data_i({e_status, e_tag}),
    .valid_o(ev_hwr_valid_o), .ready_i(ev_hwr_ready_i), .data_o(e_word), .space_o(e_space)
  );
  assign ev_hwr_o = {tern_abi_pkg::EV_HWR, 12'd0, e_word};

  // No answer without a command, no event without a place.
  always_ff @(posedge clk_i) begin
    if (rst_ni) AnswerExpected: assert (!fwd_valid_i || w_valid);
    if (rst_ni) ReadExpected: assert (!fwc_read_done_i || r_valid);
    if (rst_ni) EventFits: assert (!e_push || e_ready);
    if (rst_ni) HandedFits: assert (!handed || (r_ready && w_ready));
  end

  logic unused;
  assign unused = &{1'b0, c_ready, mm_wdata_i[31:GoW]};

endmodule

`default_nettype wire
