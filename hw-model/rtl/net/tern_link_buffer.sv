// SPDX-License-Identifier: Apache-2.0
// Input buffer of a link: six channels in block RAM, and a reader that passes one packet after the
// other to the router.
//
// A packet is visible from `commit_i` on, with its first beat. It always takes `blocks_i` blocks of
// 16 words (an ack: 8) of its channel. `ended_i` comes at most a cycle after its last beat; `bad_i`
// marks the packet as damaged. A damaged packet is discarded if no copy of it has begun; otherwise
// it leaves with `err_o` and owes no other copy. `again_i`: the peer will send it again, so its
// room is not reported as freed. The peer ensures that there is room (credit). No packet may arrive
// while a damaged one leaves (`spoilt_o`).
//
// `req_o` shows the router the candidate and the copies it owes. The copies granted in the next
// cycle are read in one pass. A packet that owes no more copies is done: its channel continues at
// once, and its room is reported as freed with its last beat (`left_o`). Otherwise it is shown
// again later and read again.
//
// One beat in and one out per cycle. The request comes one cycle after the commit, the first beat
// one cycle later. Packets follow each other without a gap.
`default_nettype none

module tern_link_buffer #(
  parameter int unsigned DataW    = 64,
  parameter int unsigned BufWords = 512,
  parameter int unsigned Owed     = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the wire
  input  logic [2:0]       to_i,         // channel of the arriving packet
  input  logic             header_i,     // a packet may be committed in this cycle
  input  logic             commit_i,     // ... and is committed
  input  logic [2:0]       blocks_i,
  input  logic [Owed-1:0]  owed_i,
  input  logic             we_i,         // its first beat is written with the commit
  input  logic [DataW-1:0] data_i,
  input  logic             ended_i,
  input  logic             bad_i,
  input  logic             again_i,
  output logic             spoilt_o,
  // to the router
  output logic             req_o,
  output logic [Owed-1:0]  owed_o,
  output logic [2:0]       req_ch_o,
  input  logic             able_i,       // some copy may be granted
  input  logic [Owed-1:0]  grant_i,      // the cycle after the request, until the last beat moved
  input  logic             ready_i,
  output logic             valid_o,
  output logic             sop_o,
  output logic             eop_o,
  output logic             err_o,
  output logic [2:0]       ch_o,
  output logic [DataW-1:0] data_o,
  // credit
  output logic [5:0]       some_o,
  output logic             left_o,       // a packet has left for good
  output logic [2:0]       left_ch_o,
  output logic [2:0]       left_blocks_o
);

  localparam int unsigned BeatsPerWord = 64 / DataW;
  localparam int unsigned WordShift = BeatsPerWord / 2;         // 0 or 1
  localparam int unsigned OffW   = 4 + WordShift;               // beats in a block
  localparam int unsigned PtrW   = 4 + OffW;
  // blocks of a channel in the large memory
  localparam int unsigned Main   = BufWords / 32;
  localparam int unsigned MainW  = $clog2(Main);
  localparam int unsigned Blocks = Main == 8 ? 10 : Main;       // two more are in the small memory
  localparam int unsigned LeftW  = 7 + WordShift;

  if (Main != 8 && Main != 16) begin : g_size
    $error("BufWords must be 256 or 512");
  end

  // The next beat: from block to block, around the ring.
  function automatic logic [PtrW-1:0] beat_on(input logic [PtrW-1:0] at);
    beat_on = {at[PtrW-1:OffW], at[OffW-1:0] + 1'b1};
    if (&at[OffW-1:0])
      beat_on[PtrW-1:OffW] = at[PtrW-1:OffW] == 4'(Blocks - 1) ? 4'd0 : at[PtrW-1:OffW] + 4'd1;
  endfunction

  // ------------------------------------------------------------------- writing
  logic [3:0]      to_place, last_place;
  logic [2:0]      last_ch;
  logic [PtrW-1:0] put_q, put;
  logic            live_q, cut, begun;

  assign put = header_i ? {to_place, {OffW{1'b0}}} : put_q;
  assign cut = ended_i && bad_i;

  always_ff @(posedge clk_i) begin
    if (we_i) put_q <= beat_on(put);
    live_q <= rst_ni && (commit_i || (live_q && !ended_i));
  end

  // -------------------------------------------------------------------- reading
  logic             c_valid, frozen, busy, start, take, done, load, there, is_last;
  logic             fresh_q, taken_q, known_q, loaded_q, first_q, spoilt_q, again_q, settle;
  logic             gone, forgot_q;
  logic [2:0]       c_ch, at_ch_q, blocks_q, last_blocks_q;
  logic [3:0]       c_place, at_place_q, at_next;
  logic [Owed-1:0]  c_owed, rem_q, rem;
  logic [PtrW-1:0]  next_q, get;
  logic [2:0]       get_ch;
  logic [LeftW-1:0] left_q;     // beats not yet moved; one more after the first
  logic [5:0]       some;
  logic [DataW-1:0] out;
  logic [6:0]       words;

  assign busy   = grant_i != '0 && !done;
  assign frozen = busy || taken_q;
  assign req_o  = c_valid && !cut && !frozen;
  assign start  = fresh_q && grant_i != '0;

  assign valid_o = grant_i != '0 && loaded_q;
  assign take    = valid_o && ready_i;
  assign sop_o   = first_q;
  assign eop_o   = left_q == LeftW'(2) && !first_q;
  assign err_o   = spoilt_q;
  assign done    = take && eop_o;

  assign is_last = at_ch_q == last_ch && at_place_q == last_place;
  assign begun   = grant_i != '0 && is_last;
  assign there   = !(live_q && is_last) || next_q != put_q;
  assign load    = busy && there && (take || !loaded_q);

  always_ff @(posedge clk_i) begin
    fresh_q  <= rst_ni && req_o;
    first_q  <= !busy || (first_q && !take);
    loaded_q <= rst_ni && (busy ? load || (loaded_q && !take) : req_o);
    spoilt_q <= rst_ni && ((cut && begun) || (spoilt_q && !done));
    again_q  <= rst_ni && ((cut && begun && again_i) || (again_q && !done));
    if (!frozen) begin
      at_ch_q    <= c_ch;
      at_place_q <= c_place;
      next_q     <= beat_on(get);
    end else if (load) begin
      next_q <= beat_on(get);
    end
    if (start)                 left_q <= LeftW'(out[tern_abi_pkg::PKT_WORDS_LSB +: 7]) << WordShift;
    else if (take && !first_q) left_q <= left_q - 1'b1;
  end

  // ------------------------------------- size and remaining copies, two cycles after the start
  assign words    = left_q[LeftW-1 -: 7];
  assign rem      = rem_q & {Owed{!spoilt_q}};
  assign settle   = taken_q && known_q && !cut && !(live_q && is_last) &&
                    (rem == '0 || !header_i);

  always_ff @(posedge clk_i) begin
    taken_q <= rst_ni && (start || (taken_q && !settle));
    known_q <= taken_q;
    if (start) rem_q <= c_owed & ~grant_i;
    if (taken_q && !known_q) blocks_q <= words[6:4] + 3'(words[3:0] != '0);
  end

  tern_link_next #(.Blocks(Blocks)) u_next (
    .ack_i(at_ch_q[2]), .from_i(at_place_q), .by_i(blocks_q), .to_o(at_next)
  );

  tern_link_queue #(.Owed(Owed), .Blocks(Blocks)) u_queue (
    .clk_i, .rst_ni,
    .to_i, .to_place_o(to_place), .header_i, .commit_i, .blocks_i, .owed_i,
    .last_ch_o    (last_ch),
    .last_place_o (last_place),
    .cut_i        (cut),
    .begun_i      (begun),
    .valid_o      (c_valid),
    .ch_o         (c_ch),
    .place_o      (c_place),
    .owed_o       (c_owed),
    .able_i       (!req_o || able_i),
    .start_i      (start),
    .taken_i      (taken_q),
    .settle_i     (settle),
    .taken_ch_i   (at_ch_q),
    .taken_place_i(at_place_q),
    .taken_next_i (at_next),
    .taken_owed_i (rem),
    .some_o       (some)
  );

  assign owed_o        = c_owed;
  assign req_ch_o      = c_ch;
  assign ch_o          = at_ch_q;
  assign spoilt_o      = again_q || cut || forgot_q;
  assign some_o        = some | ((6'd1 << at_ch_q) & {6{grant_i != '0 || taken_q}});
  assign gone          = done && rem == '0 && !again_q;
  assign left_o        = gone || forgot_q;
  assign left_ch_o     = gone ? at_ch_q : last_ch;
  assign left_blocks_o = gone ? blocks_q : last_blocks_q;

  // A discarded packet that does not come again is reported as freed, too.
  always_ff @(posedge clk_i) begin
    forgot_q <= rst_ni && ((cut && !begun && !again_i) || (forgot_q && gone));
    if (commit_i) last_blocks_q <= blocks_i;
  end

  // -------------------------------------------------------------------- memory
  // Data and request channels fill whole block RAMs. The small memory holds the acks, and the last
  // two blocks of each data and request channel where these have ten.
  logic              w_small, r_small, small_q;
  logic [MainW+OffW+1:0] w_main_at, r_main_at;
  logic [OffW+3:0]       w_small_at, r_small_at;
  logic [2:0]            w_ch;
  logic [DataW-1:0]      out_main, out_small;

  /* verilator lint_off UNUSEDSIGNAL */   // blocks 8 and 9, or acks: the top bit is fixed
  function automatic logic [OffW+3:0] small_at(input logic [2:0] ch, input logic [PtrW-1:0] at);
    small_at = ch[2] ? {1'b1, ch[0], at[OffW+2:OffW], at[OffW-2:0]} :
                       {1'b0, ch[1:0], at[OffW:0]};
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  assign get        = frozen ? next_q : {c_place, {OffW{1'b0}}};
  assign get_ch     = frozen ? at_ch_q : c_ch;
  assign w_ch       = header_i ? to_i : last_ch;
  assign w_small    = w_ch[2] || (Main == 8 && put[PtrW-1]);
  assign r_small    = get_ch[2] || (Main == 8 && get[PtrW-1]);
  assign w_main_at  = {w_ch[1:0], put[MainW+OffW-1:0]};
  assign r_main_at  = {get_ch[1:0], get[MainW+OffW-1:0]};
  assign w_small_at = small_at(w_ch, put);
  assign r_small_at = small_at(get_ch, get);

  // No beat is read in the cycle that writes it, so read-during-write needs no rule.
  (* no_rw_check *)
  logic [DataW-1:0] main [0:4*Main*16*BeatsPerWord-1];
  (* no_rw_check, ram_style = "block" *)
  logic [DataW-1:0] small_mem [0:16*16*BeatsPerWord-1];
  always_ff @(posedge clk_i) begin
    if (we_i && !w_small) main[w_main_at] <= data_i;
    if (we_i && w_small)  small_mem[w_small_at] <= data_i;
  end
  always_ff @(posedge clk_i) begin
    if (load || !frozen) begin
      out_main  <= main[r_main_at];
      out_small <= small_mem[r_small_at];
      small_q   <= r_small;
    end
  end
  assign out    = small_q ? out_small : out_main;
  assign data_o = out;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      HeaderFirst:   assert (header_i || !commit_i);
      FirstOrNone:   assert (!header_i || commit_i == we_i);
      GrantedAsked:  assert (!(grant_i != '0 && first_q && !valid_o));
      GrantedOwed:   assert (!start || (grant_i & ~c_owed) == '0);
      SettledInTime: assert (!(done && known_q && !taken_q) || !(live_q && is_last));
      NoneWhileBad:  assert (!(commit_i && spoilt_o));
      Apart:         assert (!(we_i && (load || req_o) && w_ch == get_ch && put == get));
    end
  end

endmodule

`default_nettype wire
