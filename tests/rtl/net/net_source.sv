// SPDX-License-Identifier: Apache-2.0
// Makes random packets for the network benches.
//
// Word 3 of a packet numbers it among those of its source, destination and network; every other
// word follows from that number, so a sink can tell what must come.  With `Ack` packets are
// header only, on the ack network; else on the other two.
`default_nettype none

module net_source #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Node  = 0,
  parameter bit          Ack   = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             go_i,
  input  int               nodes_i,
  input  int               only_i,      // -1: any destination, else this one
  input  int               len_i,       // -1: any length, else this one
  input  int               bubble_i,    // per cent of beats held back
  output logic             valid_o,
  input  logic             ready_i,
  output logic             sop_o,
  output logic             eop_o,
  output logic [1:0]       vn_o,
  output logic [DataW-1:0] data_o,
  output int               sent_o
);

  int          seq [0:95];   // per destination and network
  int          dst, len, beat, beats;
  logic [1:0]  vn;
  logic [31:0] id;
  logic        busy;

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

  task automatic start;
    int         d, l;
    logic [1:0] v;
    d = only_i >= 0 ? only_i : $urandom_range(nodes_i - 1);
    l = Ack ? 0 : len_i >= 0 ? len_i : random_length();
    v = Ack ? 2'd2 : 2'($urandom_range(1));
    dst   <= d;
    len   <= l;
    vn    <= v;
    id    <= {v, 5'(Node), 25'(seq[3*d + int'(v)])};
    beat  <= 0;
    beats <= (5 + (l + 7) / 8) * (64 / DataW);
    busy  <= 1'b1;
    seq[3*d + int'(v)]++;
  endtask

  logic [63:0] word;
  always_comb begin
    word    = net_words_pkg::packet_word(beat * DataW / 64, id, dst, Node, len, vn);
    data_o  = word[(beat * DataW) % 64 +: DataW];
    sop_o   = beat == 0;
    eop_o   = beat == beats - 1;
    vn_o    = vn;
  end

  logic hold;
  assign valid_o = busy && !hold;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      busy   <= 1'b0;
      hold   <= 1'b0;
      sent_o <= 0;
      beat   <= 0;
      beats  <= 0;
      for (int i = 0; i < 96; i++) seq[i] = 0;
    end else begin
      if (valid_o && ready_i) begin
        beat <= beat + 1;
        if (eop_o) begin
          busy   <= 1'b0;
          sent_o <= sent_o + 1;
        end
      end
      if (!valid_o || ready_i) hold <= $urandom_range(99) < bubble_i;
      if (go_i && (!busy || (valid_o && ready_i && eop_o))) start();
    end
  end

endmodule

`default_nettype wire
