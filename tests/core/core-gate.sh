#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares the synthesised core with its RTL: both run the directed programs on the same bench, with
# the same random stalls, and must agree in every cycle on the retired instruction, the store, and
# sleep.
#
# TAP on stdout; run from the project root, after `make build/core/bench_gate`.
set -u

place=${B:-build}/core
programs='alu_c muldiv control_c memory_c rvc csr_c trap irq irq_c fencei work'
rtl=$place/rtl.trace gate=$place/gate.trace
n=0 failed=0 lines=0

# run BENCH PROGRAM TRACE
run() {
    "$place/elfrun" -t 10000000 "$place/$1" "$place/$2.elf" +stall=2 +seed=11 "+trace=$3" > "$3.out" 2>&1
}

# compare PROGRAM: compares the two traces; prints the first difference.
compare() {
    run bench_rtl "$1" "$rtl" || { echo "# the RTL itself fails on $1"; return 1; }
    run bench_gate "$1" "$gate" || echo "# the netlist fails on $1: $(tail -n 1 "$gate.out")"
    [ -s "$rtl" ] || { echo "# no trace of $1"; return 1; }
    cmp -s "$rtl" "$gate" && return 0
    echo "# first difference, RTL then netlist (cycle, what):"
    diff "$rtl" "$gate" | grep '^[<>]' | head -n 2 | sed 's/^/# /'
    return 1
}

for program in $programs; do
    n=$((n + 1))
    if compare "$program"; then
        echo "ok $n - core_netlist_agrees_on_$program"
    else
        echo "not ok $n - core_netlist_agrees_on_$program"
        failed=1
    fi
    lines=$((lines + $(wc -l < "$rtl")))
done
rm -f "$rtl" "$gate" "$rtl.out" "$gate.out"
echo "# compared $lines trace lines"
echo "1..$n"
exit $failed
