// SPDX-License-Identifier: Apache-2.0
// Writes read data into descriptor slots, and raises the events of fetched and inline descriptors.
//
// Tables indexed by the tag describe each burst. Its beats go into the slots as they arrive. With
// the last beat the event of the first descriptor is offered; the others follow one a cycle. Then
// tern_prefetch's engine gets the burst back as ended. A burst that failed, or has more or fewer
// beats than requested, leaves slots of zeros, written line by line, and its events report the
// failure.
//
// An inline descriptor's event goes before those of bursts. The queue has an event entry for each
// slot.

`default_nettype none

module tern_desc_events #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumQ     = 512,
  parameter int unsigned NumSlots = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // a burst, before its request leaves: its owner, then its slots
  input  logic             b_we_i,
  input  logic [1:0]       b_tag_i,
  input  logic [$clog2(NumQ)-1:0] b_queue_i,
  input  logic [1:0]       b_n1_i,          // descriptors, less one
  input  logic             b_more_i,        // the ring holds more after them
  input  logic [15:0]      b_index_i,       // of the first
  input  logic             slot_we_i,
  input  logic [1:0]       slot_n_i,
  input  logic [5:0]       slot_i,
  // a refused burst: taken in a cycle in which no other ends
  input  logic             refused_i,
  output logic             refused_ready_o,
  // read data
  input  logic             hrd_valid_i,
  input  logic [3:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,
  // into the slots
  output logic             beat_mine_o,     // maybe a beat for a slot
  output logic             beat_we_o,
  output logic [5:0]       beat_slot_o,
  output logic [3:0]       beat_index_o,
  output logic             zero_o,
  input  logic             zero_ready_i,
  output logic [5:0]       zero_slot_o,
  output logic [3:0]       zero_index_o,
  // an inline descriptor: words 0 and 1, its queue, and the index it should have
  output logic             space_o,
  input  logic             inl_i,
  input  logic [47:0]      inl_frame_i,
  input  logic [15:0]      inl_index_i,
  input  logic [$clog2(NumQ)-1:0] inl_queue_i,
  input  logic [5:0]       inl_slot_i,
  // a burst whose events have been raised
  output logic             ended_o,
  input  logic             ended_take_i,
  output logic [1:0]       ended_tag_o,
  output logic [$clog2(NumQ)-1:0] ended_queue_o,
  output logic             ended_more_o,
  // events
  output logic             ev_valid_o,
  input  logic             ev_ready_i,
  output logic [31:0]      ev_o,
  output logic             pushed_o,
  output logic [5:0]       pushed_slot_o,
  output logic             st_fetched_o
);

  localparam int unsigned QW        = $clog2(NumQ);
  localparam int unsigned SlotW     = $clog2(NumSlots);
  localparam int unsigned DescBeats = 512 / DataW;
  localparam int unsigned DescBeatW = $clog2(DescBeats);

  // A summary for the event: the flags if they are ordinary, or else the error. It is made from the
  // descriptor's first two words and the index it should have.
  function automatic logic [3:0] desc_news(input logic [7:0] flags, input logic [2:0] others,
                                           input logic [3:0] version,
                                           input logic [15:0] index, input logic [15:0] want);
    desc_news = {others, flags[7:3]} == '0 ? {1'b0, flags[2:0]} : 4'(tern_abi_pkg::EVERR_NONE);
    if (index != want) desc_news = 4'(tern_abi_pkg::EVERR_INDEX);
    if (version != 4'(tern_abi_pkg::DESC_VERSION)) desc_news = 4'(tern_abi_pkg::EVERR_VERSION);
  endfunction

  // ---- what each burst in flight was requested for ---------------------------------
  logic             beat_mine, beat_we, beat_meta, fault_q, burst_last, burst_fault;
  logic [DescBeatW+2:0] beat_q;
  logic [1:0]       beat_tag, beat_n1, d_n1, at_tag, at_n;
  logic [2:0]       beat_desc;
  logic [15:0]      beat_first;
  logic [SlotW-1:0] beat_slot, at_slot;
  logic [QW-1:0]    at_queue;
  logic             at_more;

  tern_lutram #(.Width(18), .Words(4)) u_asked (
    .clk_i, .raddr_i(beat_tag), .rdata_o({beat_n1, beat_first}),
    .we_i(b_we_i), .waddr_i(b_tag_i), .wdata_i({b_n1_i, b_index_i})
  );
  tern_lutram #(.Width(3 + QW), .Words(4)) u_whose (
    .clk_i, .raddr_i(at_tag), .rdata_o({at_more, d_n1, at_queue}),
    .we_i(b_we_i), .waddr_i(b_tag_i), .wdata_i({b_more_i, b_n1_i, b_queue_i})
  );
  tern_lutram #(.Width(SlotW), .Words(16)) u_beat_slot (
    .clk_i, .raddr_i({beat_tag, beat_desc[1:0]}), .rdata_o(beat_slot),
    .we_i(slot_we_i), .waddr_i({b_tag_i, slot_n_i}), .wdata_i(slot_i[SlotW-1:0])
  );
  tern_lutram #(.Width(SlotW), .Words(16)) u_event_slot (
    .clk_i, .raddr_i({at_tag, at_n}), .rdata_o(at_slot),
    .we_i(slot_we_i), .waddr_i({b_tag_i, slot_n_i}), .wdata_i(slot_i[SlotW-1:0])
  );

  // ---- read data into the slots -----------------------------------------------------
  logic [11:0] beat_status, meta;
  logic [63:0] first_words;
  logic        beyond;

  assign beat_mine    = hrd_valid_i && hrd_tag_i[3:2] == 2'b10;
  assign beat_tag     = hrd_tag_i[1:0];
  assign beat_desc    = beat_q[DescBeatW+2:DescBeatW];
  assign beyond       = beat_desc > {1'b0, beat_n1};
  assign beat_we      = beat_mine && !beyond;
  assign burst_last   = beat_mine && hrd_last_i;
  // An answer of the wrong length counts as failed.
  assign burst_fault  = fault_q || hrd_err_i || beat_desc != {1'b0, beat_n1}
                        || beat_q[DescBeatW-1:0] != '1;
  assign beat_mine_o  = beat_mine;
  assign beat_we_o    = beat_we;
  assign beat_slot_o  = 6'(beat_slot);
  assign beat_index_o = 4'(beat_q[DescBeatW-1:0]);

  // The index that a descriptor should have. With two beats it is computed at the first: sum and
  // comparison in one cycle were the slowest path of the node.
  logic [15:0] want;

  if (DataW == 64) begin : g_first64
    assign first_words = hrd_data_i;
    assign want        = beat_first + 16'(beat_desc);
    assign beat_meta   = beat_we && beat_q[DescBeatW-1:0] == '0;
  end else begin : g_first32
    logic [31:0] word0_q;
    logic [15:0] want_q;
    always_ff @(posedge clk_i) begin
      if (beat_mine) begin
        word0_q <= hrd_data_i;
        want_q  <= beat_first + 16'(beat_desc);
      end
    end
    assign want        = want_q;
    assign first_words = {hrd_data_i, word0_q};
    assign beat_meta   = beat_we && beat_q[DescBeatW-1:0] == DescBeatW'(1);
  end

  assign beat_status = {desc_news(first_words[tern_abi_pkg::DESC_FLAGS_LSB+:8],
                                  {first_words[tern_abi_pkg::DESC_COUNTED_LSB],
                                   first_words[tern_abi_pkg::DESC_DECIDES_LSB],
                                   first_words[tern_abi_pkg::DESC_LINKED_LSB]},
                                  first_words[tern_abi_pkg::DESC_VERSION_LSB+:4],
                                  first_words[tern_abi_pkg::DESC_INDEX_LSB+:16],
                                  want),
                        first_words[tern_abi_pkg::DESC_OPCODE_LSB+:8]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      fault_q <= 1'b0;
    end else if (beat_mine) begin
      beat_q  <= hrd_last_i ? '0 : beat_q == '1 ? beat_q : beat_q + 1'b1;
      fault_q <= !hrd_last_i && (fault_q || hrd_err_i);
    end
  end

  // ---- ended bursts: one event per descriptor, then back to the engine -----------------------
  logic       d_push, d_ready, d_valid, d_fault, d_begun, first, ev_ready;
  logic [1:0] d_tag, walk_q;
  logic [2:0] d_space;
  logic       walk, walk_event, walked_q;
  logic [DescBeatW:0] zero_q;         // lines of the slot zeroed so far

  // The first event is offered with the last beat when no other burst is ahead.
  assign first           = burst_last && !burst_fault && !d_valid && !inl_i && ev_ready;
  assign refused_ready_o = !burst_last;
  assign d_push          = burst_last || refused_i;

  tern_fifo #(.Width(4), .Depth(4)) u_ended (
    .clk_i, .rst_ni,
    .valid_i(d_push), .ready_o(d_ready),
    .data_i(burst_last ? {first, beat_tag, burst_fault} : {1'b0, b_tag_i, 1'b1}),
    .valid_o(d_valid), .ready_i(ended_take_i), .data_o({d_begun, d_tag, d_fault}), .space_o(d_space)
  );
  tern_lutram #(.Width(12), .Words(16)) u_meta (
    .clk_i, .raddr_i({at_tag, at_n}), .rdata_o(meta),
    .we_i(beat_meta), .waddr_i({beat_tag, beat_desc[1:0]}), .wdata_i(beat_status)
  );

  assign at_tag     = d_valid ? d_tag : beat_tag;
  assign at_n       = d_valid ? walk_q + {1'b0, d_begun} : '0;

  assign walk       = d_valid && !walked_q && !(d_begun && d_n1 == '0);
  assign walk_event = walk && !inl_i && ev_ready && (!d_fault || zero_q[DescBeatW]);
  assign zero_o     = walk && d_fault && !zero_q[DescBeatW];
  assign zero_slot_o  = 6'(at_slot);
  assign zero_index_o = 4'(zero_q[DescBeatW-1:0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ended_take_i) begin
      walk_q   <= '0;
      walked_q <= 1'b0;
    end else if (walk_event) begin
      walk_q   <= walk_q + 1'b1;
      walked_q <= at_n == d_n1;
    end
    if (!rst_ni || walk_event)       zero_q <= '0;
    else if (zero_o && zero_ready_i) zero_q <= zero_q + 1'b1;
  end

  assign ended_o       = d_valid && !walk;
  assign ended_tag_o   = d_tag;
  assign ended_queue_o = at_queue;
  assign ended_more_o  = at_more;
  assign st_fetched_o  = first || (walk_event && !d_fault);

  // ---- events ---------------------------------------------------------------------------------
  localparam int unsigned EvW = 12 + QW + SlotW;
  logic [$clog2(NumSlots):0] ev_space;
  logic [EvW-1:0] ev_in, ev_out, inl_word, walk_word;

  assign inl_word  = {desc_news(inl_frame_i[tern_abi_pkg::DESC_FLAGS_LSB+:8],
                                {inl_frame_i[tern_abi_pkg::DESC_COUNTED_LSB],
                                 inl_frame_i[tern_abi_pkg::DESC_DECIDES_LSB],
                                 inl_frame_i[tern_abi_pkg::DESC_LINKED_LSB]},
                                inl_frame_i[tern_abi_pkg::DESC_VERSION_LSB+:4],
                                inl_frame_i[tern_abi_pkg::DESC_INDEX_LSB+:16], inl_index_i),
                      inl_frame_i[tern_abi_pkg::DESC_OPCODE_LSB+:8],
                      inl_queue_i, inl_slot_i[SlotW-1:0]};
  assign walk_word = {d_valid && d_fault ? {4'(tern_abi_pkg::EVERR_HOST_FAULT), 8'd0} : meta,
                      at_queue, at_slot};
  assign ev_in     = inl_i ? inl_word : walk_word;
  assign space_o   = ev_ready;
  assign pushed_o  = inl_i || first || walk_event;
  assign pushed_slot_o = 6'(ev_in[SlotW-1:0]);

  tern_fifo #(.Width(EvW), .Depth(NumSlots)) u_desc (
    .clk_i, .rst_ni,
    .valid_i(pushed_o), .ready_o(ev_ready), .data_i(ev_in),
    .valid_o(ev_valid_o), .ready_i(ev_ready_i), .data_o(ev_out), .space_o(ev_space)
  );
  assign ev_o = {tern_abi_pkg::EV_DESC, ev_out[EvW-1-:12], 10'(ev_out[SlotW+:QW]),
                 6'(ev_out[SlotW-1:0])};

  logic unused;
  assign unused = &{1'b0, d_space, ev_space, first_words[63:48], first_words[31:20],
                    inl_frame_i[31:20], slot_i, inl_slot_i};

  always_ff @(posedge clk_i) begin
    if (rst_ni) EndedFits: assert (!d_push || d_ready);
    if (rst_ni) InlineFits: assert (!inl_i || ev_ready);
  end

endmodule

`default_nettype wire
