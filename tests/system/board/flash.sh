#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Images of the firmware in the flash of a simulated board: none, damaged ones, two. BOARD names the
# board.
set -u

B=${B:-build}
board=${BOARD:-colorlight-i9}
case $board in
colorlight-*) kind=eth ;;
*) kind=serial ;;
esac
. tests/system/board/lib.sh
TERN_PATIENCE=500 # a board that does not come up ends the test in this time

bad=$dir/bad.img
cp "$image" "$bad"
printf '\252\125' | dd of="$bad" bs=1 seek=20000 conv=notrunc 2> "$dir/dd.log"

# fails STATE OPTION...: a board with these images does not come up, and the bridge says why.
fails() {
    state=$1
    shift
    run_board "$@"
    ! run_bridge && grep -q "the firmware did not come up (state $state)" "$dir/bridge.log"
    result=$?
    stop_all
    return $result
}

# boots OPTION...: a board with these images comes up.
boots() {
    run_board "$@"
    run_bridge
    result=$?
    stop_all
    return $result
}

# judge RESULT TEXT: prints a test's line; without it, the others would wait for nothing.
judge() {
    tap "$1" "$2"
    [ $failed = 0 ] || exit 1
}

warning='the flash has no whole second image of the firmware, the first one runs'

fails 2
judge $? "a board without an image says so"
fails 3 --firmware "$bad" --update "$bad"
judge $? "a board whose images are damaged says so"
boots --firmware "$bad" --update "$image" && ! grep -q "$warning" "$dir/bridge.log"
judge $? "a board with an update runs it"
boots --firmware "$image" --update "$bad" && grep -q "$warning" "$dir/bridge.log"
judge $? "a board whose update is damaged runs the first image and says so"
tap_end
