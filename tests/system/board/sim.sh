#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: sim.sh --dir DIR --ready-fd FD [OPTION...]
#
# A simulated board and `tern bridge` in place of tern-sim, for programs that start it (rig.h, $SIM).
# The nodes of their ring are all the board's: DIR has a link for each to its socket. Ends with
# SIGTERM. BOARD names the board, FAULTS is as in board.sh. Counts of the line are left in
# $SIM_COUNTS, if set.
#
# With PROMPT=MS a board's time stops while the host has accesses to answer, up to MS for each.
#
# With PAIR=1 there are two boards, nodes 0 and 1, with a cable between them and a bridge each.
# SIGUSR1 cuts the cable, SIGUSR2 mends it.
set -u

B=${B:-build} nodes="1 2 3"
board=${BOARD:-colorlight-i9} faults=${FAULTS:-0}
case $board in
colorlight-*) kind=eth swap=$faults slow=20 ;;
*) kind=serial swap=0 slow=100 ;; # as in lib.sh
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
boards= bridges= result=0
[ -z "${PAIR:-}" ] || nodes=

# stop PID...: ends processes and waits for them.
stop() {
    [ $# = 0 ] || kill -INT "$@" 2> /dev/null
    for pid; do wait "$pid" || result=1; done
}

finish() {
    trap '' TERM USR1 USR2
    stop $bridges
    stop $boards
    for x in $nodes; do rm -f "$dir/nic-$x.0.0.sock"; done
    cat "$work"/*.log > "${SIM_COUNTS:-/dev/null}"
    rm -rf "$work"
    exit $result
}
trap finish TERM
trap 'kill -USR1 $boards' USR1
trap 'kill -USR2 $boards' USR2

# Both kinds of processes end with this shell, however it ends.
# board NUMBER OPTION...: starts a board.
board() {
    log=$work/board$1.log line=$work/line$1
    shift
    setpriv --pdeathsig KILL "$B/bin/tern-board-$board" --firmware "$B/fw/tern-fw.img" \
        --link "$line" --flip "$faults" --lose "$faults" --repeat "$faults" --swap "$swap" \
        --prompt "${PROMPT:-0}" "$@" \
        > "$log" 2>&1 &
    boards="$boards $!"
}

# await LOG PID: waits until a process has printed its ready line, or has ended.
await() {
    while ! grep -q '^ready' "$1" && kill -0 "$2" 2> /dev/null; do sleep 0.1; done
}

# bridge NUMBER OPTION...: starts a bridge.
bridge() {
    log=$work/bridge$1.log line=$work/line$1
    shift
    setpriv --pdeathsig KILL "$B/bin/tern-bridge" "$kind:$line" --dir "$dir" --slow "$slow" --counts "$@" \
        > "$log" 2>&1 &
    bridges="$bridges $!"
}

if [ -n "${PAIR:-}" ]; then
    board 0 --first "$work/cable"
    await "$work/board0.log" "$!"
    board 1 --second "$work/cable"
    await "$work/board1.log" "$!"
    bridge 1
    other=$!
    bridge 0
    await "$work/bridge1.log" "$other"
    await "$work/bridge0.log" "$!"
    eval "echo ready >&$ready"
else
    board 0
    await "$work/board0.log" "$!"
    for x in $nodes; do ln -s nic-0.0.0.sock "$dir/nic-$x.0.0.sock"; done
    bridge 0 --ready-fd "$ready"
fi
eval "exec $ready>&-"

# A signal ends a wait; a bridge ends only when it is asked to.
for pid in $bridges; do
    while kill -0 "$pid" 2> /dev/null; do wait "$pid"; done
done
result=1
finish
