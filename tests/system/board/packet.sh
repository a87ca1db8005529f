#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# `tern bridge` at an interface of the machine (AF_PACKET): one end of a pair of virtual ones, in a
# namespace of users and networks of its own; the simulated Colorlight i9 is at the other end.
set -u

B=${B:-build}
names="an interface that is not there is an error
a bridge without the right to raw frames is an error
the firmware of the board comes up behind an interface
tern info shows the board
tern put puts bytes through the interface
a cable that was pulled for a while is used again"

name() {
    echo "$names" | sed -n "$1p"
}

skip_all() {
    for i in 1 2 3 4 5 6; do
        echo "ok $i - $(name $i) # SKIP $1"
    done
    echo 1..6
    exit 0
}

if [ "${1:-}" != inside ]; then
    command -v ip > /dev/null 2>&1 || skip_all "no ip"
    unshare -rn sh -c 'ip link add host type veth peer name board' 2> /dev/null ||
        skip_all "no namespaces for users"
    B=$B exec unshare -rn sh "$0" inside
fi

board=colorlight-i9 kind=eth
. tests/system/board/lib.sh
ip link add host type veth peer name board && ip link set host up && ip link set board up ||
    exit 1

"$tern" bridge eth:none > "$dir/none.log" 2>&1
[ $? = 1 ] && grep -q '^tern-bridge: none: No such device$' "$dir/none.log"
tap $? "$(name 1)"

setpriv --bounding-set -net_raw --inh-caps -net_raw "$tern" bridge eth:host > "$dir/right.log" 2>&1
[ $? = 1 ] && grep -q '^tern-bridge: host: Operation not permitted$' "$dir/right.log"
tap $? "$(name 2)"

"$B/bin/tern-board-$board" --link board --firmware "$image" > "$dir/board.log" 2>&1 &
board_pid=$!
await "$dir/board.log" "$board_pid"
"$tern" bridge eth:host --slow "$slow" --counts > "$dir/bridge.log" 2>&1 &
bridge_pid=$!
await "$dir/bridge.log" "$bridge_pid"
tap $? "$(name 3)"

"$tern" info sim:0 > "$dir/info.log" 2>&1 &&
    grep -q '^tier  *board$' "$dir/info.log" && grep -q '^link data  *32 bits$' "$dir/info.log"
tap $? "$(name 4)"
"$tern" put --from sim:0 --to sim:0 --bytes 700 > "$dir/put.log" 2>&1
tap $? "$(name 5)"

ip link set host down
sleep 1
ip link set host up
"$tern" put --from sim:0 --to sim:0 --bytes 700 > "$dir/put.log" 2>&1
tap $? "$(name 6)"
stop_all
echo "# evidence $(grep '^line:' "$dir/bridge.log")"
tap_end
