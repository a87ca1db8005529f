#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fmax_pnr.sh -c                  makes sure that there is a place and route
#        fmax_pnr.sh NAME DEVICE MHz SEED
#                                        build/fmax/NAME.json -> build/fmax/NAME-SEED.report
#
# nextpnr-ecp5 for the LFE5U-25F, 45F or 85F (DEVICE 25, 45, 85), speed 6: the machine's own, or one in a small Debian 13 in the
# folder FMAX_ROOT (build/pnr), which -c makes once; that and its use need root.  NEXTPNR names
# another program.  With no report made, NAME-SEED.why says why in a line.
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

# place_and_route ARGUMENT...: in build/fmax, wherever the program is.  It looks for its data beside
# itself, by way of /proc.
place_and_route() {
    if is_here; then
        (cd "$out" && "$nextpnr" "$@")
    else
        debian_work "$root" "$out" nextpnr-ecp5 "$@"
    fi
}

# effort NAME: what place and route is to do otherwise than it does by itself.  Where there is room its
# placer goes for short wires, though the slow path is what counts; in a full device that makes knots
# that do not route.
effort() {
    case $1 in
        node | full_*) ;;
        *) echo --placer-heap-timingweight 20 ;;
    esac
}

# More is asked for than is wanted, because place and route stops trying where it is enough.
# A report counts when all went well, or when nothing but the clock rate was not reached: who
# reads the report judges that.
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
