#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every fault of seeded.def is found within a million executions, without the kept
# inputs.
set -u
B=${B:-build}
limit=1000000
number=0
bad=0

# try NAME: runs the faulty program; it must fail by itself, and report at which execution.
try() {
    number=$((number + 1))
    log=$B/fuzz/seeded/$1.log
    FUZZ_CORPUS='' FUZZ_EXECUTIONS=$limit FUZZ_FAILED=$B/fuzz/seeded/$1.failed \
        "$B/fuzz/seeded/fuzz_$1" > "$log" 2>&1
    status=$?
    at=$(sed -n 's/^# execution //p' "$log")
    if [ $status != 0 ] && grep -q '^not ok' "$log" && [ "${at:-0}" -gt 0 ]; then
        echo "ok $number - $1 is found"
        echo "# evidence B4.8 $1=$at"
    else
        bad=1
        echo "not ok $number - $1 is found"
        tail -n 5 "$log" | sed 's/^/# /'
    fi
}

seeds=$(sed -n 's/^SEED(\([a-z_]*\),.*/\1/p' tests/fuzz/seeded.def)
echo "1..$(echo "$seeds" | grep -c .)"
for seed in $seeds; do
    try "$seed"
done
exit $bad
