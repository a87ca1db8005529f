#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the cost of a put on rtl meets its gates (bars.def), which are in simulated cycles and
# so the same on every machine.
set -u
. tests/check/tap.sh

B=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# judge ID: compares every figure of that id with its gate.
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

"$B"/tests/bench/put > "$work/out" 2>&1
status=$?
[ $status = 0 ] || sed 's/^/# /' "$work/out"
verdict $status "puts alone and in streams complete"
for id in put_inline_8_latency put_inline_8_posted_latency put_ref_64_over_inline put_goodput_64k put_goodput_4k \
    put_goodput_512 fw_cycles_per_put fw_cycles_per_signalled_put; do
    judge $id
    verdict $? "$id is within its gate"
done
finish
