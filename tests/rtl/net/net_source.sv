// SPDX-License-Identifier: Apache-2.0
// Makes random packets for the network benches.
//
// Word 3 of a packet has its number among those of its source, destination and network (of a
// broadcast: of its source). All other words depend on that number, so that a sink knows what to
// expect. With `Ack`, packets consist of a header and use the ack network; otherwise they use the
// other two.
//
// A broadcast goes to a random box around the node: any box, the whole torus, a line or a plane,
// with or without the node itself. The source repeats it while `again_i` is set with its last beat.
`default_nettype none

module net_source #(
  parameter int unsigned DataW = 64,
  parameter bit          Ack   = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  int               node_i,      // node number; for x, y, z see net_words_pkg
  input  logic [15:0]      dims_i,
  input  logic             go_i,
  input  int               nodes_i,
  input  int               only_i,      // -1: any destination; else this one
  input  int               len_i,       // -1: any length; else this one
  input  int               bubble_i,    // per cent of beats that are delayed
  input  int               boxes_i,     // per cent of packets that are broadcasts
  // -1: any box; 0: random, 1: all, 2: a line, 3: a plane, 4: all, by X+
  input  int               shape_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic             sop_o,
  output logic             eop_o,
  output logic             self_o,
  output logic [1:0]       vn_o,
  output logic [DataW-1:0] data_o,
  input  logic             again_i,
  output int               sent_o,      // copies that must arrive
  output int               hops_o,      // links that they must cross
  output int               plays_o      // transmissions of broadcasts
);

  int          seq [0:95];   // next number, by destination and network
  int          box_seq, len, beat, beats, copies, hops;
  logic [15:0] dst;
  logic [14:0] box;
  logic [1:0]  vn;
  logic [31:0] id;
  logic        busy, self;

  // Extent of the last box: up and down, per dimension.
  int up [0:2], down [0:2];

  function automatic int random_length();
    int pick;
    pick = $urandom_range(5);
    case (pick)
      0:       random_length = 0;
      1:       random_length = 8;
      2:       random_length = 512;
      default: random_length = $urandom_range(512);
    endcase
  endfunction

  // Chooses how far the box extends in dimension d.
  task automatic reach(input int d, input int shape, input logic flat);
    int size, at, most;
    size = net_words_pkg::side(d, dims_i);
    at   = net_words_pkg::along(d, node_i, dims_i);
    most = dims_i[15] ? size - 1 - at : size - 1;
    up[d]   = 0;
    down[d] = 0;
    if (!flat) begin
      up[d] = shape == 0 || !dims_i[15] ? $urandom_range(most) : most;
      if (shape == 4) up[d] = most;
      most    = dims_i[15] ? at : size - 1 - up[d];
      down[d] = shape == 0 ? $urandom_range(most) : most;
    end
  endtask

  task automatic start_box;
    int shape, axis, size, l, area, v, at;
    v     = $urandom_range(1);
    shape = shape_i >= 0 ? shape_i : $urandom_range(3);
    axis  = $urandom_range(2);
    area  = 1;
    for (int d = 0; d < 3; d++) begin
      size = net_words_pkg::side(d, dims_i);
      at   = net_words_pkg::along(d, node_i, dims_i);
      reach(d, shape, (shape == 2 && d != axis) || (shape == 3 && d == axis));
      dst[5*d +: 5] <= 5'((at + up[d]) % size);
      box[5*d +: 5] <= 5'((at + size - down[d]) % size);
      area = area * (up[d] + down[d] + 1);
    end
    l      = len_i >= 0 ? len_i : random_length();
    self   <= $urandom_range(1) == 1;
    dst[15] <= 1'b1;
    hops   <= area - 1;
    copies <= area - 1;       // the copy for the node itself counts when it is made
    len    <= l;
    vn     <= 2'(v);
    id     <= {2'(v), 5'(node_i), 1'b1, 24'(box_seq)};
    beats  <= (5 + (l + 7) / 8) * (64 / DataW);
    box_seq++;
  endtask

  function automatic int distance(input int to);
    int size, a, b, ahead;
    distance = 0;
    for (int d = 0; d < 3; d++) begin
      size  = net_words_pkg::side(d, dims_i);
      a     = net_words_pkg::along(d, node_i, dims_i);
      b     = net_words_pkg::along(d, to, dims_i);
      ahead = (b - a + size) % size;
      if (dims_i[15]) distance += b > a ? b - a : a - b;
      else      distance += 2 * ahead <= size ? ahead : size - ahead;
    end
  endfunction

  task automatic start_one;
    int         d, l;
    logic [1:0] v;
    d = only_i >= 0 ? only_i : $urandom_range(nodes_i - 1);
    l = Ack ? 0 : len_i >= 0 ? len_i : random_length();
    v = Ack ? 2'd2 : 2'($urandom_range(1));
    dst    <= {1'b0, net_words_pkg::place(d, dims_i)};
    box    <= 15'($urandom);
    self   <= 1'b0;
    copies <= 1;
    hops   <= distance(d);
    len    <= l;
    vn     <= v;
    id     <= {v, 5'(node_i), 1'b0, 24'(seq[3*d + int'(v)])};
    beats  <= (5 + (l + 7) / 8) * (64 / DataW);
    seq[3*d + int'(v)]++;
  endtask

  task automatic start;
    if ($urandom_range(99) < boxes_i) start_box();
    else                              start_one();
    beat <= 0;
    busy <= 1'b1;
  endtask

  logic [63:0] word;
  always_comb begin
    word    = net_words_pkg::packet_word(beat * DataW / 64, id, dst, box, node_i, len, vn);
    data_o  = word[(beat * DataW) % 64 +: DataW];
    sop_o   = beat == 0;
    eop_o   = beat == beats - 1;
    self_o  = self;
    vn_o    = vn;
  end

  logic hold;
  assign valid_o = busy && !hold;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      busy    <= 1'b0;
      hold    <= 1'b0;
      sent_o  <= 0;
      hops_o  <= 0;
      plays_o <= 0;
      beat    <= 0;
      beats   <= 0;
      box_seq = 0;
      for (int i = 0; i < 96; i++) seq[i] = 0;
    end else begin
      if (valid_o && ready_i) begin
        beat <= eop_o ? 0 : beat + 1;
        if (eop_o) plays_o <= plays_o + int'(dst[15]);
        if (eop_o && !again_i) begin
          busy   <= 1'b0;
          sent_o <= sent_o + copies + int'(self);
          hops_o <= hops_o + hops;
        end
      end
      if (!valid_o || ready_i) hold <= $urandom_range(99) < bubble_i;
      if (go_i && (!busy || (valid_o && ready_i && eop_o && !again_i))) start();
    end
  end

endmodule

`default_nettype wire
