#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the judge of all tests: outputs that tests/tools/tap.awk must count as failures.
set -u
. tests/check/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'SKIP(prog, allowed, "an example")' > "$work/skips.def"

# expect NAME "passed failed skipped" EXIT-STATUS TEXT...
expect() {
    name=$1 want=$2 status=$3
    shift 3
    printf '%s\n' "$@" > "$work/log"
    got=$(awk -f tests/tools/tap.awk -v program=prog -v status="$status" \
        -v complaints="$work/complaints" "$work/skips.def" "$work/log")
    echo "expected $want, got $got" > "$work/why"
    [ "$got" = "$want" ]
    verdict $? "runner $name" "$work/why"
}

expect "counts passes" "2 0 0" 0 "1..2" "ok 1 - a" "ok 2 - b"
expect "sees a failed test" "1 1 0" 1 "ok 1 - a" "not ok 2 - b"
expect "sees a failed test that exits 0" "0 1 0" 0 "1..1" "not ok 1 - b"
expect "wants a test line" "0 1 0" 0 "hello"
expect "wants what was planned" "1 1 0" 0 "1..2" "ok 1 - a"
expect "wants a plan" "1 1 0" 0 "ok 1 - a"
expect "adds plans up" "2 0 0" 0 "1..1" "ok 1 - a" "1..1" "ok 1 - b"
expect "sees an exit status" "1 1 0" 3 "1..1" "ok 1 - a"
expect "sees the time limit" "1 1 0" 124 "1..1" "ok 1 - a"
expect "allows a listed skip" "0 0 1" 0 "1..1" "ok 1 - allowed # SKIP why"
expect "refuses another skip" "0 1 0" 0 "1..1" "ok 1 - other # SKIP why"
expect "reads a skip as cmocka prints it" "0 0 1" 0 "1..1" "not ok 1 # SKIP allowed"
expect "sees a bail out" "1 1 0" 0 "ok 1 - a" "Bail out! no memory"

# Tests the runner: when a program kills its judge, that is a failure and not a gap, and it affects
# neither running nor later programs.
mkdir -p "$work/test"
printf 'sleep 1\necho ok 1 - a\necho 1..1\n' > "$work/good.sh"
printf 'echo not ok 1 - a\n' > "$work/bad.sh"
# shellcheck disable=SC2016 # its own parent, when it runs
printf 'read -r _ _ _ judge _ < /proc/$PPID/stat && kill -9 "$judge"\n' > "$work/killer.sh"
printf 'echo ok 1 - a\necho 1..1\n' > "$work/after.sh"
for program in good bad killer after; do
    chmod +x "$work/$program.sh"
    echo "$work/$program.sh"
done > "$work/test/four.list"
B=$work TEST_JOBS=2 sh tests/run.sh four > "$work/log" 2> "$work/errors"
status=$?
sed 's/^/# /' "$work/log" "$work/errors" > "$work/why"
[ $status != 0 ] && [ "$(tail -n 1 "$work/log")" = "2 passed, 2 failed, 0 skipped" ]
verdict $? "runner counts what gave no verdict" "$work/why"

# A part of a run has no last line; the last part prints the sums.
echo "$work/good.sh" > "$work/test/begun.list"
echo "$work/after.sh" > "$work/test/rest.list"
B=$work TEST_PART=1 sh tests/run.sh begun > "$work/log" 2>&1
! grep -q passed "$work/log" && B=$work sh tests/run.sh +begun rest > "$work/log" 2>&1 &&
    [ "$(tail -n 1 "$work/log")" = "2 passed, 0 failed, 0 skipped" ]
verdict $? "runner adds what ran before" "$work/log"
{ echo "$work/bad.sh"; echo "$work/after.sh"; } > "$work/test/stops.list"
B=$work TEST_JOBS=1 TEST_STOP=1 sh tests/run.sh stops > "$work/log" 2>&1
grep -q ' bad \.\.\. ' "$work/log" && ! grep -q ' after \.\.\. ' "$work/log"
verdict $? "runner stops at the first failure when it is asked to" "$work/log"
rm "$work/test/begun/good.result"
B=$work sh tests/run.sh +begun rest > "$work/log" 2>&1
[ $? = 1 ] && [ "$(tail -n 1 "$work/log")" = "1 passed, 1 failed, 0 skipped" ]
verdict $? "runner counts what should have run before" "$work/log"

# A program whose area has not changed is left out, so it may not run for long.
env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory test-scripts > "$work/scripts"
while IFS= read -r script; do
    [ -x "$script" ] || echo "$script cannot be executed"
done < "$work/scripts" > "$work/why"
[ -s "$work/scripts" ] && [ ! -s "$work/why" ]
verdict $? "each script among the tests can be executed" "$work/why"
finish
