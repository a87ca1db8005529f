# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of this folder: a simulated board and `tern bridge`, stopped at the end, in a
# folder of their own.
#
#   $B $board $kind     set by the caller; kind: serial, eth
#   $image              of the firmware
#   $slow               --slow of the bridge: the board's time is in truth some 500 times slower
#   $dir                folder of the sockets and logs, in which a failed test shows all *.log
#   run_board OPTION... starts the board
#   run_bridge          starts the bridge; fails if it does not come up
#   stop_all            stops both
#   tap RESULT TEXT     prints a test's line; tap_end the plan
tern=$B/bin/tern image=$B/fw/tern-fw.img
case $kind in
serial) slow=100 ;;
*) slow=20 ;;
esac
number=0 failed=0 board_pid= bridge_pid=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-test.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics TERN_PATIENCE=3000 # a simulated board is slow
export TERN_SIM_DIR TERN_PATIENCE

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

tap_end() {
    echo "1..$number"
    exit $failed
}

# stop PID: lets a process go on if it was stopped, ends it, and waits for it.
stop() {
    [ -n "$1" ] || return
    kill -CONT "$1" 2> /dev/null
    kill -INT "$1" 2> /dev/null
    wait "$1"
}

stop_all() {
    stop "$bridge_pid"
    bridge_pid=
    stop "$board_pid"
    board_pid=
}
trap 'stop_all; rm -rf "$dir"' EXIT

# await FILE PID: waits until a process has printed its ready line, or has ended.
await() {
    while ! grep -s -q '^ready' "$1" && kill -0 "$2" 2> /dev/null; do
        sleep 0.1
    done
    grep -q '^ready' "$1"
}

# A log of an earlier program has a ready line, too.
run_board() {
    rm -f "$dir/board.log"
    "$B/bin/tern-board-$board" --link "$dir/line" "$@" > "$dir/board.log" 2>&1 &
    board_pid=$!
    await "$dir/board.log" "$board_pid"
}

run_bridge() {
    rm -f "$dir/bridge.log"
    "$tern" bridge "$kind:$dir/line" --slow "$slow" --counts > "$dir/bridge.log" 2>&1 &
    bridge_pid=$!
    await "$dir/bridge.log" "$bridge_pid"
}
