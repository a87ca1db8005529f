// SPDX-License-Identifier: Apache-2.0
// First half of transmission: handles command, slot, key check and host reads; produces header and
// record of each packet.
//
// Handles one packet at a time, while earlier ones are still being sent. After each packet, a
// message with packets left is put aside (tern_tx_turns). A new message of several packets is put
// aside at once if commands or other messages wait. Commands and messages in progress alternate. A
// message in progress begins a packet only if two buffers and a tag stay free. After eight commands
// passed it for want of them, commands wait.
//
// At its first turn a message's slot is read word by word (in pairs at 64 bits), two cycles from
// request to use. First come the words that decide, then local address and key. Then, for every
// packet, the words of the header and the inline payload go straight into the header memory, a beat
// a cycle; the record goes with the first of them. One adder adds to these words what changes
// (remote address, header fields).
//
// Reads are at most HOST_READ_MAX bytes and end at multiples of it, so they never cross 4096. A
// message resumes from its slot's first words and its saved state.
//
// `rec_o`, from the top: reply (it keeps its operation id), self (a copy for this node), last, kind
// [2] (0 payload comes from the host, 1 inline, 2 no payload, 3 no packet), ack (one answer to it
// is due), notify, vn[2], op[6], payload bytes less one [9]; for kind 3 the last 8 bits are the
// status.
//
// Read-ahead: a hint names a slot whose command follows later. While idle, the front makes the
// checks and reads for a put of at most one read and stops there. The command for that slot
// continues from that point. Any other command, and every event that may invalidate the bytes or
// the right to read them (`spoil_i`), discards them: `drop_o` has the store forget them. A hint for
// a slot that RX_COPY fills is marked as REPLY, and only a REPLY command continues from there. A
// broadcast reads the same bytes; only the command shows whether its box lies in the torus.
//
// A REPLY is a put from a slot with layout RPL, requested by a packet from another node. It needs
// the right that packets need to read, uses the host memory of the region's owner, and carries the
// operation id of the requester. Acks go to the requester; this node awaits none.

