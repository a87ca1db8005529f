# SPDX-License-Identifier: Apache-2.0
#
# Shared by the parts of the demo. A script sources it. It sets $bin, $dir and $TERN_SIM_DIR, and at
# exit ends only the processes in $processes.

B=${B:-build}
bin=$B/bin
timeout_s=${DEMO_TIMEOUT_S:-30}
dir= processes=

say() { printf 'demo: %s\n' "$*"; }
fail() { printf 'demo: FAILED: %s\n' "$*" >&2; exit 1; }

clean_up() {
    status=$?
    trap - EXIT INT TERM HUP
    for pid in $processes; do
        kill "$pid" 2> /dev/null && wait "$pid" 2> /dev/null
    done
    [ -z "$dir" ] || rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ended NAME STATUS: prints how a process ended; false on failure.
ended() {
    [ "$2" = 0 ] && return 0
    if [ "$2" -gt 128 ]; then
        printf 'demo: the %s was killed by signal %s\n' "$1" $(($2 - 128)) >&2
    else
        printf 'demo: the %s failed with status %s\n' "$1" "$2" >&2
    fi
    return 1
}

# start_sim TORUS TIER: starts a simulator, $sim, and waits until its NICs are ready.
start_sim() {
    dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-demo.XXXXXX") || fail "no folder for the sockets"
    TERN_SIM_DIR=$dir/nics
    export TERN_SIM_DIR
    mkdir "$TERN_SIM_DIR" && mkfifo "$dir/ready" || fail "no folder for the sockets"
    # shellcheck disable=SC2086 # lists
    ${DEMO_SIM:-$bin/tern sim} --tier "$2" --torus "$1" --dir "$TERN_SIM_DIR" --firmware "$B/fw/tern-fw.elf" \
        --report "$dir/sim.json" --ready-fd 3 ${DEMO_SIM_ARGS:-} 3> "$dir/ready" > "$dir/sim.log" 2>&1 &
    sim=$!
    processes=$sim
    read -r _ < "$dir/ready" || { cat "$dir/sim.log" >&2; fail "the simulator did not start"; }
    sed 's/^/  /' "$dir/sim.log"
}

# stop_sim: ends the simulator, which then writes its report.
stop_sim() {
    kill -INT "$sim"
    wait "$sim"
    status=$?
    processes=
    ended simulator $status || { cat "$dir/sim.log" >&2; fail "the simulator did not end well"; }
}

# cycles PART ARGUMENT...: prints the figures in cycles of a part, on rtl. They are the same on
# every machine and under any load, because one process is simulator and hosts (demo/cycles.c).
cycles() {
    [ "$tier" = rtl ] || return 0
    part=$1
    shift
    "$bin/demo-cycles" "$part" "$B/fw/tern-fw.elf" "$@" || fail "figures are missing"
}

# shown SENTENCE...: prints the result of the part, before its table.
shown() { printf '\n%s\n\n' "$*"; }

# legend LINE...: explains the names in the table.
legend() {
    printf '\n'
    printf '  %s\n' "$@"
}

# sim_gone: prints a message if the simulator has ended.
sim_gone() {
    kill -0 "$sim" 2> /dev/null || { cat "$dir/sim.log"; printf 'demo: the simulator is gone\n'; } >&2
}
