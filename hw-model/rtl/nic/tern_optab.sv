// SPDX-License-Identifier: Apache-2.0
// Operation table: which puts and messages are in flight, and when each has ended.
//
// An operation is known by the descriptor slot it was started from, and has the slot until it ends.
// One that ended well and need not be told of gives its slot back here; of any other the firmware
// hears once, in the order of ending, and the slot is the firmware's again when it takes the event.
//
// One happening a cycle changes the table: a report of tern_tx first, then an ack, then a kill.
// Reports are taken in their cycle; acks wait in a FIFO of 8. An entry that ends is ready for its
// next operation at once, in another generation: late acks of the old one find nothing.

`default_nettype none

module tern_optab #(
  parameter int unsigned NumOps = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cmd_i,         // a command was given for slot cmd_slot_i
  input  logic [5:0]  cmd_slot_i,

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

  output logic        slot_free_valid_o,
  output logic [5:0]  slot_free_slot_o,

  output logic        ev_op_valid_o,
  input  logic        ev_op_ready_i,
  output logic [5:0]  ev_op_slot_o,
  output logic [7:0]  ev_op_status_o,

  output logic        tr_op_done_o,
  output logic [15:0] tr_op_done_id_o,
  output logic        st_stale_ack_o
);

  localparam int unsigned OpW    = $clog2(NumOps);
  localparam int unsigned CountW = 17;
  localparam int unsigned EntryW = CountW + 8 + 8 + 4;

  // ---------------------------------------------------------------- register accesses, one waits
  logic        hit, req_q, we_q, mm_go;
  logic [1:0]  reg_q;
  logic [15:0] wdata_q;
  logic        is_kill;

  // Words 2 to 5 of the registers from TX_SPACE on.
  assign hit = mm_addr_i[15:5] == tern_abi_pkg::MMIO_OP_SENT[15:5] &&
               mm_addr_i[4] != mm_addr_i[3] &&
               mm_addr_i[1:0] == '0;
  assign mm_ready_o = hit && !req_q && !clearing;
  assign is_kill    = we_q && reg_q == tern_abi_pkg::MMIO_OP_KILL[3:2];

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
  logic         clearing, tx_go, in_table;
  logic [7:0]   op;
  logic [OpW-1:0] at;

  assign clearing = !clear_q[OpW];
  assign tx_go    = (txo_start_i || txo_sent_i || txo_end_i) && !clearing;
  assign ack_go   = ack_valid && !tx_go && !clearing;
  assign mm_go    = req_q && !tx_go && !ack_valid;
  assign op       = tx_go ? txo_op_i : ack_go ? ack_op : wdata_q[7:0];
  assign in_table = 9'(op) < 9'(NumOps);
  assign at       = clearing ? clear_q[OpW-1:0] : op[OpW-1:0];

  // ---------------------------------------------------------------- the entry before and after
  logic [NumOps-1:0] busy_q, told_q, sent_q, progress_q;   // told: its event was not taken yet
  logic [EntryW-1:0] mem [0:NumOps-1];
  logic [EntryW-1:0] entry_d;
  logic [CountW-1:0] out, out_d;            // packets sent and not yet acked
  logic [7:0]        status, status_d, gen, gen_d, news;
  logic              ack, ack_d, notify, notify_d, sent_all, sent_all_d, killed, killed_d;
  logic              live, ack_good, kill_ok, done, tell;

  assign {out, status, gen, ack, notify, sent_all, killed} = mem[at];
  assign entry_d = {out_d, status_d, gen_d, ack_d, notify_d, sent_all_d, killed_d};
  // Word 0 of the second read port: generation for the header that tern_tx builds.
  logic [EntryW-1:0] tx_entry;
  assign tx_entry  = mem[txo_op_i[OpW-1:0]];
  assign txo_gen_o = tx_entry[11:4];

  assign live     = in_table && busy_q[at] && !told_q[at];
  assign ack_good = ack_go && live && ack && gen == ack_gen && out != '0;
  assign kill_ok  = mm_go && is_kill && live;

  // The first bad status sticks.
  assign news     = tx_go && txo_end_i ? txo_status_i : ack_good ? ack_status :
                    kill_ok ? wdata_q[15:8] : tern_abi_pkg::ST_OK;

  logic [CountW-1:0] out_now;
  logic [7:0]        status_now;
  logic              ack_now, notify_now, sent_all_now, killed_now;

  always_comb begin
    // What an ack that is no good would count is not written.
    out_now      = out + {{(CountW-1){ack_go}}, ack_go || (tx_go && txo_sent_i)};
    status_now   = status == tern_abi_pkg::ST_OK ? news : status;
    ack_now      = ack;
    notify_now   = notify;
    sent_all_now = sent_all || (tx_go && txo_end_i);
    killed_now   = killed || kill_ok;
    if (tx_go && txo_start_i) begin
      ack_now    = txo_ack_i;
      notify_now = txo_notify_i;
    end
  end

  assign done = (tx_go || ack_good || kill_ok) && live && sent_all_now &&
                (killed_now || !ack_now || out_now == '0);
  assign tell = notify_now || status_now != tern_abi_pkg::ST_OK;

  // An entry at rest counts nothing, is well, and is of its next generation.
  logic rest;
  assign rest       = clearing || done;
  assign out_d      = rest ? '0 : out_now;
  assign status_d   = rest ? '0 : status_now;
  assign gen_d      = clearing ? '0 : gen + 8'(done);
  assign ack_d      = !rest && ack_now;
  assign notify_d   = !rest && notify_now;
  assign sent_all_d = !rest && sent_all_now;
  assign killed_d   = !rest && killed_now;

  // A happening of a table place that is not live changes nothing.
  always_ff @(posedge clk_i) begin
    if (clearing || (tx_go && live) || ack_good || kill_ok) mem[at] <= entry_d;
  end

  // ---------------------------------------------------------------- events and slots
  logic [OpW-1:0] ev_at;
  logic           ev_room;

  tern_fifo #(.Width(OpW + 8), .Depth(NumOps)) u_events (
    .clk_i, .rst_ni,
    .valid_i(done && tell), .ready_o(ev_room), .data_i({at, status_now}),
    .valid_o(ev_op_valid_o), .ready_i(ev_op_ready_i), .data_o({ev_at, ev_op_status_o}),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ev_op_slot_o = 6'(ev_at);

  assign slot_free_valid_o = done && !tell;
  assign slot_free_slot_o  = 6'(at);

  assign tr_op_done_o    = done;
  assign tr_op_done_id_o = 16'(at);
  assign st_stale_ack_o  = ack_go && !ack_good;

  // ---------------------------------------------------------------- answers and bit maps
  logic [31:0] map;

  always_comb begin
    case (reg_q)
      tern_abi_pkg::MMIO_OP_SENT[3:2]:     map = 32'(sent_q);
      tern_abi_pkg::MMIO_OP_BUSY[3:2]:     map = 32'(busy_q);
      tern_abi_pkg::MMIO_OP_PROGRESS[3:2]: map = 32'(progress_q);
      default:                             map = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && mm_go;
    if (mm_go && !we_q) mm_rdata_o <= map;
    else                mm_rdata_o <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      reg_q   <= mm_addr_i[3:2];
      we_q    <= mm_we_i;
      wdata_q <= mm_wdata_i[15:0];
    end
  end

  // Places as sets of one.
  logic [NumOps-1:0] at_set, ev_set, cmd_set;
  always_comb begin
    for (int i = 0; i < NumOps; i++) begin
      at_set[i]  = at == OpW'(i);
      ev_set[i]  = ev_at == OpW'(i) && ev_op_valid_o && ev_op_ready_i;
      cmd_set[i] = cmd_slot_i[OpW-1:0] == OpW'(i) && cmd_i;
    end
  end

  logic moved, left, told, quiet;
  assign left  = tx_go && txo_sent_i && live;
  assign moved = left || ack_good;
  assign told  = done && tell;
  assign quiet = done && !tell;
  logic clear_progress;
  assign clear_progress = mm_go && !we_q && reg_q == tern_abi_pkg::MMIO_OP_PROGRESS[3:2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q    <= '0;
      req_q      <= 1'b0;
      busy_q     <= '0;
      told_q     <= '0;
      sent_q     <= '0;
      progress_q <= '0;
    end else begin
      if (clearing) clear_q <= clear_q + 1'b1;
      if (mm_valid_i && mm_ready_o) req_q <= 1'b1;
      else if (mm_go)               req_q <= 1'b0;
      progress_q <= (clear_progress ? '0 : progress_q) | (moved ? at_set : '0) | cmd_set;
      sent_q     <= (sent_q | (left ? at_set : '0)) & ~cmd_set;
      told_q     <= (told_q | (told ? at_set : '0)) & ~ev_set;
      busy_q     <= (busy_q & ~(quiet ? at_set : '0) & ~ev_set) | cmd_set;
    end
  end

  // Acks and events always find room; the table never counts below zero; a slot has one operation.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      AckRoom:   assert (!rxo_ack_i || ack_room);
      EventRoom: assert (!(done && tell) || ev_room);
      CountUp:   assert (!(tx_go && txo_sent_i && live) || out != '1);
      ToldBusy:  assert ((told_q & ~busy_q) == '0);
      OneEach:   assert (!cmd_i || !busy_q[cmd_slot_i[OpW-1:0]]);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, mm_wdata_i[31:16], tx_entry[EntryW-1:12], tx_entry[3:0], cmd_slot_i, 1'b0};

endmodule

`default_nettype wire