`default_nettype none

module tern_tx_front #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned NumSlots   = 32,
  parameter int unsigned NumQ       = 512,
  parameter int unsigned RecW       = 24,
  parameter int unsigned IdW        = 10
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,
  input  logic [1:0]       life_i,         // of this node: part of an operation's number

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  logic [21:0]      cmd_i,          // TX_CMD from its packet type on, and the slot
  input  logic             hint_valid_i,
  input  logic [5:0]       hint_slot_i,
  input  logic             hint_next_i,
  input  logic             hint_reply_i,   // the command will be a REPLY
  input  logic             spoil_i,
  input  logic             quiet_i,        // no packet is left to send

  output logic             sl_req_o,
  output logic [5:0]       sl_slot_o,
  output logic [3:0]       sl_word_o,
  input  logic             sl_gnt_i,
  input  logic             sl_rvalid_i,
  input  logic [DataW-1:0] sl_data_i,
  input  logic [15:0]      sl_queue_i,
  input  logic [7:0]       sl_fn_i,

  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  output logic             ck_remote_o,    // 1: right of packets, of any owner; 0: to read, for its
                                           // owner
  output logic             ck_offset_o,    // the address counts from the region's start
  output logic             ck_ahead_o,     // read-ahead: no command asked for this check yet
  output logic             ck_adopted_o,   // a command has now asked for it
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,
  input  logic [7:0]       ck_fn_i,        // the region's owner

  output logic             hrq_valid_o,
  input  logic             hrq_ready_i,
  output logic [7:0]       hrq_fn_o,
  output logic [63:0]      hrq_addr_o,
  output logic [8:0]       hrq_bytes_o,

  input  logic             tag_free_i,
  input  logic             tags_free_i,    // at least two
  output logic             issue_o,        // with the request, for the store:
  output logic             issue_more_o,   // not the first read of its packet
  output logic             issue_last_o,   // the last read of its packet
  output logic             issue_odd_o,    // has an odd number of reads before it
  output logic [7:0]       issue_start_o,  // host address of stream byte 0, low bits
  output logic [2:0]       issue_end_o,    // host lane of the last byte asked for
  output logic             drop_o,         // forget all reads in flight

  output logic             head_we_o,
  output logic [$clog2(512/DataW)-1:0] head_beat_o,   // next beat to write, while head_busy_o
  output logic [DataW-1:0] head_data_o,
  output logic             head_busy_o,    // header or payload of the newest record is incomplete

  output logic [5:0]       slot_o,         // message in the front
  input  logic             abort_i,        // a read of this message failed: end it early
  output logic             rec_valid_o,
  input  logic             rec_room_i,     // a buffer is assigned
  input  logic             long_room_i,    // two stay free if a long message takes one
  output logic             buf_next_o,     // release the assigned buffer, take the next
  output logic [RecW-1:0]  rec_o,
  output logic [IdW-1:0]   rec_id_o,       // packets with equal id stay in order
  output logic             rec_small_o,    // the only packet of its message
  output logic             rec_reads_o     // its payload comes from host memory
);

  localparam int unsigned WordsPer = DataW / 32;
  localparam int unsigned LaneW    = $clog2(DataW / 8);
  localparam int unsigned HdrBeats = 256 / DataW;
  localparam int unsigned HdrW     = $clog2(HdrBeats);
  localparam int unsigned HeadW    = HdrW + 1;            // header and inline payload
  localparam int unsigned LenW     = $clog2(tern_abi_pkg::PUT_BYTES_MAX);
  localparam int unsigned PktW     = LenW - $clog2(MaxPayload);
  localparam int unsigned ReadW    = $clog2(tern_abi_pkg::HOST_READ_MAX);

  // Words of the slot, counted in beats.
  localparam logic [HdrW-1:0] StepLength  = HdrW'(tern_abi_pkg::DESC_LENGTH_LSB / DataW);
  localparam logic [HdrW-1:0] StepNode    = HdrW'(tern_abi_pkg::DESC_DST_NODE_LSB / DataW);
  localparam logic [HdrW-1:0] StepQueue   = HdrW'(tern_abi_pkg::DESC_DST_QUEUE_LSB / DataW);
  localparam logic [HdrW-1:0] StepLowest  = HdrW'(tern_abi_pkg::DESC_LOCAL_ADDR_LSB % 256 / DataW);
  localparam logic [HdrW-1:0] StepHighest =
      HdrW'((tern_abi_pkg::DESC_LOCAL_ADDR_LSB + 32) % 256 / DataW);
  localparam logic [HdrW-1:0] StepKey     = HdrW'(tern_abi_pkg::DESC_LOCAL_KEY_LSB % 256 / DataW);
  localparam int unsigned RemoteStep = tern_abi_pkg::DESC_REMOTE_ADDR_LSB / DataW;
  localparam int unsigned RkeyStep   = tern_abi_pkg::DESC_REMOTE_KEY_LSB / DataW;
  localparam int unsigned ImmStep    = tern_abi_pkg::DESC_IMM_LSB / DataW;
  localparam int unsigned OpidStep   = tern_abi_pkg::RPL_OPID_LSB / DataW;
  // Beats of the header that take their value from slot words.
  localparam int unsigned KeyBeat  = tern_abi_pkg::PKT_KEY_LSB / DataW;
  localparam int unsigned AddrBeat = tern_abi_pkg::PKT_ADDR_LSB / DataW;
  localparam int unsigned OpidBeat = tern_abi_pkg::PKT_OPID_LSB / DataW;
  localparam int unsigned HighBeat = (tern_abi_pkg::PKT_ADDR_LSB + 32) / DataW;

  typedef enum logic [4:0] {
    StIdle, StHead, StOrder, StOrder2, StLocal, StJudge, StAside, StResume, StKey, StKeyWait,
    StPacket, StCut, StRead,
    StAhead, StHeader, StInline, StDrain, StNext, StRefuse
  } state_e;
  state_e state_q, state_d;

  // ---------------------------------------------------------------- command
  logic [15:0] cmd_q;                      // TX_CMD from its packet type on
  logic [5:0]  slot_q, slot_d, cmd_slot;
  logic        ahead_q, drop_q, spoilt, mine, other, named, take_hint;
  logic        take_cmd, take_ring, ring_q, begun_q, blocked, any_open;
  logic [7:0]  c_type;
  logic [1:0]  c_vn;
  logic        c_inl, c_ack, c_notify, c_msg, c_deposit, c_self, c_reply, reply_q, cmd_reply;

  localparam int unsigned TypeLsb = tern_abi_pkg::TXC_TYPE_LSB;
  assign c_type   = cmd_q[0 +: 8];
  assign c_notify = cmd_q[tern_abi_pkg::TXC_NOTIFY_LSB - TypeLsb];
  assign c_inl    = cmd_q[tern_abi_pkg::TXC_INL_LSB - TypeLsb] && !ahead_q;
  assign c_ack    = !cmd_q[tern_abi_pkg::TXC_UNACKED_LSB - TypeLsb];
  assign c_msg    = cmd_q[tern_abi_pkg::TXC_MSG_LSB - TypeLsb];
  assign c_vn     = cmd_q[tern_abi_pkg::TXC_VN_LSB - TypeLsb +: 2];
  assign c_self   = cmd_q[tern_abi_pkg::TXC_SELF_LSB - TypeLsb];
  assign c_deposit = cmd_q[tern_abi_pkg::TXC_DEPOSIT_LSB - TypeLsb] && !ahead_q;
  assign c_reply   = reply_q;
  assign cmd_reply = cmd_i[6 +: 8] == tern_abi_pkg::PTYPE_REPLY;
  assign cmd_slot = cmd_i[5:0];
  assign slot_o   = slot_q;

  // ---------------------------------------------------------------- choice of the next message
  localparam int unsigned SlotW  = $clog2(NumSlots);
  localparam int unsigned QW     = $clog2(NumQ);
  localparam int unsigned StateW = 1 + 16 + PktW + (64 - ReadW) + ReadW + 8;
  logic              ring_valid, ring_may, ring_first_q, held_up, ends, parks;
  logic [SlotW-1:0]  ring_slot;
  logic [StateW-1:0] kept, kept_d;
  logic              kept_begun;
  logic [15:0]       kept_cmd;
  logic [PktW-1:0]   kept_packet;
  logic [63:ReadW]   kept_block;
  logic [ReadW-1:0]  kept_start;
  logic [7:0]        kept_owner;
  logic [3:0]        passed_q;             // commands that passed a waiting message

  assign {kept_begun, kept_cmd, kept_packet, kept_block, kept_start, kept_owner} = kept;

  assign ring_may  = ring_valid && rec_room_i && long_room_i && tags_free_i;
  assign held_up   = ring_valid && passed_q[3];
  assign take_ring = state_q == StIdle && ring_may && (!cmd_valid_i || ring_first_q || held_up);
  assign take_cmd  = state_q == StIdle && cmd_valid_i && !take_ring && !held_up;
  assign slot_d    = take_ring ? 6'(ring_slot) : cmd_valid_i ? cmd_slot : hint_slot_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || take_ring) ring_first_q <= 1'b0;
    else if (take_cmd)        ring_first_q <= 1'b1;
    if (!rst_ni || take_ring || !ring_valid) passed_q <= '0;
    else if (take_cmd)                       passed_q <= passed_q + 4'd1;
    if (state_q == StIdle) begin
      ring_q  <= take_ring;
      begun_q <= take_ring && kept_begun;
    end
  end

  assign ends  = (state_q == StDrain && drained && last_q) || (state_q == StRefuse && rec_room_i);
  assign parks = state_q == StNext || state_q == StAside;
  assign kept_d = {state_q == StNext, cmd_q, packet_q, block_q, start_q, owner_q};

  tern_tx_turns #(.NumSlots(NumSlots), .NumQ(NumQ), .StateW(StateW)) u_turns (
    .clk_i, .rst_ni,
    .slot_i(slot_q[SlotW-1:0]), .queue_i(queue_q[QW-1:0]), .loose_i(reply_q),
    .check_i(state_q == StOrder), .blocked_o(blocked), .behind_i(state_q == StOrder2 && blocked),
    .park_i(parks), .taken_i(ring_q), .close_i(ends), .state_i(kept_d), .any_o(any_open),
    .valid_o(ring_valid), .slot_o(ring_slot), .state_o(kept), .take_i(take_ring)
  );

  // A command for the read-ahead slot waits until its bytes are requested; any other ends
  // read-ahead.
  assign mine        = cmd_slot == slot_q && !cmd_i[6 + tern_abi_pkg::TXC_INL_LSB - TypeLsb] &&
                       cmd_reply == reply_q;
  assign other       = cmd_valid_i && !mine;
  always_comb begin
    spoilt = 1'b0;
    if (ahead_q) spoilt = drop_q || spoil_i || other || (hint_valid_i && hint_slot_i == slot_q);
  end
  assign named       = state_q == StAhead && cmd_valid_i && !spoilt;
  assign cmd_ready_o = take_cmd || named;
  assign take_hint   = state_q == StIdle && !cmd_valid_i && !ring_valid &&
                       hint_valid_i && hint_next_i && quiet_i;

  always_ff @(posedge clk_i) begin
    if (cmd_ready_o)    cmd_q <= cmd_i[21:6];
    else if (take_ring) cmd_q <= kept_cmd;
    if (take_ring)                     reply_q <= kept_cmd[7:0] == tern_abi_pkg::PTYPE_REPLY;
    else if (cmd_ready_o || take_hint) reply_q <= cmd_valid_i ? cmd_reply : hint_reply_i;
    if (state_q == StIdle) slot_q <= slot_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ahead_q <= 1'b0;
      drop_q  <= 1'b0;
    end else begin
      if (state_d == StIdle || named) ahead_q <= 1'b0;
      else if (take_hint)             ahead_q <= 1'b1;
      drop_q <= spoilt && state_d != StIdle;
    end
  end

  // ---------------------------------------------------------------- the slot, step by step
  localparam logic [1:0] UseNone = 2'd0, UseHead = 2'd1, UseLocal = 2'd2, UseWrite = 2'd3;
  logic [HdrW-1:0]  step_q;                // of the present state
  logic [2:0]       step_word;             // its word in the upper or lower half of the slot
  logic [1:0]       use_d, use1_q, use_q;  // requested; in the slots' answer; in data_q
  logic [HdrW-1:0]  step1_q, step2_q;
  logic             upper, wants, asked1_q, step_on, flush, drained;
  logic [DataW-1:0] data_q;
  logic [15:0]      queue_q;
  logic [7:0]       fn_q;
  logic             is_key, is_addr, is_high, is_opid;

  assign is_key  = step_q == HdrW'(KeyBeat);
  assign is_addr = step_q == HdrW'(AddrBeat);
  assign is_high = step_q == HdrW'(HighBeat);
  assign is_opid = step_q == HdrW'(OpidBeat);
  assign upper   = state_q == StLocal || state_q == StInline;

  always_comb begin
    step_word = 3'(step_q) * 3'(WordsPer);
    wants     = 1'b1;
    if (state_q == StHeader) begin
      wants = is_key || is_addr || (is_high && !c_msg) || (is_opid && c_reply);
      step_word = is_key ? 3'(RkeyStep * WordsPer) :
                  is_opid && c_reply ? 3'(OpidStep * WordsPer) :
                  c_msg ? 3'(ImmStep * WordsPer) :
                          3'((RemoteStep + 32'(is_high && !is_addr)) * WordsPer);
    end
  end

  always_comb begin
    use_d = UseNone;
    case (state_q)
      StIdle:             use_d = take_cmd || take_ring || take_hint ? UseHead : UseNone;
      StHead:             use_d = UseHead;
      StLocal:            use_d = UseLocal;
      StHeader:           use_d = rec_room_i || step_q != '0 ? UseWrite : UseNone;
      StInline:           use_d = UseWrite;
      default: ;
    endcase
  end

  assign sl_req_o  = use_d != UseNone && wants;
  assign sl_slot_o = state_q == StIdle ? slot_d : slot_q;
  assign sl_word_o = {upper, state_q == StIdle ? 3'd0 : step_word};
  assign step_on   = use_d != UseNone && (sl_gnt_i || !wants);
  assign drained   = use1_q == UseNone && use_q == UseNone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) begin
      use1_q <= UseNone;
      use_q  <= UseNone;
    end else begin
      use1_q <= step_on ? use_d : UseNone;
      use_q  <= use1_q;
    end
    asked1_q <= sl_req_o && sl_gnt_i;
    step1_q  <= step_q;
    step2_q  <= step1_q;
    data_q   <= asked1_q ? sl_data_i : '0;
    if (asked1_q) begin
      queue_q <= sl_queue_i;
      fn_q    <= sl_fn_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle)       step_q <= HdrW'(step_on);
    else if (state_d != state_q) step_q <= '0;
    else if (step_on)            step_q <= step_q + 1'b1;
  end

  // ---------------------------------------------------------------- fields of the descriptor
  logic [7:0]  d_flags_q, d_incarnation_q;
  logic [15:0] d_dst_q, d_dst_queue_q;
  logic [5:0]  d_inline_q;
  logic [31:0] d_less_q;                   // length less one
  logic [LenW:0] d_length_q;
  logic        d_zero_q;                   // the length is zero
  logic [63:0] local_addr_q;
  logic [31:0] local_key_q;
  logic        head, local_word, at_length;
  logic [DataW-1:0] sum;
  logic             sum_carry;

  assign head       = use_q == UseHead;
  assign local_word = use_q == UseLocal;
  assign at_length  = head && step2_q == StepLength;

  always_ff @(posedge clk_i) begin
    if (head && step2_q == '0) begin
      d_flags_q  <= data_q[tern_abi_pkg::DESC_FLAGS_LSB +: 8];
      d_inline_q <= data_q[tern_abi_pkg::DESC_INLINE_LEN_LSB +: 6];
    end
    if (head && step2_q == StepQueue)
      d_dst_queue_q <= data_q[tern_abi_pkg::DESC_DST_QUEUE_LSB % DataW +: 16];
    if (head && step2_q == StepNode) begin
      d_dst_q         <= data_q[tern_abi_pkg::DESC_DST_NODE_LSB % DataW +: 16];
      d_incarnation_q <= data_q[tern_abi_pkg::DESC_INCARNATION_LSB % DataW +: 8];
    end
    // 0: not checked. Each node of a box has its own, and a REPLY goes to the node that asked.
    if (c_deposit || c_reply) d_incarnation_q <= '0;
    if (at_length) begin
      d_less_q <= sum[tern_abi_pkg::DESC_LENGTH_LSB % DataW +: 32];
      d_zero_q <= !sum_carry;
      d_length_q <= data_q[tern_abi_pkg::DESC_LENGTH_LSB % DataW +: LenW + 1];
    end
    if (local_word && step2_q == StepLowest)
      local_addr_q[31:0] <= data_q[31:0];
    if (local_word && step2_q == StepHighest)
      local_addr_q[63:32] <= data_q[(tern_abi_pkg::DESC_LOCAL_ADDR_LSB + 32) % DataW +: 32];
    if (local_word && step2_q == StepKey)
      local_key_q <= data_q[tern_abi_pkg::DESC_LOCAL_KEY_LSB % DataW +: 32];
  end

  // ---------------------------------------------------------------- checks before sending
  // The low corner of a box has the place of a message's reception FIFO.
  function automatic logic outside(input logic [15:0] node, input logic [14:0] dims);
    outside = node[15] || node[4:0] > dims[4:0] || node[9:5] > dims[9:5] ||
              node[14:10] > dims[14:10];
  endfunction

  logic       none, too_long, lengthy, bad_length, bad_node, worth;
  logic [7:0] status_q;
  assign none       = c_inl ? d_inline_q == '0 : d_zero_q;
  assign too_long   = c_inl ? d_inline_q[5] && d_inline_q[4:0] != '0
                            : d_less_q[31:LenW] != '0 && !d_zero_q;
  assign lengthy    = d_less_q[31:$clog2(MaxPayload)] != '0;
  assign bad_length = (none && !c_msg) || too_long;
  assign bad_node   = outside(d_dst_q, dims_i[14:0]) ||
                      (c_deposit && outside(d_dst_queue_q, dims_i[14:0]));
  // Read ahead at most one read's bytes, not for inline payload and not for a fenced operation.
  assign worth      = d_less_q[31:ReadW] == '0 && !bad_node
                      && (c_reply || (d_flags_q & 8'(tern_abi_pkg::DFLAG_INLINE |
                                                     tern_abi_pkg::DFLAG_FENCE)) == '0);

  assign ck_valid_o = state_q == StKey;
  assign ck_key_o   = local_key_q;
  assign ck_addr_o  = local_addr_q;
  assign ck_bytes_o = 32'(d_length_q);
  assign ck_fn_o    = fn_q;
  assign ck_remote_o = c_reply;
  assign ck_offset_o = c_reply && (d_flags_q & 8'(tern_abi_pkg::PFLAG_OFFSET)) != '0;
  assign ck_ahead_o = ahead_q;
  assign ck_adopted_o = named;

  always_ff @(posedge clk_i) begin
    if (state_q == StJudge || state_q == StHeader)
      status_q <= bad_length ? tern_abi_pkg::ST_BAD_LENGTH : tern_abi_pkg::ST_BAD_NODE;
    if (state_q == StKeyWait && ck_done_i)  status_q <= ck_status_i;
    if (state_q == StPacket && abort_i)     status_q <= tern_abi_pkg::ST_HOST_FAULT;
  end

  // ---------------------------------------------------------------- position in message and packet
  // All packets but the last have MaxPayload bytes, so all begin at the same offset in a block of
  // HOST_READ_MAX. Only the block number is counted: up by one for each read that reaches the end
  // of its block.
  logic [63:ReadW]  block_q, block_d, found_q;
  logic [7:0]       owner_q;
  logic [ReadW-1:0] start_q, low;
  logic [PktW-1:0]  packet_q;              // packets before this one
  logic             last_q, more_q, odd_q, cut_last_q, cut_last, set_block, unused_carry;
  logic [8:0]       less_q, packet_less;   // bytes left to read; bytes of the packet; less one
  logic [9:0]       reach;                 // end of this read, from the block's start
  logic [LaneW-1:0] end_q;

  assign packet_less = last_q ? d_less_q[8:0] : 9'(MaxPayload - 1);
  assign low         = start_q & {ReadW{!more_q}};
  assign reach       = 10'(low) + 10'(less_q);
  assign cut_last    = reach[9:ReadW] == '0;
  assign set_block   = state_q == StCut && !begun_q && !more_q;

  tern_addsel #(.Width(64 - ReadW)) u_block (
    .a_i((64-ReadW)'(!set_block)), .b_i(found_q), .c_i(block_q),
    .select_i(set_block), .sum_o(block_d), .carry_o(unused_carry)
  );

  assign hrq_valid_o   = state_q == StRead;
  assign hrq_fn_o      = owner_q;
  assign hrq_addr_o    = {block_q, low};
  assign issue_o       = hrq_valid_o && hrq_ready_i;
  assign issue_more_o  = more_q;
  assign issue_last_o  = cut_last_q;
  assign issue_odd_o   = odd_q;
  assign issue_start_o = start_q;
  assign issue_end_o   = 3'(end_q);

  always_ff @(posedge clk_i) begin
    if (state_q == StKeyWait) {owner_q, found_q, start_q} <= {ck_fn_i, ck_haddr_i};
    else if (take_ring)       {owner_q, start_q} <= {kept_owner, kept_start};
    if (take_ring) block_q <= kept_block;
    else if (set_block || (issue_o && !(cut_last_q && start_q != '0))) block_q <= block_d;
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      StKeyWait, StPacket: begin
        less_q <= packet_less;
        more_q <= 1'b0;
        odd_q  <= 1'b0;
      end
      StCut: begin
        hrq_bytes_o <= {1'b0, cut_last ? less_q[ReadW-1:0] : ~low} + 9'd1;
        cut_last_q  <= cut_last;
        end_q       <= cut_last ? reach[LaneW-1:0] : '1;
      end
      StRead: begin
        if (issue_o) begin
          less_q <= {reach[9], reach[7:0]};
          more_q <= 1'b1;
          odd_q  <= !odd_q;
        end
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle)                  packet_q <= take_ring ? kept_packet : '0;
    else if (state_q == StDrain && drained) packet_q <= packet_q + 1'b1;
    last_q <= packet_q == d_less_q[LenW-1:$clog2(MaxPayload)] || d_zero_q || c_inl;
  end

  // ---------------------------------------------------------------- header and inline payload
  localparam logic [DataW-1:0] LessOne = {DataW{1'b1}} << (tern_abi_pkg::DESC_LENGTH_LSB % DataW);
  logic [HeadW-1:0] beat_q;                // next beat to write
  logic             writes, first_beat, out_q;
  logic [8:0]       bytes_less_q;
  logic             empty;
  logic [7:0]       flags;
  logic [255:0]     fields;
  logic [DataW-1:0] word, addend;
  logic             at_addr, at_high, carry_q;

  assign writes     = use_q == UseWrite;
  assign first_beat = writes && !out_q;
  always_ff @(posedge clk_i) bytes_less_q <= c_inl ? {4'd0, d_inline_q[4:0] - 5'd1} : packet_less;
  assign empty      = none;

  always_comb begin
    flags = '0;
    if (last_q)   flags = flags | 8'(tern_abi_pkg::PFLAG_LAST);
    // Members answer the last packet of a broadcast, for all its packets.
    if (c_ack && (last_q || !c_deposit)) flags = flags | 8'(tern_abi_pkg::PFLAG_ACK_REQ);
    if (c_deposit) flags = flags | 8'(tern_abi_pkg::PFLAG_DEPOSIT);
    // In a REPLY's slot these bits concern the read, not the packet.
    if (!c_reply && (d_flags_q & 8'(tern_abi_pkg::DFLAG_OFFSET)) != '0)
      flags = flags | 8'(tern_abi_pkg::PFLAG_OFFSET);
    if (!c_reply && (d_flags_q & 8'(tern_abi_pkg::DFLAG_IMM)) != '0)
      flags = flags | 8'(tern_abi_pkg::PFLAG_IMM);
    if (!c_reply && (d_flags_q & 8'(tern_abi_pkg::DFLAG_SOLICITED)) != '0)
      flags = flags | 8'(tern_abi_pkg::PFLAG_SOLICITED);
  end

  // tern_tx_send adds the operation's generation; a REPLY's slot contains it.
  always_comb begin
    fields = '0;
`ifdef TERN_MODEL
    if (writes) begin   // not used in other cycles
