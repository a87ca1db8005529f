#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Records every descriptor that clients of a heap, of a cache and of a graph of tasks post on the
# soft tier, and plays these streams through call caches of several sizes: which part of the calls is
# found.  Writes the plot $B/bench/call_hit_ratio.svg.
set -u
B=${B:-build}
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-test.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT

# record NAME PROGRAM...
record() {
    mkdir "$dir/$1"
    TERN_RECORD=$dir/$1
    export TERN_RECORD
    shift
    TIER=soft timeout 600 "$@" > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
    unset TERN_RECORD
}

record heap "$B/tests/bench/calls_record_heap" --operations "${OPERATIONS:-2000}"
record cache "$B/tests/bench/calls_record_cache"
record dag "$B/tests/bench/calls_record_dag"
mkdir -p "$B/bench"
"$B/tests/bench/calls_replay" "$B/bench/call_hit_ratio.svg" heap "$dir/heap" cache "$dir/cache" dag "$dir/dag"
