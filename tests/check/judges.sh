#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the judges of promises and of figures: the conformance tool and the collector of benchmarks,
# each built with a small table of its own.
set -u
. tests/check/lib.sh
B=${B:-build}

# ---- conformance -----------------------------------------------------------
mkdir -p "$work/test/system" "$work/test/unit" "$work/test/quick"
log=$work/test/system
cat > "$log/good.tap" <<'LOG'
ok 1 - a good test
# evidence P1 seen=1
# evidence P2 seen=2
# evidence P3 seen=3 of=3
# evidence M3 seen=1
# evidence M4 seen=1
# evidence M5 seen=1
# evidence F3 seen=1
# evidence F4 seen=1
# evidence F5 other=1
# evidence F9 seen=2 of=3
ok 2 - pair one
# evidence P2 seen=2
# evidence F7 seen=2
ok 3 - pair two
# evidence P2 seen=2
ok 4 - a skipped test # SKIP no reason
# evidence M6 seen=1
LOG
printf 'ok 1 - on both\n# evidence P4 seen=1\n# evidence P5 seen=1\n' | tee "$log/soft_both.tap" > "$log/both.tap"
printf 'ok 1 - on soft alone\n# evidence P5 seen=1\n# evidence P6 seen=1\n' > "$log/soft_alone.tap"
printf 'ok 1 - in a unit\n# evidence P7 seen=1\n' > "$work/test/unit/units.tap"
printf 'ok 1 - run again\n# evidence F8 seen=1\n' > "$work/test/quick/again.tap"
printf 'ok 1 - before the crash\n# evidence F2 seen=1\n' > "$log/crash.tap"
printf 'not ok 1 - a failed test\n# evidence F1 seen=1\n' > "$log/bad.tap"
for name in system/good system/both system/soft_both system/soft_alone unit/units quick/again; do
    echo "3 0 1" > "$work/test/$name.result"
done
echo rtl > "$log/good.tiers"
echo rtl > "$log/both.tiers"
printf 'soft\nsoft\n' | tee "$log/soft_both.tiers" > "$log/soft_alone.tiers"
echo "1 1 0" > "$log/crash.result"
echo "0 1 0" > "$log/bad.result"

# judge [ARGUMENT...]: runs the tool over these logs, with its output in $work/out.
judge() {
    "$B/tests/conformance/example" "$work/test" "$work/c.json" "$@" > "$work/out" 2>&1
}

# expect ID WANTED: checks the rest of the line of an id.
expect() {
    grep -q "^$1 $2" "$work/out"
    verdict $? "conformance $3" "$work/out"
}
judge
status=$?
expect P1 'PASS rtl$' "passes with test, evidence and saboteur"
expect P2 'PASS rtl$' "takes a pattern"
expect P3 'PASS rtl$' "takes a value that another key holds"
expect P4 'PASS rtl$' "knows the tier from what ran"
expect P5 'PASS soft$' "calls soft what one test shows on soft alone"
expect P6 'PASS soft$' "calls soft what ran on soft"
expect P7 'PASS host$' "calls host what needs no node"
expect M1 'MISSING no test: no test is named$' "says that no test shows a promise"
expect M3 'MISSING the row does not say what seen must be' "wants a value of the evidence"
expect M4 'MISSING no saboteur of pair_two' "misses a saboteur of one of two tests"
expect M5 'MISSING the row names no evidence' "misses the name of the evidence"
expect M6 'MISSING a_skipped_test was skipped' "does not take a skipped test"
expect M7 'MISSING make clean-room has not run' "says which goal has not run"
expect F1 'FAIL a_failed_test' "fails with the test"
expect F2 'FAIL before_the_crash: its program crash failed' "fails with the program"
expect F3 'FAIL a_failed_test' "fails when one of two tests fails"
expect F4 'FAIL a_test_nobody_wrote did not run' "fails when a test did not run"
expect F5 'FAIL a_good_test: no evidence seen' "fails without the evidence"
expect F6 'FAIL a_good_test: no evidence seen' "does not take the evidence of another id"
expect F7 'FAIL pair_one: seen=2, not =3' "fails when the evidence is another"
expect F8 'FAIL run_again did not run' "does not take a choice of tests for their run"
expect F9 'FAIL a_good_test: seen=2, not >=of' "fails when the evidence is less than another key holds"
expect F10 'FAIL a_test_without_a_saboteur did not run' "fails when a test without a saboteur did not run"
grep -q '^7 pass, 10 fail, 6 missing' "$work/out" && [ $status = 1 ]
verdict $? "conformance counts and exits 1" "$work/out"
grep -q '"id": "M7"' "$work/c.json"
verdict $? "conformance writes JSON"

