// SPDX-License-Identifier: Apache-2.0
// LINK events of two ports, one word at a time, held until taken.
//
// A fall is always told, and told before a rise that follows it.  A rise that was undone before
// it could be told is not told: the fall stands for both.
`default_nettype none

module tern_net_event (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [1:0]  rose_i,
  input  logic [1:0]  fell_i,
  output logic        ev_valid_o,
  input  logic        ev_ready_i,
  output logic [31:0] ev_o
);

  logic [1:0]  down_q, up_q;     // to be told
  logic        valid_q, take, port, is_up;
  logic [31:0] ev_q, word;

  assign take  = (!valid_q || ev_ready_i) && (down_q != '0 || up_q != '0);
  assign port  = down_q != '0 ? !down_q[0] : !up_q[0];
  assign is_up = down_q == '0;

  always_comb begin
    word = '0;
    word[tern_abi_pkg::EV_TYPE_LSB +: 4] = tern_abi_pkg::EV_LINK;
    word[tern_abi_pkg::EV_PORT_LSB]      = port;
    word[tern_abi_pkg::EV_UP_LSB]        = is_up;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      down_q  <= '0;
      up_q    <= '0;
      valid_q <= 1'b0;
    end else begin
      for (int p = 0; p < 2; p++) begin
        if (fell_i[p])                                down_q[p] <= 1'b1;
        else if (take && !is_up && port == (p == 1)) down_q[p] <= 1'b0;
        if (rose_i[p])                                up_q[p] <= 1'b1;
        else if (fell_i[p])                           up_q[p] <= 1'b0;
        else if (take && is_up && port == (p == 1))  up_q[p] <= 1'b0;
      end
      valid_q <= take || (valid_q && !ev_ready_i);
    end
    if (take) ev_q <= word;
  end

  assign ev_valid_o = valid_q;
  assign ev_o       = ev_q;

endmodule

`default_nettype wire
