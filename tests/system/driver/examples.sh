#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every example does what its head says, on the tier TIER.
set -u
. tests/system/demo/nics.sh
receiver=
end_others() { [ -z "$receiver" ] || kill -KILL "$receiver" 2> /dev/null; }

# prints LINE NAME ARGUMENT...: checks that the example NAME succeeds and prints that line.
prints() {
    line=$1 name=$2
    shift 2
    timeout 120 "$B/examples/$name" "$@" > "$dir/$name.log" 2>&1 && grep -qx "$line" "$dir/$name.log"
}

rounds=200
[ "$tier" = soft ] || rounds=20
start_sim --torus 2x2x1
prints 'the target holds "hi".*' put sim:0 sim:1 hi
tap $? "the example put writes a text into another node's memory"
prints 'read "a text in the memory of the other node"' get sim:0 sim:1
tap $? "the example get reads it from there"
"$B/examples/message" sim:1 > "$dir/message.log" 2>&1 &
receiver=$!
for _ in $(seq 3000); do
    queue=$(sed -n 's/^queue //p' "$dir/message.log")
    [ -z "$queue" ] || break
    sleep 0.02
done
timeout 120 "$B/examples/message" sim:0 1.0.0 "$queue" 'hi there' > "$dir/sender.log" 2>&1 && wait $receiver &&
    grep -qx 'node 0.0.0 says: hi there' "$dir/message.log"
tap $? "the example message goes from one process to another"
receiver=
! timeout 60 "$B/examples/message" sim:0 1.0.0 "$queue" 'hi there' > "$dir/sender.log" 2>&1 && grep -q 'queue does not exist' "$dir/sender.log"
tap $? "the example message to a queue that has gone ends with the reason"
prints 'message "they are there", memory "bytes of a put"' pair sim:0 sim:1
tap $? "the example pair connects, puts and sends"
prints "two processes added $rounds each: the counter is $((2 * rounds))" atomic sim:0 sim:1 $rounds
tap $? "the example atomic loses no addition of two processes"
prints 'tern: flies from pole to pole (2 gets, 0 lookups)' cache sim:0 sim:1
tap $? "the example cache gets by a pointer"
prints '2 eggs' dag sim:0 sim:1
tap $? "the example dag runs a graph of four nodes"
prints 'gull: stays at the coast' lookup sim:0 sim:1 gull
tap $? "the example lookup finds a key"
! timeout 60 "$B/examples/lookup" sim:0 sim:1 crow > "$dir/lookup.log" 2>&1 && grep -q 'crow: no node has this key' "$dir/lookup.log"
tap $? "the example lookup says which key is missing"
prints '3 of 3 members have "the same to everyone"' broadcast sim:0.0.0 sim:1.0.0 sim:0.1.0 sim:1.1.0
tap $? "the example broadcast reaches all members"
prints 'the sum of 1 to 4 is 10' allreduce sim:0.0.0 sim:1.0.0 sim:0.1.0 sim:1.1.0
tap $? "the example allreduce gives every node the sum"
prints "P1 built 1 call, found it $((rounds - 1)) times" one_host sim:0 sim:1 $rounds &&
    grep -qx "P2 holds \"the same host, another NIC\", written $rounds times" "$dir/one_host.log"
tap $? "the example one_host joins two processes of one host by two NICs"
for file in examples/*.c; do
    grep -q "$(basename "$file" .c)" tests/system/driver/examples.sh || echo "$file"
done > "$dir/untested.log"
[ ! -s "$dir/untested.log" ]
tap $? "every example is tested"
echo "1..$number"
[ $failed = 0 ]
