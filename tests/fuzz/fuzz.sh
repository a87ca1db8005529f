#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fuzz.sh own|libfuzzer [target ...]
#
# Runs fuzz targets EXECUTIONS times each (10 million), one after the other, starting from the kept
# inputs: with the tests' own engine (FUZZ_SEED, 2), or under libFuzzer, which also starts from its
# earlier finds (build/fuzz/found). Its last line begins with `fuzz: PASS` or `fuzz: FAIL`. It
# stores or prints failing inputs as text.
set -u
B=${B:-build}
executions=${EXECUTIONS:-10000000}
failed=

# own TARGET
own() {
    FUZZ_EXECUTIONS=$executions FUZZ_SEED=${FUZZ_SEED:-2} FUZZ_PROGRESS=1 "$B/tests/fuzz/fuzz_$1"
}

# libfuzzer TARGET
libfuzzer() {
    found=$B/fuzz/found/$1
    kept=$B/fuzz/kept/$1
    rm -rf "$kept" "$B/fuzz/$1".crash-* "$B/fuzz/$1".leak-* "$B/fuzz/$1".timeout-* && mkdir -p "$found" "$kept"
    "$B/tests/fuzz/fuzz_$1" --binary "$kept" tests/fuzz/corpus/"$1"/* || return 1
    "$B/fuzz/libfuzzer/$1" -runs="$executions" -max_len=2048 -timeout=60 -print_final_stats=1 \
        -artifact_prefix="$B/fuzz/$1." "$found" "$kept" && return 0
    for file in "$B/fuzz/$1".crash-* "$B/fuzz/$1".leak-* "$B/fuzz/$1".timeout-*; do
        [ -f "$file" ] || continue
        echo "fuzz: $file, as text:"
        "$B/tests/fuzz/fuzz_$1" --text "$file"
    done
    return 1
}

engine=${1:?usage: fuzz.sh own|libfuzzer [target ...]}
shift
for target in "$@"; do
    echo "fuzz: $target, $executions executions"
    "$engine" "$target" || failed="$failed $target"
done
if [ -n "$failed" ]; then
    echo "fuzz: FAIL:$failed"
    exit 1
fi
echo "fuzz: PASS: $executions executions of each of: $*"
