#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The demo on the soft tier, as `make demo TIER=soft` runs it: the file arrives, and the demo prints
# counts and no figure in cycles. Also `tern info` of such a NIC.
set -u

B=${B:-build}
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-soft-demo.XXXXXX") || exit 1

# tap STATUS NAME: prints a test line.
tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=1
        sed 's/^/# /' "$dir/log"
    fi
}

clean_up() {
    status=$?
    [ -z "$sim" ] || { kill "$sim" 2> /dev/null && wait "$sim" 2> /dev/null; }
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# figure NAME: the number after that name in the table.
figure() { sed -n "s/^ *$1  *\([0-9][0-9]*\)\$/\1/p" "$dir/log"; }

head -c 100000 /dev/urandom > "$dir/file"
TIER=soft sh host-driver/tools/demo.sh "$dir/file" 4 > "$dir/log" 2>&1
status=$?
# 100000 bytes in puts of 16384 are 196 packets; each is acked, and the processes also send
# messages.
packets=$(figure 'packets on all links')
echo "# evidence B4.2 status=$status bytes=$(figure bytes) packets=${packets:-0}"
[ $status = 0 ] && grep -q 'verified: the receiver' "$dir/log" && [ "$(figure bytes)" = 100000 ] &&
    [ "${packets:-0}" -ge 392 ]
tap $? "the demo passes on the soft tier"
! grep -i 'cycle\|instructions' "$dir/log"
tap $? "the demo prints no figure in cycles on the soft tier"

mkfifo "$dir/ready"
"$B/bin/tern" sim --tier soft --torus 2x1x1 --dir "$dir/nics" --ready-fd 3 3> "$dir/ready" > "$dir/log" 2>&1 &
sim=$!
read -r _ < "$dir/ready"
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR
"$B/bin/tern" info sim:1 > "$dir/log" 2>&1 && grep -q '^tier  *soft' "$dir/log" && "$B/bin/tern" list > "$dir/log" &&
    [ "$(grep -c ready "$dir/log")" = 2 ]
result=$?
echo "# evidence B4.2 tier=soft nics=$(grep -c ready "$dir/log")"
tap $result "a NIC of the soft tier says what it is"
"$B/bin/tern" put --from sim:0 --to sim:1 --bytes 100000 --count 3 > "$dir/log" 2>&1 &&
    "$B/bin/tern" stat sim:1 > "$dir/log" && grep -q '^rx_put_bytes  *300000 ' "$dir/log" &&
    "$B/bin/tern" log sim:1 > "$dir/log" && grep -q 'firmware .* up' "$dir/log"
tap $? "the commands serve a NIC of the soft tier"
"$B/bin/tern" sim --tier hard > "$dir/log" 2>&1
[ $? != 0 ] && grep -q 'rtl or soft' "$dir/log"
tap $? "an unknown tier is refused"
"$B/bin/tern" sim --tier soft --dir "$dir/other" --trace-events "$dir/events" > "$dir/log" 2>&1
[ $? != 0 ] && grep -q 'no trace port' "$dir/log"
tap $? "events of the soft tier are refused"
TIER=soft sh host-driver/tools/demo_collective.sh > "$dir/log" 2>&1 && grep -q 'verified: every node has every sum' "$dir/log"
tap $? "in the demo all nodes add up together, and every sum is right everywhere"
echo "1..$number"
exit $failed
