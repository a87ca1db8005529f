// SPDX-License-Identifier: Apache-2.0
// Tells whether all packets of a broadcast have come: its members answer the last one only.
//
// Packets of one broadcast come in the order they were sent in, and an origin has one of several
// packets under way to a member at a time (the firmware sees to that). So one row for each origin
// will do: which operation, and the number of the packet that is due. Packet 0 begins a row anew;
// one that is not due, or was not deposited, ends it.
//
// `read_i` names the origin two cycles before `whole_o` is looked at and `keep_i` writes the row;
// their inputs are held until then (operation and number, from the cycle after `read_i` on). The
// row is chosen by a digital net (Sobol'; I. M. Sobol', 1967): no two nodes of a torus share one
// whose sides, rounded up to powers of two, make no more nodes than there are rows. In larger ones
// two origins may spoil each other's row: an answer then says "lost" where nothing was, never the
// other way round.

`default_nettype none

module tern_rx_whole (
  input  logic        clk_i,
  input  logic        read_i,
  input  logic [14:0] src_i,
  input  logic [13:0] opid_i,          // generation and slot of the operation
  input  logic [14:0] number_i,        // packets before this one
  input  logic        keep_i,          // this one has been dealt with
  input  logic        good_i,          // it was deposited
  output logic        whole_o          // it and all before it have come
);

  localparam int unsigned Rows = 512;
  localparam int unsigned RowW = 6 + 14 + 15;

  // Bit i of x stands for row 2^i, bit i of y for row 2^(8-i), bit i of z for the rows in which
  // Pascal's triangle modulo 2 has a 1 at place i.  Any a bits of x, b of y and c of z with a + b +
  // c <= 9, from the low ends, are independent.
  logic [4:0] x, y, z;
  logic [8:0] row;
  assign x   = src_i[4:0];
  assign y   = src_i[9:5];
  assign z   = src_i[14:10];
  always_comb begin
    row = '0;
`ifdef TERN_MODEL
    if (read_i || keep_i)   // nobody looks at it in other cycles
`endif
      row = {4'd0, x} ^ {y[0], y[1], y[2], y[3], y[4], 4'd0} ^
            {9{z[0]}} ^ {1'b0, {4{z[4]}}, 4'd0} ^ {1'b0, z[3], 3'd0, z[3], 3'd0} ^
            {1'b0, {2{z[2]}}, 2'd0, {2{z[2]}}, 2'd0} ^ {1'b0, {4{z[1], 1'b0}}};
  end

  // With the row these bits tell which node it is.
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
