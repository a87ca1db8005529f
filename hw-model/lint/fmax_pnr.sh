#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fmax_pnr.sh -c                  makes sure that there is a place and route
#        fmax_pnr.sh NAME DEVICE MHz SEED
#                                        build/fmax/NAME.json -> build/fmax/NAME-SEED.report
#
# Runs nextpnr-ecp5 for the LFE5U-25F, 45F or 85F (DEVICE 25, 45, 85), speed 6. Uses the installed
# program, or one in a small Debian 13 in the folder FMAX_ROOT (build/pnr), which -c makes once;
# this needs root. NEXTPNR names another program. If no report was made, NAME-SEED.why has the
# reason in one line.
set -u

aim_mhz=100
. tests/tools/debian.sh

B=${B:-build}
out=$B/fmax
nextpnr=${NEXTPNR:-nextpnr-ecp5}
root=${FMAX_ROOT:-$B/pnr}
case $root in /*) ;; *) root=$(pwd)/$root ;; esac

is_here() {
    command -v "$nextpnr" > /dev/null 2>&1
}

check() {
    is_here || sh tests/tools/trixie.sh fmax nextpnr-ecp5 "$root" nextpnr-ecp5 || exit 1
}

# place_and_route ARGUMENT...: runs in build/fmax. The program finds its data next to itself,
# through /proc.
place_and_route() {
    if is_here; then
        (cd "$out" && "$nextpnr" "$@")
    else
        debian_work "$root" "$out" nextpnr-ecp5 "$@"
    fi
}

# effort NAME: prints options of place and route. Usually its placer aims for short wires, although
# the slow path matters. A greater weight of timing crowds a node so much that some seeds cannot be
# routed, even on a device that is mostly empty.
effort() {
    case $1 in
        node | full_*) ;;
        *) echo --placer-heap-timingweight 20 ;;
    esac
}

# Aims above the wanted clock rate, because place and route stops at its aim. A report is valid if
# only the clock rate was missed; its reader judges that.
run() {
    name=$1 device=$2 mhz=$3 seed=$4 run=$1-$3-$4
    rm -f "$out/$name-$seed.report" "$out/$name-$seed.why"
    # shellcheck disable=SC2046 # a word each
    place_and_route "--${device}k" --package CABGA381 --speed 6 --freq "$aim_mhz" --seed "$seed" \
        $(effort "$name") --json "$name.json" --lpf-allow-unconstrained --report "$run.new" -q \
        -l "$run.log" \
        > "$out/$run.out" 2>&1
    status=$?
    errors=$(grep '^ERROR:' "$out/$run.out")
    if [ $status != 0 ] && echo "$errors" | grep -qv '^ERROR: Max frequency'; then
        rm -f "$out/$run.new"
        echo "${errors:-nextpnr ended with $status}" | head -n 1 > "$out/$name-$seed.why"
    else
        mv "$out/$run.new" "$out/$name-$seed.report"
    fi
}

if [ "${1:-}" = -c ]; then
    check
else
    run "$1" "$2" "$3" "$4"
fi
