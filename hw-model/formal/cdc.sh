#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Searches all behaviours of two unrelated clocks, to a depth of steps, for one in which tern_cdc_fifo
# or tern_cdc_handshake loses, repeats, swaps or changes a word. Then breaks each block and expects the
# search to find it. The handshake and the FIFO are searched to DEPTH steps (default 16), each of
# which may have an edge of both clocks. Prints TAP. Run from the project root.
set -u

out=${B:-build}/formal/cdc
lib=hw-model/rtl/board
depth=${DEPTH:-16}
count=0 failed=0
mkdir -p "$out"

# search KIND NAME FIFO HANDSHAKE SYNC: 0 no assertion fails, 1 one does, 2 the tool failed.
search() {
    ${YOSYS:-yosys} -q -l "$out/$2.log" -p "
        read_verilog -sv -formal hw-model/formal/cdc_proof.sv $3 $4 $5;
        chparam -set Kind $1 cdc_proof; hierarchy -top cdc_proof; proc; flatten; opt_clean;
        memory -nomap; memory_map; clk2fflogic; opt -fast;
        sat -verify -prove-asserts -set-init-zero -set-def-inputs -seq 1 -tempinduct-skip 0 \
            -maxsteps $depth -tempinduct-baseonly -tempinduct
        " > "$out/$2.out" 2>&1
    status=$?
    grep -q 'Assert .*failed\|model found: FAIL\|proof did fail' "$out/$2.log" && return 1
    [ $status = 0 ] && return 0
    return 2
}

# verdict TEXT WANTED GOT NAME
verdict() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 5 "$out/$4.log" | sed 's/^/# /'
        failed=1
    fi
}

# mutant KIND NAME FILE SED
mutant() {
    sed "$4" "$lib/$3.sv" > "$out/$2.sv"
    if cmp -s "$lib/$3.sv" "$out/$2.sv"; then
        got=3
        echo "the mutation changes nothing" > "$out/$2.log"
    else
        fifo=$lib/tern_cdc_fifo.sv hand=$lib/tern_cdc_handshake.sv
        [ "$3" = tern_cdc_fifo ] && fifo=$out/$2.sv || hand=$out/$2.sv
        search "$1" "$2" "$fifo" "$hand" $lib/tern_cdc_sync.sv
        got=$?
    fi
    verdict "mutant_$2_is_refuted" 1 $got "$2"
}

search 0 fifo $lib/tern_cdc_fifo.sv $lib/tern_cdc_handshake.sv $lib/tern_cdc_sync.sv
verdict "a_fifo_between_clocks_keeps_every_word_and_their_order" 0 $? fifo
search 1 handshake $lib/tern_cdc_fifo.sv $lib/tern_cdc_handshake.sv $lib/tern_cdc_sync.sv
verdict "a_handshake_between_clocks_keeps_every_word_and_their_order" 0 $? handshake
mutant 0 reads_when_empty tern_cdc_fifo 's/valid_o   = head_gray_q != tail_seen/valid_o   = 1'\''b1/'
mutant 0 writes_when_full tern_cdc_fifo 's/ready_o   = tail_gray_q != full_gray/ready_o   = 1'\''b1/'
mutant 0 empty_too_early tern_cdc_fifo 's/empty_o   = tail_gray_q == head_seen/empty_o   = tail_gray_q[0] == head_seen[0]/'
mutant 1 word_not_held tern_cdc_handshake 's/data_o <= word_q/data_o <= data_i/'
mutant 1 asks_twice tern_cdc_handshake 's/ready_o = ask_q == done_seen/ready_o = 1'\''b1/'
echo "1..$count"
exit $failed
