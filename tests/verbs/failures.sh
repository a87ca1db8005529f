#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs whose peer or simulator is killed, and the memory that many connections leave in
# use. CONNECTIONS says how many.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
endures=$B/tests/verbs/endures

# part NAME ARGUMENT...: runs it; its test lines become lines of this test.
part() {
    name=$1
    shift
    timeout "$limit" "$tern" run -- "$endures" "$@" > "$dir/$name.log" 2>&1
    ended=$?
    while read -r line; do
        case $line in
        "ok "*) tap 0 "${line#ok * - }" ;;
        "not ok "*) tap 1 "${line#not ok * - }" ;;
        "# figures"*) echo "$line" ;;
        esac
    done < "$dir/$name.log"
    [ $ended = 0 ] || tap 1 "$name ends well"
}

part connects connects "${CONNECTIONS:-200}"
part killed killed
part daemon daemon "$sim"
sim=
done_testing
