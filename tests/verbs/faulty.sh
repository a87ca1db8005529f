#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs over links that lose, damage, repeat and delay, by `tern run --scenario`, which
# starts its own simulator.
. tests/verbs/verbs.sh
port=$((20000 + $$ % 20000))

# inside COMMANDS: runs them by a shell, with the faults.
inside() {
    timeout "$limit" "$tern" run --scenario tests/verbs/faults.scenario --seed "${2:-1}" -- sh -c "$1" > "$dir/inside.log" 2>&1
}

inside "$tern run -- ibv_rc_pingpong -d tern0 -g 1 -p $port -c -n 100 & sleep 1;
    $tern run -- ibv_rc_pingpong -d tern1 -g 1 -p $port -c -n 100 localhost && wait \$!"
tap $? "ibv_rc_pingpong checks every byte over links that lose, damage, repeat and delay"
port=$((port + 1))
inside "$tern run -- ib_write_bw -F -d tern0 -x 1 -p $port -n 50 & sleep 1;
    $tern run -- ib_write_bw -F -d tern1 -x 1 -p $port -n 50 localhost && wait \$!" 2
tap $? "so does ib_write_bw"
inside "$tern run --node 0.0.0 -- rping -s -a 10.0.0.1 -C 5 -V & sleep 1;
    $tern run --node 1.0.0 -- rping -c -a 10.0.0.1 -C 5 -V && wait \$!" 3
tap $? "and rping"

# A NIC that dies: the error in the manual, each time.
for time in 1 2; do
    port=$((port + 1))
    timeout "$limit" "$tern" run --scenario tests/verbs/dies.scenario -- sh -c "
        $tern run -- ibv_rc_pingpong -d tern0 -g 1 -p $port -n 1000000 > $dir/zero.log 2>&1 & zero=\$!; sleep 1;
        timeout 12 $tern run -- ibv_rc_pingpong -d tern1 -g 1 -p $port -n 1000000 localhost > $dir/one.log 2>&1; sleep 4; kill \$zero; wait" > "$dir/inside.log" 2>&1
    # The end that waits for a message has no request in flight that could fail: its posted requests
    # are flushed, if at all.
    cat "$dir/zero.log" "$dir/one.log" | grep -q 'transport retry counter exceeded (12)' &&
        ! grep -q 'iters in' "$dir/zero.log" "$dir/one.log"
    tap $? "a NIC that dies is RETRY_EXC_ERR for who sends, time $time"
done

# tern run returns the program's own failure, and leaves no simulator behind.
inside "exit 7"
[ $? = 7 ]
tap $? "tern run --scenario ends as its program does"
before=$(find /tmp -maxdepth 1 -name 'tern-run.*' 2> /dev/null | wc -l)
inside "exit 0"
after=$(find /tmp -maxdepth 1 -name 'tern-run.*' 2> /dev/null | wc -l)
[ "$before" = "$after" ]
tap $? "... and leaves no folder behind"
done_testing
