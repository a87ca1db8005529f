#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tern alloc between processes on a ring of two: a node serves memory, another one sees how it is divided and allocates
# from it, and what can go wrong ends with a message and a non-zero exit.  On the tier TIER.
set -u
. tests/system/demo/nics.sh
server=

end_others() {
    [ -n "$server" ] || return 0
    kill -KILL "$server" 2> /dev/null
    wait "$server" 2> /dev/null
}

# says LOG PATTERN: it has it.
says() { grep -q "$2" "$dir/$1.log"; }

# client ARGUMENT...: at node 1.
client() {
    verb=$1
    shift
    "$tern" alloc "$verb" sim:1 "$@" > "$dir/client.log" 2>&1
}

# figure NAME: of the report.
figure() { sed -n "s/^$1=//p" "$dir/report"; }

# taken: pieces that are taken, as `info` shows them.
taken() { client info store --node 0 && awk 'NR > 1 { sum += $4 } END { print sum + 0 }' "$dir/client.log"; }

pieces=2000
[ "$tier" = soft ] || pieces=60
start_sim --torus 2x1x1

"$tern" alloc serve sim:0 store --bytes 4m > "$dir/server.log" 2>&1 &
server=$!
for _ in $(seq 6000); do
    says server "^serving store" && break
    sleep 0.01
done

client stress store --node 0 --operations $pieces --report "$dir/report" && says client "^$pieces pieces taken and given back" &&
    [ "$(figure taken)" = $pieces ] && [ "$(figure given)" = $pieces ]
tap $? "pieces of another node's memory are taken, checked and given back"
[ "$(taken)" = 0 ] && says client "^ *bytes  *blocks  *slabs  *taken" && [ "$(grep -c . "$dir/client.log")" -gt 5 ]
tap $? "a client sees the classes of the heap, and that nothing is taken"
client stress store --node 0 --operations 40 --literal --report "$dir/report" && [ "$(figure requests)" -ge 160 ]
tap $? "the literal path takes some requests for each piece"
client info elsewhere --node 0
[ $? = 1 ] && says client "cannot join the pool elsewhere"
tap $? "a pool that is not there is named"
client serve
[ $? != 0 ] && says client "say serve, info or stress"
tap $? "an order that is not whole is refused"
"$tern" alloc serve sim:0 store > "$dir/second.log" 2>&1
[ $? = 1 ] && says second "cannot make the pool store"
tap $? "a pool is served once on a node"
kill -TERM "$server"
wait "$server"
status=$?
server=
tap $status "the server ends well when it is told to"
stop_sim
tap $? "the NICs end well"
echo "1..$number"
[ $failed = 0 ]
