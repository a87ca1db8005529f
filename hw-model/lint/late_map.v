// SPDX-License-Identifier: Apache-2.0
// The rest of tern_late when LUTs are mapped.
module TERN_LATE (input I, output O);
  assign O = I;
endmodule
