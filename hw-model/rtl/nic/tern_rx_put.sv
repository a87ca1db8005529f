// SPDX-License-Identifier: Apache-2.0
// Takes puts to the write channel, strictly in order: header, key check, command.
//
// The headers lie in a ring of 16 rows, in the memory that tern_rx writes; put number n has row n
// mod 16. The block reads the next put's header beat by beat, while it still arrives if no other
// put is before it; a bad packet drops the header. The key check of a put starts once the write
// channel has taken the command before, so checks overlap writes. It starts before the packet ends
// if the header is there; its verdict counts only if the packet proves good. A payload slot is
// released as soon as it has been read. No byte is written before a good check. A broadcast whose
// region is not registered here is not meant for this node and gets no refusal.
//
// The block also reads header and key of an atomic operation or a walk's node (tern_atomic) and
// checks them, in turn with the puts: `job_*`. The next put is then read again from the memory. A
// put that may touch the line of such an operation is checked again once that line is free.

`default_nettype none

module tern_rx_put #(
  parameter int unsigned DataW   = 64,
  parameter int unsigned RxSlots = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [7:0]  incarnation_i,

  input  logic [3:0]  tail_i,          // number of the next put to arrive; all before are good
  input  logic        coming_i,        // that put is arriving
  // beats of the arriving packet taken so far; the last is being written
  input  logic [8:0]  beats_i,
  input  logic        bad_i,           // the arriving packet was bad
  output logic        row_put_o,       // the header being read is a put's,
  output logic [3:0]  row_o,           // its number; else its slot
  output logic [3:0]  next_o,          // number of the next put to decide
  output logic        release_o,       // the oldest payload slot is free

  output logic        hd_req_o,        // reads a beat of the header: data one cycle later
  output logic [$clog2(256/DataW)-1:0] hd_beat_o,
  input  logic [DataW-1:0] hd_rdata_i,

  output logic        ck_valid_o,
  input  logic        ck_ready_i,
  output logic [31:0] ck_key_o,
  output logic [63:0] ck_addr_o,
  output logic [31:0] ck_bytes_o,
  output logic        ck_offset_o,
  output logic        ck_atomic_o,     // check the right to atomics;
  output logic        ck_read_o,       // check the right to read; neither: to write
  input  logic        ck_done_i,
  input  logic [7:0]  ck_status_i,
  input  logic [63:0] ck_haddr_i,
  input  logic [7:0]  ck_fn_i,

  output logic        rxc_valid_o,
  input  logic        rxc_ready_i,
  output logic [4:0]  rxc_slot_o,
  output logic [10:0] rxc_bytes_o,
  output logic [7:0]  rxc_fn_o,
  output logic [63:0] rxc_addr_o,
  output logic [15:0] rxc_id_o,
  input  logic        rxc_read_done_i,

  input  logic        job_valid_i,     // held until done
  input  logic [$clog2(RxSlots)-1:0] job_slot_i,   // from the next cycle on
  input  logic        job_walk_i,      // the same: checks the key of a node
  // the job is at work, and every put before it has entered the write channel
  output logic        job_clear_o,
  output logic        job_done_o,
  output logic [4:0]  job_status_o,
  output logic [15:0] job_generation_o,// taken from the address, a link
  input  logic        hold_i,          // let no put begin its key check
  // no put is or has been checked, none waits for the write channel
  output logic        quiet_o,
  input  logic        lock_i,          // let no put pass that may touch this line:
  input  logic [3:0]  line_i,          // lowest bits of address / 512

  input  logic        room_i,          // for one more answer
  output logic        noted_o,         // the next put is decided, if its packet is good
  output logic        refused_o,
  output logic        stale_o,         // refused without a check
  output logic        foreign_o,       // decided: to be refused without an answer
  output logic        passed_o         // refused without an answer
);

  localparam int unsigned Beats = 256 / DataW;
  localparam int unsigned BeatW = $clog2(Beats);

  // ---------------------------------------------------------------- the header of the next put
  logic [3:0]        next_q;
  logic [BeatW:0]    read_q;           // beats asked for
  logic [BeatW-1:0]  beat_q;           // the one that is there
  logic              there_q, loaded_q, early, drop, decided;
  logic              offset_q, deposit_q, stale_q;
  logic [7:0]        incarnation_q;
  logic [10:0]       length_q;
  logic [15:0]       opid_q;
  logic [31:0]       key_q;
  logic [63:0]       addr_q;
  logic              begins, job_q, bad_length_q;

  assign early     = next_q == tail_i;
  // A job begins before an arriving put, but after a good one whose header is being read.
  assign begins    = job_valid_i && !job_q && !asked_q && (early || read_q == '0);
  assign bad       = early && bad_i && !job_q;
  // An arriving put that is already checked yields to a hold: no job waits for its packet to end.
  assign yields    = known_q && early && hold_i;
  assign drop      = decided || begins || job_done_o || bad || yields;
  assign hd_req_o  = !read_q[BeatW] &&
                     (job_q || !early || (coming_i && beats_i > 9'(read_q) + 9'd1));
  assign row_put_o = !job_q;
  assign row_o     = job_q ? 4'(job_slot_i) : next_q;
  assign hd_beat_o = read_q[BeatW-1:0];
  assign next_o    = next_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop) begin
      read_q   <= '0;
      there_q  <= 1'b0;
      loaded_q <= 1'b0;
    end else begin
      there_q <= hd_req_o;
      if (hd_req_o) read_q <= read_q + 1'b1;
      if (there_q && beat_q == '1) loaded_q <= 1'b1;
    end
    if (!rst_ni || job_done_o) job_q <= 1'b0;
    else if (begins)           job_q <= 1'b1;
    beat_q <= hd_beat_o;
  end

  localparam int unsigned LengthAt = tern_abi_pkg::PKT_LENGTH_LSB;
  localparam int unsigned OpidAt   = tern_abi_pkg::PKT_OPID_LSB;
  localparam int unsigned FlagsAt  = tern_abi_pkg::PKT_FLAGS_LSB;
  localparam int unsigned IncAt    = tern_abi_pkg::PKT_INCARNATION_LSB;
  localparam int unsigned KeyAt    = tern_abi_pkg::PKT_KEY_LSB;
  localparam int unsigned AddrAt   = tern_abi_pkg::PKT_ADDR_LSB;
  localparam int unsigned OffsetAt = FlagsAt + $clog2(tern_abi_pkg::PFLAG_OFFSET);
  localparam int unsigned DepositAt = FlagsAt + $clog2(tern_abi_pkg::PFLAG_DEPOSIT);
  localparam int unsigned OpsBit  = $clog2(tern_abi_pkg::ATO_BYTES);
  localparam int unsigned WordBit = $clog2(tern_abi_pkg::ATOMIC_BYTES);

  always_ff @(posedge clk_i) begin
    if (there_q && beat_q == BeatW'(LengthAt / DataW)) length_q <=
        hd_rdata_i[LengthAt % DataW +: 11];
    if (there_q && beat_q == BeatW'(OpidAt / DataW))   opid_q   <= hd_rdata_i[OpidAt % DataW +: 16];
    if (there_q && beat_q == BeatW'(FlagsAt / DataW))  offset_q <= hd_rdata_i[OffsetAt % DataW];
    if (there_q && beat_q == BeatW'(FlagsAt / DataW))  deposit_q <= hd_rdata_i[DepositAt % DataW];
    if (there_q && beat_q == BeatW'(KeyAt / DataW))    key_q    <= hd_rdata_i[KeyAt % DataW +: 32];
    if (there_q && beat_q == BeatW'(IncAt / DataW))
      incarnation_q <= hd_rdata_i[IncAt % DataW +: 8];
    if (there_q && beat_q == BeatW'(AddrAt / DataW))
      addr_q[31:0] <= hd_rdata_i[AddrAt % DataW +: 32];
    if (there_q && beat_q == BeatW'((AddrAt + 32) / DataW))
      addr_q[47:32] <= hd_rdata_i[(AddrAt + 32) % DataW +: 16];
    if (job_q && job_walk_i) addr_q[63:48] <= '0;
    else if (there_q && beat_q == BeatW'((AddrAt + 32) / DataW))
      addr_q[63:48] <= hd_rdata_i[(AddrAt + 48) % DataW +: 16];
    if (job_q && there_q && beat_q == BeatW'((AddrAt + 32) / DataW))
      job_generation_o <= hd_rdata_i[(AddrAt + 48) % DataW +: 16];
    // Neither field is in the last beat: both are settled when the header is loaded.
    stale_q      <= incarnation_q != '0 && incarnation_q != incarnation_i;
    bad_length_q <= job_q && length_q != 11'(tern_abi_pkg::ATO_BYTES);
  end

  // ---------------------------------------------------------------- key check
  logic       asked_q, go, answer, enter, cmd_valid_q, locked, wait_q, refused;
  // known_q: checked, still arriving
  logic       known_q, void_q, yields, known_bad_q, known_foreign_q, settled, bad, load;
  logic [3:0] ahead;

  assign go          = loaded_q && !asked_q && !known_q && !cmd_valid_q &&
                       (job_q || (room_i && !hold_i && !wait_q && !(early && job_valid_i)));
  assign ck_valid_o  = go && !stale_q && !bad_length_q;
  assign ck_key_o    = key_q;
  assign ck_addr_o   = addr_q;
  assign ck_offset_o = offset_q;
  assign ck_atomic_o = job_q && !job_walk_i;
  assign ck_read_o   = job_q && job_walk_i;
  // An atomic job checks the word's length in place of the operands'; a linked node is as long as
  // those.
  always_comb begin
    ck_bytes_o = 32'(length_q);
    if (ck_atomic_o) ck_bytes_o[OpsBit]  = 1'b0;
    if (ck_atomic_o) ck_bytes_o[WordBit] = 1'b1;
  end

  // A put touches at most two lines of 512 bytes: where it begins, and the next.
  assign ahead     = line_i - ck_haddr_i[12:9];
  assign locked    = lock_i && ahead < 4'd2;
  // The check of a put whose packet proves bad has no effect, whether still running or done.
  assign answer    = asked_q && ck_done_i && !job_q && !locked && !void_q && !bad;
  assign load      = answer && ck_status_i == tern_abi_pkg::ST_OK;
  assign settled   = known_q && !early;
  assign refused   = known_q ? known_bad_q : ck_status_i != tern_abi_pkg::ST_OK;
  assign stale_o   = go && stale_q && !job_q && !early;
  assign foreign_o = answer && deposit_q && ck_status_i == tern_abi_pkg::ST_BAD_KEY;
  assign noted_o   = stale_o || answer;
  assign decided   = stale_o || (answer && !early) || settled;
  assign enter     = decided && !stale_o && !refused;
  assign refused_o = decided && !enter;
  assign passed_o  = decided && !stale_o && (known_q ? known_foreign_q : foreign_o);

  assign job_clear_o  = job_q && !cmd_valid_q;
  assign quiet_o      = !asked_q && !known_q && !cmd_valid_q;
  assign job_done_o   = job_q && (asked_q ? ck_done_i : go && (stale_q || bad_length_q));
  assign job_status_o = asked_q ? ck_status_i[4:0] :
                        stale_q ? 5'(tern_abi_pkg::ST_STALE_NODE) : 5'(tern_abi_pkg::ST_BAD_LENGTH);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      next_q  <= '0;
    end else begin
      if (ck_valid_o && ck_ready_i) asked_q <= 1'b1;
      else if (ck_done_i)           asked_q <= 1'b0;
      if (decided) next_q <= next_q + 1'b1;
    end
    known_q <= rst_ni && !drop && (known_q || answer);
    void_q  <= bad || (void_q && asked_q && !ck_done_i);
    if (answer) {known_bad_q, known_foreign_q} <= {!load, foreign_o};
    wait_q <= lock_i && (wait_q || (asked_q && ck_done_i && !job_q && locked));
  end

  // ---------------------------------------------------------------- command to the write channel
  assign rxc_valid_o = cmd_valid_q;

  always_ff @(posedge clk_i) begin
    if (enter) begin
      rxc_slot_o  <= 5'(RxSlots) + 5'(next_q[1:0]);
      rxc_id_o    <= opid_q;
    end
    // 0 without a command: the consumer ORs these with other sources.
    if (load) {rxc_bytes_o, rxc_fn_o, rxc_addr_o} <= {length_q, ck_fn_i, ck_haddr_i};
    else if (!rst_ni || (cmd_valid_q ? rxc_ready_i : !enter && (drop || !known_q)))
      {rxc_bytes_o, rxc_fn_o, rxc_addr_o} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          cmd_valid_q <= 1'b0;
    else if (enter)       cmd_valid_q <= 1'b1;
    else if (rxc_ready_i) cmd_valid_q <= 1'b0;
  end

  // ---------------------------------------------------------------- slots come back in ring order
  // Refused puts are marked; for the others the write channel reports, in the same order.
  logic [3:0] refused_q;
  logic [1:0] oldest_q;
  logic [2:0] over_q;                  // slots read and not yet released

  assign release_o = refused_q[oldest_q] || over_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      oldest_q  <= '0;
      refused_q <= '0;
      over_q    <= '0;
    end else begin
      if (release_o) begin
        refused_q[oldest_q] <= 1'b0;
        oldest_q            <= oldest_q + 1'b1;
      end
      if (refused_o) refused_q[next_q[1:0]] <= 1'b1;
      over_q <= over_q + 3'(rxc_read_done_i) - 3'(release_o && !refused_q[oldest_q]);
    end
  end

  // The write channel reports no end of a read without a command.
  logic [4:0] reading_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reading_q <= '0;
    end else begin
      reading_q <= reading_q + 5'(enter) - 5'(rxc_read_done_i);
      ReadEndsOnce: assert (!rxc_read_done_i || reading_q != '0);
      RingOrder:    assert (!decided || !refused_q[next_q[1:0]]);
      Settled:      assert (!(go &&
                              (BeatW'(IncAt / DataW) == '1 || BeatW'(LengthAt / DataW) == '1)));
      NodeBytes:    assert (tern_abi_pkg::NODE_BYTES == tern_abi_pkg::ATO_BYTES);
      JobStands:    assert (!job_q || job_valid_i);
      JobAsks:      assert (!(begins && ck_valid_o));
      JobAlone:     assert (!(job_q && (decided || enter || known_q)));
      LineKept:     assert (!(load && lock_i && (line_i == ck_haddr_i[12:9] ||
                                                  line_i == ck_haddr_i[12:9] + 4'd1)));
      Nothing:      assert (cmd_valid_q || known_q || {rxc_bytes_o, rxc_fn_o, rxc_addr_o} == '0);
    end
  end

endmodule

`default_nettype wire
