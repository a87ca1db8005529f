#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench_bars.sh BENCH
#
# Runs a benchmark of rtl and holds each figure that has a gate (bars.def) against it.  The gates are
# in cycles, packets and instructions of the simulated chip: they come out alike on every machine.  A
# gate that the benchmark's source names must be reported.
set -u
. tests/check/tap.sh

bench=${1:?usage: bench_bars.sh BENCH}
B=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# judge ID: every figure of that id against its gate.
judge() {
    awk -v id="$1" '
        FILENAME ~ /bars\.def$/ && index($0, "BAR(" id ", 1,") {
            split($0, field, ", *")
            op = field[3]
            limit = field[4] + 0
        }
        $1 == "bench" && $2 == id {
            count++
            print "# " id " " $3
            if (op == "<=" ? $3 + 0 > limit : $3 + 0 < limit) missed++
        }
        END { exit !(count && op != "" && !missed) }' tests/bench/bars.def "$work/out"
}

"$B/tests/bench/$bench" > "$work/out" 2>&1
status=$?
[ $status = 0 ] || sed 's/^/# /' "$work/out"
verdict $status "the benchmark $bench completes"
sed -n 's/^BAR(\([a-z0-9_]*\), 1,.*/\1/p' tests/bench/bars.def > "$work/gates"
while read -r id; do
    grep -q "\"$id\"" "tests/bench/rtl/$bench.c" || grep -q "^bench $id " "$work/out" || continue
    judge "$id"
    verdict $? "$id is within its gate"
done < "$work/gates"
finish
