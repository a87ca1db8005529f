// SPDX-License-Identifier: Apache-2.0
// Boot loader: copies the firmware from flash to the instruction memory and releases the core.
//
// Runs at power-on, when the host releases the core (`core_hold_i` falls), and when the watchdog
// fires. The image: FW_MAGIC, payload bytes, CRC-32C of the payload, version, payload. A blank,
// over-long or damaged image leaves the core in reset, with the reason in `boot_state_o`. The host
// starts another attempt by holding and releasing the core again.
//
// The CRC takes a byte a cycle while the next word is being read: the flash answers at least two
// cycles after a request.
//
// A life begins at power-on, when the host holds the core, and when the watchdog bites.  Its number
// goes out to the flash, which keeps it before it answers the loader; `life_i` is the number kept.
//
// `fl_req_o` is one pulse per word, the address stays until the answer, one is outstanding.
`default_nettype none

module tern_boot #(
  parameter int unsigned ItcmBytes = tern_abi_pkg::MEM_ITCM_BYTES
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [7:0]  life_i,          // the last one before power-on; 0 or 255: none is known
  input  logic        core_hold_i,
  input  logic        wdog_bite_i,
  // flash, word addresses
  output logic        fl_req_o,
  output logic [15:0] fl_addr_o,
  input  logic        fl_valid_i,
  input  logic [31:0] fl_data_i,
  // instruction memory
  output logic                           itcm_we_o,
  output logic [$clog2(ItcmBytes/4)-1:0] itcm_waddr_o,
  output logic [31:0]                    itcm_wdata_o,
  // towards the core and the rest of the chip
  output logic        core_rst_no,
  output logic [7:0]  boot_state_o,    // FWSTATE_* while the core is in reset
  output logic [7:0]  incarnation_o,
  output logic [1:0]  reset_cause_o,
  output logic        st_core_reset_o
);

  localparam int unsigned AddrW      = $clog2(ItcmBytes / 4);
  localparam int unsigned HeadWords  = tern_abi_pkg::FW_HEADER_BYTES / 4;
  localparam logic [1:0]  CauseHost  = 2'd1;
  localparam logic [1:0]  CauseWdog  = 2'd2;

  typedef enum logic [2:0] { StHold, StAsk, StWait, StCheck, StRun, StBlank, StBad } state_e;
  state_e state_q, state_d;

  logic [15:0] index_q;                 // word of the image
  logic [31:0] want_crc_q, crc_q, crc_d;
  logic [15:0] words_q;                 // of the payload
  logic [15:0] place;                   // in the payload
  logic [1:0]  byte_q;                  // in the word whose CRC is being computed
  logic [31:0] rest_q;                  // of that word
  logic        crc_run_q;
  logic        again, fit, some, over, payload, word, asking;
  logic        abort_q, hold_q, begins;

  assign word      = state_q == StWait && fl_valid_i;
  assign payload   = index_q >= 16'(HeadWords);
  assign place     = index_q - 16'(HeadWords);
  assign over      = payload && place == words_q;
  // Valid sizes: 1 to ItcmBytes bytes, in whole words; ItcmBytes is a power of two.
  assign some      = fl_data_i[AddrW+1:2] != '0;
  assign fit       = fl_data_i[31:AddrW+3] == '0 && fl_data_i[AddrW+2] != some
                     && fl_data_i[1:0] == 2'b00;
  assign asking    = state_q == StAsk || state_q == StWait;
  assign again     = core_hold_i || wdog_bite_i;

  tern_crc32c_8 u_crc (.c_i(crc_q[31:8]), .x_i(crc_q[7:0] ^ rest_q[7:0]), .y_o(crc_d));
  // The contract defines the order of bytes in a word.
  logic [31:0] word_crc_q;
  always_ff @(posedge clk_i) begin
    if (word && payload)
      word_crc_q <= tern_abi_pkg::crc32c_32(crc_run_q ? crc_d : crc_q, fl_data_i);
    if (rst_ni) CrcKeepsUp: assert (!word || !crc_run_q || byte_q == 2'd3);
    if (crc_run_q && byte_q == 2'd3) StepIsCrc: assert (crc_d == word_crc_q);
  end

  always_comb begin
    state_d = state_q;
    case (state_q)
      StHold: if (!core_hold_i) state_d = StAsk;
      StAsk:  if (!over) state_d = StWait;
              else if (!crc_run_q) state_d = StCheck;
      StWait: if (word) begin
        state_d = StAsk;
        if (index_q == 16'd0 && fl_data_i != 32'(tern_abi_pkg::FW_MAGIC)) state_d = StBlank;
        if (index_q == 16'd1 && !fit) state_d = StBad;
      end
      StCheck: state_d = ~crc_q == want_crc_q ? StRun : StBad;
      default: ;
    endcase
    // A word in flight would be taken for the first of the next attempt: wait for it.
    if (asking ? word && (abort_q || again) : state_q != StHold && again) state_d = StHold;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StHold;
    else         state_q <= state_d;
    abort_q <= rst_ni && asking && (abort_q || again);
    hold_q  <= rst_ni && core_hold_i;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StHold) begin
      index_q <= '0;
      crc_q   <= '1;
    end else begin
      if (word) index_q <= index_q + 16'd1;
      if (crc_run_q) crc_q <= crc_d;
    end
    if (word && index_q == 16'd1) words_q    <= fl_data_i[17:2];
    if (word && index_q == 16'd2) want_crc_q <= fl_data_i;
    if (word) rest_q <= fl_data_i;
    else      rest_q <= {8'd0, rest_q[31:8]};
    if (!crc_run_q) byte_q <= '0;
    else            byte_q <= byte_q + 1'b1;
    crc_run_q <= rst_ni && state_q != StHold
                 && ((word && payload) || (crc_run_q && byte_q != 2'd3));
  end

  always_ff @(posedge clk_i) begin
    itcm_we_o    <= rst_ni && word && payload;
    itcm_waddr_o <= AddrW'(place);
    itcm_wdata_o <= fl_data_i;
    fl_req_o     <= rst_ni && state_q == StAsk && state_d == StWait;
    core_rst_no  <= rst_ni && state_q == StRun && !again;
  end
  assign fl_addr_o = index_q;

  // A new incarnation begins where the old one ends: older keys are stale at once.
  assign begins = (core_hold_i && !hold_q) || (wdog_bite_i && state_q == StRun);

  logic [7:0] life;
  assign life = rst_ni ? incarnation_o : life_i;

  always_ff @(posedge clk_i) begin
    st_core_reset_o <= rst_ni && begins;
    if (!rst_ni || begins) incarnation_o <= life == 8'hff ? 8'd1 : life + 8'd1;
    if (!rst_ni)           reset_cause_o <= 2'd0;
    else if (begins)       reset_cause_o <= core_hold_i ? CauseHost : CauseWdog;
  end

  always_comb begin
    case (state_q)
      StHold:  boot_state_o = 8'(tern_abi_pkg::FWSTATE_RESET);
      StBlank: boot_state_o = 8'(tern_abi_pkg::FWSTATE_NOIMAGE);
      StBad:   boot_state_o = 8'(tern_abi_pkg::FWSTATE_BADIMAGE);
      StRun:   boot_state_o = 8'(tern_abi_pkg::FWSTATE_BOOT);
      default: boot_state_o = 8'(tern_abi_pkg::FWSTATE_LOADING);
    endcase
  end

endmodule

`default_nettype wire
