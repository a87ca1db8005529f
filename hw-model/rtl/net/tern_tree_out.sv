// SPDX-License-Identifier: Apache-2.0
// Output of a tree node to one link: contributions or results, packets for a rank, and notices,
// packet by packet.
//
// They take turns. `open_o` of one rises when the peer has room for its packet, and falls with
// the packet's last beat. A source that asks (`want_i`) keeps asking until
// then, and sends its packet once open.
`default_nettype none

module tern_tree_out (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [5:0]  room_i,          // of the link, by channel
  // bit 0: data, bit 1: notices, bit 2: packets for a rank
  input  logic [2:0]  want_i,
  output logic [2:0]  open_o,
  input  logic [2:0]  valid_i,
  output logic [2:0]  ready_o,
  input  logic [2:0]  sop_i,
  input  logic [2:0]  eop_i,
  input  logic [2:0]  err_i,
  input  logic [191:0] data_i,
  // link
  output logic        valid_o,
  input  logic        ready_i,
  output logic        sop_o,
  output logic        eop_o,
  output logic        err_o,
  output logic [1:0]  vn_o,
  output logic [63:0] data_o
);

  localparam int unsigned DataCh = 2 * tern_abi_pkg::VN_DATA;
  localparam int unsigned NoteCh = 2 * tern_abi_pkg::VN_ACK;
  localparam int unsigned MailCh = 2 * tern_abi_pkg::VN_REQUEST;

  logic [2:0] able, pick, open_q;
  logic       done, free;

  // The source whose last beat moves may not know of its next packet yet.
  assign able = want_i & {room_i[MailCh], room_i[NoteCh], room_i[DataCh]} & ~open_q;
  assign free = open_q == '0 || done;
  assign done = valid_o && ready_i && eop_o;

  tern_tree_turn #(.N(3)) u_turn (
    .clk_i, .rst_ni, .req_i(able), .take_i(free && able != '0), .pick_o(pick)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   open_q <= '0;
    else if (free) open_q <= pick;
  end

  assign open_o  = open_q;
  assign ready_o = open_q & {3{ready_i}};
  assign valid_o = (valid_i & open_q) != '0;
  assign sop_o   = open_q[2] ? sop_i[2] : open_q[1] ? sop_i[1] : sop_i[0];
  assign eop_o   = open_q[2] ? eop_i[2] : open_q[1] ? eop_i[1] : eop_i[0];
  assign err_o   = open_q[2] ? err_i[2] : open_q[1] ? err_i[1] : err_i[0];
  assign vn_o    = open_q[2] ? 2'(tern_abi_pkg::VN_REQUEST) :
                   open_q[1] ? 2'(tern_abi_pkg::VN_ACK) : 2'(tern_abi_pkg::VN_DATA);
  assign data_o  = open_q[2] ? data_i[191:128] : open_q[1] ? data_i[127:64] : data_i[63:0];

  logic unused;
  assign unused = ^{room_i[5], room_i[3], room_i[1]};

  always_ff @(posedge clk_i) begin
    if (rst_ni) OneOpen: assert ((open_q & (open_q - 3'd1)) == '0);
  end

endmodule

`default_nettype wire
