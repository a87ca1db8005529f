# SPDX-License-Identifier: Apache-2.0
#
# Shared by the tests of the command `tern`: simulated NICs in a folder of their own, on the tier
# TIER, and TAP lines. A test sources this file. It sets $B, $tern, $tier, $dir, and counts in
# $number and $failed. At exit it calls end_others, which a test may redefine to end its own
# processes, and then ends the NICs.

B=${B:-build}
tern=$B/bin/tern
tier=${TIER:-rtl}
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-test.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR

# tap STATUS NAME: prints a test line; if it failed, all logs of the folder, too.
tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=$((failed + 1))
        for log in "$dir"/*.log; do
            sed "s|^|# $(basename "$log" .log): |" "$log"
        done
    fi
}

# stop_sim: ends the simulator; returns its exit status.
stop_sim() {
    [ -n "$sim" ] || return 0
    kill -INT "$sim" 2> /dev/null
    wait "$sim"
    ended=$?
    sim=
    return $ended
}

end_others() { :; }

clean_up() {
    status=$?
    end_others
    stop_sim
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start_sim ARGUMENT...: starts NICs and waits until they are ready.
start_sim() {
    rm -rf "$TERN_SIM_DIR" "$dir/ready"
    mkdir "$TERN_SIM_DIR" && mkfifo "$dir/ready" || exit 1
    "$tern" sim --tier "$tier" --dir "$TERN_SIM_DIR" --firmware "$B/fw/tern-fw.elf" --ready-fd 3 "$@" \
        3> "$dir/ready" > "$dir/sim.log" 2>&1 &
    sim=$!
    read -r _ < "$dir/ready" || { cat "$dir/sim.log"; echo "Bail out! no simulator"; exit 1; }
}