# The committed results are compared, with promises that all pass.
rm "$work/test/system/bad.tap" "$work/test/system/crash.tap"
judge "$work/committed" write
grep -q '^P4 PASS rtl$' "$work/committed" && grep -q '^M1 MISSING$' "$work/committed"
verdict $? "conformance writes what to commit" "$work/committed"
# worse LINE TEXT TITLE: with that line committed, the tool prints that text and fails.
worse() {
    echo "$1" > "$work/committed"
    judge "$work/committed"
    [ $? = 1 ] && grep -qF -e "$2" "$work/out"
    verdict $? "conformance $3" "$work/out"
}
worse 'P5 PASS rtl' 'WORSE P5: PASS rtl is committed' "fails when a row is on soft alone that was on rtl"
worse 'M1 PASS soft' 'WORSE M1: PASS soft is committed' "fails when a row is missing that passed"
worse 'P99 MISSING' 'WORSE P99: its row is gone' "fails when a row is gone"
echo 'P6 PASS rtl' > "$work/committed"
echo build/tests/system/alone > "$work/test/left-out-test"
judge "$work/committed"
! grep -q WORSE "$work/out" && grep -q ' 0 worse' "$work/out"
verdict $? "conformance takes soft for rtl when the twin on rtl was left out" "$work/out"
# If a program was left out, the committed result of its tests counts; a test that is missing
# although its program ran fails.
printf 'F4 PASS rtl\n' > "$work/committed"
echo build/tests/system/other > "$work/test/left-out-check"
judge "$work/committed"
grep -q '^F4 FAIL a_test_nobody_wrote did not run' "$work/out" && grep -q '^WORSE F4' "$work/out"
verdict $? "conformance fails when a test is gone of a program that was not left out" "$work/out"
# The saboteur does not name the program of its test, which may be the one left out.
grep -q '^F10 MISSING a_test_without_a_saboteur: its program was left out$' "$work/out"
verdict $? "conformance lets a test without a saboteur be in any program that was left out" "$work/out"
echo y >> "$work/test/left-out-check"
judge "$work/committed"
grep -q '^F4 PASS rtl as committed; a_test_nobody_wrote: its program was left out$' "$work/out" &&
    grep -q '^1 passes are as committed' "$work/out" && ! grep -q '^WORSE F4' "$work/out"
verdict $? "conformance says which row is as committed since its program was left out" "$work/out"
printf 'F4 MISSING\n' > "$work/committed"
judge "$work/committed"
grep -q '^F4 MISSING a_test_nobody_wrote' "$work/out"
verdict $? "conformance takes nothing for a pass that is not committed as one" "$work/out"

# ---- figures ---------------------------------------------------------------
# collect STATUS NAME LINE...: checks the collector's exit status for a program's output.
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

# ---- figures over time -----------------------------------------------------
# keep COMMIT VALUE: the collector keeps that figure of the commit.
keep() {
    echo "bench gated $2 cycles bytes=8" > "$work/figures.out"
    "$B/tests/bench/example" "$work/b.json" --keep "$work/kept.jsonl" "$1" "$work/figures.out" > "$work/out" 2>&1
}
keep one 70 && ! grep -q moved "$work/out" && keep two 70.5 && ! grep -q moved "$work/out" &&
    [ "$(wc -l < "$work/kept.jsonl")" = 2 ] && grep -q '^{"commit": "one", "figures": {"gated bytes=8": 70.0}}$' "$work/kept.jsonl"
verdict $? "bench keeps the figures of each commit" "$work/out"
keep three 72 && grep -q '^moved since two: gated bytes=8 70.5 -> 72$' "$work/out"
verdict $? "bench names figures that moved by more than one percent" "$work/out"
keep three 60 && grep -q '^moved since two: gated bytes=8 70.5 -> 60$' "$work/out" &&
    [ "$(wc -l < "$work/kept.jsonl")" = 3 ] && grep -q '"three".* 60.0' "$work/kept.jsonl"
verdict $? "bench keeps the last run of a commit" "$work/out"

# ---- output of benchmarks -------------------------------------------------
# A benchmark that prints its progress in the middle of a line of figures.
cat > "$work/chatty" <<'BENCH'
#!/bin/sh
printf 'bench gated 8'
echo 'half of it' >&2
echo '0 cycles'
exit "${CHATTY:-0}"
BENCH
chmod +x "$work/chatty"
FIGURES=$work/chatty.jsonl B=$work sh tests/bench/run.sh "$B/tests/bench/example" "$work/chatty" > "$work/out" 2>&1
verdict $? "bench takes figures apart from what a program says meanwhile" "$work/out"
CHATTY=1 FIGURES=$work/chatty.jsonl B=$work sh tests/bench/run.sh "$B/tests/bench/example" "$work/chatty" > "$work/out" 2>&1
[ $? = 1 ] && grep -q '^    half of it$' "$work/out" && grep -q '^    bench gated 80 cycles$' "$work/out"
verdict $? "bench fails with a program, and shows what it said" "$work/out"
finish
