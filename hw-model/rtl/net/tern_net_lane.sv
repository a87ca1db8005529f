// SPDX-License-Identifier: Apache-2.0
// One trace lane for the events of two ports; when both come in one cycle the upper port's
// appears a cycle later.  An event names its operation, a port's events are cycles apart.
`default_nettype none

module tern_net_lane (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  pulse_i,
  input  logic [15:0] name_i,    // 8 bits a port
  output logic        valid_o,
  output logic [15:0] id_o       // port 15:12, operation entry 11:0
);

  logic       late_q;
  logic [7:0] late_name_q;

  always_ff @(posedge clk_i) begin
    late_q      <= rst_ni && pulse_i[1] && (pulse_i[0] || late_q);
    late_name_q <= name_i[15:8];
    valid_o     <= rst_ni && (pulse_i != 2'b00 || late_q);
    if (pulse_i[0])  id_o <= {4'd0, 4'd0, name_i[7:0]};
    else if (late_q) id_o <= {4'd1, 4'd0, late_name_q};
    else             id_o <= {4'd1, 4'd0, name_i[15:8]};
  end

endmodule

`default_nettype wire
