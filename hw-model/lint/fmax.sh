#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fmax.sh [-j] ROW...
#
# Places and routes each row of hw-model/fmax.def with three seeds, two at a time, and compares the
# slowest result with the row. Prints a table and the slowest path of each row; ends with "fmax:
# PASS" or "fmax: FAIL" and exits accordingly. A report newer than its netlist is reused; -j reuses
# all and runs nothing. Run from the project root; `make fmax` makes the netlists.
#
# Environment: B         folder of the build (build)
#              FMAX_JOBS seeds placed at a time (2)
#              FMAX_DEF  another table
# and the variables of fmax_pnr.sh.
set -u

B=${B:-build}
out=$B/fmax
table=${FMAX_DEF:-hw-model/fmax.def}
here=hw-model/lint
seeds='1 2 3'

judge_only=0
if [ "${1:-}" = -j ]; then
    judge_only=1
    shift
fi

fail() {
    echo "fmax: $1" >&2
    echo "fmax: FAIL"
    exit 1
}

# column ROW N: 2 harness, 3 netlist, 4 device, 5 MHz, 6 COMB, 7 block RAM.
column() {
    awk -F '[(,) ]+' -v row="$1" -v n="$2" '$1 == "FMAX" && $2 == row { print $(n + 1) }' "$table"
}

# ---- place and route ----
is_current() {
    [ -s "$out/$1-$2.report" ] &&
        [ -z "$(find "$out/$1.json" "$table" -newer "$out/$1-$2.report")" ]
}

place_row() {
    # shellcheck disable=SC2086 # a word each
    for seed in $seeds; do
        is_current "$1" "$seed" || printf '%s\n' "$seed"
    done | xargs -r -n 1 -P "${FMAX_JOBS:-2}" sh $here/fmax_pnr.sh "$1" "$(column "$1" 4)" "$(column "$1" 5)"
}

# ---- judgement ----
# achieved REPORT: prints the slowest clock of a complete report in MHz; nothing for any other file.
achieved() {
    [ -f "$1" ] && tr '\n' ' ' < "$1" | awk '
        !/"critical_paths": / || !/"utilization": [{].*[}] *[}] *[}] *$/ { exit }
        match($0, /"fmax": [{]/) {
            rest = substr($0, RSTART + RLENGTH)
            sub(/[}] *[}].*/, "", rest)
            while (match(rest, /"achieved": [0-9][0-9.]*/)) {
                mhz = substr(rest, RSTART + 12, RLENGTH - 12)
                if (least == "" || mhz + 0 < least + 0) least = mhz
                rest = substr(rest, RSTART + RLENGTH)
            }
            if (least != "") print least
        }'
}

# complaints ROW: prints the reasons for a failure, one a line; nothing for a pass. $rates is "seed
# MHz" per line, $comb and $bram the size.
complaints() {
    for seed in $seeds; do
        echo "$rates" | grep -q "^$seed [0-9]" && continue
        if grep -qs 'does not fit\|no BELs remaining\|legal placement' "$out/$1-$seed.why"; then
            echo "does not fit"
        elif [ -s "$out/$1-$seed.why" ]; then
            cat "$out/$1-$seed.why"
        else
            echo "no report of seed $seed that can be read"
        fi
    done | sort -u
    awk -v worst="$worst" -v gate="$(column "$1" 5)" -v comb="$comb" -v bram="$bram" \
        -v most="$(column "$1" 6)" -v most_bram="$(column "$1" 7)" 'BEGIN {
            if (worst != "" && worst + 0 < gate + 0) print "too slow"
            if (most != "-" && comb + 0 > most + 0) print "COMB above " most
            if (most_bram != "-" && bram + 0 > most_bram + 0) print "BRAM above " most_bram
        }'
}

# Prints the row of the table; writes its failures to build/fmax/ROW.missed, the slowest seed to
# ROW.worst.
judge_row() {
    rates=$(for seed in $seeds; do echo "$seed $(achieved "$out/$1-$seed.report")"; done)
    worst=$(echo "$rates" | awk 'NF == 2' | sort -k 2n | head -n 1)
    echo "${worst% *}" > "$out/$1.worst"
    worst=${worst#* }
    # shellcheck disable=SC2046 # four words
    set -- "$1" $(awk -f $here/size.awk "$B/synth/$(column "$1" 3).stat")
    comb=${2:-} ff=${3:-} bram=${4:-}
    [ -n "$bram" ] || fail "$1: no size of its netlist"
    complaints "$1" > "$out/$1.missed"
    verdict=$(paste -s -d ';' "$out/$1.missed" | sed 's/;/; /g')
    echo "$rates" | awk -v row="$1" -v worst="$worst" -v gate="$(column "$1" 5)" \
        -v comb="$comb" -v ff="$ff" -v bram="$bram" -v verdict="${verdict:-holds}" '
        function mhz(text) {
            return text == "" ? "-" : sprintf("%.2f", int(text * 100 + 1e-6) / 100)
        }
        { seed[NR] = mhz($2) }
        END {
            printf "%-12s %7s %7s %7s %7s %6s %6s %6s %5s  %s\n", row, seed[1], seed[2], seed[3],
                mhz(worst), gate, comb, ff, bram, verdict
        }'
    [ ! -s "$out/$1.missed" ]
}

show_path() {
    worst=$(cat "$out/$1.worst")
    [ -n "$worst" ] || return
    echo
    echo "$1, seed $worst: ns, of them in this hop, net -> pin"
    awk -f $here/fmax_path.awk "$out/$1-$worst.report"
}

for row in "$@"; do
    [ -n "$(column "$row" 7)" ] || fail "$table has no row $row"
done
[ $# -gt 0 ] || fail "usage: fmax.sh [-j] ROW..."

mkdir -p "$out"
if [ $judge_only = 0 ]; then
    sh $here/fmax_pnr.sh -c || fail "nothing was placed"
    for row in "$@"; do
        [ -s "$out/$row.json" ] || fail "$row: no netlist $out/$row.json"
        place_row "$row"
    done
fi

failed=0
printf '%-12s %7s %7s %7s %7s %6s %6s %6s %5s\n' \
    MHz 'seed 1' 'seed 2' 'seed 3' worst wanted COMB FF BRAM
for row in "$@"; do
    judge_row "$row" || failed=1
done
for row in "$@"; do
    show_path "$row"
done
echo
[ $failed = 0 ] || { echo "fmax: FAIL"; exit 1; }
echo "fmax: PASS"
