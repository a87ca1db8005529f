#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs between two simulators that --link joins: each has a folder and a NIC of its own, as in two containers.
. tests/verbs/verbs.sh
first= second=

end_others() {
    kill -KILL $server $first $second 2> /dev/null
}

# starts NAME ARGUMENT...: a simulator in a folder of its own, in the background; its process is $started.
starts() {
    name=$1
    shift
    rm -rf "${dir:?}/$name" && mkdir "$dir/$name"
    "$tern" sim --tier "$tier" --torus 2x1x1 --dir "$dir/$name" --firmware "$B/fw/tern-fw.elf" "$@" > "$dir/sim-$name.log" 2>&1 &
    started=$!
}

# ready NAME PROCESS: waits until that simulator serves its NIC; false if it ends before.
ready() {
    until grep -q '^ready' "$dir/sim-$1.log"; do
        kill -0 "$2" 2> /dev/null || return 1
        sleep 0.05
    done
}

# pair ARGUMENT...: both simulators, linked and ready.
pair() {
    next_port
    starts first --half first --link tcp:127.0.0.1:$port "$@"
    first=$started
    starts second --link tcp:127.0.0.1:$port "$@"
    second=$started
    ready first $first && ready second $second
}

end_pair() {
    kill $first $second 2> /dev/null
    wait $first $second
    first= second=
}

at_first() {
    TERN_SIM_DIR=$dir/first timeout "$limit" "$tern" run -- "$@"
}

at_second() {
    TERN_SIM_DIR=$dir/second timeout "$limit" "$tern" run -- "$@"
}

# across PROGRAM ARGUMENT...: both ends, the server at the first simulator.
across() {
    program=$1
    shift
    next_port
    # shellcheck disable=SC2046 # several words
    at_first "$program" -d tern0 $(gid "$program") -p $port "$@" > "$dir/server.log" 2>&1 &
    server=$!
    while ! listening $port && kill -0 $server 2> /dev/null; do
        sleep 0.05
    done
    # shellcheck disable=SC2046
    at_second "$program" -d tern0 $(gid "$program") -p $port "$@" localhost > "$dir/client.log" 2>&1
    ended=$?
    end_server && [ $ended = 0 ]
}

# crosses PROGRAM ARGUMENT...: a test line for it.
crosses() {
    across "$@"
    tap $? "$* runs between two simulators"
}

pair
tap $? "two simulators, each with half of a torus, are linked"
[ "$(find "$dir/first" "$dir/second" -name '*.sock' | wc -l)" = 2 ] && [ -S "$dir/first/nic-0.0.0.sock" ] && [ -S "$dir/second/nic-1.0.0.sock" ]
tap $? "each serves the NICs of its half"
crosses ibv_rc_pingpong -c -n "${PINGS:-200}"
if [ "$tier" = rtl ]; then
    crosses ib_write_bw -n 5
    kill -KILL $second
    until grep -q 'the peer simulator has gone; the links' "$dir/sim-first.log" || ! kill -0 $first; do
        sleep 0.1
    done
    at_first ibv_devinfo -d tern0 > "$dir/info.log" 2>&1 && kill -0 $first
    tap $? "a simulator whose peer is killed goes on"
    end_pair
    done_testing
fi

crosses ibv_rc_pingpong -c -e -n 200
crosses ib_write_bw -n 200
crosses ib_send_bw -n 50 -s 1048576
crosses ib_read_lat -n 50
crosses ib_atomic_lat -n 50
at_first rping -s -a 10.0.0.1 -C 10 -V > "$dir/server.log" 2>&1 &
server=$!
for _ in $(seq 40); do
    sleep 0.25
    at_second rping -c -a 10.0.0.1 -C 10 -V > "$dir/client.log" 2>&1
    ended=$?
    [ $ended != 0 ] && kill -0 $server 2> /dev/null || break
done
end_server && [ $ended = 0 ]
tap $? "so does rping, with rdma_cm"

# ended_badly PROCESS: waits for it; true if it failed, before the limit.
ended_badly() {
    wait "$1"
    status=$?
    [ $status != 0 ] && [ $status != 124 ]
}

# dies SIGNAL TEXT: the first simulator gets a signal while a program at the second one writes to its node: the writes end with the error
# that the manual names, and the second simulator says why.
dies() {
    next_port
    at_first ib_write_bw -F -d tern0 -x 1 -p $port -D 60 > "$dir/server.log" 2>&1 &
    server=$!
    while ! listening $port && kill -0 $server 2> /dev/null; do
        sleep 0.05
    done
    at_second ib_write_bw -F -d tern0 -x 1 -p $port -D 60 localhost > "$dir/client.log" 2>&1 &
    client=$!
    sleep 3
    kill -0 $client && kill -"$1" $first && ended_badly $client && grep -q 'vendor_err\|transport retry\|status 12' "$dir/client.log" &&
        grep -q "$2; the links to its nodes are down" "$dir/sim-second.log" && at_second ibv_devinfo -d tern0 > "$dir/info.log" 2>&1
    died=$?
    kill -KILL $first $server 2> /dev/null
    wait $server 2> /dev/null
    server=
    return $died
}

limit=30
dies KILL 'the peer simulator has gone'
tap $? "a peer simulator that is killed: writes to its node end with RETRY_EXC_ERR, and the other simulator goes on"
end_pair
pair && dies STOP 'the peer simulator is silent'
tap $? "so it is with one that is silent for three seconds"
end_pair

# refused NAME TEXT ARGUMENT...: a simulator that does not start, for that reason.
refused() {
    promise=$1 text=$2
    shift 2
    starts refused "$@"
    wait $started
    [ $? = 1 ] && grep -q "$text" "$dir/sim-refused.log"
    tap $? "$promise"
}

next_port
refused "without a peer a simulator ends" "no peer simulator at 127.0.0.1:$port: Connection refused" --link tcp:127.0.0.1:$port --link-wait 1
refused "so does one that listens" "listening at 127.0.0.1:$port: no peer simulator came" --half first --link tcp:127.0.0.1:$port --link-wait 1
refused "a host without an address is an error" 'no peer simulator at no-such-host.invalid' --link tcp:no-such-host.invalid:$port --link-wait 0
starts listens --half first --link tcp:127.0.0.1:$port
listens=$started
while ! listening $port && kill -0 $listens 2> /dev/null; do
    sleep 0.05
done
refused "a port that is taken is an error" "cannot listen at 127.0.0.1:$port: Address already in use" --half first --link tcp:127.0.0.1:$port
refused "a peer with another torus is an error" 'another --torus or --mesh' --link tcp:127.0.0.1:$port --torus 4x1x1
grep -q 'a visitor is refused at .*another --torus or --mesh' "$dir/sim-listens.log"
tap $? "so it is at the end that listens"
starts joins --link tcp:127.0.0.1:$port
ready joins $started && ready listens $listens
tap $? "and that one waits for a better peer"
kill $started $listens
wait $started $listens
for bad in 17000 tcp:17000 tcp:host:0 tcp:host:x udp:host:17000; do
    "$tern" sim --tier soft --link $bad > "$dir/bad.log" 2>&1
    [ $? = 2 ] || break
done
[ $bad = udp:host:17000 ] && ! "$tern" sim --tier soft --half first > "$dir/bad.log" 2>&1
tap $? "an address that is none is a usage error"
done_testing
