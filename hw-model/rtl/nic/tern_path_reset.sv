// SPDX-License-Identifier: Apache-2.0
// Resets the datapath: the blocks between the network, the host port and the core, while the core
// is held in reset. Links, router, host registers, statistics and the guards of the host port stay.
//
// Neither the network nor the host sees a packet or an access that ends halfway:
//
// 1. Leave: the transmit unit stops between two packets, and open host reads and writes end (the
//    host answers, or they time out). Receive unit and acks work: as the core is held, the NIC
//    refuses what arrives.
// 2. Shut: no packet for this node begins to leave the router, until for `Still` cycles nothing has
//    moved. Packets that pass through the node are not concerned.
// 3. Last: accesses to the host cannot begin. If one was about to, back to 2.
// 4. Reset: `path_rst_o` for `Pulse` cycles less two, in which the blocks leave their reset. Then
//    the gates open.
//
// `busy_o` holds the core from the request to the end. A block that never lets go of a packet, or
// that starts accesses without end, is waited for without a limit; `busy_o` shows it.
`default_nettype none

module tern_path_reset #(
  parameter int unsigned Still = 64,
  parameter int unsigned Pulse = 8
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       ask_i,
  output logic       busy_o,
  output logic       path_rst_o,
  // transmit unit towards the network
  input  logic       tx_valid_i,
  output logic       tx_valid_o,
  input  logic       tx_ready_i,
  output logic       tx_ready_o,
  input  logic       tx_more_i,
  output logic       tx_more_o,
  input  logic       tx_eop_i,
  input  logic       tx_again_i,
  // acks and received packets, at the network
  input  logic       ack_valid_i,
  input  logic       ack_ready_i,
  input  logic       ack_eop_i,
  input  logic       rx_valid_i,
  input  logic       rx_ready_i,
  input  logic       rx_eop_i,
  input  logic [2:0] rx_vn_ready_i,
  output logic [2:0] rx_vn_ready_o,
  // accesses to the host
  input  logic       reads_i,      // a read is open
  input  logic       writes_i,     // a burst is open
  input  logic       commands_i,   // a command for a write is open
  input  logic       wants_i,      // a read is at the port
  output logic       hold_o        // no access begins
);

  localparam int unsigned CountW = $clog2(Still + 1);

  typedef enum logic [2:0] { StIdle, StLeave, StShut, StLast, StReset } state_e;
  state_e state_q, state_d;

  // ------------------------------------------------- packets at the network, begun and not ended
  logic tx_in_q, tx_in, ack_in_q, rx_in_q, tx_shut_q;

  assign tx_in = tx_valid_o && tx_ready_i ? !tx_eop_i : tx_in_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_in_q  <= 1'b0;
      ack_in_q <= 1'b0;
      rx_in_q  <= 1'b0;
    end else begin
      tx_in_q <= tx_in;
      if (ack_valid_i && ack_ready_i) ack_in_q <= !ack_eop_i;
      if (rx_valid_i && rx_ready_i)   rx_in_q  <= !rx_eop_i;
    end
    // A broadcast with copies still owed counts as a packet that has not ended.
    tx_shut_q <= rst_ni && busy_o && !tx_in && !tx_again_i;
  end

  assign tx_valid_o    = tx_valid_i && !tx_shut_q;
  assign tx_ready_o    = tx_ready_i && !tx_shut_q;
  assign tx_more_o     = tx_more_i && !tx_shut_q;
  assign rx_vn_ready_o = rx_vn_ready_i & {3{state_q == StIdle || state_q == StLeave}};

  // -------------------------------------------------------------------------------- steps
  logic [CountW-1:0] count_q;
  logic              still, ended;

  assign still = tx_shut_q && !reads_i && !writes_i && !commands_i && !wants_i && !ack_valid_i
                 && !ack_in_q && !rx_valid_i && !rx_in_q;
  assign ended = count_q == '0;

  always_comb begin
    state_d = state_q;
    case (state_q)
      StIdle:  if (ask_i) state_d = StLeave;
      StLeave: if (tx_shut_q && !reads_i && !writes_i && !wants_i) state_d = StShut;
      StShut:  if (still && ended) state_d = StLast;
      StLast:  if (!still) state_d = StShut;
               else if (ended) state_d = StReset;
      StReset: if (ended) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
    if (state_d != state_q || (state_q == StShut && !still))
      count_q <= state_d == StShut ? CountW'(Still) : CountW'(Pulse);
    else if (!ended)
      count_q <= count_q - 1'b1;
    path_rst_o <= rst_ni && state_d == StReset && (state_q == StLast || count_q > CountW'(2));
  end

  assign busy_o = state_q != StIdle;
  assign hold_o = state_q == StLast || state_q == StReset;

  // A packet is at the network entirely, or not at all, when its source is reset.
  always_ff @(posedge clk_i) begin
    if (rst_ni && path_rst_o)
      NothingHalfway: assert (!tx_in_q && !ack_in_q && !rx_in_q && !rx_valid_i && !reads_i
                              && !writes_i);
  end

endmodule

`default_nettype wire
