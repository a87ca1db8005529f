// SPDX-License-Identifier: Apache-2.0
// Carries good puts out, strictly in order: key check, host write, answer.
//
// One put is checked while the one before waits for the write channel. A slot is released as soon as
// its payload has been read; what the answer needs waits in a FIFO of 16 for the host's write answer.
// Nothing is written before a good check, nothing is answered OK before the host confirmed the write.

`default_nettype none

module tern_rx_put #(
  parameter int unsigned RxSlots = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [7:0]  incarnation_i,

  input  logic        put_valid_i,     // always taken: at most four are under way
  input  logic [1:0]  put_slot_i,
  input  logic [7:0]  put_flags_i,
  input  logic [7:0]  put_incarnation_i,
  input  logic [15:0] put_src_i,
  input  logic [15:0] put_opid_i,
  input  logic [10:0] put_length_i,
  input  logic [31:0] put_key_i,
  input  logic [63:0] put_addr_i,
  output logic        release_o,       // the oldest slot is free again
  output logic        entered_o,       // one more put is in the write channel, or refused

  output logic        ck_valid_o,
  input  logic        ck_ready_i,
  output logic [31:0] ck_key_o,
  output logic [63:0] ck_addr_o,
  output logic [31:0] ck_bytes_o,
  output logic        ck_offset_o,
  input  logic        ck_done_i,
  input  logic [7:0]  ck_status_i,
  input  logic [63:0] ck_haddr_i,
  input  logic [7:0]  ck_fn_i,
  input  logic [15:0] ck_ctr_i,

  output logic        rxc_valid_o,
  input  logic        rxc_ready_i,
  output logic [4:0]  rxc_slot_o,
  output logic [10:0] rxc_bytes_o,
  output logic [7:0]  rxc_fn_o,
  output logic [63:0] rxc_addr_o,
  output logic [15:0] rxc_id_o,
  input  logic        rxc_read_done_i,
  input  logic        rxd_valid_i,
  input  logic        rxd_err_i,

  output logic        ctr_valid_o,
  output logic [15:0] ctr_index_o,
  output logic [10:0] ctr_bytes_o,

  output logic        ra_valid_o,
  input  logic        ra_ready_i,
  output logic [39:0] ra_o,            // destination, operation id, status

  output logic        st_put_o,
  output logic [10:0] st_put_bytes_o,
  output logic        st_refused_o
);

  // ---------------------------------------------------------------- puts waiting for their check
  localparam int unsigned PutW = 2 + 1 + 1 + 8 + 16 + 16 + 11 + 32 + 64;
  logic [PutW-1:0] put_in, put;
  logic            put_valid, put_pop;
  logic [1:0]      slot;
  logic            ack_req, offset;
  logic [7:0]      incarnation;
  logic [15:0]     src, opid;
  logic [10:0]     length;
  logic [31:0]     key;
  logic [63:0]     addr;

  assign put_in = {put_slot_i, (put_flags_i & 8'(tern_abi_pkg::PFLAG_ACK_REQ)) != '0,
                   (put_flags_i & 8'(tern_abi_pkg::PFLAG_OFFSET)) != '0, put_incarnation_i,
                   put_src_i, put_opid_i, put_length_i, put_key_i, put_addr_i};
  assign {slot, ack_req, offset, incarnation, src, opid, length, key, addr} = put;

  tern_fifo #(.Width(PutW), .Depth(4)) u_puts (
    .clk_i, .rst_ni,
    .valid_i(put_valid_i), .data_i(put_in),
    .valid_o(put_valid), .ready_i(put_pop), .data_o(put),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // ---------------------------------------------------------------- key check
  localparam logic [1:0] StIdle   = 2'd0;
  localparam logic [1:0] StWait   = 2'd1;
  localparam logic [1:0] StResult = 2'd2;

  logic [1:0]  state_q;
  logic        stale, refused, enter, refuse, answer_room;
  logic [7:0]  status_q, fn_q;
  logic [63:0] haddr_q;
  logic [15:0] ctr_q;
  logic        cmd_valid_q;

  assign stale       = incarnation != '0 && incarnation != incarnation_i;
  assign ck_valid_o  = state_q == StIdle && put_valid && !stale;
  assign ck_key_o    = key;
  assign ck_addr_o   = addr;
  assign ck_bytes_o  = 32'(length);
  assign ck_offset_o = offset;

  assign refused = status_q != tern_abi_pkg::ST_OK;
  assign enter   = state_q == StResult && !refused && answer_room && (!cmd_valid_q || rxc_ready_i);
  // A refused put keeps its place in the order: it waits until the one before has entered.
  assign refuse  = state_q == StResult && refused && answer_room && !cmd_valid_q;
  assign put_pop = enter || refuse;

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) status_q <= tern_abi_pkg::ST_STALE_NODE;
    if (state_q == StWait && ck_done_i) begin
      status_q <= ck_status_i;
      haddr_q  <= ck_haddr_i;
      fn_q     <= ck_fn_i;
      ctr_q    <= ck_ctr_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle: begin
          if (put_valid && stale)            state_q <= StResult;
          else if (ck_valid_o && ck_ready_i) state_q <= StWait;
        end
        StWait:   if (ck_done_i) state_q <= StResult;
        StResult: if (put_pop)   state_q <= StIdle;
        default:                 state_q <= StIdle;
      endcase
    end
  end

  // ---------------------------------------------------------------- command to the write channel
  assign rxc_valid_o = cmd_valid_q;
  assign entered_o   = refuse || (rxc_valid_o && rxc_ready_i);

  always_ff @(posedge clk_i) begin
    if (enter) begin
      rxc_slot_o  <= 5'(RxSlots) + 5'(slot);
      rxc_bytes_o <= length;
      rxc_fn_o    <= fn_q;
      rxc_addr_o  <= haddr_q;
      rxc_id_o    <= opid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)          cmd_valid_q <= 1'b0;
    else if (enter)       cmd_valid_q <= 1'b1;
    else if (rxc_ready_i) cmd_valid_q <= 1'b0;
  end

  // ---------------------------------------------------------------- slots come back in ring order
  logic [1:0] read_slot, oldest_q;
  logic [3:0] over_q;          // payload of the slot is not needed any more

  tern_fifo #(.Width(2), .Depth(4)) u_reading (
    .clk_i, .rst_ni,
    .valid_i(enter), .data_i(slot),
    .ready_i(rxc_read_done_i), .data_o(read_slot),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .valid_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  assign release_o = over_q[oldest_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      oldest_q <= '0;
      over_q   <= '0;
    end else begin
      if (release_o) begin
        over_q[oldest_q] <= 1'b0;
        oldest_q         <= oldest_q + 1'b1;
      end
      if (refuse)          over_q[slot]      <= 1'b1;
      if (rxc_read_done_i) over_q[read_slot] <= 1'b1;
    end
  end

  // ---------------------------------------------------------------- answers
  localparam int unsigned AnsW = 16 + 16 + 1 + 16 + 11 + 8;
  logic        ans_valid, ans_pop, a_ack_req, written, write_err, due, speak;
  logic [15:0] a_src, a_opid, a_ctr;
  logic [10:0] a_bytes;
  logic [7:0]  a_status, final_status;

  tern_fifo #(.Width(AnsW), .Depth(16)) u_answers (
    .clk_i, .rst_ni,
    .valid_i(put_pop), .ready_o(answer_room),
    .data_i({src, opid, ack_req, ctr_q, length, status_q}),
    .valid_o(ans_valid), .ready_i(ans_pop),
    .data_o({a_src, a_opid, a_ack_req, a_ctr, a_bytes, a_status}),
    /* verilator lint_off PINCONNECTEMPTY */
    .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  // The host's answers may come before their put is at the head.
  tern_fifo #(.Width(1), .Depth(16)) u_written (
    .clk_i, .rst_ni,
    .valid_i(rxd_valid_i), .data_i(rxd_err_i),
    .valid_o(written), .ready_i(ans_pop && a_status == tern_abi_pkg::ST_OK), .data_o(write_err),
    /* verilator lint_off PINCONNECTEMPTY */
    .ready_o(), .space_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  // Byte counters take a deposit in four cycles, and no packet comes faster.
  logic [1:0] rest_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)           rest_q <= '0;
    else if (ans_pop)      rest_q <= 2'd3;
    else if (rest_q != '0) rest_q <= rest_q - 1'b1;
  end

  assign due          = ans_valid && rest_q == '0 && (a_status != tern_abi_pkg::ST_OK || written);
  assign final_status = a_status == tern_abi_pkg::ST_OK && write_err ? tern_abi_pkg::ST_HOST_FAULT : a_status;
  assign speak        = a_opid[7:0] != 8'(tern_abi_pkg::OP_NONE) &&
                        (a_ack_req || final_status != tern_abi_pkg::ST_OK);
  assign ra_valid_o   = due && speak;
  assign ra_o         = {a_src, a_opid, final_status};
  assign ans_pop      = due && (!speak || ra_ready_i);

  assign st_put_o       = ans_pop && final_status == tern_abi_pkg::ST_OK;
  assign st_put_bytes_o = st_put_o ? a_bytes : '0;
  assign st_refused_o   = refuse;
  assign ctr_valid_o    = st_put_o && a_ctr != 16'(tern_abi_pkg::COUNTER_NONE) && a_bytes != '0;
  assign ctr_index_o    = a_ctr;
  assign ctr_bytes_o    = a_bytes;

  // The write channel keeps the count: no read end and no answer without a command.
  logic [4:0] reading_q, writing_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reading_q <= '0;
      writing_q <= '0;
    end else begin
      reading_q <= reading_q + 5'(enter) - 5'(rxc_read_done_i);
      writing_q <= writing_q + 5'(enter) - 5'(rxd_valid_i);
      ReadEndsOnce: assert (!rxc_read_done_i || reading_q != '0);
      AnswerOnce:   assert (!rxd_valid_i || writing_q != '0);
      RingOrder:    assert (!put_pop || !over_q[slot]);
    end
  end

endmodule

`default_nettype wire
