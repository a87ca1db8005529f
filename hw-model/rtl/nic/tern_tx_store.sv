// SPDX-License-Identifier: Apache-2.0
// Packet store of the transmit unit: holds headers from tern_tx_front, and aligns host data to
// payload as they arrive, in any order of tags.
//
// Takes a beat every cycle. A buffer holds one packet's payload from stream offset 0. Each byte
// lane is a memory with its own address, so a host beat that straddles two stream words is written
// in one cycle. Tags are issued in a ring and retired in order. `ready_o` has a bit per buffer: all
// its reads have retired. `whole_o`: those of `whole_buf_o` retire in this cycle (late). `err_o`: a read of the buffer being sent failed.
// `clear_i` resets both for a buffer. After `drop_i` the data of all tags in flight are discarded.
// `rdata_*` are valid the cycle after `ren_i` and hold until the next read. Headers and inline
// payload have a memory of their own, so they never wait for host data.

`default_nettype none

module tern_tx_store #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned Bufs       = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  output logic             tag_free_o,
  output logic             tags_free_o,    // at least two
  output logic [2:0]       tag_o,          // tag of the next request
  input  logic             issue_i,
  input  logic [$clog2(Bufs)-1:0] buf_i,   // buffer that is being filled
  input  logic             issue_more_i,   // not the first read of its packet
  input  logic             issue_last_i,   // the last read of its packet
  input  logic             issue_odd_i,    // has an odd number of reads before it
  input  logic [7:0]       issue_start_i,  // host address of stream byte 0, low bits
  input  logic [2:0]       issue_end_i,    // host lane of the last byte asked for
  input  logic             drop_i,

  input  logic             head_we_i,
  input  logic [$clog2(512/DataW)-1:0] head_beat_i,
  input  logic [DataW-1:0] head_data_i,

  input  logic             hrd_valid_i,
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,

  input  logic [$clog2(Bufs)-1:0] send_buf_i,
  input  logic [Bufs-1:0]  clear_i,
  output logic [Bufs-1:0]  ready_o,
  output logic             whole_o,
  output logic [$clog2(Bufs)-1:0] whole_buf_o,
  output logic             err_o,
  input  logic             ren_i,
  input  logic [$clog2(MaxPayload*8/DataW)-1:0] word_i,   // headers use the low bits only
  output logic [DataW-1:0] rdata_head_o,
  output logic [DataW-1:0] rdata_o,

  output logic             st_hrd_fault_o
);

  localparam int unsigned Lanes = DataW / 8;
  localparam int unsigned LaneW = $clog2(Lanes);
  localparam int unsigned WordW = $clog2(MaxPayload / Lanes);
  localparam int unsigned BufW  = $clog2(Bufs);
  localparam int unsigned HeadW = $clog2(512 / DataW);

  // ---------------------------------------------------------------- tags, a ring
  logic [2:0] issued_q, retired_q, rtag;
  logic [3:0] spare_q;                     // tags not in flight
  logic [7:0] done_q, dead_q;              // answered, not yet retired; to be discarded
  logic       ours, tag_done, retire;

  assign ours     = hrd_valid_i && !hrd_tag_i[3];
  assign rtag     = hrd_tag_i[2:0];
  assign tag_done = ours && hrd_last_i;
  assign retire   = !spare_q[3] && (done_q[retired_q] || (tag_done && rtag == retired_q));

  assign tag_o      = issued_q;
  assign tag_free_o = spare_q != '0;
  assign tags_free_o = spare_q[3:1] != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issued_q  <= '0;
      retired_q <= '0;
      spare_q   <= 4'd8;
    end else begin
      issued_q  <= issued_q + 3'(issue_i);
      retired_q <= retired_q + 3'(retire);
      if (issue_i != retire) spare_q <= spare_q + {{3{issue_i}}, 1'b1};
    end
  end

`ifdef TERN_MODEL
  logic [7:0] issued, answered;
  assign issued   = 8'(issue_i) << issued_q;
  assign answered = 8'(tag_done) << rtag;
  always_ff @(posedge clk_i) begin
    done_q <= (done_q | answered) & ~issued;
    dead_q <= (dead_q | {8{drop_i}}) & ~issued;
  end
