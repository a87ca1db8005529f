#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: torus.sh [all]
#
# Searches every state of small tori (torus.pml, by spin) for blocked packets. Does the same without
# the second dateline channel, and without separate virtual networks, where such a state must exist.
# Prints TAP. `all` adds the sizes that take minutes and gigabytes. Run from the project root.
set -u

all=${1:-}
model=$PWD/hw-model/formal/torus.pml
out=${B:-build}/formal/torus
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
        ${CC:-cc} -w -O2 -DSAFETY -DCOLLAPSE -DVECTORSZ=4096 -DMEMLIM=8000 -o pan pan.c &&
        ./pan -m2000000 -w22) > "$dir/log" 2>&1
    sed -n 's/^ *\([0-9]*\) states, stored$/\1/p' "$dir/log"
    grep -q 'assertion violated' "$dir/log" && return 1
    grep -q 'errors: 0$' "$dir/log" && ! grep -q 'max search depth too small\|out of memory' "$dir/log" && return 0
    return 2
}

# torus WANTED VERB NAME DEFINE...
torus() {
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

goes_on() { torus 0 goes_on "$@"; }
stands_still() { torus 1 stands_still "$@"; }

goes_on      ring_of_4_data            -DX=4 -DKINDS=2
goes_on      ring_of_4_in_the_second   -DX=4 -DKINDS=2 -DALL_SECOND
goes_on      ring_of_3_everything      -DX=3 -DKINDS=7
goes_on      pair_everything_twice     -DX=2 -DKINDS=7 -DSENDS=2
goes_on      pair_requests_thrice      -DX=2 -DKINDS=1 -DSENDS=3
goes_on      torus_of_2_by_2_data      -DX=2 -DY=2 -DKINDS=2
goes_on      line_of_4_data            -DX=4 -DKINDS=2 -DMESH
stands_still without_datelines_data    -DX=4 -DKINDS=2 -DNO_DATELINE
stands_still without_datelines_broadcast -DX=4 -DKINDS=4 -DNO_DATELINE
stands_still in_one_network            -DX=2 -DKINDS=1 -DSENDS=3 -DONE_NETWORK
if [ "$all" = all ]; then
    goes_on  ring_of_4_broadcast       -DX=4 -DKINDS=4
    goes_on  ring_of_4_data_broadcast  -DX=4 -DKINDS=6
    goes_on  ring_of_5_data            -DX=5 -DKINDS=2
    goes_on  torus_of_2_by_2_broadcast -DX=2 -DY=2 -DKINDS=4
    goes_on  held_by_local_copies      -DX=4 -DKINDS=4 -DHELD_BY_LOCAL
    goes_on  mesh_of_2_by_3_data       -DX=2 -DY=3 -DKINDS=2 -DMESH
fi
echo "# evidence B6.1 states=$states"
echo "1..$number"
exit $failed
