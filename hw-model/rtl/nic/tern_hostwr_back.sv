// SPDX-License-Identifier: Apache-2.0
// Checks the answers of host writes from the pins: each burst ends once, in order, even if the host
// misbehaves.
//
// A burst has a number, which the host returns with the answer. The channel is in order: an answer
// ends its own burst, and earlier bursts without answer end with an error. A burst without answer
// when three more periods of tern_hostrd_back have begun ends with an error, too, after 512 to 768
// host round trips. Answers that belong to no open burst are dropped (`late_o`); numbers repeat
// after 256 bursts.
//
// At most `Flying` bursts are sent whose end was not taken here.

`default_nettype none

module tern_hostwr_back #(
  parameter int unsigned Flying = 16
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] period_i,
  // the port: its burst, whose last beat was taken
  output logic [7:0] number_o,
  input  logic       sent_i,
  // from the pins, one flip-flop later
  input  logic       hwb_valid_i,
  input  logic [7:0] hwb_tag_i,
  input  logic       hwb_err_i,
  // the end of the oldest burst; holds until it is taken
  output logic       valid_o,
  output logic       err_o,
  input  logic       take_i,

  output logic       open_o,       // a burst has not ended
  output logic       late_o
);

  localparam int unsigned PlaceW = $clog2(Flying);

  // Numbers: of the next burst, of the first not ended, of the oldest whose end was not taken.
  logic [7:0]        sent_q, ended_q;
  logic [PlaceW:0]   head_q;
  logic [Flying-1:0] good_q;
  logic [7:0]        open, ahead;
  logic [3:0]        stamp, age;
  logic              ok, gives_up;

  assign number_o = sent_q;
  assign open     = sent_q - ended_q;
  assign open_o   = open != '0;
  assign ahead    = hwb_tag_i - ended_q;
  assign ok       = hwb_valid_i && ahead < open;

  tern_lutram #(.Width(4), .Words(Flying)) u_stamp (
    .clk_i, .raddr_i(ended_q[PlaceW-1:0]), .rdata_o(stamp),
    .we_i(sent_i), .waddr_i(sent_q[PlaceW-1:0]), .wdata_i(period_i)
  );
  assign age      = period_i - stamp;
  assign gives_up = open != '0 && age >= 4'd3 && !ok;

  assign valid_o = head_q != ended_q[PlaceW:0];
  assign err_o   = !good_q[head_q[PlaceW-1:0]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q  <= '0;
      ended_q <= '0;
      head_q  <= '0;
    end else begin
      if (sent_i)        sent_q <= sent_q + 1'b1;
      if (ok)            ended_q <= hwb_tag_i + 1'b1;
      else if (gives_up) ended_q <= ended_q + 1'b1;
      if (take_i)        head_q <= head_q + 1'b1;
    end
    good_q <= (good_q & ~({Flying{sent_i}} & (Flying'(1) << sent_q[PlaceW-1:0]))) |
              ({Flying{ok && !hwb_err_i}} & (Flying'(1) << hwb_tag_i[PlaceW-1:0]));
    late_o <= rst_ni && hwb_valid_i && !ok;
  end

  // Only the end of an ended burst is taken; each burst whose end was not taken has its own place.
  logic [PlaceW:0] places;
  assign places = sent_q[PlaceW:0] - head_q;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      Ended:   assert (!take_i || valid_o);
      Bounded: assert (places <= (PlaceW+1)'(Flying));
    end
  end

endmodule

`default_nettype wire
