#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo_lock.sh [ROUNDS]
#
# A lock by compare-and-swap on a torus 2x2x2. A process at node 0.0.0 owns two words, a lock and a
# counter, and then sleeps. Eight other processes, one at each node, each take the lock ROUNDS times
# and add 1 to the counter. TIER=soft or rtl.
#
# Exit status 0 only if each process had all its turns, the count is right, and the lock is free at
# the end.
set -u
. "$(dirname "$0")/demo_lib.sh"
tier=${TIER:-rtl}
nodes='0.0.0 1.0.0 0.1.0 1.1.0 0.0.1 1.0.1 0.1.1 1.1.1'
rounds=${1:-}
[ -n "$rounds" ] || { rounds=10; [ "$tier" = rtl ] || rounds=200; }

case $rounds in
*[!0-9]* | 0*) fail "ROUNDS=$rounds is not a number from 1 on" ;;
esac
want=$((8 * rounds))

say "starting a torus 2x2x2 of 8 NICs, tier $tier"
start_sim 2x2x2 "$tier"

"$bin/tern" lock sim:0 --words "$dir/words" > "$dir/owner" 2> "$dir/owner.log" &
owner=$!
processes="$owner $sim"
until [ -f "$dir/words" ]; do
    kill -0 $owner 2> /dev/null || { cat "$dir/owner.log" >&2; sim_gone; fail "nobody owns the words"; }
    sleep 0.1
done

say "a process at each node takes the lock at node 0.0.0 $rounds times"
for node in $nodes; do
    # The time-out covers the turns of all others, in case this process comes last.
    "$bin/tern" lock "sim:$node" --at "$dir/words" --rounds "$rounds" --report "$dir/turns-$node" \
        --timeout $((4 * timeout_s)) > "$dir/turns-$node.log" 2>&1 &
    processes="$! $processes"
    eval "turns_$(echo "$node" | tr -d .)=$!"
done
failed=0
for node in $nodes; do
    eval "wait \$turns_$(echo "$node" | tr -d .)"
    ended "process at $node" $? || { sed "s/^/$node: /" "$dir/turns-$node.log" >&2; failed=1; }
done
processes="$owner $sim"
kill -TERM $owner 2> /dev/null
wait $owner
ended "owner of the words" $? || { cat "$dir/owner.log" >&2; failed=1; }
processes=$sim
[ $failed = 0 ] || { sim_gone; fail "not all had their turns"; }

# sum FIGURE: adds up a figure of all reports.
sum() { cat "$dir"/turns-?.?.? | awk -F = -v name="$1" '$1 == name { sum += $2 } END { printf "%d\n", sum }'; }
count=$(sed -n 's/^count=//p' "$dir/owner")
[ "$count" = "$want" ] || fail "the count is ${count:-unknown}, and $want turns were to be taken"
grep -qx 'lock=free' "$dir/owner" || fail "the lock is not free at the end: $(sed -n 's/^lock=//p' "$dir/owner")"
[ "$(sum rounds)" = "$want" ] || fail "the processes have had $(sum rounds) turns, not $want"
say "verified: $want turns of eight processes, each counted once, and the lock is free"

stop_sim
shown "Shown: eight processes shared a lock and a counter in the memory of one node by compare-and-swap," \
    "$want turns in all, and no turn was lost. No code ran where the lock is."
printf '  %-36s %12s\n' 'turns of the processes' "$count"
cycles lock 3
[ "$tier" != rtl ] || legend 'turns measured   3 of each node; a node that finds the lock taken tries again at once' \
    'cycles per turn  to take the lock, read the counter, write it and give the lock back'
