// SPDX-License-Identifier: Apache-2.0
// Operation table: which puts and messages are in flight, and when each has ended.
//
// One happening a cycle changes the table: a report of tern_tx first, then an ack, then a register
// access. Reports are taken in their cycle; acks wait in a FIFO of 8. An ended entry that the
// firmware must hear of stands in the event FIFO exactly once, in the order of ending. Entries are
// given out round the table, so a freed generation rests as long as possible.

`default_nettype none

module tern_optab #(
  parameter int unsigned NumOps = 64
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        txo_start_i,   // message begins: takes ack and notify
  input  logic        txo_sent_i,    // one packet left
  input  logic        txo_end_i,     // transmission is over; may come with the last sent
  input  logic [7:0]  txo_op_i,
  input  logic        txo_ack_i,
  input  logic        txo_notify_i,
  input  logic [7:0]  txo_status_i,
  output logic [7:0]  txo_gen_o,     // generation of txo_op_i, same cycle

  input  logic        rxo_ack_i,
  input  logic [7:0]  rxo_op_i,
  input  logic [7:0]  rxo_gen_i,
  input  logic [7:0]  rxo_status_i,

  input  logic        mm_valid_i,
  input  logic        mm_we_i,
  input  logic [15:0] mm_addr_i,
  input  logic [31:0] mm_wdata_i,
  output logic        mm_ready_o,
  output logic        mm_rvalid_o,
  output logic [31:0] mm_rdata_o,

  output logic        ev_op_valid_o,
  input  logic        ev_op_ready_i,
  output logic [31:0] ev_op_o,

  output logic        tr_op_done_o,
  output logic [15:0] tr_op_done_id_o,
  output logic        st_stale_ack_o
);

  localparam int unsigned OpW    = $clog2(NumOps);
  localparam int unsigned CountW = 17;
  localparam int unsigned EntryW = CountW + 8 + 8 + 4;

  // ---------------------------------------------------------------- register accesses, one waits
  logic        hit, req_q, we_q, mm_go;
  logic [4:0]  reg_q;
  logic [15:0] wdata_q;
  logic        is_alloc, is_free, is_kill, is_busy0, is_busy1, is_prog0, is_prog1;

  assign hit = mm_addr_i >= tern_abi_pkg::MMIO_OP_ALLOC && mm_addr_i <= tern_abi_pkg::MMIO_OP_PROGRESS1 &&
               mm_addr_i[1:0] == '0;
  assign mm_ready_o = hit && !req_q && !clearing;
  assign is_alloc = !we_q && reg_q == tern_abi_pkg::MMIO_OP_ALLOC[6:2];
  assign is_free  =  we_q && reg_q == tern_abi_pkg::MMIO_OP_FREE[6:2];
  assign is_kill  =  we_q && reg_q == tern_abi_pkg::MMIO_OP_KILL[6:2];
  assign is_busy0 = !we_q && reg_q == tern_abi_pkg::MMIO_OP_BUSY0[6:2];
  assign is_busy1 = !we_q && reg_q == tern_abi_pkg::MMIO_OP_BUSY1[6:2];
  assign is_prog0 = !we_q && reg_q == tern_abi_pkg::MMIO_OP_PROGRESS0[6:2];
  assign is_prog1 = !we_q && reg_q == tern_abi_pkg::MMIO_OP_PROGRESS1[6:2];

  // ---------------------------------------------------------------- acks wait their turn
  logic        ack_valid, ack_go;
  logic [7:0]  ack_op, ack_gen, ack_status;
  logic        ack_room;

  tern_fifo #(.Width(24), .Depth(8)) u_acks (
    .clk_i, .rst_ni,
    .valid_i(rxo_ack_i), .ready_o(ack_room), .data_i({rxo_op_i, rxo_gen_i, rxo_status_i}),
    .valid_o(ack_valid), .ready_i(ack_go), .data_o({ack_op, ack_gen, ack_status}),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // ---------------------------------------------------------------- whose turn it is
  logic [OpW:0] clear_q;     // counts up to NumOps while the entries are cleared
  logic         clearing, tx_go, in_table, alloc_wait;
  logic [7:0]   op;
  logic [OpW-1:0] at;

  assign clearing = !clear_q[OpW];
  assign tx_go    = (txo_start_i || txo_sent_i || txo_end_i) && !clearing;
  assign ack_go   = ack_valid && !tx_go && !clearing;
  assign mm_go    = req_q && !tx_go && !ack_valid && !alloc_wait;
  assign op       = tx_go ? txo_op_i : ack_go ? ack_op : is_alloc ? 8'(cand_q) : wdata_q[7:0];
  assign in_table = 9'(op) < 9'(NumOps);
  assign at       = clearing ? clear_q[OpW-1:0] : op[OpW-1:0];

  // ---------------------------------------------------------------- free entries, found in advance
  logic [NumOps-1:0] busy_q, ended_q, told_q, progress_q;   // told: the event waits in the FIFO
  logic [OpW-1:0]    cand_q;                                 // next entry to give out, if free
  logic              none_free, cand_free;

  assign none_free  = &busy_q;
  assign cand_free  = !busy_q[cand_q];
  assign alloc_wait = is_alloc && !cand_free && !none_free;

  // ---------------------------------------------------------------- the entry before and after
  logic [EntryW-1:0] mem [0:NumOps-1];
  logic [EntryW-1:0] entry_d;
  logic [CountW-1:0] out, out_d;            // packets sent and not yet acked
  logic [7:0]        status, status_d, gen, gen_d, news;
  logic              ack, ack_d, notify, notify_d, sent_all, sent_all_d, killed, killed_d;
  logic              live, ack_good, alloc_ok, free_ok, kill_ok, done, tell;

  assign {out, status, gen, ack, notify, sent_all, killed} = mem[at];
  assign entry_d = {out_d, status_d, gen_d, ack_d, notify_d, sent_all_d, killed_d};
  // Word 0 of the second read port: generation for the header that tern_tx builds.
  logic [EntryW-1:0] tx_entry;
  assign tx_entry  = mem[txo_op_i[OpW-1:0]];
  assign txo_gen_o = tx_entry[11:4];

  assign live     = in_table && busy_q[at] && !ended_q[at];
  assign ack_good = ack_go && live && ack && gen == ack_gen && out != '0;
  assign alloc_ok = mm_go && is_alloc && !none_free;
  assign free_ok  = mm_go && is_free && in_table && busy_q[at] && !told_q[at];
  assign kill_ok  = mm_go && is_kill && live;

  // The first bad status sticks.
  assign news     = tx_go && txo_end_i ? txo_status_i : ack_good ? ack_status :
                    kill_ok ? wdata_q[15:8] : tern_abi_pkg::ST_OK;

  always_comb begin
    out_d      = out;
    status_d   = status == tern_abi_pkg::ST_OK ? news : status;
    gen_d      = gen;
    ack_d      = ack;
    notify_d   = notify;
    sent_all_d = sent_all || (tx_go && txo_end_i);
    killed_d   = killed || kill_ok;
    if (tx_go && txo_start_i) begin
      ack_d    = txo_ack_i;
      notify_d = txo_notify_i;
    end
    if (tx_go && txo_sent_i) out_d = out + 1'b1;
    if (ack_good)            out_d = out - 1'b1;
    if (free_ok || (done && !tell)) gen_d = gen + 1'b1;
    if (alloc_ok) begin
      out_d      = '0;
      status_d   = '0;
      sent_all_d = 1'b0;
      killed_d   = 1'b0;
    end
    if (clearing) begin
      out_d      = '0;
      status_d   = '0;
      gen_d      = '0;
      ack_d      = 1'b0;
      notify_d   = 1'b0;
      sent_all_d = 1'b0;
      killed_d   = 1'b0;
    end
  end

  assign done = (tx_go || ack_good || kill_ok) && live && sent_all_d && (killed_d || !ack_d || out_d == '0);
  assign tell = notify_d || status_d != tern_abi_pkg::ST_OK;

  // A happening of a table place that is not live changes nothing.
  always_ff @(posedge clk_i) begin
    if (clearing || (tx_go && live) || ack_good || kill_ok || alloc_ok || free_ok) mem[at] <= entry_d;
  end

  // ---------------------------------------------------------------- events
  logic [OpW-1:0] ev_at;
  logic [7:0]     ev_status;
  logic           ev_room;

  tern_fifo #(.Width(OpW + 8), .Depth(NumOps)) u_events (
    .clk_i, .rst_ni,
    .valid_i(done && tell), .ready_o(ev_room), .data_i({at, status_d}),
    .valid_o(ev_op_valid_o), .ready_i(ev_op_ready_i), .data_o({ev_at, ev_status}),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ev_op_o = {tern_abi_pkg::EV_OP, 12'b0, ev_status, 8'(ev_at)};

  assign tr_op_done_o    = done;
  assign tr_op_done_id_o = 16'(at);
  assign st_stale_ack_o  = ack_go && !ack_good;

  // ---------------------------------------------------------------- answers and bit maps
  logic [63:0] busy_map, progress_map;
  assign busy_map     = 64'(busy_q);
  assign progress_map = 64'(progress_q);

  assign mm_rvalid_o = mm_go;
  always_comb begin
    mm_rdata_o = '0;
    if (mm_go) begin
      if (is_alloc) mm_rdata_o = none_free ? 32'h80000000 : 32'(cand_q);
      if (is_busy0) mm_rdata_o = busy_map[31:0];
      if (is_busy1) mm_rdata_o = busy_map[63:32];
      if (is_prog0) mm_rdata_o = progress_map[31:0];
      if (is_prog1) mm_rdata_o = progress_map[63:32];
    end
  end

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      reg_q   <= mm_addr_i[6:2];
      we_q    <= mm_we_i;
      wdata_q <= mm_wdata_i[15:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q    <= '0;
      req_q      <= 1'b0;
      cand_q     <= '0;
      busy_q     <= '0;
      ended_q    <= '0;
      told_q     <= '0;
      progress_q <= '0;
    end else begin
      if (clearing) clear_q <= clear_q + 1'b1;
      if (mm_valid_i && mm_ready_o) req_q <= 1'b1;
      else if (mm_go)               req_q <= 1'b0;
      if (alloc_ok || !cand_free) cand_q <= cand_q == OpW'(NumOps - 1) ? '0 : cand_q + 1'b1;
      if (ev_op_valid_o && ev_op_ready_i) told_q[ev_at] <= 1'b0;
      for (int i = 0; i < NumOps; i++) begin
        if (mm_go && (i < 32 ? is_prog0 : is_prog1)) progress_q[i] <= 1'b0;
      end
      if ((tx_go && txo_sent_i && live) || ack_good) progress_q[at] <= 1'b1;
      if (alloc_ok) begin
        busy_q[at]     <= 1'b1;
        progress_q[at] <= 1'b0;
      end
      if (done && tell) begin
        ended_q[at] <= 1'b1;
        told_q[at]  <= 1'b1;
      end
      if (free_ok || (done && !tell)) begin
        busy_q[at]  <= 1'b0;
        ended_q[at] <= 1'b0;
      end
    end
  end

  // Acks and events always find room; the table never counts below zero.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      AckRoom:   assert (!rxo_ack_i || ack_room);
      EventRoom: assert (!(done && tell) || ev_room);
      CountUp:   assert (!(tx_go && txo_sent_i && live) || out != '1);
      EndedBusy: assert ((ended_q & ~busy_q) == '0 && (told_q & ~ended_q) == '0);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_wdata_i[31:16], tx_entry[EntryW-1:12], tx_entry[3:0], 1'b0};

endmodule

`default_nettype wire
