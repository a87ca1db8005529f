// SPDX-License-Identifier: Apache-2.0
// Words of frames -> bytes of a serial line, with a flag before and after each frame.
`default_nettype none

module tern_hlink_stuff (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic        first_i,
  input  logic        last_i,
  input  logic [31:0] word_i,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [7:0]  byte_o
);

  typedef enum logic [2:0] { StIdle, StFlag, StByte, StChanged, StEnd } state_e;
  state_e      state_q;
  logic [31:0] word_q;
  logic [1:0]  count_q;
  logic        last_q, special, taken;

  assign special = word_q[7:0] == 8'(tern_abi_pkg::HLINK_FLAG) ||
                   word_q[7:0] == 8'(tern_abi_pkg::HLINK_ESCAPE);
  assign ready_o = state_q == StIdle;
  assign valid_o = state_q != StIdle;
  assign taken   = valid_o && ready_i;

  always_comb begin
    case (state_q)
      StByte:    byte_o = special ? 8'(tern_abi_pkg::HLINK_ESCAPE) : word_q[7:0];
      StChanged: byte_o = word_q[7:0] ^ 8'(tern_abi_pkg::HLINK_CHANGE);
      default:   byte_o = 8'(tern_abi_pkg::HLINK_FLAG);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else if (state_q == StIdle) begin
      if (valid_i) begin
        state_q <= first_i ? StFlag : StByte;
        word_q  <= word_i;
        last_q  <= last_i;
        count_q <= '0;
      end
    end else if (taken) begin
      case (state_q)
        StFlag: state_q <= StByte;
        StEnd:  state_q <= StIdle;
        default: begin
          if (state_q == StByte && special) state_q <= StChanged;
          else begin
            word_q  <= {8'd0, word_q[31:8]};
            count_q <= count_q + 2'd1;
            state_q <= count_q != 2'd3 ? StByte : last_q ? StEnd : StIdle;
          end
        end
      endcase
    end
  end

endmodule

`default_nettype wire
