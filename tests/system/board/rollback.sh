#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# An update of the firmware that is whole but does not come up, on a simulated board: it runs the
# first image, and the bridge says so. BOARD names the board.
set -u

B=${B:-build}
board=${BOARD:-colorlight-i9}
case $board in
colorlight-*) kind=eth ;;
*) kind=serial ;;
esac
. tests/system/board/lib.sh

said='the second image of the firmware did not come up, the first one runs'

run_board --firmware "$image" --update "$B/fw/tern-fw-fails.img"
run_bridge
tap $? "a board whose update fails its self-test comes up"
grep -q "$said" "$dir/bridge.log" && ! grep -q 'no whole second image' "$dir/bridge.log"
tap $? "and the bridge says that the first image runs"
"$tern" info sim:0 > "$dir/info.log" 2>&1 && grep -q '^tier  *board$' "$dir/info.log"
tap $? "its node answers"

# A new session resets the node; the choice is that of the power-up.
stop "$bridge_pid"
bridge_pid=
run_bridge && grep -q "$said" "$dir/bridge.log"
tap $? "the next session finds the same image, and the bridge says so again"
stop_all

# Neither works: there is nothing to go back to.
TERN_PATIENCE=500
run_board --firmware "$B/fw/tern-fw-fails.img" --update "$B/fw/tern-fw-fails.img"
! run_bridge && grep -q 'the firmware did not come up (state 6)' "$dir/bridge.log"
tap $? "a board whose two images fail their self-tests is an error"
tap_end
