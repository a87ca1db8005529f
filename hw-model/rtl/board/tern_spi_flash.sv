// SPDX-License-Identifier: Apache-2.0
// Reads words of an SPI flash for the boot loader, from byte address `Base` on: two slots of 65536
// words each.
//
// The clock of the flash is half of this one. Words in a row are read in one command: the flash
// stays selected, its clock at rest, until another address is wanted. Command 03h; bits change at
// the falling edge and are taken at the rising one; the first bit is the highest of the lowest
// byte.
//
// Two of these may share the pins: `want_o` asks for them, `may_i` gives them, until `want_o`
// falls, 16 cycles after a word: the next one then needs no command.
`default_nettype none

module tern_spi_flash #(
  parameter logic [23:0] Base = 24'h0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        req_i,
  input  logic        slot_i,
  input  logic [15:0] addr_i,      // of a word
  output logic        valid_o,
  output logic [31:0] data_o,

  output logic        want_o,
  input  logic        may_i,
  output logic        cs_no,
  output logic        sck_o,
  output logic        mosi_o,
  input  logic        miso_i
);

  localparam logic [7:0] Read = 8'h03;

  typedef enum logic [1:0] { StIdle, StAway, StShift } state_e;
  state_e      state_q;
  logic [31:0] shift_q;
  logic [5:0]  left_q;
  logic        command_q, selected_q, waits_q;
  logic [4:0]  rest_q;             // cycles at rest; the top bit: long enough
  logic [16:0] next_q, wanted;     // word that follows in the flash
  logic [23:0] place;
  logic        follows;

  assign wanted  = {slot_i, addr_i};
  assign follows = selected_q && wanted == next_q;
  assign place   = Base + {5'd0, wanted, 2'b00};
  assign mosi_o = shift_q[31];
  assign cs_no  = !selected_q;
  assign want_o = req_i || waits_q || state_q != StIdle || (selected_q && !rest_q[4]);

  always_ff @(posedge clk_i) begin
    valid_o <= 1'b0;
    if (!rst_ni) begin
      state_q    <= StIdle;
      selected_q <= 1'b0;
      sck_o      <= 1'b0;
      next_q     <= '0;
      waits_q    <= 1'b0;
    end else begin
      rest_q <= state_q != StIdle ? '0 : rest_q + {4'd0, !rest_q[4]};
      case (state_q)
        StIdle: if (!may_i) begin
          selected_q <= 1'b0;
          waits_q    <= req_i || waits_q;
        end else if (req_i || waits_q) begin
          waits_q   <= 1'b0;
          left_q    <= 6'd32;
          command_q  <= !follows;
          shift_q    <= {Read, place};
          next_q     <= wanted + 17'd1;
          state_q    <= follows ? StShift : StAway;
          selected_q <= follows;
        end
        StAway: begin              // deselected for a few cycles
          left_q <= left_q - 6'd1;
          if (left_q == 6'd28) begin
            left_q     <= 6'd32;
            selected_q <= 1'b1;
            state_q    <= StShift;
          end
        end
        default: begin
          sck_o <= !sck_o;
          if (sck_o) begin         // falling
            shift_q <= {shift_q[30:0], miso_i};
            left_q  <= left_q - 6'd1;
            if (left_q == 6'd1) begin
              left_q    <= 6'd32;
              command_q <= 1'b0;
              if (!command_q) begin
                state_q <= StIdle;
                valid_o <= 1'b1;
              end
            end
          end
        end
      endcase
    end
  end

  // The lowest byte came first.
  assign data_o = {shift_q[7:0], shift_q[15:8], shift_q[23:16], shift_q[31:24]};

endmodule

`default_nettype wire
