// SPDX-License-Identifier: Apache-2.0
// A link of the torus on an Ethernet cable to one other board: beats in groups, after a word with
// their number and kinds (LINK_ETHER_*), groups in frames of Ethernet.
//
// Nothing waits for a frame to be complete. A frame begins with the first beat, goes on while there
// are groups, and ends when there are none, or when it has LINK_ETHER_GROUPS. A beat that arrives
// goes to the link at once, before the FCS has come: the link has checks of its own for packets and
// control words, and sends again what is damaged or lost.
//
// A group is closed when it is full, or when no beat comes and the line has nothing else to send.
// After `ltx_hold_o` rises, the link still sends a few beats (tern_link_tx).
`default_nettype none

module tern_link_eth (
  input  logic        clk_i,
  input  logic        rst_ni,
  // the link
  input  logic        ltx_valid_i,
  input  logic [1:0]  ltx_kind_i,
  input  logic [31:0] ltx_data_i,
  output logic        ltx_hold_o,
  output logic        overrun_o,       // a beat comes that has no room, which the link never sends
  output logic        lrx_valid_o,
  output logic [1:0]  lrx_kind_o,
  output logic [31:0] lrx_data_o,
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
  output logic [7:0]  tx_byte_o
);

  localparam int unsigned Head   = tern_abi_pkg::LINK_ETHER_WORDS;
  localparam int unsigned Group  = tern_abi_pkg::LINK_ETHER_GROUP;
  localparam int unsigned Groups = tern_abi_pkg::LINK_ETHER_GROUPS;
  localparam int unsigned KindsW = tern_abi_pkg::LINK_ETHER_BEATS;

  // ------------------------------------------------------- beats of the link -> groups
  localparam int unsigned Skid = 8;      // 3 beats when the link is held back, and 4 on their way
  logic              s_valid, s_ready, take, beat_ready, head_put, head_ready, starved;
  logic              full, unused_skid;
  logic [1:0]        s_kind;
  logic [3:0]        skid_space, count_q, head_count;
  logic [31:0]       s_data;
  logic [KindsW-1:0] kinds_q, kinds, head_kinds;

  tern_fifo #(.Width(34), .Depth(Skid)) u_skid (
    .clk_i, .rst_ni,
    .valid_i(ltx_valid_i), .ready_o(unused_skid), .data_i({ltx_kind_i, ltx_data_i}),
    .valid_o(s_valid), .ready_i(s_ready), .data_o({s_kind, s_data}), .space_o(skid_space)
  );
  assign overrun_o = ltx_valid_i && skid_space == '0;
  always_ff @(posedge clk_i) ltx_hold_o <= skid_space <= 4'(Skid - 3);

  // A beat is taken only if its group can be closed with it.
  assign s_ready    = beat_ready && head_ready;
  assign take       = s_valid && s_ready;
  assign full       = take && count_q == 4'(Group - 1);
  assign head_put   = full || (!take && starved && count_q != '0);
  assign kinds      = kinds_q | (KindsW'(s_kind) << {count_q, 1'b0});
  assign head_kinds = full ? kinds : kinds_q;
  assign head_count = full ? 4'(Group) : count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (head_put && head_ready)) begin
      count_q <= '0;
      kinds_q <= '0;
    end else if (take) begin
      count_q <= count_q + 4'd1;
      kinds_q <= kinds;
    end
  end

  logic        beat_valid, beat_get, head_valid, head_get, unused_empty;
  logic [31:0] beat, head;
  tern_cdc_fifo #(.Width(32), .Depth(32)) u_beats (
    .wclk_i(clk_i), .wrst_ni(rst_ni),
    .valid_i(take), .ready_o(beat_ready), .empty_o(unused_empty), .data_i(s_data),
    .rclk_i(tx_clk_i), .rrst_ni(tx_rst_ni),
    .valid_o(beat_valid), .ready_i(beat_get), .data_o(beat)
  );
  tern_cdc_fifo #(.Width(32), .Depth(4)) u_heads (
    .wclk_i(clk_i), .wrst_ni(rst_ni),
    .valid_i(head_put), .ready_o(head_ready), .empty_o(starved),
    .data_i({head_count, head_kinds}),
    .rclk_i(tx_clk_i), .rrst_ni(tx_rst_ni),
    .valid_o(head_valid), .ready_i(head_get), .data_o(head)
  );

  // ------------------------------------------------------------- groups -> frames
  logic        tx_ready, tx_last, tx_some, is_group, last_beat, took_q, took_last_q;
  logic [2:0]  at_q;                 // word of the frame's head, or Head
  logic [3:0]  left_q;               // beats of the group
  logic [4:0]  groups_q;             // of the frame so far
  logic [31:0] tx_word;

  assign is_group  = at_q == 3'(Head) && left_q == '0;
  assign last_beat = left_q == 4'd1;
  assign tx_some   = left_q != '0 ? beat_valid : head_valid;
  assign tx_last   = last_beat && (!head_valid || groups_q == 5'(Groups));
  assign head_get  = took_q && is_group;
  assign beat_get  = took_q && left_q != '0;

  // A word leaves a cycle after it was taken; the next one has three cycles.
  always_ff @(posedge tx_clk_i) begin
    took_q      <= tx_rst_ni && tx_ready;
    took_last_q <= tx_last;
  end

  always_comb begin
    case (at_q)
      3'd0:    tx_word = tern_abi_pkg::HLINK_ETHER_LOW;
      3'd1:    tx_word = {tern_abi_pkg::HLINK_ETHER_LOW[15:0],
                          tern_abi_pkg::HLINK_ETHER_HIGH[15:0]};
      3'd2:    tx_word = {tern_abi_pkg::HLINK_ETHER_HIGH[15:0],
                          tern_abi_pkg::HLINK_ETHER_LOW[31:16]};
      3'd3:    tx_word = {16'd0, tern_abi_pkg::LINK_ETHER_TYPE[7:0],
                          tern_abi_pkg::LINK_ETHER_TYPE[15:8]};
      default: tx_word = left_q != '0 ? beat : head;
    endcase
  end

  always_ff @(posedge tx_clk_i) begin
    if (!tx_rst_ni) begin
      at_q     <= '0;
      left_q   <= '0;
      groups_q <= '0;
    end else if (took_q) begin
      if (at_q != 3'(Head)) at_q <= at_q + 3'd1;
      else if (is_group) begin
        left_q   <= head[31:KindsW];
        groups_q <= groups_q + 5'd1;
      end else begin
        left_q <= left_q - 4'd1;
        if (took_last_q) begin
          at_q     <= '0;
          groups_q <= '0;
        end
      end
    end
  end

  tern_eth_tx u_tx (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni),
    .valid_i(tx_some), .ready_o(tx_ready), .last_i(tx_last), .word_i(tx_word),
    .valid_o(tx_valid_o), .byte_o(tx_byte_o)
  );

  // ------------------------------------------------------------- frames -> beats
  logic              rx_put, rx_keep, rx_forget, rx_beat, unused_room, unused_left;
  logic [2:0]        rx_at_q;
  logic [3:0]        rx_left_q;
  logic [KindsW-1:0] rx_kinds_q;
  logic [31:0]       rx_word;

  tern_eth_rx #(
    .Most(Head + Groups * (Group + 1)), .Type(tern_abi_pkg::LINK_ETHER_TYPE[15:0])
  ) u_rx (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni),
    .valid_i(rx_valid_i), .error_i(rx_error_i), .byte_i(rx_byte_i),
    .put_o(rx_put), .keep_o(rx_keep), .forget_o(rx_forget), .word_o(rx_word), .room_i(1'b1)
  );

  assign rx_beat = rx_put && rx_left_q != '0;

  always_ff @(posedge rx_clk_i) begin
    if (!rx_rst_ni || rx_keep || rx_forget) begin
      rx_at_q   <= '0;
      rx_left_q <= '0;
    end else if (rx_put) begin
      if (rx_at_q != 3'(Head)) rx_at_q <= rx_at_q + 3'd1;
      else if (rx_left_q == '0) {rx_left_q, rx_kinds_q} <= rx_word;
      else begin
        rx_left_q  <= rx_left_q - 4'd1;
        rx_kinds_q <= {2'd0, rx_kinds_q[KindsW-1:2]};
      end
    end
  end

  // The link takes a beat a cycle, more than come, so there is always room.
  tern_cdc_fifo #(.Width(34), .Depth(8)) u_in (
    .wclk_i(rx_clk_i), .wrst_ni(rx_rst_ni),
    .valid_i(rx_beat), .ready_o(unused_room), .empty_o(unused_left),
    .data_i({rx_kinds_q[1:0], rx_word}),
    .rclk_i(clk_i), .rrst_ni(rst_ni),
    .valid_o(lrx_valid_o), .ready_i(1'b1), .data_o({lrx_kind_o, lrx_data_o})
  );

  logic unused;
  assign unused = ^{unused_skid, unused_empty, unused_room, unused_left};

endmodule

`default_nettype wire
