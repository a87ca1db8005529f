#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern collective bench on seven nodes with the tree network and on a torus without: every operation
# ends with checked results over the tree network, over the torus alone, and by a tree of puts. On
# the tier TIER. Only a chip has cycles.
set -u
. tests/system/demo/nics.sh

# bench ARGUMENT...: runs the command with a report.
bench() {
    rm -f "$dir/report"
    timeout 500 "$tern" collective bench --report "$dir/report" "$@" > "$dir/bench.log" 2>&1
}

# rows PATTERN TREE: counts the table's rows of an operation with a cell like TREE in the column of
# the tree network, and a figure, or `done` on soft, in the others.
rows() {
    cell='[1-9][0-9]*'
    [ "$tier" = rtl ] || cell='done'
    [ "$2" = - ] && wanted=- || wanted=$cell
    grep -Ecx "($1) +[0-9]+ +$wanted +$cell +$cell" "$dir/bench.log"
}

rounds=20
[ "$tier" = soft ] || rounds=1
start_sim --torus 7x1x1 --tree
bench -n $rounds
tap $? "all operations end with checked results on seven nodes"
[ "$(rows '[a-z]+' x)" = 8 ]
tap $? "the table has each form of each operation"
! grep -q '.\{81\}' "$dir/bench.log"
tap $? "the table fits a terminal"
if [ "$tier" = rtl ]; then
    grep -c '"form":"[a-z]*","cycles":[1-9]' "$dir/report" > "$dir/figures.log"
    [ "$(cat "$dir/figures.log")" = 24 ]
else
    [ ! -e "$dir/report" ] && ! grep -q cycles "$dir/bench.log"
fi
tap $? "the report has the cycles of a chip, and no others"
stop_sim
tap $? "the simulator ends well"
[ "$tier" = soft ] && {
    start_sim --torus 3x2x1
    bench -n 3 && [ "$(rows '[a-z]+' -)" = 8 ]
    tap $? "without a tree network its column is empty"
    ! bench -n 0 && grep -q 'no rounds' "$dir/bench.log"
    tap $? "no rounds are refused"
}
echo "1..$number"
[ $failed = 0 ]