`else
  for (genvar t = 0; t < 8; t++) begin : g_tag
    always_ff @(posedge clk_i) begin
      done_q[t] <= !(issue_i && issued_q == 3'(t)) && (done_q[t] || (tag_done && rtag == 3'(t)));
      dead_q[t] <= !(issue_i && issued_q == 3'(t)) && (dead_q[t] || drop_i);
    end
  end
`endif

  // Data about a tag, written with the request and read with its first beat.
  localparam int unsigned NoteW = BufW + WordW + 2*LaneW + 1;
  localparam int unsigned StartW = 8 - LaneW;
  logic [WordW-1:0] n_before;              // word before the tag's first beat
  logic [LaneW-1:0] n_shift, n_end;        // host lane of stream byte 0, of the last byte
  logic [BufW-1:0]  n_buf;
  logic             n_more, n_last;
  logic [BufW-1:0]  n_whole;               // buffer of the retiring tag

  tern_lutram #(.Width(NoteW), .Words(8)) u_notes (
    .clk_i, .raddr_i(rtag), .rdata_o({n_buf, n_before, n_shift, n_end, n_more}),
    .we_i(issue_i), .waddr_i(issued_q),
    .wdata_i({buf_i, !issue_odd_i, ~(issue_start_i[7:LaneW] & {StartW{issue_more_i}}),
              issue_start_i[LaneW-1:0], issue_end_i[LaneW-1:0], issue_more_i})
  );
  tern_lutram #(.Width(1 + BufW), .Words(8)) u_last (
    .clk_i, .raddr_i(retired_q), .rdata_o({n_last, n_whole}),
    .we_i(issue_i), .waddr_i(issued_q), .wdata_i({issue_last_i, buf_i})
  );

  // ---------------------------------------------------------------- packets that are complete
  assign whole_o     = retire && n_last && !dead_q[retired_q];
  assign whole_buf_o = n_whole;
  always_ff @(posedge clk_i) begin
    ready_o <= (ready_o | ({Bufs{whole_o}} & (Bufs'(1) << n_whole))) & ~clear_i &
               {Bufs{rst_ni && !drop_i}};
  end

  // ---------------------------------------------------------------- the arriving beat
  // Beats of a tag are contiguous, so one set of registers holds the state between beats.
  logic             later_q, err_q, err, lost, dead;
  logic [WordW-1:0] prior, word, word_q;
  logic [Lanes-1:0] asked;                 // host lanes that the request covers

  assign prior  = later_q ? word_q : n_before;
  assign word   = prior + 1'b1;
  assign err    = hrd_err_i || (later_q && err_q);
  assign dead   = dead_q[rtag];
  always_ff @(posedge clk_i) st_hrd_fault_o <= rst_ni && hrd_valid_i && hrd_last_i && err;

  assign asked = (later_q || n_more ? {Lanes{1'b1}} : {Lanes{1'b1}} << n_shift) &
                 (hrd_last_i ? ~(({Lanes{1'b1}} << 1) << n_end) : {Lanes{1'b1}});

  always_ff @(posedge clk_i) begin
    if (hrd_valid_i) begin
      word_q <= word;
      err_q  <= err;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          later_q <= 1'b0;
    else if (hrd_valid_i) later_q <= !hrd_last_i;
  end

  // ---------------------------------------------------------------- a memory for each stream lane
  assign lost = hrd_err_i || dead;

`ifdef VERILATOR
  // The lanes as one memory, which simulates faster: the model uses it. Where assertions are on,
  // both are compared.
  logic [DataW-1:0] wide [0:Bufs*MaxPayload/Lanes-1];
  logic [DataW-1:0] wide_q, turned, taken, here;   // `here`: lanes that belong to `word`
  logic [Lanes-1:0] taken_lanes;

  always_comb begin
    taken_lanes = '1;
    taken       = '1;
    turned      = '0;
    here        = '1;
    if (ours) begin
      taken_lanes = Lanes'({asked, asked} >> n_shift);
      turned      = hrd_data_i >> {n_shift, 3'b000} |
                    hrd_data_i << (DataW - 32'({n_shift, 3'b000}));
      here        = {DataW{1'b1}} >> {n_shift, 3'b000};
      for (int b = 0; b < Lanes; b++) if (!taken_lanes[b]) taken[8*b +: 8] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ours && !lost) begin
      wide[{n_buf, word}] <= (wide[{n_buf, word}] & ~(taken & here)) | (turned & taken & here);
      if (n_shift != '0)
        wide[{n_buf, prior}] <= (wide[{n_buf, prior}] & ~(taken & ~here)) |
                                (turned & taken & ~here);
    end
    if (ren_i) wide_q <= wide[{send_buf_i, word_i}];
  end

  always_comb SameBytes: assert (rdata_o == wide_q);
`endif

`ifdef TERN_MODEL
  assign rdata_o = wide_q;
`else
  for (genvar b = 0; b < Lanes; b++) begin : g_lane
    logic [LaneW:0]   sum;                 // host lane whose byte this stream lane takes
    logic [LaneW-1:0] lane;
    assign sum  = (LaneW+1)'(b) + {1'b0, n_shift};
    assign lane = sum[LaneW-1:0];

    tern_ram #(.Width(8), .Words(Bufs * MaxPayload / Lanes), .Block(1'b1)) u_mem (
      .clk_i,
      .ren_i(ren_i), .raddr_i({send_buf_i, word_i}), .rdata_o(rdata_o[8*b +: 8]),
      .we_i(ours && !lost && asked[lane]),
      .waddr_i({n_buf, sum[LaneW] ? prior : word}), .wdata_i(hrd_data_i[8*lane +: 8])
    );
  end
`endif

  // ---------------------------------------------------------------- headers and inline payload
  tern_ram #(.Width(DataW), .Words(Bufs * 512 / DataW), .Block(1'b1)) u_head (
    .clk_i,
    .ren_i(ren_i), .raddr_i({send_buf_i, word_i[HeadW-1:0]}), .rdata_o(rdata_head_o),
    .we_i(head_we_i), .waddr_i({buf_i, head_beat_i}), .wdata_i(head_data_i)
  );

  // ---------------------------------------------------------------- buffers with a failed read
  logic [Bufs-1:0] failed_q;
  logic            failing;
  assign failing = tag_done && err && !dead;
  always_ff @(posedge clk_i) begin
    failed_q <= (failed_q | ({Bufs{failing}} & (Bufs'(1) << n_buf))) & ~clear_i &
                {Bufs{rst_ni && !drop_i}};
  end
  assign err_o = failed_q[send_buf_i];

  logic [2:0] ahead_of;                    // tags to retire before this one
  assign ahead_of = rtag - retired_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      TagOpen: assert (!ours || ({1'b0, ahead_of} < 4'd8 - spare_q && !done_q[rtag]));
      TagFree: assert (!issue_i || tag_free_o);
      ReadyNew: assert (!whole_o || !ready_o[n_whole]);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, issue_start_i, issue_end_i, word_i, 1'b0};

endmodule

`default_nettype wire
