// SPDX-License-Identifier: Apache-2.0
// Host writes: one channel carries packet deposits and firmware writes, strictly in order.
//
// Deposits and the firmware take turns as command sources. The atomic unit uses the turn of the
// deposits when none is there: its command is ORed with theirs. Payload words are read from the
// receive payload RAM (or taken from the command), shifted from offset 0 to the byte lanes of the
// host address, and sent as bursts. One beat leaves per cycle, bursts follow each other without
// idle beats (except one after every other burst of a series of single-beat bursts); the first beat
// of a command is at the port 2 cycles after the command is taken. Answers arrive in order and are
// passed to the source of the burst; an error replaces one that never arrives (tern_hostwr_back).
//
// A command of zero bytes makes no burst: it is done as soon as everything before it is. A waiting
// beat and its command fields do not change.

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
  output logic             rxd_valid_o,      // the oldest deposit has ended; held until taken
  input  logic             rxd_ready_i,
  output logic             rxd_err_o,
  // firmware: kind 0 data of the command, 1 receive slot, 2 interrupt (data too, at address 0)
  input  logic             fwc_valid_i,
  output logic             fwc_ready_o,
  input  logic [1:0]       fwc_kind_i,
  input  logic [4:0]       fwc_slot_i,
  input  logic [10:0]      fwc_bytes_i,
  input  logic [7:0]       fwc_fn_i,
  input  logic [63:0]      fwc_addr_i,
  input  logic [11:0]      fwc_id_i,
  output logic             fwc_read_done_o,
  output logic             fwd_valid_o,
  output logic             fwd_err_o,
  // atomic unit: an aligned word, or no bytes; 0 while it has no command
  input  logic             at_valid_i,
  output logic             at_ready_o,
  input  logic             at_word_i,
  input  logic [7:0]       at_fn_i,
  input  logic [63:0]      at_addr_i,
  // its next beat one cycle later, while the payload RAM reads 0
  output logic             at_req_o,
  input  logic [DataW-1:0] at_rdata_i,       // 0 unless asked for
  output logic             at_done_o,        // for one cycle
  output logic             at_err_o,
  // data of the command: one cycle after the request
  output logic             fd_req_o,
  output logic [2:0]       fd_beat_o,
  input  logic [DataW-1:0] fd_rdata_i,
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
  output logic [7:0]       hwr_tag_o,
  input  logic             hwb_valid_i,
  input  logic [7:0]       hwb_tag_i,
  input  logic             hwb_err_i,
  input  logic [3:0]       period_i,         // of tern_hostrd_back
  // reset of the datapath
  input  logic             hold_i,           // no command is taken
  output logic             commands_o,       // a command has not ended
  output logic             writes_o,         // a burst has not ended
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
  localparam int unsigned Flying = 16;           // commands in flight

  localparam logic [1:0] KindSlot = 2'd1;
  localparam logic [1:0] KindIrq  = 2'd2;

  // ---- the command: taken together with its first beat --------------------------
  // c_*: the command whose beats are being built; p_* (below): the command whose beats are at the
  // port.
  logic             sel_fw, last_fw_q, start, room, order_ready;
  logic             run_q;      // beats of command c are left
  logic             c_wait_q;   // the port has not taken over command c
  logic             c_fw_q, c_at_q, c_data_q, c_irq_q, n_at, n_data, n_irq, fw, at, deposit;
  logic [4:0]       c_slot_q, n_slot;
  logic [10:0]      c_bytes_q, n_bytes;
  logic [7:0]       c_fn_q;
  logic [63:0]      c_addr_q, n_addr;
  logic [15:0]      c_id_q;
  logic [7:0]       c_beat_q, c_last_q, n_last;
  logic             c_spill_q, n_spill, n_alone;

  assign deposit     = rxc_valid_i || at_valid_i;
  assign sel_fw      = fwc_valid_i && (!deposit || !last_fw_q);
  assign start       = !run_q && room && order_ready && (!c_wait_q || !p_valid_q)
                       && (deposit || fwc_valid_i) && !hold_i;
  assign rxc_ready_o = start && !sel_fw && !at_valid_i;
  // A source holds a command with data of its own until the last beat is built.
  assign fwc_ready_o = issue && last && fw;
  assign at_ready_o  = issue && last && at;

  assign n_at    = !sel_fw && at_valid_i;
  assign n_data  = sel_fw && fwc_kind_i != KindSlot;
  assign n_irq   = sel_fw && fwc_kind_i == KindIrq;
  assign n_slot  = sel_fw ? fwc_slot_i : rxc_slot_i;
  assign n_bytes = sel_fw ? fwc_bytes_i
                          : rxc_bytes_i | (at_word_i ? 11'(tern_abi_pkg::ATOMIC_BYTES) : 11'd0);
  assign n_addr  = sel_fw ? fwc_addr_i : rxc_addr_i | at_addr_i;

  // The last byte, counted from the start of the first beat, and that of the payload. The last beat
  // needs no new word if it only holds the rest of the word before.
  logic [LaneW:0] n_less;        // lane minus one
  logic [11:0]    n_span;
  logic [LaneW:0] n_low;
  assign n_less  = {1'b0, n_addr[LaneW-1:0]} - 1'b1;
  assign n_span  = {1'b0, n_bytes} + {{(11-LaneW){n_less[LaneW]}}, n_less};
  assign n_last  = 8'(n_span >> LaneW);
  assign n_low   = {1'b0, LaneW'(n_bytes[LaneW-1:0] - 1'b1)} + {1'b0, n_addr[LaneW-1:0]};
  assign n_spill = n_low[LaneW];

  // A single beat, or no bytes: needed in the cycle that takes the command, so computed without the
  // sum above.
  always_comb begin
`ifdef TERN_MODEL   // simulates faster
    n_alone = none || n_last == '0;
`else
    n_alone = 1'b0;
    for (int l = 0; l < Bytes; l++)
      if (n_addr[LaneW-1:0] == LaneW'(l) && n_bytes[LaneW:0] <= (LaneW+1)'(Bytes - l)) n_alone =
          1'b1;
    if (n_bytes[10:LaneW+1] != '0) n_alone = 1'b0;
`endif
  end

  logic issue, last, none;
  assign fw    = run_q ? c_fw_q : sel_fw;
  assign at    = run_q ? c_at_q : n_at;
  assign none  = !run_q && n_bytes == '0;
  assign issue = start || (run_q && room);
  assign last  = run_q ? c_beat_q == c_last_q : n_alone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q     <= 1'b0;
      last_fw_q <= 1'b0;
      c_wait_q  <= 1'b0;
      c_beat_q  <= '0;
    end else begin
      if (issue) run_q <= !last;
      if (start) last_fw_q <= sel_fw;
      if (start) c_wait_q <= !none;
      else if (p_load) c_wait_q <= 1'b0;
      if (issue) c_beat_q <= last ? '0 : c_beat_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      c_fw_q    <= sel_fw;
      c_at_q    <= n_at;
      c_data_q  <= n_data;
      c_irq_q   <= n_irq;
      c_slot_q  <= n_slot;
      c_bytes_q <= n_bytes;
      c_fn_q    <= sel_fw ? fwc_fn_i : rxc_fn_i | at_fn_i;
      c_addr_q  <= n_addr;
      c_id_q    <= sel_fw ? {4'd0, fwc_id_i} : rxc_id_i;
      c_last_q  <= n_last;
      c_spill_q <= n_spill;
    end
  end

  // The first beat always reads a word.
  logic word_due;
  assign word_due  = run_q ? room && !(last && c_spill_q) : start && !none;
  assign pb_req_o  = word_due && !(run_q ? c_data_q : n_data) && !at;
  assign at_req_o  = word_due && at;
  assign pb_slot_o = run_q ? c_slot_q : n_slot;
  assign pb_word_o = c_beat_q;
  assign fd_req_o  = word_due && (run_q ? c_data_q : n_data);
  assign fd_beat_o = c_beat_q[2:0];

  // ---- shift: combine this beat's word with the rest of the one before -----------
  logic               s_valid_q, s_last_q, s_none_q;
  logic [DataW-1:0]   prev_q, word, shifted;
  logic [2*DataW-1:0] pair;
  logic [LaneW-1:0]   lane;

  always_ff @(posedge clk_i) begin
    s_valid_q <= rst_ni && issue;
    s_last_q  <= last;
    s_none_q  <= none;
    if (start)          prev_q <= '0;
    else if (s_valid_q) prev_q <= word;
  end

  // Bytes past the payload's last word are leftovers of the memory; they lie past the burst's end.
  assign word    = (c_data_q ? fd_rdata_i : pb_rdata_i) | at_rdata_i;
  assign lane    = c_addr_q[LaneW-1:0];
  assign pair    = {word, prev_q};
  assign shifted = DataW'(pair >> (DataW - 8 * 32'(lane)));

  assign rxc_read_done_o = s_valid_q && s_last_q && !c_fw_q && !c_at_q;
  assign fwc_read_done_o = s_valid_q && s_last_q && c_fw_q;

  // ---- beats waiting for the port ---------------------------------------------------
  logic             out_push, out_ready, out_valid, beat_out;
  logic [2:0]       out_space;

  assign room     = out_space > {2'b00, s_valid_q};
  assign out_push = s_valid_q && !s_none_q;

  tern_fifo #(.Width(DataW + 1), .Depth(4)) u_out (
    .clk_i, .rst_ni,
    .valid_i(out_push), .ready_o(out_ready), .data_i({shifted, s_last_q}),
    .valid_o(out_valid), .ready_i(beat_out), .data_o({hwr_data_o, hwr_last_o}),
    .space_o(out_space)
  );

  // ---- the command at the port: present before its first beat -----------------------------
  logic        p_valid_q, p_load, p_first_q, p_fw_q, p_at_q;
  logic [15:0] p_id_q;

  assign hwr_valid_o = out_valid && p_valid_q;
  assign beat_out    = hwr_valid_o && hwr_ready_i;
  assign p_load      = c_wait_q && (!p_valid_q || (beat_out && hwr_last_o));

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                     p_valid_q <= 1'b0;
    else if (p_load)                 p_valid_q <= 1'b1;
    else if (beat_out && hwr_last_o) p_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (p_load) begin
      p_fw_q      <= c_fw_q;
      p_at_q      <= c_at_q;
      p_id_q      <= c_id_q;
      hwr_fn_o    <= c_fn_q;
      hwr_addr_o  <= c_addr_q;
      hwr_bytes_o <= c_bytes_q;
      hwr_irq_o   <= c_irq_q;
    end
    if (p_load)        p_first_q <= 1'b1;
    else if (beat_out) p_first_q <= 1'b0;
  end

  // ---- answers ------------------------------------------------------------------------
  logic       o_valid, o_fw, o_at, o_none, o_done, o_pop;
  logic       b_valid, b_err, b_open, late;
  logic [4:0] order_space;

  tern_fifo #(.Width(3), .Depth(Flying)) u_order (
    .clk_i, .rst_ni,
    .valid_i(start), .ready_o(order_ready), .data_i({sel_fw, n_at, none}),
    .valid_o(o_valid), .ready_i(o_pop), .data_o({o_fw, o_at, o_none}), .space_o(order_space)
  );
  tern_hostwr_back #(.Flying(Flying)) u_back (
    .clk_i, .rst_ni, .period_i,
    .number_o(hwr_tag_o), .sent_i(beat_out && hwr_last_o),
    .hwb_valid_i, .hwb_tag_i, .hwb_err_i,
    .valid_o(b_valid), .err_o(b_err), .take_i(o_pop && !o_none), .open_o(b_open),
    .late_o(late)
  );
  // The end of a deposit shows until its receiver takes it; others show for one cycle.
  assign o_done      = o_valid && (o_none || b_valid);
  assign o_pop       = o_done && (o_fw || o_at || rxd_ready_i);
  assign rxd_valid_o = o_done && !o_fw && !o_at;
  assign rxd_err_o   = !o_none && b_err;
  assign at_done_o   = o_done && o_at;
  assign at_err_o    = rxd_err_o;

  always_ff @(posedge clk_i) begin
    fwd_valid_o <= rst_ni && o_pop && o_fw;
    fwd_err_o   <= !o_none && b_err;
  end

  assign commands_o = order_space != 5'(Flying);
  assign writes_o   = c_wait_q || p_valid_q || b_open;

  // ---- trace and statistics --------------------------------------------------------------
  assign tr_dep_first_o = beat_out && p_first_q && !p_fw_q && !p_at_q;
  assign tr_dep_last_o  = beat_out && hwr_last_o && !p_fw_q && !p_at_q;
  assign tr_dep_id_o    = p_id_q;
  assign tr_hwr_first_o = beat_out && p_first_q && p_fw_q && !hwr_irq_o;
  assign tr_hwr_id_o    = p_id_q;
  assign tr_irq_o       = beat_out && hwr_irq_o;
  assign tr_irq_id_o    = {hwr_data_o[7:0], hwr_fn_o};
  assign st_hwr_o       = beat_out && p_first_q && !hwr_irq_o;
  assign st_hwr_bytes_o = hwr_bytes_o;
  assign st_irq_o       = tr_irq_o;
  assign st_hwr_fault_o = o_pop && !o_none && b_err;

  logic unused;
  assign unused = &{1'b0, late, n_low[LaneW-1:0]};

  // A stalled beat neither vanishes nor changes; no beat finds its FIFO full.
  localparam int unsigned BeatW = DataW + 64 + 11 + 8 + 8 + 2;
  logic             stalled_q;
  logic [BeatW-1:0] held_q, held;
  assign held = {hwr_data_o, hwr_addr_o, hwr_bytes_o, hwr_fn_o, hwr_tag_o, hwr_last_o, hwr_irq_o};
  always_ff @(posedge clk_i) begin
    stalled_q <= rst_ni && hwr_valid_o && !hwr_ready_i;
    held_q    <= held;
    if (rst_ni && stalled_q) BeatHeld: assert (hwr_valid_o && held == held_q);
    if (rst_ni) BeatFits: assert (!out_push || out_ready);
    if (rst_ni && start && sel_fw) KindKnown: assert (fwc_kind_i != 2'd3);
    if (rst_ni && start && n_irq)
      IrqIsABeat: assert (fwc_bytes_i == 11'd2 && fwc_addr_i[LaneW-1:0] == '0);
    if (rst_ni && start) AloneIsLast: assert (n_alone == (none || n_last == '0));
    if (rst_ni && start && n_alone && !none) AloneIsWhole: assert (!n_spill);
    if (rst_ni) OneAtATime: assert (!(rxc_valid_i && at_valid_i));
    if (rst_ni && at_valid_i) NothingBeside: assert ({rxc_bytes_i, rxc_fn_i, rxc_addr_i} == '0);
    if (rst_ni && !at_valid_i) NothingAsked: assert ({at_word_i, at_fn_i, at_addr_i} == '0);
    if (rst_ni && s_valid_q && c_at_q && !s_none_q) WordAlone: assert (pb_rdata_i == '0);
    if (rst_ni && at_valid_i && at_word_i) WordAligned: assert (at_addr_i[2:0] == '0);
    if (rst_ni && start && n_data) DataFits: assert (fwc_bytes_i <= 11'd32);
  end

endmodule

`default_nettype wire