`endif
    fields[tern_abi_pkg::PKT_TYPE_LSB        +: 8]  = c_type;
    fields[tern_abi_pkg::PKT_FLAGS_LSB       +: 8]  = flags;
    fields[tern_abi_pkg::PKT_INCARNATION_LSB +: 8]  = d_incarnation_q;
    fields[tern_abi_pkg::PKT_VERSION_LSB     +: 4]  = 4'(tern_abi_pkg::PKT_VERSION);
    fields[tern_abi_pkg::PKT_VN_LSB          +: 2]  = c_vn;
    fields[tern_abi_pkg::PKT_DST_LSB         +: 15] = d_dst_q[14:0];
    fields[tern_abi_pkg::PKT_DEPOSIT_LSB]           = c_deposit;
    fields[tern_abi_pkg::PKT_BOX_LSB         +: 15] = c_deposit ? d_dst_queue_q[14:0] : 15'd0;
    fields[tern_abi_pkg::PKT_WORDS_LSB       +: 8]  = empty ? 8'd5 : 8'(bytes_less_q[8:3]) + 8'd6;
    fields[tern_abi_pkg::PKT_SRC_LSB         +: 16] = node_i;
    fields[tern_abi_pkg::PKT_LENGTH_LSB      +: 11] = empty ? 11'd0 : 11'(bytes_less_q) + 11'd1;
    fields[tern_abi_pkg::PKT_OPID_LSB        +: 8]  = {life_i, slot_q} & {8{!c_reply}};
    fields[tern_abi_pkg::PKT_NUMBER_LSB      +: 16] = c_deposit && c_ack ? 16'(packet_q)
                                                      : 16'(tern_abi_pkg::PKT_UNNUMBERED) & {16{!c_reply}};
`ifdef TERN_MODEL
    end
