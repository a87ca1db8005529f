#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves by induction that credits keep a link's buffer from overflowing. Then breaks the rule in
# four ways and expects each proof to fail. Prints TAP. Run from the project root.
set -u

rtl=hw-model/rtl/net/tern_link_credit.sv
out=${B:-build}/formal/credit
mkdir -p "$out"
failed=0

# prove SOURCE: 0 proved, 1 refuted or undecided, 2 the tool failed.
prove() {
    ${YOSYS:-yosys} -q -l "$1.log" -p "
        read_verilog -sv -formal -DTERN_FORMAL $1 hw-model/formal/credit_proof.sv;
        prep -top credit_proof -flatten; async2sync; dffunmap; memory_map; opt_clean;
        select -assert-count 14 t:\$assert;
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

mutant 2 room_one_short 's/else if (at\[c\] && turn_free) room_q\[c\] <= !free\[5\]/else if (at[c] \&\& turn_free) room_q[c] <= free != 6'\''h3e \&\& (!free[5] || free == 6'\''h3f)/'
mutant 3 words_not_charged "s/topped_d = topped + 6'(blocks)/topped_d = topped + 6'(blocks[1:0])/"
mutant 4 room_not_looked_at 's/else if (at\[c\] && sent_i)      room_q\[c\] <= 1.b0/else if (at[c] \&\& sent_i)      room_q[c] <= room_q[c]/'
mutant 5 old_news_taken 's/told && !news\[5\]/told/'
echo "1..5"
exit $failed
