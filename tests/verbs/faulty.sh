#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs over links that lose, damage, repeat, delay and are cut, and with NICs that die, by
# `tern run --scenario`, which starts its own simulator. The same seed gives the same outcome: each
# program runs twice.
. tests/verbs/verbs.sh

# with SCENARIO TORUS COMMAND...: runs the command with these faults.
with() {
    scenario=$1 torus=$2
    shift 2
    timeout "$limit" "$tern" run --scenario "tests/verbs/$scenario" --torus "$torus" --seed 7 -- "$@" 2> "$dir/inside.log"
}

# same PROMISE EXPECTED COMMAND...: the command's outcome, in $dir/outcome, is the same twice, and
# has the line EXPECTED.
same() {
    promise=$1 expected=$2
    shift 2
    for time in 1 2; do
        rm -f "$dir/outcome"
        "$@"
        cp "$dir/outcome" "$dir/outcome.$time.log"
    done
    cmp -s "$dir/outcome.1.log" "$dir/outcome.2.log" && grep -qx "$expected" "$dir/outcome"
    tap $? "$promise"
}

# ends SCENARIO PROGRAM ARGUMENT...: both ends of a program that connect by TCP.
ends() {
    faults=$1 program=$2
    shift 2
    next_port
    with "$faults" 2x1x1 sh tests/verbs/inside.sh "$dir" $port "$program $(gid "$program") -p $port $*" \
        "$program $(gid "$program") -p $port $* localhost"
}

same "ibv_rc_pingpong checks every byte over links that lose, damage, repeat and delay" "server 0, client 0" \
    ends faults.scenario ibv_rc_pingpong -c -n 100
same "so does ib_write_bw: the same seed, the same outcome" "65536  *50" ends faults.scenario ib_write_bw -n 50
same "and rping" "ping data: rdma-ping-4.*" with faults.scenario 2x1x1 sh tests/verbs/inside.sh "$dir" 0 \
    "rping -s -a 10.0.0.1 -C 5 -v" "rping -c -a 10.0.0.1 -C 5 -v"
export WHEN_DOWN=1
same "ib_write_bw over a link that is cut ends with RETRY_EXC_ERR, each time" "RETRY_EXC_ERR" ends cut.scenario ib_write_bw -n 500
grep -qx 'down: X+' "$dir/outcome"
tap $? "... and the link is down then"
unset WHEN_DOWN
same "a NIC that dies under ib_write_bw is RETRY_EXC_ERR, each time" RETRY_EXC_ERR ends dies.scenario ib_write_bw -D 60

survives() {
    with dies.scenario 3x1x1 "$B/tests/verbs/survives" 500 > "$dir/outcome"
}
same "a program survives a dead peer, each time" "1\.\.3" survives
grep '^#\|^not ok' "$dir/outcome"
! grep -q '^not ok' "$dir/outcome" && [ "$(grep -c '^ok' "$dir/outcome")" = 3 ]
tap $? "... and loses no message"

# tern run returns the program's own failure, and leaves no simulator behind.
with faults.scenario 2x1x1 sh -c 'exit 7'
[ $? = 7 ]
tap $? "tern run --scenario ends as its program does"
with faults.scenario 2x1x1 sh -c 'echo "$TERN_SIM_DIR"' > "$dir/folder"
folder=$(cat "$dir/folder")
[ -n "$folder" ] && ! [ -e "$folder" ]
tap $? "... and leaves no folder behind"
done_testing
