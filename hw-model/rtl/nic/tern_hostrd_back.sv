// SPDX-License-Identifier: Apache-2.0
// Guards the answers of host reads: each request ends exactly once, whatever the host does.
//
// A tag at the pins is the requester's tag and, above it, the number of the period in which it was
// requested. A period is 2^`Shift` host round trips of the strap, at least `Least` cycles.
// Time-out: a request without a complete answer after three more periods have begun ends with a
// single error beat, so after 512 to 768 round trips; its tag is then free. Beats of timed-out
// requests, and unexpected beats, are dropped (`late_o`). A tag repeats with the same period only
// after sixteen, so a late answer is recognised for 13 periods. An answer with a beat inside
// another answer is discarded, and its request times out. While an answer has stopped halfway, no
// other request ends until that one times out.
//
// Adds no latency: the pins have a flip-flop anyway.

`default_nettype none

module tern_hostrd_back #(
  parameter int unsigned DataW = 64,
  parameter int unsigned Shift = 8,
  parameter int unsigned Least = 128
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      host_latency_i,

  // the request at the pins; the upper bits of its tag change only between requests
  input  logic             hrq_valid_i,
  input  logic             hrq_ready_i,
  input  logic [3:0]       hrq_tag_i,
  output logic [3:0]       hrq_period_o,
  output logic [3:0]       period_o,         // the current period

  // from the pins
  input  logic             hrd_valid_i,
  input  logic [7:0]       hrd_tag_i,
  input  logic [DataW-1:0] hrd_data_i,
  input  logic             hrd_last_i,
  input  logic             hrd_err_i,
  // to the requester
  output logic             hrd_valid_o,
  output logic [3:0]       hrd_tag_o,
  output logic [DataW-1:0] hrd_data_o,
  output logic             hrd_last_o,
  output logic             hrd_err_o,

  output logic             open_o,           // a request has not ended
  output logic             given_up_o,
  output logic             late_o
);

  // ---------------------------------------------------------------- periods
  logic [15:0]         latency;
  logic [15+Shift:0]   left_q;
  logic [3:0]          period_q;
  assign period_o = period_q;
  assign latency = host_latency_i < 16'(Least) ? 16'(Least) : host_latency_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q   <= '0;
      period_q <= '0;
    end else if (left_q == '0) begin
      left_q   <= {latency, {Shift{1'b0}}};
      period_q <= period_q + 4'd1;
    end else begin
      left_q <= left_q - 1'b1;
    end
    if (!hrq_valid_i || hrq_ready_i) hrq_period_o <= period_q;
  end

  // ---------------------------------------------------------------- unanswered requests
  logic [15:0] open_q, spoilt_q;
  logic [3:0]  tag, asked, asked_look, look_q, mid_tag_q, age;
  logic        asks, mine, ok, ends, due, gives_up, mid_q;

  assign open_o = open_q != '0 || hrd_valid_o;
  assign tag  = hrd_tag_i[3:0];
  assign asks = hrq_valid_i && hrq_ready_i;

  tern_lutram #(.Width(4), .Words(16)) u_asked (
    .clk_i, .raddr_i(tag), .rdata_o(asked), .we_i(asks), .waddr_i(hrq_tag_i), .wdata_i(hrq_period_o)
  );
  tern_lutram #(.Width(4), .Words(16)) u_asked_look (
    .clk_i, .raddr_i(look_q), .rdata_o(asked_look),
    .we_i(asks), .waddr_i(hrq_tag_i), .wdata_i(hrq_period_o)
  );

  // The beats of an answer are contiguous.
  assign mine = hrd_valid_i && open_q[tag] && asked == hrd_tag_i[7:4] && !spoilt_q[tag];
  assign ok   = mine && (!mid_q || mid_tag_q == tag);
  assign ends = ok && hrd_last_i;

  // One tag a cycle is examined; a time-out waits for a cycle without a beat.
  assign age      = period_q - asked_look;
  assign due      = open_q[look_q] && age >= 4'd3 && (!mid_q || mid_tag_q == look_q);
  assign gives_up = due && !ok;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '0;
      look_q <= '0;
      mid_q  <= 1'b0;
    end else begin
      open_q <= (open_q & ~({16{ends}} & (16'd1 << tag)) & ~({16{gives_up}} & (16'd1 << look_q))) |
                ({16{asks}} & (16'd1 << hrq_tag_i));
      if (!due || gives_up) look_q <= look_q + 4'd1;
      mid_q <= ok ? !hrd_last_i : mid_q && !gives_up;
    end
    if (ok) mid_tag_q <= tag;
    spoilt_q <= (spoilt_q | ({16{mine && !ok}} & (16'd1 << tag))) &
                ~({16{asks}} & (16'd1 << hrq_tag_i));
  end

  always_ff @(posedge clk_i) begin
    hrd_valid_o <= rst_ni && (ok || gives_up);
    hrd_tag_o   <= ok ? tag : look_q;
    hrd_data_o  <= hrd_data_i;
    hrd_last_o  <= !ok || hrd_last_i;
    hrd_err_o   <= !ok || hrd_err_i;
    given_up_o  <= rst_ni && gives_up;
    late_o      <= rst_ni && hrd_valid_i && !ok;
  end

  // A tag has one request at a time, and only an open request gets an answer.
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OneEach:  assert (!asks || !open_q[hrq_tag_i]);
      Together: assert (!hrd_valid_o || !mid_q || hrd_tag_o == mid_tag_q);
    end
  end

endmodule

`default_nettype wire
