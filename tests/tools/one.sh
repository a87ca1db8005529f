#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: one.sh GROUP TOTAL NUMBER PROGRAM
#
# Runs one test program for tests/run.sh: stores its output in $B/test/GROUP/NAME.tap and its counts
# in NAME.result, and prints one line (more on failure) in a single write, since other programs
# print at the same time.
set -u

group=$1 total=$2 number=$3 program=$4
# With TEST_STOP=1 no program runs after a failed one.
[ -n "${TEST_STOP:-}" ] && [ -e "$B/test/stopped" ] && exit 0
name=$(basename "$program" .sh)
out=$B/test/$group/$name
case $program in
*/*) command=$program ;;
*) command=./$program ;;
esac
# Stores which nodes it ran, for `make conformance` (sim/sim.c).
case $out in
/*) TERN_RAN=$out.tiers ;;
*) TERN_RAN=$(pwd)/$out.tiers ;;
esac
export TERN_RAN
timeout -k 10 "${TEST_LIMIT_S:-900}" "$command" > "$out.tap" 2>&1 < /dev/null
status=$?
times > "$out.times"       # of this shell's children: not in a subshell
counts=$(awk -f tests/tools/tap.awk -v program="$name" -v status=$status \
    -v complaints="$out.complaints" tests/skips.def "$out.tap")
echo "$counts" > "$out.result"

# Prints the time of the program, if it was long.
seconds() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += t[1] * 60 + t[2] } }
         END { if (s >= 1) printf ", %d CPU s", s }' "$out.times"
}

# shellcheck disable=SC2086 # three numbers
set -- $counts
if [ "$2" = 0 ]; then
    text="$1 ok$([ "$3" = 0 ] || echo ", $3 skipped")$(seconds)"
else
    text="$1 ok, $2 FAILED
$(sed 's/^/    /' "$out.complaints")
    all of it: $out.tap"
    : > "$B/test/stopped"
fi
rm -f "$out.complaints" "$out.times"
printf '[%s/%s] %s %s ... %s\n' "$number" "$total" "$group" "$name" "$text"
