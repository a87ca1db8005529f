// SPDX-License-Identifier: Apache-2.0
// Replaces tern_late by a wire after LUT mapping.
module TERN_LATE (input I, output O);
  assign O = I;
endmodule
