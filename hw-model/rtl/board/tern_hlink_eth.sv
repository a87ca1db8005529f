// SPDX-License-Identifier: Apache-2.0
// The host link's words on an Ethernet cable: a frame of the host link in each frame of Ethernet,
// after the addresses, the type, and the low 16 bits of the session (HLINK_ETHER_WORDS).
//
// Frames from the host that belong to another session are dropped, unless they ask for one. Frames
// to the host go where the present session came from. Both wait in a FIFO until they are complete.
`default_nettype none

module tern_hlink_eth (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        sync_i,       // pulse: the last frame from the host begins a session
  input  logic [15:0] session_i,    // its low bits
  // from the PHY, in its clock
  input  logic        rx_clk_i,
  input  logic        rx_rst_ni,
  input  logic        rx_valid_i,
  input  logic        rx_error_i,
  input  logic [7:0]  rx_byte_i,
  // to the PHY, 125 MHz
  input  logic        tx_clk_i,
  input  logic        tx_rst_ni,
  output logic        tx_valid_o,
  output logic [7:0]  tx_byte_o,
  // words of the host link
  output logic        start_o,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [31:0] word_o,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        first_i,
  input  logic        last_i,
  input  logic [31:0] word_i
);

  localparam int unsigned Head    = tern_abi_pkg::HLINK_ETHER_WORDS;
  localparam int unsigned Longest = Head + tern_abi_pkg::HLINK_UP_WORDS + 1;

  // ------------------------------------------------------------------ from the host
  logic        rx_put, rx_keep, rx_forget, rx_room, in_valid, in_ready, in_last;
  logic [31:0] rx_word, in_word;

  tern_eth_rx u_rx (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni),
    .valid_i(rx_valid_i), .error_i(rx_error_i), .byte_i(rx_byte_i),
    .put_o(rx_put), .keep_o(rx_keep), .forget_o(rx_forget), .word_o(rx_word), .room_i(rx_room)
  );

  tern_frame_fifo u_in (
    .wclk_i(rx_clk_i), .wrst_ni(rx_rst_ni),
    .put_i(rx_put), .keep_i(rx_keep), .forget_i(rx_forget), .word_i(rx_word), .room_o(rx_room),
    .rclk_i(clk_i), .rrst_ni(rst_ni),
    .valid_o(in_valid), .ready_i(in_ready), .last_o(in_last), .word_o(in_word)
  );

  logic [2:0]  at_q;                // word of the head; Head: the host link's first; then one more
  logic [15:0] tag_q;
  logic [47:0] sender_q, peer_q;
  logic        pass_q, pass, is_head, asks;

  assign is_head  = at_q < 3'(Head);
  assign asks     = in_word[tern_abi_pkg::HLINK_KIND +: 4] == 4'(tern_abi_pkg::HLINK_KIND_SYNC);
  assign pass     = at_q == 3'(Head) ? asks || tag_q == session_i : pass_q;
  assign start_o  = in_valid && at_q == 3'(Head - 1);
  assign valid_o  = in_valid && !is_head && pass;
  assign word_o   = in_word;
  assign in_ready = is_head || !pass || ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else if (in_valid && in_ready)
      at_q <= in_last ? 3'd0 : at_q == 3'(Head + 1) ? at_q : at_q + 3'd1;
    if (in_valid && in_ready) begin
      case (at_q)
        3'd1:    sender_q[15:0]  <= in_word[31:16];
        3'd2:    sender_q[47:16] <= in_word;
        3'd3:    tag_q           <= in_word[31:16];
        default: pass_q          <= pass;
      endcase
    end
    if (sync_i) peer_q <= sender_q;
  end

  // ------------------------------------------------------------------ to the host
  logic        out_put, out_room, tx_valid, tx_ready, tx_last;
  logic [2:0]  head_q;              // words of the head that have left
  logic [31:0] out_word, tx_word;
  logic        begun_q;

  always_comb begin
    case (head_q)
      3'd0:    out_word = peer_q[31:0];
      3'd1:    out_word = {tern_abi_pkg::HLINK_ETHER_LOW[15:0], peer_q[47:32]};
      3'd2:    out_word = {tern_abi_pkg::HLINK_ETHER_HIGH[15:0],
                           tern_abi_pkg::HLINK_ETHER_LOW[31:16]};
      3'd3:    out_word = {session_i, tern_abi_pkg::HLINK_ETHER_TYPE[7:0],
                           tern_abi_pkg::HLINK_ETHER_TYPE[15:8]};
      default: out_word = word_i;
    endcase
  end

  assign ready_o = begun_q && head_q == 3'(Head);
  assign out_put = begun_q && !sync_i && (head_q != 3'(Head) || valid_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || sync_i) begin
      begun_q <= 1'b0;
      head_q  <= '0;
    end else if (!begun_q) begin
      begun_q <= valid_i && first_i && out_room;
      head_q  <= '0;
    end else begin
      if (head_q != 3'(Head)) head_q <= head_q + 3'd1;
      if (ready_o && valid_i && last_i) begun_q <= 1'b0;
    end
  end

  // A new session empties the sending end, perhaps in the middle of a frame.
  tern_frame_fifo #(.Slack(Longest + 6), .Registered(1'b1)) u_out (
    .wclk_i(clk_i), .wrst_ni(rst_ni),
    .put_i(out_put), .keep_i(ready_o && last_i), .forget_i(sync_i), .word_i(out_word),
    .room_o(out_room),
    .rclk_i(tx_clk_i), .rrst_ni(tx_rst_ni),
    .valid_o(tx_valid), .ready_i(tx_ready), .last_o(tx_last), .word_o(tx_word)
  );

  tern_eth_tx u_tx (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni),
    .valid_i(tx_valid), .ready_o(tx_ready), .last_i(tx_last), .word_i(tx_word),
    .valid_o(tx_valid_o), .byte_o(tx_byte_o)
  );

endmodule

`default_nettype wire
