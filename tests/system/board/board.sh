#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole top of a board in simulation, its host link at a pseudo-terminal or a socket, and
# `tern bridge` there: the command `tern` works as on the simulator. With FAULTS=n, of 1000 frames n
# have a bit flipped, n are lost, n repeated, and on Ethernet n overtaken. BOARD names the board; a
# ULX3S has two nodes.
set -u

B=${B:-build}
board=${BOARD:-ulx3s} faults=${FAULTS:-0}
case $board in
colorlight-*) kind=eth swap=$faults other=0 nodes=0 ;;
*) kind=serial swap=0 other=1 nodes="0 1" ;;
esac
. tests/system/board/lib.sh

run_board --firmware "$image" --flip "$faults" --lose "$faults" --repeat "$faults" --swap "$swap"
run_bridge
tap $? "the firmware of the board comes up behind the host link"

shown=0
for node in $nodes; do
    "$tern" info "sim:$node" > "$dir/info.log" 2>&1 &&
        grep -q '^tier  *board$' "$dir/info.log" &&
        grep -q '^link data  *32 bits$' "$dir/info.log" &&
        grep -q "^node  *$node.0.0" "$dir/info.log" || shown=1
done
tap $shown "tern info shows every node of the board"

# The command compares the bytes in the target's memory.
"$tern" put --from sim:0 --to "sim:$other" --bytes 700 > "$dir/put.log" 2>&1
tap $? "tern put puts bytes through the board's pins"
if [ "$other" != 0 ]; then
    "$tern" put --from "sim:$other" --to sim:0 --bytes 700 > "$dir/put.log" 2>&1
    tap $? "and from the second node of the board to the first"
fi

stop_all
seen=$(sed -n 's/^board: .* faults \([0-9]*\).*$/\1/p' "$dir/board.log")
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
if [ "$kind" = eth ]; then
    ! grep -q 'against Ethernet [1-9]' "$dir/board.log" && grep -q 'against Ethernet 0' "$dir/board.log"
    tap $? "every frame of the board keeps the rules of Ethernet"
fi
tap_end
