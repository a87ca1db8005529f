// SPDX-License-Identifier: Apache-2.0
// Descriptor slots: their contents, which of them are free, and whose they are.
//
// Sixteen lanes of 32-bit words, so a whole descriptor is written or read in one cycle.  The
// write port serves host beats first (they cannot wait), then whole rows, then the firmware.
// A transmit read is granted at once and answered in the next cycle, with the whole descriptor and
// with the word asked for (at 64 bits: the pair it stands in); the answer is valid in
// that cycle only.
//
// The highest four slots belong to the firmware: they are never handed out here, and say
// themselves whose they are (word 15: queue 31:16, function 7:0).

`default_nettype none

module tern_slots #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned NumSlots = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // hand-out: `alloc_slot_o` is free whenever the count is not 0
  output logic [5:0]       alloc_slot_o,
  output logic [5:0]       free_count_o,
  input  logic             alloc_i,
  input  logic [9:0]       alloc_queue_i,
  input  logic [7:0]       alloc_fn_i,
  input  logic [1:0]       slot_free_valid_i,
  input  logic [11:0]      slot_free_i,
  // a beat of a host read
  input  logic             beat_we_i,
  input  logic [5:0]       beat_slot_i,
  input  logic [3:0]       beat_index_i,
  input  logic [DataW-1:0] beat_data_i,
  // a whole slot: a descriptor, or zeros
  input  logic             row_we_i,
  output logic             row_ready_o,
  input  logic [5:0]       row_slot_i,
  input  logic             row_zero_i,
  input  logic [511:0]     row_data_i,
  // transmit
  input  logic             sl_req_i,
  input  logic [5:0]       sl_slot_i,
  input  logic [3:0]       sl_word_i,
  output logic             sl_gnt_o,
  output logic             sl_rvalid_o,
  output logic [511:0]     sl_desc_o,
  output logic [DataW-1:0] sl_data_o,
  output logic [15:0]      sl_queue_o,
  output logic [7:0]       sl_fn_o,
  // whose a slot is: queue of its descriptor, in the same cycle; no good while OWNER is read
  input  logic [5:0]       own_slot_i,
  output logic [9:0]       own_queue_o,
  // register bus: SLOT and OWNER windows
  input  logic             mm_valid_i,
  input  logic             mm_we_i,
  input  logic [15:0]      mm_addr_i,
  input  logic [31:0]      mm_wdata_i,
  output logic             mm_ready_o,
  output logic             mm_rvalid_o,
  output logic [31:0]      mm_rdata_o,
  output logic [9:0]       mm_queue_o     // whose slot it is
);

  localparam int unsigned SlotW   = $clog2(NumSlots);
  localparam int unsigned NumFwSl = 4;
  localparam int unsigned NumPool = NumSlots - NumFwSl;

  logic [NumPool-1:0] free;
  tern_slot_pool #(.NumPool(NumPool)) u_pool (
    .clk_i, .rst_ni, .slot_o(alloc_slot_o), .count_o(free_count_o), .free_o(free),
    .take_i(alloc_i), .back_valid_i(slot_free_valid_i), .back_i(slot_free_i)
  );

  // ---- register bus: one access is kept until the ports are free -----------------
  logic        mm_hit, mm_take, mm_pend_q, mm_we_q, mm_in_q, mm_read, mm_write, mm_go, mm_done_q;
  logic        mm_read_q, mm_slots, mm_owner, mm_own_q, mm_owned_q;
  logic [5:0]  mm_slot, mm_slot_q;
  logic [3:0]  mm_word_q;
  logic [31:0] mm_wdata_q;

  assign mm_slots   = mm_addr_i[15:12] == tern_abi_pkg::MMIO_SLOT[15:12];
  assign mm_owner   = mm_addr_i[15:8] == tern_abi_pkg::MMIO_OWNER[15:8];
  assign mm_hit     = mm_slots || mm_owner;
  assign mm_slot    = mm_owner ? mm_addr_i[7:2] : mm_addr_i[11:6];
  assign mm_ready_o = mm_hit && !mm_pend_q;
  assign mm_take    = mm_valid_i && mm_ready_o;
  assign mm_go      = mm_pend_q && (mm_we_q ? !beat_we_i && !row_we_i : !sl_req_i);
  assign mm_write   = mm_go && mm_we_q && mm_in_q && !mm_own_q;
  assign mm_read    = mm_go && !mm_we_q && mm_in_q && !mm_own_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mm_pend_q <= 1'b0;
    else if (mm_take) mm_pend_q <= 1'b1;
    else if (mm_go) mm_pend_q <= 1'b0;
    mm_done_q <= rst_ni && mm_go;
    mm_read_q <= mm_read;
    mm_owned_q <= mm_go && !mm_we_q && mm_in_q && mm_own_q;
  end

  always_ff @(posedge clk_i) begin
    if (mm_take) begin
      mm_we_q    <= mm_we_i;
      mm_own_q   <= mm_owner;
      mm_in_q    <= 7'(mm_slot) < 7'(NumSlots);
      mm_slot_q  <= mm_slot;
      mm_word_q  <= mm_addr_i[5:2];
      mm_wdata_q <= mm_wdata_i;
    end
  end

  // ---- lanes -----------------------------------------------------------------------
  localparam int unsigned LanesPerBeat = DataW / 32;
  logic [5:0]   waddr, raddr;
  logic         row_write;
  logic [511:0] row;

  assign row_ready_o = !beat_we_i;
  assign row_write   = row_we_i && !beat_we_i;
  assign waddr       = beat_we_i ? beat_slot_i : row_we_i ? row_slot_i : mm_slot_q;
  assign raddr       = sl_req_i ? sl_slot_i : mm_slot_q;
  assign sl_gnt_o    = sl_req_i;

  for (genvar l = 0; l < 16; l++) begin : g_lane
    localparam int unsigned Part = l % LanesPerBeat;
    logic        we, at_beat;
    logic [31:0] narrow, wdata;
    assign at_beat = beat_we_i && beat_index_i == 4'(l / LanesPerBeat);
    assign we      = at_beat || row_write || (mm_write && mm_word_q == 4'(l));
    assign narrow  = beat_we_i ? beat_data_i[32*Part+:32] : row_we_i ? '0 : mm_wdata_q;
    assign wdata   = row_write && !row_zero_i ? row_data_i[32*l+:32] : narrow;
    tern_lutram #(.Width(32), .Words(NumSlots)) u_lane (
      .clk_i, .raddr_i(raddr[SlotW-1:0]), .rdata_o(row[32*l+:32]),
      .we_i(we), .waddr_i(waddr[SlotW-1:0]), .wdata_i(wdata)
    );
  end

  // ---- owners -------------------------------------------------------------------------
  logic [9:0] own_queue;
  logic [7:0] own_fn;
  tern_lutram #(.Width(18), .Words(NumSlots)) u_owner (
    .clk_i, .raddr_i(sl_slot_i[SlotW-1:0]), .rdata_o({own_queue, own_fn}),
    .we_i(alloc_i), .waddr_i(alloc_slot_o[SlotW-1:0]), .wdata_i({alloc_queue_i, alloc_fn_i})
  );

  logic [5:0] own_at;
  logic [9:0] own_q;
  assign own_at = mm_pend_q ? mm_slot_q : own_slot_i;
  tern_lutram #(.Width(10), .Words(NumSlots)) u_queue (
    .clk_i, .raddr_i(own_at[SlotW-1:0]), .rdata_o(own_queue_o),
    .we_i(alloc_i), .waddr_i(alloc_slot_o[SlotW-1:0]), .wdata_i(alloc_queue_i)
  );
  always_ff @(posedge clk_i) own_q <= own_queue_o;

  logic       fw_slot_q;
  logic [9:0] own_queue_q;
  logic [7:0] own_fn_q;
  always_ff @(posedge clk_i) begin
    sl_rvalid_o <= rst_ni && sl_req_i;
    sl_desc_o   <= row;
    sl_data_o   <= row[DataW * (32'(sl_word_i) / LanesPerBeat) +: DataW];
    fw_slot_q   <= sl_slot_i >= 6'(NumPool);
    own_queue_q <= own_queue;
    own_fn_q    <= own_fn;
  end
  assign sl_queue_o = fw_slot_q ? sl_desc_o[511:496] : 16'(own_queue_q);
  assign sl_fn_o    = fw_slot_q ? sl_desc_o[487:480] : own_fn_q;

  assign mm_rvalid_o = mm_done_q;
  assign mm_queue_o  = own_q;
  assign mm_rdata_o  = mm_read_q ? sl_desc_o[32*mm_word_q+:32] : mm_owned_q ? 32'(own_q) : '0;

  logic unused;
  assign unused = &{1'b0, mm_addr_i[1:0], waddr[5:SlotW], raddr[5:SlotW], own_at[5:SlotW], free};

endmodule

`default_nettype wire
