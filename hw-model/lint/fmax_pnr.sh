#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fmax_pnr.sh -c                  makes sure that there is a place and route
#        fmax_pnr.sh NAME MHz SEED       build/fmax/NAME.json -> build/fmax/NAME-SEED.report
#
# nextpnr-ecp5 for the LFE5U-25F, speed 6: the machine's own, or one in a small Debian 13 in the
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

fail() {
    echo "fmax: $1" >&2
    exit 1
}

is_here() {
    command -v "$nextpnr" > /dev/null 2>&1
}

is_in_root() {
    [ -x "$root/usr/bin/nextpnr-ecp5" ]
}

# Runs in a namespace of its own; the folder gets its name when it is whole.
if [ "${1:-}" = --make-root ]; then
    mkdir -p "$root.new/proc" && debian_make "$root.new" trixie nextpnr-ecp5
    exit
fi

make_root() {
    [ "$(id -u)" = 0 ] || fail "there is no $nextpnr here, and making $root (a Debian 13 that
      has one) needs root: install nextpnr-ecp5 (Debian 13), or run this as root"
    sh tests/tools/packages.sh fmax-root || exit 1
    echo "fmax: makes $root, once"
    debian_alone sh "$0" --make-root || fail "no Debian 13 with nextpnr-ecp5; see $root.new.log"
    mv "$root.new" "$root"
}

check() {
    is_here && return
    if is_in_root; then
        [ "$(id -u)" = 0 ] || fail "nextpnr-ecp5 is in $root, and entering it needs root"
        return
    fi
    mkdir -p "$(dirname "$root")"
    (flock 9; is_in_root || make_root) 9> "$root.lock" || exit 1
}

# place_and_route ARGUMENT...: in build/fmax, wherever the program is.  /proc: it looks for its
# data beside itself.
place_and_route() {
    if is_here; then
        (cd "$out" && "$nextpnr" "$@")
        return
    fi
    mkdir -p "$root/mnt/fmax"
    # shellcheck disable=SC2016 # the other shell's arguments
    debian_alone sh -c '. tests/tools/debian.sh
        root=$1 out=$2
        shift 2
        debian_proc "$root" && mount --bind "$out" "$root/mnt/fmax" &&
            debian_inside "$root" sh -c "cd /mnt/fmax && exec nextpnr-ecp5 \"\$@\"" sh "$@"' \
        sh "$root" "$out" "$@"
}

# effort NAME: what place and route is to do otherwise than it does by itself.  With two thirds of the
# device taken its first router does not end within minutes, and its placer goes for short wires
# where the slow path is what counts.
effort() {
    case $1 in
        node) echo --router router2 --placer-heap-timingweight 30 ;;
    esac
}

# More is asked for than is wanted, because place and route stops trying where it is enough.
# A report counts when all went well, or when nothing but the clock rate was not reached: who
# reads the report judges that.
run() {
    name=$1 mhz=$2 seed=$3 run=$1-$2-$3
    rm -f "$out/$name-$seed.report" "$out/$name-$seed.why"
    # shellcheck disable=SC2046 # a word each
    place_and_route --25k --package CABGA381 --speed 6 --freq "$aim_mhz" --seed "$seed" \
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
    run "$1" "$2" "$3"
fi
