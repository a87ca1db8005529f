// SPDX-License-Identifier: Apache-2.0
// Merges the trace events of all ports into one lane. Of events in one cycle the lower port's goes
// first, the others in the cycles after. An event names its operation; a port's events are cycles
// apart. Six ports together can exceed the lane: each port then keeps its latest event.
`default_nettype none

module tern_net_lane #(
  parameter int unsigned Ports = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [Ports-1:0]   pulse_i,
  input  logic [8*Ports-1:0] name_i,    // 8 bits a port
  output logic               valid_o,
  output logic [15:0]        id_o       // port 15:12, operation entry 11:0
);

  logic [Ports-1:1]   late_q;           // port 0 is never late
  logic [8*Ports-9:0] late_name_q;
  logic [Ports-1:0]   ask, told;
  logic [15:0]        id;

  assign ask = pulse_i | {late_q, 1'b0};

  always_comb begin
    told = '0;
    id   = '0;
    for (int p = Ports - 1; p >= 0; p--) begin
      if (ask[p]) begin
        told    = '0;
        told[p] = 1'b1;
        id      = {4'(p), 4'd0, p != 0 && !pulse_i[p]
                   ? late_name_q[8*((p + Ports - 1) % Ports) +: 8] :
                                                        name_i[8*p +: 8]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int p = 1; p < Ports; p++) begin
      late_q[p] <= rst_ni && ask[p] && !told[p];
      if (pulse_i[p]) late_name_q[8*p-8 +: 8] <= name_i[8*p +: 8];
    end
    valid_o <= rst_ni && ask != '0;
    id_o    <= id;
  end

endmodule

`default_nettype wire
