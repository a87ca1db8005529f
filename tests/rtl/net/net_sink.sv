// SPDX-License-Identifier: Apache-2.0
// Takes packets at random pace and checks them word by word.
//
// Packets of one source on one network must come in order, unchanged and at most once;
// `lost_o` counts the gaps, `wrong_o` everything that must never happen.
`default_nettype none

module net_sink #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Node  = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  int               slow_i,      // per cent of cycles not ready
  input  logic             valid_i,
  output logic             ready_o,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic [DataW-1:0] data_i,
  output logic [2:0]       vn_ready_o,
  output int               good_o,
  output int               bad_o,       // closed with err
  output int               lost_o,
  output int               wrong_o,
  output int               beats_o
);

  int               next [0:95];       // per source and network
  logic [79*64-1:0] packet;
  int               beat;
  logic             midway;

  task automatic judge;
    logic [63:0] want, got;
    logic [31:0] id;
    int src, dst, len, words, place;
    logic [1:0] vn;
    got   = packet[63:0];
    vn    = got[17:16];
    dst   = int'(got[14:0]);
    got   = packet[127:64];
    src   = int'(got[47:32]);
    len   = int'(got[58:48]);
    got   = packet[255:192];
    id    = got[31:0];
    words = 5 + (len + 7) / 8;
    if (dst != int'(Node) || src > 31 || vn != vn_i || id[31:30] != vn || int'(id[29:25]) != src ||
        beat * DataW != words * 64) begin
      $display("# node %0d: packet %h of %0d words on network %0d is misplaced", Node, id,
               beat * DataW / 64, vn_i);
      wrong_o <= wrong_o + 1;
    end else begin
      for (int i = 0; i < words; i++) begin
        want = net_words_pkg::packet_word(i, id, dst, src, len, vn);
        got  = packet[64*i +: 64];
        if (i == 0) {got[63:48], got[31:26]} = '0;    // what a hop owns
        if (i == words - 1) got[63:32] = '0;
        if (got != want) begin
          $display("# node %0d: word %0d of packet %h is %h, not %h", Node, i, id, got, want);
          wrong_o <= wrong_o + 1;
        end
      end
      place = 3 * src + int'(vn);
      if (int'(id[24:0]) < next[place]) begin
        $display("# node %0d: packet %h came again", Node, id);
        wrong_o <= wrong_o + 1;
      end
      lost_o      <= lost_o + int'(id[24:0]) - next[place];
      next[place] = int'(id[24:0]) + 1;
      good_o      <= good_o + 1;
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
      for (int i = 0; i < 96; i++) next[i] = 0;
    end else begin
      if (valid_i && ready_o) begin
        if (sop_i == midway) begin
          $display("# node %0d: framing", Node);
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
