// SPDX-License-Identifier: Apache-2.0
// Chooses at power-up which of two images of the firmware the node runs, and passes its reads on.
//
// The first image comes with the bitstream; updates write the second one. The node runs the second
// one if all of it is right: magic word, length, CRC-32C of the payload. If not, because an update
// was cut or the flash has an error, it runs the first. The node waits until `chosen_o`; a reset of
// the node does not change the choice. The link to the host works meanwhile.
//
// The second image is on trial until its firmware is ready. If the firmware reports a failure
// instead, or is not ready after 2**TrialBits cycles out of reset, `chosen_o` falls for a cycle,
// which resets the node, and the node runs the first image. `settled_o` rises when the choice is
// final; until then the node must not get accesses of the host, which a reset would lose.
`default_nettype none

module tern_flash_slots #(
  parameter int unsigned ItcmBytes = tern_abi_pkg::MEM_ITCM_BYTES,
  parameter int unsigned TrialBits = 24
) (
  input  logic        clk_i,
  input  logic        rst_ni,        // of the board
  output logic        chosen_o,
  output logic        settled_o,
  output logic        damaged_o,     // the second slot has no right image
  output logic        failed_o,      // the second image did not come up
  // the node
  input  logic        node_rst_ni,
  input  logic [7:0]  fw_state_i,    // FWSTATE_*
  // the node's boot loader, whose words come from the reader
  input  logic        req_i,
  input  logic [15:0] addr_i,
  // the reader of the flash
  output logic        req_o,
  output logic        slot_o,
  output logic [15:0] addr_o,
  input  logic        valid_i,
  input  logic [31:0] data_i
);

  localparam int unsigned Head = tern_abi_pkg::FW_HEADER_BYTES / 4;

  typedef enum logic [2:0] { StAsk, StWait, StJudge, StTrial, StBack, StChosen } state_e;
  state_e      state_q;
  logic [15:0] index_q, words_q;     // word of the image; words of the payload
  logic [31:0] crc_q, crc_d, want_q;
  logic        second_q, fits, gone_wrong;
  logic [TrialBits:0] trial_q;       // cycles that the second image has run

  assign fits = data_i != '0 && data_i <= 32'(ItcmBytes) && data_i[1:0] == 2'b00;

  tern_crc32c_32 u_crc (.x_i(crc_q ^ data_i), .y_o(crc_d));

  // The loader reads the image again, so it may find an error, too.
  assign gone_wrong = fw_state_i == 8'(tern_abi_pkg::FWSTATE_FAILED)
                      || fw_state_i == 8'(tern_abi_pkg::FWSTATE_NOIMAGE)
                      || fw_state_i == 8'(tern_abi_pkg::FWSTATE_BADIMAGE);

  assign chosen_o  = state_q == StTrial || state_q == StChosen;
  assign settled_o = state_q == StChosen;
  assign slot_o   = chosen_o ? second_q : 1'b1;
  assign req_o    = chosen_o ? req_i : state_q == StAsk;
  assign addr_o   = chosen_o ? addr_i : index_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StAsk;
      index_q   <= '0;
      crc_q     <= '1;
      second_q  <= 1'b0;
      damaged_o <= 1'b0;
      failed_o  <= 1'b0;
    end else begin
      case (state_q)
        StAsk: state_q <= StWait;
        StWait: if (valid_i) begin
          index_q <= index_q + 16'd1;
          state_q <= StAsk;
          if (index_q >= 16'(Head)) begin
            crc_q   <= crc_d;
            words_q <= words_q - 16'd1;
            if (words_q == 16'd1) state_q <= StJudge;
          end
          case (index_q)
            16'd0: if (data_i != 32'(tern_abi_pkg::FW_MAGIC)) begin
              state_q   <= StChosen;
              damaged_o <= 1'b1;
            end
            16'd1: begin
              words_q <= data_i[17:2];
              if (!fits) begin
                state_q   <= StChosen;
                damaged_o <= 1'b1;
              end
            end
            16'd2:   want_q <= data_i;
            default: ;
          endcase
        end
        StJudge: begin
          state_q   <= want_q == ~crc_q ? StTrial : StChosen;
          second_q  <= want_q == ~crc_q;
          damaged_o <= want_q != ~crc_q;
        end
        StTrial: if (node_rst_ni) begin
          if (fw_state_i == 8'(tern_abi_pkg::FWSTATE_READY)) state_q <= StChosen;
          else if (gone_wrong || trial_q[TrialBits])         state_q <= StBack;
        end
        StBack: begin
          state_q  <= StChosen;
          second_q <= 1'b0;
          failed_o <= 1'b1;
        end
        default: ;
      endcase
    end
    if (!node_rst_ni || state_q != StTrial) trial_q <= '0;
    else                                    trial_q <= trial_q + 1'b1;
    if (rst_ni && valid_i) StepIsCrc: assert (crc_d == tern_abi_pkg::crc32c_32(crc_q, data_i));
  end

endmodule

`default_nettype wire
