#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The judges of promises and of figures judged: the conformance tool and the
# collector of benchmarks, each built with a small table of its own.
set -u
. tests/check/lib.sh
B=${B:-build}

# ---- conformance -----------------------------------------------------------
mkdir -p "$work/test/system"
log=$work/test/system
cat > "$log/good.tap" <<'LOG'
ok 1 - a good test
# evidence P1 seen=1
# evidence P2 seen=2 tier=soft
# evidence P3 seen=3
# evidence M3 other=1
# evidence M4 seen=1
# evidence M5 seen=1
# evidence F3 seen=1
ok 2 - pair one
ok 3 - pair two
ok 4 - a skipped test # SKIP no reason
# evidence M6 seen=1
LOG
printf 'ok 1 - before the crash\n# evidence F2 seen=1\n' > "$log/crash.tap"
printf 'not ok 1 - a failed test\n# evidence F1 seen=1\n' > "$log/bad.tap"
echo "3 0 1" > "$log/good.result"
echo "1 1 0" > "$log/crash.result"
echo "0 1 0" > "$log/bad.result"

"$B/tests/conformance/example" "$work/test" "$work/c.json" > "$work/out" 2>&1
status=$?

# expect ID WANTED: how the line of an id goes on.
expect() {
    grep -q "^$1 $2" "$work/out"
    verdict $? "conformance $3" "$work/out"
}
expect P1 'PASS rtl a_good_test$' "passes with test, evidence and saboteur"
expect P2 'PASS soft pair_\*$' "takes a pattern, and the tier from the evidence"
expect P3 'PASS rtl a_good_test pair_one$' "asks evidence of one test of a row"
expect M1 'MISSING$' "misses a test"
expect M2 'MISSING a_test_nobody_wrote did not run' "misses a test that did not run"
expect M3 'MISSING a_good_test: no evidence unseen' "misses evidence"
expect M4 'MISSING no saboteur' "misses a saboteur"
expect M5 'MISSING the row names no evidence' "misses the name of the evidence"
expect M6 'MISSING a_skipped_test was skipped' "does not take a skipped test"
expect M7 'MISSING' "does not take the evidence of another id"
expect F1 'FAIL a_failed_test' "fails with the test"
expect F2 'FAIL before_the_crash: its program crash failed' "fails with the program"
expect F3 'FAIL a_failed_test' "fails when one of two tests fails"
grep -q '^3 pass, 3 fail, 7 missing' "$work/out" && [ $status = 1 ]
verdict $? "conformance counts and exits 1" "$work/out"
grep -q '"id": "M7"' "$work/c.json"
verdict $? "conformance writes JSON"

# ---- figures ---------------------------------------------------------------
# collect STATUS NAME LINE...: the collector's exit status for what a program printed.
collect() {
    want=$1 name=$2
    shift 2
    printf '%s\n' "$@" > "$work/figures.out"
    "$B/tests/bench/example" "$work/b.json" "$work/figures.out" > "$work/out" 2>&1
    got=$?
    [ $got = "$want" ]
    verdict $? "bench $name" "$work/out"
}
collect 0 "passes at the bar" "bench gated 80 cycles bytes=8 mode=inline baseline=90"
grep -q '"baseline": 90.0' "$work/b.json" && grep -q '"mode": "inline"' "$work/b.json" &&
    grep -q '"limit": 80.0' "$work/b.json" && grep -q '"pass": true' "$work/b.json"
verdict $? "bench writes JSON" "$work/b.json"
collect 0 "lets an aim be missed" "bench gated 1 cycles" "bench aim 0.5 fraction"
collect 0 "takes a figure without a bar" "bench gated 1 cycles" "bench free 3 things"
collect 1 "fails above the bar" "bench gated 80.5 cycles"
collect 1 "fails when one of two rows is above" "bench gated 80 cycles" "bench gated 81 cycles"
collect 1 "fails when a gated row is absent" "bench aim 1 fraction"
collect 2 "refuses another unit" "bench gated 80 seconds"
collect 2 "refuses what is not a number" "bench gated fast cycles"
collect 2 "refuses half a line" "bench gated 80"
[ "$(awk 'length > 100' "$work/out" | wc -l)" = 0 ]
verdict $? "bench prints at most 100 columns"

# ---- what benchmarks print -------------------------------------------------
# One that says how far it is while half a line of its figures is out.
cat > "$work/chatty" <<'BENCH'
#!/bin/sh
printf 'bench gated 8'
echo 'half of it' >&2
echo '0 cycles'
exit "${CHATTY:-0}"
BENCH
chmod +x "$work/chatty"
B=$work sh tests/bench/run.sh "$B/tests/bench/example" "$work/chatty" > "$work/out" 2>&1
verdict $? "bench takes figures apart from what a program says meanwhile" "$work/out"
CHATTY=1 B=$work sh tests/bench/run.sh "$B/tests/bench/example" "$work/chatty" > "$work/out" 2>&1
[ $? = 1 ] && grep -q '^    half of it$' "$work/out" && grep -q '^    bench gated 80 cycles$' "$work/out"
verdict $? "bench fails with a program, and shows what it said" "$work/out"
finish
