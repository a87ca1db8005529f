// SPDX-License-Identifier: Apache-2.0
// Host writes: deposits of packets and writes of the firmware, one channel, strictly in order.
//
// Two command sources take turns.  Payload words are read from the receive payload RAM (or taken
// from the command), shifted from offset 0 to the byte lanes of the host address, and sent as
// bursts.  One beat per cycle, bursts back to back without idle beats; the first beat of a
// command stands at the port 2 cycles after the command is taken up.  Answers come back in
// order and are passed on to the source of the burst.
//
// A command of zero bytes makes no burst: it is done as soon as everything before it is.
// A waiting beat and its command fields do not change.

`default_nettype none

module tern_dma_wr #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // deposits
  input  logic             rxc_valid_i,
  output logic             rxc_ready_o,
  input  logic [4:0]       rxc_slot_i,
  input  logic [10:0]      rxc_bytes_i,
  input  logic [7:0]       rxc_fn_i,
  input  logic [63:0]      rxc_addr_i,
  input  logic [15:0]      rxc_id_i,
  output logic             rxc_read_done_o,
  output logic             rxd_valid_o,
  output logic             rxd_err_o,
  // firmware: kind 0 data of the command, 1 receive slot, 2 interrupt
  input  logic             fwc_valid_i,
  output logic             fwc_ready_o,
  input  logic [1:0]       fwc_kind_i,
  input  logic [4:0]       fwc_slot_i,
  input  logic [10:0]      fwc_bytes_i,
  input  logic [7:0]       fwc_fn_i,
  input  logic [63:0]      fwc_addr_i,
  input  logic [15:0]      fwc_vector_i,
  input  logic [255:0]     fwc_data_i,
  input  logic [7:0]       fwc_id_i,
  output logic             fwc_read_done_o,
  output logic             fwd_valid_o,
  output logic             fwd_err_o,
  // receive payload RAM: data one cycle after the request; word = beat of the slot
  output logic             pb_req_o,
  output logic [4:0]       pb_slot_o,
  output logic [7:0]       pb_word_o,
  input  logic [DataW-1:0] pb_rdata_i,
  // host port
  output logic             hwr_valid_o,
  input  logic             hwr_ready_i,
  output logic [7:0]       hwr_fn_o,
  output logic [63:0]      hwr_addr_o,
  output logic [10:0]      hwr_bytes_o,
  output logic [DataW-1:0] hwr_data_o,
  output logic             hwr_last_o,
  output logic             hwr_irq_o,
  input  logic             hwb_valid_i,
  input  logic             hwb_err_i,
  // trace and statistics
  output logic             tr_dep_first_o,
  output logic             tr_dep_last_o,
  output logic [15:0]      tr_dep_id_o,
  output logic             tr_hwr_first_o,
  output logic [15:0]      tr_hwr_id_o,
  output logic             tr_irq_o,
  output logic [15:0]      tr_irq_id_o,
  output logic             st_hwr_o,
  output logic [10:0]      st_hwr_bytes_o,
  output logic             st_irq_o,
  output logic             st_hwr_fault_o
);

  localparam int unsigned Bytes  = DataW / 8;
  localparam int unsigned LaneW  = $clog2(Bytes);
  localparam int unsigned Inl    = 256 / DataW;  // beats of a command's own data
  localparam int unsigned Flying = 16;           // commands between accept and answer

  localparam logic [1:0] KindSlot = 2'd1;
  localparam logic [1:0] KindIrq  = 2'd2;

  // ---- the command: taken from a source together with its first beat -----------
  logic         sel_fw, last_fw_q, start, room, order_ready;
  logic         run_q;  // beats of the command below are left
  logic         c_fw_q, n_fw, fw;
  logic [1:0]   c_kind_q, n_kind, kind;
  logic [4:0]   c_slot_q, n_slot, slot;
  logic [10:0]  c_bytes_q, n_bytes, bytes;
  logic [7:0]   c_fn_q, n_fn;
  logic [63:0]  c_addr_q, n_addr;
  logic [LaneW-1:0] lane_now;  // byte lane where the command starts
  logic [15:0]  c_id_q, n_id;
  logic [15:0]  c_vector_q, n_vector;
  logic [7:0]   c_beat_q, beat;

  assign sel_fw      = fwc_valid_i && (!rxc_valid_i || !last_fw_q);
  assign start       = !run_q && room && order_ready && (rxc_valid_i || fwc_valid_i);
  assign rxc_ready_o = start && !sel_fw;
  // A command with data of its own is held by its source until its last beat has been built.
  assign fwc_ready_o = issue && last && fw;

  assign n_fw     = sel_fw;
  assign n_kind   = sel_fw ? fwc_kind_i : KindSlot;
  assign n_slot   = sel_fw ? fwc_slot_i : rxc_slot_i;
  // An interrupt is a beat without memory; its length is the vector's.
  assign n_bytes  = !sel_fw ? rxc_bytes_i : fwc_kind_i == KindIrq ? 11'd2 : fwc_bytes_i;
  assign n_fn     = sel_fw ? fwc_fn_i : rxc_fn_i;
  assign n_addr   = !sel_fw ? rxc_addr_i : fwc_kind_i == KindIrq ? '0 : fwc_addr_i;
  assign n_id     = sel_fw ? {8'd0, fwc_id_i} : rxc_id_i;
  assign n_vector = fwc_vector_i;

  assign fw    = run_q ? c_fw_q    : n_fw;
  assign kind  = run_q ? c_kind_q  : n_kind;
  assign slot  = run_q ? c_slot_q  : n_slot;
  assign bytes = run_q ? c_bytes_q : n_bytes;
  assign lane_now = run_q ? c_addr_q[LaneW-1:0] : n_addr[LaneW-1:0];
  assign beat  = run_q ? c_beat_q  : 8'd0;

  // Last beat: where the last byte falls, counted from the start of the first beat.
  logic [11:0] span;
  logic [7:0]  last_beat, words;
  logic        issue, last, none;
  assign span      = 12'(bytes) + 12'(lane_now) - 12'd1;
  assign last_beat = 8'(span >> LaneW);
  assign words     = 8'((12'(bytes) + 12'(Bytes - 1)) >> LaneW);
  assign none      = bytes == '0;
  assign issue     = start || (run_q && room);
  assign last      = none || beat == last_beat;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q     <= 1'b0;
      last_fw_q <= 1'b0;
    end else begin
      if (issue) run_q <= !last;
      if (start) last_fw_q <= sel_fw;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue) c_beat_q <= beat + 1'b1;
    if (start) begin
      c_fw_q     <= n_fw;
      c_kind_q   <= n_kind;
      c_slot_q   <= n_slot;
      c_bytes_q  <= n_bytes;
      c_fn_q     <= n_fn;
      c_addr_q   <= n_addr;
      c_id_q     <= n_id;
      c_vector_q <= n_vector;
    end
  end

  assign pb_req_o  = issue && !none && kind == KindSlot && beat < words;
  assign pb_slot_o = slot;
  assign pb_word_o = beat;

  // ---- shift: the word of this beat and the rest of the one before ---------------
  logic               s_valid_q, s_first_q, s_last_q, s_none_q, s_word_q;
  logic [DataW-1:0]   s_inl_q, prev_q, word, shifted;
  logic [2*DataW-1:0] pair;
  logic [LaneW-1:0]   lane;

  always_ff @(posedge clk_i) begin
    s_valid_q <= rst_ni && issue;
    s_first_q <= start;
    s_last_q  <= last;
    s_none_q  <= none;
    s_word_q  <= beat < words;
    s_inl_q   <= fwc_data_i[DataW*(32'(beat) % Inl)+:DataW];
    if (s_valid_q) prev_q <= word;
  end

  always_comb begin
    word = c_kind_q == KindSlot ? pb_rdata_i : s_inl_q;
    if (!s_word_q) word = '0;
    if (c_kind_q == KindIrq) word = DataW'(c_vector_q);
  end

  assign lane    = c_addr_q[LaneW-1:0];
  assign pair    = {word, s_first_q ? {DataW{1'b0}} : prev_q};
  assign shifted = DataW'(pair >> (DataW - 8 * 32'(lane)));

  assign rxc_read_done_o = s_valid_q && s_last_q && !c_fw_q;
  assign fwc_read_done_o = s_valid_q && s_last_q && c_fw_q;

  // ---- beats that wait for the port -------------------------------------------------
  localparam int unsigned BeatW = DataW + 64 + 8 + 11 + 16 + 4;
  logic             out_push, out_ready, out_first, out_fw;
  logic [15:0]      out_id;
  logic [2:0]       out_space;
  logic [BeatW-1:0] out_in, out_word;

  assign room     = out_space > {2'b00, s_valid_q};
  assign out_push = s_valid_q && !s_none_q;
  assign out_in   = {shifted, c_addr_q, c_fn_q, c_bytes_q, c_id_q,
                     s_first_q, s_last_q, c_fw_q, c_kind_q == KindIrq};

  tern_fifo #(.Width(BeatW), .Depth(4)) u_out (
    .clk_i, .rst_ni,
    .valid_i(out_push), .ready_o(out_ready), .data_i(out_in),
    .valid_o(hwr_valid_o), .ready_i(hwr_ready_i), .data_o(out_word), .space_o(out_space)
  );
  assign {hwr_data_o, hwr_addr_o, hwr_fn_o, hwr_bytes_o, out_id,
          out_first, hwr_last_o, out_fw, hwr_irq_o} = out_word;

  // ---- answers ------------------------------------------------------------------------
  logic       o_valid, o_fw, o_none, o_pop;
  logic       b_valid, b_err, b_ready;
  logic [4:0] order_space, b_space;

  tern_fifo #(.Width(2), .Depth(Flying)) u_order (
    .clk_i, .rst_ni,
    .valid_i(start), .ready_o(order_ready), .data_i({n_fw, none}),
    .valid_o(o_valid), .ready_i(o_pop), .data_o({o_fw, o_none}), .space_o(order_space)
  );
  tern_fifo #(.Width(1), .Depth(Flying)) u_answer (
    .clk_i, .rst_ni,
    .valid_i(hwb_valid_i), .ready_o(b_ready), .data_i(hwb_err_i),
    .valid_o(b_valid), .ready_i(o_pop && !o_none), .data_o(b_err), .space_o(b_space)
  );
  assign o_pop = o_valid && (o_none || b_valid);

  always_ff @(posedge clk_i) begin
    rxd_valid_o <= rst_ni && o_pop && !o_fw;
    fwd_valid_o <= rst_ni && o_pop && o_fw;
    rxd_err_o   <= !o_none && b_err;
    fwd_err_o   <= !o_none && b_err;
  end

  // ---- trace and statistics --------------------------------------------------------------
  logic beat_out;
  assign beat_out       = hwr_valid_o && hwr_ready_i;
  assign tr_dep_first_o = beat_out && out_first && !out_fw;
  assign tr_dep_last_o  = beat_out && hwr_last_o && !out_fw;
  assign tr_dep_id_o    = out_id;
  assign tr_hwr_first_o = beat_out && out_first && out_fw && !hwr_irq_o;
  assign tr_hwr_id_o    = out_id;
  assign tr_irq_o       = beat_out && hwr_irq_o;
  assign tr_irq_id_o    = {hwr_data_o[7:0], hwr_fn_o};
  assign st_hwr_o       = beat_out && out_first && !hwr_irq_o;
  assign st_hwr_bytes_o = st_hwr_o ? hwr_bytes_o : '0;
  assign st_irq_o       = tr_irq_o;
  assign st_hwr_fault_o = hwb_valid_i && hwb_err_i;

  logic unused;
  assign unused = &{1'b0, order_space, b_space};

  // A stalled beat neither vanishes nor changes; no beat and no answer finds its FIFO full.
  logic             stalled_q;
  logic [BeatW-1:0] held_q;
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && hwr_valid_o && !hwr_ready_i;
    held_q    <= out_word;
    if (rst_ni && stalled_q) BeatHeld: assert (hwr_valid_o && out_word == held_q);
    if (rst_ni) BeatFits: assert (!out_push || out_ready);
    if (rst_ni) AnswerExpected: assert (!hwb_valid_i || b_ready);
    if (rst_ni && start) KindKnown: assert (n_kind != 2'd3);
  end

endmodule

`default_nettype wire
