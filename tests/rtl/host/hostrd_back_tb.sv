// SPDX-License-Identifier: Apache-2.0
// Bench of tern_hostrd_back: a host that answers, answers late, stops inside an answer, interleaves
// answers, or never answers. Every request ends once: with the data of its own answer or, if no
// answer stops halfway, with an error after two to three periods. The requester gets nothing else.
`default_nettype none

module hostrd_back_tb #(
  parameter int unsigned DataW = 64
);
`include "tb.svh"

  localparam int unsigned Least = 16, Shift = 4, Period = Least << Shift, Tags = 13;

  logic             hrq_valid = 1'b0, hrq_ready = 1'b0, hrd_valid = 1'b0, hrd_last = 1'b0,
      hrd_err = 1'b0;
  logic [3:0]       hrq_tag = '0, period, back_tag;
  logic [7:0]       hrd_tag = '0;
  logic [DataW-1:0] hrd_data = '0, back_data;
  logic             back, back_last, back_err, given_up, late;

  tern_hostrd_back #(.DataW(DataW), .Shift(Shift), .Least(Least)) dut (
    .clk_i(clk), .rst_ni(rst_n), .host_latency_i(16'd3),
    .hrq_valid_i(hrq_valid), .hrq_ready_i(hrq_ready), .hrq_tag_i(hrq_tag), .hrq_period_o(period),
    .period_o(), .open_o(),
    .hrd_valid_i(hrd_valid), .hrd_tag_i(hrd_tag), .hrd_data_i(hrd_data), .hrd_last_i(hrd_last),
    .hrd_err_i(hrd_err),
    .hrd_valid_o(back), .hrd_tag_o(back_tag), .hrd_data_o(back_data), .hrd_last_o(back_last),
    .hrd_err_o(back_err),
    .given_up_o(given_up), .late_o(late)
  );

  // --------------------------------- requests, and the expected result of each
  int unsigned number = 0;                  // of the next request
  bit          open [16];
  int unsigned of_tag [16], since [16], beats_seen [16];
  // The beats that the host will send.
  localparam int unsigned Most = 4096;
  int unsigned h_number [Most], h_due [Most], h_count = 0, h_first = 0, h_beat = 0;
  logic [7:0]  h_tag [Most];
  int unsigned good = 0, gave_up = 0, dropped = 0, bad = 0, soonest = 1 << 30, latest = 0,
      mixes = 0;
  int unsigned lose = 20, slow = 20, stop = 5, mix = 5;   // percent
  bit          holds = 1'b0;

  function automatic logic [DataW-1:0] word(input int unsigned n, input int unsigned beat);
    return DataW'({32'(n) * 32'h9e3779b1, 32'(beat) * 32'h85ebca6b + 32'(n)});
  endfunction
  function automatic int unsigned length(input int unsigned n);
    return n % 5 + 1;
  endfunction

  task automatic wrong(input string what);
    complain(what);
    bad = bad + 1;
  endtask

  // Chooses the host's answer to this request.
  task automatic answer(input int unsigned n, input logic [7:0] tag);
    int unsigned due;
    if (chance(lose)) return;
    due = cycle + 5 + below(60) + (chance(slow) ? Period * (2 + below(6)) : 0);
    h_number[h_count % Most] = n;
    h_tag[h_count % Most] = tag;
    h_due[h_count % Most] = due;
    h_count = h_count + 1;
  endtask

  int unsigned at, other;
  bit stopped;
  always @(posedge clk) begin
    // requests
    hrq_ready <= chance(60);
    if (rst_n && hrq_valid && hrq_ready) begin
      if (open[hrq_tag]) wrong("a tag that is not free");
      open[hrq_tag] = 1'b1;
      of_tag[hrq_tag] = number;
      since[hrq_tag] = cycle;
      beats_seen[hrq_tag] = 0;
      answer(number, {period, hrq_tag});
      number = number + 1;
      hrq_valid <= 1'b0;
    end
    if (rst_n && (!hrq_valid || hrq_ready) && !holds) begin
      at = below(Tags);
      if (!open[at] && !(hrq_valid && hrq_tag == 4'(at)) && chance(40)) begin
        hrq_valid <= 1'b1;
        hrq_tag <= 4'(at);
      end
    end
    // the host: answers that are due, in order, one after the other
    hrd_valid <= 1'b0;
    hrd_last <= 1'b0;
    hrd_err <= 1'b0;
    if (h_beat == 0 && h_first != h_count) begin
      // moves the first that is due to the front
      for (int unsigned i = h_first; i != h_count; i++) begin
        if (h_due[i % Most] <= cycle) begin
          {h_number[h_first % Most], h_number[i % Most]} =
              {h_number[i % Most], h_number[h_first % Most]};
          {h_due[h_first % Most], h_due[i % Most]} = {h_due[i % Most], h_due[h_first % Most]};
          {h_tag[h_first % Most], h_tag[i % Most]} = {h_tag[i % Most], h_tag[h_first % Most]};
          break;
        end
      end
    end
    if (h_first != h_count && h_due[h_first % Most] <= cycle && chance(80)) begin
      hrd_valid <= 1'b1;
      hrd_tag <= h_tag[h_first % Most];
      hrd_data <= word(h_number[h_first % Most], h_beat);
      hrd_last <= h_beat + 1 == length(h_number[h_first % Most]);
      // a beat of another tag inside the answer
      if (h_beat != 0 && dut.mid_q && dut.mid_tag_q == h_tag[h_first % Most][3:0] &&
          chance(mix)) begin
        other = below(Tags);
        hrd_tag <= {h_tag[h_first % Most][7:4], 4'(other)};
        hrd_data <= '1;
        hrd_last <= chance(50);
        mixes = mixes + 1;
        if (4'(other) == h_tag[h_first % Most][3:0]) hrd_valid <= 1'b0;
      end else begin
        h_beat = h_beat + 1;
        stopped = h_beat < length(h_number[h_first % Most]) && chance(stop);
        if (stopped || h_beat == length(h_number[h_first % Most])) begin
          h_beat = 0;
          h_first = h_first + 1;
        end
      end
    end
    // results
    if (rst_n && late) dropped = dropped + 1;
    if (rst_n && back) begin
      if (!open[back_tag]) wrong("an answer to nobody");
      else if (back_err) begin
        if (!back_last) wrong("a request that is given up has more beats");
        if (cycle - since[back_tag] < soonest) soonest = cycle - since[back_tag];
        if (cycle - since[back_tag] > latest) latest = cycle - since[back_tag];
        gave_up = gave_up + 1;
        open[back_tag] = 1'b0;
      end else begin
        if (back_data != word(of_tag[back_tag], beats_seen[back_tag]))
            wrong("data of another request");
        beats_seen[back_tag] = beats_seen[back_tag] + 1;
        if (back_last) begin
          if (beats_seen[back_tag] != length(of_tag[back_tag]))
              wrong("an answer of another length");
          good = good + 1;
          open[back_tag] = 1'b0;
        end
      end
    end
  end

  int unsigned left;
  always begin
    seed_start();
    repeat (4) @(posedge clk);
    rst_n <= 1'b1;
    lose = 0;
    slow = 0;
    stop = 0;
    mix = 0;
    repeat (10000) @(posedge clk);
    tap(bad == 0 && good > 300 && gave_up == 0 && dropped == 0, "a host that answers is heard");
    lose = 20;
    slow = 20;
    repeat (100000) @(posedge clk);
    $display("# %0d given up after %0d to %0d cycles, a period of %0d", gave_up, soonest, latest,
             Period);
    tap(gave_up > 300 && soonest >= 2 * Period && latest <= 3 * Period + 64,
        "a request without an answer ends after a stated time");
    stop = 5;
    mix = 5;
    repeat (300000) @(posedge clk);
    holds = 1'b1;
    repeat (20 * Period) @(posedge clk);
    left = 0;
    for (int i = 0; i < 16; i++) left = left + 32'(open[i]);
    $display("# %0d answers, %0d given up, %0d beats dropped, %0d mixed in", good, gave_up, dropped,
             mixes);
    tap(bad == 0 && good > 300 && dropped > 300 && mixes > 20,
        "what comes late or amid another answer is dropped");
    tap(gave_up > 300 && left == 0,
        "a request without an answer ends with an error and its tag is free");
    tap_end();
  end

endmodule
`default_nettype wire
