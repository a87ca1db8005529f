// SPDX-License-Identifier: Apache-2.0
// Operation table: tracks puts and messages in flight and detects when each has ended.
//
// An operation is named by the number of its descriptor slot, which it keeps until it ends. If it
// ends well and needs no event, the slot is freed here. Otherwise it raises one event, in order of
// ending, and the firmware owns the slot again when it takes the event.
//
// An operation waits for a number of answers: one for each packet that tern_tx reports as answered
// by itself; for a broadcast the number that OP_MEMBERS gave its slot beforehand. A broadcast that
// was cut short awaits no answers: it ends with its transmission. An ack marked final is the last
// one.
//
// The word of an answer is taken if that answer ends an operation with an event.
//
// An entry is a row of LUT RAM. One input a cycle is served: a report of tern_tx first, then an
// ack, then the taking of an event, then a register write. The row is read and written in the next
// cycle. Three sets of operations are in flip-flops beside the rows, so reading one needs no row.
// An entry that ends is ready for its next operation at once, with a new generation; late acks with
// the old one are ignored.

`default_nettype none

module tern_optab #(
  parameter int unsigned NumOps = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cmd_i,         // a command was given for slot cmd_slot_i
  input  logic [5:0]  cmd_slot_i,

  input  logic        txo_sent_i,    // one packet left; ack: it awaits one answer
  input  logic        txo_end_i,     // transmission has ended, maybe with the last packet
  input  logic [7:0]  txo_op_i,
  input  logic        txo_ack_i,
  input  logic        txo_notify_i,
  input  logic [7:0]  txo_status_i,
  output logic [7:0]  txo_gen_o,     // generation of txo_op_i, same cycle

  input  logic        rxo_ack_i,
  output logic        rxo_free_o,    // no ack waits here
  input  logic [7:0]  rxo_op_i,
  input  logic [7:0]  rxo_gen_i,
  input  logic [7:0]  rxo_status_i,
  input  logic        rxo_final_i,   // no other answer to the operation follows
  input  logic        rxo_word_i,    // it brings a word, which is then taken or dropped
  output logic        rxo_take_o,
  output logic        rxo_drop_o,
  output logic [5:0]  rxo_slot_o,

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
  localparam int unsigned CountW = 16;
  localparam int unsigned EntryW = CountW + 8 + 8 + 6;

  // ---------------------------------------------------------------- register accesses, one may
  // wait
  logic        hit, req_q, we_q, mm_go, mm_end;
  logic [2:0]  reg_q;
  logic [31:0] wdata_q;
  logic        is_kill, is_members;

  // Words 2 to 6 of the registers from TX_SPACE on.
  assign hit = mm_addr_i[15:5] == tern_abi_pkg::MMIO_OP_SENT[15:5] &&
               (mm_addr_i[4] != mm_addr_i[3] ||
                mm_addr_i[4:2] == tern_abi_pkg::MMIO_OP_MEMBERS[4:2]) &&
               mm_addr_i[1:0] == '0;
  assign mm_ready_o = hit && !req_q && !clearing;
  assign is_kill    = we_q && reg_q == tern_abi_pkg::MMIO_OP_KILL[4:2];
  assign is_members = we_q && reg_q == tern_abi_pkg::MMIO_OP_MEMBERS[4:2];

  // ---------------------------------------------------------------- an ack waits its turn
  // Reports of tern_tx never come in consecutive cycles, and acks are further apart.
  logic           ack_valid_q, ack_go, ack_in_table_q, ack_final_q, ack_word_q;
  logic [OpW-1:0] ack_at_q;
  logic [7:0]     ack_gen_q, ack_status_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        ack_valid_q <= 1'b0;
    else if (rxo_ack_i) ack_valid_q <= 1'b1;
    else if (ack_go)    ack_valid_q <= 1'b0;
    if (rxo_ack_i) begin
      {ack_in_table_q, ack_at_q} <= {rxo_op_i[7:OpW] == '0, rxo_op_i[OpW-1:0]};
      {ack_gen_q, ack_status_q}  <= {rxo_gen_i, rxo_status_i};
      {ack_final_q, ack_word_q}  <= {rxo_final_i, rxo_word_i};
    end
  end

  // ---------------------------------------------------------------- arbiter
  logic [OpW:0]   walk_q;    // entries cleared after reset
  logic           clearing, tx_go, ev_go, ev_wait_q;
  logic [OpW-1:0] ev_at, taken_at_q;

  assign clearing  = !walk_q[OpW];
  assign tx_go     = (txo_sent_i || txo_end_i) && !clearing;
  assign ev_go     = ev_wait_q && !tx_go && !ack_valid_q;
  assign ack_go    = ack_valid_q && !tx_go;
  assign rxo_free_o = !ack_valid_q;
  assign mm_go     = req_q && !tx_go && !ev_wait_q && !ack_valid_q;

  // The served input: its entry is read and written in the cycle after it was chosen.
  logic [OpW-1:0] at_q;
  logic           sent_q, end_q, tx_q, ev_q, acked_q, final_q, word_q, kill_q, members_q, known_q,
                  ack_asked_q, notify_asked_q, clear_now_q;
  logic [7:0]     status_q, gen_q;

  always_ff @(posedge clk_i) begin
    at_q     <= tx_go       ? txo_op_i[OpW-1:0] :
                ack_valid_q ? ack_at_q :
                ev_wait_q   ? taken_at_q :
                clearing    ? walk_q[OpW-1:0] : wdata_q[OpW-1:0];
    status_q <= tx_go ? (txo_end_i ? txo_status_i : tern_abi_pkg::ST_OK) :
                ack_go ? ack_status_q : wdata_q[15:8];
    known_q  <= tx_go ? txo_op_i[7:OpW] == '0 :
                ack_go ? ack_in_table_q : wdata_q[7:OpW] == '0;
    gen_q          <= ack_gen_q;
    final_q        <= ack_final_q;
    word_q         <= ack_word_q;
    sent_q         <= txo_sent_i;
    end_q          <= txo_end_i;
    ack_asked_q    <= txo_ack_i;
    notify_asked_q <= txo_notify_i;
  end

  always_ff @(posedge clk_i) begin
    tx_q        <= rst_ni && tx_go;
    ev_q        <= rst_ni && ev_go;
    acked_q     <= rst_ni && ack_go;
    kill_q      <= rst_ni && mm_go && is_kill;
    members_q   <= rst_ni && mm_go && is_members;
    clear_now_q <= rst_ni && clearing;
  end

  // ---------------------------------------------------------------- commands
  // A command flips its slot's bit; an entry that saved the other value is a new operation's.
  logic turn_cmd, turn;
  tern_lutram #(.Width(1), .Words(NumOps)) u_turn_cmd (
    .clk_i, .raddr_i(cmd_slot_i[OpW-1:0]), .rdata_o(turn_cmd),
    .we_i(cmd_i || clear_now_q), .waddr_i(clear_now_q ? at_q : cmd_slot_i[OpW-1:0]),
    .wdata_i(!turn_cmd && !clear_now_q)
  );
  tern_lutram #(.Width(1), .Words(NumOps)) u_turn (
    .clk_i, .raddr_i(at_q), .rdata_o(turn),
    .we_i(cmd_i || clear_now_q), .waddr_i(clear_now_q ? at_q : cmd_slot_i[OpW-1:0]),
    .wdata_i(!turn_cmd && !clear_now_q)
  );

  // ---------------------------------------------------------------- the entry before and after
  // told: the operation ended, and its event was not yet taken.
  logic [EntryW-1:0] entry, entry_d;
  logic [CountW-1:0] out, out_now;          // answers still awaited
  logic [7:0]        status, status_now, gen, gen_d;
  logic              notify, sent_all, killed, was_busy, was_told, turned;
  logic              fresh, busy, told, live, ack_good, kill_ok, done, tell, write;
  logic              counts, notify_now, sent_all_now, killed_now, none_out, cut;

  tern_lutram #(.Width(EntryW), .Words(NumOps)) u_entries (
    .clk_i, .raddr_i(at_q), .rdata_o(entry), .we_i(write), .waddr_i(at_q), .wdata_i(entry_d)
  );
  // A second copy of the generation, for the header that tern_tx builds.
  tern_lutram #(.Width(8), .Words(NumOps)) u_gen (
    .clk_i, .raddr_i(txo_op_i[OpW-1:0]), .rdata_o(txo_gen_o),
    .we_i(done || clear_now_q), .waddr_i(at_q), .wdata_i(gen_d)
  );

  assign {out, status, gen, notify, sent_all, killed, was_busy, was_told, turned} = entry;
  assign fresh    = turn != turned;
  assign busy     = was_busy || fresh;
  assign told     = was_told && !fresh;
  assign live     = known_q && busy && !told;
  assign ack_good = acked_q && live && gen == gen_q && out != '0;
  assign kill_ok  = kill_q && live;

  // A bad ack changes no count: the entry is then not written. The first bad status is kept.
  assign counts       = tx_q && sent_q && ack_asked_q;
  assign out_now      = members_q ? wdata_q[31:16]
                                  : out + {{(CountW-1){acked_q}}, acked_q || counts};
  assign status_now   = status == tern_abi_pkg::ST_OK && !ev_q && !members_q ? status_q : status;
  assign notify_now   = tx_q ? notify_asked_q : notify;
  assign sent_all_now = sent_all || (tx_q && end_q);
  assign killed_now   = killed || kill_ok;
  assign none_out     = acked_q ? final_q || out[CountW-1:1] == '0 : out == '0 && !counts;
  // Cut short, and not an operation whose packets are all answered.
  assign cut          = tx_q && end_q && !ack_asked_q && status_q != tern_abi_pkg::ST_OK;

  assign done = ((tx_q && live) || ack_good || kill_ok) && sent_all_now &&
                (killed_now || none_out || cut);
  assign tell = notify_now || status_now != tern_abi_pkg::ST_OK;

  // A resting entry has count 0, status OK, and its next generation.
  logic rest, left, moved, busy_d, told_d;
  assign rest  = clear_now_q || done;
  assign gen_d = clear_now_q ? 8'd0 : gen + 8'(done);
  assign left  = tx_q && live && sent_q;
  assign moved = left || ack_good;

  assign busy_d  = !clear_now_q && (ev_q ? busy && !told : busy && !(done && !tell));
  assign told_d  = !clear_now_q && !ev_q && (told || (done && tell));
  assign entry_d = {rest ? {CountW{1'b0}} : out_now, rest ? 8'd0 : status_now,
                    gen_d,
                    !rest && notify_now, !rest && sent_all_now, !rest && killed_now,
                    busy_d, told_d, turn && !clear_now_q};

  // An input for an entry that is not live changes nothing.
  assign write = clear_now_q || ev_q || (tx_q && live) || ack_good || kill_ok ||
                 (members_q && known_q);

  // ---------------------------------------------------------------- events and slots
  logic ev_room, ev_valid;

  tern_fifo #(.Width(OpW + 8), .Depth(NumOps)) u_events (
    .clk_i, .rst_ni,
    .valid_i(done && tell), .ready_o(ev_room), .data_i({at_q, status_now}),
    .valid_o(ev_valid), .ready_i(ev_op_ready_i && !ev_wait_q), .data_o({ev_at, ev_op_status_o}),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  // The next event shows once the last is finished.
  assign ev_op_valid_o = ev_valid && !ev_wait_q;
  assign ev_op_slot_o  = 6'(ev_at);

  // Freed one cycle later: a long path to the slot pool.
  always_ff @(posedge clk_i) begin
    slot_free_valid_o <= rst_ni && done && !tell;
    slot_free_slot_o  <= 6'(at_q);
  end

  // Take the word only if an event reports the end: the slot then stays until the firmware frees
  // it.
  assign rxo_take_o = acked_q && word_q && done && notify_now;
  assign rxo_drop_o = acked_q && word_q && !(done && notify_now);
  assign rxo_slot_o = 6'(at_q);

  assign tr_op_done_o    = done;
  assign tr_op_done_id_o = 16'(at_q);
  assign st_stale_ack_o  = acked_q && !ack_good;

  // ---------------------------------------------------------------- sets of operations
  // Busy: from the command until the slot is freed or the event was taken. Sent: a packet has left
  // since the command. Moved: a command, packet or answer since the set was last read.
  logic [NumOps-1:0] busy_q, sent_set_q, moved_q, given, freed, taken, gone, acted, map;
  logic              clears;

  always_comb begin
    given = '0;
    freed = '0;
    taken = '0;
    gone  = '0;
    acted = '0;
    given[cmd_slot_i[OpW-1:0]] = cmd_i;
    freed[at_q]                = done && !tell;
    taken[ev_at]               = ev_op_valid_o && ev_op_ready_i;
    gone[at_q]                 = left;
    acted[at_q]                = moved;
    case (reg_q)
      tern_abi_pkg::MMIO_OP_SENT[4:2]:     map = sent_set_q;
      tern_abi_pkg::MMIO_OP_BUSY[4:2]:     map = busy_q;
      tern_abi_pkg::MMIO_OP_PROGRESS[4:2]: map = moved_q;
      default:                             map = '0;
    endcase
  end

  assign mm_end = req_q && (!we_q || mm_go);
  assign clears = mm_end && !we_q && reg_q == tern_abi_pkg::MMIO_OP_PROGRESS[4:2];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      sent_set_q <= '0;
      moved_q    <= '0;
    end else begin
      busy_q     <= (busy_q & ~freed & ~taken) | given;
      sent_set_q <= (sent_set_q & ~given) | gone;
      moved_q    <= (moved_q & ~{NumOps{clears}}) | given | acted;
    end
  end

  always_ff @(posedge clk_i) begin
    mm_rvalid_o <= rst_ni && mm_end;
    if (mm_end && !we_q) mm_rdata_o <= 32'(map);
    else                 mm_rdata_o <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (mm_valid_i && mm_ready_o) begin
      reg_q   <= mm_addr_i[4:2];
      we_q    <= mm_we_i;
      wdata_q <= mm_wdata_i;
    end
    if (ev_op_valid_o) taken_at_q <= ev_at;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_q     <= '0;
      req_q      <= 1'b0;
      ev_wait_q  <= 1'b0;
    end else begin
      if (clearing) walk_q <= walk_q + 1'b1;
      if (mm_valid_i && mm_ready_o) req_q <= 1'b1;
      else if (mm_end)              req_q <= 1'b0;
      if (ev_op_valid_o && ev_op_ready_i) ev_wait_q <= 1'b1;
      else if (ev_go)                     ev_wait_q <= 1'b0;
    end
  end

  // Acks and events always have room; the count never goes below zero; a slot has one operation.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      AckRoom:   assert (!rxo_ack_i || !ack_valid_q || ack_go);
      EventRoom: assert (!(done && tell) || ev_room);
      CountUp:   assert (!(counts && live) || out != '1);
      Members:   assert (!(members_q && known_q) || !busy);
      OneEach:   assert (!cmd_i || !busy_q[cmd_slot_i[OpW-1:0]]);
      SameBusy:  assert (!(tx_q && known_q && !ev_wait_q && !cmd_i) || busy_q[at_q] == busy);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, cmd_slot_i, 1'b0};

endmodule

`default_nettype wire
