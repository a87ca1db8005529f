#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo.sh FILE NODES [BUFFER]
#
# Moves FILE from one host process's memory into another's over a simulated ring of NODES NICs, verifies
# it and prints what it cost.  The two processes meet in the NICs and nowhere else.  BUFFER is the room
# the receiver offers, by default what the file needs and at least 1 MiB.
#
# TIER=soft moves it on the soft tier, which has counts but no figures in cycles.
#
# Exit status 0 only if the file arrived, was verified, and every figure could be printed.
set -u

. "$(dirname "$0")/demo_lib.sh"
file=$1 nodes=$2 buffer=${3:-}
tier=${TIER:-rtl}

case $nodes in
'' | *[!0-9]*) fail "NODES=$nodes is not a number" ;;
esac
[ "$nodes" -ge 2 ] || fail "NODES=$nodes: a ring has at least 2 nodes"
[ -f "$file" ] && [ -r "$file" ] || fail "cannot read the file '$file'"
size=$(wc -c < "$file")
[ -n "$buffer" ] || { buffer=$size; [ "$buffer" -ge 1048576 ] || buffer=1048576; }

say "starting a ring of $nodes NICs, tier $tier"
start_sim "${nodes}x1x1" "$tier"

say "moving $file ($size bytes) from node 0 to node 1"
"$bin/tern" recv-file sim:1 --from 0.0.0 --buffer "$buffer" --out "$dir/received" \
    --timeout "$timeout_s" > "$dir/receiver.log" 2>&1 &
receiver=$!
processes="$sim $receiver"
"$bin/tern" send-file sim:0 "$file" --report "$dir/transfer" --timeout "$timeout_s" &
sender=$!
processes="$sim $receiver $sender"
wait $sender
sender_status=$?
wait $receiver
receiver_status=$?
processes=$sim
sed 's/^/receiver: /' "$dir/receiver.log"
ended sender $sender_status && ended receiver $receiver_status || {
    [ $sender_status = 0 ] || ended receiver $receiver_status
    sim_gone
    fail "the file was not delivered"
}
cmp -s "$file" "$dir/received" || fail "what the receiver saved differs from the file"
say "verified: the receiver's copy is the file"

# The soft tier has no instructions to count.
if [ "$tier" = rtl ]; then
    say "counting firmware instructions"
    "$bin/tern" probe --from sim:0 --to sim:1 --report "$dir/probe" > /dev/null || fail "no figures"
fi
stop_sim
"$bin/demo-report" "$dir/transfer" "$dir/probe" "$dir/sim.json" || fail "figures are missing"
