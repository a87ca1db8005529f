// SPDX-License-Identifier: Apache-2.0
// Sending side of a gigabit MAC: words of frames -> bytes for the PHY, a byte a cycle.
//
// Adds preamble, zeros up to 60 bytes, FCS, and 12 bytes of gap. A frame must be complete before
// its first word is valid, and its next word valid three cycles after the one before was taken.
`default_nettype none

module tern_eth_tx (
  input  logic        clk_i,       // 125 MHz
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        last_i,
  input  logic [31:0] word_i,
  // to the PHY
  output logic        valid_o,
  output logic [7:0]  byte_o
);

  localparam logic [7:0]  Preamble = 8'h55;
  localparam logic [7:0]  Start    = 8'hd5;
  localparam logic [5:0]  Least    = 6'd60;    // bytes without the FCS
  localparam logic [3:0]  Gap      = 4'd12;

  typedef enum logic [2:0] { StIdle, StPreamble, StData, StPad, StFcs, StGap } state_e;
  state_e      state_q;
  logic [31:0] crc_q, crc_d, word_q;
  logic [7:0]  data;
  logic [3:0]  at_q;              // byte of the preamble, the FCS, the gap
  logic [1:0]  byte_q;            // of the word
  logic [5:0]  long_q;            // bytes so far, Least at most
  logic        last_q, fed;

  tern_eth_crc u_crc (.crc_i(crc_q), .byte_i(data), .crc_o(crc_d));

  // A word is loaded as the preamble or the word before ends.
  assign ready_o = (state_q == StPreamble && at_q == 4'd7)
                   || (state_q == StData && byte_q == 2'd3 && !last_q);
  assign fed     = state_q == StData || state_q == StPad;
  assign data    = state_q == StData ? word_q[7:0] : 8'd0;

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      word_q <= word_i;
      last_q <= last_i;
    end else begin
      word_q <= {8'd0, word_q[31:8]};
    end
    if (state_q == StPreamble) crc_q <= '1;
    else if (fed)              crc_q <= crc_d;
    else                       crc_q <= {8'd0, crc_q[31:8]};
    byte_q <= state_q == StData ? byte_q + 2'd1 : 2'd0;
    if (state_q == StPreamble)         long_q <= 6'd1;
    else if (fed && long_q != Least)   long_q <= long_q + 6'd1;
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      at_q <= at_q + 4'd1;
      case (state_q)
        StIdle: begin
          at_q <= '0;
          if (valid_i) state_q <= StPreamble;
        end
        StPreamble: if (at_q == 4'd7) state_q <= StData;
        StData, StPad: begin
          at_q <= '0;
          if (state_q == StPad ? long_q == Least : byte_q == 2'd3 && last_q)
            state_q <= long_q == Least ? StFcs : StPad;
        end
        StFcs: if (at_q == 4'd3) begin
          state_q <= StGap;
          at_q    <= '0;
        end
        default: if (at_q == Gap - 4'd2) state_q <= StIdle;
      endcase
    end
    valid_o <= rst_ni && state_q != StIdle && state_q != StGap;
    case (state_q)
      StPreamble: byte_o <= at_q == 4'd7 ? Start : Preamble;
      StFcs:      byte_o <= ~crc_q[7:0];
      default:    byte_o <= data;
    endcase
    if (rst_ni && ready_o) NeverHungry: assert (valid_i);
  end

endmodule

`default_nettype wire
