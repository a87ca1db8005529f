#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the core's benchmark meets its gates (bars.def), which are in simulated cycles and so
# the same on every machine. The benchmark itself fails when instructions and lost cycles do not add
# up.
set -u
. tests/check/tap.sh

B=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# judge ID: compares every figure of that id with its gate; evidence is the worst one.
judge() {
    awk -v id="$1" '
        FILENAME ~ /bars\.def$/ && index($0, "BAR(" id ", 1, <=,") {
            split($0, field, ",")
            limit = field[4] + 0
        }
        $1 == "bench" && $2 == id {
            count++
            if ($3 + 0 > worst) worst = $3 + 0
        }
        END {
            if (count) print "# evidence B3.2 " id "=" worst " limit=" limit
            exit !(count && limit && worst <= limit)
        }' tests/bench/bars.def "$work/out"
}

"$B"/tests/bench/cpi > "$work/out" 2>&1
status=$?
[ $status = 0 ] || sed 's/^/# /' "$work/out"
echo "# evidence B3.2 causes=$(grep -c "^bench core_lost_" "$work/out")"
verdict $status "instructions and lost cycles are all cycles"
for id in core_cpi_mix core_cpi_put core_crc_cycles; do
    judge $id
    verdict $? "$id is within its gate"
done
finish
