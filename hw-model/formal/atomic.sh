#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves by bounded model checking, in both widths, that the atomic unit writes the right word at
# the right time, and nothing else. Then breaks it and expects each proof to fail. Prints TAP. Run
# from the project root.
set -u

rtl=hw-model/rtl/nic/tern_atomic.sv
lib=hw-model/rtl/lib
out=${B:-build}/formal/atomic
steps64=21 steps32=25 walk64=17 walk32=23
. hw-model/formal/by_abc.sh

# prove SOURCE WIDTH WALK NAME STEPS
prove() {
    asserts="18 9"
    model atomic_proof "-chparam DataW $2 -chparam Walk $3" "$4" hw-model/rtl/abi/tern_abi_pkg.sv \
        hw-model/formal/atomic_proof.sv $lib/tern_fifo.sv $lib/tern_merge.sv $lib/tern_unlike.sv "$1" &&
        search "$4" "bmc3 -F $5"
}

# mutant NAME SED [WALK]
mutant() {
    changed $rtl "$2" "$1" && prove "$out/$1.sv" 32 "${3:-0}" "$1" $steps32
    verdict "mutant_$1_is_refuted" 1 $? "$1"
}

# holds NAME WIDTH WALK STEPS
holds() {
    prove $rtl "$2" "$3" "good_$1_$2" "$4"
    verdict "$1_holds_for_$4_steps_of_$2_bits" 0 $? "good_$1_$2"
}

holds atomic 64 0 $steps64
holds atomic 32 0 $steps32
holds walk 64 1 $walk64
holds walk 32 1 $walk32
mutant carry_is_lost 's/{carry_q, unlike_q} <= {carry, unlike}/{carry_q, unlike_q} <= {1'\''b0, unlike}/'
mutant low_half_is_not_compared 's/{carry_q, unlike_q} <= {carry, unlike}/{carry_q, unlike_q} <= {carry, 1'\''b0}/'
mutant take_leaves_its_field 's/beat | (sum \& mask)/beat | sum/'
mutant take_clears_what_is_set 's/beat | (sum \& mask)/sum/'
mutant earlier_writes_are_not_awaited 's/ \&\& !mark_q \&\& !flying_q;/;/'
mutant line_is_free_before_the_write 's/!(send_q \&\& wr_ready_i));/!(want_q \&\& quiet_i));/'
mutant fault_is_missed 's/fault_q || hrd_err_i/fault_q/'
mutant generation_is_not_compared 's/^    stale_q <= .*/    stale_q <= 1'\''b0;/' 1
mutant way_is_the_wrong_one 's/tree_q \&\& !carry_q/tree_q \&\& carry_q/' 1
mutant high_half_of_the_key_counts_alone 's/found_q <= found_q \&\& none;/found_q <= none;/' 1
mutant no_link_is_one 's/nil_q <= none_low;/nil_q <= 1'\''b0;/' 1
mutant event_for_a_core_that_was_down 's/note_q \&\& core_up_i \&\& !lost_q/note_q \&\& core_up_i/' 1
mutant halves_change_places 's/word_o = old_q\[DataW-1:0\]/word_o = old_q[63:64-DataW]/'
finish
