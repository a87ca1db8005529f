// SPDX-License-Identifier: Apache-2.0
// Decides whether the link of one port is up.
//
// Both ends send control words all the time. An end hears its peer while good ones keep coming, and
// reports this in its own words. Up means that each end hears the other. A link that leaves the up
// state sends "not heard" for HoldTicks ticks, so that the peer leaves it too. HoldTicks is longer
// than a round trip on the longest wire plus the time-out. So later packets belong to the restarted
// link, and both ends start with fresh counters. After power-on there is no such wait.
//
// A peer that breaks the rules (`broken_i`) takes the link down, as silence does. `why_o` gives the
// last reason: 0 silence or by force, else LINK_BROKE_*.
`default_nettype none

module tern_link_state #(
  parameter int unsigned TimeoutTicks = 8,     // both are powers of two
  parameter int unsigned HoldTicks    = 128
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic tick_i,
  input  logic force_down_i,
  input  logic [1:0] broken_i,   // pulse
  input  logic ctl_valid_i,   // a good control word arrived
  input  logic ctl_heard_i,
  output logic up_o,
  output logic heard_o,       // reported in our control words
  output logic rose_o,
  output logic fell_o,
  output logic [1:0] why_o
);

  localparam int unsigned SilenceW = $clog2(TimeoutTicks);
  localparam int unsigned HoldW    = $clog2(HoldTicks);

  // Counters stop when their top bit is set.
  logic [SilenceW:0] silence_q;
  logic [HoldW:0]    hold_q;
  logic                up_q, peer_q, hearing, broke, may_be_up;
  logic [1:0]          why_q;

  assign hearing   = !silence_q[SilenceW];
  assign broke     = broken_i != '0;
  assign may_be_up = hearing && peer_q && hold_q[HoldW] && !force_down_i && !broke;
  assign up_o      = up_q;
  assign heard_o   = hearing && hold_q[HoldW] && !force_down_i;
  assign rose_o    = may_be_up && !up_q;
  assign fell_o    = up_q && !may_be_up;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      silence_q <= (SilenceW+1)'(TimeoutTicks);
      hold_q    <= (HoldW+1)'(HoldTicks);
      up_q      <= 1'b0;
      peer_q    <= 1'b0;
    end else begin
      if (ctl_valid_i)            silence_q <= '0;
      else if (tick_i && hearing) silence_q <= silence_q + 1'b1;
      if (ctl_valid_i)   peer_q <= ctl_heard_i;
      else if (!hearing) peer_q <= 1'b0;
      if (fell_o || force_down_i)        hold_q <= '0;
      else if (tick_i && !hold_q[HoldW]) hold_q <= hold_q + 1'b1;
      up_q <= may_be_up;
    end
    if (!rst_ni)     why_q <= '0;
    else if (fell_o) why_q <= broken_i;
  end
  assign why_o = fell_o ? broken_i : why_q;

endmodule

`default_nettype wire
