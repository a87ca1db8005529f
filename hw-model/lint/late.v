// SPDX-License-Identifier: Apache-2.0
// The box of tern_late for LUT mapping: the delay of a block RAM of the ECP5 from clock to output
// in ps (5800 in nextpnr, speed 6), and the longer wire to it. It must be a black box: otherwise
// the mapper would find that it has no function, and remove it.
(* abc9_box, blackbox *)
module TERN_LATE (input I, output O);
  specify
    (I => O) = 7400;
  endspecify
endmodule
