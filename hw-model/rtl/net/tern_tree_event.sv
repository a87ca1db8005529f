// SPDX-License-Identifier: Apache-2.0
// Reports failed and refused groups to the node itself, one after the other, in turn.
//
// The event of a failed group comes after all results of the group: it waits while a result is
// under way (`hold_i`). An event holds until `ready_i`. A group that is set up anew before its
// event was taken has no event: the node knows.
`default_nettype none

module tern_tree_event #(
  parameter int unsigned Groups = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [15:0]          rank_i,
  input  logic [Groups-1:0]    clear_i,
  input  logic [8*Groups-1:0]  epoch_i,
  input  logic [4*Groups-1:0]  status_i,
  input  logic [16*Groups-1:0] failed_rank_i,
  input  logic [Groups-1:0]    fell_i,
  input  logic                 refuse_i,
  input  logic [14:0]          refuse_box_i,
  input  logic                 hold_i,
  output logic                 refused_o,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [14:0]          box_o,
  output logic [3:0]           status_o,
  output logic [15:0]          rank_o
);

  logic [Groups-1:0] fell_q;
  logic [Groups:0]   req, pick;
  logic              choose;

  assign req    = {refuse_i, fell_q};
  assign choose = !valid_o && !hold_i && req != '0;
  assign refused_o = choose && pick[Groups];
  tern_tree_turn #(.N(Groups + 1)) u_turn (
    .clk_i, .rst_ni, .req_i(req), .take_i(choose), .pick_o(pick)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fell_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      fell_q  <= ((fell_q & ~(pick[Groups-1:0] & {Groups{choose}})) | fell_i) & ~clear_i;
      valid_o <= choose || (valid_o && !ready_i);
    end
    if (choose) begin
      box_o    <= refuse_box_i;
      status_o <= 4'(tern_abi_pkg::TREE_NO_GROUP);
      rank_o   <= rank_i;
      for (int g = 0; g < Groups; g++) begin
        if (pick[g]) begin
          box_o    <= {epoch_i[8*g +: 8], 7'(g)};
          status_o <= status_i[4*g +: 4];
          rank_o   <= failed_rank_i[16*g +: 16];
        end
      end
    end
  end

endmodule

`default_nettype wire
