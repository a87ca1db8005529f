// SPDX-License-Identifier: Apache-2.0
// Notices of a tree node to one neighbour: contributions freed, groups failed, groups unknown.
//
// Each event is kept until its notice begins to leave. A notice carries counts and states of that
// time, so events of one group and kind share one. Groups and kinds take turns.
`default_nettype none

module tern_tree_notes #(
  parameter int unsigned Groups = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [15:0]          rank_i,
  // groups
  input  logic [Groups-1:0]    clear_i,
  input  logic [8*Groups-1:0]  epoch_i,
  input  logic [4*Groups-1:0]  status_i,
  input  logic [16*Groups-1:0] failed_rank_i,
  input  logic [8*Groups-1:0]  freed_i,
  // events
  input  logic [Groups-1:0]    gone_i,         // a contribution of this neighbour was freed
  input  logic [Groups-1:0]    fell_i,         // the group failed, and the neighbour is in it
  input  logic                 refuse_i,       // the neighbour's group is unknown here
  input  logic [14:0]          refuse_box_i,
  output logic                 refused_o,
  // packets
  output logic                 want_o,
  input  logic                 open_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic                 sop_o,
  output logic                 eop_o,
  output logic [63:0]          data_o
);

  localparam int unsigned N = 2 * Groups + 1;

  logic [Groups-1:0] gone_q, fell_q, kept;
  logic [N-1:0]      req, pick;
  logic              busy_q, choose;
  logic [2:0]        beat_q;
  logic [14:0]       box;
  logic [7:0]        freed;
  logic [3:0]        status;
  logic [15:0]       who;

  assign req    = {refuse_i, fell_q, gone_q};
  assign choose = !busy_q && req != '0;
  assign kept   = gone_q & ~(pick[Groups-1:0] & {Groups{choose}});
  tern_tree_turn #(.N(N)) u_turn (
    .clk_i, .rst_ni, .req_i(req), .take_i(choose), .pick_o(pick)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gone_q <= '0;
      fell_q <= '0;
      busy_q <= 1'b0;
      beat_q <= '0;
    end else begin
      gone_q <= (kept | gone_i) & ~clear_i;
      fell_q <= ((fell_q & ~(pick[2*Groups-1 -: Groups] & {Groups{choose}})) | fell_i) & ~clear_i;
      busy_q <= choose || (busy_q && !(valid_o && ready_i && eop_o));
      if (choose)                  beat_q <= '0;
      else if (valid_o && ready_i) beat_q <= beat_q + 3'd1;
    end
  end

  assign refused_o = choose && pick[N-1];
  assign want_o    = busy_q;
  assign valid_o   = busy_q && open_i;
  assign sop_o     = beat_q == 3'd0;
  assign eop_o     = beat_q == 3'd4;

  // States at the time the notice was chosen: a later set-up must not mix two epochs.
  logic [14:0] box_q;
  logic [7:0]  freed_q;
  logic [3:0]  status_q;
  logic [15:0] who_q;
  logic        is_freed;
  always_comb begin
    box    = refuse_box_i;
    freed  = '0;
    status = 4'(tern_abi_pkg::TREE_NO_GROUP);
    who    = rank_i;
    for (int g = 0; g < Groups; g++) begin
      if (pick[g] || pick[Groups + g]) begin
        box    = {epoch_i[8*g +: 8], 7'(g)};
        freed  = freed_i[8*g +: 8];
        status = status_i[4*g +: 4];
        who    = failed_rank_i[16*g +: 16];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (choose) begin
      box_q    <= box;
      freed_q  <= freed;
      status_q <= status;
      who_q    <= who;
      is_freed <= pick[Groups-1:0] != '0;
    end
  end

  always_comb begin
    data_o = '0;
    if (beat_q == 3'd0) begin
      data_o[tern_abi_pkg::PKT_VN_LSB +: 2]    = 2'(tern_abi_pkg::VN_ACK);
      data_o[tern_abi_pkg::PKT_WORDS_LSB +: 8] = 8'd5;
      data_o[tern_abi_pkg::PKT_BOX_LSB +: 15]  = box_q;
    end else if (beat_q == 3'd1) begin
      data_o[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8]    = is_freed ? 8'(tern_abi_pkg::TREE_FREED) :
                                                                 8'(tern_abi_pkg::TREE_FAILED);
      data_o[tern_abi_pkg::PKT_FLAGS_LSB-64 +: 4]   = status_q & {4{!is_freed}};
      data_o[tern_abi_pkg::PKT_VERSION_LSB-64 +: 4] = 4'(tern_abi_pkg::PKT_VERSION);
      data_o[tern_abi_pkg::PKT_SRC_LSB-64 +: 16]    = who_q & {16{!is_freed}};
      data_o[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 8]  = is_freed ? freed_q : 8'd0;
    end
  end

endmodule

`default_nettype wire
