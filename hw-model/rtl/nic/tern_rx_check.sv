// SPDX-License-Identifier: Apache-2.0
// Judges an arriving packet: parses its header and says, one cycle after its last beat, whether it
// may take effect.
//
// Takes one beat a cycle. `judged_o` pulses in the cycle after the last beat; `good_o`, `vn_o` and
// the fields hold in that cycle, also when the next packet begins in it. A bad packet raises
// exactly one of the `bad_*` pulses, in this order of precedence: CRC (or stomp), type, length,
// destination. A broadcast is meant for every node that it reaches; a flag under the CRC marks it.
// A packet whose source lies outside the torus is refused: its answer could not be routed, and the
// next link would refuse it for ever.

`default_nettype none

module tern_rx_check #(
  parameter int unsigned DataW      = 64,
  parameter int unsigned MaxPayload = 512
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      node_i,
  input  logic [15:0]      dims_i,

  input  logic             beat_i,
  input  logic             sop_i,
  input  logic             eop_i,
  input  logic             err_i,
  input  logic [1:0]       vn_i,
  input  logic [DataW-1:0] data_i,
  output logic [8:0]       index_o,    // number of this beat in its packet
  output logic [8:0]       beats_o,    // beats taken of the arriving packet

  output logic             judged_o,
  output logic             good_o,
  output logic [1:0]       vn_o,       // 3: a packet of a single beat
  output logic [7:0]       type_o,
  output logic [15:0]      opid_o,
  output logic [7:0]       status_o,   // of an ACK
  output logic             brings_o,   // an ACK brings a word
  output logic             final_o,    // no other answer to its operation follows

  output logic             bad_crc_o,
  output logic             bad_type_o,
  output logic             bad_len_o,
  output logic             bad_dst_o
);

  localparam int unsigned WordBeats = 64 / DataW;
  localparam int unsigned HalfW     = $clog2(WordBeats);
  localparam int unsigned WordsW    = 9 - HalfW;

  logic [8:0]  index_q, last_q;
  logic [1:0]  vn_q;
  logic        crc_ok, crc_ok_q, judged_q;

  assign index_o  = sop_i ? '0 : index_q;
  assign beats_o  = index_q;
  assign judged_o = judged_q;

  always_ff @(posedge clk_i) begin
    if (beat_i) begin
      index_q <= index_o == '1 ? '1 : index_o + 1'b1;
      if (sop_i) vn_q <= vn_i;
      if (eop_i) begin
        last_q   <= index_o;
        vn_o     <= sop_i ? 2'd3 : vn_q;
        crc_ok_q <= crc_ok && !err_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) judged_q <= 1'b0;
    else         judged_q <= beat_i && eop_i;
  end

  // Header fields that the verdict needs.
  localparam int unsigned TypeAt    = tern_abi_pkg::PKT_TYPE_LSB;
  localparam int unsigned VersionAt = tern_abi_pkg::PKT_VERSION_LSB;
  localparam int unsigned LengthAt  = tern_abi_pkg::PKT_LENGTH_LSB;
  localparam int unsigned OpidAt    = tern_abi_pkg::PKT_OPID_LSB;
  localparam int unsigned StatusAt  = tern_abi_pkg::PKT_KEY_LSB;
  localparam int unsigned BringsAt  = tern_abi_pkg::PKT_FLAGS_LSB + $clog2(tern_abi_pkg::PFLAG_IMM);
  localparam int unsigned SrcAt     = tern_abi_pkg::PKT_SRC_LSB;
  localparam int unsigned FinalAt   = tern_abi_pkg::PKT_FLAGS_LSB +
      $clog2(tern_abi_pkg::PFLAG_LAST);
  localparam int unsigned DepositAt = tern_abi_pkg::PKT_FLAGS_LSB +
      $clog2(tern_abi_pkg::PFLAG_DEPOSIT);
  logic [10:0] length;
  logic        version_ok, dst_ok, src_ok, deposit_q;
  logic [15:0] src;

  assign src = data_i[SrcAt % DataW +: 16];

  always_ff @(posedge clk_i) begin
    if (beat_i && index_o == 9'(TypeAt / DataW))   type_o   <= data_i[TypeAt % DataW +: 8];
    if (beat_i && index_o == 9'(LengthAt / DataW)) length   <= data_i[LengthAt % DataW +: 11];
    if (beat_i && index_o == 9'(OpidAt / DataW))   opid_o   <= data_i[OpidAt % DataW +: 16];
    if (beat_i && index_o == 9'(StatusAt / DataW)) status_o <= data_i[StatusAt % DataW +: 8];
    if (beat_i && index_o == 9'(BringsAt / DataW)) brings_o <= data_i[BringsAt % DataW];
    if (beat_i && index_o == 9'(FinalAt / DataW))  final_o  <= data_i[FinalAt % DataW];
    if (beat_i && index_o == 9'(VersionAt / DataW))
      version_ok <= data_i[VersionAt % DataW +: 4] == 4'(tern_abi_pkg::PKT_VERSION);
    if (beat_i && index_o == 9'(SrcAt / DataW))
      src_ok <= !src[15] && src[4:0] <= dims_i[4:0] && src[9:5] <= dims_i[9:5] &&
                src[14:10] <= dims_i[14:10];
  end

  // The CRC does not cover bits that routers change. Of words 0 and 1 it covers only the
  // destination, and not even that in a broadcast.
  logic [14:0]      way;
  logic [DataW-1:0] covered;
  assign way     = data_i[tern_abi_pkg::PKT_DEPOSIT_LSB] ? '0 :
                   data_i[tern_abi_pkg::PKT_DST_LSB +: 15];
  assign covered = sop_i ? DataW'(way) : index_o < 9'(64 / DataW) ? '0 : data_i;
  always_ff @(posedge clk_i) begin
    if (beat_i && sop_i) begin
      deposit_q <= data_i[tern_abi_pkg::PKT_DEPOSIT_LSB];
      dst_ok    <= data_i[tern_abi_pkg::PKT_DEPOSIT_LSB] ||
                   data_i[tern_abi_pkg::PKT_DST_LSB +: 15] == node_i[14:0];
    end else if (beat_i && index_o == 9'(DepositAt / DataW))
      dst_ok <= dst_ok && data_i[DepositAt % DataW] == deposit_q;
  end

  if (DataW == 64) begin : g_crc64
    logic [31:0] crc;
    assign crc_ok = data_i[31:0] == crc;

    tern_e2e_crc #(.DataW(64)) u_crc (
      .clk_i, .en_i(beat_i && !eop_i), .first_i(sop_i), .data_i(covered), .crc_o(crc)
    );
  end else begin : g_crc32
    // The CRC is the last beat but one, known only at the last: by then `run` includes it.
    logic [31:0] run;
    assign crc_ok = run == '1;

    tern_crc_run u_crc (
      .clk_i, .clear_i(!rst_ni || (beat_i && eop_i)), .en_i(beat_i), .data_i(covered), .run_o(run)
    );
  end

  // ---------------------------------------------------------------- the verdict
  // Type and length arrive before the last beat of a packet with a whole header; the verdict on
  // them is registered.
  logic [WordsW-1:0] words; // header, payload and trailer, less one; valid if in_range
  logic        fw_type, put_type, ack_type, in_range, empty, type_ok, length_ok;
  logic        unused;
  assign unused = node_i[15] ^ dims_i[15];

  always_ff @(posedge clk_i) if (beat_i && eop_i) begin
    words    <= WordsW'(length[10:3]) + WordsW'(4) + WordsW'(length[2:0] != '0);
    in_range <= length <= 11'(MaxPayload);
    empty    <= length == '0;
    fw_type  <= version_ok && type_o >= 8'(tern_abi_pkg::PKT_TYPE_FW_FIRST) &&
                type_o <= 8'(tern_abi_pkg::PKT_TYPE_FW_LAST);
    put_type <= version_ok &&
        (type_o == tern_abi_pkg::PTYPE_PUT || type_o == tern_abi_pkg::PTYPE_REPLY);
    ack_type <= version_ok && type_o == tern_abi_pkg::PTYPE_ACK;
  end

  always_comb begin
    case (vn_o)
      2'(tern_abi_pkg::VN_REQUEST): type_ok = fw_type;
      2'(tern_abi_pkg::VN_DATA):    type_ok = put_type;
      2'(tern_abi_pkg::VN_ACK):     type_ok = ack_type;
      default:                      type_ok = 1'b0;
    endcase
  end

  assign length_ok = in_range && (vn_o != 2'(tern_abi_pkg::VN_ACK) || empty) &&
                     (last_q & 9'(WordBeats - 1)) == 9'(WordBeats - 1) &&   // ends with a word
                     last_q[8:HalfW] == words;

  assign bad_crc_o  = judged_q && !crc_ok_q;
  assign bad_type_o = judged_q && crc_ok_q && !type_ok;
  assign bad_len_o  = judged_q && crc_ok_q && type_ok && !length_ok;
  assign bad_dst_o  = judged_q && crc_ok_q && type_ok && length_ok && !(dst_ok && src_ok);
  assign good_o     = crc_ok_q && type_ok && length_ok && dst_ok && src_ok;

endmodule

`default_nettype wire