`endif
  end

  assign at_addr = beat_q == HeadW'(HdrBeats + AddrBeat);
  assign at_high = beat_q == HeadW'(HdrBeats + HighBeat);

  if (DataW == 64) begin : g_word64
    always_comb begin
      word = data_q;
      if (at_addr && c_msg) word = {32'd0, data_q[63:32]};
      if (beat_q == HeadW'(HdrBeats + KeyBeat))
        word = {data_q[63:32] & {32{c_reply}}, data_q[31:0]};
    end
  end else begin : g_word32
    assign word = data_q;
  end

  always_comb begin
    addend = beat_q[HdrW] ? fields[beat_q[HdrW-1:0]*DataW +: DataW] : '0;
    if (at_addr && !c_msg) addend[31:0] = addend[31:0] | 32'({packet_q, 9'd0});
    if (at_high && c_msg)  addend[DataW-1 -: 32] = addend[DataW-1 -: 32] | {queue_q, d_dst_queue_q};
    if (at_high && !at_addr) addend[0] = addend[0] || carry_q;
    if (head) addend = LessOne;
  end
`ifdef TERN_MODEL   // simulates faster in words
  assign sum       = word + addend;
  assign sum_carry = sum < word;
`else
  assign {sum_carry, sum} = {1'b0, word} + {1'b0, addend};
`endif

  assign head_we_o   = writes && !flush;
  assign head_beat_o = beat_q;
  assign head_data_o = sum;
  assign head_busy_o = out_q;

  always_ff @(posedge clk_i) begin
    if (!(state_q == StHeader || state_q == StInline || state_q == StDrain))
      beat_q <= HeadW'(HdrBeats);
    else if (head_we_o)
      beat_q <= beat_q + 1'b1;
    if (head_we_o) carry_q <= sum_carry && !c_msg;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (state_q == StDrain && drained)) out_q <= 1'b0;
    else if (head_we_o)                             out_q <= 1'b1;
  end

  // ---------------------------------------------------------------- records
  logic refuse, bad_first;

  assign refuse      = state_q == StRefuse;
  // Other packets were judged before; only the box of a broadcast read ahead was not.
  assign bad_first   = first_beat && ((c_inl && bad_length) || bad_node);
  assign flush       = bad_first || (spoilt && state_d == StIdle);
  assign rec_valid_o = (first_beat && !bad_first) || refuse;
  // OP_MEMBERS gives the number of answers to a broadcast.
  assign rec_o       = {c_reply, c_self && c_deposit, last_q || refuse, refuse || none,
                        refuse || (c_inl && !none),
                        c_ack && !c_deposit && !c_reply, c_notify, c_vn, slot_q,
                        refuse ? {1'b0, status_q} : bytes_less_q};

  // A REPLY has an order of its own; so have the messages of each queue.
  assign rec_id_o    = {c_reply, c_reply ? (IdW-1)'(slot_q) : (IdW-1)'(queue_q[QW-1:0])};
  assign rec_small_o = !begun_q && (last_q || refuse);
  assign rec_reads_o = !(refuse || none || c_inl);
  assign buf_next_o  = (state_q == StDrain && drained) || (refuse && rec_room_i);

  // ---------------------------------------------------------------- state machine
  logic [HdrW-1:0] last_inline;
  assign last_inline = HdrW'(bytes_less_q[4:0] >> LaneW);

  always_comb begin
    state_d = state_q;
    case (state_q)
      StIdle:   if (take_cmd || take_ring || take_hint) state_d = StHead;
      StHead:   if (step_on && step_q == StepLength)
                  state_d = begun_q ? StJudge :
                            any_open && !(ring_q || c_reply || ahead_q) ? StOrder :
                            c_inl ? StHeader : StLocal;
      // Is another message of its queue unfinished?
      StOrder:  state_d = StOrder2;
      StOrder2: state_d = blocked ? StIdle : c_inl ? StHeader : StLocal;
      StLocal:  if (step_on && step_q == StepKey) state_d = StJudge;
      StJudge: begin
        if (use1_q != UseNone)           state_d = StJudge;   // the last word is here
        else if (begun_q)                state_d = StResume;
        else if (ahead_q)                state_d = worth ? StKey : StIdle;
        else if (bad_length || bad_node) state_d = StRefuse;
        else if (d_zero_q)               state_d = StPacket;   // nothing to read: no key
        else if (lengthy && !ring_q && (cmd_valid_i || ring_valid)) state_d = StAside;
        else                             state_d = StKey;
      end
      StAside:   state_d = StIdle;
      StResume:  state_d = StPacket;       // it is now clear whether this packet is the last
      StKey:     if (ck_ready_i) state_d = StKeyWait;
      StKeyWait: if (ck_done_i) state_d = ck_status_i == tern_abi_pkg::ST_OK ?
                                          (rec_room_i && !abort_i ? StCut : StPacket) :
                                          ahead_q ? StIdle : StRefuse;
      StPacket: begin
        if (abort_i)         state_d = StRefuse;
        else if (d_zero_q)   state_d = StHeader;
        // The record comes with a buffer: reads start only once there is one.
        else if (rec_room_i) state_d = StCut;
      end
      StCut:     if (tag_free_i) state_d = StRead;
      StRead:    if (issue_o) state_d = !cut_last_q ? StCut : ahead_q ? StAhead : StHeader;
      StAhead:   if (named) state_d = StHeader;
      StHeader: begin
        if (bad_first)                                     state_d = StRefuse;
        else if (step_on && step_q == HdrW'(HdrBeats - 1))
          state_d = c_inl && !none ? StInline : StDrain;
      end
      StInline:  if (step_on && step_q == last_inline) state_d = StDrain;
      StDrain:   if (drained) state_d = last_q ? StIdle : StNext;
      StNext:    state_d = StIdle;
      StRefuse:  if (rec_room_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    // Requests already sent to another block end first.
    if (spoilt && state_q != StKey && state_q != StRead && (state_q != StKeyWait || ck_done_i))
      state_d = StIdle;
  end

  assign drop_o = (spoilt && (state_q == StCut || state_q == StAhead)) || (bad_first && !c_inl);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  // A read is 1 to HOST_READ_MAX bytes inside one page; a slot answers only when asked. Bytes read
  // ahead leave only with the command of their slot.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ReadSize: assert (!hrq_valid_o || (hrq_bytes_o != '0 &&
                                         hrq_bytes_o <= 9'(tern_abi_pkg::HOST_READ_MAX)));
      ReadPage: assert (!hrq_valid_o || 13'(hrq_addr_o[11:0]) + 13'(hrq_bytes_o) <= 13'd4096);
      SlotDue:  assert (!sl_rvalid_i || asked1_q);
      AheadAlone: assert (!ahead_q || !(ring_valid || any_open));
      AheadMute: assert (!ahead_q || !(rec_valid_o || head_we_o));
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, sl_rvalid_i, dims_i[15], unused_carry, data_q, d_flags_q, 1'b0};

endmodule

`default_nettype wire
