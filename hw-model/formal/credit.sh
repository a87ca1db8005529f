#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves by induction that credits keep a link's buffer from overflowing, then breaks the rule in
# three ways and wants each proof to fail.  Prints TAP.  Run from the project root.
set -u

rtl=hw-model/rtl/net/tern_link_credit.sv
out=${B:-build}/formal/credit
mkdir -p "$out"
failed=0

# prove SOURCE: 0 proved, 1 refuted or undecided, 2 the tool failed.
prove() {
    ${YOSYS:-yosys} -q -l "$1.log" -p "
        read_verilog -sv -formal -DTERN_FORMAL $1 hw-model/formal/credit_proof.sv;
        read_verilog -sv -noassert hw-model/rtl/lib/tern_lutram.sv;
        prep -top credit_proof -flatten; async2sync; dffunmap; memory_map; opt_clean;
        select -assert-count 8 t:\$assert;
        sat -verify -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 4 credit_proof
        " > "$1.out" 2>&1 && return 0
    grep -q 'proof did fail\|proof failed\|Reached maximum number' "$1.log" && return 1
    return 2
}

# verdict NUMBER NAME WANTED GOT LOG
verdict() {
    if [ "$3" = "$4" ]; then
        echo "ok $1 - $2"
    else
        echo "not ok $1 - $2"
        sed 's/^/# /' "$5" | tail -n 5
        failed=1
    fi
}

cp "$rtl" "$out/good.sv"
prove "$out/good.sv"
verdict 1 credits_keep_the_buffer_from_overflowing 0 $? "$out/good.sv.out"

# mutant NUMBER NAME SED
mutant() {
    sed "$3" "$rtl" > "$out/$2.sv"
    if cmp -s "$rtl" "$out/$2.sv"; then
        echo "not ok $1 - mutant_$2_is_refuted"
        echo "# the mutation changes nothing"
        failed=1
        return
    fi
    prove "$out/$2.sv"
    verdict "$1" "mutant_$2_is_refuted" 1 $? "$out/$2.sv.out"
}

mutant 2 room_one_short 's/room_o  = at_least(free_q, MaxWords)/room_o  = at_least(free_q, MaxWords - 1)/'
mutant 3 words_not_charged 's/(FreeW.(words_i) &/((FreeW'\''(words_i) - 1) \&/'
mutant 4 room_without_words 's/room_o  = at_least([^&]*&&/room_o  =/'
echo "1..4"
exit $failed
