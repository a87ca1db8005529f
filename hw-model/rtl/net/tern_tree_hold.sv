// SPDX-License-Identifier: Apache-2.0
// Stores two packets that arrive at one port of a tree node for another rank, and finds their way.
//
// A packet is stored whole before it goes on, so one that waits holds no link; a damaged one is
// overwritten, because the link brings it again. `able_o`: the next packet has room. The rank is in
// the place of the box. The way is found level by level, one cycle each: with 1 added to each rank,
// a node is above another if its number is the other's without some of the lowest bits, and the
// last bit removed names the child.
//
// No packet leaves where it came from: it is discarded. So none that came down goes up again,
// whatever the ranks, and no circle of packets that wait for each other exists.
//
// One beat a cycle once `grant_i` rises, which holds until the last beat has moved.
`default_nettype none

module tern_tree_hold #(
  parameter int unsigned MaxPayload = 512,
  parameter int unsigned From       = 3      // bit of `way_o` that it came by; 3: the node
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] rank_i,        // of this node
  // arrival
  output logic        able_o,
  input  logic        valid_i,
  input  logic        eop_i,
  input  logic        err_i,
  input  logic [63:0] data_i,
  // departure
  output logic [3:0]  way_o,         // one-hot: children, parent, the node; 0: no packet
  input  logic        grant_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        sop_o,
  output logic        eop_o,
  output logic [63:0] data_o
);

  localparam int unsigned MaxWords = MaxPayload / 8 + 5;
  localparam int unsigned BeatW    = $clog2(MaxWords);
  localparam logic [3:0]  Never    = From == 3 ? 4'b0000 : 4'(1 << From);

  // ------------------------------------------------------------------- arrival
  logic [1:0]       put_q, get_q, used;
  logic [BeatW-1:0] beat_q, last, last0_q, last1_q;
  logic [14:0]      box_q, box, box0_q, box1_q;
  logic             commit, leave, long_q;

  assign used   = put_q - get_q;
  assign able_o = !used[1];
  assign commit = valid_i && eop_i && !err_i && beat_q >= BeatW'(4) && !long_q;
  assign last   = get_q[0] ? last1_q : last0_q;
  assign box    = get_q[0] ? box1_q : box0_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q  <= '0;
      get_q  <= '0;
      beat_q <= '0;
      long_q <= 1'b0;
    end else begin
      put_q <= put_q + 2'(commit);
      get_q <= get_q + 2'(leave);
      if (valid_i) begin
        beat_q <= eop_i ? '0 : beat_q + BeatW'(beat_q != '1);
        long_q <= !eop_i && (long_q || beat_q == BeatW'(MaxWords - 1));
      end
    end
    if (valid_i && beat_q == '0) box_q <= data_i[tern_abi_pkg::PKT_BOX_LSB +: 15];
    if (commit && !put_q[0]) begin
      last0_q <= beat_q;
      box0_q  <= box_q;
    end
    if (commit && put_q[0]) begin
      last1_q <= beat_q;
      box1_q  <= box_q;
    end
  end

  // ----------------------------------------------------------------------- way
  typedef enum logic [1:0] { StFree, StWalk, StSend } state_e;
  state_e      state_q;
  logic [15:0] here_q, at_q;
  logic        own_q, bit_q, done;
  logic [3:0]  way_q;

  assign done  = valid_o && ready_i && eop_o;
  assign leave = state_q == StSend && ((way_q & Never) != '0 || done);
  assign way_o = way_q & ~Never & {4{state_q == StSend}};

  always_ff @(posedge clk_i) begin
    here_q <= rank_i + 16'd1;
    if (!rst_ni) begin
      state_q <= StFree;
    end else begin
      case (state_q)
        StFree:  if (used != '0) state_q <= StWalk;
        StWalk:  if (at_q <= here_q) state_q <= StSend;
        default: if (leave) state_q <= StFree;
      endcase
    end
    if (state_q == StFree) begin
      at_q  <= {1'b0, box} + 16'd1;
      own_q <= 1'b1;
    end else if (state_q == StWalk) begin
      at_q  <= {1'b0, at_q[15:1]};
      bit_q <= at_q[0];
      own_q <= 1'b0;
      way_q <= at_q != here_q ? 4'b0100 : own_q ? 4'b1000 : bit_q ? 4'b0010 : 4'b0001;
    end
  end

  // ----------------------------------------------------------------- departure
  logic [BeatW-1:0] next_q;
  logic             issue, all_q;

  assign issue = grant_i && state_q == StSend && !all_q && (!valid_o || ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q != StSend) begin
      next_q <= '0;
      all_q  <= 1'b0;
    end else if (issue) begin
      next_q <= next_q + 1'b1;
      all_q  <= next_q == last;
    end
    valid_o <= rst_ni && (issue || (valid_o && !ready_i));
    if (issue) begin
      sop_o <= next_q == '0;
      eop_o <= next_q == last;
    end
  end

  tern_ram #(.Width(64), .Words(2 << BeatW), .Apart(1'b1)) u_beats (
    .clk_i,
    .ren_i(issue), .raddr_i({get_q[0], next_q}), .rdata_o(data_o),
    .we_i(valid_i && !long_q), .waddr_i({put_q[0], beat_q}), .wdata_i(data_i)
  );

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      RoomKept: assert (!commit || able_o);
      OneWay:   assert ((way_o & (way_o - 4'd1)) == '0);
    end
  end

endmodule

`default_nettype wire
