// SPDX-License-Identifier: Apache-2.0
// Contents of a bench packet: all words depend on its number and header fields. Also the
// coordinates of nodes.
`default_nettype none

package net_words_pkg;

  function automatic logic [63:0] mix(input logic [31:0] id, input int index);
    logic [63:0] x;
    x   = {id, id ^ 32'h9e37_79b9} + 64'(index) * 64'hbf58_476d_1ce4_e5b9;
    x   = (x ^ (x >> 29)) * 64'h94d0_49bb_1331_11eb;
    mix = x ^ (x >> 32);
  endfunction

  // Returns word `index` of the packet: header 0-3, payload, trailer. `dst` includes the deposit
  // bit.
  function automatic logic [63:0] packet_word(input int index, input logic [31:0] id,
                                              input logic [15:0] dst, input logic [14:0] box,
                                              input int src, input int len, input logic [1:0] vn);
    int tail;
    tail = 4 + (len + 7) / 8;
    case (index)
      0:       packet_word = {16'd0, 1'b0, box, 6'd0, 8'(tail + 1), vn, dst};
      1:       packet_word = {5'd0, 11'(len), 16'(src), 4'd0, 4'(tern_abi_pkg::PKT_VERSION),
                              24'(mix(id, 1))};
      2:       packet_word = mix(id, 2);
      3:       packet_word = {16'(mix(id, 3)), 16'(id), id};
      default: packet_word = index == tail ? {32'd0, 32'(mix(id, 4))} : mix(id, index);
    endcase
  endfunction

  // Node numbers count along x first, then y, then z. Return the side of dimension d, the
  // coordinate of node `n` in it, and all three.
  function automatic int side(input int d, input logic [15:0] dims);
    side = int'(5'(dims >> (5 * d))) + 1;
  endfunction

  function automatic int along(input int d, input int n, input logic [15:0] dims);
    case (d)
      0:       along = n % side(0, dims);
      1:       along = (n / side(0, dims)) % side(1, dims);
      default: along = n / (side(0, dims) * side(1, dims));
    endcase
  endfunction

  function automatic logic [14:0] place(input int n, input logic [15:0] dims);
    place = {5'(along(2, n, dims)), 5'(along(1, n, dims)), 5'(along(0, n, dims))};
  endfunction

endpackage

`default_nettype wire
