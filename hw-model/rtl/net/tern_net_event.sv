// SPDX-License-Identifier: Apache-2.0
// Raises the LINK events of the ports, one word at a time, held until taken.
//
// A fall is always reported, and before a rise that follows it. A rise that was undone before its
// event is not reported: the fall reports both.
`default_nettype none

module tern_net_event #(
  parameter int unsigned Ports = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Ports-1:0] rose_i,
  input  logic [Ports-1:0] fell_i,
  input  logic [2*Ports-1:0] why_i,      // of a port that fell, until it falls again
  output logic             ev_valid_o,
  input  logic             ev_ready_i,
  output logic [31:0]      ev_o
);

  logic [Ports-1:0] down_q, up_q;     // events to report
  logic [Ports-1:0] those, first;
  logic [2:0]       port;
  logic [1:0]       why;
  logic             valid_q, take, is_up;
  logic [31:0]      ev_q, word;

  assign take  = (!valid_q || ev_ready_i) && (down_q != '0 || up_q != '0);
  assign is_up = down_q == '0;
  assign those = is_up ? up_q : down_q;

  always_comb begin
    port = '0;
    for (int p = Ports - 1; p >= 0; p--) if (those[p]) port = 3'(p);
    for (int p = 0; p < Ports; p++) first[p] = take && port == 3'(p);
    why = '0;
    for (int p = 0; p < Ports; p++) if (port == 3'(p)) why = why_i[2*p +: 2];
    word = '0;
    word[tern_abi_pkg::EV_TYPE_LSB +: 4] = tern_abi_pkg::EV_LINK;
    word[tern_abi_pkg::EV_PORT_LSB +: 3] = port;
    word[tern_abi_pkg::EV_UP_LSB]        = is_up;
    word[tern_abi_pkg::EV_BROKE_LSB +: 2] = why & {2{!is_up}};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      down_q  <= '0;
      up_q    <= '0;
      valid_q <= 1'b0;
    end else begin
      for (int p = 0; p < Ports; p++) begin
        if (fell_i[p])                down_q[p] <= 1'b1;
        else if (first[p] && !is_up) down_q[p] <= 1'b0;
        if (rose_i[p])                up_q[p] <= 1'b1;
        else if (fell_i[p])           up_q[p] <= 1'b0;
        else if (first[p] && is_up)  up_q[p] <= 1'b0;
      end
      valid_q <= take || (valid_q && !ev_ready_i);
    end
    if (take) ev_q <= word;
  end

  assign ev_valid_o = valid_q;
  assign ev_o       = ev_q;

endmodule

`default_nettype wire
