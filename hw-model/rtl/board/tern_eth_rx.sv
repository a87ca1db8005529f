// SPDX-License-Identifier: Apache-2.0
// Receiving side of a gigabit MAC: bytes of the PHY -> words of frames for a FIFO of frames.
//
// Words leave while the frame is still coming, so the FIFO must be able to forget them: the last
// word comes with `keep_o` or, for a frame that is not wanted, `forget_o` comes in its place. A
// frame is kept if its FCS is right, it has 64 bytes or more and no more than `Most` words, a
// multiple of four bytes, the type `Type`, and the board's address or the broadcast one, and if
// neither the PHY reported an error nor the FIFO was full. FCS and preamble are removed. Of a frame
// with another type or address no more than the first four words leave.
`default_nettype none

module tern_eth_rx #(
  parameter int unsigned Most = tern_abi_pkg::HLINK_ETHER_WORDS
                                + tern_abi_pkg::HLINK_DOWN_WORDS + 1,  // without the FCS
  parameter logic [15:0] Type = tern_abi_pkg::HLINK_ETHER_TYPE[15:0]
) (
  input  logic        clk_i,       // of the PHY, 125 MHz
  input  logic        rst_ni,
  input  logic        valid_i,     // a byte in each cycle of a frame
  input  logic        error_i,
  input  logic [7:0]  byte_i,
  // to the FIFO, no more than a word in three cycles
  output logic        put_o,
  output logic        keep_o,      // with the last word
  output logic        forget_o,
  output logic [31:0] word_o,
  input  logic        room_i
);

  localparam logic [7:0]  Preamble = 8'h55;
  localparam logic [7:0]  Start    = 8'hd5;
  localparam logic [31:0] Residue  = 32'hdebb20e3;   // of the CRC over a frame and its FCS
  localparam int unsigned Least    = 16;             // words of a frame with its FCS
  localparam int unsigned CountW   = $clog2(Most + 3);

  typedef enum logic [1:0] { StIdle, StStart, StData, StDrop } state_e;
  state_e            state_q;
  logic [31:0]       crc_q, crc_d;
  logic [1:0]        byte_q;            // bytes of the word so far
  logic [CountW-1:0] count_q;           // words that are complete
  logic [31:0]       new_q, held_q, older_q;   // complete words, the newest first
  logic [23:0]       bytes_q;
  logic              bad_q, complete_q, ended_q, whole_q, right_q;
  logic              is_ours_q, is_all_q;

  tern_eth_crc u_crc (.crc_i(crc_q), .byte_i(byte_i), .crc_o(crc_d));

  always_ff @(posedge clk_i) begin
    complete_q <= 1'b0;
    ended_q    <= 1'b0;
    if (!rst_ni) begin
      state_q <= StDrop;                // a frame may be under way
    end else begin
      case (state_q)
        StIdle: begin
          if (valid_i) state_q <= error_i ? StDrop : byte_i == Start ? StData
                                  : byte_i == Preamble ? StStart : StDrop;
          crc_q   <= '1;
          byte_q  <= '0;
          count_q <= '0;
        end
        StStart: begin
          if (!valid_i) state_q <= StIdle;
          else if (error_i) state_q <= StDrop;
          else if (byte_i != Preamble) state_q <= byte_i == Start ? StData : StDrop;
        end
        StData: begin
          if (!valid_i) begin
            state_q <= StIdle;
            ended_q <= 1'b1;
          end else begin
            crc_q      <= crc_d;
            byte_q     <= byte_q + 2'd1;
            bytes_q    <= {byte_i, bytes_q[23:8]};
            complete_q <= byte_q == 2'd3;
            if (byte_q == 2'd3) begin
              new_q   <= {byte_i, bytes_q};
              held_q  <= new_q;
              older_q <= held_q;
              if (count_q != '1) count_q <= count_q + 1'b1;
            end
          end
        end
        default: if (!valid_i) state_q <= StIdle;
      endcase
    end
    whole_q <= byte_q == '0 && count_q >= CountW'(Least) && count_q <= CountW'(Most + 1);
    right_q <= crc_q == Residue;
  end

  // The words of the head are judged as they come.
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) bad_q <= 1'b0;
    else if (state_q == StData) begin
      if (valid_i && error_i) bad_q <= 1'b1;
      if (complete_q && !room_i) bad_q <= 1'b1;
      if (complete_q && count_q == CountW'(1)) begin
        is_ours_q <= new_q == 32'(tern_abi_pkg::HLINK_ETHER_LOW);
        is_all_q  <= new_q == '1;
      end
      if (complete_q && count_q == CountW'(2)) begin
        is_ours_q <= is_ours_q && new_q[15:0] == 16'(tern_abi_pkg::HLINK_ETHER_HIGH);
        is_all_q  <= is_all_q && new_q[15:0] == '1;
      end
      if (complete_q && count_q == CountW'(3) && !(is_ours_q || is_all_q)) bad_q <= 1'b1;
      // the type's first byte on the line is its higher one
      if (complete_q && count_q == CountW'(4)
          && {new_q[7:0], new_q[15:8]} != Type) bad_q <= 1'b1;
    end
  end

  // Two words are held back: the FCS, and the one before it, which is then the last.
  logic good;
  assign good = !bad_q && whole_q && right_q;

  always_ff @(posedge clk_i) begin
    put_o    <= 1'b0;
    keep_o   <= 1'b0;
    forget_o <= 1'b0;
    if (!rst_ni) begin
      put_o <= 1'b0;
    end else if (complete_q && count_q > CountW'(2) && count_q <= CountW'(Most + 1)) begin
      put_o  <= room_i && !bad_q;
      word_o <= older_q;
    end else if (ended_q) begin
      put_o    <= good;
      keep_o   <= good;
      forget_o <= !good;
      word_o   <= held_q;
    end
  end

endmodule

`default_nettype wire
