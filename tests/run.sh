#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh GROUP...
#
# Runs the test programs of each group and judges their output (TAP). For +GROUP, which ran before,
# it only adds the counts. TEST_PART=1 omits the last line: the group is part of a longer run. With
# TEST_STOP=1 no program starts after a failure.
#
# make writes the programs of a group to $B/test/GROUP.list, one per line. Each runs from the
# project root without arguments, TEST_JOBS of them at a time (one per processor), in the order of
# the list; its output is stored in $B/test/GROUP/NAME.tap. A program has failed when it
#   - has a `not ok`, prints no test line, or does not print what it planned;
#   - exits non-zero, or runs longer than TEST_LIMIT_S (a safety net);
#   - skips a test that tests/skips.def does not allow.
# For each group it prints the CPU seconds and the budget (tests/budget.def), with a warning if the
# budget is exceeded.
#
# The last line is `N passed, N failed, N skipped`; exit status 0 means that
# nothing failed.
set -u

B=${B:-build}
jobs=${TEST_JOBS:-$(nproc)}
passed=0 failed=0 skipped=0
LC_ALL=C
CMOCKA_MESSAGE_OUTPUT=TAP
export LC_ALL CMOCKA_MESSAGE_OUTPUT B

# Returns the CPU milliseconds of all children so far. `times` must run in this shell: in a
# substitution it would report the subshell's children.
cpu_ms() {
    times > "$B/test/.times"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += t[1] * 60 + t[2] } }
               END { printf "%d", s * 1000 }' "$B/test/.times")
}

budget_s() {
    sed -n "s/^BUDGET_CPU($1, *\([0-9]*\)).*/\1/p" tests/budget.def
}

# add_up GROUP: adds up the counts of its programs; a program without counts has failed.
add_up() {
    # shellcheck disable=SC2046 # three numbers
    set -- $(cat "$B/test/$1"/*.result 2> /dev/null |
        awk -v total="$total" '{ p += $1; f += $2; s += $3 } END { print p + 0, f + total - NR, s + 0 }')
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

run_group() {
    list=$B/test/$1.list
    [ -f "$list" ] || { echo "run.sh: no $list; use make" >&2; exit 2; }
    rm -rf "${B:?}/test/$1"
    mkdir -p "$B/test/$1"
    total=$(grep -c . "$list")
    twice=$(sed "s|.*/||; s|\.sh\$||" "$list" | sort | uniq -d)
    [ -z "$twice" ] || { echo "run.sh: two programs of $1 share a name: $twice" >&2; exit 2; }
    cpu_ms
    cpu_before=$cpu
    # If a signal killed the judge, xargs would stop at once while others still run: the shell
    # around each converts the signal to an exit status.
    # shellcheck disable=SC2016 # that shell's arguments
    grep -n . "$list" | tr : ' ' |
        xargs -r -P "$jobs" -n 2 sh -c 'sh tests/tools/one.sh "$@" || exit 1' one "$1" "$total"
    add_up "$1"
    cpu_ms
    used=$((cpu - cpu_before))
    budget=$(budget_s "$1")
    printf -- '-- %s: %s programs, %d.%d CPU seconds of %s\n' "$1" "$total" \
        $((used / 1000)) $((used % 1000 / 100)) "${budget:-no budget}"
    if [ -n "$budget" ] && [ $((used / 1000)) -ge "$budget" ]; then
        printf 'WARNING: group %s is over its CPU budget of %s s\n' "$1" "$budget"
    fi
}

mkdir -p "$B/test"
rm -f "$B/test/stopped"
for group in "$@"; do
    case $group in
    +*)
        total=$(grep -c . "$B/test/${group#+}.list")
        add_up "${group#+}"
        ;;
    *) run_group "$group" ;;
    esac
done
[ -n "${TEST_PART:-}" ] || printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
