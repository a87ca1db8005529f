#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo.sh FILE NODES [BUFFER]
#
# Moves FILE from the memory of one host process into that of another over a simulated ring of NODES
# NICs, verifies it, and prints the cost. Only the NICs connect the two processes. BUFFER is the
# receiver's buffer size, by default that of the file and at least 1 MiB.
#
# TIER=soft uses the soft tier, which has counts but no figures in cycles.
#
# Exits with 0 only if the file arrived, was verified, and every figure could be printed.
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
shown "Shown: one process wrote $size bytes into the memory of another by put. The NICs did all the work;" \
    "no code ran at the receiver."
cycles put "$file" "$nodes"
"$bin/demo-report" "$dir/transfer" "$dir/probe" "$dir/sim.json" || fail "figures are missing"
[ "$tier" != rtl ] || legend \
    'cycles                   of the chip, from the first doorbell to the last completion; no load of this machine changes them' \
    'frame limit              the bytes per cycle that packet headers and trailers leave of a link' \
    'doorbell to deposit      where the cycles of one put go, in this order' \
    'firmware per descriptor  cycles of the core, median of 32 puts with their completions' \
    'firmware instructions    of one operation of each kind, its completion handling included' \
    'simulated node-cycles    the speed of this simulation: cycles times nodes'
