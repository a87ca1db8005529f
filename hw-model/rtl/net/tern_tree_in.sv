// SPDX-License-Identifier: Apache-2.0
// Input of a tree node from one link: takes packets from the link's buffer, reads the notices, and
// passes the rest on.
//
// A packet with data is taken only while `able_i`, one for another rank only while `mail_able_i`;
// notices are taken at any time, so they never wait for either. Notices are reported a cycle after
// their last beat, if undamaged.
`default_nettype none

module tern_tree_in (
  input  logic        clk_i,
  input  logic        rst_ni,
  // link
  input  logic        req_i,
  input  logic [1:0]  req_vn_i,
  output logic        able_o,
  output logic        grant_o,
  output logic        pk_ready_o,
  input  logic        pk_valid_i,
  input  logic        pk_sop_i,
  input  logic        pk_eop_i,
  input  logic        pk_err_i,
  input  logic [63:0] pk_data_i,
  // packets with data
  input  logic        able_i,
  output logic        asks_o,         // one waits
  output logic        begins_o,       // one was granted
  output logic        valid_o,
  input  logic        ready_i,
  // packets for a rank
  input  logic        mail_able_i,
  output logic        mail_valid_o,
  // notices
  output logic        freed_o,        // pulses
  output logic        failed_o,
  output logic [14:0] box_o,
  output logic [7:0]  count_o,
  output logic [3:0]  status_o,
  output logic [15:0] rank_o
);

  logic note, mail, grant_q, note_q, mail_q, second_q, freed_q, failed_q, move, end_good;

  assign note     = req_vn_i == 2'(tern_abi_pkg::VN_ACK);
  assign mail     = req_vn_i == 2'(tern_abi_pkg::VN_REQUEST);
  assign able_o   = note || (mail ? mail_able_i : able_i);
  assign asks_o   = req_i && !note && !mail;
  assign begins_o = asks_o && able_i && !grant_q;
  assign grant_o  = grant_q;

  assign pk_ready_o = note_q || mail_q || ready_i;
  assign move       = grant_q && pk_valid_i && pk_ready_o;
  assign valid_o    = grant_q && pk_valid_i && !note_q && !mail_q;
  assign mail_valid_o = grant_q && pk_valid_i && mail_q;
  assign end_good   = move && note_q && pk_eop_i && !pk_err_i;

  always_ff @(posedge clk_i) begin
    grant_q <= rst_ni && (grant_q ? !(move && pk_eop_i) : req_i && able_o);
    if (!grant_q) note_q <= note;
    if (!grant_q) mail_q <= mail;
    if (move) begin
      second_q <= pk_sop_i;
      if (pk_sop_i) box_o <= pk_data_i[tern_abi_pkg::PKT_BOX_LSB +: 15];
      if (!pk_sop_i && second_q) begin
        freed_q  <= pk_data_i[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8] == 8'(tern_abi_pkg::TREE_FREED);
        failed_q <= pk_data_i[tern_abi_pkg::PKT_TYPE_LSB-64 +: 8] == 8'(tern_abi_pkg::TREE_FAILED);
        status_o <= pk_data_i[tern_abi_pkg::PKT_FLAGS_LSB-64 +: 4];
        rank_o   <= pk_data_i[tern_abi_pkg::PKT_SRC_LSB-64 +: 16];
        count_o  <= pk_data_i[tern_abi_pkg::PKT_LENGTH_LSB-64 +: 8];
      end
    end
    freed_o  <= rst_ni && end_good && freed_q;
    failed_o <= rst_ni && end_good && failed_q;
  end

  logic unused;
  assign unused = ^pk_data_i;

endmodule

`default_nettype wire
