// SPDX-License-Identifier: Apache-2.0
// Takes packets at random times and checks them word by word.
//
// Packets of one source on one network must arrive in order, unchanged and at most once. Broadcasts
// must reach only nodes of their box, at most once each, in any order, since they take different
// routes. `lost_o` counts gaps, `wrong_o` all other errors.
`default_nettype none

module net_sink #(
  parameter int unsigned DataW = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  int               node_i,      // node number; for x, y, z see net_words_pkg
  input  logic [15:0]      dims_i,
  input  int               slow_i,      // per cent of cycles in which it is not ready
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic [DataW-1:0] data_i,
  output logic [2:0]       vn_ready_o,
  output int               good_o,
  output int               bad_o,       // packets that ended with err
  output int               lost_o,
  output int               wrong_o,
  output int               beats_o
);

  localparam int unsigned BoxLog2 = 12;

  int                      next [0:95];       // next number, by source and network
  bit                      seen [0:(32<<BoxLog2)-1]; // broadcasts, by source and number
  logic [79*64-1:0]        packet;
  int                      beat;
  logic                    midway;

  // Tells whether this node is in the box from `low` up to `high`.
  function automatic logic inside_box(input logic [14:0] low, input logic [14:0] high);
    int size, at, from, to;
    inside_box = 1'b1;
    for (int d = 0; d < 3; d++) begin
      size = net_words_pkg::side(d, dims_i);
      at   = net_words_pkg::along(d, node_i, dims_i);
      from = int'(low[5*d +: 5]);
      to   = int'(high[5*d +: 5]);
      if ((at - from + size) % size > (to - from + size) % size) inside_box = 1'b0;
    end
  endfunction

  task automatic order(input logic [31:0] id, input int src, input logic [1:0] vn);
    int at;
    if (id[24]) begin
      at = (src << BoxLog2) + int'(id[BoxLog2-1:0]);
      if (seen[at]) begin
        $display("# node %0d: broadcast %h came again", node_i, id);
        wrong_o <= wrong_o + 1;
      end
      seen[at] = 1'b1;
    end else begin
      at = 3 * src + int'(vn);
      if (int'(id[23:0]) < next[at]) begin
        $display("# node %0d: packet %h came again", node_i, id);
        wrong_o <= wrong_o + 1;
      end
      lost_o   <= lost_o + int'(id[23:0]) - next[at];
      next[at] = int'(id[23:0]) + 1;
    end
    good_o <= good_o + 1;
  endtask

  task automatic judge;
    logic [63:0] want, got;
    logic [31:0] id;
    logic [15:0] dst;
    logic [14:0] box;
    int src, len, words;
    logic [1:0] vn;
    logic here;
    got   = packet[63:0];
    vn    = got[17:16];
    dst   = got[15:0];
    box   = got[46:32];
    here  = dst[15] ? inside_box(box, dst[14:0])
        : dst[14:0] == net_words_pkg::place(node_i, dims_i);
    got   = packet[127:64];
    src   = int'(got[47:32]);
    len   = int'(got[58:48]);
    got   = packet[255:192];
    id    = got[31:0];
    words = 5 + (len + 7) / 8;
    if (!here || src > 31 || vn != vn_i || id[31:30] != vn || int'(id[29:25]) != src ||
        id[24] != dst[15] || beat * DataW != words * 64) begin
      $display("# node %0d: packet %h of %0d words on network %0d is misplaced", node_i, id,
               beat * DataW / 64, vn_i);
      wrong_o <= wrong_o + 1;
    end else begin
      for (int i = 0; i < words; i++) begin
        want = net_words_pkg::packet_word(i, id, dst, box, src, len, vn);
        got  = packet[64*i +: 64];
        if (i == 0) {got[63:47], got[31:26]} = '0;    // fields that each hop changes
        if (i == words - 1) got[63:32] = '0;
        if (got != want) begin
          $display("# node %0d: word %0d of packet %h is %h, not %h", node_i, i, id, got, want);
          wrong_o <= wrong_o + 1;
        end
      end
      order(id, src, vn);
    end
  endtask

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      good_o     <= 0;
      bad_o      <= 0;
      lost_o     <= 0;
      wrong_o    <= 0;
      beats_o    <= 0;
      ready_o    <= 1'b0;
      vn_ready_o <= '0;
      beat       = 0;
      midway     = 1'b0;
      for (int i = 0; i < 32 << BoxLog2; i++) seen[i] = 1'b0;
      for (int i = 0; i < 96; i++) next[i] = 0;
    end else begin
      if (valid_i && ready_o) begin
        if (sop_i == midway) begin
          $display("# node %0d: framing", node_i);
          wrong_o <= wrong_o + 1;
        end
        if (sop_i) beat = 0;
        packet[DataW*beat +: DataW] = data_i;
        beat    = beat < 150 ? beat + 1 : beat;
        midway  = !eop_i;
        beats_o <= beats_o + 1;
        if (eop_i && err_i)  bad_o <= bad_o + 1;
        if (eop_i && !err_i) judge();
      end
      ready_o <= $urandom_range(99) >= slow_i;
      for (int v = 0; v < 3; v++) vn_ready_o[v] <= $urandom_range(99) >= slow_i;
    end
  end

endmodule

`default_nettype wire
