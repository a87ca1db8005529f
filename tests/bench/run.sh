#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/bench/run.sh COLLECTOR PROGRAM...
#
# Runs each benchmark program from the project root without arguments, stores its output in
# $B/bench/NAME.out and its messages in NAME.err; then the collector (bench.c) compares all figures
# with the bars. If a program fails, the script fails after it has printed the table;
# otherwise it stores the figures in FIGURES (docs/figures.jsonl), one line per commit.
set -u

B=${B:-build}
collector=${1:?usage: run.sh COLLECTOR PROGRAM...}
shift
rm -rf "${B:?}/bench"
mkdir -p "$B/bench"
total=$#
count=0
status=0
outputs=

for program in "$@"; do
    count=$((count + 1))
    name=$(basename "$program" .sh)
    output=$B/bench/$name.out
    printf '[%s/%s] bench %s\n' $count "$total" "$name"
    said=$B/bench/$name.err
    if ! timeout -k 10 "${TEST_LIMIT_S:-1800}" "$program" > "$output" 2> "$said" < /dev/null; then
        echo "    it FAILED; the end of what it printed:"
        tail -q -n 10 "$output" "$said" | sed 's/^/    /'
        status=1
    fi
    outputs="$outputs $output"
done

# A tree that is not as committed has a `+` behind its commit.
keep=
commit=$(git -c safe.directory='*' rev-parse HEAD 2> /dev/null) && [ $status = 0 ] && {
    git -c safe.directory='*' diff --quiet HEAD -- . ':!docs/figures.jsonl' || commit=$commit+
    keep="--keep ${FIGURES:-docs/figures.jsonl} $commit"
}
# shellcheck disable=SC2086 # lists of files without spaces
"$collector" "$B/bench.json" $keep $outputs || status=1
exit $status
