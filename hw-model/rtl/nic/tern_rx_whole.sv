// SPDX-License-Identifier: Apache-2.0
// Tracks whether all packets of a broadcast have come: members answer only the last one.
//
// Packets of one broadcast arrive in the order sent, and the firmware lets an origin send only one
// broadcast of several packets to a member at a time. So one row for each origin suffices: the
// operation, and the number of the next packet. Packet 0 starts the row; a packet out of order or
// not deposited clears it.
//
// `read_i` names the origin two cycles before `whole_o` is used and `keep_i` writes the row. The
// inputs are held until then (operation and number from the cycle after `read_i` on). A digital net
// chooses the row (I. M. Sobol', 1967): no two nodes of a torus share one if its sides, rounded up
// to powers of two, make at most as many nodes as there are rows. In larger ones two origins may
// spoil each other's row. An answer then reports a loss where none was, never the reverse.

`default_nettype none

module tern_rx_whole (
  input  logic        clk_i,
  input  logic        read_i,
  input  logic [14:0] src_i,
  input  logic [13:0] opid_i,          // generation and slot of the operation
  input  logic [14:0] number_i,        // packets before this one
  input  logic        keep_i,          // this packet is finished
  input  logic        good_i,          // it was deposited
  output logic        whole_o          // this packet and all before it came
);

  localparam int unsigned Rows = 512;
  localparam int unsigned RowW = 6 + 14 + 15;

  // Bit i of x selects row 2^i, bit i of y row 2^(8-i), bit i of z the rows where Pascal's triangle
  // modulo 2 has a 1 at place i. Any a low bits of x, b of y and c of z with a + b + c <= 9 are
  // independent.
  logic [4:0] x, y, z;
  logic [8:0] row;
  assign x   = src_i[4:0];
  assign y   = src_i[9:5];
  assign z   = src_i[14:10];
  always_comb begin
    row = '0;
`ifdef TERN_MODEL
    if (read_i || keep_i)   // not used in other cycles
`endif
      row = {4'd0, x} ^ {y[0], y[1], y[2], y[3], y[4], 4'd0} ^
            {9{z[0]}} ^ {1'b0, {4{z[4]}}, 4'd0} ^ {1'b0, z[3], 3'd0, z[3], 3'd0} ^
            {1'b0, {2{z[2]}}, 2'd0, {2{z[2]}}, 2'd0} ^ {1'b0, {4{z[1], 1'b0}}};
  end

  // Row and these bits together identify the node.
  logic [RowW-1:0] due, kept;
  logic            valid, there_q;
  assign due = {y[4], z, opid_i, number_i};
  always_ff @(posedge clk_i) begin
    there_q <= read_i;
    if (there_q) whole_o <= number_i == '0 || (valid && kept == due);
  end

  tern_ram #(.Width(1 + RowW), .Words(Rows), .Block(1'b1)) u_rows (
    .clk_i,
    .ren_i(read_i), .raddr_i(row), .rdata_o({valid, kept}),
    .we_i(keep_i), .waddr_i(row),
    .wdata_i({good_i && whole_o, due[RowW-1:15], number_i + 1'b1})
  );

endmodule

`default_nettype wire
