#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The memory that connections leave in use, one after the other, in the program and in the simulator, and what 100 queue pairs take.
# CONNECTIONS says how many.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

# Pages of files come and go as the system likes; what the simulator keeps is in others.
sim_kb() {
    awk '$1 == "RssAnon:" { print $2 }' "/proc/$sim/status"
}

# The simulator, too, first uses all of its own memory.
timeout "$limit" "$tern" run -- "$B/tests/verbs/endures" connects 1 > "$dir/first.log" 2>&1
tap $? "a first connection works"
before=$(sim_kb)
part connects connects "${CONNECTIONS:-200}"
after=$(sim_kb)
[ -n "$before" ] && [ $((after - before)) -lt 1024 ]
tap $? "they leave nothing behind in the simulator"
echo "# figures simulator_grown_kb=$((after - before))"
done_testing
