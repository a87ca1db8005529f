// SPDX-License-Identifier: Apache-2.0
// Bench of the CRC functions that simulation computes by tables: they must equal the CRCs computed
// bit by bit.
//
// They combine one table value per byte, so tests of single bytes, at every place and with every
// value, are complete; random words are tested as well.
`default_nettype none

module crc_tb;

  int          tests = 0, failures = 0, wrong = 0, seen = 0;
  logic [63:0] word;
  logic [31:0] state;

  // Computes the CRC of `count` bytes of `data`, lowest byte first, least significant bit first.
  function automatic logic [31:0] crc32c(input logic [31:0] from, input logic [63:0] data,
                                         input int count);
    crc32c = from;
    for (int i = 0; i < 8 * count; i++)
      crc32c = (crc32c >> 1) ^ (crc32c[0] ^ data[i] ? 32'h82f63b78 : 32'h0);
  endfunction

  // The same, most significant bit first.
  function automatic logic [15:0] crc16(input logic [15:0] from, input logic [63:0] data,
                                        input int count);
    crc16 = from;
    for (int i = 0; i < 8 * count; i++)
      crc16 = {crc16[14:0], 1'b0} ^ (crc16[15] ^ data[(i & ~7) + 7 - (i & 7)] ? 16'h1021 : 16'h0);
  endfunction

  function automatic logic [7:0] crc8(input logic [7:0] from, input logic [23:0] data);
    crc8 = from;
    for (int i = 0; i < 24; i++)
      crc8 = {crc8[6:0], 1'b0} ^ (crc8[7] ^ data[23 - i] ? 8'h07 : 8'h00);
  endfunction

  task automatic compare;
    wrong += int'(tern_abi_pkg::crc32c_64(state, word) != crc32c(state, word, 8));
    wrong += int'(tern_abi_pkg::crc32c_32(state, word[31:0]) != crc32c(state, word, 4));
    wrong += int'(tern_abi_pkg::crc16_64(state[15:0], word) != crc16(state[15:0], word, 8));
    wrong += int'(tern_abi_pkg::crc16_48(state[15:0], word[47:0]) != crc16(state[15:0], word, 6));
    wrong += int'(tern_abi_pkg::crc16_32(state[15:0], word[31:0]) != crc16(state[15:0], word, 4));
    wrong += int'(tern_abi_pkg::crc16_16(state[15:0], word[15:0]) != crc16(state[15:0], word, 2));
    wrong += int'(tern_abi_pkg::crc8_24(state[7:0], word[23:0]) != crc8(state[7:0], word[23:0]));
    seen += 7;
  endtask

  task automatic check(input string name);
    tests++;
    if (wrong != 0) failures++;
    $display("%0s %0d - %0s", wrong == 0 ? "ok" : "not ok", tests, name);
    wrong = 0;
  endtask

  initial begin
    for (int at = 0; at < 8; at++)
      for (int value = 0; value < 256; value++) begin
        state = '0;
        word  = 64'(value) << (8 * at);
        compare();
        word  = '0;
        state = at < 4 ? 32'(value) << (8 * at) : '0;
        compare();
      end
    check("every byte at every place is in the CRC as its bits are");
    for (int n = 0; n < 10000; n++) begin
      word  = {$urandom, $urandom};
      state = $urandom;
      compare();
    end
    check("CRCs of random words from random states are those of their bits");
    $display("# %0d values", seen);
    $display("1..%0d", tests);
    if (failures != 0) $fatal(1, "%0d failed", failures);
    $finish;
  end

endmodule

`default_nettype wire
