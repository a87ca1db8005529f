#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that tern_key grants exactly what its table allows, for any table, any requests and any
# state in which one is accepted. Then breaks it and expects each proof to fail. Prints TAP. Run
# from the project root.
set -u

rtl=hw-model/rtl/nic/tern_key.sv
lib=hw-model/rtl/lib
out=${B:-build}/formal/key
asserts='6 2'
steps=8   # the answer is valid in the seventh step, and gone in the eighth
. hw-model/formal/by_abc.sh

# prove SOURCE NAME: replaces its memories by words that are inputs.
prove() {
    sed -e 's/^  input  logic         clk_i,/  input  logic [511:0] low_i, high_i,\n&/' \
        -e '/tern_ram.* u_lo /,/);/s/\.clk_i,/.clk_i, .table_i(low_i),/' \
        -e '/tern_ram.* u_hi /,/);/s/\.clk_i,/.clk_i, .table_i(high_i),/' "$1" > "$out/$2.cut.sv"
    model key_proof '' "$2" hw-model/rtl/abi/tern_abi_pkg.sv hw-model/formal/key_proof.sv \
        hw-model/formal/cut/tern_ram.sv $lib/tern_addsub.sv $lib/tern_addsel.sv $lib/tern_addless.sv "$out/$2.cut.sv" && search "$2" "bmc3 -F $steps"
}

# mutant NAME SED
mutant() {
    changed $rtl "$2" "$1" && prove "$out/$1.sv" "$1"
    verdict "mutant_$1_is_refuted" 1 $? "$1"
}

prove $rtl good
verdict what_is_granted_is_what_the_table_allows 0 $? good
mutant tag_is_not_compared 's/in_table && rdata\[tern_abi_pkg::RGN_TAG_LSB - 64 +: 16\] == tag/in_table/'
mutant entry_beyond_the_table 's/beyond == .0 && entry_q/entry_q/'
mutant any_right_will_do 's/rights_ok_q <= .*;/rights_ok_q <= (right \& rdata[tern_abi_pkg::RGN_RIGHTS_LSB - 192 +: 8]) != '\''0;/'
mutant owner_of_the_one_before 's/fn_any || fn == rdata/fn_any || ck_fn_o == rdata/'
mutant one_byte_too_many 's/(no_room_q\[47:32\] != .1 || !carries)/(no_room_q[47:32] != '\''1 || !carries || past == '\''0)/'
mutant before_the_region 's/!below_q && !short_q/!short_q/'
mutant round_the_end_of_memory 's/!fits_q || over/!fits_q/'
mutant answer_to_another "s/ck_done_o\[last_q\] <= 1.b1/ck_done_o[others_q] <= 1'b1/"
finish
