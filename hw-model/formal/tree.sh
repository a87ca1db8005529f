#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tree.sh [all]
#
# Searches every state of small trees (tree.pml, by spin) for blocked contributions and results, and
# for blocked packets for one rank (tree_unicast.pml). Does the same without credit, without slots
# for each group, with members that hold up results, without time-outs, and with one store for all
# ports, where such a state must exist. Prints TAP. `all` adds a tree of 7 nodes, which
# takes minutes and gigabytes. Run from the project root.
set -u

all=${1:-}
model=$PWD/hw-model/formal/tree.pml
unicast=$PWD/hw-model/formal/tree_unicast.pml
out=${B:-build}/formal/tree
failed=0
number=0
states=0
mkdir -p "$out"

# search NAME DEFINE...: prints the number of states; 0 no blocked state, 1 one exists, 2 no answer.
search() {
    dir=$out/$1
    shift
    rm -rf "$dir"
    mkdir -p "$dir"
    (cd "$dir" && spin -a "$@" "$model" &&
        ${CC:-cc} -w -O1 -DSAFETY -DCOLLAPSE -DMEMLIM=8000 -o pan pan.c &&
        ./pan -m2000000 -w22) > "$dir/log" 2>&1
    sed -n 's/^ *\([0-9]*\) states, stored$/\1/p' "$dir/log"
    grep -q 'assertion violated\|invalid end state (at' "$dir/log" && return 1
    grep -q 'errors: 0$' "$dir/log" && ! grep -q 'max search depth too small\|out of memory' "$dir/log" && return 0
    return 2
}

# tree WANTED VERB NAME DEFINE...
tree() {
    wanted=$1
    verb=$2
    name=$3
    shift 2
    found=$(search "$@")
    got=$?
    number=$((number + 1))
    if [ $got = "$wanted" ]; then
        echo "ok $number - ${name}_$verb"
        states=$((states + found))
    else
        echo "not ok $number - ${name}_$verb"
        tail -n 5 "$out/$name/log" | sed 's/^/# /'
        failed=1
    fi
}

goes_on() { tree 0 goes_on "$@"; }
stands_still() { tree 1 stands_still "$@"; }

goes_on      two_groups                -DNODES=3 -DSENDS=2
goes_on      one_group_in_two_slots    -DNODES=3 -DGROUPS=1 -DSENDS=4 -DSLOTS=2
goes_on      a_missing_leaf            -DNODES=3 -DSENDS=2 -DMISSING=2
goes_on      a_missing_root            -DNODES=3 -DSENDS=2 -DMISSING=0
goes_on      seven_nodes               -DNODES=7 -DSENDS=1 -DGROUPS=1
stands_still without_credit            -DNODES=3 -DSENDS=2 -DNO_CREDIT
stands_still with_slots_for_all_groups -DNODES=3 -DSENDS=2 -DONE_RING
stands_still with_members_that_hold_results -DNODES=3 -DSENDS=4 -DHELD
stands_still without_time_out          -DNODES=3 -DSENDS=1 -DMISSING=2 -DNO_TIMEOUT
model=$unicast
goes_on      packets_for_a_rank        -DNODES=3 -DSENDS=3
goes_on      packets_of_five_nodes     -DNODES=5 -DSENDS=1
stands_still with_one_store_for_all_ports -DNODES=3 -DSENDS=3 -DONE_STORE
model=$PWD/hw-model/formal/tree.pml
if [ "$all" = all ]; then
    goes_on  seven_nodes_two_groups    -DNODES=7 -DSENDS=1
    goes_on  seven_nodes_a_missing_leaf -DNODES=7 -DSENDS=1 -DMISSING=5
fi
echo "# states=$states"
echo "1..$number"
exit $failed
