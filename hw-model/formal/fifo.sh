#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves without bound, at depths of 2, 4 and 8, that tern_fifo loses, duplicates and swaps no
# words, and counts right. Then breaks it and expects each proof to fail. Prints TAP. Run from the
# project root.
set -u

rtl=hw-model/rtl/lib/tern_fifo.sv
out=${B:-build}/formal/fifo
asserts='5 0'
. hw-model/formal/by_abc.sh

# prove SOURCE DEPTH NAME
prove() {
    model fifo_proof "-chparam Depth $2" "$3" hw-model/formal/fifo_proof.sv "$1" && search "$3" pdr
}

# mutant NAME SED
mutant() {
    changed $rtl "$2" "$1" && prove "$out/$1.sv" 4 "$1"
    verdict "mutant_$1_is_refuted" 1 $? "$1"
}

for depth in 2 4 8; do
    prove $rtl $depth "good_$depth"
    verdict "what_goes_into_a_fifo_of_${depth}_comes_out_once_and_in_order" 0 $? "good_$depth"
    echo "# evidence B7.7 depth=$depth"
done
mutant one_more_than_it_holds 's/push    = valid_i && ready_o/push    = valid_i/'
mutant taken_when_empty 's/pop     = valid_o && ready_i/pop     = ready_i/'
mutant place_left_out 's/(after == '\''0)/1'\''b0/'
mutant full_is_not_counted 's/if (push != pop) space_q/if (push != pop \&\& space_q != 1) space_q/'
mutant reset_keeps_the_count 's/space_q <= (PtrW+1).(Depth);/space_q <= space_q;/'
mutant written_where_it_is_read 's/mem\[tail_q\]/mem[head_q]/'
finish
