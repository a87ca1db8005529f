#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: board.sh NETLIST
#
# A netlist of a board's whole top does the same as the RTL, at all pins in each step of the
# simulation: the firmware comes up from the flash, `tern info` and `tern put` work through the pins
# of the RTL, and build/tests/netlist/board_NETLIST-BOARD gets the same inputs as it runs.
set -u

B=${B:-build} netlist=$1
board=${BOARD:-colorlight-i9} kind=eth
. tests/system/board/lib.sh

mkfifo "$dir/pins"
"$B/tests/netlist/board_$netlist-$board" < "$dir/pins" > "$dir/netlist.log" 2>&1 &
netlist_pid=$!
run_board --firmware "$image" --record "$dir/pins" && run_bridge
tap $? "the firmware comes up in the RTL of $board"
"$tern" info sim:0 > "$dir/info.log" 2>&1 &&
    "$tern" put --from sim:0 --to sim:0 --bytes 700 > "$dir/put.log" 2>&1
tap $? "tern info and tern put work through the pins of the RTL"
stop_all
wait "$netlist_pid"
tap $? "the $netlist netlist of $board has the same pins in each step"
echo "# evidence $netlist $board $(grep '^steps' "$dir/netlist.log")"
tap_end
