#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs between two nodes of the soft tier: Debian's ibv_devices, ib_write_bw and rping.
set -u
. "$(dirname "$0")/demo_lib.sh"
port=18515
DEMO_SIM=$bin/tern-sim-soft

# both SERVER CLIENT: runs two command lines, each at its node; prints the client's output.
both() {
    # shellcheck disable=SC2086 # command lines
    "$bin/tern" run --node 0.0.0 -- $1 > "$dir/server.log" 2>&1 &
    server=$!
    processes="$server $sim"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.5
        # shellcheck disable=SC2086
        timeout "$timeout_s" "$bin/tern" run --node 1.0.0 -- $2 > "$dir/client.log" 2>&1 && break
        kill -0 $server 2> /dev/null || break
    done
    wait $server
    ended "server" $? || { cat "$dir/server.log" "$dir/client.log" >&2; fail "$1"; }
    processes=$sim
    grep -v '^ *$' "$dir/client.log" | sed 's/^/  /'
}

say "starting a ring of 2 NICs, tier soft"
start_sim 2x1x1 soft
say "ibv_devices"
"$bin/tern" run -- ibv_devices | sed 's/^/  /'
say "ib_write_bw, node 1.0.0 to node 0.0.0"
both "ib_write_bw -F -x 1 -n 200 -p $port" "ib_write_bw -F -x 1 -n 200 -p $port localhost"
say "rping, which finds its peer by rdma_cm"
both "rping -s -a 10.0.0.1 -C 3" "rping -c -a 10.0.0.1 -C 3 -v"
stop_sim
say "done"
