// SPDX-License-Identifier: Apache-2.0
// First half of transmission: command, slot, key check, host reads; ends in one record a packet.
//
// One message at a time here, while earlier ones are still being sent. Reads are at most
// HOST_READ_MAX bytes and end at multiples of it, so they never cross 4096. A record is pushed when
// all reads of its packet are out. `rec_o` (171 bits, from the top): first, last, no packet, inline,
// status[8], type[8], flags[8], vn[2], incarnation[8], dst[16], length[11], op[8], ack, notify,
// key[32], addr[64].

`default_nettype none

module tern_tx_front #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned RecW       = 171
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      dims_i,

  input  logic             cmd_valid_i,
  output logic             cmd_ready_o,
  input  logic [29:0]      cmd_i,

  output logic             sl_req_o,
  output logic [5:0]       sl_slot_o,
  output logic [3:0]       sl_word_o,
  input  logic             sl_gnt_i,
  input  logic             sl_rvalid_i,
  input  logic [511:0]     sl_desc_i,
  input  logic [DataW-1:0] sl_data_i,
  input  logic [15:0]      sl_queue_i,
  input  logic [7:0]       sl_fn_i,

  output logic             ck_valid_o,
  input  logic             ck_ready_i,
  output logic [31:0]      ck_key_o,
  output logic [63:0]      ck_addr_o,
  output logic [31:0]      ck_bytes_o,
  output logic [7:0]       ck_fn_o,
  input  logic             ck_done_i,
  input  logic [7:0]       ck_status_i,
  input  logic [63:0]      ck_haddr_i,

  output logic             hrq_valid_o,
  input  logic             hrq_ready_i,
  output logic [7:0]       hrq_fn_o,
  output logic [63:0]      hrq_addr_o,
  output logic [8:0]       hrq_bytes_o,

  input  logic             tag_free_i,
  output logic             issue_o,        // with the request: what the store must know of it
  output logic [$clog2(MaxPayload*8/DataW)-1:0] issue_word_o,
  output logic [2:0]       issue_shift_o,
  output logic [2:0]       issue_lane_o,
  output logic [8:0]       issue_bytes_o,

  output logic             inl_we_o,
  output logic [$clog2(256/DataW)-1:0] inl_word_o,
  output logic [DataW-1:0] inl_data_o,

  input  logic             abort_i,        // a read of the present message failed: end it early
  output logic             rec_valid_o,
  input  logic             rec_room_i,
  output logic [RecW-1:0]  rec_o
);

  localparam int unsigned LaneW = $clog2(DataW / 8);
  localparam int unsigned WordW = $clog2(MaxPayload * 8 / DataW);
  localparam int unsigned InlW  = $clog2(256 / DataW);
  localparam int unsigned ReadW = $clog2(tern_abi_pkg::HOST_READ_MAX);
  localparam int unsigned LenW  = $clog2(tern_abi_pkg::PUT_BYTES_MAX) + 1;

  typedef enum logic [3:0] {
    StIdle, StSlot, StDecide, StInline, StKey, StKeyWait, StPacket, StChunk, StRecord, StRefuse
  } state_e;
  state_e state_q, state_d;

  // ---------------------------------------------------------------- command and descriptor
  logic [511:0] desc_q;
  logic [15:0]  queue_q;
  logic [7:0]   fn_q;
  logic [29:0]  cmd_q;

  logic [7:0]  c_type, c_op, d_flags, d_incarnation;
  logic [1:0]  c_vn;
  logic        c_inl, c_ack, c_notify, c_msg;
  logic [15:0] d_dst, d_dst_queue;
  logic [31:0] d_length, d_key, d_imm;
  logic [5:0]  d_inline_len;

  assign c_type   = cmd_q[tern_abi_pkg::TXC_TYPE_LSB +: 8];
  assign c_op     = {2'b0, cmd_q[tern_abi_pkg::TXC_SLOT_LSB +: 6]};
  assign c_vn     = cmd_q[tern_abi_pkg::TXC_VN_LSB +: 2];
  assign c_inl    = cmd_q[tern_abi_pkg::TXC_INL_LSB];
  assign c_ack    = !cmd_q[tern_abi_pkg::TXC_UNACKED_LSB];
  assign c_notify = cmd_q[tern_abi_pkg::TXC_NOTIFY_LSB];
  assign c_msg    = cmd_q[tern_abi_pkg::TXC_MSG_LSB];
  assign d_flags       = desc_q[tern_abi_pkg::DESC_FLAGS_LSB +: 8];
  assign d_incarnation = desc_q[tern_abi_pkg::DESC_INCARNATION_LSB +: 8];
  assign d_dst         = desc_q[tern_abi_pkg::DESC_DST_NODE_LSB +: 16];
  assign d_dst_queue   = desc_q[tern_abi_pkg::DESC_DST_QUEUE_LSB +: 16];
  assign d_length      = desc_q[tern_abi_pkg::DESC_LENGTH_LSB +: 32];
  assign d_key         = desc_q[tern_abi_pkg::DESC_REMOTE_KEY_LSB +: 32];
  assign d_imm         = desc_q[tern_abi_pkg::DESC_IMM_LSB +: 32];
  assign d_inline_len  = desc_q[tern_abi_pkg::DESC_INLINE_LEN_LSB +: 6];

  assign sl_req_o    = state_q == StIdle && cmd_valid_i;
  assign sl_slot_o   = cmd_i[tern_abi_pkg::TXC_SLOT_LSB +: 6];
  assign sl_word_o   = '0;      // the narrow port is not used yet
  assign cmd_ready_o = sl_req_o && sl_gnt_i;

  always_ff @(posedge clk_i) begin
    if (cmd_ready_o) cmd_q <= cmd_i;
    if (state_q == StSlot && sl_rvalid_i) begin
      desc_q  <= sl_desc_i;
      queue_q <= sl_queue_i;
      fn_q    <= sl_fn_i;
    end
  end

  // ---------------------------------------------------------------- may it be sent at all
  logic bad_length, bad_node;
  assign bad_length = (!c_msg && (c_inl ? d_inline_len == '0 : d_length == '0))
                      || (c_inl ? d_inline_len > 6'(tern_abi_pkg::INLINE_BYTES_MAX)
                                : d_length > tern_abi_pkg::PUT_BYTES_MAX);
  assign bad_node   = d_dst[15] || d_dst[4:0] > dims_i[4:0] || d_dst[9:5] > dims_i[9:5] ||
                      d_dst[14:10] > dims_i[14:10];

  assign ck_valid_o = state_q == StKey;
  assign ck_key_o   = desc_q[tern_abi_pkg::DESC_LOCAL_KEY_LSB +: 32];
  assign ck_addr_o  = desc_q[tern_abi_pkg::DESC_LOCAL_ADDR_LSB +: 64];
  assign ck_bytes_o = d_length;
  assign ck_fn_o    = fn_q;

  logic [7:0] status_q;
  always_ff @(posedge clk_i) begin
    if (state_q == StDecide) status_q <= bad_length ? tern_abi_pkg::ST_BAD_LENGTH : tern_abi_pkg::ST_BAD_NODE;
    if (state_q == StKeyWait && ck_done_i)  status_q <= ck_status_i;
    if (state_q == StPacket && abort_i)     status_q <= tern_abi_pkg::ST_HOST_FAULT;
  end

  // ---------------------------------------------------------------- where in message and packet
  logic [63:0]     haddr_q, raddr_q;       // next byte to read; remote address of the packet
  logic [63:0]     haddr_d, raddr_d;
  logic [1:0]      unused_carry;
  logic [LenW-1:0] left_q;                 // bytes of the message from this packet on
  logic [10:0]     packet_bytes, pbytes_q, pleft_q, chunk_room, chunk;
  logic [10:0]     done_bytes;             // of this packet, plus the shift: place in the store
  logic [LaneW-1:0] shift_q;               // lane of the packet's first byte in host memory
  logic            first_q, last, chunk_last;

  assign packet_bytes = left_q > LenW'(MaxPayload) ? 11'(MaxPayload) : 11'(left_q);
  assign last         = left_q <= LenW'(MaxPayload);
  assign chunk_room   = 11'(tern_abi_pkg::HOST_READ_MAX) - 11'(haddr_q[ReadW-1:0]);
  assign chunk_last   = pleft_q <= chunk_room;
  assign chunk        = chunk_last ? pleft_q : chunk_room;
  assign done_bytes   = pbytes_q - pleft_q + 11'(shift_q);

  assign hrq_valid_o   = state_q == StChunk && tag_free_i;
  assign hrq_fn_o      = fn_q;
  assign hrq_addr_o    = haddr_q;
  assign hrq_bytes_o   = chunk[8:0];
  assign issue_o       = hrq_valid_o && hrq_ready_i;
  assign issue_word_o  = done_bytes[LaneW +: WordW];
  assign issue_shift_o = 3'(shift_q);
  assign issue_lane_o  = 3'(haddr_q[LaneW-1:0]);
  assign issue_bytes_o = chunk[8:0];

  // Both addresses: set, or moved on by what was read or sent.
  tern_addsel #(.Width(64)) u_haddr (
    .a_i({53'd0, state_q == StKeyWait ? 11'd0 : chunk}), .b_i(ck_haddr_i), .c_i(haddr_q),
    .select_i(state_q == StKeyWait), .sum_o(haddr_d), .carry_o(unused_carry[0])
  );
  tern_addsel #(.Width(64)) u_raddr (
    .a_i({53'd0, state_q == StDecide ? 11'd0 : pbytes_q}),
    .b_i(desc_q[tern_abi_pkg::DESC_REMOTE_ADDR_LSB +: 64]), .c_i(raddr_q),
    .select_i(state_q == StDecide), .sum_o(raddr_d), .carry_o(unused_carry[1])
  );

  always_ff @(posedge clk_i) begin
    if (state_q == StKeyWait || issue_o)                            haddr_q <= haddr_d;
    if (state_q == StDecide || (state_q == StRecord && rec_room_i)) raddr_q <= raddr_d;
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      StDecide: begin
        left_q  <= c_inl ? LenW'(d_inline_len) : d_length[LenW-1:0];
        first_q <= 1'b1;
      end
      StPacket: begin
        pbytes_q <= packet_bytes;
        pleft_q  <= packet_bytes;
        shift_q  <= haddr_q[LaneW-1:0];
      end
      StChunk: begin
        if (issue_o) pleft_q <= pleft_q - chunk;
      end
      StRecord: begin
        if (rec_room_i) begin
          left_q  <= left_q - LenW'(pbytes_q);
          first_q <= 1'b0;
        end
      end
      default: ;
    endcase
  end

  // ---------------------------------------------------------------- inline payload
  logic [InlW-1:0] inl_q;
  logic            inline_go;
  assign inline_go  = state_q == StDecide && c_inl && !bad_length && !bad_node && rec_room_i;
  assign inl_we_o   = inline_go || state_q == StInline;
  assign inl_word_o = state_q == StInline ? inl_q : '0;
  assign inl_data_o = desc_q[8*tern_abi_pkg::INLINE_OFFSET + 32'(inl_word_o)*DataW +: DataW];

  always_ff @(posedge clk_i) inl_q <= inl_word_o + 1'b1;

  // ---------------------------------------------------------------- records
  logic [7:0]  flags;
  logic [10:0] rec_bytes;
  logic        rec_last, refuse;
  logic [63:0] rec_addr;

  assign refuse      = state_q == StRefuse;
  assign rec_valid_o = inline_go || state_q == StRecord || refuse;
  assign rec_last    = inline_go || refuse || last;
  assign rec_bytes   = inline_go ? 11'(d_inline_len) : pbytes_q;
  assign rec_addr    = c_msg ? {queue_q, d_dst_queue, d_imm} :
                       inline_go ? desc_q[tern_abi_pkg::DESC_REMOTE_ADDR_LSB +: 64] : raddr_q;

  always_comb begin
    flags = '0;
    if (rec_last) flags = flags | 8'(tern_abi_pkg::PFLAG_LAST);
    if (c_ack)    flags = flags | 8'(tern_abi_pkg::PFLAG_ACK_REQ);
    if ((d_flags & 8'(tern_abi_pkg::DFLAG_DEPOSIT)) != '0)   flags = flags | 8'(tern_abi_pkg::PFLAG_DEPOSIT);
    if ((d_flags & 8'(tern_abi_pkg::DFLAG_OFFSET)) != '0)    flags = flags | 8'(tern_abi_pkg::PFLAG_OFFSET);
    if ((d_flags & 8'(tern_abi_pkg::DFLAG_IMM)) != '0)       flags = flags | 8'(tern_abi_pkg::PFLAG_IMM);
    if ((d_flags & 8'(tern_abi_pkg::DFLAG_SOLICITED)) != '0) flags = flags | 8'(tern_abi_pkg::PFLAG_SOLICITED);
  end

  assign rec_o = {first_q || state_q == StDecide, rec_last, refuse, inline_go,
                  refuse ? status_q : tern_abi_pkg::ST_OK, c_type, flags, c_vn, d_incarnation, d_dst,
                  rec_bytes, c_op, c_ack, c_notify, d_key, rec_addr};

  // ---------------------------------------------------------------- the order of it all
  always_comb begin
    state_d = state_q;
    case (state_q)
      StIdle: if (cmd_ready_o) state_d = StSlot;
      StSlot: if (sl_rvalid_i) state_d = StDecide;
      StDecide: begin
        if (bad_length || bad_node) state_d = StRefuse;
        else if (c_inl)             state_d = rec_room_i ? StInline : StDecide;
        else if (d_length == '0)    state_d = StPacket;   // nothing is read: no key is needed
        else                        state_d = StKey;
      end
      StInline:  if (inl_q == '1) state_d = StIdle;
      StKey:     if (ck_ready_i) state_d = StKeyWait;
      StKeyWait: if (ck_done_i) state_d = ck_status_i == tern_abi_pkg::ST_OK ? StPacket : StRefuse;
      StPacket: begin
        if (abort_i)              state_d = StRefuse;
        else if (left_q == '0)    state_d = StRecord;
        // The buffer comes with the record's place: the reads may only start when there is one.
        else if (rec_room_i)      state_d = StChunk;
      end
      StChunk:   if (issue_o && chunk_last) state_d = StRecord;
      StRecord:  if (rec_room_i) state_d = last ? StIdle : StPacket;
      StRefuse:  if (rec_room_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  // A read is 1 to HOST_READ_MAX bytes inside one page; a slot answers only when asked.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ReadSize: assert (!hrq_valid_o || (chunk != '0 && chunk <= 11'(tern_abi_pkg::HOST_READ_MAX)));
      ReadPage: assert (!hrq_valid_o || 13'(haddr_q[11:0]) + 13'(chunk) <= 13'd4096);
      SlotDue:  assert (!sl_rvalid_i || state_q == StSlot);
    end
  end

  logic unused_ok;
  assign unused_ok = &{1'b0, sl_data_i, desc_q, done_bytes, dims_i[15], unused_carry, 1'b0};

endmodule

`default_nettype wire
