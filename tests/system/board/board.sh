#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole top of a board in simulation, its serial line at a pseudo-terminal, and `tern bridge` there:
# the command `tern` works as on the simulator. With FAULTS=n, of 1000 frames n have a bit flipped, n
# are lost and n repeated. BOARD names the board.
set -u

B=${B:-build}
board=${BOARD:-ulx3s} faults=${FAULTS:-0}
tern=$B/bin/tern
number=0 failed=0 board_pid= bridge_pid=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-test.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR

tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=1
        for log in "$dir"/*.log; do
            sed "s|^|# $(basename "$log" .log): |" "$log"
        done
    fi
}

stop() {
    [ -z "$1" ] || { kill -INT "$1" 2> /dev/null; wait "$1"; }
}
trap 'stop "$bridge_pid"; stop "$board_pid"; rm -rf "$dir"' EXIT

# await FILE: waits until a process has printed its ready line.
# The limit is generous: a loaded machine is slow.
await() {
    tries=0
    while ! grep -s -q "^ready" "$1" && [ $tries -lt 5000 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    grep -q '^ready' "$1"
}

"$B/bin/tern-board-$board" --firmware "$B/fw/tern-fw.img" --link "$dir/tty" \
    --flip "$faults" --lose "$faults" --repeat "$faults" > "$dir/board.log" 2>&1 &
board_pid=$!
await "$dir/board.log"
"$tern" bridge "serial:$dir/tty" --counts > "$dir/bridge.log" 2>&1 &
bridge_pid=$!
await "$dir/bridge.log"
tap $? "the firmware of the board comes up behind the host link"

"$tern" info sim:0 > "$dir/info.log" 2>&1 &&
    grep -q '^tier  *board$' "$dir/info.log" && grep -q '^link data  *32 bits$' "$dir/info.log"
tap $? "tern info shows the board"

# The command compares the bytes in the target's memory.
"$tern" put --from sim:0 --to sim:0 --bytes 700 > "$dir/put.log" 2>&1
tap $? "tern put puts bytes through the board's pins"

stop "$bridge_pid"
bridge_pid=
stop "$board_pid"
board_pid=
seen=$(sed -n 's/^board: .* faults \([0-9]*\)$/\1/p' "$dir/board.log")
again=$(sed -n 's/^line: .* again \([0-9]*\) .*/\1/p' "$dir/bridge.log")
echo "# evidence $(grep '^board:' "$dir/board.log")"
echo "# evidence $(grep '^line:' "$dir/bridge.log")"
if [ "$faults" = 0 ]; then
    [ "$seen" = 0 ]
    tap $? "the line is without faults"
else
    [ "${seen:-0}" -gt 0 ] && [ "${again:-0}" -gt 0 ]
    tap $? "the line had faults, and frames were sent again"
fi
echo "1..$number"
exit $failed
