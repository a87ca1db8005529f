// SPDX-License-Identifier: Apache-2.0
// Packet counters of a pair of ports, 32 bits each, in one small memory with one narrow adder.
//
// A counter has two halves; the upper one is updated only when the lower one wraps. One bit holds
// each waiting event. That suffices: events of one source are a packet (5 cycles) apart, and a port
// counts only one kind per cycle. Reads wait for the events; `done_o` comes with the value, which
// is 0 in every other cycle. The memory is cleared in 16 cycles after reset.
`default_nettype none

module tern_net_count (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  drop_i,
  input  logic [1:0]  bad_i,
  input  logic [1:0]  good_i,
  input  logic        read_i,     // pulse; not again before done_o
  input  logic        port_i,
  input  logic [1:0]  which_i,    // 0 state, 1 dropped, 2 damaged, 3 good
  input  logic [7:0]  state_i,    // four bits per port: the value of which_i 0
  output logic        done_o,
  output logic [31:0] value_o
);

  logic [5:0]  event_q, event_d, first;    // 0-2 port 0: dropped, damaged, good; 3-5 port 1
  logic [4:0]  clear_q;
  logic        cleared, carry_q, asked_q, low_q, reading, counting;
  logic [2:0]  at, at_q, wanted_q;         // port, which
  logic [15:0] mem_rdata, word, low_word_q;
  logic [16:0] sum;

  assign cleared  = clear_q[4];
  assign reading  = low_q || (asked_q && cleared && !carry_q && event_q == '0);
  assign counting = cleared && !reading && (carry_q || event_q != '0);

  // ------------------------------------------------------------------- events
  assign first   = event_q & (~event_q + 6'd1);
  assign event_d = {good_i[1], bad_i[1], drop_i[1], good_i[0], bad_i[0], drop_i[0]};

  always_comb begin
    at[2] = first[3] || first[4] || first[5];
    at[1] = first[1] || first[2] || first[4] || first[5];
    at[0] = first[0] || first[2] || first[3] || first[5];
    if (carry_q) at = at_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_q <= '0;
      clear_q <= '0;
      carry_q <= 1'b0;
    end else begin
      event_q <= (event_q & ~(counting && !carry_q ? first : 6'd0)) | event_d;
      if (!cleared) clear_q <= clear_q + 5'd1;
      if (counting) carry_q <= !carry_q && sum[16];
    end
    at_q <= at;
  end

  // ------------------------------------------------------------------- memory
  tern_lutram #(.Width(16), .Words(16)) u_mem (
    .clk_i,
    .raddr_i(reading ? {low_q, wanted_q} : {carry_q, at}), .rdata_o(mem_rdata),
    .we_i(!cleared || counting),
    .waddr_i(cleared ? {carry_q, at} : clear_q[3:0]), .wdata_i(cleared ? sum[15:0] : 16'd0)
  );
  assign sum = {1'b0, mem_rdata} + 17'd1;

  // -------------------------------------------------------------------- reads
  // Both halves are read in consecutive cycles, so that no event comes between them. `which` 0 has
  // no counter.
  always_comb begin
    word = mem_rdata;
    if (wanted_q[1:0] == 2'd0 && !low_q) word[3:0] = wanted_q[2] ? state_i[7:4] : state_i[3:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      low_q   <= 1'b0;
    end else begin
      asked_q <= read_i || (asked_q && !reading);
      low_q   <= reading && !low_q;
    end
    if (read_i) wanted_q <= {port_i, which_i};
    low_word_q <= word;
    done_o     <= rst_ni && low_q;
    value_o    <= low_q ? {word, low_word_q} : 32'd0;
  end

  // No event is lost.
  always_ff @(posedge clk_i) begin
    if (rst_ni) EventKept: assert ((event_q & event_d &
                                    ~(counting && !carry_q ? first : 6'd0)) == '0);
  end

endmodule

`default_nettype wire
