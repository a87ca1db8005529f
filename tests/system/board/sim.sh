#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: sim.sh --dir DIR --ready-fd FD [OPTION...]
#
# A simulated board and `tern bridge` in place of tern-sim, for programs that start it (rig.h, $SIM).
# The nodes of their ring are all the board's: DIR has a link for each to its socket. Ends with
# SIGTERM. BOARD names the board, FAULTS is as in board.sh. Counts of the line are left in
# $SIM_COUNTS, if set.
set -u

B=${B:-build} nodes="1 2 3"
board=${BOARD:-colorlight-i9} faults=${FAULTS:-0}
case $board in
colorlight-*) kind=eth swap=$faults ;;
*) kind=serial swap=0 ;;
esac
dir= ready=
while [ $# -gt 0 ]; do
    case $1 in
    --dir) dir=$2 ;;
    --ready-fd) ready=$2 ;;
    esac
    shift
done
work=$(mktemp -d "${TMPDIR:-/tmp}/tern-test.XXXXXX") || exit 1
board_pid= bridge_pid= result=0

stop() {
    [ -n "$1" ] || return 0
    kill -INT "$1" 2> /dev/null
    wait "$1" || result=1
}

finish() {
    trap '' TERM
    stop "$bridge_pid"
    stop "$board_pid"
    for x in $nodes; do rm -f "$dir/nic-$x.0.0.sock"; done
    cat "$work"/*.log > "${SIM_COUNTS:-/dev/null}"
    rm -rf "$work"
    exit $result
}
trap finish TERM

# Both end with this shell, however it ends.
setpriv --pdeathsig KILL "$B/bin/tern-board-$board" --firmware "$B/fw/tern-fw.img" --link "$work/line" \
    --flip "$faults" --lose "$faults" --repeat "$faults" --swap "$swap" > "$work/board.log" 2>&1 &
board_pid=$!
while ! grep -q '^ready' "$work/board.log" && kill -0 "$board_pid" 2> /dev/null; do sleep 0.1; done
for x in $nodes; do ln -s nic-0.0.0.sock "$dir/nic-$x.0.0.sock"; done
setpriv --pdeathsig KILL "$B/bin/tern-bridge" "$kind:$work/line" --dir "$dir" --ready-fd "$ready" --counts \
    > "$work/bridge.log" 2>&1 &
bridge_pid=$!
eval "exec $ready>&-"
wait "$bridge_pid"
bridge_pid= result=1 # it ends only when it is asked to
finish
