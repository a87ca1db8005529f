// SPDX-License-Identifier: Apache-2.0
// State of the groups at one tree node: set-up, and the failure that ended each.
//
// A group is set up with an epoch, the ports it waits for (children, the node itself), and whether
// its root is here. It is active until it fails. Reasons to fail, the first counts:
//
//   the node gives it back (set-up with `cfg_on_i` 0)
//   a link of the group is down
//   a contribution contradicts itself or the others, or its stored beats are damaged
//   some ports have contributed and one has not for `cfg_patience_i` to one more ticks
//   a neighbour reports that the group failed there
//
// Status and rank of the failure then hold until the group is set up anew. `fell_o` pulses when it
// fails. So a failed group costs nothing until then, and delays no other group.
`default_nettype none

module tern_tree_groups #(
  parameter int unsigned Groups = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tick_i,
  input  logic [15:0]          rank_i,       // of this node; its children: 2 * rank + 1, + 2
  input  logic [2:0]           up_i,         // links: children, parent
  // set-up
  input  logic                 cfg_valid_i,
  input  logic [$clog2(Groups)-1:0] cfg_group_i,
  input  logic                 cfg_on_i,
  input  logic [7:0]           cfg_epoch_i,
  input  logic [2:0]           cfg_expect_i,
  input  logic                 cfg_root_i,
  input  logic [23:0]          cfg_patience_i,   // ticks, at least 1
  // events
  input  logic [3*Groups-1:0]  have_i,       // contributions wait, by port
  input  logic [Groups-1:0]    taken_i,      // one of each was taken
  input  logic [Groups-1:0]    wrong_i,      // contributions do not fit together
  input  logic [3:0]           wrong_why_i,
  input  logic [15:0]          wrong_rank_i,
  input  logic [3*Groups-1:0]  bad_i,        // by port
  input  logic [11:0]          bad_why_i,
  input  logic [47:0]          bad_rank_i,
  input  logic [2:0]           failed_i,     // reported by a neighbour, by link
  input  logic [44:0]          failed_box_i,
  input  logic [11:0]          failed_why_i,
  input  logic [47:0]          failed_rank_i,
  // state
  output logic [Groups-1:0]    clear_o,
  output logic [Groups-1:0]    on_o,
  output logic [Groups-1:0]    active_o,
  output logic [Groups-1:0]    fell_o,
  output logic [8*Groups-1:0]  epoch_o,
  output logic [3*Groups-1:0]  expect_o,
  output logic [Groups-1:0]    root_o,
  output logic [4*Groups-1:0]  status_o,
  output logic [16*Groups-1:0] failed_rank_o
);

  localparam int unsigned GroupW = $clog2(Groups);

  logic [15:0] child0, child1, parent;
  assign child0 = {rank_i[14:0], 1'b1};
  assign child1 = child0 + 16'd1;
  assign parent = {1'b0, rank_i[15:1]} - {15'd0, !rank_i[0]};

  for (genvar g = 0; g < Groups; g++) begin : g_group
    logic        on_q, root_q, failed_q, fails, clear, quits, late, partial;
    logic [7:0]  epoch_q;
    logic [23:0] wait_q, patience_q;
    logic [2:0]  expect_q, have, miss, down, bad, said;
    logic [3:0]  status_q, why;
    logic [15:0] rank_q, who, absent;

    assign clear = cfg_valid_i && cfg_on_i && cfg_group_i == GroupW'(g);
    assign quits = cfg_valid_i && !cfg_on_i && cfg_group_i == GroupW'(g);
    assign down  = ~up_i & {!root_q, expect_q[tern_tree_pkg::Child1],
                            expect_q[tern_tree_pkg::Child0]};
    for (genvar p = 0; p < 3; p++) begin : g_port
      assign have[p] = have_i[Groups*p + g];
      assign bad[p]  = bad_i[Groups*p + g];
      assign said[p] = failed_i[p] && failed_box_i[15*p +: 15] == {epoch_q, 7'(g)};
    end

    // ------------------------------------------------------------- time-out
    assign miss    = expect_q & ~have;
    assign partial = (expect_q & have) != '0 && miss != '0;
    assign late    = partial && tick_i && wait_q >= patience_q;
    assign absent  = miss[tern_tree_pkg::Self] ? rank_i :
                     miss[tern_tree_pkg::Child0] ? child0 : child1;
    always_ff @(posedge clk_i) begin
      if (clear || !partial || taken_i[g]) wait_q <= '0;
      else if (tick_i && wait_q != '1)     wait_q <= wait_q + 24'd1;
    end

    // -------------------------------------------------------------- failure
    always_comb begin
      fails = 1'b1;
      why   = 4'(tern_abi_pkg::TREE_LINK_DOWN);
      who   = parent;
      if (quits) begin
        why = 4'(tern_abi_pkg::TREE_NO_GROUP);
        who = rank_i;
      end else if (down[tern_tree_pkg::Child0]) who = child0;
      else if (down[tern_tree_pkg::Child1]) who = child1;
      else if (down[tern_tree_pkg::Parent]) who = parent;
      else if (bad != '0) begin
        why = bad[0] ? bad_why_i[3:0] : bad[1] ? bad_why_i[7:4] : bad_why_i[11:8];
        who = bad[0] ? bad_rank_i[15:0] : bad[1] ? bad_rank_i[31:16] : bad_rank_i[47:32];
      end else if (wrong_i[g]) begin
        why = wrong_why_i;
        who = wrong_rank_i;
      end else if (said != '0) begin
        why = said[0] ? failed_why_i[3:0] : said[1] ? failed_why_i[7:4] : failed_why_i[11:8];
        who = said[0] ? failed_rank_i[15:0] : said[1] ? failed_rank_i[31:16] :
                        failed_rank_i[47:32];
      end else begin
        fails = late;
        why   = 4'(tern_abi_pkg::TREE_TIMEOUT);
        who   = absent;
      end
    end

    assign fell_o[g] = on_q && !failed_q && fails && !clear;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        on_q     <= 1'b0;
        failed_q <= 1'b0;
      end else if (clear) begin
        on_q     <= 1'b1;
        failed_q <= 1'b0;
      end else if (fell_o[g]) begin
        failed_q <= 1'b1;
      end
      if (clear) begin
        epoch_q  <= cfg_epoch_i;
        expect_q <= cfg_expect_i;
        root_q   <= cfg_root_i;
        patience_q <= cfg_patience_i;
      end
      if (fell_o[g]) begin
        status_q <= why;
        rank_q   <= who;
      end
    end

    assign clear_o[g]                = clear;
    assign on_o[g]                   = on_q;
    assign active_o[g]               = on_q && !failed_q;
    assign epoch_o[8*g +: 8]         = epoch_q;
    assign expect_o[3*g +: 3]        = expect_q;
    assign root_o[g]                 = root_q;
    assign status_o[4*g +: 4]        = status_q;
    assign failed_rank_o[16*g +: 16] = rank_q;
  end

endmodule

`default_nettype wire
