#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Faults of the peer on a host link over Ethernet: no line, a bridge that is killed, a board that
# stops, a board that ends. The bridge ends with an error of its own, and so do its clients.
set -u

B=${B:-build}
board=colorlight-i9 kind=eth
. tests/system/board/lib.sh
slow=1 # a board that stopped is dead after 20 s of this machine

# ends_with TEXT: waits until the bridge has ended; it must have failed and said TEXT.
ends_with() {
    wait "$bridge_pid"
    status=$?
    bridge_pid=
    [ "$status" = 1 ] && grep -q "^tern-bridge: .*$1" "$dir/bridge.log"
}

"$tern" bridge "eth:$dir/none" > "$dir/none.log" 2>&1
[ $? = 1 ] && grep -q '^tern-bridge: .*/none: No such file' "$dir/none.log"
tap $? "a line that is not there is an error"

"$tern" bridge "ether:x" > "$dir/usage.log" 2>&1
[ $? = 2 ] && grep -q 'serial:TTY or eth:INTERFACE' "$dir/usage.log"
tap $? "a line of another kind is an error of usage"

run_board --firmware "$image"
run_bridge
kill -KILL "$bridge_pid"
wait "$bridge_pid" 2> /dev/null
mv "$dir/bridge.log" "$dir/bridge1.log"
run_bridge && "$tern" info sim:0 > "$dir/info.log" 2>&1 && grep -q '^tier  *board$' "$dir/info.log"
tap $? "a bridge that is killed leaves a board that the next one takes"

# It stops with a client attached, which waits for an answer.
kill -STOP "$board_pid"
"$tern" info sim:0 > "$dir/lost.log" 2>&1
[ $? != 0 ]
tap $? "a client of a board that stopped gets an error"
ends_with 'the board does not answer$'
tap $? "a board that stopped ends the bridge with an error"
kill -CONT "$board_pid"

mv "$dir/bridge.log" "$dir/bridge2.log"
run_bridge
tap $? "a board that went on is taken again"
kill -KILL "$board_pid"
wait "$board_pid" 2> /dev/null
board_pid=
ends_with 'the line is closed$'
tap $? "a board that ended ends the bridge with an error"
tap_end
