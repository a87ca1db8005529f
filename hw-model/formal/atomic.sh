#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves by bounded model checking, in both widths, that the atomic unit writes what it should, when it
# should, and nothing else, then breaks it and wants each proof to fail.  Prints TAP.  Run from the
# project root.
set -u

rtl=hw-model/rtl/nic/tern_atomic.sv
lib=hw-model/rtl/lib
out=${B:-build}/formal/atomic
steps64=21 steps32=25 walk64=17 walk32=23
count=0 failed=0
mkdir -p "$out"

# model SOURCE WIDTH WALK OUT: one step of the unit and its surroundings as OUT.aig.
model() {
    ${YOSYS:-yosys} -q -e "implicitly declared" -l "$4.log" -p "
        read_verilog -sv hw-model/rtl/abi/tern_abi_pkg.sv;
        read_verilog -sv -formal hw-model/formal/atomic_proof.sv;
        read_verilog -sv -noassert $lib/tern_fifo.sv $lib/tern_merge.sv $lib/tern_unlike.sv $1;
        hierarchy -top atomic_proof -chparam DataW $2 -chparam Walk $3; proc; flatten; opt_clean; async2sync; dffunmap;
        memory -nomap; memory_map; opt -full; techmap; opt -fast; dffunmap; simplemap;
        setundef -undriven -anyseq; abc -g AND -fast; opt_clean; write_aiger -zinit $4.aig
        " > "$4.out" 2>&1 || return 2
    counted=$(head -n 1 "$4.aig" | cut -d ' ' -f 7,8)
    # What only one kind can say is nothing to prove for the other.
    [ "$counted" = "$((16 + 2 * $3)) 9" ] && return 0
    echo "the model has $counted assertions and assumptions" >> "$4.out"
    return 2
}

# prove SOURCE WIDTH WALK OUT STEPS: 0 proved, 1 refuted, 2 the tools failed.
prove() {
    model "$1" "$2" "$3" "$4" || return 2
    ${YOSYS_ABC:-yosys-abc} -c "read_aiger $4.aig; fold; bmc3 -F $5" > "$4.abc" 2>&1
    cat "$4.abc" >> "$4.out"
    grep -q "^No output asserted in $5 frames" "$4.abc" && return 0
    grep -q 'was asserted in frame' "$4.abc" && return 1
    return 2
}

# verdict NAME WANTED GOT OUT
verdict() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 5 "$4.out" | sed 's/^/# /'
        failed=1
    fi
}

# mutant NAME SED [WALK]
mutant() {
    sed "$2" "$rtl" > "$out/$1.sv"
    if cmp -s "$rtl" "$out/$1.sv"; then
        echo "the mutation changes nothing" > "$out/$1.out"
        verdict "mutant_$1_is_refuted" 1 3 "$out/$1"
        return
    fi
    prove "$out/$1.sv" 32 "${3:-0}" "$out/$1" $steps32
    verdict "mutant_$1_is_refuted" 1 $? "$out/$1"
}

# holds NAME WIDTH WALK STEPS
holds() {
    prove $rtl "$2" "$3" "$out/good_$1_$2" "$4"
    verdict "$1_holds_for_$4_steps_of_$2_bits" 0 $? "$out/good_$1_$2"
}

holds atomic 64 0 $steps64
holds atomic 32 0 $steps32
holds walk 64 1 $walk64
holds walk 32 1 $walk32
mutant carry_is_lost 's/{carry_q, unlike_q} <= {carry, unlike}/{carry_q, unlike_q} <= {1'\''b0, unlike}/'
mutant low_half_is_not_compared 's/{carry_q, unlike_q} <= {carry, unlike}/{carry_q, unlike_q} <= {carry, 1'\''b0}/'
mutant earlier_writes_are_not_awaited 's/ \&\& !mark_q \&\& !flying_q;/;/'
mutant line_is_free_before_the_write 's/!(send_q \&\& wr_ready_i));/!(want_q \&\& quiet_i));/'
mutant fault_is_missed 's/fault_q || hrd_err_i/fault_q/'
mutant generation_is_not_compared 's/^    stale_q <= .*/    stale_q <= 1'\''b0;/' 1
mutant way_is_the_wrong_one 's/tree_q \&\& !carry_q/tree_q \&\& carry_q/' 1
mutant high_half_of_the_key_counts_alone 's/found_q <= found_q \&\& none;/found_q <= none;/' 1
mutant no_link_is_one 's/nil_q <= none_low;/nil_q <= 1'\''b0;/' 1
mutant event_for_a_core_that_was_down 's/note_q \&\& core_up_i \&\& !lost_q/note_q \&\& core_up_i/' 1
mutant halves_change_places 's/word_o = old_q\[DataW-1:0\]/word_o = old_q[63:64-DataW]/'
echo "1..$count"
exit $failed
