// SPDX-License-Identifier: Apache-2.0
// Sending end of the host link: frames with numbers wait in a memory until the host acknowledges
// them.
//
// A frame is written word by word; its last word makes it complete. Frames leave in order; when the
// host asks for it, or does not acknowledge for `Timeout` cycles, they leave again from the oldest
// one. What ages in memory (number wanted next, count of BAR accesses) is filled in as a frame
// leaves. A word leaves each cycle, but for six between frames.
`default_nettype none

module tern_hlink_tx #(
  parameter int unsigned Words   = 1024,      // of the memory, a power of two
  parameter int unsigned Timeout = 262144,    // a power of two
  parameter int unsigned AckWait = 4096,      // the same
  parameter logic [3:0]  Channel = 4'd0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // frames to send; only while `room_o` was set before the first word
  input  logic        put_i,
  input  logic        put_first_i,
  input  logic        put_last_i,
  input  logic [31:0] put_word_i,
  output logic        room_o,
  // from the receiving end
  input  logic        ack_valid_i,
  input  logic [7:0]  ack_i,
  input  logic        ack_gap_i,
  input  logic [7:0]  expect_i,
  input  logic        owe_i,
  input  logic        gap_i,
  output logic        gap_told_o,
  input  logic        synced_i,
  input  logic [31:0] session_i,
  input  logic [7:0]  flags_i,       // argument of the answer to a request for a session
  input  logic [7:0]  taken_i,       // count of BAR accesses
  // to the line
  output logic        valid_o,
  input  logic        ready_i,
  output logic        first_o,
  output logic        last_o,
  output logic [31:0] word_o
);

  localparam int unsigned AddrW = $clog2(Words);
  localparam int unsigned SlotW = $clog2(tern_abi_pkg::HLINK_WINDOW);
  localparam int unsigned WaitW = $clog2(AckWait);
  localparam logic [7:0]  Head  = 8'(tern_abi_pkg::HLINK_HEAD_WORDS);

  // --------------------------------------------------------------- the window
  logic [7:0]       next_q, send_q, oldest_q, open, ahead;
  logic [AddrW-1:0] write_q, begin_q, read_q, oldest_at_q, begin_of;
  logic [AddrW-1:0] used;
  logic             news, passed, again_q, commit;
  logic             put_q;            // a frame is being written
  logic [7:0]       behind;

  assign commit = put_i && put_last_i;
  assign open   = next_q - oldest_q;
  assign ahead  = ack_i - oldest_q;
  assign news   = ack_valid_i && ahead != '0 && ahead <= open;
  assign behind = send_q - oldest_q;
  assign passed = behind > open;       // acknowledged before it left again
  assign used   = write_q - oldest_at_q;
  assign room_o = open < 8'(tern_abi_pkg::HLINK_WINDOW)
                  && used < AddrW'(Words - tern_abi_pkg::HLINK_UP_WORDS - 1);

  tern_lutram #(.Width(AddrW), .Words(tern_abi_pkg::HLINK_WINDOW)) u_begin (
    .clk_i,
    .raddr_i(ack_i[SlotW-1:0]),
    .rdata_o(begin_of),
    .we_i   (commit),
    .waddr_i(next_q[SlotW-1:0]),
    .wdata_i(put_first_i ? write_q : begin_q)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q      <= '0;
      oldest_q    <= '0;
      write_q     <= '0;
      oldest_at_q <= '0;
    end else begin
      if (put_i) write_q <= write_q + 1'b1;
      if (put_i && put_first_i) begin_q <= write_q;
      if (commit) next_q <= next_q + 8'd1;
      if (news) begin
        oldest_q    <= ack_i;
        oldest_at_q <= ack_i != next_q ? begin_of : put_q ? begin_q : write_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)    put_q <= 1'b0;
    else if (put_i) put_q <= !put_last_i;
  end

  // ----------------------------------------------------------------- time-out
  logic [$clog2(Timeout):0] wait_q;
  logic                     late, leave;

  assign late = wait_q[$clog2(Timeout)];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || news || open == '0 || send_q != next_q || again_q) wait_q <= '0;
    else wait_q <= wait_q + 1'b1;
    if (!rst_ni) again_q <= 1'b0;
    else if (leave) again_q <= 1'b0;
    else again_q <= again_q || late || (ack_valid_i && ack_gap_i && ahead <= open);
  end

  // ------------------------------------------------------------------ leaving
  typedef enum logic [2:0] { StIdle, StBack, StFetch, StSend, StOwn, StCrc, StLast } state_e;
  state_e      state_q;
  logic [31:0] own, word, crc_q, crc_d, ram_word;
  logic [7:0]  at_q, words_q, words;
  logic        fetched_q, fetch, take, final_word;
  logic        owe_q, synced_q, gone, is_sync_q, is_own_q, some, alone, begins;
  logic [3:0]  own_kind;
  logic        told_gap_q, shown_valid_q;
  logic [WaitW:0] patient_q;         // what is due may go with a frame that comes soon
  logic [31:0] shown_q;              // does not change while it waits

  assign some  = send_q != next_q && !passed;
  assign alone = owe_q && (gap_i || (!some && patient_q[WaitW]));  // an acknowledgement of its own
  assign leave = state_q == StBack;
  assign begins = state_q == StIdle && !again_q && !passed && !synced_q;
  assign gone  = valid_o && ready_i;

  always_comb begin
    own_kind = is_sync_q ? 4'(tern_abi_pkg::HLINK_KIND_SYNCED) : 4'(tern_abi_pkg::HLINK_KIND_ACK);
    own      = '0;
    case (at_q[1:0])
      2'd0: begin
        own[tern_abi_pkg::HLINK_KIND +: 4]    = own_kind;
        own[tern_abi_pkg::HLINK_CHANNEL +: 4] = Channel;
        own[tern_abi_pkg::HLINK_WORDS +: 8] = words_q;
      end
      2'd1: if (is_sync_q) own[tern_abi_pkg::HLINK_ARG +: 8] = flags_i;
            else if (told_gap_q)
              own[tern_abi_pkg::HLINK_ARG +: 8] = 8'(tern_abi_pkg::HLINK_ARG_GAP);
      2'd2: own = session_i;
      default: own = 32'(tern_abi_pkg::HLINK_VERSION);
    endcase
    word = state_q == StOwn ? own : ram_word;
    if (at_q == 8'd0) word[tern_abi_pkg::HLINK_ACK +: 8]   = expect_i;
    if (at_q == 8'd1) word[tern_abi_pkg::HLINK_TAKEN +: 8] = taken_i;
  end

  tern_crc32c_32 u_crc (.x_i(crc_q ^ word_o), .y_o(crc_d));

  assign valid_o = shown_valid_q;
  assign word_o  = shown_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !owe_q)         patient_q <= '0;
    else if (!patient_q[WaitW]) patient_q <= patient_q + 1'b1;
    if (!rst_ni) begin
      owe_q    <= 1'b0;
      synced_q <= synced_i;      // a new session resets this block and wants its answer
    end else begin
      owe_q    <= owe_i || (owe_q && !(begins && (some || alone)));
      synced_q <= synced_i || (synced_q && !(state_q == StIdle && !again_q && !passed));
    end
  end

  assign gap_told_o = state_q == StIdle && !synced_q && !again_q && !passed && alone;

  // A word is fetched while the one before it goes to the register that the line sees.
  assign words      = state_q == StSend && at_q == '0 ? ram_word[tern_abi_pkg::HLINK_WORDS +: 8]
                                                      : words_q;
  assign take       = (state_q == StOwn || (state_q == StSend && fetched_q))
                      && (!shown_valid_q || ready_i);
  assign final_word = at_q + 8'd1 == words;
  assign fetch      = state_q == StFetch || (state_q == StSend && take && !final_word);

  always_ff @(posedge clk_i) begin
    if (gone) begin
      shown_valid_q <= 1'b0;
      crc_q         <= crc_d;
    end
    if (!rst_ni) begin
      state_q       <= StIdle;
      shown_valid_q <= 1'b0;
      fetched_q     <= 1'b0;
      send_q        <= '0;
      read_q        <= '0;
    end else begin
      fetched_q <= fetch || (fetched_q && !take);
      if (fetch) read_q <= read_q + 1'b1;
      if (take) begin
        shown_valid_q <= 1'b1;
        shown_q       <= word;
        first_o       <= at_q == '0;
        last_o        <= 1'b0;
        at_q          <= at_q + 8'd1;
        words_q       <= words;
      end
      case (state_q)
        StIdle: begin
          at_q  <= '0;
          crc_q <= '1;
          is_sync_q  <= synced_q;
          told_gap_q <= gap_i;
          if (again_q || passed) state_q <= StBack;
          else if (synced_q) begin
            state_q <= StOwn;
            words_q <= Head + 8'd2;
          end else if (alone) begin
            state_q <= StOwn;
            words_q <= Head;
          end else if (some) state_q <= StFetch;
        end
        StBack: begin
          send_q  <= oldest_q;
          read_q  <= oldest_at_q;
          // An acknowledgement in this very cycle leaves it behind: once more.
          state_q <= StIdle;
        end
        StFetch: state_q <= StSend;
        StSend, StOwn: if (take && final_word) state_q <= StCrc;
        StCrc: if (!shown_valid_q) begin
          shown_valid_q <= 1'b1;
          shown_q       <= ~crc_q;
          first_o       <= 1'b0;
          last_o        <= 1'b1;
          state_q       <= StLast;
        end
        default: if (gone) begin
          state_q <= StIdle;
          if (!is_own_q) send_q <= send_q + 8'd1;
        end
      endcase
    end
    if (rst_ni && gone) StepIsCrc: assert (crc_d == tern_abi_pkg::crc32c_32(crc_q, word_o));
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StOwn)   is_own_q <= 1'b1;
    if (state_q == StFetch) is_own_q <= 1'b0;
  end

  tern_ram #(.Width(32), .Words(Words)) u_ram (
    .clk_i,
    .ren_i  (fetch),
    .raddr_i(read_q),
    .rdata_o(ram_word),
    .we_i   (put_i),
    .waddr_i(write_q),
    .wdata_i(put_first_i ? put_word_i | 32'(next_q) << tern_abi_pkg::HLINK_SEQ : put_word_i)
  );

endmodule

`default_nettype wire
