// SPDX-License-Identifier: Apache-2.0
// Receiving end of the host link: words of frames -> checked frames in order.
//
// A frame goes to one half of a memory while the one before leaves the other half, a word a cycle.
// It counts when its CRC is right and, if it has a number, when that is the expected one. All else
// is dropped, and an acknowledgement is due that names the expected number; the first one after a
// frame that was in order says that frames are missing, so the sender need not wait for its
// time-out.
//
// The users of `word_o` never wait. While a frame leaves, the last word of the next one is not
// `ready_o`; a line that is so slow that this never happens may ignore it.
`default_nettype none

module tern_hlink_rx #(
  parameter logic [3:0] Channel = 4'd0   // frames of other ones are not seen
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // from the line
  input  logic        start_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [31:0] word_i,
  // frames in order
  output logic        valid_o,
  output logic        first_o,
  output logic        last_o,
  output logic [31:0] word_o,
  // for the transmitting end
  output logic        ack_valid_o,    // a good frame came: its acknowledgement ...
  output logic [7:0]  ack_o,
  output logic        ack_gap_o,      // ... which asks to send again
  output logic [7:0]  expect_o,
  output logic        owe_o,          // pulse: an acknowledgement is due
  output logic        gap_o,          // the next one says that frames are missing
  input  logic        gap_told_i,
  // sessions
  output logic        sync_o,         // pulse: a new session
  output logic        synced_o,       // pulse: a frame that asks for a session is to be answered
  output logic [31:0] session_o
);

  localparam int unsigned Most = tern_abi_pkg::HLINK_DOWN_WORDS;
  localparam logic [7:0]  Head = 8'(tern_abi_pkg::HLINK_HEAD_WORDS);

  // ------------------------------------------------------------------- taking
  logic        open_q;                   // inside a frame that may still be good
  logic [7:0]  at_q, words_q, words;     // words so far; of the frame
  logic [31:0] head_q, crc_q, crc_d, nonce_q;
  logic [7:0]  arg_q;
  logic        half_q, head, tail, ended_q, good_q, began_q, taken;

  assign taken = valid_i && ready_o;
  assign head  = at_q == '0;
  assign words = head ? word_i[tern_abi_pkg::HLINK_WORDS +: 8] : words_q;
  assign tail  = !head && at_q == words_q;

  tern_crc32c_32 u_crc (.x_i(crc_q ^ word_i), .y_o(crc_d));

  always_ff @(posedge clk_i) begin
    ended_q <= rst_ni && taken && open_q && tail;
    good_q  <= word_i == ~crc_q;
    if (!rst_ni) begin
      open_q  <= 1'b0;
      at_q    <= '0;
      began_q <= 1'b0;
    end else if (start_i) begin
      open_q  <= 1'b1;
      at_q    <= '0;
      crc_q   <= '1;
      began_q <= 1'b0;
    end else if (taken && open_q) begin
      at_q    <= at_q + 8'd1;
      crc_q   <= crc_d;
      began_q <= !tail;
      if (head) words_q <= words;
      if (tail || words < Head || words > 8'(Most)) open_q <= 1'b0;
    end
    if (valid_i && head) head_q <= word_i;
    if (valid_i && at_q == 8'd1) arg_q <= word_i[tern_abi_pkg::HLINK_ARG +: 8];
    if (valid_i && at_q == Head) nonce_q <= word_i;
    if (rst_ni && valid_i) StepIsCrc: assert (crc_d == tern_abi_pkg::crc32c_32(crc_q, word_i));
  end

  // ------------------------------------------------------------------ judging
  logic       leaving_q, next_q, next_first_q, next_last_q;
  logic [7:0] left_q;
  logic [6:0] from_q;
  logic [3:0] kind;
  logic [7:0] seq, distance;
  logic       good, numbered, wanted, fresh, accept, bad, ahead, cut, told_q, known_q;
  logic       may_q;         // no frame was reported missing since the last one in order

  assign kind     = head_q[tern_abi_pkg::HLINK_KIND +: 4];
  assign seq      = head_q[tern_abi_pkg::HLINK_SEQ +: 8];
  assign good     = ended_q && good_q && head_q[tern_abi_pkg::HLINK_CHANNEL +: 4] == Channel;
  assign numbered = kind >= 4'(tern_abi_pkg::HLINK_KIND_NUMBERED);
  assign wanted   = good && kind == 4'(tern_abi_pkg::HLINK_KIND_SYNC);
  assign fresh    = wanted && (!known_q || nonce_q != session_o);
  assign accept   = good && numbered && known_q && seq == expect_o && !leaving_q;
  assign cut      = start_i && began_q;    // a frame ended too early
  assign ready_o  = !(open_q && tail && (leaving_q || ended_q));

  assign ack_valid_o = good && known_q && !wanted;
  assign ack_o       = head_q[tern_abi_pkg::HLINK_ACK +: 8];
  assign ack_gap_o   = kind == 4'(tern_abi_pkg::HLINK_KIND_ACK)
                       && (arg_q & 8'(tern_abi_pkg::HLINK_ARG_GAP)) != '0;
  assign sync_o      = fresh;
  assign synced_o    = wanted;
  assign gap_o       = told_q;

  assign distance = seq - expect_o;
  assign bad   = (ended_q && !good_q) || cut;
  assign ahead = good && numbered && distance < 8'h80 && seq != expect_o;
  assign owe_o = known_q && (bad || (good && numbered));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q   <= 1'b0;
      expect_o  <= '0;
      may_q     <= 1'b1;
      told_q    <= 1'b0;
      half_q    <= 1'b0;
      session_o <= '0;
    end else if (fresh) begin
      known_q   <= 1'b1;
      expect_o  <= '0;
      may_q     <= 1'b1;
      told_q    <= 1'b0;
      session_o <= nonce_q;
    end else begin
      if (accept) begin
        expect_o <= expect_o + 8'd1;
        half_q   <= !half_q;
      end
      if (accept) may_q <= 1'b1;
      else if (bad || ahead) may_q <= 1'b0;
      told_q <= ((bad || ahead) && may_q && known_q) || (told_q && !gap_told_i && !accept);
    end
  end

  // ------------------------------------------------------------------ leaving
  always_ff @(posedge clk_i) begin
    if (!rst_ni || fresh) begin
      leaving_q <= 1'b0;
      next_q    <= 1'b0;
    end else begin
      next_q <= leaving_q;
      if (accept) begin
        leaving_q <= 1'b1;
        left_q    <= words_q;
        from_q    <= '0;
      end else if (leaving_q) begin
        leaving_q <= left_q != 8'd1;
        left_q    <= left_q - 8'd1;
        from_q    <= from_q + 7'd1;
      end
    end
    next_first_q <= from_q == '0;
    next_last_q  <= left_q == 8'd1;
  end

  assign valid_o = next_q;
  assign first_o = next_first_q;
  assign last_o  = next_last_q;

  tern_ram #(.Width(32), .Words(256), .Apart(1'b1)) u_ram (
    .clk_i,
    .ren_i  (leaving_q),
    .raddr_i({!half_q, from_q}),
    .rdata_o(word_o),
    .we_i   (valid_i && open_q && !tail),
    .waddr_i({half_q, at_q[6:0]}),
    .wdata_i(word_i)
  );

  logic unused_head;
  assign unused_head = ^head_q[tern_abi_pkg::HLINK_WORDS +: 8];

endmodule

`default_nettype wire
