#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo_collective.sh
#
# Collective operations of a process at each node of a torus 2x2x2: `tern collective bench` adds up
# words of all nodes and checks every sum on every node. TIER=soft or rtl.
set -u
. "$(dirname "$0")/demo_lib.sh"
tier=${TIER:-rtl}
rounds=2
[ "$tier" = rtl ] || rounds=10

say "starting a torus 2x2x2 of 8 NICs, tier $tier"
start_sim 2x2x2 "$tier"
say "a process at each node adds up with the others, $rounds times each"
"$bin/tern" collective bench --rounds $rounds > "$dir/bench" 2> "$dir/bench.log"
ended 'team of eight processes' $? || { cat "$dir/bench.log" >&2; sim_gone; fail "the team did not end well"; }
[ "$(grep -c '^allreduce' "$dir/bench")" = 4 ] || fail "an operation is missing"
say "verified: every node has every sum"
stop_sim
shown "Shown: eight processes waited for each other, broadcast, and added up words of all of them." \
    "The first member combines them in the order of ranks, so that the result is the same each time." \
    "Beside it (puts): a binary tree of puts in which each host combines."
sed 's/^/  /' "$dir/bench"
