// SPDX-License-Identifier: Apache-2.0
// The box of tern_late for mapping to LUTs: the delay of a block RAM of the ECP5 from clock to
// output in ps (5800 as nextpnr has it, speed 6), and the longer wire to it.  A black box: one that could
// be looked into would be seen to do nothing, and be forgotten.
(* abc9_box, blackbox *)
module TERN_LATE (input I, output O);
  specify
    (I => O) = 7400;
  endspecify
endmodule
