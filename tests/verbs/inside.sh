#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: inside.sh FOLDER PORT SERVER CLIENT
#
# Runs both ends of a verbs program, two command lines, by `tern run`; the simulator is that of a
# `tern run --scenario` around this script. The client starts when a socket listens at PORT; with
# PORT 0 the ends connect by rdma_cm, and a client that is too early tries again. Writes the
# outcome, without figures that depend on time, and the links of node 0.0.0 that are down to
# FOLDER/outcome. With WHEN_DOWN=1 starts them when that node has a link that is down.
set -u
B=${B:-build}
folder=$1 port=$2
limit=${LIMIT:-120}

listens() {
    awk -v port=":$(printf '%04X' "$port")" \
        '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' /proc/net/tcp /proc/net/tcp6
}

down() {
    "$B/bin/tern" top --once | sed -n 's/^0\.0\.0 .*DOWN: /down: /p'
}

if [ "${WHEN_DOWN:-0}" != 0 ]; then
    for _ in $(seq 100); do
        [ -z "$(down)" ] || break
        sleep 0.1
    done
fi
# shellcheck disable=SC2086 # a command line
timeout "$limit" "$B/bin/tern" run --node 0.0.0 -- $3 > "$folder/server.log" 2>&1 &
server=$!
for _ in $(seq 400); do
    kill -0 $server 2> /dev/null || break
    if [ "$port" != 0 ] && ! listens; then
        sleep 0.05
        continue
    fi
    # shellcheck disable=SC2086
    timeout "$limit" "$B/bin/tern" run --node 1.0.0 -- $4 > "$folder/client.log" 2>&1
    ended=$?
    [ "$port" = 0 ] && [ $ended != 0 ] && kill -0 $server 2> /dev/null || break
    sleep 0.25
done
wait $server
{
    echo "server $?, client ${ended:-none}"
    # Of perftest the bytes and the iterations, of rping the data, of both a completion that failed.
    sed -n 's/^ *\([0-9][0-9]*  *[0-9][0-9]*\)  *[0-9.]* .*/\1/p; /^ping data/p
        s/.*transport retry counter exceeded.*/RETRY_EXC_ERR/p; s/.*[Ss]tatus 12.*/RETRY_EXC_ERR/p
        s/.*status is 12.*/RETRY_EXC_ERR/p' "$folder/client.log" | uniq
    down
} > "$folder/outcome"
grep -qx 'server 0, client 0' "$folder/outcome"
