// SPDX-License-Identifier: Apache-2.0
// Proof harness of tern_atomic: values and times of its writes.
//
// The harness drives one job of any kind, with any operands and any word in memory. The operands
// arrive at once; memory answers all other accesses at any pace. The proof shows:
// - The unit writes the word only if the comparison matched and the read had no fault; it writes
//   the operation's result.
// - The unit reads the word after all earlier writes were answered, and locks its line from the
//   read to the write.
// - The ACK carries the old word.
// - A walk writes nothing. The header gets the node's own link for the key, for any node.
// - The event and the status agree with the node or word read; a core that was down gets no event.

`default_nettype none

module atomic_proof #(
  parameter int unsigned DataW = 64,
  parameter bit          Walk  = 1'b0
) (
  input logic             clk_i,
  input logic [255:0]     ops_i,
  input logic [63:0]      old_i,
  input logic             add_i, take_i, tree_i, on_i,
  input logic [3:0]       nodes_i,
  input logic [15:0]      generation_i,
  input logic             core_up_i, jb_clear_i, jb_done_i, quiet_i, hrq_ready_i,
  input logic [4:0]       jb_status_i,
  input logic [63:0]      jb_haddr_i,
  input logic             hrd_valid_i, hrd_last_i, hrd_err_i, wr_ready_i, wr_done_i, wr_err_i,
  input logic             an_done_i, an_said_i, word_next_i, link_ready_i, note_ready_i,
  input logic [DataW-1:0] noise_i
);

  localparam int unsigned Beats = 64 / DataW;
  localparam int unsigned OpW   = $clog2(256 / DataW);

  // ---- common to all jobs -----------------------------------------------------------------
  logic         rst_n = 1'b0;
  logic         first_q = 1'b1, push;
  logic [255:0] ops_q;
  logic [63:0]  old_q, compare, compare_mask, swap, swap_mask, made, sum;
  logic         add_q, take_q, tree_q, on_q, match;
  logic [3:0]   nodes_q;

  always_ff @(posedge clk_i) begin
    rst_n <= 1'b1;
    if (rst_n) first_q <= 1'b0;
    if (!rst_n) {ops_q, old_q, add_q} <= {ops_i, old_i, (add_i && !take_i) || Walk};
    if (!rst_n) take_q <= take_i && !Walk;
    if (!rst_n) {tree_q, on_q, nodes_q} <= {tree_i, on_i, nodes_i};
  end
  assign push = rst_n && first_q;
  assign {swap_mask, swap, compare_mask, compare} = ops_q;
  assign match = ((old_q ^ compare) & compare_mask) == '0;
  // Bits outside the mask have only one source, so the sum passes them through.
  assign sum   = (old_q & ({64{add_q || take_q}} | ~swap_mask)) + (swap & swap_mask);
  assign made  = take_q ? old_q | (sum & swap_mask) : sum;

  // ---- the unit ---------------------------------------------------------------------------
  logic             busy, jb_valid, hold, lock, op_valid, hrq_valid, wr_valid, wr_word, an_valid,
      wr_req;
  logic [1:0]       slot;
  logic [3:0]       line;
  logic [OpW-1:0]   op_beat, op_beat_q;
  logic             op_there_q;
  logic [7:0]       hrq_fn, wr_fn;
  logic [63:0]      hrq_addr, wr_addr;
  logic [DataW-1:0] op_rdata, hrd_data, wr_rdata, word;
  logic [5:0]       an_status;
  logic             walk, link_valid, link_high, note_valid, note_found;

  tern_atomic #(.DataW(DataW), .RxSlots(4)) dut (
    .clk_i, .rst_ni(rst_n), .core_up_i, .push_i(push), .push_slot_i(2'd1), .push_add_i(add_q),
    .push_walk_i(Walk || take_q), .push_tree_i(tree_q), .push_on_i(on_q), .push_nodes_i(nodes_q),
    .walk_o(walk), .busy_o(busy), .slot_o(slot), .jb_valid_o(jb_valid), .jb_clear_i, .jb_done_i,
    .jb_status_i, .jb_haddr_i, .jb_fn_i(8'd5), .jb_generation_i(generation_q), .hold_o(hold),
    .quiet_i, .lock_o(lock), .line_o(line), .op_valid_o(op_valid), .op_ready_i(1'b1),
    .op_beat_o(op_beat), .op_rdata_i(op_rdata), .hrq_valid_o(hrq_valid), .hrq_ready_i,
    .hrq_fn_o(hrq_fn), .hrq_addr_o(hrq_addr), .hrd_valid_i, .hrd_data_i(hrd_data), .hrd_last_i,
    .hrd_err_i, .wr_valid_o(wr_valid), .wr_ready_i, .wr_word_o(wr_word), .wr_addr_o(wr_addr),
    .wr_fn_o(wr_fn), .wr_req_i(wr_req), .wr_rdata_o(wr_rdata), .wr_done_i, .wr_err_i,
    .link_valid_o(link_valid), .link_ready_i, .link_high_o(link_high), .note_valid_o(note_valid),
    .note_ready_i, .note_found_o(note_found), .an_valid_o(an_valid), .an_status_o(an_status),
    .an_done_i, .an_said_i, .word_o(word), .word_next_i
  );

  // ---- surroundings -----------------------------------------------------------------------
  logic         valid_q;                    // its job has been seen for a cycle
  logic         cleared_q, marking_q, marked_q, reading_q, writing_q, fault_q, wrote_q, read_q,
      failed_q;
  logic [63:0]  haddr_q;
  logic [3:0]  beat_q;
  logic [1:0]  wbeat_q, owed_q, said_q;
  logic        down_q;                      // the core was down during the job
  logic [255:0] node_q;
  logic [15:0] generation_q;
  logic [4:0]  seen_q;                      // nodes
  logic [3:0]   beats;
  logic         req_q;
  logic [1:0]   reqs_q;

  assign op_rdata = op_there_q ? ops_q[DataW * op_beat_q +: DataW] : noise_i;
  assign hrd_data = hrd_valid_i && reading_q && !Walk
      ? old_q[DataW * beat_q[$clog2(Beats+1)-1:0] +: DataW] : noise_i;
  assign beats    = Walk ? 4'(256 / DataW) : 4'(Beats);
  // Like tern_dma_wr: a beat a cycle or slower, `ready` with the last.
  assign wr_req   = rst_n && wr_valid && wr_word &&
      (wr_ready_i || (noise_i[0] && wbeat_q + 2'd1 < 2'(Beats)));

  always_ff @(posedge clk_i) begin
    op_there_q <= op_valid;
    op_beat_q  <= op_beat;
    valid_q    <= rst_n && jb_valid && !jb_done_i;
    req_q      <= wr_req;
    if (jb_valid && !valid_q) generation_q <= generation_i;
    reqs_q     <= wbeat_q;
    if (!rst_n) begin
      {cleared_q, marking_q, marked_q, reading_q, writing_q, fault_q, wrote_q, read_q,
       failed_q} <= '0;
      {beat_q, wbeat_q, owed_q, said_q, seen_q, down_q} <= '0;
    end else begin
      down_q <= busy && (down_q || !core_up_i);
      if (jb_valid && !valid_q) {cleared_q, fault_q, wrote_q, read_q, failed_q} <= '0;
      else if (jb_clear_i) cleared_q <= 1'b1;
      if (jb_done_i) haddr_q <= jb_haddr_i;
      if (wr_valid && wr_ready_i && !wr_word) marking_q <= 1'b1;
      if (wr_valid && wr_ready_i && wr_word)  writing_q <= 1'b1;
      if (wr_done_i) {marking_q, writing_q} <= '0;
      if (wr_done_i && marking_q) marked_q <= 1'b1;
      if (wr_done_i && writing_q) {wrote_q, failed_q} <= {1'b1, wr_err_i};
      if (hrq_valid && hrq_ready_i) {reading_q, beat_q} <= {1'b1, 4'd0};
      else if (hrd_valid_i) begin
        beat_q <= beat_q + 1'b1;
        node_q <= 256'({hrd_data, node_q} >> DataW);
        if (hrd_last_i) seen_q <= seen_q + 1'b1;
        if (hrd_last_i) {reading_q, read_q} <= {1'b0, 1'b1};
        if (hrd_err_i) fault_q <= 1'b1;
      end
      wbeat_q <= !(wr_valid && wr_word) || wr_ready_i ? 2'd0 : wbeat_q + 2'(wr_req);
      if (an_done_i && an_said_i && an_status == 6'(tern_abi_pkg::ST_OK)) {owed_q,
          said_q} <= {2'(Beats), 2'd0};
      else if (word_next_i) {owed_q, said_q} <= {owed_q - 1'b1, said_q + 1'b1};
    end
  end

  always_comb begin
    if (rst_n) begin
      Push:    assume (!push || core_up_i);
      Check:   assume (!jb_done_i || (valid_q && cleared_q));
      Clear:   assume (!jb_clear_i || valid_q);
      Read:    assume (!hrd_valid_i || reading_q);
      Last:    assume (!hrd_valid_i || hrd_last_i == (beat_q + 4'd1 == beats) ||
                       (hrd_last_i && hrd_err_i));
      Taken:   assume (!wr_ready_i || (wr_valid && (!wr_word || wbeat_q + 2'd1 == 2'(Beats))));
      Done:    assume (!wr_done_i || marking_q || writing_q);
      Told:    assume ((!an_done_i || an_valid) && (!an_said_i || an_done_i));
      Next:    assume (!word_next_i || owed_q != '0);
    end
  end

  // ---- result of a node -----------------------------------------------------------------------
  logic        passed, other, found, known, none;
  logic [63:0] left, link;
  assign {passed, left} = {1'b0, node_q[tern_abi_pkg::NOD_KEY_LSB +: 64]} + {1'b0,
      swap & swap_mask};
  assign found = left == '0;
  assign link  = tree_q && !passed ? node_q[tern_abi_pkg::NOD_MORE_LSB +: 64]
      : node_q[tern_abi_pkg::NOD_LESS_LSB +: 64];
  assign none  = link[31:0] == '0;
  assign other = generation_q != '0 &&
      generation_q != node_q[tern_abi_pkg::NOD_GENERATION_LSB +: 16];
  assign known = Walk && read_q && !fault_q && !other;

  // ---- properties ---------------------------------------------------------------------------
  always_comb begin
    if (rst_n) begin
      WritesWhatItShould: assert (!req_q ||
                                  wr_rdata == made[DataW * reqs_q[$clog2(Beats+1)-1:0] +: DataW]);
      ElseNothing:        assert (req_q || wr_rdata == '0);
      WritesOnMatch:      assert (!(wr_valid && wr_word) ||
                                  (match && read_q && !fault_q && wr_addr == haddr_q && !Walk));
      ReadsThere:         assert (!hrq_valid ||
                                  (hrq_addr == haddr_q && haddr_q[2:0] == '0 &&
                                   (!Walk || haddr_q[4:3] == '0)));
      ReadsBehind:        assert (!hrq_valid || (marked_q && !marking_q && !writing_q));
      Locks:              assert (!(hrq_valid || reading_q || (wr_valid && wr_word)) ||
                                  (lock && line == haddr_q[12:9]));
      Holds:              assert (!wr_valid || hold);
      OneCommand:         assert (!wr_valid || (!marking_q && !writing_q));
      OkIsDone:           assert (!an_valid || an_status != 6'(tern_abi_pkg::ST_OK) ||
                                  (!Walk && read_q && !fault_q && !failed_q && wrote_q == match));
      Follows:            assert (!link_valid || (known && !found && !none && !an_valid &&
                                  word == link[DataW * (DataW == 64 ? 0
                                                        : 32'(link_high)) +: DataW]));
      Counts:             assert (!link_valid || seen_q <= 5'(nodes_q) + 5'd1);
      TellsFound:         assert (!note_valid || note_found == found);
      TellsKnown:         assert (!note_valid ||
                                  (known && (found || (!none && seen_q == 5'(nodes_q) + 5'd1))));
      TellsTheLiving:     assert (!note_valid || (core_up_i && !down_q && !an_valid));
      NoneIsNone:         assert (!an_valid || an_status != 6'(tern_abi_pkg::ST_NOT_FOUND) ||
                                  (known && !found && none));
      OthersAreOthers:    assert (!an_valid || an_status != 6'(tern_abi_pkg::ST_STALE_POINTER) ||
                                  (Walk && read_q && !fault_q && other));
      BadBehindTheFirst:  assert (!an_valid || an_status != 6'(tern_abi_pkg::ST_BAD_LINK) ||
                                  (Walk && !read_q && (on_q || seen_q != '0)));
      SaysOld:            assert (owed_q == '0 ||
                                  word == old_q[DataW * said_q[$clog2(Beats+1)-1:0] +: DataW]);
    end
  end

endmodule

`default_nettype wire
