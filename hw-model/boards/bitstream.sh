#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: bitstream.sh -c                    makes sure that the tools are there
#        bitstream.sh BOARD DEVICE MHz SEED build/synth/board_BOARD.json -> build/boards/BOARD-SEED.bit
#
# Places, routes and packs a board's top for the LFE5U-45F or 85F (DEVICE 45, 85), speed 6. Fails if
# a clock misses MHz. Uses the installed nextpnr-ecp5 and ecppack, or those of a small Debian 13 in the
# folder BOARD_ROOT (build/boards-root), which -c makes once; this needs root. Run from the project
# root.
set -u

. tests/tools/debian.sh

B=${B:-build}
out=$B/boards
root=${BOARD_ROOT:-$B/boards-root}
case $root in /*) ;; *) root=$(pwd)/$root ;; esac
here=hw-model/boards

is_here() {
    command -v nextpnr-ecp5 > /dev/null 2>&1 && command -v ecppack > /dev/null 2>&1
}

# work COMMAND...: runs it in build/boards.
work() {
    if is_here; then
        (cd "$out" && "$@")
    else
        debian_work "$root" "$out" "$@"
    fi
}

check() {
    is_here || sh tests/tools/trixie.sh bitstream ecppack "$root" nextpnr-ecp5 fpga-trellis || exit 1
}

fail() {
    echo "bitstream: $1" >&2
    exit 1
}

run() {
    board=$1 device=$2 mhz=$3 seed=$4 run=$1-$4
    mkdir -p "$out"
    rm -f "$out/$run.bit" "$out/$run.config"
    cp "$B/synth/board_$board.json" "$out/$board.json" || exit 1
    cp "$here/$board/"tern_*.lpf "$out/$board.lpf" || exit 1
    work nextpnr-ecp5 "--${device}k" --package CABGA381 --speed 6 --freq "$mhz" --seed "$seed" \
        --json "$board.json" --lpf "$board.lpf" --textcfg "$run.config" --report "$run.report" -q \
        -l "$run.log" || fail "$board, seed $seed: see $out/$run.log"
    # A comment of the bitstream names its board; flash.sh reads it.
    sed -i "1s/\$/\n\n.comment Board: $board/" "$out/$run.config" || exit 1
    work ecppack --compress --input "$run.config" --bit "$run.bit" ||
        fail "$board, seed $seed: the configuration cannot be packed"
    echo "bitstream: $out/$run.bit, $(wc -c < "$out/$run.bit") bytes"
}

if [ "${1:-}" = -c ]; then
    check
else
    [ $# = 4 ] || fail "usage: bitstream.sh BOARD DEVICE MHz SEED"
    run "$@"
fi
