#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh GROUP...
#
# Runs the test programs of each group and judges what they print (TAP).
#
# The programs of a group are listed, one a line, in $B/test/GROUP.list, which
# make writes.  Each runs from the project root without arguments; what it
# prints is kept in $B/test/GROUP/NAME.tap.  A program has failed when it
#   - has a `not ok`, prints no test line, or does not print what it planned;
#   - exits non-zero, or runs longer than TEST_LIMIT_S (a safety net);
#   - skips a test that tests/skips.def does not allow.
# Beside each group stand the CPU seconds it took and its budget
# (tests/budget.def); being over budget is a warning.
#
# The last line is `N passed, N failed, N skipped`; exit status 0 means that
# nothing failed.
set -u

B=${B:-build}
limit_s=${TEST_LIMIT_S:-600}
tools=tests/tools
passed=0 failed=0 skipped=0
LC_ALL=C
CMOCKA_MESSAGE_OUTPUT=TAP
export LC_ALL CMOCKA_MESSAGE_OUTPUT B

# CPU milliseconds of all children so far.  `times` must run in this shell: a
# substitution would ask about the subshell's children.
cpu_ms() {
    times > "$B/test/.times"
    cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += t[1] * 60 + t[2] } }
               END { printf "%d", s * 1000 }' "$B/test/.times")
}

budget_s() {
    sed -n "s/^BUDGET_CPU($1, *\([0-9]*\)).*/\1/p" tests/budget.def
}

# run_one GROUP PROGRAM PLACE: one program, judged by tap.awk.
run_one() {
    test_name=$(basename "$2" .sh)
    log=$B/test/$1/$test_name.tap
    result=$B/test/$1/$test_name.result
    printf '[%s] %s %s ... ' "$3" "$1" "$test_name"
    case $2 in
    */*) command=$2 ;;
    *) command=./$2 ;;
    esac
    timeout -k 10 "$limit_s" "$command" > "$log" 2>&1 < /dev/null
    status=$?
    # shellcheck disable=SC2046 # three numbers
    set -- $(awk -f $tools/tap.awk -v program="$test_name" -v status=$status \
        -v complaints="$B/test/.complaints" tests/skips.def "$log")
    echo "$*" > "$result"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    if [ "$2" = 0 ]; then
        printf '%s ok%s\n' "$1" "$([ "$3" = 0 ] || echo ", $3 skipped")"
    else
        printf '%s ok, %s FAILED\n' "$1" "$2"
        sed 's/^/    /' "$B/test/.complaints"
        printf '    all of it: %s\n' "$log"
    fi
}

run_group() {
    list=$B/test/$1.list
    [ -f "$list" ] || { echo "run.sh: no $list; use make" >&2; exit 2; }
    rm -rf "${B:?}/test/$1"
    mkdir -p "$B/test/$1"
    total=$(grep -c . "$list")
    twice=$(sed "s|.*/||; s|\.sh\$||" "$list" | sort | uniq -d)
    [ -z "$twice" ] || { echo "run.sh: two programs of $1 share a name: $twice" >&2; exit 2; }
    count=0
    cpu_ms
    cpu_before=$cpu
    while read -r program; do
        [ -n "$program" ] || continue
        count=$((count + 1))
        run_one "$1" "$program" "$count/$total"
    done < "$list"
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
for group in "$@"; do
    run_group "$group"
done
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
