#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves by induction that no descriptor slot is allocated twice. Then breaks the free list in five
# ways and expects each proof to fail. Prints TAP. Run from the project root.
set -u

rtl=hw-model/rtl/nic/tern_slot_pool.sv
out=${B:-build}/formal/slots
mkdir -p "$out"
failed=0

# prove SOURCE: 0 proved, 1 refuted, 2 the tool failed.
prove() {
    ${YOSYS:-yosys} -q -l "$1.log" -p "
        read_verilog -sv -formal hw-model/formal/slots_proof.sv;
        read_verilog -sv -noassert $1;
        prep -top slots_proof -flatten; async2sync; dffunmap; opt_clean;
        select -assert-count 6 t:\$assert;
        sat -verify -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 4 slots_proof
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
        tail -n 5 "$5" | sed 's/^/# /'
        failed=1
    fi
}

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
    verdict "$1" "mutant_$2_is_refuted" 1 $? "$out/$2.sv.log"
}

cp "$rtl" "$out/good.sv"
prove "$out/good.sv"
verdict 1 no_slot_is_handed_out_twice 0 $? "$out/good.sv.log"
mutant 2 taken_slot_stays_free 's/{NumPool{goes}}/{NumPool{goes \&\& !back_valid_i[1]}}/'
mutant 3 return_takes_the_neighbour 's/<< back_i\[1:0\]/<< (back_i[1:0] - 2'\''d1)/'
mutant 4 kept_slot_is_listed_too 's/goes    = take_i || fill;/goes    = take_i;/'
mutant 5 given_slot_stays_kept 's/stage_ok_o && !stage_take_i/stage_ok_o/'
mutant 6 kept_slot_is_given_back 's/&& !(stage_ok_o && back_i.*$/;/'
echo "1..6"
exit $failed
