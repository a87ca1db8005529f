// SPDX-License-Identifier: Apache-2.0
// Results on the way down: from the parent, or from the root here, to the children and the node.
//
// The two sources take turns, packet by packet. The outputs that the packet's group has are opened
// first, then all take each beat in the same cycle. A result of a group that is not active here is
// discarded. Waits for nothing but room at the children and the node, so it never waits for a
// contribution.
`default_nettype none

module tern_tree_down #(
  parameter int unsigned Groups = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // groups
  input  logic [Groups-1:0]   active_i,
  input  logic [3*Groups-1:0] expect_i,
  input  logic [8*Groups-1:0] epoch_i,
  // bit 0: the parent's link, bit 1: the root here
  output logic                able_o,          // a packet of the parent may begin
  input  logic                asks_i,
  input  logic                begins_i,
  input  logic                want_i,
  input  logic [14:0]         root_box_i,
  output logic                open_o,
  input  logic [1:0]          valid_i,
  output logic [1:0]          ready_o,
  input  logic [1:0]          eop_i,
  input  logic [1:0]          err_i,
  input  logic [127:0]        data_i,
  // outputs: children
  output logic [1:0]          want_o,
  input  logic [1:0]          open_i,
  output logic [1:0]          valid_o,
  input  logic [1:0]          ready_i,
  // ... and the node
  output logic                own_busy_o,      // a result for the node is under way
  output logic                look_o,          // before it begins; the last cycle counts
  output logic [$clog2(Groups)-1:0] look_group_o,  // ... then its group
  output logic                own_valid_o,
  input  logic                own_ready_i,
  // to all
  output logic                sop_o,
  output logic                eop_o,
  output logic                err_o,
  output logic [63:0]         data_o
);

  typedef enum logic [1:0] { StFree, StLook, StMove } state_e;
  state_e state_q;

  logic       root_q, first_q, root_next, valid, eop, err, opened, ready, move;
  logic [2:0] to_parent, to_root, to_q;
  logic [63:0] data;
  logic [14:0] box;

  // --------------------------------------------------------------------- source
  assign root_next = want_i && (!root_q || !asks_i);
  assign able_o    = state_q == StFree && !root_next;
  assign open_o    = root_q && state_q != StFree;
  assign valid     = root_q ? valid_i[1] : valid_i[0];
  assign eop       = root_q ? eop_i[1] : eop_i[0];
  assign err       = root_q ? err_i[1] : err_i[0];
  assign data      = root_q ? data_i[127:64] : data_i[63:0];

  // -------------------------------------------------------------------- targets
  // Each source's box is looked up, as the parent's comes late from its link's memory.
  assign box = data_i[tern_abi_pkg::PKT_BOX_LSB +: 15];
  always_comb begin
    to_parent = '0;
    to_root   = '0;
    for (int g = 0; g < Groups; g++) begin
      if (32'(box[6:0]) == 32'(g) && active_i[g] && epoch_i[8*g +: 8] == box[14:7])
        to_parent = expect_i[3*g +: 3];
      if (32'(root_box_i[6:0]) == 32'(g) && active_i[g] && epoch_i[8*g +: 8] == root_box_i[14:7])
        to_root = expect_i[3*g +: 3];
    end
  end
  assign look_o       = state_q == StLook;
  assign look_group_o = root_q ? root_box_i[$clog2(Groups)-1:0] : box[$clog2(Groups)-1:0];

  assign want_o  = to_q[1:0] & {2{state_q == StMove}};
  assign opened  = (to_q[1:0] & ~open_i) == '0;
  assign ready   = state_q == StMove && opened && (to_q & ~{own_ready_i, ready_i}) == '0;
  assign move    = valid && ready;
  assign ready_o = {ready && root_q, ready && !root_q};
  // A beat moves to all or to none.
  assign valid_o     = to_q[1:0] & {2{move}};
  assign own_valid_o = to_q[2] && move;
  assign own_busy_o  = to_q[2] && state_q == StMove;
  assign sop_o   = first_q;
  assign eop_o   = eop;
  assign err_o   = err;
  assign data_o  = data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StFree;
      root_q  <= 1'b0;
    end else begin
      case (state_q)
        StFree: if (root_next || begins_i) begin
          root_q  <= root_next;
          state_q <= StLook;
        end
        StLook: if (valid || root_q) state_q <= StMove;
        default: if (move && eop) state_q <= StFree;
      endcase
    end
    if (state_q == StLook) begin
      to_q    <= root_q ? to_root : to_parent;
      first_q <= 1'b1;
    end else if (move) begin
      first_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) OneSource: assert (!(root_next && begins_i && state_q == StFree));
  end

endmodule

`default_nettype wire
