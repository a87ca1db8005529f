// SPDX-License-Identifier: Apache-2.0
// FIFO of frames of words between two clocks. A frame is readable when its last word is written; an
// unfinished one can be forgotten.
//
// The writer may put words while `room_o` is set: it falls with `Slack` words or fewer left, six
// more than the writer's longest burst after it last saw it set, as the count is some cycles old.
// The reader takes a word a cycle; with `Registered`, a word in three cycles, from a flip-flop in
// place of the memory. No frame is empty.
//
// A count of frames crosses to the reader, a count of words to the writer, both in Gray code, one
// bit changing a step. Both resets must be active together for as long as three cycles of the
// slower clock.
`default_nettype none

module tern_frame_fifo #(
  parameter int unsigned Words      = 512,      // a power of two
  parameter int unsigned Slack      = 8,
  parameter bit          Registered = 1'b0
) (
  input  logic        wclk_i,
  input  logic        wrst_ni,
  input  logic        put_i,
  input  logic        keep_i,       // with the last word
  input  logic        forget_i,     // drops the words since the last frame
  input  logic [31:0] word_i,
  output logic        room_o,

  input  logic        rclk_i,
  input  logic        rrst_ni,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        last_o,
  output logic [31:0] word_o
);

  localparam int unsigned AddrW = $clog2(Words);
  localparam int unsigned PtrW  = AddrW + 1;
  localparam logic [PtrW-1:0] Limit = PtrW'(Words - Slack);

  // ------------------------------------------------------------------- writing
  logic [PtrW-1:0] tail_q, begin_q, frames_q, frames_gray_q, frames_d, head_seen, head_bin, used_q;
  localparam int unsigned LowW = PtrW / 2;
  logic [PtrW-1:0] head_half, head_half_q, head_bin_q;
  logic [PtrW-1:0] head_q, head_gray_q;

  tern_cdc_sync #(.Width(PtrW)) u_head (.clk_i(wclk_i), .d_i(head_gray_q), .q_o(head_seen));

  // From Gray code in two steps: each half for itself, then the low one after the high one. An
  // older count leaves less room, never more.
  always_comb begin
    head_half = head_seen;
    for (int unsigned i = 1; i < PtrW; i++)
      if (i != PtrW - LowW) head_half[PtrW-1-i] = head_half[PtrW-i] ^ head_seen[PtrW-1-i];
  end
  assign head_bin = {head_half_q[PtrW-1:LowW], head_half_q[LowW-1:0] ^ {LowW{head_half_q[LowW]}}};

  assign frames_d = frames_q + {{(PtrW-1){1'b0}}, put_i && keep_i};

  always_ff @(posedge wclk_i) begin
    room_o      <= wrst_ni && used_q < Limit;
    head_half_q <= wrst_ni ? head_half : '0;
    head_bin_q  <= wrst_ni ? head_bin : '0;
    if (!wrst_ni) begin
      tail_q        <= '0;
      begin_q       <= '0;
      frames_q      <= '0;
      frames_gray_q <= '0;
      used_q        <= '0;
    end else begin
      used_q        <= tail_q - head_bin_q;
      frames_q      <= frames_d;
      frames_gray_q <= frames_d ^ {1'b0, frames_d[PtrW-1:1]};
      if (forget_i)   tail_q <= begin_q;
      else if (put_i) tail_q <= tail_q + 1'b1;
      if (put_i && keep_i) begin_q <= tail_q + 1'b1;
    end
    if (wrst_ni && put_i) FrameFits: assert (PtrW'(tail_q - head_bin) < PtrW'(Words));
  end

  // ------------------------------------------------------------------- reading
  logic [PtrW-1:0] taken_gray_q, next_gray_q, after_q, more, frames_seen;
  logic [32:0]     ram_q;
  logic            fetch, fetched_q, pop, some, another;

  tern_cdc_sync #(.Width(PtrW)) u_frames (.clk_i(rclk_i), .d_i(frames_gray_q), .q_o(frames_seen));

  // The frames that have left, and one more, in Gray code; two more.
  assign some    = frames_seen != taken_gray_q;
  assign another = frames_seen != next_gray_q;
  assign more    = head_q + 1'b1;
  assign pop     = valid_o && ready_i;

  always_ff @(posedge rclk_i) begin
    if (!rrst_ni) begin
      taken_gray_q <= '0;
      next_gray_q  <= PtrW'(1);
      after_q      <= PtrW'(2);
      head_q       <= '0;
      head_gray_q  <= '0;
      fetched_q    <= 1'b0;
    end else begin
      if (pop && last_o) begin
        taken_gray_q <= next_gray_q;
        next_gray_q  <= after_q ^ {1'b0, after_q[PtrW-1:1]};
        after_q      <= after_q + 1'b1;
      end
      if (fetch) begin
        head_q      <= more;
        head_gray_q <= more ^ {1'b0, more[PtrW-1:1]};
      end
      fetched_q <= fetch || (fetched_q && !Registered && !pop);
    end
  end

  if (Registered) begin : g_registered
    logic        valid_q;
    logic [32:0] out_q;

    assign fetch = !fetched_q && (valid_q ? ready_i && (!last_o || another) : some);

    always_ff @(posedge rclk_i) begin
      valid_q <= rrst_ni && (fetched_q || (valid_q && !ready_i));
      if (fetched_q) out_q <= ram_q;
    end
    assign valid_o          = valid_q;
    assign {last_o, word_o} = out_q;
  end else begin : g_direct
    assign fetch            = fetched_q ? ready_i && (!last_o || another) : some;
    assign valid_o          = fetched_q;
    assign {last_o, word_o} = ram_q;
  end

  // -------------------------------------------------------------------- memory
  (* no_rw_check, ram_style = "block" *)
  logic [32:0] mem [0:Words-1];

  always_ff @(posedge wclk_i) if (put_i) mem[tail_q[AddrW-1:0]] <= {keep_i, word_i};
  always_ff @(posedge rclk_i) if (fetch) ram_q <= mem[head_q[AddrW-1:0]];

endmodule

`default_nettype wire
