// SPDX-License-Identifier: Apache-2.0
// The host's end of the host port of a node, across a line: each transaction is a frame.
//
// hw-model/README.md describes the port, hw-model/abi/const.def (HLINK_*) the frames. Answers of
// the host reach the node as they come; BAR accesses wait in a FIFO, since the node may need an
// answer before it takes one. The host keeps no more of them under way than the FIFO has places.
`default_nettype none

module tern_hlink #(
  parameter int unsigned ReplayWords = 1024,
  parameter int unsigned Timeout     = 262144,
  parameter int unsigned AckWait     = 4096,
  parameter logic [3:0]  Channel     = 4'd0    // the node's number on the board
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        node_rst_o,      // pulse: a new session
  output logic        known_o,         // there is a session
  output logic [31:0] session_o,       // its number
  input  logic [7:0]  flags_i,         // HLINK_ARG_FIRST, for the host when it asks for the session
  // words from the line, to the line
  input  logic        rx_start_i,
  input  logic        rx_valid_i,
  output logic        rx_ready_o,
  input  logic [31:0] rx_word_i,
  output logic        tx_valid_o,
  input  logic        tx_ready_i,
  output logic        tx_first_o,
  output logic        tx_last_o,
  output logic [31:0] tx_word_o,
  // the node's host port, 32 bits wide
  input  logic        hrq_valid_i,
  output logic        hrq_ready_o,
  input  logic [7:0]  hrq_fn_i,
  input  logic [63:0] hrq_addr_i,
  input  logic [8:0]  hrq_bytes_i,
  input  logic [7:0]  hrq_tag_i,
  output logic        hrd_valid_o,
  output logic [7:0]  hrd_tag_o,
  output logic [31:0] hrd_data_o,
  output logic        hrd_last_o,
  output logic        hrd_err_o,
  input  logic        hwr_valid_i,
  output logic        hwr_ready_o,
  input  logic [7:0]  hwr_fn_i,
  input  logic [63:0] hwr_addr_i,
  input  logic [10:0] hwr_bytes_i,
  input  logic [31:0] hwr_data_i,
  input  logic        hwr_last_i,
  input  logic        hwr_irq_i,
  input  logic [7:0]  hwr_tag_i,
  output logic        hwb_valid_o,
  output logic [7:0]  hwb_tag_o,
  output logic        hwb_err_o,
  output logic        bar_valid_o,
  input  logic        bar_ready_i,
  output logic        bar_write_o,
  output logic [7:0]  bar_fn_o,
  output logic [16:0] bar_addr_o,
  output logic [63:0] bar_wdata_o,
  output logic [7:0]  bar_be_o,
  input  logic        bar_rvalid_i,
  input  logic [63:0] bar_rdata_i
);

  localparam int unsigned BarW = 1 + 8 + 17 + 8 + 64;

  // -------------------------------------------------------------- frames in
  logic        valid, first, last, ack_valid, ack_gap, owe, gap, gap_told, sync, synced, taken;
  logic [7:0]  ack, expect_seq;
  logic [31:0] word, session;
  logic        rst_n;                 // of all that a session has

  assign rst_n      = rst_ni && !sync;
  assign node_rst_o = sync;
  assign session_o  = session;

  tern_hlink_rx #(.Channel(Channel)) u_rx (
    .clk_i, .rst_ni,
    .start_i(rx_start_i), .valid_i(rx_valid_i), .ready_o(rx_ready_o), .word_i(rx_word_i),
    .valid_o(valid), .first_o(first), .last_o(last), .word_o(word),
    .ack_valid_o(ack_valid), .ack_o(ack), .ack_gap_o(ack_gap), .expect_o(expect_seq),
    .owe_o(owe), .gap_o(gap), .gap_told_i(gap_told),
    .sync_o(sync), .synced_o(synced), .session_o(session)
  );

  logic [2:0]  at_q;                  // word of the frame; 7: any after the sixth
  logic [3:0]  kind_q;
  logic [7:0]  fn_q, tag_q, arg_q;
  logic        odd_q;                 // of a BAR write: the second word of a beat comes
  logic [16:0] addr_q, addr;
  logic [31:0] low_q;
  logic        is_write, is_read;

  assign is_write = kind_q == 4'(tern_abi_pkg::HLINK_KIND_BAR_WRITE);
  assign is_read  = kind_q == 4'(tern_abi_pkg::HLINK_KIND_BAR_READ);

  always_ff @(posedge clk_i) begin
    if (!rst_n) at_q <= '0;
    else if (valid) at_q <= last ? 3'd0 : at_q == 3'd7 ? at_q : at_q + 3'd1;
    if (valid && first) kind_q <= word[tern_abi_pkg::HLINK_KIND +: 4];
    if (valid && at_q == 3'd1) begin
      fn_q  <= word[tern_abi_pkg::HLINK_FN +: 8];
      tag_q <= word[tern_abi_pkg::HLINK_TAG +: 8];
      arg_q <= word[tern_abi_pkg::HLINK_ARG +: 8];
    end
    if (valid && at_q == 3'd2) begin
      addr_q <= word[16:0];
      odd_q  <= 1'b0;
    end else if (valid) begin
      odd_q <= !odd_q;
      low_q <= word;
      if (odd_q) addr_q <= addr_q + 17'd8;
    end
  end

  always_ff @(posedge clk_i) begin
    hrd_valid_o <= rst_n && valid && at_q >= 3'd2
                   && kind_q == 4'(tern_abi_pkg::HLINK_KIND_READ_DATA);
    hrd_tag_o   <= tag_q;
    hrd_data_o  <= word;
    hrd_last_o  <= last;
    hrd_err_o   <= (arg_q & 8'(tern_abi_pkg::HLINK_ARG_ERROR)) != '0;
    hwb_valid_o <= rst_n && valid && last && at_q == 3'd1
                   && kind_q == 4'(tern_abi_pkg::HLINK_KIND_WRITTEN);
    hwb_tag_o   <= word[tern_abi_pkg::HLINK_TAG +: 8];
    hwb_err_o   <= (word[tern_abi_pkg::HLINK_ARG +: 8] & 8'(tern_abi_pkg::HLINK_ARG_ERROR)) != '0;
  end

  // -------------------------------------------------------------- registers
  logic             bar_push, bar_room, bar_some, bar_pop, reading_q, answer_q;
  logic [BarW-1:0]  bar_in, bar_out;
  logic [63:0]      answer_data_q;
  logic [7:0]       taken_q;
  logic [$clog2(tern_abi_pkg::HLINK_BAR_ROOM):0] bar_space;

  assign addr     = at_q == 3'd2 ? word[16:0] : addr_q;
  assign bar_push = valid && ((is_write && at_q >= 3'd4 && odd_q)
                              || (is_read && at_q == 3'd2 && last));
  assign bar_in   = {is_write, fn_q, addr, tag_q, word, low_q};

  tern_fifo #(.Width(BarW), .Depth(tern_abi_pkg::HLINK_BAR_ROOM)) u_bar (
    .clk_i, .rst_ni(rst_n),
    .valid_i(bar_push), .ready_o(bar_room), .data_i(bar_in),
    .valid_o(bar_some), .ready_i(bar_pop), .data_o(bar_out), .space_o(bar_space)
  );

  assign {bar_write_o, bar_fn_o, bar_addr_o, bar_be_o, bar_wdata_o} = bar_out;
  assign bar_valid_o = bar_some && (bar_write_o || !reading_q);
  assign bar_pop     = bar_ready_i && (bar_write_o || !reading_q);
  assign taken       = bar_valid_o && bar_ready_i;

  logic answered;                     // its frame has begun
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      reading_q <= 1'b0;
      answer_q  <= 1'b0;
      taken_q   <= '0;
    end else begin
      if (taken) taken_q <= taken_q + 8'd1;
      reading_q <= (taken && !bar_write_o) || (reading_q && !answered);
      answer_q  <= (bar_rvalid_i && reading_q) || (answer_q && !answered);
    end
    if (bar_rvalid_i) answer_data_q <= bar_rdata_i;
    if (rst_n && bar_push) BarHasRoom: assert (bar_room);
  end

  // ------------------------------------------------------------- frames out
  typedef enum logic [1:0] { OutNone, OutAnswer, OutRead, OutWrite } out_e;
  out_e        out_q;
  logic [2:0]  word_q;                // of the frame; 4: data of a write
  logic        put, put_first, put_last, room;
  logic [31:0] put_word;
  logic [7:0]  out_words;
  logic [1:0]  unused_bytes;          // of the last word
  logic [3:0]  out_kind;
  logic [12:0] reach;                 // bytes from the first word's start to the end

  assign reach        = {11'd0, hwr_addr_i[1:0]} + {2'd0, hwr_bytes_i};
  assign unused_bytes = 2'd0 - reach[1:0];

  logic [63:0] long_word;             // words 2 and 3
  assign long_word = out_q == OutRead ? hrq_addr_i : out_q == OutWrite ? hwr_addr_i
                                                                       : answer_data_q;

  always_comb begin
    out_kind  = 4'(tern_abi_pkg::HLINK_KIND_WRITE);
    out_words = hwr_irq_i ? 8'd5 : 8'd4 + reach[9:2] + {7'd0, reach[1:0] != '0};
    if (out_q != OutWrite) begin
      out_kind  = out_q == OutRead ? 4'(tern_abi_pkg::HLINK_KIND_READ)
                                   : 4'(tern_abi_pkg::HLINK_KIND_BAR_DATA);
      out_words = 8'd4;
    end
    put_word = '0;
    case (word_q)
      3'd0: begin
        put_word[tern_abi_pkg::HLINK_KIND +: 4]    = out_kind;
        put_word[tern_abi_pkg::HLINK_CHANNEL +: 4] = Channel;
        put_word[tern_abi_pkg::HLINK_WORDS +: 8]   = out_words;
      end
      3'd1: case (out_q)
        OutRead: begin
          put_word[tern_abi_pkg::HLINK_FN +: 8]  = hrq_fn_i;
          put_word[tern_abi_pkg::HLINK_TAG +: 8] = hrq_tag_i;
          put_word[tern_abi_pkg::HLINK_ARG +: 8] = hrq_bytes_i[7:0] - 8'd1;
        end
        OutWrite: begin
          put_word[tern_abi_pkg::HLINK_FN +: 8]  = hwr_fn_i;
          put_word[tern_abi_pkg::HLINK_TAG +: 8] = hwr_tag_i;
          put_word[tern_abi_pkg::HLINK_ARG +: 8] =
            hwr_irq_i ? 8'(tern_abi_pkg::HLINK_ARG_IRQ) : {6'd0, unused_bytes};
        end
        default: ;
      endcase
      3'd2: put_word = long_word[31:0];
      3'd3: put_word = long_word[63:32];
      default: put_word = hwr_data_i;
    endcase
  end

  assign put         = out_q != OutNone && (word_q != 3'd4 || hwr_valid_i);
  assign put_first   = word_q == 3'd0;
  assign put_last    = out_q == OutWrite ? word_q == 3'd4 && hwr_last_i : word_q == 3'd3;
  assign hwr_ready_o = out_q == OutWrite && word_q == 3'd4;
  assign hrq_ready_o = out_q == OutRead && word_q == 3'd3;
  assign answered    = out_q == OutAnswer && word_q == 3'd3;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      out_q  <= OutNone;
      word_q <= '0;
    end else if (out_q == OutNone) begin
      word_q <= '0;
      if (room && known_o) begin
        if (answer_q)         out_q <= OutAnswer;
        else if (hrq_valid_i) out_q <= OutRead;
        else if (hwr_valid_i) out_q <= OutWrite;
      end
    end else if (put) begin
      if (put_last) out_q <= OutNone;
      if (word_q != 3'd4) word_q <= word_q + 3'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   known_o <= 1'b0;
    else if (sync) known_o <= 1'b1;
  end

  tern_hlink_tx #(
    .Words(ReplayWords), .Timeout(Timeout), .AckWait(AckWait), .Channel(Channel)
  ) u_tx (
    .clk_i, .rst_ni(rst_n),
    .put_i(put), .put_first_i(put_first), .put_last_i(put_last), .put_word_i(put_word),
    .room_o(room),
    .ack_valid_i(ack_valid), .ack_i(ack), .ack_gap_i(ack_gap), .expect_i(expect_seq),
    .owe_i(owe || taken), .gap_i(gap), .gap_told_o(gap_told),
    .synced_i(synced), .session_i(session), .flags_i,
    .taken_i(taken_q),
    .valid_o(tx_valid_o), .ready_i(tx_ready_i), .first_o(tx_first_o), .last_o(tx_last_o),
    .word_o(tx_word_o)
  );

  logic unused_bits;
  assign unused_bits = ^{bar_space, hrq_bytes_i[8], reach[12:10]};

endmodule

`default_nettype wire
