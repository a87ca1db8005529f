// SPDX-License-Identifier: Apache-2.0
// Descriptor slots: their contents in block RAM, the free list, and the owner of each.
//
// A line of the RAM is a beat wide: one word of each bank. Priority at the one write port: host
// read beats (they cannot wait), words of a doorbell, the word of an answer, zeros, then the
// firmware or RX_COPY (never both at work). Priority at the one read port: transmit (granted at
// once), tern_hwr, then the firmware. tern_hwr waits while the word of an answer waits, as it may
// need that word. A word is valid only in the cycle after the read; for the firmware, one cycle
// later.
//
// The highest four slots are the firmware's own and never given out here. The firmware writes their
// owner into word 15 of each (queue 31:16, function 7:0).

`default_nettype none

module tern_slots #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumFn    = 64,
  parameter int unsigned NumQ     = 512,
  parameter int unsigned NumSlots = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // allocation: `alloc_slot_o` is free whenever the count is not 0
  output logic [5:0]       alloc_slot_o,
  output logic [5:0]       free_count_o,
  input  logic             alloc_i,
  input  logic [5:0]       promised_i,
  // slot reserved for the next inline descriptor; never taken together with alloc_i
  output logic             stage_ok_o,
  output logic             stage_wait_o,
  output logic [5:0]       stage_slot_o,
  input  logic             stage_take_i,
  input  logic [9:0]       alloc_queue_i,
  input  logic [7:0]       alloc_fn_i,
  input  logic [1:0]       slot_free_valid_i,
  input  logic [11:0]      slot_free_i,
  // a beat of a host read
  input  logic             beat_near_i,   // one may come in this cycle
  input  logic             beat_we_i,
  input  logic [5:0]       beat_slot_i,
  input  logic [3:0]       beat_index_i,
  input  logic [DataW-1:0] beat_data_i,
  // words of an inline descriptor for its slot; never with beat_we_i
  input  logic             in_near_i,     // one may come in this cycle
  input  logic [DataW/32-1:0] in_we_i,
  input  logic [3:0]       in_word_i,
  input  logic [DataW-1:0] in_data_i,
  // the word of an answer, a beat at a time
  input  logic             word_valid_i,
  output logic             word_ready_o,
  input  logic [5:0]       word_slot_i,
  input  logic             word_high_i,
  input  logic [DataW-1:0] word_data_i,
  // words that RX_COPY writes into an own slot; firmware accesses wait meanwhile; 0 when idle
  output logic             copy_may_o,    // it may begin in the next cycle
  input  logic             copy_i,
  input  logic [1:0]       copy_slot_i,
  input  logic             copy_valid_i,
  output logic             copy_ready_o,
  input  logic [3:0]       copy_word_i,
  input  logic [31:0]      copy_data_i,
  // zeros, a line per cycle
  input  logic             zero_i,
  output logic             zero_ready_o,
  input  logic [5:0]       zero_slot_i,
  input  logic [3:0]       zero_index_i,
  // transmit: the requested word; at 64 bits with the next one above
  input  logic             sl_req_i,
  input  logic [5:0]       sl_slot_i,
  input  logic [3:0]       sl_word_i,
  output logic             sl_gnt_o,
  output logic             sl_rvalid_o,
  output logic [DataW-1:0] sl_data_o,
  output logic [15:0]      sl_queue_o,
  output logic [7:0]       sl_fn_o,
  // a word, and the owner of its slot
  input  logic             cw_valid_i,
  output logic             cw_ready_o,
  input  logic [5:0]       cw_slot_i,
  input  logic [3:0]       cw_word_i,
  output logic             cw_rvalid_o,
  output logic [31:0]      cw_rdata_o,
  output logic [9:0]       cw_queue_o,
  // allocated slots of a function: two cycles later
  input  logic [7:0]       share_fn_i,
  output logic [5:0]       share_o,
  // owner of a slot: the queue of its descriptor, in the same cycle
  input  logic [5:0]       own_slot_i,
  output logic [9:0]       own_queue_o,
  // register bus: SLOT and OWNER windows
  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o
);

  localparam int unsigned SlotW   = $clog2(NumSlots);
  localparam int unsigned FnW     = $clog2(NumFn);
  localparam int unsigned QW      = $clog2(NumQ);
  localparam int unsigned Banks   = DataW / 32;
  localparam int unsigned BankW   = $clog2(Banks);
  localparam int unsigned LineW   = 4 - BankW;       // lines of a slot
  localparam int unsigned NumFwSl = 4;
  localparam int unsigned NumPool = NumSlots - NumFwSl;

  // Returns arrive late in the cycle, so they are registered first.
  logic [NumPool-1:0] listed;
  logic [1:0]         back_valid_q;
  logic [11:0]        back_q;
  always_ff @(posedge clk_i) begin
    back_valid_q <= rst_ni ? slot_free_valid_i : '0;
    back_q       <= slot_free_i;
  end
  tern_slot_pool #(.NumPool(NumPool)) u_pool (
    .clk_i, .rst_ni, .slot_o(alloc_slot_o), .count_o(free_count_o), .list_o(listed),
    .take_i(alloc_i), .promised_i, .stage_ok_o, .stage_o(stage_slot_o), .wait_o(stage_wait_o),
    .stage_take_i, .back_valid_i(back_valid_q), .back_i(back_q)
  );

  // ---- register bus: one access waits until the ports are free -------------------
  logic        mm_hit, mm_take, mm_pend_q, mm_we_q, mm_in_q, mm_read, mm_write, mm_go, mm_done_q;
  logic        mm_read_q, mm_slots, mm_owner, mm_own_q, mm_named, own_free;
  logic [5:0]  mm_slot, mm_slot_q;
  logic [3:0]  mm_word_q;
  logic [31:0] mm_wdata_q;
  logic        write_busy, read_busy;

  assign mm_slots   = mm_addr_i[15:12] == tern_abi_pkg::MMIO_SLOT[15:12];
  assign mm_owner   = mm_addr_i[15:8] == tern_abi_pkg::MMIO_OWNER[15:8];
  assign mm_hit     = mm_slots || mm_owner;
  assign mm_slot    = mm_owner ? mm_addr_i[7:2] : mm_addr_i[11:6];
  assign mm_ready_o = mm_hit && !mm_pend_q && !copy_i;
  // Never at work together: an access that is pending or comes now goes first.
  assign copy_may_o = !mm_pend_q && !(mm_valid_i && mm_hit);
  assign mm_take    = mm_valid_i && mm_ready_o;
  assign write_busy = beat_we_i || in_we_i != '0 || word_valid_i || zero_i;
  assign read_busy  = sl_req_i || cw_valid_i;
  // If two clients access one port in a cycle, the firmware waits.
  assign mm_go      = mm_pend_q && !write_busy && (mm_we_q ? own_free : !read_busy);
  assign mm_write   = mm_go && mm_we_q && mm_in_q && !mm_own_q;
  assign mm_read    = mm_go && !mm_we_q && mm_in_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mm_pend_q <= 1'b0;
    else if (mm_take) mm_pend_q <= 1'b1;
    else if (mm_go) mm_pend_q <= 1'b0;
    mm_done_q   <= rst_ni && mm_go;
    mm_read_q   <= mm_read;
    mm_rvalid_o <= rst_ni && mm_done_q;
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_own_q   <= mm_owner;
      mm_in_q    <= 7'(mm_slot) < 7'(NumSlots);
    end
    // 0 without an access: RX_COPY's are ORed in.
    if (mm_take) {mm_slot_q, mm_word_q, mm_wdata_q} <= {mm_slot, mm_addr_i[5:2], mm_wdata_i};
    else if (mm_go || !mm_pend_q) {mm_slot_q, mm_word_q, mm_wdata_q} <= '0;
  end

  // ---- contents -----------------------------------------------------------------------
  logic [5:0]       wslot, rslot;
  logic [LineW-1:0] wline, rline;
  logic [3:0]       rword, to_word;
  logic             ren;

  assign word_ready_o = !beat_we_i && in_we_i == '0;
  assign zero_ready_o = word_ready_o && !word_valid_i;
  // RX_COPY computes the address of its next word from this signal. `beat_we_i` and `in_we_i` are
  // valid too late in the cycle for that. `beat_near_i` and `in_near_i` are valid earlier; they are
  // also high in a few cycles without a word, in which the copy waits although it need not.
  assign copy_ready_o = !beat_near_i && !in_near_i && !word_valid_i && !zero_i;
  assign cw_ready_o   = !sl_req_i && !word_valid_i;
  assign sl_gnt_o     = sl_req_i;
  assign ren          = sl_req_i || (cw_valid_i && !word_valid_i) || mm_read;
  assign rslot        = sl_req_i ? sl_slot_i : cw_valid_i ? cw_slot_i : mm_slot_q;
  assign rword        = sl_req_i ? sl_word_i : cw_valid_i ? cw_word_i : mm_word_q;
  assign rline        = rword[3:BankW];
  assign to_word      = mm_word_q | copy_word_i;

  always_comb begin
    wslot = mm_slot_q | ({6{copy_i}} & {4'(NumPool >> 2), copy_slot_i});
    wline = to_word[3:BankW];
    if (zero_i) begin
      wslot = zero_slot_i;
      wline = zero_index_i[LineW-1:0];
    end
    if (word_valid_i) begin
      wslot = word_slot_i;
      wline = LineW'((32'(tern_abi_pkg::ATR_VALUE_LSB / 32) + 32'(word_high_i)) >> BankW);
    end
    if (in_we_i != '0) begin
      wslot = stage_slot_o;
      wline = in_word_i[3:BankW];
    end
    if (beat_we_i) begin
      wslot = beat_slot_i;
      wline = beat_index_i[LineW-1:0];
    end
  end

  logic [31:0] rdata_at [0:Banks-1];
  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic        we, mine;
    logic [31:0] other, wdata;
    assign mine  = Banks == 1 || 32'(to_word) % Banks == b;
    assign we    = beat_we_i || in_we_i[b] ||
                   word_valid_i && word_ready_o || zero_i && zero_ready_o ||
                   ((mm_write || (copy_valid_i && copy_ready_o)) && mine);
    assign other = in_we_i != '0 ? in_data_i[32*b+:32] :
                   word_valid_i ? word_data_i[32*b+:32] : mm_wdata_q | copy_data_i;
    assign wdata = beat_we_i ? beat_data_i[32*b+:32]
                             : other & ~{32{zero_i && zero_ready_o}};
    tern_ram #(.Width(32), .Words(NumSlots << LineW), .Block(1'b1)) u_words (
      .clk_i, .ren_i(ren), .raddr_i({rslot[SlotW-1:0], rline}), .rdata_o(rdata_at[b]),
      .we_i(we), .waddr_i({wslot[SlotW-1:0], wline}), .wdata_i(wdata)
    );
    assign sl_data_o[32*b+:32] = rdata_at[b];
  end

  logic [31:0] word;
  logic [3:0]  rword_q;
  always_ff @(posedge clk_i) rword_q <= rword;
  if (Banks == 1) begin : g_one
    assign word = rdata_at[0];
  end else begin : g_two
    assign word = rword_q[0] ? rdata_at[1] : rdata_at[0];
  end

  // ---- owners: of allocated and of own slots -------------------------------------------------
  logic [5:0]     own_waddr;
  logic [QW-1:0]  own_wqueue, own_rqueue, own_queue, own_queue_q;
  logic [FnW-1:0] own_wfn, own_fn, own_fn_q;

  assign own_free   = !alloc_i && !stage_take_i;
  assign mm_named   = mm_write && mm_word_q == '1 && mm_slot_q >= 6'(NumPool);
  assign own_waddr  = stage_take_i ? stage_slot_o : alloc_i ? alloc_slot_o : mm_slot_q;
  assign own_wqueue = own_free ? mm_wdata_q[16+:QW] : alloc_queue_i[QW-1:0];   // `mm_named` is late
  assign own_wfn    = own_free ? mm_wdata_q[FnW-1:0] : alloc_fn_i[FnW-1:0];

  tern_lutram #(.Width(QW + FnW), .Words(NumSlots)) u_owner (
    .clk_i, .raddr_i(rslot[SlotW-1:0]), .rdata_o({own_queue, own_fn}),
    .we_i(!own_free || mm_named), .waddr_i(own_waddr[SlotW-1:0]), .wdata_i({own_wqueue, own_wfn})
  );
  tern_lutram #(.Width(QW), .Words(NumSlots)) u_queue (
    .clk_i, .raddr_i(own_slot_i[SlotW-1:0]), .rdata_o(own_rqueue),
    .we_i(!own_free || mm_named), .waddr_i(own_waddr[SlotW-1:0]), .wdata_i(own_wqueue)
  );

  // ---- slots of a function ------------------------------------------------------------------
  logic [NumPool-1:0] has_q;
  logic [5:0]         share;
  for (genvar i = 0; i < NumPool; i++) begin : g_share
    logic [FnW-1:0] fn_q;
    always_ff @(posedge clk_i) begin
      if (!own_free && own_waddr == 6'(i)) fn_q <= own_wfn;
      has_q[i] <= fn_q == share_fn_i[FnW-1:0] && !listed[i];
    end
  end
  always_comb begin
    share = '0;
    for (int i = 0; i < NumPool; i++) share += 6'(has_q[i]);
  end
  always_ff @(posedge clk_i) share_o <= share;

  always_ff @(posedge clk_i) begin
    sl_rvalid_o <= rst_ni && sl_req_i;
    cw_rvalid_o <= rst_ni && cw_valid_i && cw_ready_o;
    own_queue_q <= own_queue;
    own_fn_q    <= own_fn;
  end

  assign sl_queue_o  = 16'(own_queue_q);
  assign sl_fn_o     = 8'(own_fn_q);
  assign cw_queue_o  = 10'(own_queue_q);
  assign cw_rdata_o  = word;
  assign own_queue_o = 10'(own_rqueue);

  always_ff @(posedge clk_i) begin
    if (!mm_read_q)    mm_rdata_o <= '0;
    else if (mm_own_q) mm_rdata_o <= 32'(own_queue_q);
    else               mm_rdata_o <= word;
  end

  logic unused;
  assign unused = &{1'b0, mm_addr_i[1:0], wslot[5:SlotW], rslot[5:SlotW], own_slot_i[5:SlotW],
                    own_waddr[5:SlotW], share_fn_i, rword_q, zero_index_i, beat_index_i, in_word_i,
                    rword, alloc_queue_i, alloc_fn_i};

  always_ff @(posedge clk_i) begin
    if (rst_ni) InApart: assert (!(beat_we_i && in_we_i != '0));
    if (rst_ni) InNear:  assert (in_we_i == '0 || in_near_i);
    if (rst_ni) BeatNear: assert (!beat_we_i || beat_near_i);
    if (rst_ni) OneOwner: assert (!(alloc_i && stage_take_i) && (own_free || !mm_named));
    if (rst_ni) CopyAlone: assert (!(copy_i && mm_pend_q) && NumPool % 4 == 0);
    if (rst_ni) CopyMute: assert (copy_valid_i || !mm_pend_q ||
                                  (copy_word_i == '0 && copy_data_i == '0));
  end

endmodule

`default_nettype wire
