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

B=${B:-build}
bin=$B/bin
file=$1 nodes=$2 buffer=${3:-}
tier=${TIER:-rtl} timeout_s=${DEMO_TIMEOUT_S:-30}
dir= sim= receiver= sender=

say() { printf 'demo: %s\n' "$*"; }
fail() { printf 'demo: FAILED: %s\n' "$*" >&2; exit 1; }

# Ends what this script started, and only that.
clean_up() {
    status=$?
    trap - EXIT INT TERM HUP
    for pid in $sender $receiver $sim; do
        kill "$pid" 2> /dev/null && wait "$pid" 2> /dev/null
    done
    [ -z "$dir" ] || rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ended NAME STATUS: says how a process ended; false unless it ended well.
ended() {
    [ "$2" = 0 ] && return 0
    if [ "$2" -gt 128 ]; then
        printf 'demo: the %s was killed by signal %s\n' "$1" $(($2 - 128)) >&2
    else
        printf 'demo: the %s failed with status %s\n' "$1" "$2" >&2
    fi
    return 1
}

case $nodes in
'' | *[!0-9]*) fail "NODES=$nodes is not a number" ;;
esac
[ "$nodes" -ge 2 ] || fail "NODES=$nodes: a ring has at least 2 nodes"
[ -f "$file" ] && [ -r "$file" ] || fail "cannot read the file '$file'"
size=$(wc -c < "$file")
[ -n "$buffer" ] || { buffer=$size; [ "$buffer" -ge 1048576 ] || buffer=1048576; }

dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-demo.XXXXXX") || fail "no folder for the sockets"
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR
mkdir "$TERN_SIM_DIR" && mkfifo "$dir/ready" || fail "no folder for the sockets"

say "starting a ring of $nodes NICs, tier $tier"
# shellcheck disable=SC2086 # DEMO_SIM_ARGS is a list
"$bin/tern" sim --tier "$tier" --torus "${nodes}x1x1" --dir "$TERN_SIM_DIR" --firmware "$B/fw/tern-fw.elf" \
    --report "$dir/sim.json" --ready-fd 3 ${DEMO_SIM_ARGS:-} 3> "$dir/ready" > "$dir/sim.log" 2>&1 &
sim=$!
read -r _ < "$dir/ready" || { cat "$dir/sim.log" >&2; fail "the simulator did not start"; }
sed 's/^/  /' "$dir/sim.log"

say "moving $file ($size bytes) from node 0 to node 1"
"$bin/tern" recv-file sim:1 --from 0.0.0 --buffer "$buffer" --out "$dir/received" \
    --timeout "$timeout_s" > "$dir/receiver.log" 2>&1 &
receiver=$!
"$bin/tern" send-file sim:0 "$file" --report "$dir/transfer" --timeout "$timeout_s" &
sender=$!
wait $sender
sender_status=$?
sender=
wait $receiver
receiver_status=$?
receiver=
sed 's/^/receiver: /' "$dir/receiver.log"
ended sender $sender_status && ended receiver $receiver_status || {
    [ $sender_status = 0 ] || ended receiver $receiver_status
    kill -0 "$sim" 2> /dev/null || { cat "$dir/sim.log"; printf 'demo: the simulator is gone\n'; } >&2
    fail "the file was not delivered"
}
cmp -s "$file" "$dir/received" || fail "what the receiver saved differs from the file"
say "verified: the receiver's copy is the file"

# The soft tier has no instructions to count.
if [ "$tier" = rtl ]; then
    say "counting firmware instructions"
    "$bin/tern" probe --from sim:0 --to sim:1 --report "$dir/probe" > /dev/null || fail "no figures"
fi
kill -INT "$sim"
wait "$sim"
sim_status=$?
sim=
ended simulator $sim_status || { cat "$dir/sim.log" >&2; fail "the simulator did not end well"; }
"$bin/demo-report" "$dir/transfer" "$dir/probe" "$dir/sim.json" || fail "figures are missing"
