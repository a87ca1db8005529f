// SPDX-License-Identifier: Apache-2.0
// Payload store of the transmit unit: takes host read data in any order of tags and lines it up.
//
// Takes a beat every cycle. A buffer holds one packet's payload from stream offset 0. Each byte lane
// is a memory of its own with its own address: a host beat that straddles two stream words is written
// in one cycle. `ready_o` says that nothing is missing of the buffer to be sent, `err_o` that a read
// of it failed; data is on `rdata_o` the cycle after `ren_i` and stays until the next read. Inline
// payload has its own memory, so it never waits for host data.

`default_nettype none

module tern_tx_store #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned Bufs       = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             tag_free_o,
  output logic [2:0]       tag_o,          // the tag the next request takes
  input  logic             issue_i,
  input  logic [$clog2(Bufs)-1:0] issue_buf_i,
  input  logic [$clog2(MaxPayload*8/DataW)-1:0] issue_word_i,  // of the first host beat
  input  logic [2:0]       issue_shift_i,  // host lane of stream byte 0
  input  logic [2:0]       issue_lane_i,   // host lane of the first byte asked for
  input  logic [8:0]       issue_bytes_i,

  input  logic             inl_we_i,
  input  logic [$clog2(256/DataW)-1:0] inl_word_i,
  input  logic [DataW-1:0] inl_data_i,
  input  logic             inl_first_i,    // the record leaves: later words belong to its buffer

  input  logic             hrd_valid_i,
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,

  input  logic [$clog2(Bufs)-1:0] send_buf_i,
  input  logic             send_done_i,
  output logic             ready_o,
  output logic             err_o,
  input  logic             ren_i,
  input  logic             inl_i,
  input  logic [$clog2(MaxPayload*8/DataW)-1:0] word_i,
  output logic [DataW-1:0] rdata_o,

  output logic             st_hrd_fault_o
);

  localparam int unsigned Lanes = DataW / 8;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned WordW = $clog2(MaxPayload / Lanes);
  localparam int unsigned BufW  = $clog2(Bufs);
  localparam int unsigned InlW  = $clog2(256 / DataW);

  // ---------------------------------------------------------------- tags
  logic [7:0] open_q;                      // tag is on its way
  logic       ours, tag_done;
  logic [2:0] rtag;

  assign ours     = hrd_valid_i && !hrd_tag_i[3];
  assign rtag     = hrd_tag_i[2:0];
  assign tag_done = ours && hrd_last_i;

  // The tag is chosen ahead and kept until its request has been taken.
  logic [2:0] tag_q, tag_free;
  logic       tag_valid_q;

  always_comb begin
    tag_free = '0;
    for (int i = 7; i >= 0; i--) if (!open_q[i]) tag_free = 3'(i);
  end
  assign tag_o      = tag_q;
  assign tag_free_o = tag_valid_q;

  always_ff @(posedge clk_i) begin
    if (!tag_valid_q) tag_q <= tag_free;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)           tag_valid_q <= 1'b0;
    else if (!tag_valid_q) tag_valid_q <= !(&open_q);
    else if (issue_i)      tag_valid_q <= 1'b0;
  end

  // What a tag's data are, written with the request, read with its first beat.
  localparam int unsigned NoteW = BufW + WordW + 2*LaneW + 9;
  logic [NoteW-1:0] notes [0:7];
  logic [NoteW-1:0] note;
  logic [BufW-1:0]  n_buf;
  logic [WordW-1:0] n_word;
  logic [LaneW-1:0] n_shift, n_lane;
  logic [8:0]       n_bytes;

  always_ff @(posedge clk_i) begin
    if (issue_i) notes[tag_o] <= {issue_buf_i, issue_word_i, issue_shift_i[LaneW-1:0],
                                  issue_lane_i[LaneW-1:0], issue_bytes_i};
  end
  assign note = notes[rtag];
  assign {n_buf, n_word, n_shift, n_lane, n_bytes} = note;

  // ---------------------------------------------------------------- the beat under way
  // Beats of a tag are contiguous: what changes from beat to beat is kept once.
  logic             later_q, err_q, err, lost;
  logic [WordW-1:0] word, word_q;
  logic [9:0]       left, left_q;          // lanes of this beat and the following up to the last byte

  assign word = later_q ? word_q : n_word;
  assign left = later_q ? left_q : 10'(n_bytes) + 10'(n_lane);
  assign err  = hrd_err_i || (later_q && err_q);
  assign st_hrd_fault_o = hrd_valid_i && hrd_last_i && err;

  always_ff @(posedge clk_i) begin
    if (hrd_valid_i) begin
      word_q <= word + 1'b1;
      left_q <= left - 10'(Lanes);
      err_q  <= err;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          later_q <= 1'b0;
    else if (hrd_valid_i) later_q <= !hrd_last_i;
  end

  // ---------------------------------------------------------------- a memory for each stream lane
  logic [DataW-1:0] mem_rdata;
  assign lost = hrd_err_i;

  for (genvar b = 0; b < Lanes; b++) begin : g_lane
    logic [LaneW:0]   sum;                 // host lane this stream lane takes its byte from
    logic [LaneW-1:0] lane;
    logic             we;
    assign sum  = (LaneW+1)'(b) + {1'b0, n_shift};
    assign lane = sum[LaneW-1:0];
    assign we   = ours && !lost && 10'(lane) < left && (later_q || lane >= n_lane);

    tern_ram #(.Width(8), .Words(Bufs * MaxPayload / Lanes), .Block(1'b1)) u_mem (
      .clk_i,
      .ren_i(ren_i), .raddr_i({send_buf_i, word_i}), .rdata_o(mem_rdata[8*b +: 8]),
      .we_i(we), .waddr_i({n_buf, word - WordW'(sum[LaneW])}), .wdata_i(hrd_data_i[8*lane +: 8])
    );
  end

  // ---------------------------------------------------------------- inline payload
  logic [BufW-1:0]  inl_buf_q, inl_buf;
  logic [DataW-1:0] inl_rdata;
  logic             inl_q;

  assign inl_buf = inl_first_i ? issue_buf_i : inl_buf_q;
  tern_ram #(.Width(DataW), .Words(Bufs * 256 / DataW), .Block(1'b1)) u_inline (
    .clk_i,
    .ren_i(ren_i), .raddr_i({send_buf_i, word_i[InlW-1:0]}), .rdata_o(inl_rdata),
    .we_i(inl_we_i), .waddr_i({inl_buf, inl_word_i}), .wdata_i(inl_data_i)
  );
  always_ff @(posedge clk_i) begin
    inl_buf_q <= inl_buf;
    if (ren_i) inl_q <= inl_i;
  end
  assign rdata_o = inl_q ? inl_rdata : mem_rdata;

  // ---------------------------------------------------------------- what is missing of a buffer
  logic [Bufs-1:0] missing, failed_q, miscount;
  for (genvar b = 0; b < Bufs; b++) begin : g_buf
    logic [1:0] reads_q;                   // at most three reads a packet
    logic       more, fewer;
    assign more  = issue_i && issue_buf_i == BufW'(b);
    assign fewer = tag_done && n_buf == BufW'(b);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) reads_q <= '0;
      else         reads_q <= reads_q + 2'(more) - 2'(fewer);
    end
    assign missing[b] = reads_q != '0;
    assign miscount[b] = more && !fewer ? reads_q == 2'd3 : fewer && !more && reads_q == '0;
  end

  assign ready_o = !missing[send_buf_i];
  assign err_o   = failed_q[send_buf_i];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q   <= '0;
      failed_q <= '0;
    end else begin
      if (issue_i)         open_q[tag_o] <= 1'b1;
      if (tag_done)        open_q[rtag]  <= 1'b0;
      if (send_done_i)     failed_q[send_buf_i] <= 1'b0;
      if (tag_done && err) failed_q[n_buf]      <= 1'b1;
      TagOpen: assert (!ours || open_q[rtag]);
      TagFree: assert (!issue_i || tag_free_o);
      ReadsBounded: assert (miscount == '0);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, issue_shift_i, issue_lane_i, 1'b0};

endmodule

`default_nettype wire
